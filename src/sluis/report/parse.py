"""From an evidence object to the run that it tells about: the one place that knows the shape of the JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from sluis.report.model import Example, Receipt, Rule, Run, Source
from sluis.report.site import edition_key

T = TypeVar("T")


class BrokenRecord(ValueError):
    """A run's evidence that cannot be read; the text says why."""


_SEVERITIES = ("error", "warning", "info")
_OUTCOMES = ("violated", "quarantined", "error", "not_evaluated", "held")


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
        kind=_text(record, "kind") or "run",
        edition=edition_key(_text(suite, "name") or "", _text(contract, "fingerprint") or ""),
        owner=_text(record, "owner"),
        description=_text(record, "description"),
        started=_text(record, "started"),
        finished=_text(record, "finished"),
        source=_text(record, "source"),
        sources=_each(record, "sources", _source),
        rows=_number(record, "rows"),
        target=_text(record, "target"),
        mode=_text(record, "mode"),
        environment=_text(record, "environment"),
        dry_run=record.get("dry_run") is True,
        reasons=_each(record, "reasons", str),
        refusal=_text(record, "refusal"),
        notices=_each(record, "notices", str),
        receipt=_receipt(record["receipt"]) if record.get("receipt") is not None else None,
        kept_out=_number(_part(record, "quarantine"), "rows") or 0,
        quarantine=_text(_part(record, "quarantine"), "table"),
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
    examples = _each(record, "examples", _example)
    if sensitive:
        # The evidence should hold no value of these; a report must not be the place where that goes wrong.
        examples = tuple(replace(example, value=None) for example in examples if example.row)
    return Rule(
        id=rule_id,
        kind=_text(record, "kind") or "",
        column=_text(record, "column"),
        severity=_text(record, "severity") or "error",
        outcome=_required(record, "outcome"),
        unexpected=_number(record, "unexpected"),
        evaluated=_number(record, "evaluated"),
        examples=examples,
        message=_text(record, "message") or _text(record, "description") or rule_id,
        description=_text(record, "description") or _text(record, "message") or rule_id,
        note=_text(record, "note"),
        sensitive=sensitive,
        place=_text(record, "place"),
        columns=_each(record, "columns", str),
    )


def _example(value: object) -> Example:
    record = _mapping(value, "an example")
    shown, key = record.get("value"), _part(record, "key")
    return Example(
        value=None if shown is None else str(shown),
        count=_number(record, "count") or 1,
        row=", ".join(f"{name}={value}" for name, value in key.items()) or None,
    )


def _source(value: object) -> Source:
    record = _mapping(value, "a source")
    return Source(
        path=_required(record, "path"),
        size=_number(record, "size"),
        modified=_text(record, "modified"),
        version=_number(record, "version"),
    )


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
