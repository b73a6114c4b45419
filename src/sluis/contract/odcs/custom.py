"""The custom properties of a property that say what a key of a contract says.

ODCS has no key for some of what the Data Contract Specification says (`pii`, `precision`, until 3.2 `enum`), and
converters, datacontract-cli among them, keep it here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from sluis.contract import demands
from sluis.contract.confidential import is_sensitive
from sluis.contract.demands import Spot
from sluis.contract.document import Parts
from sluis.contract.odcs.element import Element
from sluis.contract.rules import Rule

_FLAGS = ("anonymi", "confidential", "masking", "personaldata", "pii", "sensitive")
"""What names of flags, categories and strategies have in them that hide a column's values."""

_CLASSES = frozenset({"classification", "dataclassification", "sensitivity"})
"""Names of what says, in a word, who may see them."""

_DEMANDS = frozenset(
    {
        *("exclusiveMaximum", "exclusiveMinimum", "format", "maxLength", "maximum", "minLength", "minimum"),
        *("multipleOf", "nullable", "pattern", "primaryKey", "references", "required", "unique"),
    }
)
"""Names of what is not checked from here: the standard has a key for each."""


def stated(of: Element) -> dict[str, tuple[Parts, Any]]:
    """Name of a custom property → where it stands, and its value."""
    place = of.places.get("customProperties", ())
    return {name: ((*place, step), value) for step, name, value in _named(of.values.get("customProperties"))}


def hides(properties: Any) -> bool:
    """Whether one of the custom properties, as the document has them, says that the values are not to be shown."""
    return any(_hides(name, value) for _, name, value in _named(properties))


def _named(properties: Any) -> Iterator[tuple[int | str, str, Any]]:
    """Each with its step in the document, its name and its value."""
    if isinstance(properties, Mapping):
        # Not as the standard has them, but clear.
        yield from ((str(name), str(name), value) for name, value in properties.items())
    for index, raw in enumerate(properties if isinstance(properties, list) else ()):
        if isinstance(raw, Mapping):
            yield index, str(raw.get("property")), raw.get("value")


def _hides(stated: str, value: Any) -> bool:
    name = re.sub("[^a-z]", "", stated.lower())
    if any(flag in name for flag in _FLAGS):
        return not _is_no(value)
    if name == "tags":
        return is_sensitive(None, value if isinstance(value, list) else [value])
    return name in _CLASSES and is_sensitive(value)


def _is_no(value: Any) -> bool:
    return str(value).strip().lower() in ("", "false", "no", "none", "0")


def rules(spot: Spot, of: Element) -> Iterator[Rule]:
    """The rules that they make; those that demand what is not checked are claimed as such."""
    for name, (at, value) in stated(of).items():
        if name == "enum":
            yield from _enum(spot, at, value)
        elif name in _DEMANDS and not _is_no(value):
            spot.notes.unsupported(at, f"custom properties are not checked; the standard has a key for `{name}`")
        elif _hides(name, value):
            spot.notes.documentation(at, "the column's values are never shown")


def _enum(spot: Spot, at: Parts, value: Any) -> Iterator[Rule]:
    """The values that are allowed: a list, or the JSON text of one."""
    try:
        members = json.loads(value, parse_float=Decimal) if isinstance(value, str) else value
    except ValueError:
        members = None
    if not isinstance(members, list):
        spot.notes.unsupported(at, "neither a list nor the JSON text of one")
        return
    is_listed = isinstance(at[-1], int)
    field = Element(at=at, values={"enum": members}, places={"enum": (*at, "value") if is_listed else at})
    if is_listed:
        spot.notes.documentation((*at, "property"))
    yield from demands.enum(Spot(field=field, kind=spot.kind, scope=spot.scope, notes=spot.notes), "enum", members)
