"""One run as the report shows it, parsed once from its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


class BrokenRecord(ValueError):
    """A run's evidence that cannot be read; the text says why."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """One failing value."""

    value: str | None
    """The value as it stands in the file; None where it is NULL."""

    count: int
    """How many rows hold it."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What became of one rule."""

    id: str
    """The rule's stable id."""

    kind: str
    """The kind of rule, such as `required`."""

    column: str | None
    """The column it is about; None for a rule about the whole file."""

    severity: str
    """`error`, `warning` or `info`."""

    outcome: str
    """`held`, `violated`, `not_evaluated` or `error`."""

    unexpected: int | None
    """How many rows break it."""

    evaluated: int | None
    """How many rows were looked at."""

    examples: tuple[Example, ...]
    """Failing values; always empty for a sensitive column."""

    message: str
    """What is wrong when the rule does not hold."""

    description: str
    """The rule as a sentence."""

    note: str | None
    """What else a reader should know about the outcome."""

    sensitive: bool
    """Whether values of this column may not be shown."""

    @property
    def failed(self) -> bool:
        """Whether the rule was broken or could not be run."""
        return self.outcome in ("violated", "error")


@dataclass(frozen=True, kw_only=True)
class Source:
    """One landing file."""

    path: str
    """Where it was read."""

    size: int | None
    """Bytes."""

    modified: str | None
    """When it was last changed (ISO 8601, UTC)."""


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What the write did."""

    table: str
    """The table's full name."""

    location: str | None
    """Where a local table lives."""

    mode: str
    """overwrite, append or merge."""

    version_before: int | None
    """The Delta version that was there; None when the table is new."""

    version_after: int | None
    """The Delta version that holds these rows."""

    rows_written: int | None
    """Rows that the commit wrote."""

    rows_inserted: int | None
    """Rows that are new."""

    rows_updated: int | None
    """Rows that replaced an older one."""

    already_written: bool
    """Whether an earlier run had written the same files."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run."""

    run_id: str
    """The run's id."""

    entity: str
    """The line of work."""

    contract: str
    """The contract's name."""

    title: str | None
    """The contract's title, if it has one."""

    version: str
    """The contract's version; empty when unknown."""

    verdict: str
    """PASSED, PASSED_WITH_WARNINGS, REJECTED, ERROR, or empty when nobody judged the run."""

    rules: tuple[Rule, ...]
    """Every rule, those that failed first."""

    owner: str | None = None
    """Who answers for the contract."""

    description: str | None = None
    """What the contract is about."""

    started: str | None = None
    """When the run began (ISO 8601, UTC)."""

    finished: str | None = None
    """When the run ended (ISO 8601, UTC)."""

    source: str | None = None
    """The source as the entity names it."""

    sources: tuple[Source, ...] = ()
    """The files that were read."""

    rows: int | None = None
    """How many rows were read."""

    target: str | None = None
    """The table that the rows are for."""

    mode: str | None = None
    """How they would be written."""

    env: str | None = None
    """The environment's name."""

    dry_run: bool = False
    """Whether writing was left out on purpose."""

    reasons: tuple[str, ...] = ()
    """Why the run was refused or failed."""

    notices: tuple[str, ...] = ()
    """What a reader should know besides."""

    receipt: Receipt | None = None
    """What was written; None when nothing was."""

    fingerprints: tuple[tuple[str, str], ...] = ()
    """What identifies contract and suite, with its label."""

    @property
    def failed(self) -> tuple[Rule, ...]:
        """Rules that were broken or could not be run."""
        return tuple(rule for rule in self.rules if rule.failed)

    @property
    def unjudged(self) -> tuple[Rule, ...]:
        """Rules that nobody could look at."""
        return tuple(rule for rule in self.rules if rule.outcome not in ("held", "violated", "error"))

    @property
    def held(self) -> tuple[Rule, ...]:
        """Rules that hold."""
        return tuple(rule for rule in self.rules if rule.outcome == "held")


_SEVERITIES = ("error", "warning", "info")
_OUTCOMES = ("violated", "error", "not_evaluated", "held")


