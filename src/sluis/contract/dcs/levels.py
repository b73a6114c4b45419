"""Service levels of a DCS document (`servicelevels`, since 0.9.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sluis.contract import durations
from sluis.contract.document import json_path, listed
from sluis.contract.durations import DurationError
from sluis.contract.levels import judged
from sluis.contract.logical import LogicalType
from sluis.contract.model import ServiceLevel
from sluis.contract.notes import Notes

KEPT = "a service level of the table, by which no file is judged"


@dataclass(frozen=True, kw_only=True)
class _Promise:
    """One number of a service level."""

    kind: str
    """What the model calls it."""

    key: str
    """The key that states it."""

    columns: tuple[str, ...] = ()
    """Keys that name the columns it is measured on."""


_PROMISES: dict[str, tuple[_Promise, ...]] = {
    "availability": (_Promise(kind="availability", key="percentage"),),
    "retention": (_Promise(kind="retention", key="period", columns=("timestampField",)),),
    "latency": (
        _Promise(kind="latency", key="threshold", columns=("sourceTimestampField", "processedTimestampField")),
    ),
    "freshness": (_Promise(kind="freshness", key="threshold", columns=("timestampField",)),),
    "frequency": (_Promise(kind="frequency", key="interval"),),
    "support": (_Promise(kind="responseTime", key="responseTime"),),
    "backup": (
        _Promise(kind="backup", key="interval"),
        _Promise(kind="recoveryTime", key="recoveryTime"),
        _Promise(kind="recoveryPoint", key="recoveryPoint"),
    ),
}

_WORDS = {"description", "unlimited", "type", "cron", "time"}
"""Keys of service levels that state no number."""


def levels(
    raw: Mapping[str, Any], model: str, types: Mapping[str, LogicalType], notes: Notes
) -> Iterator[ServiceLevel]:
    """The service levels of one model.

    Args:
        raw: The document's `servicelevels`.
        model: The model; levels measured on the columns of another are left out.
        types: Its columns, with what they hold.
        notes: Takes claims and problems.
    """
    notes.parts(("servicelevels",))
    for name, level in raw.items():
        if name not in _PROMISES or not isinstance(level, Mapping):
            continue
        notes.parts(("servicelevels", name))
        notes.informs(("servicelevels", name), level, _WORDS)
        for key in (key for promise in _PROMISES[name] for key in promise.columns if key in level):
            notes.documentation(("servicelevels", name, key), KEPT)
        stated = [promise for promise in _PROMISES[name] if promise.key in level]
        for promise in stated:
            found = _level(name, level, promise, model, types, notes)
            if found is not None:
                yield found
        if not stated:
            path = json_path(("servicelevels", name))
            unit = durations.UNLIMITED if level.get("unlimited") is True else None
            yield ServiceLevel(kind=name, unit=unit, path=path, description=level.get("description"))


def _level(
    name: str, level: Mapping[str, Any], promise: _Promise, model: str, types: Mapping[str, LogicalType], notes: Notes
) -> ServiceLevel | None:
    at = ("servicelevels", name)
    mine: list[str] = []
    for key in promise.columns:
        if key in level:
            owner, dot, column = level[key].partition(".")
            if not dot:
                owner, column = model, owner
            if owner != model:
                notes.documentation((*at, promise.key), f"measured on the model `{owner}`")
                return None
            if column not in types:
                notes.problem((*at, key), f"`{level[key]}` is not a field of `{model}`", listed(types))
            mine.append(column)
    value, unit = _value(level[promise.key], (*at, promise.key), notes)
    found = ServiceLevel(
        kind=promise.kind,
        value=value,
        unit=unit,
        columns=tuple(mine),
        path=json_path((*at, promise.key)),
        description=level.get("description"),
    )
    named = [(*at, key) for key in promise.columns if key in level]
    return judged(found, model, types, (*at, promise.key), notes, also=named)


def _value(text: str, at: tuple[str, ...], notes: Notes) -> tuple[Decimal | None, str | None]:
    """What is promised, as a number and its unit; None where it cannot be read."""
    if text.endswith("%"):
        # The schema holds it to digits.
        notes.documentation(at, KEPT)
        return Decimal(text[:-1]), "percent"
    try:
        span = durations.parse(text)
    except DurationError as error:
        notes.unsupported(at, str(error))
        return None, None
    notes.documentation(at, KEPT)
    return span.value, span.unit
