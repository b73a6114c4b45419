"""ONE table: logical type → Spark type, accepted text, typed value. The check and the cast both come from here.

Every function returns Spark SQL text, built once in Python: a plan made from one SQL string costs one call to the
JVM where the same plan made from column functions costs dozens. Text that `accepted` takes never casts to NULL and
never changes meaning; what `cast` writes is what `value` was judged on (property-tested).

The expressions assume a session in ANSI mode whose time zone is UTC (`sluis.settings.settled`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sluis.contract.logical import Boolean, Date, Double, Integer, Json, LogicalType, Long, String, Timestamp
from sluis.contract.model import Column
from sluis.contract.names import RESERVED
from sluis.contract.rules import Scalar
from sluis.lexical import coded, moments, nested, numbers
from sluis.lexical.model import Lexis, plain
from sluis.lexical.sql import WHITESPACE, blank, identifier, let, string

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Observation

__all__ = [
    "CHECKSUM", "HASH", "TABLE", "WHITESPACE", "absent", "accepted", "blank", "checksum", "identifier", "let",
    "literal", "observed", "row_hash", "simple_type", "spark_type", "string", "summable", "tried", "typed", "value",
    "watch",
]  # fmt: skip

HASH = f"{RESERVED}_hash"
"""The column that holds `row_hash` while a frame is read."""

_UNHASHED = re.compile(r"\b(map<|variant\b)")

_INT_VALUE, _INT_CAST = plain("INT")
_LONG_VALUE, _LONG_CAST = plain("BIGINT")
_DOUBLE_VALUE, _DOUBLE_CAST = plain("DOUBLE")
_BOOLEAN_CAST = plain("BOOLEAN")[1]


def _boolean_value(_: LogicalType, text: str) -> str:
    # Spark looks every text up in sets of words, in lower case; most is one of these two.
    return f"CASE {text} WHEN 'true' THEN true WHEN 'false' THEN false ELSE try_cast({text} AS BOOLEAN) END"


TABLE: dict[type[LogicalType], Lexis] = {
    String: Lexis(
        spark="STRING",
        value=lambda _, text: text,
        cast=lambda _, text: text,
        literal=lambda _, v: string(str(v)),
    ),
    Integer: Lexis(
        spark="INT", value=_INT_VALUE, shape=r"\A[-+ 0-9]++\z", canonical=True, cast=_INT_CAST, literal=numbers.number
    ),
    Long: Lexis(
        spark="BIGINT",
        value=_LONG_VALUE,
        shape=r"\A[-+ 0-9]++\z",
        canonical=True,
        cast=_LONG_CAST,
        literal=numbers.number,
    ),
    Double: Lexis(
        spark="DOUBLE",
        value=_DOUBLE_VALUE,
        shape=r"\A[-+. eE0-9]++\z",
        cast=_DOUBLE_CAST,
        guard=numbers.FINITE,
        literal=lambda _, v: f"CAST('{v}' AS DOUBLE)",
    ),
    Boolean: Lexis(spark="BOOLEAN", value=_boolean_value, cast=_BOOLEAN_CAST, literal=lambda _, v: str(v).lower()),
    Date: Lexis(
        spark="DATE",
        value=moments.date_value,
        shape=r"\A[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\z",
        cast=moments.date_cast,
        literal=lambda _, v: f"DATE'{v}'",
    ),
    Timestamp: Lexis(
        spark="TIMESTAMP",
        value=moments.timestamp_value,
        shape=(
            r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
            r"(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)?\z"
        ),
        cast=moments.timestamp_cast,
        literal=moments.moment,
    ),
    **numbers.TABLE,
    **moments.TABLE,
    **coded.TABLE,
    **nested.TABLE,
}


def spark_type(logical: LogicalType) -> str:
    """Spark's name of the type that a column has in the table, as it stands in SQL."""
    name = TABLE[type(logical)].spark
    return name if isinstance(name, str) else name(logical)


def simple_type(logical: LogicalType) -> str:
    """The same as a frame's schema spells it."""
    return re.sub("`((?:[^`]|``)*)`", lambda found: found[1].replace("``", "`"), spark_type(logical)).lower()


def absent(logical: LogicalType, text: str) -> str:
    """SQL: whether non-NULL text of a column stands for NULL: blank text and, where JSON is expected, `null`."""
    if not isinstance(logical, nested.TYPES) and logical != Json(is_object=True):
        return blank(text)
    return f"IF({blank(text)}, true, trim(BOTH {string(WHITESPACE)} FROM {text}) = 'null')"


