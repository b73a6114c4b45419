"""The SQL by which a Delta table is made and changed; every name and text in it is quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sluis.table.model import Target, TargetColumn
from sluis.table.names import QUOTED, literal, needs_mapping, quote, quote_table

MAPPING = "delta.columnMapping.mode"
"""The property by which Delta takes any character in a column's name."""


def create(target: Target, columns: Sequence[TargetColumn], *, keys: bool) -> str:
    """Create the table unless it is there; it is never replaced.

    Args:
        target: The table.
        columns: Its columns; more than the contract's where rows may carry more.
        keys: Whether the catalog takes informational keys.
    """
    parts = [definition(column) for column in columns]
    if target.primary_key and keys:
        parts.append(f"PRIMARY KEY ({listed(target.primary_key)})")
    properties = dict(target.properties)
    if needs_mapping(_names(columns)):
        properties[MAPPING] = "name"
    clauses = ["USING delta"]
    if target.cluster_columns:
        clauses.append(f"CLUSTER BY ({listed(target.cluster_columns)})")
    elif target.partition_columns:
        clauses.append(f"PARTITIONED BY ({listed(target.partition_columns)})")
    if target.location:
        clauses.append(f"LOCATION {literal(target.location)}")
    if target.comment:
        clauses.append(f"COMMENT {literal(target.comment)}")
    if properties:
        clauses.append(f"TBLPROPERTIES ({pairs(properties)})")
    inside = "".join(f"\n  {part}," for part in parts).rstrip(",")
    return f"CREATE TABLE IF NOT EXISTS {quote_table(target.name)} ({inside}\n) {' '.join(clauses)}"


def add_columns(table: str, columns: Sequence[TargetColumn]) -> list[str]:
    """Add nullable columns; Delta cannot add others."""
    needed = {MAPPING: "name"} if needs_mapping(_names(columns)) else {}
    if any("TIMESTAMP_NTZ" in column.type.upper() for column in columns):
        # A new table gets the feature by itself, an existing one only when it is asked for.
        needed["delta.feature.timestampNtz"] = "supported"
    definitions = ", ".join(definition(column) for column in columns)
    added = f"{alter(table)} ADD COLUMNS ({definitions})"
    return [set_properties(table, needed), added] if needed else [added]


def _names(columns: Sequence[TargetColumn]) -> Iterator[str]:
    """The names of columns and of the fields inside of them."""
    for column in columns:
        yield from (column.name, *QUOTED.findall(column.type))


def set_properties(table: str, properties: Mapping[str, str]) -> str:
    """Set table properties."""
    return f"{alter(table)} SET TBLPROPERTIES ({pairs(properties)})"


def unset_properties(table: str, keys: Sequence[str]) -> str:
    """Take table properties away."""
    return f"{alter(table)} UNSET TBLPROPERTIES IF EXISTS ({', '.join(map(literal, keys))})"


def alter(table: str) -> str:
    """The head of a statement that changes the table."""
    return f"ALTER TABLE {quote_table(table)}"


def definition(column: TargetColumn) -> str:
    """A column as it stands in the list of a table's columns."""
    required = "" if column.nullable else " NOT NULL"
    comment = f" COMMENT {literal(column.comment)}" if column.comment else ""
    return f"{quote(column.name)} {column.type}{required}{comment}"


def listed(columns: Sequence[str]) -> str:
    """Names of columns, quoted."""
    return ", ".join(quote(name) for name in columns)


def pairs(properties: Mapping[str, str]) -> str:
    """Properties or tags, quoted."""
    return ", ".join(f"{literal(key)} = {literal(value)}" for key, value in properties.items())
