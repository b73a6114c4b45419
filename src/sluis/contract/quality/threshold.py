"""A quality item's operator and unit → what its number must be."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sluis.contract.document import Parts, listed, shown_value
from sluis.contract.notes import Notes
from sluis.contract.quality.scope import Unsupported
from sluis.contract.rules import Operator, Threshold
from sluis.contract.stated import decimal

OPERATORS: dict[str, Operator] = {
    "mustBe": "=",
    "mustNotBe": "!=",
    "mustBeGreaterThan": ">",
    "mustBeGreaterOrEqualTo": ">=",
    "mustBeLessThan": "<",
    "mustBeLessOrEqualTo": "<=",
    "mustBeBetween": "between",
    "mustNotBeBetween": "not between",
    # DCS 1.1 to 1.2.0 wrote these so, and people still do.
    "mustBeGreaterThanOrEqualTo": ">=",
    "mustBeLessThanOrEqualTo": "<=",
}
"""Key of a quality item → how its number is compared. ODCS describes `between` both ways; its table of operators and
other tools count both ends in."""

_ROWS = ("", "row", "rows", "record", "records", "count")
_PERCENT = ("percent", "percentage", "pct", "%")


def operators(item: Mapping[str, Any]) -> list[str]:
    """The keys of an item that say what its number must be."""
    return [key for key in item if key in OPERATORS]


def of(item: Mapping[str, Any], at: Parts, notes: Notes, *, counts_rows: bool = True) -> Threshold | None:
    """The threshold of an item; None when it has no operator.

    Args:
        item: The quality item.
        at: Where it stands.
        notes: Faults go here.
        counts_rows: Whether the number counts rows, so that a unit applies and it is never negative or true.

    Raises:
        Unsupported: a unit or a value that cannot be compared with, which the standard allows all the same.
    """
    percent = counts_rows and _is_percent(item.get("unit"))
    keys = operators(item)
    if len(keys) > 1:
        for key in keys[1:]:
            notes.problem((*at, key), f"`{keys[0]}` is there already", "one operator", "make two items of it.")
        return None
    if not keys:
        return None
    key = keys[0]
    stated = item[key]
    values = stated if OPERATORS[key].endswith("between") else [stated]
    if not isinstance(values, list) or len(values) != (2 if OPERATORS[key].endswith("between") else 1):
        notes.problem((*at, key), f"found {shown_value(stated)}", "a list of two numbers, the smaller one first")
        return None
    numbers = tuple(_number(value, key, counts_rows=counts_rows) for value in values)
    if any(isinstance(value, str) for value in values):
        notes.odd((*at, key), "read as a number")
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        notes.problem((*at, key), "the smaller number comes first", hint="exchange the two.")
    return Threshold(operator=OPERATORS[key], values=tuple(sorted(numbers)), percent=percent)


def _is_percent(unit: object) -> bool:
    named = str(unit or "").strip().lower()
    if named not in (*_ROWS, *_PERCENT):
        raise Unsupported(f"the unit {shown_value(unit)} is none of {listed((*_ROWS[1:], *_PERCENT))}")
    return named in _PERCENT


def _number(value: object, key: str, *, counts_rows: bool) -> Decimal:
    if isinstance(value, bool) and not counts_rows:
        # A query may give true or false, which count as one and zero.
        return Decimal(int(value))
    if (number := decimal(value)) is not None:
        return number
    raise Unsupported(f"`{key}` is {shown_value(value)}, which is no number")
