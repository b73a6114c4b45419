"""The fields of a DCS model, walked: every key claimed, every rule made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sluis.contract import dcs_keys, quality, sensitivity
from sluis.contract.dcs_fields import Field
from sluis.contract.dcs_rules import KEYS, Spot
from sluis.contract.document import json_path
from sluis.contract.logical import Array, LogicalType, Map, Object, String
from sluis.contract.rules import Required, Rule, TypeOf

_INFORMS = ("title", "description", "example", "examples", "tags", "links", "lineage")


KNOWN = (
    *(*_INFORMS, *KEYS, "classification", "config", "fields", "items", "keys", "pii", "precision", "primary"),
    *("primaryKey", "quality", "references", "scale", "unique", "values"),
)
"""Keys of a field that are read."""


def rules(spot: Spot) -> Iterator[Rule]:
    """The rules of a field by itself, and of all that is in it."""
    values = spot.field.values
    _containers(spot)
    for key in _INFORMS:
        if key in values:
            spot.notes.documentation(spot.field.places[key])
    _secrets(spot)
    if spot.key_at and values.get("required") is not True:
        path = json_path(spot.key_at)
        yield Required(id=spot.notes.rule_id(*spot.scope.id, "required"), path=path, column=spot.scope.column or "")
    for key, build in KEYS.items():
        if key in values:
            yield from build(spot, key, values[key])
    if "type" not in values and not spot.scope.inner and not isinstance(spot.kind, String):
        path = json_path(spot.field.at)
        yield TypeOf(id=spot.notes.rule_id(*spot.scope.id, "type"), path=path, column=spot.scope.column or "")
    if "quality" in values:
        yield from quality.rules(values["quality"], spot.field.places["quality"], spot.scope, spot.notes)
    yield from _inside(spot)


def sensitive(field: Field) -> bool:
    """Whether the values of a field, or of anything in it, are never shown."""
    if field.values.get("pii") is True or sensitivity.hides(field.values.get("classification")):
        return True
    return any(sensitive(inner) for inner in (*field.fields.values(), *field.parts.values()))


def _secrets(spot: Spot) -> None:
    values, notes = spot.field.values, spot.notes
    for key in ("pii", "classification"):
        if key in values:
            hidden = values[key] is True if key == "pii" else sensitivity.hides(values[key])
            claim = notes.enforced if hidden else notes.documentation
            claim(spot.field.places[key], "its values are never shown" if hidden else "its values may be shown")


def _containers(spot: Spot) -> None:
    field, notes = spot.field, spot.notes
    notes.parts(field.at)
    if "$ref" in field.values:
        notes.enforced(field.places["$ref"], "what the definition demands is demanded here")
    for key in ("fields", "items", "keys", "values"):
        if key in field.values:
            notes.parts(field.places[key])
    config = field.values.get("config")
    if isinstance(config, Mapping):
        notes.documentation(field.places["config"], "for other systems")


def _inside(spot: Spot) -> Iterator[Rule]:
    kind, inner = spot.kind, spot.scope.inner

    def part(field: Field, kind: LogicalType, step: str, name: str) -> Iterator[Rule]:
        scope = replace(spot.scope, id=(*spot.scope.id, name), inner=(*inner, step), type=kind)
        dcs_keys.inner(field, spot.notes)
        yield from rules(replace(spot, field=field, kind=kind, scope=scope, key_at=None))

    if isinstance(kind, Object):
        for member in kind.fields:
            yield from part(spot.field.fields[member.name], member.type, member.name, member.name)
    if isinstance(kind, Array) and "items" in spot.field.parts:
        yield from part(spot.field.parts["items"], kind.items, "[]", "items")
    if isinstance(kind, Map):
        for key, step, inside in (("keys", "{k}", kind.keys), ("values", "{}", kind.values)):
            if key in spot.field.parts:
                yield from part(spot.field.parts[key], inside, step, key)
