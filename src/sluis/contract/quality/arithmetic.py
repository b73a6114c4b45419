"""What another database computes in another way than Spark: whole numbers divided, averages, days subtracted.

Functions of the same name, too.

What Spark must be told depends on the types of the values, which the contract knows of its columns. Where it stays
open, the query has no equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.schema import MappingSchema

from sluis.contract.logical import (
    Boolean,
    Byte,
    Date,
    DecimalType,
    Double,
    Float,
    Integer,
    LogicalType,
    Long,
    Short,
    String,
    Timestamp,
    TimestampNtz,
)

_TYPES: dict[type[LogicalType], str] = {
    Boolean: "BOOLEAN",
    Byte: "TINYINT",
    Date: "DATE",
    DecimalType: "DECIMAL(38, 18)",
    Double: "DOUBLE",
    Float: "FLOAT",
    Integer: "INT",
    Long: "BIGINT",
    Short: "SMALLINT",
    String: "VARCHAR",
    Timestamp: "TIMESTAMP",
    TimestampNtz: "TIMESTAMP",
}
"""Logical type → SQL's name of it."""

_DAYS = ("duckdb", "postgres", "redshift", "snowflake", "teradata")
"""Dialects in which a date less a date is a number of days."""

_WIDENING = ("postgres", "redshift")
"""Dialects in which the sum of 32 bits is whole, and the sum of 64 bits a decimal."""


class NoEqual(ValueError):
    """Spark has nothing that means the same; the message says what."""


def adapt(tree: exp.Query, dialect: str, rows: str, types: Mapping[str, LogicalType]) -> None:
    """Write arithmetic as Spark does the same, in place.

    Args:
        tree: The query.
        dialect: What it was written in.
        rows: The name by which it reads the rows.
        types: Column → type.

    Raises:
        NoEqual: how it is meant depends on types that are not known.
    """
    if dialect == "databricks":
        return
    _refuse_namesakes(tree, dialect)
    if not tree.find(exp.Div, exp.Sub, exp.Avg, exp.Cast):
        return
    bare = dict(_unqualified(tree))
    for column, table in bare.items():
        column.set("table", exp.to_identifier(table))
    annotate_types(tree, schema=_schema(rows, types), dialect=dialect)
    for column in bare:
        column.set("table", None)
    for node in list(tree.find_all(exp.Div, exp.Sub, exp.Avg, exp.Cast)):
        if isinstance(node, exp.Div) and node.args.get("typed"):
            _check_division(node, dialect)
        elif isinstance(node, exp.Sub):
            _subtract(node, dialect)
        elif isinstance(node, exp.Avg) and dialect in ("redshift", "tsql") and not _is_fraction(node.this):
            raise NoEqual("an average of whole numbers is whole there")
        elif isinstance(node, exp.Cast) and dialect in _ROUNDING and _is_whole(node) and _is_fraction(node.this):
            raise NoEqual("a fraction that becomes a whole number is rounded there")


def _refuse_namesakes(tree: exp.Query, dialect: str) -> None:
    """Refuse functions that mean something else there than in Spark, whatever the types."""
    for kinds, dialects, meaning in _NAMESAKES:
        if dialect in dialects and any(_is_other(node) for node in tree.find_all(*kinds)):
            raise NoEqual(meaning)


def _is_other(node: exp.Expr) -> bool:
    if isinstance(node, exp.DateDiff | exp.DatetimeDiff | exp.TimestampDiff):
        return node.text("unit").upper() not in ("", "DAY", "DAYS", "D", "DD")
    return not isinstance(node, exp.Extract) or node.name.upper() in ("DOW", "DAYOFWEEK", "WEEKDAY")


_NAMESAKES: tuple[tuple[tuple[type[exp.Expr], ...], tuple[str, ...], str], ...] = (
    (
        (exp.DateDiff, exp.DatetimeDiff, exp.TimestampDiff),
        ("bigquery", "duckdb", "redshift", "snowflake", "tsql"),
        "the ends of months, years or hours between two moments are counted there, and Spark counts whole ones",
    ),
    (
        (exp.Extract, exp.DayOfWeek),
        ("duckdb", "postgres", "redshift", "snowflake"),
        "the days of a week have other numbers there",
    ),
    (
        (exp.Greatest, exp.Least),
        ("bigquery", "mysql", "oracle", "snowflake"),
        "the greatest or least of values of which one is NULL is NULL there",
    ),
    ((exp.Length,), ("mysql", "tsql"), "a length is counted in bytes there, or without the blanks at the end"),
)
"""Functions, the dialects in which they are others, and how."""

_ROUNDING = ("bigquery", "duckdb", "mysql", "oracle", "postgres", "redshift", "snowflake")
"""Dialects that round a fraction when it is cast to a whole number; Spark cuts it off."""


def _unqualified(tree: exp.Query) -> Iterator[tuple[exp.Column, str]]:
    """Columns without a table, and the only one that they can be of."""
    for column in tree.find_all(exp.Column):
        select = column.parent_select
        if column.table or not isinstance(select, exp.Select) or select.args.get("joins"):
            continue
        if (source := select.args.get("from_")) is not None:
            yield column, source.this.alias_or_name


def _schema(rows: str, types: Mapping[str, LogicalType]) -> MappingSchema:
    named = {name: _TYPES[type(kind)] for name, kind in types.items() if type(kind) in _TYPES}
    cased = {way(name): kind for name, kind in named.items() for way in (str.lower, str.upper, str)}
    return MappingSchema({rows: cased}, normalize=False)


def _check_division(node: exp.Div, dialect: str) -> None:
    sides = (node.left, node.right)
    if any(map(_is_fraction, sides)):
        return
    sums = [total for side in sides for total in side.find_all(exp.Sum)]
    if dialect in _WIDENING and any(total.this.is_type(exp.DType.BIGINT) for total in sums):
        raise NoEqual("a sum is divided, and whether it is whole there depends on the column's size")
    if not all(map(_is_whole, sides)):
        raise NoEqual("whole numbers divided are whole there, and these may or may not be whole")


def _is_whole(node: exp.Expr) -> bool:
    return node.is_type(*exp.DataType.INTEGER_TYPES)


def _is_fraction(node: exp.Expr) -> bool:
    return node.is_type(*exp.DataType.REAL_TYPES)


def _subtract(node: exp.Sub, dialect: str) -> None:
    days = [side.is_type(exp.DType.DATE) for side in (node.left, node.right)]
    is_moment = any(side.is_type(*exp.DataType.TEMPORAL_TYPES) for side in (node.left, node.right))
    spans = any(isinstance(side.unnest(), exp.Interval) for side in (node.left, node.right))
    if spans or not is_moment or _is_whole(node.right):
        return
    if all(days) and dialect in _DAYS:
        node.replace(exp.DateDiff(this=node.left.copy(), expression=node.right.copy(), unit=exp.var("DAY")))
    elif any(days) or dialect in ("oracle", "mysql"):
        raise NoEqual(f"what `{node.sql(dialect=dialect)}` gives there")
