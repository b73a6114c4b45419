"""Fields that a nested column lacks, as statements that add them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sluis import lexical
from sluis.contract import physical
from sluis.contract.logical import Array, LogicalType, Map, Object
from sluis.table.names import quote

Path = tuple[str, ...]


class Missing(NamedTuple):
    """A field to add."""

    path: Path
    """The column and the steps to the field."""

    logical: LogicalType
    """What it holds."""

    after: str | None
    """The field before it; None when it is the first."""

    @property
    def definition(self) -> str:
        """The field in the list of columns to add."""
        place = "FIRST" if self.after is None else f"AFTER {quote(self.after)}"
        return f"{'.'.join(map(quote, self.path))} {lexical.spark_type(self.logical)} {place}"


def missing(column: str, before: str, after: str) -> list[Missing]:
    """The fields by which a column's type falls short of another; none where they differ in anything else.

    Args:
        column: The column.
        before: The type that it has, as Spark writes it.
        after: The type that it should have.
    """
    actual, wanted = physical.parse(before), physical.parse(after)
    if actual is None or wanted is None:
        return []
    try:
        return list(_missing((column,), actual.kind, wanted.kind))
    except _Otherwise:
        return []


class _Otherwise(Exception):
    """The types differ in something else than missing fields."""


def _missing(path: Path, before: LogicalType, after: LogicalType) -> Iterator[Missing]:
    if isinstance(before, Object) and isinstance(after, Object):
        yield from _fields(path, before, after)
    elif isinstance(before, Array) and isinstance(after, Array):
        yield from _missing((*path, "element"), before.items, after.items)
    elif isinstance(before, Map) and isinstance(after, Map) and before.keys == after.keys:
        yield from _missing((*path, "value"), before.values, after.values)
    elif before != after:
        raise _Otherwise


def _fields(path: Path, before: Object, after: Object) -> Iterator[Missing]:
    known = {field.name: field.type for field in before.fields}
    if list(known) != [field.name for field in after.fields if field.name in known]:
        raise _Otherwise
    previous = None
    for field in after.fields:
        if field.name in known:
            yield from _missing((*path, field.name), known[field.name], field.type)
        else:
            yield Missing((*path, field.name), field.type, previous)
        previous = field.name
