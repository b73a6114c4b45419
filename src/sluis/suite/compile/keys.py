"""Rules about rows that share values, and about rows of other tables."""

from __future__ import annotations

from typing import Any

from sluis.contract.model import Contract
from sluis.contract.rules import PrimaryKey, Relationship, Unique
from sluis.suite.compile.registry import Words, compiles
from sluis.suite.compile.wording import listed, typed


def _key(columns: tuple[str, ...], contract: Contract) -> dict[str, Any]:
    return {"columns": [typed(column, contract) for column in columns]}


@compiles(Unique)
def _unique(rule: Unique, contract: Contract) -> Words:
    return Words(
        demand=f"No two rows share {listed(rule.columns)}",
        violated=f"Duplicate values found in {listed(rule.columns)}",
        kwargs=_key(rule.columns, contract),
    )


@compiles(PrimaryKey)
def _primary_key(rule: PrimaryKey, contract: Contract) -> Words:
    return Words(
        demand=f"{listed(rule.columns)} identifies a row: no two rows share it",
        violated=f"Duplicate values found in {listed(rule.columns)}",
        kwargs=_key(rule.columns, contract),
    )


@compiles(Relationship)
def _relationship(rule: Relationship, contract: Contract) -> Words:
    there = f"{rule.to} ({listed(rule.to_columns)})"
    return Words(
        demand=f"{listed(rule.columns)}, where it is there, is also in {there}",
        violated=f"Values of {listed(rule.columns)} are not in {there}",
        kwargs={**_key(rule.columns, contract), "to": rule.to, "to_columns": list(rule.to_columns)},
    )
