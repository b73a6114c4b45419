"""ONE table: logical type → Spark type, accepted text, typed value. The check and the cast both come from here.

Every function returns Spark SQL text, built once in Python: a plan made from one SQL string costs one call to the
JVM where the same plan made from column functions costs dozens. Text that `accepted` takes never casts to NULL and
never changes meaning; what `cast` writes is what `value` was judged on (property-tested).

The expressions assume a session in ANSI mode whose time zone is UTC (`sluis.settings.settled`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sluis.contract.model import (
    Boolean,
    Column,
    Date,
    Double,
    Integer,
    LogicalType,
    Long,
    Scalar,
    String,
    Timestamp,
)
from sluis.contract.names import RESERVED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Observation

HASH = f"{RESERVED}_hash"
"""The column that holds `row_hash` while a frame is read."""

WHITESPACE = "".join(
    chr(code)
    for code in (
        *range(9, 14),
        0x20,
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    )
)
"""Unicode's White_Space property: text made of these alone is blank."""


@dataclass(frozen=True, kw_only=True)
class Lexis:
    """How one logical type is written, checked and cast."""

    spark: str
    """Spark's name of the type."""

    value: Callable[[LogicalType, str], str]
    """SQL of the typed value of a text column; NULL where it cannot be cast."""

    shape: str | None
    """A Java regular expression that fences off what Spark's cast takes and the type does not; None: nothing."""

    canonical: bool = False
    """Whether most text equals its value cast back to text; that comparison is cheaper than the regular expression."""

    cast: Callable[[LogicalType, str], str]
    """SQL of the ANSI cast of text that is not blank; raises where `value` is NULL."""

    guard: str | None = None
    """SQL that the value must fulfil too, over `{value}` and `{text}`."""

    literal: Callable[[Scalar], str]
    """SQL of a contract's bound or enum member."""


def identifier(name: str) -> str:
    """A quoted SQL identifier."""
    return "`" + name.replace("`", "``") + "`"


def string(text: str) -> str:
    """A SQL string literal; every character that a parser could read otherwise is written as a code point."""
    plain = "".join(
        char if char.isascii() and char.isprintable() and char not in "'\\$" else _code(char) for char in text
    )
    return f"'{plain}'"


