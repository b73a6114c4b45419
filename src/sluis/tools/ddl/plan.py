"""The statements that make a table, or take one that is there to its contract. Nothing is replaced or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sluis.contract.document import listed as named
from sluis.table import statements
from sluis.table.names import literal, quote, quote_table
from sluis.table.statements import alter, listed
from sluis.table.wanted import PROPERTIES
from sluis.tools.ddl.checks import OURS
from sluis.tools.ddl.columns import column_steps, mentions, remade
from sluis.tools.ddl.design import Design
from sluis.tools.ddl.existing import Existing
from sluis.tools.ddl.step import Step

OWNS_BOTH = "ownership of both tables, and USE SCHEMA and USE CATALOG on the other's"
APPLY_TAG = "APPLY TAG on the table (for a governed tag, ASSIGN on it too)"


def make(design: Design, *, again: bool = True) -> Iterator[Step]:
    """Make the table.

    Args:
        design: The table.
        again: Whether the statements may run on a table that is there, which is not known.
    """
    target = design.target
    yield Step(about="the table", sql=statements.create(target, target.columns, keys=design.dialect == "unity"))
    for name, condition in design.checks.items():
        yield from _check(design, name, condition, drop=again)
    for name in design.foreign_keys:
        yield from _foreign_key(design, name, drop=again)
    yield from _tags(design)


def change(design: Design, found: Existing) -> Iterator[Step]:
    """Take the table as it is to the contract; what SQL cannot change is told, and left as it is."""
    target, table = design.target, design.target.name
    moving = remade(design, found)
    ours = {name: text for name, text in found.checks.items() if name.startswith(OURS)}
    for name in (name for name, condition in ours.items() if mentions(condition, moving)):
        yield _drop(design, name, f"constraint {name} makes way for a column that changes")
        found = replace(found, checks={other: text for other, text in found.checks.items() if other != name})
    theirs = {name: text for name, text in found.checks.items() if name not in ours}
    yield from column_steps(design, replace(found, checks=theirs))
    if (target.comment or "") != found.comment:
        about = f"comment of the table: {found.comment or 'none'} → {target.comment or 'none'}"
        yield Step(about=about, sql=f"COMMENT ON TABLE {quote_table(table)} IS {literal(target.comment or '')}")
    wanted = {key: value for key, value in target.properties.items() if found.properties.get(key) != value}
    if wanted:
        yield Step(about=f"properties: {named(wanted)}", sql=statements.set_properties(table, wanted))
    past = [key for key in found.properties if key.startswith(PROPERTIES) and key not in target.properties]
    if past:
        about = f"properties that the contract no longer gives: {named(past)}"
        yield Step(about=about, sql=statements.unset_properties(table, past))
    yield from _layout(design, found)
    yield from _checks(design, found)
    if design.dialect == "unity":
        yield from _keys(design, found)
        yield from _tags(design)


def _layout(design: Design, found: Existing) -> Iterator[Step]:
    target = design.target
    if target.partition_columns != found.partition_columns:
        yield Step(
            about=f"partitions: {_columns(found.partition_columns)} in the table, "
            f"{_columns(target.partition_columns)} in the contract; only writing the table anew changes that",
            blocked=True,
        )
    elif target.cluster_columns != found.cluster_columns:
        by = f"({listed(target.cluster_columns)})" if target.cluster_columns else "NONE"
        about = f"clustering: {_columns(found.cluster_columns)} → {_columns(target.cluster_columns)}"
        yield Step(about=about, sql=f"{alter(target.name)} CLUSTER BY {by}")


def _columns(names: tuple[str, ...]) -> str:
    return named(names) or "none"


def _checks(design: Design, found: Existing) -> Iterator[Step]:
    wanted = {name: (condition, _normal(condition)) for name, condition in design.checks.items()}
    for name, condition in found.checks.items():
        if name.startswith(OURS) and name not in wanted:
            yield _drop(design, name, f"constraint {name}: the contract has no such rule any more ({condition})")
    for name, (condition, normal) in wanted.items():
        if name not in found.checks:
            yield from _check(design, name, condition, drop=False)
        elif _normal(found.checks[name]) != normal:
            yield from _check(design, name, condition, drop=True)


def _normal(condition: str) -> str:
    """A condition without the spaces that Delta puts between its words; texts and names stay."""
    parts = re.split(r"('(?:[^'\\]|\\.)*'|`(?:[^`]|``)*`)", condition, flags=re.DOTALL)
    return "".join(part if index % 2 else re.sub(r"\s+", "", part).lower() for index, part in enumerate(parts))


def _check(design: Design, name: str, condition: str, *, drop: bool) -> Iterator[Step]:
    if drop:
        yield _drop(design, name, f"constraint {name}")
    add = f"{alter(design.target.name)} ADD CONSTRAINT {quote(name)} CHECK ({condition})"
    yield Step(about="" if drop else f"constraint {name}", sql=add)


def _drop(design: Design, name: str, about: str) -> Step:
    return Step(about=about, sql=f"{alter(design.target.name)} DROP CONSTRAINT IF EXISTS {quote(name)}")


def _foreign_key(design: Design, name: str, *, drop: bool) -> Iterator[Step]:
    key, head = design.foreign_keys[name], alter(design.target.name)
    if drop:
        yield _drop(design, name, f"foreign key {name}")
    # Information for readers, which the catalog refuses until the other table is there and has its own key.
    reference = f"FOREIGN KEY ({listed(key.columns)}) REFERENCES {key.table} ({listed(key.to_columns)})"
    add = f"{head} ADD CONSTRAINT {quote(name)} {reference}"
    yield Step(about="" if drop else f"foreign key {name}", sql=add, privilege=OWNS_BOTH)


def _keys(design: Design, found: Existing) -> Iterator[Step]:
    """Keys as Unity Catalog shows them: their names stand in backticks where they need them."""
    head, key = alter(design.target.name), design.target.primary_key
    shown = {name: text for name, text in found.keys.items() if text.upper().startswith("PRIMARY")}
    if key not in {_key_columns(text) for text in shown.values()}:
        for name, text in shown.items():
            about = f"{text}: the contract has another key"
            yield Step(about=about, sql=f"{head} DROP CONSTRAINT {quote(name)}", by_hand=True)
        if key:
            yield Step(about=f"primary key of {named(key)}", sql=f"{head} ADD PRIMARY KEY ({listed(key)})")
    for name in design.foreign_keys:
        if name not in found.keys:
            yield from _foreign_key(design, name, drop=False)


def _key_columns(text: str) -> tuple[str, ...]:
    inside = text[text.find("(") + 1 : text.rfind(")")]
    return tuple(
        (quoted.replace("``", "`") if quoted else bare)
        for quoted, bare in re.findall(r"`((?:[^`]|``)*)`|([^\s,`]+)", inside)
    )


def _tags(design: Design) -> Iterator[Step]:
    head = alter(design.target.name)
    if design.tags:
        sql = f"{head} SET TAGS ({statements.pairs(design.tags)})"
        yield Step(about="tags of the table", sql=sql, privilege=APPLY_TAG)
    for column, tags in design.column_tags.items():
        sql = f"{head} ALTER COLUMN {quote(column)} SET TAGS ({statements.pairs(tags)})"
        yield Step(about=f"tags of column {column}", sql=sql, privilege=APPLY_TAG)
