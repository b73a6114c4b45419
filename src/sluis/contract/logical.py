"""What the text of a column means: logical types, and nothing about how they are checked (that is `lexical`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class LogicalType:
    """What the text of a column means."""

    name: ClassVar[str]


@dataclass(frozen=True, kw_only=True)
class String(LogicalType):
    """Any text, kept byte for byte."""

    name = "string"


@dataclass(frozen=True, kw_only=True)
class Integer(LogicalType):
    """A whole number of 32 bits."""

    name = "integer"


@dataclass(frozen=True, kw_only=True)
class Long(LogicalType):
    """A whole number of 64 bits."""

    name = "long"


@dataclass(frozen=True, kw_only=True)
class Double(LogicalType):
    """A finite binary floating-point number of 64 bits."""

    name = "double"


@dataclass(frozen=True, kw_only=True)
class Boolean(LogicalType):
    """True or false."""

    name = "boolean"


@dataclass(frozen=True, kw_only=True)
class Date(LogicalType):
    """A calendar day."""

    name = "date"

    format: str | None = None
    """The contract's own pattern (Spark's datetime patterns); None for `yyyy-[M]M-[d]d`."""


@dataclass(frozen=True, kw_only=True)
class Timestamp(LogicalType):
    """A moment."""

    name = "timestamp"

    format: str | None = None
    """The contract's own pattern (Spark's datetime patterns); None for ISO 8601."""

    zone: str = "UTC"
    """The zone of text that names none (an IANA name or an offset)."""


@dataclass(frozen=True, kw_only=True)
class Byte(LogicalType):
    """A whole number of 8 bits."""

    name = "byte"


@dataclass(frozen=True, kw_only=True)
class Short(LogicalType):
    """A whole number of 16 bits."""

    name = "short"


@dataclass(frozen=True, kw_only=True)
class DecimalType(LogicalType):
    """An exact number of so many digits, never rounded."""

    name = "decimal"

    precision: int = 38
    """Digits in all, 1 to 38."""

    scale: int = 18
    """Digits after the point, 0 to `precision`."""


@dataclass(frozen=True, kw_only=True)
class Float(LogicalType):
    """A finite binary floating-point number of 32 bits."""

    name = "float"


@dataclass(frozen=True, kw_only=True)
class TimestampNtz(LogicalType):
    """A date and a time of day, without a zone."""

    name = "timestamp_ntz"

    format: str | None = None
    """The contract's own pattern (Spark's datetime patterns); None for ISO 8601 without a zone."""


@dataclass(frozen=True, kw_only=True)
class Time(LogicalType):
    """A time of day."""

    name = "time"

    format: str | None = None
    """The contract's own pattern (Spark's datetime patterns); None for `HH:mm[:ss[.ffffff]]`."""


@dataclass(frozen=True, kw_only=True)
class Binary(LogicalType):
    """Bytes, written as base64 (RFC 4648)."""

    name = "binary"


@dataclass(frozen=True, kw_only=True)
class Json(LogicalType):
    """Any JSON value, kept as its text."""

    name = "json"

    is_object: bool = False
    """Whether it is an object, of whatever parts."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """A part of an object."""

    name: str
    """Its key, exactly."""

    type: LogicalType
    """What it means."""

    required: bool = False
    """Whether it must be there and not be null."""

    description: str | None = None
    """What it holds, in the owner's words."""


@dataclass(frozen=True, kw_only=True)
class Object(LogicalType):
    """A JSON object with these fields and no others."""

    name = "object"

    fields: tuple[Field, ...]
    """Its fields, in the order of the document and of the table's struct."""


@dataclass(frozen=True, kw_only=True)
class Array(LogicalType):
    """A JSON list of items of one type."""

    name = "array"

    items: LogicalType
    """What each item is."""


@dataclass(frozen=True, kw_only=True)
class Map(LogicalType):
    """A JSON object whose keys are data."""

    name = "map"

    keys: LogicalType
    """What each key is."""

    values: LogicalType
    """What each value is."""


def fields_of(kind: LogicalType) -> Iterator[Field]:
    """Every field of an object, and of what is in a type."""
    parts: tuple[LogicalType, ...] = ()
    if isinstance(kind, Object):
        yield from kind.fields
        parts = tuple(field.type for field in kind.fields)
    elif isinstance(kind, Array):
        parts = (kind.items,)
    elif isinstance(kind, Map):
        parts = (kind.keys, kind.values)
    for part in parts:
        yield from fields_of(part)


NUMBERS = (Byte, Short, Integer, Long, DecimalType, Float, Double)
"""Types whose values are numbers."""


def at(kind: LogicalType, path: tuple[str, ...]) -> LogicalType:
    """The type of what stands at a path inside of a type (`ColumnRule.inner`).

    Raises:
        KeyError: the type has no such part.
    """
    for step in path:
        if isinstance(kind, Object):
            kind = {field.name: field.type for field in kind.fields}[step]
        else:
            parts = {Array: {"[]": "items"}, Map: {"{}": "values", "{k}": "keys"}}.get(type(kind), {})
            kind = getattr(kind, parts[step])
    return kind
