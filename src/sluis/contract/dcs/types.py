"""The types of DCS → logical types."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sluis.contract import datetimes, physical
from sluis.contract.dcs.fields import Field as DcsField
from sluis.contract.dcs.names import PLAIN
from sluis.contract.demands import BITS, NUMBERS, TIMES
from sluis.contract.document import Parts, shown_value
from sluis.contract.logical import (
    Array,
    Date,
    DecimalType,
    Field,
    Json,
    LogicalType,
    Map,
    Object,
    String,
    Time,
)
from sluis.contract.notes import Notes
from sluis.contract.physical import Physical

_DECIMAL = ("decimal", "number", "numeric")
_OBJECT = ("object", "record", "struct")
_PARTS = {"array": "items", "map": "values"}


def logical(field: DcsField, notes: Notes) -> LogicalType:
    """What a field holds; what refines its type is claimed."""
    kind = _stated(field, notes)
    _claim_config(field, notes)
    found = _written(field)
    if found is None:
        return kind
    if _refines(found.kind, kind):
        notes.enforced(written_at(field), "by the column's type")
        return found.kind
    same = found.kind == kind
    claim = notes.enforced if same else notes.unsupported
    claim(written_at(field), "by the column's type" if same else f"`type` reads it as {kind.name}")
    return kind


def written_at(field: DcsField) -> Parts:
    """Where a field's type in Databricks stands."""
    at = field.places["config"]
    return (*at, _DATABRICKS) if at[-1] == "config" else at


def longest(field: DcsField) -> int | None:
    """The most characters that the column's type in Databricks takes."""
    found = _written(field)
    return found.longest if found else None


def own_longest(field: DcsField) -> int | None:
    """The most characters that a field's `type` takes, where that is a name of databases."""
    stated = field.values.get("type")
    found = physical.parse(stated) if isinstance(stated, str) else None
    return found.longest if found else None


_DATABRICKS = "databricksType"


def _written(field: DcsField) -> Physical | None:
    """The column's type in Databricks, where the field states one that can be read."""
    config = field.values.get("config")
    stated = config.get(_DATABRICKS) if isinstance(config, Mapping) else None
    return physical.parse(stated) if isinstance(stated, str) else None


def _claim_config(field: DcsField, notes: Notes) -> None:
    config = field.values.get("config")
    if isinstance(config, Mapping):
        notes.documentation(field.places["config"], "for other systems")


def _refines(written: LogicalType, kind: LogicalType) -> bool:
    """Whether a type of the table says more exactly what a type of the contract holds."""
    if isinstance(kind, tuple(BITS)):
        return isinstance(written, tuple(BITS)) or (isinstance(written, DecimalType) and written.scale == 0)
    if isinstance(kind, NUMBERS):
        return isinstance(written, NUMBERS)
    if isinstance(kind, String):
        return not isinstance(written, String | Array | Map | Object)
    return isinstance(kind, TIMES) and kind.format is None and isinstance(written, TIMES)


def _stated(field: DcsField, notes: Notes) -> LogicalType:
    name = field.values.get("type") or _evident(field)
    if name in _DECIMAL:
        return _decimal(field, notes)
    if name in _OBJECT:
        return _object(field, notes)
    if name == "array":
        return Array(items=_part(field, "items", notes))
    if name == "map":
        return Map(keys=_part(field, "keys", notes, String()), values=_part(field, "values", notes))
    if name == "null":
        notes.unsupported(field.places["type"], "a column that is always NULL is read as text")
        return String()
    if name not in PLAIN and (found := physical.parse(name)):
        # A name of databases, which the document's reader warned of.
        return found.kind
    return _timed(PLAIN[name], field, notes)


def _evident(field: DcsField) -> str:
    """The type of a field that states none, which the standard allows: what it consists of, else any text."""
    return "object" if field.fields else next((name for name, part in _PARTS.items() if part in field.parts), "string")


def _decimal(field: DcsField, notes: Notes) -> LogicalType:
    # 38 and 0 are the standard's defaults, so a bare `number` takes no fraction.
    precision = _whole(field, "precision", 38, range(1, 39), notes)
    scale = _whole(field, "scale", 0, range(precision + 1), notes)
    return DecimalType(precision=precision, scale=scale)


def _whole(field: DcsField, key: str, default: int, allowed: range, notes: Notes) -> int:
    value = field.values.get(key, default)
    if key in field.values:
        notes.enforced(field.places[key], "by the column's type")
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value not in allowed:
        notes.problem(
            field.places[key], f"found {shown_value(value)}", f"a whole number from {allowed[0]} to {allowed[-1]}"
        )
        return default
    return int(value)


def _object(field: DcsField, notes: Notes) -> LogicalType:
    if not field.fields:
        # The standard does not ask for fields: then any object is one.
        return Json(is_object=True)
    return Object(
        fields=tuple(
            Field(
                name=name,
                type=logical(inner, notes),
                required=inner.values.get("required") is True,
                description=inner.values.get("description"),
            )
            for name, inner in field.fields.items()
        )
    )


def _part(field: DcsField, key: str, notes: Notes, default: LogicalType | None = None) -> LogicalType:
    """What the items, keys or values are; any JSON where the document does not say."""
    return logical(field.parts[key], notes) if key in field.parts else default or Json()


def _timed(kind: LogicalType, field: DcsField, notes: Notes) -> LogicalType:
    """A date or time in the contract's own pattern, if it has one: the standard has `format` for text only."""
    pattern: Any = field.values.get("format")
    if not isinstance(kind, TIMES) or pattern is None:
        return kind
    at = field.places["format"]
    if isinstance(kind, Time) or datetimes.fault(pattern, clock=not isinstance(kind, Date)):
        notes.unsupported(at, "the standard has formats for text only")
        return kind
    notes.enforced(at, "by the column's type")
    notes.odd(at, "the standard has formats for text only; read as a pattern of dates")
    return type(kind)(format=pattern)
