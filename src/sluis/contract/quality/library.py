"""The library's metrics (ODCS `metric`, `rule` before 3.1) → rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sluis.contract import stated, values
from sluis.contract.document import did_you_mean, listed, shown_value
from sluis.contract.logical import String
from sluis.contract.pattern import PatternError, to_java
from sluis.contract.quality import threshold
from sluis.contract.quality.scope import Item, Unsupported
from sluis.contract.rules import (
    ColumnRule,
    Enum,
    Filled,
    NotMissing,
    Pattern,
    RowCountIs,
    Rule,
    Scalar,
    Threshold,
    Unique,
    Valid,
)

KEYS = ("metric", "rule", "arguments", "unit", "validValues", *threshold.OPERATORS)
"""Keys of an item that are part of its rule."""

DEMANDS = {
    **dict.fromkeys(("nullCheck", "notNull", "not_null"), "nullValues"),
    **dict.fromkeys(("duplicateCheck", "unique", "uniqueCheck"), "duplicateValues"),
    "validValues": "invalidValues",
}
"""Name of a rule that says without an operator that there may be none → the metric of what there may not be."""

_LEGACY = {
    **DEMANDS,
    "nullCount": "nullValues",
    **dict.fromkeys(("duplicateCount", "duplicates"), "duplicateValues"),
    "invalidCount": "invalidValues",
    "countCheck": "rowCount",
    "missingCount": "missingValues",
}
"""What `rule` was called before 3.1 fixed the metrics → the metric."""


def metric(stated: Mapping[str, Any]) -> str | None:
    """The metric that an item names, by whichever key and name; None where that is none of the library's."""
    named = str(stated["metric"]) if "metric" in stated else _current(str(stated.get("rule")))
    return named if named in _METRICS else None


def _current(name: str) -> str:
    return _LEGACY.get(name, name)


def rules(item: Item) -> Iterator[Rule]:
    """The rule of an item.

    Raises:
        Unsupported: its metric, unit or arguments are none that can be checked.
    """
    found = metric(item.raw)
    if found is None:
        named = item.raw.get("metric", item.raw.get("rule"))
        hint = did_you_mean(str(named), _METRICS)
        raise Unsupported(f"{shown_value(named)} is none of the library's metrics{'; ' + hint if hint else ''}")
    allowed = threshold.of(item.raw, item.at, item.notes)
    arguments = item.raw.get("arguments") or {}
    if not isinstance(arguments, Mapping):
        item.notes.problem((*item.at, "arguments"), f"found {shown_value(arguments)}", "an object")
        return
    build, known = _METRICS[found]
    # Before 3.1 the valid values stood beside `rule`.
    given = [*arguments, *(["validValues"] if "validValues" in item.raw else [])]
    if unknown := [key for key in given if key not in known]:
        raise Unsupported(f"the metric has no argument {listed(unknown)}")
    older = str(item.raw.get("rule", found))
    if _current(older) != found:
        raise Unsupported(f"`rule` is {shown_value(older)}, which is another metric")
    yield from build(item, allowed, arguments)


_Arguments = Mapping[str, Any]


def _null_values(item: Item, allowed: Threshold | None, _: _Arguments) -> Iterator[Rule]:
    yield Filled(**item.on_column("null_values", allowed))


def _missing_values(item: Item, allowed: Threshold | None, arguments: _Arguments) -> Iterator[Rule]:
    texts = tuple(_text(value) for value in _list(item, arguments, "missingValues") if value is not None)
    yield NotMissing(**item.on_column("missing_values", allowed), texts=texts)


def _invalid_values(item: Item, allowed: Threshold | None, arguments: _Arguments) -> Iterator[Rule]:
    place = item.on_column("invalid_values", allowed)
    # Rules inside of a rule have its place, and no threshold and id of their own.
    inner = {key: place[key] for key in ("id", "path", "severity", "column", "inner")}
    demands: list[ColumnRule] = []
    holder: _Arguments = arguments if "validValues" in arguments else item.raw
    if "validValues" in holder:
        demands.append(Enum(**inner, values=_members(item, _list(item, holder, "validValues"))))
    if "pattern" in arguments:
        demands.append(Pattern(**inner, pattern=_pattern(item, arguments["pattern"])))
    if not demands:
        raise Unsupported("neither `validValues` nor `pattern` says which values are valid")
    yield Valid(**place, demands=tuple(demands))


def _members(item: Item, listed_values: list[Any]) -> tuple[Scalar, ...]:
    """The values of a list as values of the column."""
    kind = item.scope.type or String()
    found = []
    for value in (value for value in listed_values if value is not None):
        member = stated.scalar(value, kind)
        if member is None or values.parsed(kind.name, member) is None:
            raise Unsupported(f"`validValues` has {shown_value(value)}, which no value of type `{kind.name}` can equal")
        found.append(member)
    return tuple(found)


def _pattern(item: Item, pattern: object) -> str:
    try:
        to_java(str(pattern))
    except PatternError as error:
        item.notes.problem((*item.at, "arguments", "pattern"), f"`{pattern}`: {error}")
    return str(pattern)


def _duplicate_values(item: Item, allowed: Threshold | None, arguments: _Arguments) -> Iterator[Rule]:
    named = _list(item, arguments, "properties") if "properties" in arguments else []
    if item.scope.inner:
        raise Unsupported("duplicates are counted over whole columns, not inside of them")
    columns = tuple(_column(item, name, index) for index, name in enumerate(named))
    if item.scope.column is not None and item.scope.column not in columns:
        columns = (item.scope.column, *columns)
    if not columns:
        raise Unsupported("`arguments.properties` does not say which columns")
    yield Unique(**item.place("duplicate_values"), allowed=allowed, columns=columns)


def _column(item: Item, name: object, index: int) -> str:
    """The column that an argument names, by the document's name or the file's."""
    bare = str(name).removeprefix(f"{item.scope.object}.")
    if bare in item.scope.columns:
        return item.scope.columns[bare]
    if bare not in item.scope.columns.values():
        known = listed(item.scope.columns)
        at = (*item.at, "arguments", "properties", index)
        item.notes.problem(at, f"`{name}` is not one of the columns", known, did_you_mean(bare, item.scope.columns))
    return bare


def _row_count(item: Item, allowed: Threshold | None, _: _Arguments) -> Iterator[Rule]:
    if allowed is None:
        raise Unsupported("no operator says how many rows there must be")
    if allowed.percent:
        raise Unsupported("a number of rows is no percentage of the rows")
    yield RowCountIs(**item.place("row_count"), allowed=allowed)


_METRICS: dict[str, tuple[Callable[[Item, Threshold | None, _Arguments], Iterator[Rule]], tuple[str, ...]]] = {
    "nullValues": (_null_values, ()),
    "missingValues": (_missing_values, ("missingValues",)),
    "invalidValues": (_invalid_values, ("validValues", "pattern")),
    "duplicateValues": (_duplicate_values, ("properties",)),
    "rowCount": (_row_count, ()),
}
"""Metric → what makes its rule, and the arguments that it knows."""


def _list(item: Item, holder: _Arguments, key: str) -> list[Any]:
    found = holder.get(key)
    if isinstance(found, list):
        return found
    if found is None or isinstance(found, Mapping):
        raise Unsupported(f"`{key}` is {shown_value(found)}, and not a list")
    return [found]


def _text(value: object) -> str:
    """A value as the file would write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else shown_value(value)
