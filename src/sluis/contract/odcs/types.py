"""The types of ODCS → logical types: `logicalType` with its options, and `physicalType` where that says more."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sluis.contract import datetimes, physical
from sluis.contract.demands import NUMBERS, TIMES
from sluis.contract.logical import (
    Array,
    Binary,
    Boolean,
    Byte,
    Date,
    DecimalType,
    Double,
    Field,
    Float,
    Integer,
    Json,
    LogicalType,
    Long,
    Map,
    Object,
    Short,
    String,
    Time,
    Timestamp,
    TimestampNtz,
)
from sluis.contract.notes import Notes
from sluis.contract.odcs import table_types
from sluis.contract.odcs.element import Element, element, options

INTEGERS: dict[str, LogicalType] = {
    **dict(zip(("i8", "i16", "i32", "i64"), (Byte(), Short(), Integer(), Long()), strict=True)),
    **dict(zip(("u8", "u16", "u32"), (Short(), Integer(), Long()), strict=True)),
    "u64": DecimalType(precision=20, scale=0),
    **dict.fromkeys(("i128", "u128"), DecimalType(precision=38, scale=0)),
}
"""Format of an integer → the narrowest type that holds it (128 bits need 39 digits; Spark has 38)."""

_FLOATS: dict[str, LogicalType] = {"f32": Float(), "f64": Double()}


def logical(of: Element, notes: Notes, held: LogicalType | None = None) -> LogicalType:
    """What a property, or a part of one, holds; its types, and the formats that belong to them, are claimed.

    Where both types are given, the physical one says how the table holds it and wins, unless it is text where the
    logical type demands more.

    Args:
        of: The property.
        notes: Takes claims and problems.
        held: What the physical type of that which it is part of says of it.
    """
    stated = of.text("logicalType")
    found = table_types.found(of, notes) or (physical.Physical(kind=held) if held else None)
    if stated and stated not in _LOGICAL and found is None:
        # Physical names stand in `logicalType` too; the schema's reader noted that.
        found = physical.parse(stated)
    kind = _LOGICAL[stated](of, found, notes) if stated in _LOGICAL else _physical(of, found, notes)
    table_types.claim(of, kind, found, notes)
    return kind


def _physical(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    """A property without a logical type."""
    if found is not None:
        return found.kind
    if table_types.is_bare_decimal(of.text("physicalType") or of.text("logicalType")):
        # A number, of whose digits databases say different things.
        return Double()
    if of.list("properties"):
        return _object(of, found, notes)
    if "items" in of.values:
        return _array(of, found, notes)
    if "physicalType" in of.values or "logicalType" in of.values:
        notes.notice(f"{notes.source.shown}: types that Sluis does not know are read as text.")
    return String()


def _string(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    # Text is bytes only where the document says how they are written.
    is_text = found and isinstance(found.kind, Binary) and options(of, notes).text("format") != "byte"
    return found.kind if found and found.is_spark and not is_text else String()


def _integer(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    if found and isinstance(found.kind, NUMBERS):
        return found.kind
    form = options(of, notes).text("format")
    return INTEGERS.get(form or "", Long())


def _number(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    if found and isinstance(found.kind, NUMBERS):
        return found.kind
    return _FLOATS.get(options(of, notes).text("format") or "", Double())


def _date(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    # ODCS 3.0 had no other type for what has a time of day, so physical type and format tell.
    kind: LogicalType = found.kind if found and isinstance(found.kind, TIMES) else Date()
    form = options(of, notes).text("format")
    has_clock = form and (datetimes.fault(form, clock=True) is None or (datetimes.is_iso(form) and "T" in form))
    if has_clock and isinstance(kind, Date):
        kind = Timestamp()
    if form and isinstance(kind, Timestamp | TimestampNtz) and datetimes.fault(form, clock=False) is None:
        kind = Date()
    return _timed(kind, of, notes)


def _timestamp(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    chosen = options(of, notes)
    is_naive = chosen.values.get("timezone") is False and "defaultTimezone" not in chosen.values
    kind: LogicalType = TimestampNtz() if is_naive else Timestamp()
    if found and found.is_spark and isinstance(found.kind, TIMES):
        kind = found.kind
    return _timed(kind, of, notes)


def _time(of: Element, _: physical.Physical | None, notes: Notes) -> LogicalType:
    return _timed(Time(), of, notes)


_ISO_NAMES: dict[type[LogicalType], str] = {Date: "date", Timestamp: "date-time", Time: "time"}
"""What JSON Schema calls the form of ISO 8601, which is no pattern of the JDK."""


def _timed(kind: LogicalType, of: Element, notes: Notes) -> LogicalType:
    """A date or time with the contract's own pattern and zone."""
    chosen = options(of, notes)
    zone = _zone(chosen, kind, notes)
    form = chosen.text("format")
    is_named = form is not None and form == _ISO_NAMES.get(type(kind))
    if form is not None and (is_named or (datetimes.is_iso(form) and not isinstance(kind, Time))):
        notes.enforced(chosen.places["format"], "by the column's type")
        notes.odd(chosen.places["format"], "read as ISO 8601")
        form = None
    if form is not None:
        at = chosen.places["format"]
        clock, day = not isinstance(kind, Date), not isinstance(kind, Time)
        zoned = isinstance(kind, Timestamp)
        if reason := datetimes.fault(form, clock=clock, day=day, zone=zoned, default=zone):
            notes.problem(at, f"`{form}`: {reason}")
        notes.enforced(at, "by the column's type")
    if isinstance(kind, Timestamp):
        return Timestamp(format=form, zone=zone)
    return type(kind)(format=form) if isinstance(kind, TIMES) else kind


