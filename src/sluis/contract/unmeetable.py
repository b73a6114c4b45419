"""Demands that nothing can meet: two that exclude each other, or a number of rows that cannot be.

A contract that has one was not meant so, and every file would be turned away by it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from sluis.contract import spans, telling, values
from sluis.contract.document import shown_value
from sluis.contract.logical import LogicalType, at
from sluis.contract.rules import (
    ColumnRule,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    Rule,
    Size,
    Valid,
)

Lowest = Minimum | MinLength
"""What a value must reach."""

Highest = Maximum | MaxLength
"""What a value must not pass."""


def faults(rules: Sequence[Rule], kinds: Mapping[str, LogicalType]) -> Iterator[tuple[str, str]]:
    """Find them.

    Args:
        rules: What a contract demands.
        kinds: The types of its columns.

    Yields:
        Where one stands (`Rule.path`), and what is wrong with it.
    """
    together: dict[tuple[str, tuple[str, ...]], list[ColumnRule]] = defaultdict(list)
    for rule in rules:
        if rule.allowed is not None and not spans.any_meets(rule.allowed):
            yield rule.path, f"no number of rows is {telling.threshold_told(rule.allowed)}"
        if isinstance(rule, ColumnRule) and rule.allowed is None and rule.column in kinds:
            together[rule.column, rule.inner].append(rule)
        if isinstance(rule, Valid) and rule.column in kinds:
            yield from _excluded(rule.demands, at(kinds[rule.column], rule.inner))
    for (column, inner), demands in together.items():
        yield from _excluded(demands, at(kinds[column], inner))


def _excluded(demands: Sequence[ColumnRule], kind: LogicalType) -> Iterator[tuple[str, str]]:
    """What excludes each other among the demands of one value."""
    lows = [rule for rule in demands if isinstance(rule, Lowest)]
    highs = [rule for rule in demands if isinstance(rule, Highest)]
    sizes = [rule for rule in demands if isinstance(rule, Size)]
    for low, high in product(lows, highs):
        if _crossed(low, high, kind):
            yield high.path, f"no value is {_told(low)} and {_told(high)}"
    least = max((rule.min for rule in sizes if rule.min is not None), default=0)
    for size in sizes:
        if size.max is not None and size.max < least:
            yield size.path, f"nothing has at least {least} and at most {size.max} members"


def _crossed(low: Lowest, high: Highest, kind: LogicalType) -> bool:
    if isinstance(low, MinLength) != isinstance(high, MaxLength):
        return False
    bottom, top = _measured(low, kind), _measured(high, kind)
    if bottom is None or top is None:
        return False  # no value of the type, which was told already
    return bool(bottom > top or (bottom == top and (_is_out(low) or _is_out(high))))


def _measured(rule: Lowest | Highest, kind: LogicalType) -> Any:
    """A limit as what can be compared: a length, or a value of the type."""
    return rule.limit if isinstance(rule, MinLength | MaxLength) else values.parsed(kind.name, rule.limit)


def _is_out(rule: Lowest | Highest) -> bool:
    return isinstance(rule, Minimum | Maximum) and rule.exclusive


def _told(rule: Lowest | Highest) -> str:
    if isinstance(rule, MinLength | MaxLength):
        return f"{'at least' if isinstance(rule, MinLength) else 'at most'} {rule.limit} characters long"
    if rule.exclusive:
        return f"{'above' if isinstance(rule, Minimum) else 'below'} {shown_value(rule.limit)}"
    return f"{'at least' if isinstance(rule, Minimum) else 'at most'} {shown_value(rule.limit)}"
