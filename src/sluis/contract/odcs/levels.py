"""Service levels of an ODCS document (`slaProperties`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from sluis.contract import durations
from sluis.contract.dcs.levels import KEPT
from sluis.contract.document import Document, Parts, json_path, listed, shown_value
from sluis.contract.durations import DurationError
from sluis.contract.levels import judged
from sluis.contract.logical import LogicalType
from sluis.contract.model import ServiceLevel
from sluis.contract.notes import Notes
from sluis.contract.odcs.element import Element
from sluis.contract.stated import decimal

_NAMES = {
    "av": "availability",
    "th": "throughput",
    "er": "errorRate",
    "ga": "generalAvailability",
    "es": "endOfSupport",
    "el": "endOfLife",
    "re": "retention",
    "fy": "frequency",
    "ly": "latency",
    "td": "timeToDetect",
    "tn": "timeToNotify",
    "tr": "timeToRepair",
    "fr": "freshness",
    "ta": "timeOfAvailability",
}
"""Short name of a service level → its long one."""

_SPANS = frozenset(
    {
        *("retention", "frequency", "latency", "freshness", "timeToDetect", "timeToNotify", "timeToRepair"),
        *("backup", "recoveryPoint", "recoveryTime", "responseTime"),
    }
)
"""Those that are a length of time; the second line has what `sluis convert` takes from the DCS."""

_SHARES = frozenset({"availability", "errorRate"})

_EACH = frozenset({"freshness", "retention"})
"""Those that are promised of each column that they name."""

_INFORMS = (
    *("authoritativeDefinitions", "customProperties", "description", "driver", "id", "schedule", "scheduler"),
    "valueExt",
)


def levels(
    document: Document,
    object_name: str,
    objects: Sequence[Element],
    types: Mapping[str, LogicalType],
    notes: Notes,
) -> Iterator[ServiceLevel]:
    """The service levels of one object.

    Args:
        document: The document.
        object_name: The object; what is promised of others is left out.
        objects: Every object of the document with its columns.
        types: The object's columns, by their names in file and table, with what they hold.
        notes: Takes claims and problems.
    """
    default = next((key for key in ("slaDefaultElement", "slaDefaultColumn") if key in document), None)
    shared: list[tuple[str, str | None]] = []
    if default is not None:
        notes.documentation((default,), KEPT)
        shared = list(_elements(str(document[default]), (default,), objects, notes))
    stated = document.get("slaProperties")
    if stated is None:
        return
    notes.parts(("slaProperties",))
    for index, raw in enumerate(stated if isinstance(stated, list) else ()):
        if isinstance(raw, Mapping):
            at = ("slaProperties", index)
            found = [
                _judged(level, object_name, types, at, notes)
                for level in _level(raw, at, object_name, objects, shared, notes)
            ]
            if ids := [level.rule.id for level in found if level.rule is not None]:
                notes.enforced(at, f"`sluis test`, rule {', '.join(ids)}")
                notes.informs(at, raw, _INFORMS)
            yield from found


def _judged(level: ServiceLevel, name: str, types: Mapping[str, LogicalType], at: Parts, notes: Notes) -> ServiceLevel:
    if len(level.columns) < 2:
        return judged(level, name, types, at, notes)
    if level.kind == "latency":
        notes.unsupported(at, "of several columns the standard does not say what each of them tells")
    return level


def _level(
    raw: Mapping[str, Any],
    at: Parts,
    object_name: str,
    objects: Sequence[Element],
    shared: list[tuple[str, str | None]],
    notes: Notes,
) -> Iterator[ServiceLevel]:
    notes.documentation(at, KEPT)
    key = "element" if "element" in raw else "column"
    named = list(_elements(str(raw[key]), (*at, key), objects, notes)) if key in raw else shared
    mine = [column for owner, column in named if owner == object_name]
    if named and not mine:
        notes.documentation(at, f"promised of {listed(dict.fromkeys(owner for owner, _ in named))}")
        return
    stated = str(raw.get("property"))
    known = {name.lower(): name for name in (*_NAMES.values(), *_SPANS)}
    kind = _NAMES.get(stated.lower(), known.get(stated.lower(), stated))
    value, unit = _value(kind, raw, at, notes)
    is_told = value is None and unit is None and raw.get("value") is not None
    columns = tuple(column for column in mine if column is not None)
    for measured in [(column,) for column in columns] if kind in _EACH and columns else [columns]:
        yield ServiceLevel(
            kind=kind,
            value=value,
            unit=unit,
            told=_text(raw["value"]) if is_told else None,
            columns=measured,
            path=json_path(at),
            description=raw.get("description") if isinstance(raw.get("description"), str) else None,
        )


def _value(kind: str, raw: Mapping[str, Any], at: Parts, notes: Notes) -> tuple[Decimal | None, str | None]:
    """What is promised, as a number and its unit; None where it is told in words only."""
    stated, unit = raw.get("value"), raw.get("unit")
    number = decimal(stated)
    if kind in _SPANS and str(stated).strip().lower() == durations.UNLIMITED:
        return None, durations.UNLIMITED
    if kind in _SPANS:
        try:
            if number is not None and unit is not None:
                span = durations.of(number, _text(unit))
            else:
                span = durations.parse(_text(stated))
        except DurationError as error:
            notes.unsupported(at, str(error))
            return None, None
        return span.value, span.unit
    if kind in _SHARES:
        share = decimal(str(stated).removesuffix("%").strip())
        is_share = str(stated).endswith("%") or str(unit or "%").lower() in ("%", "percent")
        return (share, "percent") if is_share and share is not None else (number, None)
    return (number, _text(unit) if unit is not None else None) if number is not None else (None, None)


def _text(value: Any) -> str:
    """A value as its document has it."""
    return value if isinstance(value, str) else shown_value(value)


def _elements(text: str, at: Parts, objects: Sequence[Element], notes: Notes) -> Iterator[tuple[str, str | None]]:
    """Object and column that each element of a list names; a problem for those that are not there."""
    for part in (part.strip() for part in text.split(",")):
        owner, _, column = part.partition(".")
        found = _owner(owner, objects)
        if found is not None and not column:
            yield found, None
        elif found is not None and (name := _column(column, found, objects)):
            yield found, name
        else:
            yield from _elsewhere(part, column or owner, at, objects, notes)


def _elsewhere(
    part: str, column: str, at: Parts, objects: Sequence[Element], notes: Notes
) -> Iterator[tuple[str, str | None]]:
    """What is meant by an element that names no object that is there: the columns of that name.

    A name without its object is of each object that has it; with an object that is missing, only if one has it.
    """
    found = [(owner, of) for owner in map(_name, objects) if (of := _column(column, owner, objects))]
    if len(found) == 1 or (found and column == part):
        notes.odd(at, f"`{part}` is read as {listed(f'{owner}.{of}' for owner, of in found)}")
        yield from found
    else:
        notes.problem(at, f"`{part}` is neither an object nor a column of one", listed(map(_name, objects)))


def _name(of: Element) -> str:
    return str(of.values["name"])


def _owner(name: str, objects: Sequence[Element]) -> str | None:
    for of in objects:
        if name in (of.values["name"], of.values.get("physicalName"), of.values.get("id")):
            return str(of.values["name"])
    return None


def _column(name: str, owner: str, objects: Sequence[Element]) -> str | None:
    """The file's name of a column."""
    for of in objects:
        for raw in of.list("properties") if of.values["name"] == owner else ():
            known = (raw.get("name"), raw.get("column"), raw.get("physicalName")) if isinstance(raw, Mapping) else ()
            if name in known:
                return str(raw.get("physicalName") or raw.get("name") or raw.get("column"))
    return None
