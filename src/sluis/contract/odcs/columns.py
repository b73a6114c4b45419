"""What the properties of an ODCS object demand, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sluis.contract import demands, names, physical, quality
from sluis.contract.demands import BITS, Builder, Spot
from sluis.contract.document import did_you_mean, listed
from sluis.contract.logical import Array, Binary, DecimalType, Double, Float, LogicalType, Map, Object, String
from sluis.contract.odcs import custom
from sluis.contract.odcs import types as odcs_types
from sluis.contract.odcs.element import Element, element, options
from sluis.contract.rules import Maximum, MaxLength, Minimum, MinLength, MultipleOf, Required, Rule, TypeOf

_INFORMS = (
    *("authoritativeDefinitions", "businessName", "clusterKeyPosition", "context", "criticalDataElement"),
    *("customProperties", "deprecated", "description", "encryptedName", "examples", "id", "semanticType", "synonyms"),
    *("tags", "transformDescription", "transformLogic", "transformSourceObjects"),
)
"""Keys of a property that only inform."""

OPTIONS: dict[str, Builder] = {
    "minLength": demands.length(MinLength, "min_length"),
    "maxLength": demands.length(MaxLength, "max_length"),
    "pattern": demands.pattern,
    "minimum": demands.bound(Minimum, "minimum", exclusive=False),
    "maximum": demands.bound(Maximum, "maximum", exclusive=False),
    "exclusiveMinimum": demands.bound(Minimum, "exclusive_minimum", exclusive=True),
    "exclusiveMaximum": demands.bound(Maximum, "exclusive_maximum", exclusive=True),
    "multipleOf": demands.multiple_of,
    "minItems": demands.size("min_items", least=True),
    "maxItems": demands.size("max_items", most=True),
    "uniqueItems": demands.unique_items,
    "minProperties": demands.size("min_properties", least=True),
    "maxProperties": demands.size("max_properties", most=True),
    "dimensions": demands.size("dimensions", least=True, most=True),
    "enum": demands.enum,
}
"""Option of a logical type → what makes its rule; `format`, `required` and the zones belong to the type."""


def rules(spot: Spot, of: Element) -> Iterator[Rule]:
    """The rules of a property by itself, and of all that is in it; every key is claimed.

    `primaryKey`, `unique`, `partitioned` and the names of columns are for the object to claim.
    """
    spot.notes.parts(of.at)
    for key in _INFORMS:
        if key in of.values:
            spot.told(key)
    if "classification" in of.values:
        spot.told("classification", "a sensitive column's values are never shown; the table is tagged with it")
    yield from _required(spot, of)
    yield from _type(spot, of)
    yield from _options(spot, of)
    if "enum" in of.values:
        yield from _enum(spot, of)
    yield from custom.rules(spot, of)
    if "quality" in of.values:
        yield from quality.rules(of.values["quality"], of.places["quality"], spot.scope, spot.notes)
    yield from _inside(spot, of)


def _required(spot: Spot, of: Element) -> Iterator[Rule]:
    if of.is_true("required"):
        yield Required(**spot.place("required", "required"))
    elif of.is_true("primaryKey") and not spot.scope.inner:
        yield Required(**spot.place("required", "primaryKey"))
        if "required" in of.values:
            spot.told("required", "the primary key forbids NULL all the same")
    elif "required" in of.values:
        spot.told("required", "NULL is allowed")


def _type(spot: Spot, of: Element) -> Iterator[Rule]:
    key = "logicalType" if "logicalType" in of.values else "physicalType"
    if key in of.values and not isinstance(spot.kind, String) and not spot.scope.inner:
        yield TypeOf(**spot.place("type", key))
    longest = "physicalType" if "physicalType" in of.values else "logicalType"
    found = physical.parse(of.text(longest) or "")
    if found and found.longest is not None and isinstance(spot.kind, String):
        stated = options(of, spot.notes).values.get("maxLength", found.longest)
        if isinstance(stated, int | Decimal) and stated >= found.longest:
            yield MaxLength(**spot.place("max_length", longest), limit=found.longest)
    fraction = isinstance(spot.kind, Double | Float) or (isinstance(spot.kind, DecimalType) and spot.kind.scale > 0)
    if of.text("logicalType") == "integer" and fraction:
        yield MultipleOf(**spot.place("whole", "logicalType"), divisor=1)


def _options(spot: Spot, of: Element) -> Iterator[Rule]:
    if "logicalTypeOptions" in of.values:
        spot.notes.parts(of.places["logicalTypeOptions"])
    chosen = options(of, spot.notes)
    at = replace(spot, field=chosen)
    exclusive = {bound: chosen.values.get(key) for bound, key in _EXCLUSIVE.items()}
    for key, value in chosen.values.items():
        if key in _EXCLUSIVE and exclusive[key] is True:
            rule = Minimum if key == "minimum" else Maximum
            yield from demands.bound(rule, f"exclusive_{key}", exclusive=True)(at, key, value)
        elif key in _EXCLUSIVE.values() and isinstance(value, bool):
            _flag(at, key, chosen)
        elif key in OPTIONS:
            yield from OPTIONS[key](at, key, value)
        elif key == "format":
            yield from _format(at, of, value)
        elif key == "required":
            yield from _members(at, of, value)
        elif key in ("distanceMetric", "embeddingModel", "embeddingModelVersion"):
            at.told(key)
        elif key == "normalized":
            at.told(key) if value is False else at.idle(key, "lengths of vectors are not computed")


_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
"""Bound → the flag that says, in ODCS 3.0, whether the bound itself is outside."""


def _flag(spot: Spot, key: str, chosen: Element) -> None:
    bound = next(bound for bound, flag in _EXCLUSIVE.items() if flag == key)
    if not chosen.values[key]:
        spot.told(key, f"the bound itself is allowed, as `{bound}` has it")
    elif bound in chosen.values:
        spot.notes.enforced(spot.field.places[key], f"by `{bound}`")
    else:
        spot.idle(key, f"there is no `{bound}` that it could be about")


def _format(spot: Spot, of: Element, value: Any) -> Iterator[Rule]:
    logical = of.text("logicalType")
    if isinstance(spot.kind, demands.TIMES) or (logical == "number" and isinstance(spot.kind, demands.NUMBERS)):
        # Times claimed theirs with their type; a number's says how the table holds it, as `physicalType` does.
        if logical == "number":
            spot.notes.enforced(spot.field.places["format"], "by the column's type")
    elif str(value) in odcs_types.INTEGERS and isinstance(spot.kind, demands.NUMBERS):
        yield from _range(spot, str(value))
    elif isinstance(spot.kind, Binary) and value == "byte":
        spot.notes.enforced(spot.field.places["format"], "by the column's type")
    else:
        yield from demands.form(spot, "format", value)


def _range(spot: Spot, form: str) -> Iterator[Rule]:
    """The range of an integer's format, where the column's type is wider."""
    bits = int(form[1:])
    low, high = (0, 2**bits - 1) if form[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    own = next((size for kind, size in BITS.items() if isinstance(spot.kind, kind)), None)
    # A decimal of Spark ends before 128 bits do: its own digits are the bound then.
    least, most = (-(2 ** (own - 1)), 2 ** (own - 1) - 1) if own else (-_DIGITS, _DIGITS)
    note = "by the column's type" if bits < 128 else "by the column's type, which holds 38 digits"
    spot.notes.enforced(spot.field.places["format"], note)
    if least < low:
        yield Minimum(**spot.place("format_minimum", "format"), limit=low)
    if high < most:
        yield Maximum(**spot.place("format_maximum", "format"), limit=high)


_DIGITS = 10**38 - 1
"""The largest whole number that a decimal of Spark holds."""


def _members(spot: Spot, of: Element, needed: Any) -> Iterator[Rule]:
    """The properties that an object must have."""
    known = {str(part.text("name")): part for part in odcs_types.properties(of, spot.notes)}
    if not known:
        spot.idle("required", "the object's properties are not described")
        return
    spot.notes.enforced(spot.field.places["required"], "by the properties")
    for index, name in enumerate(needed if isinstance(needed, list) else ()):
        if name not in known:
            at = (*spot.field.places["required"], index)
            spot.notes.problem(at, f"`{name}` is not a property of it", listed(known), did_you_mean(str(name), known))
        elif not known[name].is_true("required"):
            inner = (*spot.scope.inner, odcs_types.column_name(known[name]))
            scope = replace(spot.scope, id=(*spot.scope.id, name), inner=inner)
            yield Required(**replace(spot, scope=scope).place("required", "required"))


def _enum(spot: Spot, of: Element) -> Iterator[Rule]:
    """The values of ODCS 3.2's `enum`, which have labels and descriptions besides."""
    stated = of.list("enum")
    at = of.places["enum"]
    values = [member.get("value") if isinstance(member, Mapping) else member for member in stated]
    yield from demands.enum(spot, "enum", values)
    for index, member in enumerate(stated):
        for key in member if isinstance(member, Mapping) else ():
            if key != "value":
                spot.notes.documentation((*at, index, key))


