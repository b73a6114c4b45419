"""The fields of a DCS model with what they inherit from definitions (`$ref`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sluis.contract import source
from sluis.contract.dcs import shape as dcs_shape
from sluis.contract.document import Document, Parts, did_you_mean, in_words, listed
from sluis.contract.local_files import NotLocal, Place
from sluis.contract.notes import Notes
from sluis.errors import ContractError

MOST = 20_000
"""Fields of a contract, inner ones and repeated definitions included."""

DEEPEST = 50
"""Fields inside of one another."""

PARTS = ("items", "keys", "values")
"""Keys of a field that hold one field each."""

_OWN = {"name", "domain", "$ref"}
"""Keys by which a definition tells of itself; they are not inherited."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field, or a part of one, with all that holds for it."""

    at: Parts
    """Where it stands; in another file, where the contract refers to that."""

    values: Mapping[str, Any]
    """Its keys: those it states, and for the others those of its definition."""

    places: Mapping[str, Parts]
    """Where each of them stands."""

    fields: Mapping[str, Field] = field(default_factory=dict)
    """The fields inside of it."""

    parts: Mapping[str, Field] = field(default_factory=dict)
    """What its `items`, `keys` and `values` are."""


@dataclass(frozen=True, kw_only=True)
class _Layer:
    """What one document says about a field: the field itself, or a definition under it."""

    raw: Mapping[str, Any]
    at: Parts
    document: Document
    place: Place
    entry: Parts | None = None
    """For another file: where the contract refers to it."""
    trail: tuple[tuple[str, Parts], ...] = ()
    """The definitions on the way here, as (file, place)."""

    def where(self, *more: str) -> Parts:
        """A place in it as the contract has it."""
        return self.entry or (*self.at, *more)


class Resolver:
    """Definitions, looked up and laid under the fields that refer to them."""

    def __init__(self, document: Document, notes: Notes, place: Place) -> None:
        self._notes = notes
        self._main = _Layer(raw={}, at=(), document=document, place=place)
        self._files: dict[str, Document] = {}
        self._checked: dict[tuple[str, Parts], bool] = {}
        self._count = 0
        self.used: set[Parts] = set()
        """Places in the contract that its fields refer to."""

    def fields(self, raw: Mapping[str, Any], at: Parts) -> dict[str, Field]:
        """The fields of a model; what is wrong with their references becomes problems."""
        return {name: self._field(value, (*at, name), self._main, 0) for name, value in raw.items()}

    def _field(self, raw: Any, at: Parts, home: _Layer, depth: int) -> Field:
        self._count += 1
        if not isinstance(raw, dict) or self._count > MOST or depth > DEEPEST:
            self._no_field(raw, home.entry or at)
            return Field(at=home.entry or at, values={}, places={})
        own = _Layer(raw=raw, at=at, document=home.document, place=home.place, entry=home.entry, trail=home.trail)
        layers = [own]
        while "$ref" in layers[-1].raw and (below := self._follow(layers[-1])):
            layers.append(below)
        return self._merged(layers, depth)

    def _no_field(self, raw: Any, at: Parts) -> None:
        if not isinstance(raw, dict):
            self._notes.problem(at, f"found {in_words(raw)}", "an object")
        else:
            message = f"with all definitions filled in there are more than {MOST:,} fields, or {DEEPEST} in one another"
            self._notes.problem((), message)

    def _merged(self, layers: list[_Layer], depth: int) -> Field:
        """One field of what all layers say; the upper ones win."""
        said: dict[str, _Layer] = {}
        for layer in layers:
            for key in layer.raw:
                if layer is layers[0] or key not in _OWN:
                    said.setdefault(key, layer)

        def inner(key: str, raw: Any, *path: str) -> Field:
            return self._field(raw, (*said[key].at, key, *path), said[key], depth + 1)

        inside = said["fields"].raw["fields"] if "fields" in said else {}
        return Field(
            at=layers[0].where(),
            values={key: layer.raw[key] for key, layer in said.items()},
            places={key: layer.where(key) for key, layer in said.items()},
            fields={name: inner("fields", raw, name) for name, raw in inside.items()},
            parts={key: inner(key, said[key].raw[key]) for key in PARTS if key in said},
        )

    def _follow(self, layer: _Layer) -> _Layer | None:
        """The definition that a layer refers to; None, and a problem, when there is none."""
        reference, at = layer.raw["$ref"], layer.where("$ref")
        file, _, fragment = reference.partition("#")
        try:
            place = layer.place.find(file) if file else layer.place
            target = self._read(place) if file else layer.document
            found, raw = _pointed(target, fragment.strip("/"))
            if raw is self._main.document:
                raise _NotDefined(raw.get("definitions") or {}, fragment)
        except NotLocal as error:
            self._notes.problem(at, f"`{reference}` {error}")
            return None
        except _NotDefined as error:
            self._notes.problem(at, f"`{reference}` is not defined", error.allowed, error.hint)
            return None
        except ContractError as error:
            self._notes.problems += error.problems
            return None
        if (place.shown, found) in layer.trail:
            self._notes.problem(at, f"`{reference}` leads back to itself")
            return None
        if not self._is_field(raw, (place.shown, found), at):
            return None
        if target is self._main.document:
            self.used.add(found)
        trail = (*layer.trail, (place.shown, found))
        entry = layer.entry or (at if file else None)
        return _Layer(raw=raw, at=found, document=target, place=place, entry=entry, trail=trail)

    def _is_field(self, raw: Mapping[str, Any], target: tuple[str, Parts], at: Parts) -> bool:
        """Whether what a reference leads to has a field's shape; where it has not, that is a problem."""
        if target not in self._checked:
            self._checked[target] = dcs_shape.check_field(raw, at, self._notes)
        return self._checked[target]

    def _read(self, place: Place) -> Document:
        if place.shown not in self._files:
            self._files[place.shown] = source.read(place.file, place.shown).document
        return self._files[place.shown]


class _NotDefined(Exception):
    def __init__(self, known: Mapping[str, Any], name: str) -> None:
        super().__init__(name)
        self.allowed = listed(f"#/definitions/{key}" for key in known)
        self.hint = did_you_mean(name, known)


def _pointed(document: Mapping[str, Any], pointer: str) -> tuple[Parts, Mapping[str, Any]]:
    """The object at a JSON pointer, and its place; names of definitions may hold slashes."""
    definitions = document.get("definitions")
    known = definitions if isinstance(definitions, dict) else {}
    name = pointer.removeprefix("definitions/")
    if name != pointer and isinstance(known.get(name), dict):
        return ("definitions", name), known[name]
    at: tuple[str, ...] = ()
    found: Any = document
    for step in pointer.split("/") if pointer else ():
        step = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, dict) or step not in found:
            raise _NotDefined(known, name)
        at, found = (*at, step), found[step]
    if not isinstance(found, dict) or found is definitions or found is document.get("models"):
        raise _NotDefined(known, name)
    return at, found