def parse(evidence: object) -> Run:
    """Read an evidence object.

    Raises:
        BrokenRecord: it has not the shape of one.
    """
    record = _mapping(evidence, "the record")
    contract, suite = _part(record, "contract"), _part(record, "suite")
    return Run(
        run_id=_required(record, "run_id"),
        entity=_text(record, "entity") or _required(record, "run_id"),
        contract=_text(contract, "name") or "",
        title=_text(contract, "title"),
        version=_text(contract, "version") or "",
        verdict=_required(record, "verdict"),
        rules=tuple(sorted(_each(record, "rules", _rule), key=_rank)),
        owner=_text(record, "owner"),
        description=_text(record, "description"),
        started=_text(record, "started"),
        finished=_text(record, "finished"),
        source=_text(record, "source"),
        sources=_each(record, "sources", _source),
        rows=_number(record, "rows"),
        target=_text(record, "target"),
        mode=_text(record, "mode"),
        env=_text(record, "env"),
        dry_run=record.get("dry_run") is True,
        reasons=_each(record, "reasons", str),
        notices=_each(record, "notices", str),
        receipt=_receipt(record["receipt"]) if record.get("receipt") is not None else None,
        fingerprints=_fingerprints(contract, suite),
    )


def _rank(rule: Rule) -> tuple[int, int]:
    def place(value: str, order: tuple[str, ...]) -> int:
        return order.index(value) if value in order else len(order)

    return (0 if rule.failed else 1 + place(rule.outcome, _OUTCOMES), place(rule.severity, _SEVERITIES))


def _rule(value: object) -> Rule:
    record = _mapping(value, "a rule")
    rule_id = _required(record, "id")
    sensitive = record.get("sensitive") is True
    return Rule(
        id=rule_id,
        kind=_text(record, "kind") or "",
        column=_text(record, "column"),
        severity=_text(record, "severity") or "error",
        outcome=_required(record, "outcome"),
        unexpected=_number(record, "unexpected"),
        evaluated=_number(record, "evaluated"),
        # The evidence should hold none of these; a report must not be the place where that goes wrong.
        examples=() if sensitive else _each(record, "examples", _example),
        message=_text(record, "message") or _text(record, "description") or rule_id,
        description=_text(record, "description") or _text(record, "message") or rule_id,
        note=_text(record, "note"),
        sensitive=sensitive,
    )


def _example(value: object) -> Example:
    record = _mapping(value, "an example")
    shown = record.get("value")
    return Example(value=None if shown is None else str(shown), count=_number(record, "count") or 1)


def _source(value: object) -> Source:
    record = _mapping(value, "a source")
    return Source(path=_required(record, "path"), size=_number(record, "size"), modified=_text(record, "modified"))


def _receipt(value: object) -> Receipt:
    record = _mapping(value, "the receipt")
    return Receipt(
        table=_required(record, "table"),
        location=_text(record, "location"),
        mode=_text(record, "mode") or "",
        version_before=_number(record, "version_before"),
        version_after=_number(record, "version_after"),
        rows_written=_number(record, "rows_written"),
        rows_inserted=_number(record, "rows_inserted"),
        rows_updated=_number(record, "rows_updated"),
        already_written=record.get("already_written") is True,
    )


def _fingerprints(contract: Mapping[str, Any], suite: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    found = (
        ("Contract document", _text(contract, "path")),
        ("Contract format", _text(contract, "format")),
        ("Contract fingerprint", _text(contract, "fingerprint")),
        ("Suite", _text(suite, "name")),
        ("Suite fingerprint", _text(suite, "fingerprint")),
    )
    return tuple((label, text) for label, text in found if text)


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BrokenRecord(f"{what} is not an object")
    return value


def _part(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return _mapping(record.get(key) or {}, f"`{key}`")


def _text(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is None or isinstance(value, str):
        return value
    raise BrokenRecord(f"`{key}` is not text")


def _required(record: Mapping[str, Any], key: str) -> str:
    value = _text(record, key)
    if not value:
        raise BrokenRecord(f"`{key}` is missing")
    return value


def _number(record: Mapping[str, Any], key: str) -> int | None:
    value = record.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise BrokenRecord(f"`{key}` is not a whole number")


def _each(record: Mapping[str, Any], key: str, read: Callable[[Any], T]) -> tuple[T, ...]:
    values = record.get(key) or []
    if not isinstance(values, list | tuple):
        raise BrokenRecord(f"`{key}` is not a list")
    return tuple(read(value) for value in values)
