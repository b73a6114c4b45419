"""The metrics of SodaCL → rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sluis.contract import stated
from sluis.contract.document import did_you_mean, listed, shown_value
from sluis.contract.logical import LogicalType, String
from sluis.contract.pattern import PatternError, to_java
from sluis.contract.quality.scope import Item
from sluis.contract.quality.soda.grammar import Measure, NotRead
from sluis.contract.rules import (
    ColumnRule,
    Enum,
    Filled,
    Format,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    NotMissing,
    Pattern,
    RowCountIs,
    Rule,
    Scalar,
    Unique,
    Valid,
)

Options = Mapping[str, Any]


def rules(measure: Measure, options: Options, item: Item) -> Iterator[Rule]:
    """The rule of a check.

    Args:
        measure: What is measured, with a threshold.
        options: The keys below the check that could change what it means.
        item: Its place.

    Raises:
        NotRead: the metric or an option is none of those that are read.
    """
    if measure.metric not in _METRICS:
        raise NotRead(f"Sluis does not read the metric `{measure.metric}`")
    rule, known = _METRICS[measure.metric]
    if unknown := [key for key in options if key not in known]:
        raise NotRead(f"Sluis does not read {listed(unknown)}")
    yield from rule(measure, options, item)


def columns(named: tuple[str, ...], item: Item) -> tuple[str, ...]:
    """The columns of that name in file and table; none, and a problem, when one is not there."""
    known = item.scope.columns
    for name in named:
        if name not in known:
            item.notes.problem(item.at, f"`{name}` is not one of the columns", listed(known), did_you_mean(name, known))
            return ()
    return tuple(known[name] for name in named)


def _row_count(measure: Measure, _: Options, item: Item) -> Iterator[Rule]:
    if measure.arguments:
        raise NotRead("`row_count` takes no column")
    yield RowCountIs(**item.place("row_count"), allowed=measure.expected)


def _duplicate(measure: Measure, _: Options, item: Item) -> Iterator[Rule]:
    if not measure.arguments:
        raise NotRead("it names no column")
    if found := columns(measure.arguments, item):
        on = _on(item, measure.arguments[0]) if len(found) == 1 else item
        yield Unique(**on.place("duplicate_values"), allowed=measure.expected, columns=found)


def _missing(measure: Measure, options: Options, item: Item) -> Iterator[Rule]:
    if "missing values" in options:
        texts = tuple(_text(value) for value in _members(options["missing values"], "missing values"))
        for on in _at_column(measure, item):
            yield NotMissing(**on.on_column("missing_values", measure.expected), texts=texts)
    else:
        for on in _at_column(measure, item):
            yield Filled(**on.on_column("null_values", measure.expected))


def _invalid(measure: Measure, options: Options, item: Item) -> Iterator[Rule]:
    if not options:
        raise NotRead("it does not say what is valid")
    for on in _at_column(measure, item):
        kind = on.scope.types.get(on.scope.column or "", String())
        asked = [demand for key, build in _VALID.items() if key in options for demand in build(options[key], kind)]
        place = on.on_column("invalid_values", measure.expected)
        # Rules inside of a rule have its place, and no threshold and id of their own.
        shared = {key: place[key] for key in ("id", "path", "severity", "column", "inner")}
        yield Valid(**place, demands=tuple(rule(**shared, **fields) for rule, fields in asked))


_Demand = tuple[type[ColumnRule], dict[str, Any]]
"""A rule about a valid value, and its own fields."""


def is_number(value: object) -> bool:
    """Whether an option is a number that can be compared with."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool) and Decimal(value).is_finite()


def _valid_values(value: Any, kind: LogicalType) -> list[_Demand]:
    members = [stated.scalar(member, kind) for member in _members(value, "valid values")]
    if None in members:
        raise NotRead(f"`valid values` has members that no value of the column can equal: {shown_value(value)}")
    return [(Enum, {"values": tuple(members)})]