def _code(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _pattern(logical: LogicalType) -> str | None:
    return getattr(logical, "format", None)


def _plain(spark: str) -> tuple[Callable[[LogicalType, str], str], Callable[[LogicalType, str], str]]:
    return (lambda _, text: f"try_cast({text} AS {spark})"), (lambda _, text: f"CAST({text} AS {spark})")


def _date_value(logical: LogicalType, text: str) -> str:
    pattern = _pattern(logical)
    return f"CAST(try_to_timestamp({text}, {string(pattern)}) AS DATE)" if pattern else f"try_cast({text} AS DATE)"


def _date_cast(logical: LogicalType, text: str) -> str:
    pattern = _pattern(logical)
    return f"to_date({text}, {string(pattern)})" if pattern else f"CAST({text} AS DATE)"


def _timestamp_value(logical: LogicalType, text: str) -> str:
    pattern = _pattern(logical)
    return f"try_to_timestamp({text}, {string(pattern)})" if pattern else f"try_cast({text} AS TIMESTAMP)"


def _timestamp_cast(logical: LogicalType, text: str) -> str:
    pattern = _pattern(logical)
    return f"to_timestamp({text}, {string(pattern)})" if pattern else f"CAST({text} AS TIMESTAMP)"


def _moment(value: Scalar) -> str:
    moment = datetime.fromisoformat(str(value))
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return f"TIMESTAMP'{aware.astimezone(UTC).isoformat(sep=' ')}'"


def _number(value: Scalar) -> str:
    return f"{value:f}" if not isinstance(value, int) else f"{value}BD" if abs(value) > 2**63 - 1 else str(value)


_INT_VALUE, _INT_CAST = _plain("INT")
_LONG_VALUE, _LONG_CAST = _plain("BIGINT")
_DOUBLE_VALUE, _DOUBLE_CAST = _plain("DOUBLE")
_BOOLEAN_CAST = _plain("BOOLEAN")[1]


def _boolean_value(_: LogicalType, text: str) -> str:
    # Spark looks every text up in sets of words, in lower case; most is one of these two.
    return f"CASE {text} WHEN 'true' THEN true WHEN 'false' THEN false ELSE try_cast({text} AS BOOLEAN) END"


TABLE: dict[type[LogicalType], Lexis] = {
    String: Lexis(
        spark="STRING",
        value=lambda _, text: text,
        shape=None,
        cast=lambda _, text: text,
        literal=lambda v: string(str(v)),
    ),
    Integer: Lexis(
        spark="INT", value=_INT_VALUE, shape=r"\A[-+ 0-9]++\z", canonical=True, cast=_INT_CAST, literal=_number
    ),
    Long: Lexis(
        spark="BIGINT", value=_LONG_VALUE, shape=r"\A[-+ 0-9]++\z", canonical=True, cast=_LONG_CAST, literal=_number
    ),
    Double: Lexis(
        spark="DOUBLE",
        value=_DOUBLE_VALUE,
        shape=r"\A[-+. eE0-9]++\z",
        cast=_DOUBLE_CAST,
        # Beyond the range text becomes Infinity, below it zero: neither is what the text says.
        guard=(r"abs({value}) < double('Infinity') AND IF({value} <> 0, true, {text} RLIKE '\\A[-+. 0]*+([eE]|\\z)')"),
        literal=lambda v: f"CAST('{v}' AS DOUBLE)",
    ),
    Boolean: Lexis(
        spark="BOOLEAN", value=_boolean_value, shape=None, cast=_BOOLEAN_CAST, literal=lambda v: str(v).lower()
    ),
    Date: Lexis(
        spark="DATE",
        value=_date_value,
        shape=r"\A[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\z",
        cast=_date_cast,
        literal=lambda v: f"DATE'{v}'",
    ),
    Timestamp: Lexis(
        spark="TIMESTAMP",
        value=_timestamp_value,
        shape=(
            r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
            r"(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)?\z"
        ),
        cast=_timestamp_cast,
        literal=_moment,
    ),
}


def spark_type(logical: LogicalType) -> str:
    """Spark's name of the type that a column has in the table."""
    return TABLE[type(logical)].spark


def blank(text: str) -> str:
    """SQL: whether non-NULL text is empty or only whitespace.

    Almost all text starts with a printable ASCII character, which two comparisons of one byte tell;
    only the rest is stripped. By IF, not AND: what stands twice on the right of an AND, Spark computes once for every
    row beforehand, whether the left holds or not (10 % of a pass for this, 6 % for the shapes).
    """
    return f"IF({text} < '!' OR {text} > '~', ltrim({string(WHITESPACE)}, {text}) = '', false)"


def value(logical: LogicalType, text: str) -> str:
    """SQL of the typed value of a text column; NULL where the cast would raise. Meaningful where `accepted`."""
    return TABLE[type(logical)].value(logical, text)


def accepted(logical: LogicalType, text: str, typed: str) -> str:
    """SQL: whether non-blank text has the type. `typed` is its `value` (named once, so that it is cast once)."""
    lexis = TABLE[type(logical)]
    fenced = "true"
    if lexis.shape and not _pattern(logical):
        fenced = f"{text} RLIKE {string(lexis.shape)}"
        if lexis.canonical:
            fenced = f"IF(CAST({typed} AS STRING) = {text}, true, {fenced})"
    if lexis.guard:
        fenced = f"IF({lexis.guard.format(value=typed, text=text)}, {fenced}, false)"
    return f"IF({typed} IS NULL, false, {fenced})"


def literal(logical: LogicalType, constant: Scalar) -> str:
    """SQL of a bound or an enum member of a column of this type."""
    return TABLE[type(logical)].literal(constant)


def typed(column: Column) -> str:
    """SQL of what the table holds for a text column: blank text of any type but string is NULL, the rest is cast.

    The value of `try_cast` is used where it is one; only the rest is looked at for blanks and meets the ANSI cast,
    which raises: the second lock behind the gate's own check.
    """
    text = identifier(column.name)
    if isinstance(column.type, String):
        return text
    lexis = TABLE[type(column.type)]
    otherwise = f"IF({text} IS NULL, NULL, IF({blank(text)}, NULL, {lexis.cast(column.type, text)}))"
    return f"coalesce({lexis.value(column.type, text)}, {otherwise})"


def row_hash(columns: Sequence[str]) -> str:
    """SQL of a 64-bit hash of a row of text columns; NULL, empty text and the order of columns all count.

    `xxhash64` skips NULLs, so their positions are hashed as bit masks beside the values.
    """
    names = [identifier(name) for name in sorted(columns)]
    masks = [
        " | ".join(f"IF({name} IS NULL, {1 << bit}L, 0L)" for bit, name in enumerate(names[start : start + 62]))
        for start in range(0, len(names), 62)
    ]
    return f"xxhash64({', '.join((*names, *masks))})"


CHECKSUM = ("sum({hash} & 4294967295L)", "sum(shiftrightunsigned({hash}, 32))")
"""Aggregates over `row_hash` whose pair does not depend on the order of rows; both halves fit a BIGINT."""


def checksum(low: int | None, high: int | None) -> str:
    """The text form of the two `CHECKSUM` sums, as evidence keeps it."""
    return f"{low or 0:x}-{high or 0:x}"


def watch(frame: DataFrame, columns: Sequence[str], selected: Sequence[str]) -> tuple[DataFrame, Callable[[], str]]:
    """Have the checksum of the text columns computed beside whatever SQL is selected from the frame.

    Both in one projection: what is observed is copied row by row, and the selection is copied for its writer anyway.

    Returns:
        The selection, and what tells the checksum once a job has run it.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    observation = Observation()
    low, high = (F.expr(sql.format(hash=HASH)) for sql in CHECKSUM)
    hashed = frame.selectExpr(*selected, f"{row_hash(columns)} AS {HASH}")
    watched = hashed.observe(observation, low.alias("low"), high.alias("high")).drop(HASH)

    def seen() -> str:
        sums = observed(observation)
        return checksum(sums.get("low"), sums.get("high"))

    return watched, seen


def observed(observation: Observation) -> dict[str, Any]:
    """What an observation saw; nothing when the plan ran without it (adaptive execution drops stages without rows).

    PySpark raises a bare Java assertion for that on classic Spark.
    """
    try:
        return dict(observation.get)
    except Exception:
        return {}
