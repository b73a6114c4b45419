"""Rules that a contract keeps without having them: by another rule, by a column's type, or as they ask for nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from sluis.contract.diff.strength import value_of
from sluis.contract.logical import LogicalType
from sluis.contract.model import Contract
from sluis.contract.rules import (
    ColumnRule,
    Enum,
    Filled,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    PrimaryKey,
    Required,
    RowCount,
    RowCountIs,
    Rule,
    Scalar,
    Size,
    TypeOf,
    Unique,
)
from sluis.contract.spans import takes_all
from sluis.contract.telling import columns_of

WEIGHT = {"error": 2, "warning": 1, "info": 0}
"""How much a severity keeps out."""


def asks_nothing(rule: Rule) -> bool:
    """Whether every row keeps a rule, or its column's type, which is compared by itself, says the same.

    Every contract says how many rows there must be, so that rules about that always have a twin.
    """
    if isinstance(rule, RowCount | RowCountIs):
        return False
    is_idle = (isinstance(rule, MinLength) and rule.limit <= 0) or (
        isinstance(rule, Size) and not rule.min and rule.max is None
    )
    return is_idle or isinstance(rule, TypeOf) or takes_all(rule.allowed)


def is_covered(rule: Rule, contract: Contract, logical: LogicalType | None) -> bool:
    """Whether a contract guarantees what a rule demands by another rule that demands more.

    Args:
        rule: The rule, which the contract does not have.
        contract: The contract.
        logical: The type of the values that the rule is about.
    """
    if rule.allowed is not None and not rule.allowed.holds(0):
        return False
    others = (other for other in contract.rules if WEIGHT[other.severity] >= WEIGHT[rule.severity])
    return any(_covers(other, rule, logical) for other in others)


def _covers(other: Rule, rule: Rule, logical: LogicalType | None) -> bool:
    if other.allowed is not None:
        return False
    if isinstance(rule, Unique):
        return isinstance(other, PrimaryKey) and set(other.columns) <= set(rule.columns)
    if not isinstance(rule, ColumnRule) or columns_of(other) != columns_of(rule):
        return False
    if isinstance(rule, Filled):
        return isinstance(other, Required)
    meets = _MEETS.get(type(rule))
    return isinstance(other, Enum) and meets is not None and all(meets(rule, value, logical) for value in other.values)


def _has_length(rule: MinLength | MaxLength, value: Scalar, _: LogicalType | None) -> bool:
    size = len(str(value))
    return size >= rule.limit if isinstance(rule, MinLength) else size <= rule.limit


def _is_within(rule: Minimum | Maximum, value: Scalar, logical: LogicalType | None) -> bool:
    try:
        held, limit = value_of(logical, value), value_of(logical, rule.limit)
        if held == limit:
            return not rule.exclusive
        return bool(held > limit) == isinstance(rule, Minimum)
    except TypeError:
        return False


def _is_multiple(rule: MultipleOf, value: Scalar, _: LogicalType | None) -> bool:
    return isinstance(value, int | Decimal) and Decimal(value) % Decimal(rule.divisor) == 0


_MEETS: Mapping[type[Rule], Callable[[Any, Scalar, LogicalType | None], bool]] = {
    MinLength: _has_length,
    MaxLength: _has_length,
    Minimum: _is_within,
    Maximum: _is_within,
    MultipleOf: _is_multiple,
}
"""Kind of rule → whether a value of an enum keeps it."""
