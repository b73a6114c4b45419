"""Departures from the ODCS schemas whose meaning is clear, and what each means."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from sluis.contract import physical
from sluis.contract.document import Document, Parts
from sluis.contract.odcs import informing
from sluis.contract.odcs.element import ALIASES, DIGITS, OPTIONS
from sluis.contract.quality import tolerance as quality_tolerance
from sluis.contract.shape import Fault
from sluis.contract.tolerance import Reading, plain, value_at


def tolerated(fault: Fault, document: Document, later: Sequence[Parts]) -> Reading | None:
    """What a departure clearly means; None when it could mean more than one thing.

    Args:
        fault: The departure.
        document: The whole document.
        later: Places at which the newest schema finds fault.
    """
    value = value_at(document, fault.at)
    readings = (read(fault, value, later) for read in _READERS)
    in_place = _beside(fault, value, document) or _untyped(fault, value, document)
    in_place = in_place or quality_tolerance.tolerated(fault, document)
    return plain(fault, value) or in_place or next(filter(None, readings), None)


def tolerated_in_v2(fault: Fault, document: Document) -> Reading | None:
    """The same for a document of ODCS 2, of which only the tables matter here."""
    return plain(fault, value_at(document, fault.at)) or _around_tables(fault)


def _around_tables(fault: Fault) -> Reading | None:
    is_flaw = fault.at[:1] != ("dataset",) or (
        fault.kind == "required" and fault.key in ("logicalType", "physicalType")
    )
    if is_flaw and fault.key not in ("dataset", "version"):
        return Reading(at=fault.at, note=f"the schema says: {fault.message}")
    return None


def _alias(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """What other tools and ODCS v2 call the keys of a property."""
    if fault.kind == "unknown" and fault.key in ALIASES and _is_property(fault.at[:-1]) and isinstance(value, bool):
        return Reading(at=fault.at, note=f"read as `{ALIASES[fault.key].key}`")
    return None


def _is_property(at: Parts) -> bool:
    return at[:1] == ("schema",) and ("properties" in at or "items" in at)


def _is_key(at: Parts) -> bool:
    """Whether it is a key of the property itself, and not of what stands in it."""
    return _is_property(at) and (at[-3:-2] == ("properties",) or at[-2] == "items")


def _extension(fault: Fault, _: Any, __: Sequence[Parts]) -> Reading | None:
    """A key of the owner's, by the convention that OpenAPI made common."""
    if fault.kind == "unknown" and fault.key.startswith("x-"):
        return Reading(at=fault.at, note="an extension, which is not read", changes=True, gone=True)
    return None


