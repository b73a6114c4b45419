"""What the values of a query are, as far as the contract knows its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.schema import MappingSchema

from sluis.contract.logical import (
    Array,
    Binary,
    Boolean,
    Byte,
    Date,
    DecimalType,
    Double,
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

_TYPES: dict[type[LogicalType], str] = {
    Array: "ARRAY",
    Binary: "BINARY",
    Boolean: "BOOLEAN",
    Byte: "TINYINT",
    Date: "DATE",
    DecimalType: "DECIMAL(38, 18)",
    Double: "DOUBLE",
    Float: "FLOAT",
    Integer: "INT",
    Json: "VARCHAR",
    Long: "BIGINT",
    Map: "MAP",
    Object: "STRUCT",
    Short: "SMALLINT",
    String: "VARCHAR",
    Time: "VARCHAR",
    Timestamp: "TIMESTAMP",
    TimestampNtz: "TIMESTAMP",
}
"""Logical type → SQL's name of it."""


def annotate(tree: exp.Query, dialect: str, rows: str, types: Mapping[str, LogicalType]) -> None:
    """Have every part of a query tell what it gives.

    Args:
        tree: The query.
        dialect: What it was written in.
        rows: The name by which it reads the rows.
        types: Column → type.
    """
    # No dictionary: for sqlglot two columns of one name are one key.
    bare = list(_unqualified(tree))
    for column, table in bare:
        column.set("table", exp.to_identifier(table))
    annotate_types(tree, schema=_schema(rows, types), dialect=dialect)
    for column, _ in bare:
        column.set("table", None)


def is_whole(node: exp.Expr) -> bool:
    """Whether it is a whole number."""
    return node.is_type(*exp.DataType.INTEGER_TYPES)


def is_fraction(node: exp.Expr) -> bool:
    """Whether it is a number that may have a fraction."""
    return node.is_type(*exp.DataType.REAL_TYPES)


def is_number(node: exp.Expr) -> bool:
    """Whether it is a number."""
    return is_whole(node) or is_fraction(node)


def is_double(node: exp.Expr) -> bool:
    """Whether it is made of numbers that are not exact."""
    return any(part.is_type(exp.DType.DOUBLE, exp.DType.FLOAT) for part in node.find_all(exp.Column, exp.Cast))


def is_text(node: exp.Expr) -> bool:
    """Whether it is text."""
    return node.is_type(*exp.DataType.TEXT_TYPES)


def is_moment(node: exp.Expr) -> bool:
    """Whether it is a day or a moment."""
    return node.is_type(*exp.DataType.TEMPORAL_TYPES)


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