def value(logical: LogicalType, text: str) -> str:
    """SQL of the typed value of a text column; NULL where the cast would raise. Meaningful where `accepted`."""
    return TABLE[type(logical)].value(logical, text)


def accepted(logical: LogicalType, text: str, typed: str) -> str:
    """SQL: whether non-blank text has the type. `typed` is its `value` (named once, so that it is cast once)."""
    lexis = TABLE[type(logical)]
    if lexis.fault:
        return f"IF({typed} IS NULL, false, {lexis.fault(logical, typed)} IS NULL)"
    fenced = "true"
    if lexis.shape and not moments.pattern(logical):
        shape = lexis.shape if isinstance(lexis.shape, str) else lexis.shape(logical)
        fenced = f"{text} RLIKE {string(shape)}"
        if lexis.canonical:
            fenced = f"IF(CAST({typed} AS STRING) = {text}, true, {fenced})"
    if lexis.guard:
        fenced = f"IF({lexis.guard.format(value=typed, text=text)}, {fenced}, false)"
    return f"IF({typed} IS NULL, false, {fenced})"


def literal(logical: LogicalType, constant: Scalar) -> str:
    """SQL of a bound or an enum member of a column of this type."""
    return TABLE[type(logical)].literal(logical, constant)


def typed(column: Column) -> str:
    """SQL of what the table holds for a text column: blank text of any type but string is NULL, the rest is cast.

    The value of `try_cast` is used where it is one; only the rest is looked at for blanks and meets the ANSI cast,
    which raises: the second lock behind the gate's own check.
    """
    text = identifier(column.name)
    if isinstance(column.type, String):
        return text
    lexis = TABLE[type(column.type)]
    otherwise = f"IF({text} IS NULL, NULL, IF({absent(column.type, text)}, NULL, {lexis.cast(column.type, text)}))"
    return otherwise if lexis.written else f"coalesce({lexis.value(column.type, text)}, {otherwise})"


def tried(logical: LogicalType, text: str, typed: str) -> str:
    """SQL of what the table would hold for text, NULL where the text is refused; `typed` as for `accepted`."""
    written = TABLE[type(logical)].written
    held = written(logical, typed) if written else typed
    return held if isinstance(logical, String) else f"IF({accepted(logical, text, typed)}, {held}, NULL)"


def summable(types: Mapping[str, str]) -> list[str]:
    """The columns that a checksum can be taken of, by their Spark types: Spark hashes no maps and no variants."""
    return [name for name, kind in types.items() if not _UNHASHED.search(kind)]


def row_hash(columns: Sequence[str]) -> str:
    """SQL of a 64-bit hash of a row of these columns; NULL, empty text and the order of columns all count.

    `xxhash64` skips NULLs, so their positions are hashed as bit masks beside the values.
    """
    if not columns:
        return "0L"
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


def watch(
    frame: DataFrame, columns: Sequence[str], selected: Sequence[str], *, counted: str | None = None
) -> tuple[DataFrame, Callable[[], tuple[str, int | None]]]:
    """Have the checksum of these columns computed beside whatever SQL is selected from the frame.

    Both in one projection: what is observed is copied row by row, and the selection is copied for its writer anyway.

    Args:
        frame: The frame.
        columns: Those of the checksum.
        selected: SQL.
        counted: SQL of a condition; the rows that meet it are counted too.

    Returns:
        The selection, and what tells checksum and number once a job has run it.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    observation = Observation()
    low, high = (F.expr(sql.format(hash=HASH)) for sql in CHECKSUM)
    hashed = frame.selectExpr(*selected, f"{row_hash(columns)} AS {HASH}")
    number = [F.expr(f"count_if({counted})").alias("counted")] if counted else []
    watched = hashed.observe(observation, low.alias("low"), high.alias("high"), *number).drop(HASH)

    def seen() -> tuple[str, int | None]:
        sums = observed(observation)
        return checksum(sums.get("low"), sums.get("high")), sums.get("counted")

    return watched, seen


def observed(observation: Observation) -> dict[str, Any]:
    """What an observation saw; nothing when the plan ran without it (adaptive execution drops stages without rows).

    PySpark raises a bare Java assertion for that on classic Spark.
    """
    try:
        return dict(observation.get)
    except Exception:
        return {}
