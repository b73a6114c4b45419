"""Rules, thresholds and types in a few words, as one side of a difference shows them."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal

from sluis.contract.logical import Array, DecimalType, LogicalType, Map, Object
from sluis.contract.rules import ColumnRule, RowCountIs, Rule, Threshold

_SHARED = {field.name for field in fields(ColumnRule)} | {"columns", "names"}
"""What places a rule instead of saying what it demands."""

_BARE = {"limit", "pattern", "values", "divisor", "format", "query", "type", "texts"}
"""Parameters that tell themselves without their name."""


def told(rule: Rule) -> str:
    """What a rule demands: its kind, its columns and its parameters."""
    kind, columns = rule.kind.replace("_", " "), columns_of(rule)
    parts = [_parameter(field.name, getattr(rule, field.name)) for field in fields(rule) if field.name not in _SHARED]
    if isinstance(rule, RowCountIs) and rule.allowed is not None:
        return f"number of rows {threshold_told(rule.allowed)}"
    if rule.allowed is not None:
        parts.append(f"rows that may break it {threshold_told(rule.allowed)}")
    demand = f"{kind} of {', '.join(columns)}" if columns else kind
    return f"{demand}: {'; '.join(filter(None, parts))}" if any(parts) else demand


def _parameter(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return name.replace("_", " ")
    return _value(value) if name in _BARE else f"{name} {_value(value)}"


def columns_of(rule: Rule) -> tuple[str, ...]:
    """The columns that a rule is about; nothing for rules about the whole file."""
    if isinstance(rule, ColumnRule):
        return (".".join((rule.column, *rule.inner)),)
    return tuple(getattr(rule, "columns", ()))


def threshold_told(threshold: Threshold) -> str:
    """A threshold as a person reads it (`< 5 %`)."""
    numbers = " and ".join(map(_value, threshold.values))
    return f"{threshold.operator} {numbers}{' %' if threshold.percent else ''}"


def type_told(logical: LogicalType) -> str:
    """A type as a person reads it (`decimal(10,2)`, `array of date`)."""
    if isinstance(logical, DecimalType):
        return f"decimal({logical.precision},{logical.scale})"
    if isinstance(logical, Array):
        return f"array of {type_told(logical.items)}"
    if isinstance(logical, Map):
        return f"map of {type_told(logical.keys)} to {type_told(logical.values)}"
    if isinstance(logical, Object):
        return f"object of {', '.join(field.name for field in logical.fields)}"
    more = [f"written as {pattern}"] if (pattern := getattr(logical, "format", None)) else []
    more += [f"zone {zone}"] if (zone := getattr(logical, "zone", None)) else []
    return f"{logical.name} ({', '.join(more)})" if more else logical.name


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, Rule):
        return told(value)
    if isinstance(value, Threshold):
        return threshold_told(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value).lower() if isinstance(value, bool) else str(value)
