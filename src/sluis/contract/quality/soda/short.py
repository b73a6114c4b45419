"""Checks in the form of Soda's first contracts, which ODCS and DCS have as examples (`type: missing_count`)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sluis.contract.document import shown_value
from sluis.contract.quality.scope import Item
from sluis.contract.quality.soda.grammar import Measure, NotRead
from sluis.contract.quality.soda.metrics import is_number
from sluis.contract.rules import Operator, Threshold

Options = Mapping[str, Any]


def parse(said: Options, item: Item) -> tuple[Measure, Options]:
    """A check in the form of Soda's first contracts (`type: missing_count`, `must_be: 0`).

    Returns:
        What is measured; and the other keys, as SodaCL writes them.

    Raises:
        NotRead: it has no threshold, or more than one.
    """
    metric, expected = said["type"], None
    if isinstance(metric, str) and metric in _NONE:
        metric, expected = _NONE[metric], Threshold(operator="=", values=(Decimal(0),))
    for key in [key for key in said if key in _MUST]:
        if expected is not None:
            raise NotRead("it has more than one threshold")
        expected = _must(key, said[key], percent=str(metric).endswith("_percent"))
    named = said.get("columns", said.get("column", _own(item)))
    arguments = named if isinstance(named, list) else [named]
    if not isinstance(metric, str) or not all(isinstance(name, str) for name in arguments):
        raise NotRead("its type and its columns are names")
    rest = {key.replace("_", " "): value for key, value in said.items() if key not in (*_MUST, *_SHORT)}
    return Measure(metric=metric, arguments=tuple(arguments), expected=expected), rest


def _own(item: Item) -> list[str]:
    """The document's name of the column that the item stands at."""
    return [name for name, column in item.scope.columns.items() if column == item.scope.column]


_SHORT = ("type", "column", "columns")

_MUST: dict[str, Operator] = {
    "must_be": "=",
    "must_not_be": "!=",
    "must_be_greater_than": ">",
    "must_be_greater_than_or_equal_to": ">=",
    "must_be_less_than": "<",
    "must_be_less_than_or_equal_to": "<=",
    "must_be_between": "between",
    "must_be_not_between": "not between",
}

_NONE = {
    "no_duplicate_values": "duplicate_count",
    "no_invalid_values": "invalid_count",
    "no_missing_values": "missing_count",
}


def _must(key: str, value: Any, *, percent: bool) -> Threshold:
    operator = _MUST[key]
    numbers = value if operator.endswith("between") else [value]
    ends = 2 if operator.endswith("between") else 1
    if not isinstance(numbers, list) or len(numbers) != ends or not all(is_number(number) for number in numbers):
        raise NotRead(f"`{key}` is {shown_value(value)}")
    values = tuple(Decimal(number) for number in numbers)
    if values != tuple(sorted(values)):
        raise NotRead("the range ends before it starts")
    return Threshold(operator=operator, values=values, percent=percent)
