"""Two versions of a contract's columns → what differs between them, parts of nested columns included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from sluis.contract.diff.changes import Change
from sluis.contract.logical import Array, LogicalType, Map, Object
from sluis.contract.model import Column, Contract
from sluis.contract.telling import type_told


def columns_differ(old: Contract, new: Contract) -> Iterator[Change]:
    """Columns that came, went, moved or are of another type; then what is said about them."""
    before, after = ({column.name: column for column in contract.columns} for contract in (old, new))
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    renamed = dict(_renamed(old, new, gone, come))
    for name in gone:
        change, to = ("column_renamed", renamed[name]) if name in renamed else ("column_removed", None)
        told = to and f"{to} ({type_told(after[to].type)})"
        yield Change(
            change=change, subject=f"{new.object}.{name}", old=f"{name} ({type_told(before[name].type)})", new=told
        )
    for name in (name for name in come if name not in renamed.values()):
        yield Change(
            change="column_added", subject=f"{new.object}.{name}", new=f"{name} ({type_told(after[name].type)})"
        )
    both = [name for name in before if name in after]
    if both != [name for name in after if name in before]:
        yield Change(change="column_moved", subject=new.object, old=", ".join(before), new=", ".join(after))
    for name in both:
        yield from _column_differs(before[name], after[name], f"{new.object}.{name}")


def lost_and_found(old: Contract, new: Contract) -> tuple[set[str], set[str]]:
    """The names of columns that only the old contract has, and those that only the new one has."""
    before, after = ({column.name for column in contract.columns} for contract in (old, new))
    return before - after, after - before


def _renamed(old: Contract, new: Contract, gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Columns with a new name in the old place, of the same type: the place counts among columns that stayed."""
    before, after = ([column.name for column in contract.columns] for contract in (old, new))
    for name in gone:
        place = before.index(name)
        if place < len(after) and (to := after[place]) in come and old.column(name).type == new.column(to).type:
            yield name, to


def _column_differs(old: Column, new: Column, subject: str) -> Iterator[Change]:
    yield from _types_differ(old.type, new.type, subject)
    for what, before, after in (
        ("description", old.description, new.description),
        ("classification", old.classification, new.classification),
        ("tags", ", ".join(old.tags) or None, ", ".join(new.tags) or None),
        ("logical name", old.logical_name, new.logical_name),
    ):
        if before != after:
            yield Change(change="words_changed", subject=f"{what} of {subject}", old=before, new=after)
    if old.sensitive != new.sensitive:
        yield Change(change="privacy_changed", subject=subject, old=_privacy(old), new=_privacy(new))


def _privacy(column: Column) -> str:
    return "values are never shown" if column.sensitive else "values may be shown"


def _types_differ(old: LogicalType, new: LogicalType, subject: str) -> Iterator[Change]:
    if old == new:
        return
    if isinstance(old, Object) and isinstance(new, Object):
        yield from _fields_differ(old, new, subject)
    elif isinstance(old, Array) and isinstance(new, Array):
        yield from _types_differ(old.items, new.items, f"{subject}.[]")
    elif isinstance(old, Map) and isinstance(new, Map):
        yield from _types_differ(old.keys, new.keys, f"{subject}.{{keys}}")
        yield from _types_differ(old.values, new.values, f"{subject}.{{}}")
    else:
        same = _in_table(old) == _in_table(new)
        yield Change(
            change="text_changed" if same else "type_changed", subject=subject, old=type_told(old), new=type_told(new)
        )


def _in_table(logical: LogicalType) -> LogicalType:
    """The type without what only says how its text is written."""
    own = {field.name for field in fields(logical)}
    plain = {"format": None, "zone": "UTC"}
    return replace(logical, **{name: value for name, value in plain.items() if name in own})


def _fields_differ(old: Object, new: Object, subject: str) -> Iterator[Change]:
    before, after = ({field.name: field for field in logical.fields} for logical in (old, new))
    for name, field in before.items():
        inner = f"{subject}.{name}"
        if name not in after:
            yield Change(change="column_removed", subject=inner, old=f"{name} ({type_told(field.type)})")
            continue
        twin = after[name]
        yield from _types_differ(field.type, twin.type, inner)
        if field.required != twin.required:
            change = "nullable" if field.required else "not_nullable"
            yield Change(change=change, subject=inner, old=null_told(field.required), new=null_told(twin.required))
        if field.description != twin.description:
            yield Change(
                change="words_changed", subject=f"description of {inner}", old=field.description, new=twin.description
            )
    for name in (name for name in after if name not in before):
        yield Change(change="column_added", subject=f"{subject}.{name}", new=f"{name} ({type_told(after[name].type)})")


def null_told(required: bool) -> str:
    """Whether a value must be there."""
    return "never NULL" if required else "may be NULL"
