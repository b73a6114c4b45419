"""A contract of any format → ODCS 3.2, and what the result does not say any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sluis.contract import reading
from sluis.contract.convert import to_odcs, yaml_writer
from sluis.contract.convert.words import Words, words
from sluis.contract.diff import paired
from sluis.contract.diff.strength import compare, inner_type
from sluis.contract.logical import LogicalType
from sluis.contract.model import Contract
from sluis.contract.rules import ColumnRule, Rule
from sluis.contract.telling import told
from sluis.errors import ContractError, SluisError
from sluis.tools import versions
from sluis.tools.unsaid import unsaid


@dataclass(frozen=True, kw_only=True)
class Converted:
    """What `sluis convert` made."""

    text: str
    """The document, as YAML."""

    lost: tuple[str, ...]
    """What could not be carried over, a line each."""


def convert(given: str, here: Path) -> Converted:
    """Write a contract as ODCS 3.2; the result is read back, and held against what it was made of.

    Args:
        given: `FILE` or `REVISION:FILE`, with `#OBJECT` for one object only.
        here: Where a relative path starts.

    Raises:
        ContractError: the contract cannot be read, or is ODCS 3 already.
    """
    source, contracts = versions.document(given, here)
    first = contracts[0]
    if first.format == "odcs" and "schema" in source.document:
        hint = "raise its `apiVersion` to v3.2.0; `sluis lint` says what else that needs."
        raise ContractError([source.problem(("apiVersion",), "this is ODCS 3 already", hint=hint)])
    said = words(source.document, first.format)
    origin = f"Converted from {first.path} ({first.format}) by sluis convert."
    # Queries as their owner wrote them, unless that is not the SQL of the servers that the new document names.
    text, lost = min(_attempts(contracts, said, origin), key=lambda made: len(made[1]))
    return Converted(text=text, lost=(*unsaid(source.document, contracts, said.places), *lost))


def _attempts(contracts: Sequence[Contract], said: Words, origin: str) -> list[tuple[str, list[str]]]:
    """Documents that can be read, each with the rules that it does not say.

    Raises:
        SluisError: none can.
    """
    made: list[tuple[str, list[str]]] = []
    for choice in (said, replace(said, queries={})):
        with suppress(SluisError):
            made.append(_attempt(contracts, choice, origin))
    # Our own SQL may be none of the servers' that the document names.
    return made or [_attempt(contracts, said, origin)]


def _attempt(contracts: Sequence[Contract], said: Words, origin: str) -> tuple[str, list[str]]:
    text = yaml_writer.write(to_odcs(contracts, said), {(): [origin]})
    pairs = zip(contracts, _read_back(text), strict=True)
    return text, [line for before, after in pairs for line in _rules_lost(before, after)]


def _read_back(text: str) -> list[Contract]:
    with TemporaryDirectory(prefix="sluis-") as folder:
        file = Path(folder) / "converted.odcs.yaml"
        file.write_text(text, "utf-8")
        try:
            opened = reading.open_document(file, file.name)
            return [opened.read(name) for name in opened.names]
        except ContractError as error:
            hint = "this is a fault in Sluis; please report it with the contract."
            raise SluisError(f"What was written is no good ODCS:\n{error}", hint=hint) from error


def _rules_lost(old: Contract, new: Contract) -> Iterator[str]:
    for before, after in paired(old.rules, new.rules):
        if before is None:
            continue
        if after is None:
            yield f"rule {before.id}: {told(before)}"
        elif compare(before, after, _type_of(before, old)) != "same" or before.severity != after.severity:
            yield f"rule {before.id}: {told(before)}; it became {told(after)}"
        elif before.id != after.id:
            yield f"rule {before.id}: it is called {after.id} now"


def _type_of(rule: Rule, contract: Contract) -> LogicalType | None:
    return inner_type(contract.column(rule.column).type, rule.inner) if isinstance(rule, ColumnRule) else None
