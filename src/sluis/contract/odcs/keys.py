"""Keys of an ODCS object: primary key, unique columns, partitions, relationships; and what is no column at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from sluis.contract.document import json_path
from sluis.contract.logical import Array, Json, LogicalType, Map, Object
from sluis.contract.notes import Notes
from sluis.contract.odcs import relations
from sluis.contract.odcs import types as odcs_types
from sluis.contract.odcs.element import Element
from sluis.contract.odcs.relations import Home
from sluis.contract.rules import PrimaryKey, Rule, Unique


def is_measure(of: Element, notes: Notes) -> bool:
    """Whether a property is computed from rows (ODCS 3.2 `semanticType: measure`) and so is no column."""
    if of.text("semanticType") != "measure":
        return False
    notes.documentation(of.at, "a measure is computed from the rows, and is no column")
    for key in ("required", "unique", "primaryKey", "quality", "enum", "logicalTypeOptions", "relationships"):
        if of.values.get(key):
            notes.unsupported(of.places[key], "a measure is no column")
    return True


def in_order(columns: Sequence[Element], flag: str, position: str) -> tuple[str, ...]:
    """The columns that have a flag, by their position; those without one come last, as they stand."""

    def place(index: int) -> tuple[int | Decimal, int]:
        stated = columns[index].values.get(position)
        if isinstance(stated, int | Decimal) and not isinstance(stated, bool) and stated > 0:
            return stated, index
        return 10**9, index

    chosen = sorted((index for index, of in enumerate(columns) if of.is_true(flag)), key=place)
    return tuple(odcs_types.column_name(columns[index]) for index in chosen)


def layout(
    columns: Sequence[Element], kinds: Mapping[str, LogicalType], flag: str, position: str, notes: Notes
) -> tuple[str, ...]:
    """The columns by which the table is laid out; those by which Delta cannot do that are left out, and claimed so."""
    chosen = in_order(columns, flag, position)
    nested = [name for name in chosen if isinstance(kinds[name], Array | Map | Object | Json)]
    refused = {name: f"Delta lays out no table by values of type `{kinds[name].name}`" for name in nested}
    if flag == "partitioned" and len(chosen) == len(columns):
        refused = {**dict.fromkeys(chosen, "Delta keeps one column at least out of the partitions"), **refused}
    for of in columns:
        if reason := refused.get(odcs_types.column_name(of)):
            notes.unsupported(of.places[flag], reason)
    return tuple(name for name in chosen if name not in refused)


def rules(columns: Sequence[Element], home: Home) -> Iterator[Rule]:
    """The rules about keys, and claims for what states them and the names of columns."""
    notes = home.notes
    key = in_order(columns, "primaryKey", "primaryKeyPosition")
    if key:
        marked = [of for of in columns if of.is_true("primaryKey")]
        rule = PrimaryKey(
            id=notes.rule_id(home.name, "primary_key"), path=json_path(marked[0].places["primaryKey"]), columns=key
        )
        for of in marked:
            notes.enforced(of.places["primaryKey"], f"rule {rule.id}")
        yield rule
    for of in columns:
        _claim(of, home)
        yield from _unique(of, key, home)
        if "relationships" in of.values:
            stated = of.values["relationships"]
            yield from relations.rules(stated, of.places["relationships"], home, of.text("name"))


def _claim(of: Element, home: Home) -> None:
    notes = home.notes
    for key in ("name", "physicalName"):
        if key in of.values:
            notes.enforced(of.places[key], f"rule {home.name}.columns")
    for flag, position, note in (
        ("primaryKey", "primaryKeyPosition", "the order of the primary key"),
        ("partitioned", "partitionKeyPosition", "the order of the table's partitions"),
        ("clustered", "clusterKeyPosition", "the order of the table's clustering"),
    ):
        if flag in of.values and not of.is_true(flag):
            notes.documentation(of.places[flag])
        elif flag in of.values and flag != "primaryKey":
            notes.enforced(of.places[flag], "the table's layout")
        if position in of.values:
            notes.documentation(of.places[position], note if of.is_true(flag) else "")


def _unique(of: Element, key: tuple[str, ...], home: Home) -> Iterator[Rule]:
    if "unique" not in of.values:
        return
    name = odcs_types.column_name(of)
    place = of.places["unique"]
    if not of.is_true("unique"):
        home.notes.documentation(place)
    elif key == (name,):
        home.notes.enforced(place, "the same as the primary key")
    else:
        rule_id = home.notes.rule_id(home.name, str(of.text("name")), "unique")
        yield Unique(id=rule_id, path=json_path(place), columns=(name,))
