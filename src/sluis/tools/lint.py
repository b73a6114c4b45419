"""`sluis lint`: every document of a project, or single contracts, as far as each can be read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sluis import config, workspace
from sluis.contract import reading, source
from sluis.contract.model import Contract, LedgerEntry
from sluis.errors import ContractError, Problem

_SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What lint found."""

    problems: tuple[Problem, ...]
    """Everything that keeps the contracts from being used."""

    ledgers: Mapping[str, Sequence[LedgerEntry]] = field(default_factory=dict)
    """Contract → what became of each of its keys."""

    notices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Contract → what its reader had to interpret, or what is deprecated."""

    others: tuple[str, ...] = ()
    """Documents beside the contracts that are none, and were left alone."""

    def as_text(self) -> str:
        """For people: the ledger of every contract, then the problems."""
        lines = [
            line
            for document, ledger in self.ledgers.items()
            for line in (
                f"{document}:",
                *(f"  {'notice':<13} {notice}" for notice in self.notices.get(document, ())),
                *map(_ledger_line, ledger),
            )
        ]
        lines += [line for document in self.others for line in (f"{document}:", "  no contract; it was left alone")]
        found = [str(problem) for problem in self.problems]
        return "\n".join([*lines, *(found or ["No problems."])])

    def as_json(self) -> str:
        """For machines: the same as one object."""
        ledgers = {document: [asdict(entry) for entry in ledger] for document, ledger in self.ledgers.items()}
        said = {
            "problems": [asdict(problem) for problem in self.problems],
            "notices": self.notices,
            "ledger": ledgers,
            "others": self.others,
        }
        return json.dumps(said, ensure_ascii=False)


def lint(
    root: Path, *, environment: str | None = None, variables: Mapping[str, str] | None = None, strict: bool = False
) -> Checked:
    """Check a project: its entities and environments, and every contract in `contracts/`, whether named or not."""
    contracts: dict[str, Contract] = {}
    try:
        settings = config.read(root, environment=environment, variables=variables)
        contracts, problems = workspace.read_contracts(root, settings)
        problems += workspace.faults(settings, contracts, only=list(settings.raw))
    except ContractError as error:
        settings, problems = None, [*error.problems]
    named = {reading.split(raw["contract"])[0] for raw in settings.raw.values()} if settings else set()
    others: list[str] = []
    for file in _documents(root / "contracts"):
        shown = file.relative_to(root).as_posix()
        if shown in (config.ENTITIES, config.ENVIRONMENTS):
            continue
        if shown not in named and not _is_contract(file, shown):
            others.append(shown)
            continue
        done = {contract.object for contract in contracts.values() if contract.path == shown}
        more, found = _read(file, shown, None, done)
        contracts |= more
        problems += found
    return _checked(contracts, problems, others, strict)


def lint_files(paths: Sequence[str], *, strict: bool = False) -> Checked:
    """Check single contracts.

    Args:
        paths: Files, as seen from here, with `#OBJECT` for one object only; of folders every contract in them.
        strict: Whether keys that nothing enforces are problems.
    """
    contracts: dict[str, Contract] = {}
    problems: list[Problem] = []
    others: list[str] = []
    for path in paths:
        name, wanted = (path, None) if os.path.exists(path) else reading.split(path)
        for file in _documents(Path(path)) if os.path.isdir(path) else [Path(name)]:
            if os.path.isdir(path) and not _is_contract(file, str(file)):
                others.append(str(file))
                continue
            more, found = _read(file, str(file), wanted, set())
            contracts |= more
            problems += found
    return _checked(contracts, problems, others, strict)


def _documents(folder: Path) -> Iterator[Path]:
    """The files of a folder that may hold contracts."""
    yield from sorted(file for file in folder.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file())


def _is_contract(file: Path, shown: str) -> bool:
    """Whether a document says that it is a contract; one that cannot be read may be."""
    try:
        document = source.read(file, shown).document
    except ContractError:
        return True
    return reading.says_format(document) is not None


def _read(file: Path, shown: str, wanted: str | None, done: set[str]) -> tuple[dict[str, Contract], list[Problem]]:
    """The objects of a document, by what names each; those that are done are left out."""
    try:
        opened = reading.open_document(file, shown)
    except ContractError as error:
        return {}, [*error.problems]
    contracts: dict[str, Contract] = {}
    problems: list[Problem] = []
    names: Sequence[str | None] = [wanted] if wanted else opened.names or [None]
    for name in (name for name in names if name not in done):
        try:
            contract = opened.read(name)
            problems += workspace.name_faults(contract)
            contracts[f"{shown}#{name}" if len(opened.names) > 1 else shown] = contract
        except ContractError as error:
            problems += error.problems
    return contracts, problems


def _checked(
    contracts: Mapping[str, Contract], problems: Sequence[Problem], others: Sequence[str], strict: bool
) -> Checked:
    unenforced = [
        Problem(file=contract.path, path=entry.path, message=f"nothing enforces this: {entry.note}.")
        for contract in contracts.values()
        for entry in contract.ledger
        if entry.status == "unsupported"
    ]
    return Checked(
        # Objects of one document share what is wrong with it as a whole.
        problems=tuple(dict.fromkeys([*problems, *(unenforced if strict else ())])),
        ledgers={document: contract.ledger for document, contract in contracts.items()},
        notices={document: contract.notices for document, contract in contracts.items()},
        others=tuple(others),
    )


def _ledger_line(entry: LedgerEntry) -> str:
    note = f"warning: {entry.note}" if entry.warning else entry.note
    return f"  {entry.status:<13} {entry.path}{f'  ({note})' if note else ''}"
