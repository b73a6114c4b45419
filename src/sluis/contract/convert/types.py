"""Logical types → the keys by which ODCS 3.2 says them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sluis.contract.document import Document
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


def type_keys(logical: LogicalType) -> Document:
    """The keys of a property that say what it holds, nested ones included."""
    return _TYPES[type(logical)](logical)


def _whole(form: str) -> Callable[[Any], Document]:
    return lambda _: {"logicalType": "integer", "logicalTypeOptions": {"format": form}}


def _number(form: str) -> Callable[[Any], Document]:
    return lambda _: {"logicalType": "number", "logicalTypeOptions": {"format": form}}


def _decimal(logical: DecimalType) -> Document:
    return {"logicalType": "number", "physicalType": f"decimal({logical.precision},{logical.scale})"}


def _timed(name: str, logical: Date | Time | Timestamp | TimestampNtz, **options: Any) -> Document:
    told = {"format": logical.format} if logical.format else {}
    told |= options
    return {"logicalType": name, **({"logicalTypeOptions": told} if told else {})}


def _timestamp(logical: Timestamp) -> Document:
    return _timed(
        "timestamp", logical, timezone=True, defaultTimezone="Etc/UTC" if logical.zone == "UTC" else logical.zone
    )


def _json(logical: Json) -> Document:
    # Any JSON value is a type of tables alone.
    return {"logicalType": "object", **({} if logical.is_object else {"physicalType": "variant"})}


def _object(logical: Object) -> Document:
    return {"logicalType": "object", "properties": [_field(field) for field in logical.fields]}


def _field(field: Field) -> Document:
    said: Document = {"name": field.name, **type_keys(field.type)}
    if field.required:
        said["required"] = True
    if field.description is not None:
        said["description"] = field.description
    return said


def _map(logical: Map) -> Document:
    return {"logicalType": "map", "map": {"key": type_keys(logical.keys), "value": type_keys(logical.values)}}


_TYPES: dict[type[LogicalType], Callable[[Any], Document]] = {
    String: lambda _: {"logicalType": "string"},
    Byte: _whole("i8"),
    Short: _whole("i16"),
    Integer: _whole("i32"),
    Long: _whole("i64"),
    DecimalType: _decimal,
    Float: _number("f32"),
    Double: _number("f64"),
    Boolean: lambda _: {"logicalType": "boolean"},
    Date: lambda logical: _timed("date", logical),
    Timestamp: _timestamp,
    TimestampNtz: lambda logical: _timed("timestamp", logical, timezone=False),
    Time: lambda logical: _timed("time", logical),
    # The standard has no logical type for bytes.
    Binary: lambda _: {"logicalType": "string", "physicalType": "binary", "logicalTypeOptions": {"format": "byte"}},
    Json: _json,
    Object: _object,
    Array: lambda logical: {"logicalType": "array", "items": type_keys(logical.items)},
    Map: _map,
}
"""Type → its keys. A test walks every logical type."""
