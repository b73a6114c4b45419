"""Faults of a native contract that its JSON Schema cannot express.

They are looked for in what the schema left of a document: a key may be missing, a member of a list None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sluis.contract import datetimes, names, values
from sluis.contract.document import Document, did_you_mean, listed, shown_value
from sluis.contract.logical import Boolean, Date, String, Timestamp
from sluis.contract.pattern import PatternError, to_java
from sluis.contract.shape import Fault


def faults(raw: Document) -> Iterator[Fault]:
    """All of them: names, columns, keys, counts."""
    columns = raw.get("columns", [])
    named = {index: column["name"] for index, column in enumerate(columns) if column and "name" in column}
    places = list(named)
    for position, reason in names.faults(list(named.values())):
        yield Fault(("columns", places[position], "name"), reason)
    for index, column in enumerate(columns):
        for fault in _column_faults(column or {}):
            yield fault._replace(at=("columns", index, *fault.at))
    known = list(named.values()) if columns and len(named) == len(columns) else None
    rules = raw.get("rules", {})
    yield from _key_faults(("primary_key",), raw.get("primary_key", []), known)
    yield from _unique_faults(rules.get("unique", []), known)
    count = rules.get("row_count", {})
    hint = "" if "min" in count else "`min` is 1 unless the contract says otherwise."
    yield from _order_faults(("rules", "row_count"), "min", "max", {"min": 1, **count}, hint)


def _unique_faults(entries: Sequence[Any], known: Sequence[str] | None) -> Iterator[Fault]:
    keys = [[entry] if isinstance(entry, str) else entry or [] for entry in entries]
    for index, key in enumerate(keys):
        at = ("rules", "unique", index)
        yield from _key_faults(at, key, known)
        if key and any(set(key) == set(other) for other in keys[:index]):
            yield Fault(at, f"{listed(key)} stands in `unique` twice")


def _key_faults(at: tuple[str | int, ...], key: Sequence[str | None], known: Sequence[str] | None) -> Iterator[Fault]:
    for index, name in enumerate(key):
        if name is not None and name in key[:index]:
            yield Fault(at, f"`{name}` stands twice in it")
        elif name is not None and known is not None and name not in known:
            message = f"`{name}` is not one of the contract's columns"
            yield Fault(at, message, listed(known), did_you_mean(name, known))


def _column_faults(column: Document) -> Iterator[Fault]:
    if kind := column.get("type"):
        yield from _text_key_faults(column, kind)
        yield from _value_faults(column, kind)
        yield from _format_faults(column, kind)
    yield from _order_faults((), "min_length", "max_length", column)
    if "pattern" in column and kind in (None, String.name):
        try:
            to_java(column["pattern"])
        except PatternError as error:
            yield Fault(("pattern",), f"`{column['pattern']}`: {error}")


def _text_key_faults(column: Document, kind: str) -> Iterator[Fault]:
    for key in ("pattern", "min_length", "max_length"):
        if key in column and kind != String.name:
            message = f"`{key}` is for columns of type `string`, this one is `{kind}`"
            yield Fault((key,), message, hint=_INSTEAD.get(kind, ""))


_INSTEAD = {
    "integer": "use `minimum` and `maximum`.",
    "long": "use `minimum` and `maximum`.",
    "double": "use `minimum` and `maximum`.",
    "date": "use `format`.",
    "timestamp": "use `format`.",
}


_BOUNDS = ("minimum", "maximum")


def _value_faults(column: Document, kind: str) -> Iterator[Fault]:
    for key in _BOUNDS:
        if key in column and kind in (String.name, Boolean.name):
            hint = "use `enum`, `pattern` or a length." if kind == String.name else "use `enum`."
            yield Fault((key,), f"`{key}` does not apply to a `{kind}`", hint=hint)
        elif key in column:
            yield from _value_fault((key,), kind, column[key])
    for index, member in enumerate(column.get("enum", ())):
        if member is not None:
            yield from _value_fault(("enum", index), kind, member)
    if kind not in (String.name, Boolean.name):
        bounds: Document = {key: values.parsed(kind, column[key]) for key in _BOUNDS if key in column}
        comparable = {key: bound for key, bound in bounds.items() if bound is not None}
        yield from _order_faults((), *_BOUNDS, comparable)


def _value_fault(at: tuple[str | int, ...], kind: str, value: Any) -> Iterator[Fault]:
    if values.parsed(kind, value) is None:
        yield Fault(at, f"`{shown_value(value)}` is not a value of type `{kind}`", values.MEANING[kind])


def _format_faults(column: Document, kind: str) -> Iterator[Fault]:
    if "format" not in column:
        return
    if kind not in (Date.name, Timestamp.name):
        yield Fault(("format",), f"`format` is for dates and timestamps, this column is `{kind}`")
    elif fault := datetimes.fault(column["format"], clock=kind == Timestamp.name):
        yield Fault(("format",), f"`{column['format']}`: {fault}")


def _order_faults(at: tuple[str | int, ...], low: str, high: str, found: Document, hint: str = "") -> Iterator[Fault]:
    if low in found and high in found and found[low] > found[high]:
        yield Fault((*at, high), f"`{high}` is below `{low}`", hint=hint)
