"""Logical types and thresholds as the suite's JSON holds them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sluis.contract import logical
from sluis.contract.logical import LogicalType, String
from sluis.contract.rules import Threshold

Told = dict[str, Any]
"""A type or a threshold in JSON."""

_KINDS: dict[str, type[LogicalType]] = {kind.name: kind for kind in LogicalType.__subclasses__()}


def told(kind: LogicalType) -> Told:
    """A type: its name, the pattern of its text, and whatever else it has beyond what every such type has."""
    more = {
        field.name: _part(value)
        for field in fields(kind)
        if field.name != "format" and (value := getattr(kind, field.name)) != _usual(field)
    }
    pattern = getattr(kind, "format", None)
    return {
        "logical_type": kind.name,
        **({"format": pattern} if pattern else {}),
        **({"parameters": more} if more else {}),
    }


def meant(spec: Mapping[str, Any]) -> LogicalType:
    """The type that an expectation's arguments name; text where they name none."""
    kind = _KINDS[spec.get("logical_type", String.name)]
    pattern = {"format": spec["format"]} if spec.get("format") and kind is not String else {}
    return kind(**pattern, **{name: _whole(value) for name, value in (spec.get("parameters") or {}).items()})


def _usual(field: Field[Any]) -> Any:
    # The digits of a decimal are always told.
    return None if field.default is MISSING or field.name in ("precision", "scale") else field.default


def _part(value: Any) -> Any:
    if isinstance(value, LogicalType):
        return told(value)
    if isinstance(value, tuple):
        return [{"name": one.name, **told(one.type), **({"required": True} if one.required else {})} for one in value]
    return value


def _whole(value: Any) -> Any:
    if isinstance(value, Mapping):
        return meant(value)
    if isinstance(value, list):
        return tuple(
            logical.Field(name=one["name"], type=meant(one), required=one.get("required", False)) for one in value
        )
    return value


def threshold(allowed: Threshold) -> Told:
    """A threshold; its numbers as text, so that they stay exact."""
    found: Told = {"operator": allowed.operator, "values": [str(value) for value in allowed.values]}
    return {**found, "percent": True} if allowed.percent else found


_WORDS = {
    "=": "exactly {}",
    "!=": "any number but {}",
    "<": "fewer than {}",
    "<=": "at most {}",
    ">": "more than {}",
    ">=": "at least {}",
    "between": "{} to {}",
    "not between": "fewer than {} or more than {}",
}


def in_words(allowed: Mapping[str, Any]) -> str:
    """A threshold as a person reads it (`fewer than 5 %`)."""
    unit = " %" if allowed.get("percent") else ""
    return _WORDS[allowed["operator"]].format(*(f"{Decimal(value):f}{unit}" for value in allowed["values"]))


def meets(number: int | Decimal, allowed: Mapping[str, Any], rows: int = 0) -> bool:
    """Whether a number is what a threshold wants; exact.

    Args:
        number: A count of rows, or what a query gave.
        allowed: The threshold, as `threshold` tells it.
        rows: All rows, of which the number is a part where the threshold is a percentage; of none it is 0 %.
    """
    exact = Fraction(number)
    if allowed.get("percent"):
        exact = exact * 100 / rows if rows else Fraction(0)
    first, *rest = (Fraction(value) for value in allowed["values"])
    within = bool(rest) and first <= exact <= rest[0]
    return {
        "=": exact == first,
        "!=": exact != first,
        "<": exact < first,
        "<=": exact <= first,
        ">": exact > first,
        ">=": exact >= first,
        "between": within,
        "not between": not within,
    }[allowed["operator"]]


def allows_none(allowed: Threshold) -> bool:
    """Whether a threshold on broken rows says no more than that there may be none."""
    upper = {"=": allowed.values[0], "<=": allowed.values[0], "between": allowed.values[-1]}.get(allowed.operator)
    return upper == 0 and meets(0, threshold(allowed))
