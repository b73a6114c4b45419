"""The columns of a table against those of its contract, as statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sluis.table import TargetColumn, statements
from sluis.table.names import literal, quote
from sluis.table.schema import normal_type
from sluis.table.statements import alter
from sluis.tools.ddl import nested
from sluis.tools.ddl.design import Design
from sluis.tools.ddl.existing import Existing
from sluis.tools.ddl.step import Step

WIDENING = "delta.enableTypeWidening"

_WIDER = {
    "tinyint": ("smallint", "int", "bigint", "double"),
    "smallint": ("int", "bigint", "double"),
    "int": ("bigint", "double"),
    "float": ("double",),
}
"""Type → those that Delta's type widening changes it to, decimals aside."""

_DIGITS = {"tinyint": 10, "smallint": 10, "int": 10, "bigint": 20}
"""Type → the digits before the point that a decimal needs to take its place, by Delta's rules."""


def remade(design: Design, found: Existing) -> frozenset[str]:
    """Columns whose name or type changes: Delta does not let them while a constraint speaks of them."""
    actual = {column.name.lower(): column for column in found.columns}
    return frozenset(
        twin.name
        for column in design.target.columns
        if (twin := actual.get(column.name.lower())) is not None
        and (twin.name != column.name or widens(normal_type(twin.type), normal_type(column.type)))
    )


def mentions(condition: str, columns: frozenset[str]) -> bool:
    """Whether a condition speaks of one of these columns; a text that only looks like one counts too."""
    words = re.findall(r"`((?:[^`]|``)*)`|(\w+)", condition)
    named = {(quoted.replace("``", "`") or bare).lower() for quoted, bare in words}
    return any(column.lower() in named for column in columns)


def column_steps(design: Design, found: Existing) -> Iterator[Step]:
    """Columns to add, then what to change of those that are there, then those that the contract does not have.

    The constraints that `found` has are those that stand in the way of a new name or type.
    """
    table = design.target.name
    known = {column.name.lower(): column for column in found.columns}
    absent = [column for column in design.target.columns if column.name.lower() not in known]
    if absent:
        # Delta adds nullable columns only: the rows that are there have no value for them.
        *first, last = statements.add_columns(table, [replace(column, nullable=True) for column in absent])
        yield from (Step(about="column names with other characters", sql=sql) for sql in first)
        yield Step(about="; ".join(f"column {column.name}: new ({column.type})" for column in absent), sql=last)
        yield from (_not_null(design, column, is_new=True) for column in absent if not column.nullable)
    for column in design.target.columns:
        if column not in absent:
            yield from _differences(design, column, known[column.name.lower()], found)
    wanted = {column.name.lower() for column in design.target.columns}
    for column in found.columns:
        if column.name.lower() not in wanted:
            yield from _surplus(design, column)


def _differences(design: Design, wanted: TargetColumn, actual: TargetColumn, found: Existing) -> Iterator[Step]:
    head, name = alter(design.target.name), quote(actual.name)
    before, after = normal_type(actual.type), normal_type(wanted.type)
    held = [each for each, condition in found.checks.items() if mentions(condition, frozenset({actual.name}))]
    if held and (wanted.name != actual.name or widens(before, after)):
        about = f"column {wanted.name}: {actual.name} {actual.type.upper()} → {wanted.name} {wanted.type}"
        yield Step(about=f"{about}; constraint {held[0]}, which is not of Sluis, has to be dropped first", blocked=True)
        return
    if wanted.name != actual.name:
        renamed = _named_otherwise(design, wanted, actual, found)
        name = name if renamed.blocked else quote(wanted.name)
        yield renamed
    if widens(before, after):
        if found.properties.get(WIDENING) != "true":
            yield Step(about="type widening", sql=statements.set_properties(design.target.name, {WIDENING: "true"}))
        about = f"column {wanted.name}: {actual.type.upper()} → {wanted.type}"
        yield Step(about=about, sql=f"{head} ALTER COLUMN {name} TYPE {wanted.type}", by_hand=True)
    elif before != after and (fields := nested.missing(actual.name, actual.type, wanted.type)):
        added = ", ".join(field.definition for field in fields)
        about = f"column {wanted.name}: new fields {', '.join('.'.join(field.path) for field in fields)}"
        yield Step(about=about, sql=f"{head} ADD COLUMNS ({added})")
    elif before != after:
        about = f"column {wanted.name}: {actual.type.upper()} in the table, {wanted.type} in the contract"
        yield Step(about=f"{about}; only writing the table anew changes that", blocked=True)
    if wanted.nullable and not actual.nullable:
        sql = f"{head} ALTER COLUMN {name} DROP NOT NULL"
        yield Step(about=f"column {wanted.name}: may be NULL now", sql=sql, by_hand=True)
    elif actual.nullable and not wanted.nullable:
        yield _not_null(design, wanted, is_new=False)
    if (wanted.comment or "") != (actual.comment or ""):
        about = f"comment of column {wanted.name}: {actual.comment or 'none'} → {wanted.comment or 'none'}"
        yield Step(about=about, sql=f"{head} ALTER COLUMN {name} COMMENT {literal(wanted.comment or '')}")


def _named_otherwise(design: Design, wanted: TargetColumn, actual: TargetColumn, found: Existing) -> Step:
    about = f"column {actual.name}: the contract writes it {wanted.name}"
    if found.properties.get(statements.MAPPING) != "name":
        return Step(about=f"{about}; renaming needs column mapping, which every reader must know", blocked=True)
    rename = f"RENAME COLUMN {quote(actual.name)} TO {quote(wanted.name)}"
    return Step(about=about, sql=f"{alter(design.target.name)} {rename}", by_hand=True)


def _not_null(design: Design, column: TargetColumn, *, is_new: bool) -> Step:
    sql = f"{alter(design.target.name)} ALTER COLUMN {quote(column.name)} SET NOT NULL"
    if design.dialect == "delta":
        about = f"column {column.name}: NOT NULL in the contract, which plain Delta cannot add to a table that is there"
        return Step(about=about, blocked=True)
    if is_new:
        return Step(about=f"column {column.name}: when every row has a value, run {sql}", blocked=True)
    return Step(about=f"column {column.name}: NOT NULL (fails while a row holds NULL)", sql=sql, by_hand=True)


def _surplus(design: Design, column: TargetColumn) -> Iterator[Step]:
    about = f"column {column.name} ({column.type}) is in the table and not in the contract"
    if not column.nullable:
        sql = f"{alter(design.target.name)} ALTER COLUMN {quote(column.name)} DROP NOT NULL"
        yield Step(about=f"{about}: rows come without it", sql=sql, by_hand=True)
    if not design.target.allow_additional:
        yield Step(about=f"{about}; it is kept, and `sluis run` refuses the table", blocked=True)


def widens(before: str, after: str) -> bool:
    """Whether Delta's type widening changes one type to the other without writing the table anew."""
    if after == before or after in _WIDER.get(before, ()):
        return after != before
    wide = re.fullmatch(r"decimal\((\d+),(\d+)\)", after)
    if not wide:
        return False
    precision, scale = map(int, wide.groups())
    if narrow := re.fullmatch(r"decimal\((\d+),(\d+)\)", before):
        least, fraction = map(int, narrow.groups())
        return scale >= fraction and precision - scale >= least - fraction
    return before in _DIGITS and precision - scale >= _DIGITS[before]
