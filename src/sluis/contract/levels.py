"""Service levels that a real table can be held to, each with its rule; the others only inform."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sluis.contract.document import Parts, listed
from sluis.contract.durations import Duration, Unit
from sluis.contract.logical import Date, LogicalType, Timestamp, TimestampNtz
from sluis.contract.model import ServiceLevel
from sluis.contract.notes import Notes
from sluis.contract.promises import Freshness, Latency, Retention, Written
from sluis.contract.rules import Rule

_MOMENTS = (Date, Timestamp, TimestampNtz)
"""Types that tell when; a date begins at midnight, and what has no zone is in UTC."""

_UNITS: dict[str | None, Unit] = {"second": "second", "month": "month", "year": "year"}
"""Unit of a service level that is a span of time → the span's."""


def judged(
    level: ServiceLevel,
    name: str,
    types: Mapping[str, LogicalType],
    at: Parts,
    notes: Notes,
    *,
    also: Iterable[Parts] = (),
) -> ServiceLevel:
    """A service level with the rule that enforces it, where there is one; the ledger says so.

    Freshness and latency of one column are the age of the newest row (ODCS prefers the second word for the first),
    without a column that of the last write. Of latency with two columns, every row is asked.

    Args:
        level: What is promised.
        name: The object that it is promised of.
        types: Its columns, with what they hold.
        at: Where the document promises it.
        notes: Takes the claims.
        also: Where it names the columns.
    """
    unit = _UNITS.get(level.unit)
    if level.value is None or unit is None:
        return level
    if strangers := [column for column in level.columns if not isinstance(types.get(column), _MOMENTS)]:
        notes.unsupported(at, f"{listed(strangers)} holds no date or timestamp, so nothing tells when")
        return level
    span = Duration(value=level.value, unit=unit)
    if span.unit != "second" and span.value % 1:
        notes.unsupported(at, f"{span.value} {span.unit}s have no fixed length")
        return level
    rule = _rule(level, span, notes.rule_id(name, *level.columns[-1:], level.kind))
    if rule is None:
        return level
    for place in (at, *also):
        notes.enforced(place, f"`sluis test`, rule {rule.id}")
    return replace(level, rule=rule)


def _rule(level: ServiceLevel, span: Duration, name: str) -> Rule | None:
    match level.kind, level.columns:
        case "latency", (source, column):
            return Latency(id=name, path=level.path, within=span, source=source, column=column)
        case "freshness" | "latency", (column,):
            return Freshness(id=name, path=level.path, within=span, column=column)
        case "retention", (column,):
            return Retention(id=name, path=level.path, within=span, column=column)
        case "freshness" | "latency", ():
            return Written(id=name, path=level.path, within=span)
        case "frequency", ():
            # An interval leaves no time for the work itself: a run that takes longer than the last one is late by it.
            return Written(id=name, path=level.path, within=span, severity="warning")
    return None
