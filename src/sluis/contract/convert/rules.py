"""Rules → where an ODCS 3.2 document says them: keys of a property, relationships, or quality items."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sluis.contract import names
from sluis.contract.convert.quality import item
from sluis.contract.document import Document
from sluis.contract.model import Contract
from sluis.contract.odcs.types import INTEGERS
from sluis.contract.rules import (
    ColumnRule,
    Columns,
    Encoding,
    Enum,
    Format,
    Header,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    Pattern,
    PrimaryKey,
    Relationship,
    Required,
    RowShape,
    Rule,
    Size,
    Sql,
    TypeOf,
    Unique,
    UniqueItems,
)

_SHORT = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_STABLE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, kw_only=True)
class Place:
    """An object of the document in the making."""

    object: Document
    """Its `quality` and `relationships`."""

    properties: Mapping[str, Document]
    """Name in file and table → its property."""

    queries: Mapping[str, str]
    """Place of a SQL rule in the old document → its query as the owner wrote it."""

    descriptions: Mapping[str, str]
    """Place of a quality item in the old document → what its owner says of it."""

    def property(self, rule: ColumnRule) -> Document:
        """What the document says of the value that a rule is about."""
        found = self.properties[rule.column]
        for step in rule.inner:
            if step == "[]":
                found = found["items"]
            elif "map" in found:
                found = found["map"]["key" if step == "{k}" else "value"]
            else:
                found = next(part for part in found["properties"] if part["name"] == step)
        return found


def place_rules(contract: Contract, place: Place, *, known: Collection[str]) -> None:
    """Say every rule that ODCS can say; the others are left out.

    Args:
        contract: The contract.
        place: Where to say them.
        known: The objects of the document, which relationships can refer to.
    """
    _unsigned(contract, place)
    for rule in contract.rules:
        if isinstance(rule, (Header, RowShape, Encoding, Columns, TypeOf, PrimaryKey)):
            # Every contract demands the first; the others are said by the columns themselves.
            continue
        if isinstance(rule, Relationship):
            _relationship(rule, contract, place, known)
        elif not (_is_plain(rule) and _as_key(rule, contract, place)):
            _as_item(rule, contract, place)


def _is_plain(rule: Rule) -> bool:
    return rule.allowed is None and rule.severity == "error" and rule.title is None


def _as_key(rule: Rule, contract: Contract, place: Place) -> bool:
    """Say a rule by a key of its property; False when there is none, it is taken, or would give another id."""
    if isinstance(rule, Unique):
        return (
            len(rule.columns) == 1
            and rule.id.endswith(".unique")
            and _flag(place.properties[rule.columns[0]], "unique")
        )
    if not isinstance(rule, ColumnRule):
        return False
    if rule.id.rpartition(".")[2].startswith("format_"):
        return True
    said = place.property(rule)
    if isinstance(rule, Required):
        return _flag(said, "required")
    if isinstance(rule, Enum) and rule.id.endswith(".enum") and "enum" not in said:
        said["enum"] = [{"value": value} for value in rule.values]
        return True
    return type(rule) in _OPTIONS and _option(said, *_OPTIONS[type(rule)](rule))


def _flag(said: Document, key: str) -> bool:
    said[key] = True
    return True


def _option(said: Document, key: str, value: Any) -> bool:
    options = said.setdefault("logicalTypeOptions", {})
    if key in options:
        return False
    options[key] = value
    return True


def _exclusive(key: str) -> Callable[[Any], tuple[str, Any]]:
    return lambda rule: (f"exclusive{key[0].upper()}{key[1:]}" if rule.exclusive else key, rule.limit)


def _size(rule: Size) -> tuple[str, Any]:
    of = "Properties" if "properties" in rule.id.rpartition(".")[2] else "Items"
    return (f"min{of}", rule.min) if rule.max is None else (f"max{of}", rule.max)


_OPTIONS: dict[type[Rule], Callable[[Any], tuple[str, Any]]] = {
    Pattern: lambda rule: ("pattern", rule.pattern),
    MinLength: lambda rule: ("minLength", rule.limit),
    MaxLength: lambda rule: ("maxLength", rule.limit),
    Minimum: _exclusive("minimum"),
    Maximum: _exclusive("maximum"),
    MultipleOf: lambda rule: ("multipleOf", rule.divisor),
    Format: lambda rule: ("format", rule.format),
    Size: _size,
    UniqueItems: lambda rule: ("uniqueItems", True),
}
"""Kind of rule → the option of the logical type that says it."""


def _unsigned(contract: Contract, place: Place) -> None:
    """Formats such as `u16`: a wider type with the bounds that they give."""
    bounds: dict[tuple[str, ...], dict[str, Any]] = {}
    for rule in contract.rules:
        if isinstance(rule, Minimum | Maximum) and (end := rule.id.rpartition(".")[2]).startswith("format_"):
            bounds.setdefault((rule.column, *rule.inner), {"rule": rule})[end] = rule.limit
    for found in bounds.values():
        said = place.property(found["rule"])
        low, high = found.get("format_minimum"), found.get("format_maximum")
        form = next((name for name in INTEGERS if (low, high) in (_range(name), (_range(name)[0], None))), None)
        if form:
            said["logicalType"] = "integer"
            said.setdefault("logicalTypeOptions", {})["format"] = form


def _range(form: str) -> tuple[int, int]:
    bits = int(form[1:])
    return (0, 2**bits - 1) if form[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _relationship(rule: Relationship, contract: Contract, place: Place, known: Collection[str]) -> None:
    """A foreign key; one to an object that the document does not have would make it unreadable."""
    if rule.to not in known:
        return
    stated = {column.name: column.logical_name or column.name for column in contract.columns}
    here = [_reference(contract.object, stated[column]) for column in rule.columns]
    there = [_reference(rule.to, column) for column in rule.to_columns]
    if None in (*here, *there):
        return
    if len(here) == 1:
        place.properties[rule.columns[0]].setdefault("relationships", []).append({"to": there[0]})
    else:
        place.object.setdefault("relationships", []).append({"from": here, "to": there})


def _reference(owner: str, column: str) -> str | None:
    """A column as the standard refers to it; None when its grammar has no form for the names."""
    if _SHORT.fullmatch(owner) and _SHORT.fullmatch(column):
        return f"{owner}.{column}"
    if _STABLE.fullmatch(owner) and _STABLE.fullmatch(column):
        return f"schema/{owner}/properties/{column}"
    return None


def _as_item(rule: Rule, contract: Contract, place: Place) -> None:
    """Say a rule by a quality item, at the column or the object that its id names."""
    stated = {column.name: column.logical_name or column.name for column in contract.columns}
    said = item(rule, stated)
    if said is None:
        return
    if isinstance(rule, Sql):
        said["query"] = place.queries.get(rule.path, rule.query)
    if description := place.descriptions.get(rule.path):
        said["description"] = description
    columns = (
        [rule.column]
        if isinstance(rule, ColumnRule)
        else [name for name in stated if _is_of(rule, stated[name], contract)]
    )
    holder = (
        place.property(rule)
        if isinstance(rule, ColumnRule)
        else place.properties[columns[0]]
        if columns
        else place.object
    )
    prefix = _prefix(rule, stated, contract, columns)
    holder.setdefault("quality", []).append({**_named(rule, rule.id.removeprefix(prefix)), **said})


def _is_of(rule: Rule, column: str, contract: Contract) -> bool:
    """Whether the id of a rule about rows says that it stood at this column."""
    prefix = f"{names.safe(contract.object, column)}."
    return rule.id.startswith(prefix) and "." not in rule.id.removeprefix(prefix)


_STEPS = {"[]": "items", "{}": "values", "{k}": "keys"}


def _prefix(rule: Rule, stated: Mapping[str, str], contract: Contract, columns: list[str]) -> str:
    inner = [_STEPS.get(step, step) for step in rule.inner] if isinstance(rule, ColumnRule) else []
    return f"{names.safe(contract.object, *(stated[column] for column in columns), *inner)}."


def _named(rule: Rule, end: str) -> Document:
    """The id and the name by which the item's rule gets its id and its title back."""
    if rule.title is not None and names.safe(rule.title) == end:
        return {"name": rule.title}
    given = {"id": end if _STABLE.fullmatch(end) else re.sub(r"[^A-Za-z0-9_-]+", "_", end)}
    return {**given, "name": rule.title} if rule.title is not None else given
