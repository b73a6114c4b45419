"""A contract → everything about its table that SQL can say: columns, keys, checks, tags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from sluis.contract.logical import fields_of
from sluis.contract.model import Contract
from sluis.contract.rules import Relationship
from sluis.table import Target, target_of
from sluis.table.names import quote
from sluis.table.wanted import PROPERTIES
from sluis.tools.ddl.checks import checks_of, constraint_name

Dialect = Literal["unity", "delta"]

_UNTAGGABLE = re.compile(r"[^\w]+")
"""Unity Catalog takes no `. , - = / :` and no spaces at the ends of a tag's key."""


@dataclass(frozen=True, kw_only=True)
class ForeignKey:
    """Columns whose values are in another table."""

    columns: tuple[str, ...]
    """The columns here."""

    table: str
    """The other table, quoted."""

    to_columns: tuple[str, ...]
    """The columns there."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """The table as its contract wants it."""

    target: Target
    """Name, columns, layout, properties."""

    dialect: Dialect
    """Whether Unity Catalog holds it, with keys and tags, or Delta alone."""

    checks: Mapping[str, str] = field(default_factory=dict)
    """Name of a CHECK constraint → its condition."""

    foreign_keys: Mapping[str, ForeignKey] = field(default_factory=dict)
    """Name of a foreign key → the key."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Tags of the table."""

    column_tags: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Column → its tags."""

    left_out: tuple[str, ...] = ()
    """What the dialect cannot say, a line each."""


def design(
    contract: Contract,
    table: str,
    dialect: Dialect,
    *,
    tables: Mapping[str, str] | None = None,
    location: str | None = None,
) -> Design:
    """Describe the table of a contract.

    Args:
        contract: The contract.
        table: The table's dotted name, not quoted.
        dialect: Where the table is.
        tables: Object → table, for the contracts that the project knows.
        location: Where a local table lives.
    """
    unity = dialect == "unity"
    target = target_of(contract, table, location=location)
    if not unity:
        target = replace(target, properties={**target.properties, **_tag_properties(contract)})
    checks, unchecked = checks_of(contract)
    both = bool(contract.partition_columns and contract.cluster_columns)
    return Design(
        target=target,
        dialect=dialect,
        checks=checks,
        foreign_keys=dict(_foreign_keys(contract, table, tables or {})) if unity else {},
        tags={_key(tag): "" for tag in contract.tags} if unity else {},
        column_tags=_column_tags(contract) if unity else {},
        left_out=(
            *(["partitions: Delta takes either these or clustering, and the contract asks for both"] if both else ()),
            *([] if unity else _only_in_unity(contract)),
            *(f"{rule}: no CHECK can say it; `sluis run` enforces it" for rule in unchecked),
            *(f"descriptions of what is in {name}: the table has those of columns" for name in _described(contract)),
        ),
    )


def _foreign_keys(contract: Contract, table: str, tables: Mapping[str, str]) -> list[tuple[str, ForeignKey]]:
    schema = table.split(".")[:-1]
    keys = []
    for rule in contract.rules:
        if isinstance(rule, Relationship):
            parts = tables[rule.to].split(".") if rule.to in tables else [*schema, rule.to]
            other = ".".join(quote(part) for part in parts)
            key = ForeignKey(columns=rule.columns, table=other, to_columns=rule.to_columns)
            keys.append((constraint_name(rule, contract), key))
    return keys


def _described(contract: Contract) -> list[str]:
    """The columns with descriptions of fields in them."""
    return [column.name for column in contract.columns if any(field.description for field in fields_of(column.type))]


def _column_tags(contract: Contract) -> dict[str, dict[str, str]]:
    found = {}
    for column in contract.columns:
        tags = {_key(tag): "" for tag in column.tags}
        if column.classification:
            tags["classification"] = column.classification
        elif column.sensitive:
            tags["sensitive"] = "true"
        if tags:
            found[column.name] = tags
    return found


def _tag_properties(contract: Contract) -> dict[str, str]:
    """Tags for a catalog that has none: properties of the table."""
    of_table = {f"{PROPERTIES}tags": ", ".join(contract.tags)} if contract.tags else {}
    of_columns = {
        f"{PROPERTIES}tags.{column}": ", ".join(f"{key}={value}" if value else key for key, value in tags.items())
        for column, tags in _column_tags(contract).items()
    }
    return of_table | of_columns


def _key(tag: str) -> str:
    return _UNTAGGABLE.sub("_", tag)[:255]


def _only_in_unity(contract: Contract) -> list[str]:
    keys = [rule.id for rule in contract.rules if isinstance(rule, Relationship)]
    found = [f"primary key ({', '.join(contract.primary_key)})"] if contract.primary_key else []
    found += [f"foreign key {key}" for key in keys]
    return [f"{what}: only Unity Catalog takes it" for what in found]