def _inside(spot: Spot, of: Element) -> Iterator[Rule]:
    """The rules of an object's properties, of a list's items and of a map's values."""
    for key, kind in (("properties", Object), ("items", Array), ("map", Map)):
        if key in of.values and isinstance(spot.kind, kind):
            spot.notes.parts(of.places[key])
        elif of.values.get(key):
            spot.idle(key, f"a value of type `{spot.kind.name}` has no such parts")
        elif key in of.values:
            spot.told(key, "it is empty")
    if isinstance(spot.kind, Object):
        _inner_names(spot, of)
    for name, step, part, held in _parts(spot.kind, of, spot):
        scope = replace(spot.scope, id=(*spot.scope.id, name), inner=(*spot.scope.inner, step), type=held)
        _claim_inner(part, spot)
        yield from rules(replace(spot, field=part, kind=held, scope=scope), part)


def _inner_names(spot: Spot, of: Element) -> None:
    stated = odcs_types.properties(of, spot.notes)
    for index, reason in names.faults([odcs_types.column_name(part) for part in stated]):
        part = stated[index]
        spot.notes.problem(part.places.get("physicalName", part.places.get("name", part.at)), reason)


def _parts(kind: LogicalType, of: Element, spot: Spot) -> Iterator[tuple[str, str, Element, LogicalType]]:
    """What is inside: its name in ids, its step in the path, what the document says of it, what it holds."""
    if isinstance(kind, Object):
        types = {field.name: field.type for field in kind.fields}
        for part in odcs_types.properties(of, spot.notes):
            name = odcs_types.column_name(part)
            if name in types:
                yield str(part.text("name")), name, part, types[name]
    elif isinstance(kind, Array) and "items" in of.values:
        yield "items", "[]", element(of.values["items"], of.places["items"], spot.notes), kind.items
    elif isinstance(kind, Map) and "map" in of.values:
        stated = element(of.values["map"], of.places["map"], spot.notes)
        for key, name, step, held in (("key", "keys", "{k}", kind.keys), ("value", "values", "{}", kind.values)):
            if key in stated.values:
                yield name, step, element(stated.values[key], stated.places[key], spot.notes), held


def _claim_inner(part: Element, spot: Spot) -> None:
    for key in ("name", "physicalName"):
        if key in part.values:
            spot.notes.enforced(part.places[key], "by the column's type")
    for key in ("primaryKey", "unique", "partitioned", "clustered"):
        if part.is_true(key):
            spot.notes.unsupported(part.places[key], "only whole columns can be that")
        elif key in part.values:
            spot.notes.documentation(part.places[key])
    for key in ("primaryKeyPosition", "partitionKeyPosition", "relationships"):
        if key in part.values:
            spot.notes.unsupported(part.places[key], "only whole columns can have that")