def _valid_regex(value: Any, kind: LogicalType) -> list[_Demand]:
    _text_only("valid regex", kind)
    try:
        to_java(str(value))
    except PatternError as error:
        raise NotRead(f"`{value}`: {error}") from None
    return [(Pattern, {"pattern": str(value)})]


def _valid_format(value: Any, kind: LogicalType) -> list[_Demand]:
    _text_only("valid format", kind)
    if value in _PATTERNS:
        return [(Pattern, {"pattern": _PATTERNS[value]})]
    if value not in _FORMATS:
        raise NotRead(f"Sluis does not read the format {shown_value(value)}")
    return [(Format, {"format": _FORMATS[value]})]


_FORMATS = {
    "email": "email",
    "uuid": "uuid",
    "ip address": "ipv4",
    "ipv4 address": "ipv4",
    "ipv6 address": "ipv6",
}
_PATTERNS = {
    "integer": r"^\s*[-+]?[0-9]+\s*$",
    "positive integer": r"^\s*\+?[0-9]+\s*$",
    "negative integer": r"^\s*-[0-9]+\s*$",
}
"""Soda's formats that are a shape of text."""


def _bound(rule: type[ColumnRule], key: str) -> Callable[[Any, LogicalType], list[_Demand]]:
    def build(value: Any, kind: LogicalType) -> list[_Demand]:
        limit = stated.scalar(value, kind) if is_number(value) and not isinstance(kind, String) else None
        if limit is None:
            raise NotRead(f"`{key}` is {shown_value(value)}, and the column's type is {kind.name}")
        return [(rule, {"limit": limit})]

    return build


def _length(*kinds: type[ColumnRule], key: str) -> Callable[[Any, LogicalType], list[_Demand]]:
    def build(value: Any, kind: LogicalType) -> list[_Demand]:
        _text_only(key, kind)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise NotRead(f"`{key}` is {shown_value(value)}")
        return [(rule, {"limit": value}) for rule in kinds]

    return build


_VALID: dict[str, Callable[[Any, LogicalType], list[_Demand]]] = {
    "valid values": _valid_values,
    "valid regex": _valid_regex,
    "valid format": _valid_format,
    "valid min": _bound(Minimum, "valid min"),
    "valid max": _bound(Maximum, "valid max"),
    "valid length": _length(MinLength, MaxLength, key="valid length"),
    "valid min length": _length(MinLength, key="valid min length"),
    "valid max length": _length(MaxLength, key="valid max length"),
}

_Builder = Callable[[Measure, Options, Item], Iterator[Rule]]

_METRICS: dict[str, tuple[_Builder, tuple[str, ...]]] = {
    "row_count": (_row_count, ()),
    "missing_count": (_missing, ("missing values",)),
    "missing_percent": (_missing, ("missing values",)),
    "duplicate_count": (_duplicate, ()),
    "duplicate_percent": (_duplicate, ()),
    "invalid_count": (_invalid, tuple(_VALID)),
    "invalid_percent": (_invalid, tuple(_VALID)),
}
"""Metric → what makes its rule, and the options that it knows."""


def _at_column(measure: Measure, item: Item) -> Iterator[Item]:
    """The item at the one column that is measured; nothing, and a problem, when that is not there."""
    if len(measure.arguments) != 1:
        raise NotRead(f"`{measure.metric}` takes one column")
    if columns(measure.arguments, item):
        yield _on(item, measure.arguments[0])


def _on(item: Item, name: str) -> Item:
    """The item as one that stands at a column, so that it gives the rule that it would give there."""
    column = item.scope.columns[name]
    if item.scope.column == column:
        return item
    scope = replace(item.scope, id=(item.scope.object, name), column=column, inner=())
    return replace(item, scope=scope)


def _text_only(key: str, kind: LogicalType) -> None:
    if not isinstance(kind, String):
        raise NotRead(f"`{key}` is for text, and the column's type is {kind.name}")


def _members(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list) or not value or any(isinstance(member, list | dict) for member in value):
        raise NotRead(f"`{key}` is {shown_value(value)}")
    return value


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
