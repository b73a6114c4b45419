"""Rules → quality items of ODCS 3.2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from sluis.contract.document import Document
from sluis.contract.rules import (
    Enum,
    Filled,
    Gx,
    NotMissing,
    Pattern,
    RowCount,
    RowCountIs,
    Rule,
    Sql,
    Threshold,
    Unique,
    Valid,
)

_OPERATORS = {
    "=": "mustBe",
    "!=": "mustNotBe",
    ">": "mustBeGreaterThan",
    ">=": "mustBeGreaterOrEqualTo",
    "<": "mustBeLessThan",
    "<=": "mustBeLessOrEqualTo",
    "between": "mustBeBetween",
    "not between": "mustNotBeBetween",
}
"""How a number is compared → the key that says so."""

Names = Mapping[str, str]
"""Name in file and table → the document's name."""


def item(rule: Rule, stated: Names) -> Document | None:
    """The item of a rule, without id and name; None when the standard has none for it, or it needs none."""
    build = _ITEMS.get(type(rule))
    said = build(rule, stated) if build else None
    if said is None:
        return None
    return said if rule.severity == "error" else {**said, "severity": rule.severity}


def _threshold(threshold: Threshold | None) -> Document:
    if threshold is None:
        return {"mustBe": 0}
    key, numbers = _OPERATORS[threshold.operator], [_number(value) for value in threshold.values]
    if len(numbers) == 2 and numbers[0] == numbers[1]:
        # The standard wants two different ends.
        key, numbers = _OPERATORS["=" if threshold.operator == "between" else "!="], numbers[:1]
    unit = {"unit": "percent"} if threshold.percent else {}
    return {key: numbers if len(numbers) == 2 else numbers[0], **unit}


def _number(value: Decimal) -> int | Decimal:
    return int(value) if value == value.to_integral_value() else value


def _metric(name: str, rule: Rule, **arguments: Any) -> Document:
    given = {"arguments": arguments} if arguments else {}
    return {"metric": name, **given, **_threshold(rule.allowed)}


def _valid(rule: Valid, _: Names) -> Document | None:
    arguments: Document = {}
    for demand in rule.demands:
        if isinstance(demand, Enum) and "validValues" not in arguments:
            arguments["validValues"] = list(demand.values)
        elif isinstance(demand, Pattern) and "pattern" not in arguments:
            arguments["pattern"] = demand.pattern
        else:
            return None
    return _metric("invalidValues", rule, **arguments)


def _unique(rule: Unique, stated: Names) -> Document:
    return _metric("duplicateValues", rule, properties=[stated[column] for column in rule.columns])


def _row_count(rule: RowCount, _: Names) -> Document | None:
    low, high = rule.min or 0, rule.max
    if (low, high) == (1, None):
        # What every contract demands.
        return None
    if high is None:
        return {"metric": "rowCount", "mustBeGreaterOrEqualTo": low}
    ends = Threshold(operator="between", values=(Decimal(low), Decimal(high)))
    return {"metric": "rowCount", **_threshold(ends)}


def _sql(rule: Sql, _: Names) -> Document:
    return {"type": "sql", "query": rule.query, **_threshold(rule.expected)}


def _gx(rule: Gx, _: Names) -> Document:
    implementation = {"type": rule.type, "kwargs": dict(rule.kwargs)}
    return {"type": "custom", "engine": "greatExpectations", "implementation": implementation}


_ITEMS: dict[type[Rule], Callable[[Any, Names], Document | None]] = {
    Filled: lambda rule, _: _metric("nullValues", rule),
    NotMissing: lambda rule, _: _metric("missingValues", rule, missingValues=list(rule.texts)),
    Valid: _valid,
    Unique: _unique,
    RowCount: _row_count,
    RowCountIs: lambda rule, _: _metric("rowCount", rule),
    Sql: _sql,
    Gx: _gx,
}
"""Kind of rule → its item."""