def _zone(chosen: Element, kind: LogicalType, notes: Notes) -> str:
    stated = chosen.text("defaultTimezone")
    for key in ("timezone", "defaultTimezone"):
        if key in chosen.places and isinstance(kind, Timestamp):
            notes.enforced(chosen.places[key], "by the column's type")
        elif key in chosen.places and (chosen.values[key] is False or isinstance(kind, TimestampNtz)):
            notes.documentation(chosen.places[key], "its values have no zone")
        elif key in chosen.places:
            notes.unsupported(chosen.places[key], f"a {kind.name} has no zone")
    if stated is None or not isinstance(kind, Timestamp):
        return "UTC"
    if not _is_zone(stated):
        notes.problem(chosen.places["defaultTimezone"], f"`{stated}` is no time zone", "a name such as `Europe/Berlin`")
    return "UTC" if stated in ("Etc/UTC", "Z", "GMT") else stated


def _is_zone(name: str) -> bool:
    try:
        return bool(ZoneInfo(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def _boolean(_: Element, __: physical.Physical | None, ___: Notes) -> LogicalType:
    return Boolean()


def _object(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    parts = [part for part in properties(of, notes) if part.text("name")]
    if not parts:
        # The standard does not ask for properties: then any object is one.
        is_said = found and (isinstance(found.kind, Object | Map) or (found.is_spark and isinstance(found.kind, Json)))
        return found.kind if found and is_said else Json(is_object=True)
    needed = options(of, notes).list("required")
    held = {field.name: field.type for field in found.kind.fields} if found and isinstance(found.kind, Object) else {}
    return Object(
        fields=tuple(
            Field(
                name=column_name(part),
                type=logical(part, notes, held.get(column_name(part))),
                required=part.is_true("required") or part.values["name"] in needed,
                description=part.text("description"),
            )
            for part in parts
        )
    )


def _array(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    held = found.kind.items if found and isinstance(found.kind, Array) else None
    if "items" in of.values:
        return Array(items=logical(element(of.values["items"], of.places["items"], notes), notes, held))
    return Array(items=held or Json())


_ELEMENTS: dict[str, LogicalType] = {
    **dict.fromkeys(("bfloat16", "float16", "float32"), Float()),
    "float64": Double(),
    **dict.fromkeys(("binary", "int8"), Byte()),
    "uint8": Short(),
}
"""Type of a vector's elements → the narrowest type that holds them."""


def _vector(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    chosen = options(of, notes)
    if "elementType" in chosen.values:
        notes.enforced(chosen.places["elementType"], "by the column's type")
    stated = _ELEMENTS.get(chosen.text("elementType") or "", Float())
    return Array(items=found.kind.items if found and isinstance(found.kind, Array) else stated)


def _map(of: Element, found: physical.Physical | None, notes: Notes) -> LogicalType:
    stated = element(of.values.get("map"), of.places.get("map", of.at), notes)
    held = found.kind if found and isinstance(found.kind, Map) else None
    if {"key", "value"} <= set(stated.values):
        keys, values = (
            logical(element(stated.values[key], stated.places[key], notes), notes, part)
            for key, part in (("key", held and held.keys), ("value", held and held.values))
        )
        if not isinstance(keys, Object | Array | Map | Json):
            return Map(keys=keys, values=values)
        notes.unsupported(stated.places["key"], f"the keys of a JSON object are text, and no {keys.name}")
        return Json(is_object=True)
    return held or Json(is_object=True)


_LOGICAL: dict[str, Callable[[Element, physical.Physical | None, Notes], LogicalType]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "date": _date,
    "timestamp": _timestamp,
    "time": _time,
    "boolean": _boolean,
    "object": _object,
    "array": _array,
    "map": _map,
    "vector": _vector,
}
"""Logical type of ODCS → what it is here."""


def properties(of: Element, notes: Notes) -> list[Element]:
    """The properties of an object."""
    at = of.places.get("properties", of.at)
    return [element(raw, (*at, index), notes) for index, raw in enumerate(of.list("properties"))]


def column_name(of: Element) -> str:
    """What file and table call a property."""
    return of.text("physicalName") or of.text("name") or ""
