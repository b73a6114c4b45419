"""What the fields of a DCS model demand, key by key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sluis.contract import demands, names, quality
from sluis.contract.confidential import is_sensitive
from sluis.contract.dcs import keys as dcs_keys
from sluis.contract.dcs import types as dcs_types
from sluis.contract.dcs.fields import Field
from sluis.contract.demands import NUMBERS, TIMES, Builder, Spot
from sluis.contract.document import Parts, json_path
from sluis.contract.logical import Array, LogicalType, Map, Object, String
from sluis.contract.rules import Maximum, MaxLength, Minimum, MinLength, Required, Rule, TypeOf

_INFORMS = ("title", "description", "example", "examples", "tags", "links", "lineage")
"""Keys of a field that only inform."""

_HOLDERS: dict[str, type[LogicalType]] = {"fields": Object, "items": Array, "keys": Map, "values": Map}
"""Key that tells of a column's parts → the type that has such parts."""


def rules(spot: Spot, of: Field, key_at: Parts | None = None) -> Iterator[Rule]:
    """The rules of a field by itself, and of all that is in it; every key is claimed.

    Args:
        spot: The column, or the part of one.
        of: What the document says of it.
        key_at: Where the primary key is stated, for a column that is part of it.
    """
    _claim(spot, of)
    yield from _required(spot, of, key_at)
    yield from _type(spot, of)
    for key, build in _KEYS.items():
        if key in of.values:
            yield from build(spot, key, of.values[key])
    if "quality" in of.values:
        yield from quality.rules(of.values["quality"], of.places["quality"], spot.scope, spot.notes)
    yield from _inside(spot, of)


def sensitive(field: Field) -> bool:
    """Whether the values of a field, or of anything in it, are never shown."""
    if field.values.get("pii") is True or is_sensitive(
        field.values.get("classification"), field.values.get("tags", ())
    ):
        return True
    return any(sensitive(inner) for inner in (*field.fields.values(), *field.parts.values()))


def _claim(spot: Spot, of: Field) -> None:
    """Claim the keys that make no rule."""
    notes = spot.notes
    notes.parts(of.at)
    for key in _INFORMS:
        if key in of.values:
            spot.told(key)
    if "$ref" in of.values:
        notes.enforced(of.places["$ref"], "what the definition demands is demanded here")
    for key, place in of.places.items():
        if place[-1:] == ("$ref",) and key not in (*KNOWN, "$ref", "name", "domain"):
            spot.idle(key, "Sluis does not know this key")
    for key, kind in _HOLDERS.items():
        if key in of.values and isinstance(spot.kind, kind):
            notes.parts(of.places[key])
        elif key in of.values:
            spot.idle(key, f"values of type `{spot.kind.name}` have no {key}")
    for key in ("pii", "classification"):
        hides = of.values.get(key) is True if key == "pii" else is_sensitive(of.values.get(key))
        if key in of.values and hides:
            notes.enforced(of.places[key], "its values are never shown")
        elif key in of.values:
            spot.told(key, "its values may be shown")


def _required(spot: Spot, of: Field, key_at: Parts | None) -> Iterator[Rule]:
    if of.values.get("required") is True:
        yield Required(**spot.place("required", "required"))
    elif "required" in of.values:
        spot.told("required", "the primary key forbids NULL all the same" if key_at else "NULL is allowed")
    if key_at and of.values.get("required") is not True:
        path = json_path(key_at)
        yield Required(id=spot.notes.rule_id(*spot.scope.id, "required"), path=path, column=spot.scope.column or "")


def _type(spot: Spot, of: Field) -> Iterator[Rule]:
    if "type" in of.values:
        note = "any text is a string" if isinstance(spot.kind, String) else "by the column's type"
        if of.values["type"] != "null":
            spot.notes.enforced(of.places["type"], note)
    if not spot.scope.inner and not isinstance(spot.kind, String):
        path = json_path(of.places.get("type", of.at))
        yield TypeOf(id=spot.notes.rule_id(*spot.scope.id, "type"), path=path, column=spot.scope.column or "")
    if (longest := dcs_types.own_longest(of)) is not None and "maxLength" not in of.values:
        yield MaxLength(**spot.place("max_length", "type"), limit=longest)
        return
    longest = dcs_types.longest(of)
    if longest is not None and isinstance(spot.kind, String) and "maxLength" not in of.values:
        yield MaxLength(
            **{**spot.place("max_length", "config"), "path": json_path(dcs_types.written_at(of))}, limit=longest
        )


def _bound(rule: type[Minimum | Maximum], kind: str, *, exclusive: bool) -> Builder:
    build = demands.bound(rule, kind, exclusive=exclusive)

    def of_number(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
        if isinstance(spot.kind, NUMBERS):
            yield from build(spot, key, value)
        else:
            spot.idle(key, "the standard has bounds for numbers only")

    return of_number


def _form(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
    # Dates and times claimed theirs with their type.
    if not isinstance(spot.kind, TIMES):
        yield from demands.form(spot, key, value)


_KEYS: dict[str, Builder] = {
    "pattern": demands.pattern,
    "minLength": demands.length(MinLength, "min_length"),
    "maxLength": demands.length(MaxLength, "max_length"),
    "minimum": _bound(Minimum, "minimum", exclusive=False),
    "exclusiveMinimum": _bound(Minimum, "exclusive_minimum", exclusive=True),
    "maximum": _bound(Maximum, "maximum", exclusive=False),
    "exclusiveMaximum": _bound(Maximum, "exclusive_maximum", exclusive=True),
    "enum": demands.enum,
    "format": _form,
}
"""Key → what makes its rule."""

KNOWN = (
    *(*_INFORMS, *_KEYS, *_HOLDERS, "classification", "config", "pii", "precision", "primary", "primaryKey"),
    *("quality", "references", "required", "scale", "type", "unique"),
)
"""Keys of a field that are read."""


def _inside(spot: Spot, of: Field) -> Iterator[Rule]:
    """The rules of what a column consists of."""
    kind = spot.kind

    def part(field: Field, kind: LogicalType, step: str, name: str) -> Iterator[Rule]:
        scope = replace(spot.scope, id=(*spot.scope.id, name), inner=(*spot.scope.inner, step), type=kind)
        dcs_keys.inner(field, spot.notes)
        yield from rules(replace(spot, field=field, kind=kind, scope=scope), field)

    if isinstance(kind, Object):
        members = list(of.fields)
        for index, reason in dict(names.faults(members)).items():
            spot.notes.problem(of.fields[members[index]].at, reason)
        for member in (member for member in kind.fields if member.name in of.fields):
            yield from part(of.fields[member.name], member.type, member.name, member.name)
    if isinstance(kind, Array) and "items" in of.parts:
        yield from part(of.parts["items"], kind.items, "[]", "items")
    if isinstance(kind, Map):
        for key, step, inside in (("keys", "{k}", kind.keys), ("values", "{}", kind.values)):
            if key in of.parts:
                yield from part(of.parts[key], inside, step, key)
