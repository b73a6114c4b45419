"""Types as databases write them (`varchar(18)`, `decimal(10,2)`, `array<struct<id:int>>`) → logical types."""

from __future__ import annotations

import re
from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True)
class Physical:
    """What a database's type holds."""

    kind: LogicalType
    """The type."""

    longest: int | None = None
    """Most characters, for text with a limit."""

    is_spark: bool = True
    """Whether Spark has a type of that name."""


def parse(text: str) -> Physical | None:
    """Read a type of Spark, or of another database where its name has one meaning; None for other names."""
    bare = re.sub(r"\s+", " ", text.strip()).lower()
    if len(bare) > _LONGEST:
        return None
    if "<" in bare:
        kind = _nested(text.strip())
        return Physical(kind=kind) if kind else None
    match = _SHAPE.fullmatch(bare)
    if not match:
        return None
    name, numbers = match[1] + (match[4] or ""), [int(number) for number in re.findall("[0-9]+", match[2] or "")]
    if name in DECIMALS:
        return _decimal(name, numbers)
    if name in _TEXTS:
        longest = numbers[0] if numbers and name in _LIMITED else None
        return Physical(kind=String(), longest=longest, is_spark=name in _SPARK)
    kind = _PLAIN.get(name)
    if kind and (match[3] or "").strip() == "unsigned":
        return Physical(kind=_WIDER.get(type(kind), kind), is_spark=False)
    # Of `timestamp(6)` or `int(11)` the number is precision or width of display.
    return Physical(kind=kind, is_spark=name in _SPARK) if kind and len(numbers) < 2 else None


_LONGEST = 10_000

_SHAPE = re.compile(
    r"([a-z][a-z0-9_ ]*?) ?(\( ?[0-9]{1,9}(?: ?, ?[0-9]{1,9})? ?(?:char|byte)? ?\))?( (?:un)?signed)?"
    r"( with(?:out)?(?: local)? time zone)?"
)
"""A name, its numbers, whether it has a sign, and what of zones stands behind the numbers."""

_LIMITED = ("varchar", "char", "character", "character varying", "nvarchar", "nchar", "varchar2", "nvarchar2", "bpchar")
_TEXTS = (*_LIMITED, "string", "text", "ntext", "tinytext", "mediumtext", "longtext", "clob", "nclob", "citext", "uuid")

_SPARK = frozenset({
    "bigint", "binary", "boolean", "byte", "char", "character", "date", "dec", "decimal", "double", "float", "int",
    "integer", "long", "numeric", "real", "short", "smallint", "string", "time", "timestamp", "timestamp_ltz",
    "timestamp_ntz", "tinyint", "varchar", "variant",
})  # fmt: skip

DECIMALS = ("decimal", "numeric", "dec", "number", "bignumeric")
"""Names, in lower case, of types that have digits before and after the point."""

_PLAIN: dict[str, LogicalType] = {
    **dict.fromkeys(("boolean", "bool"), Boolean()),
    **dict.fromkeys(("tinyint", "byte"), Byte()),
    **dict.fromkeys(("smallint", "short", "int2", "smallserial", "int16"), Short()),
    **dict.fromkeys(("int", "integer", "int4", "serial", "mediumint", "int32"), Integer()),
    **dict.fromkeys(("bigint", "long", "int8", "bigserial", "int64"), Long()),
    **dict.fromkeys(("float", "real", "float4", "float32"), Float()),
    **dict.fromkeys(("double", "double precision", "float8", "float64"), Double()),
    "date": Date(),
    **dict.fromkeys(("timestamp_ntz", "timestamp without time zone"), TimestampNtz()),
    **dict.fromkeys(("timestamp", "timestamptz", "timestamp_ltz", "timestamp_tz", "datetimeoffset"), Timestamp()),
    **dict.fromkeys(("timestamp with time zone", "timestamp with local time zone"), Timestamp()),
    **dict.fromkeys(("datetime", "datetime2", "smalldatetime"), TimestampNtz()),
    **dict.fromkeys(("time", "time without time zone"), Time()),
    **dict.fromkeys(("binary", "bytes", "bytea", "blob", "varbinary"), Binary()),
    **dict.fromkeys(("json", "jsonb", "variant"), Json()),
}
"""Name in lower case → type. `float` is Spark's, of 32 bits."""


_WIDER: dict[type[LogicalType], LogicalType] = {
    Byte: Short(),
    Short: Integer(),
    Integer: Long(),
    Long: DecimalType(precision=20, scale=0),
}
"""Type → the one that holds it without a sign."""

_DIGITS = 38
"""The most that a decimal of Spark has."""


def _decimal(name: str, numbers: list[int]) -> Physical | None:
    if not numbers and name not in ("decimal", "dec"):
        # How many digits a bare `numeric` or `number` has differs between databases.
        return None
    # Spark reads a bare `decimal` as (10,0).
    precision, scale = (*numbers, *(10, 0)[len(numbers) :])
    if not (1 <= precision <= _DIGITS and scale <= precision):
        return None
    return Physical(kind=DecimalType(precision=precision, scale=scale), is_spark=name in _SPARK)


def _nested(text: str) -> LogicalType | None:
    """`array<…>`, `map<…,…>` and `struct<…>` as Spark writes them."""
    match = re.fullmatch(r"(array|map|struct)\s*<(.*)>", text.strip(), re.IGNORECASE | re.DOTALL)
    if not match:
        plain = parse(text) if "<" not in text else None
        return plain.kind if plain else None
    kind, parts = match[1].lower(), _split(match[2])
    if kind == "struct":
        return _struct(parts)
    kinds = [_nested(part) for part in parts]
    if kind == "array" and len(kinds) == 1 and kinds[0]:
        return Array(items=kinds[0])
    if kind == "map" and len(kinds) == 2 and kinds[0] and kinds[1]:
        return Map(keys=kinds[0], values=kinds[1])
    return None


def _struct(parts: list[str]) -> Object | None:
    fields = []
    for part in parts:
        match = re.fullmatch(r"\s*(`(?:[^`]|``)+`|\w+)\s*:?\s*(.+)", part, re.DOTALL)
        kind = _nested(match[2]) if match else None
        if match is None or kind is None:
            return None
        name = match[1][1:-1].replace("``", "`") if match[1].startswith("`") else match[1]
        fields.append(Field(name=name, type=kind))
    return Object(fields=tuple(fields)) if len({field.name.lower() for field in fields}) == len(fields) else None


def _split(text: str) -> list[str]:
    """The parts between the commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "<(") - (char in ">)")
        if char == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]