def _purpose(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """What is said in a word or two, where the standard divides it."""
    if fault.kind == "type" and fault.at == ("description",) and isinstance(value, str):
        return Reading(at=fault.at, note="read as its `purpose`", changes=True, value={"purpose": value})
    return None


_MEANT = {
    **dict.fromkeys(("bignumeric", "dec", "decimal", "numeric"), "number"),
    **dict.fromkeys(("record", "struct"), "object"),
    "list": "array",
}
"""Names that say no more than a type of ODCS: a bare `decimal` has digits of which databases differ in the number."""

_TYPES = ("boolean", "date", "integer", "number", "string", "time", "timestamp")
"""The types of ODCS that need no more said."""

_UNCLEAR = ("blob", "uuid")
"""Names that ODCS has for something else, or that ask for a form of text."""


def _type_name(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """The name that databases have for a type, where it says all that the type demands."""
    is_type = fault.kind == "enum" and fault.at[-1] == "logicalType" and _is_property(fault.at)
    if not is_type or not isinstance(value, str):
        return None
    name = value.strip().lower()
    if meant := _MEANT.get(name):
        return Reading(at=fault.at, note=f"read as `{meant}`", changes=True, value=meant)
    if name in _UNCLEAR or physical.parse(value) is None:
        return None
    return Reading(at=fault.at, note="not a type of ODCS; read as databases have it")


def _enum_option(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    if fault.at[-2:] == ("logicalTypeOptions", "enum") and isinstance(value, list) and value:
        return Reading(at=fault.at, note="not an option of ODCS; read as the values that are allowed")
    return None


def _digits(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    is_option = fault.kind == "unknown" and fault.at[-2:-1] == ("logicalTypeOptions",) and fault.key in DIGITS
    if is_option and isinstance(value, int) and not isinstance(value, bool):
        return Reading(at=fault.at, note="not an option of ODCS; read as the digits of the number")
    return None


def _items(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """What an array consists of, named by its type alone."""
    if fault.kind != "type" or fault.at[-1] != "items" or not _is_property(fault.at) or not isinstance(value, str):
        return None
    name = value.strip().lower()
    key = "logicalType" if name in _TYPES else "physicalType"
    if key == "physicalType" and (name in _UNCLEAR or physical.parse(value) is None):
        return None
    read = {key: name if name in _TYPES else value}
    return Reading(at=fault.at, note=f"read as items of the type `{value}`", changes=True, value=read)


def _beside(fault: Fault, value: Any, document: Document) -> Reading | None:
    """An option that stands straight in the property."""
    if fault.kind != "unknown" or fault.key not in OPTIONS or not _is_key(fault.at):
        return None
    options = value_at(document, fault.at[:-1]).get("logicalTypeOptions") or {}
    is_clear = isinstance(value, OPTIONS[fault.key]) and not isinstance(value, bool) and fault.key not in options
    return Reading(at=fault.at, note="read as in `logicalTypeOptions`") if is_clear else None


_TYPED = (*OPTIONS, "uniqueItems", "minProperties", "maxProperties", "required", "timezone", "defaultTimezone")
"""Options that some logical type has."""

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
"""Those that are numbers of one type, and text of another."""


def _untyped(fault: Fault, value: Any, document: Document) -> Reading | None:
    """An option of a property without a logical type, for which the schema's conditions ask for all types at once."""
    is_option = fault.at[-2:-1] == ("logicalTypeOptions",)
    is_bound = fault.kind == "type" and fault.at[-1] in _BOUNDS and isinstance(value, str)
    if not is_option or not (is_bound or (fault.kind == "unknown" and fault.key in _TYPED)):
        return None
    if "logicalType" in value_at(document, fault.at[:-2]):
        return None
    return Reading(at=fault.at, note="there is no `logicalType`; read as an option of the physical one")


def _plain_enum(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """The bare values of a property's `enum`, which in ODCS 3.2 has an object for each."""
    is_list = fault.kind == "unknown" and fault.key == "enum" and _is_key(fault.at)
    if is_list and isinstance(value, list) and value and not any(isinstance(member, dict | list) for member in value):
        return Reading(at=fault.at, note="read as the values that are allowed")
    if fault.kind == "type" and fault.at[-2:-1] == ("enum",) and _is_key(fault.at[:-1]):
        return None if isinstance(value, list) else Reading(at=fault.at, note="read as a value that is allowed")
    return None


def _exclusive(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    if fault.kind == "type" and fault.at[-1] in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        return Reading(at=fault.at, note="read as ODCS 3.0 has it")
    return None


_DOTTED = re.compile(r"(?:[^#\s]+\.ya?ml#|#)?[\w-]+(?:\.[\w-]+)+")
"""A reference with dots, as the standard's own documents write them beside those with slashes."""


def _reference(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    is_end = "relationships" in fault.at and any(step in ("from", "to") for step in fault.at[-2:])
    if is_end and fault.kind in ("anyOf", "oneOf", "pattern") and isinstance(value, str) and _DOTTED.fullmatch(value):
        return Reading(at=fault.at, note="a reference with dots, read as one with slashes")
    return None


def _later_version(fault: Fault, _: Any, later: Sequence[Parts]) -> Reading | None:
    """What an earlier version does not have and the newest does."""
    if fault.kind in ("required", "not") or any(_touch(place, fault.at) for place in later):
        return None
    return Reading(at=fault.at, note="of a later version of ODCS than the contract names; read as that has it")


def _touch(one: Parts, other: Parts) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


_READERS: tuple[Callable[[Fault, Any, Sequence[Parts]], Reading | None], ...] = (
    _alias,
    _extension,
    _purpose,
    _digits,
    _items,
    _enum_option,
    _plain_enum,
    _exclusive,
    _reference,
    _later_version,
    informing.tolerated,
    _type_name,
)
"""What may explain a departure besides, the plainest first."""
