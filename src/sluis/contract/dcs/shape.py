"""DCS documents held against the schema of their version; what is off, but clear, is let through with a warning."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from sluis.contract import shape
from sluis.contract.dcs import names
from sluis.contract.document import Document, Parts, listed, shown_value
from sluis.contract.notes import Notes
from sluis.contract.quality import tolerance as quality_tolerance
from sluis.contract.quality.items import TYPES
from sluis.contract.shape import Fault
from sluis.contract.tolerance import Reading, mended, plain, value_at

VERSIONS = ("0.9.0", "0.9.1", "0.9.2", "0.9.3", "1.1.0", "1.2.0", "1.2.1")
"""The versions of the standard, oldest first."""

_INFORMS = ("examples", "links", "servers", "tags", "terms")
"""Keys of a document of which nothing is enforced, so that a fault in them changes nothing."""

_EXAMPLES = ("example", "examples", "lineage", "links")
"""Keys of a field of which nothing is enforced either."""

_READ = ("definitions", "models", "servicelevels")
"""Keys that later versions only added to: what one of them takes is clear in an older document too."""

_CHANGED = ("enum", "pattern", "type")
"""Keywords whose faults would trip the reader, where an old version leaves a key unchecked that later ones have."""

_QUALITY = "0.9.3"
"""The last version with a `quality` of the whole document; people went on writing it."""


def check(notes: Notes) -> Document:
    """The document as its version's schema has it.

    Departures whose meaning is clear are noted as odd, and mended in the copy that is returned.

    Raises:
        ContractError: with every other departure.
    """
    document = notes.source.document
    version = _version(document.get("dataContractSpecification"), notes)
    document = {**document, "dataContractSpecification": version}
    judged = _judged(document, version)
    readings = [reading for reading in judged.values() if reading]
    if any(reading.changes for reading in readings):
        document = mended(document, readings)
        judged = _judged(document, version)
        readings += [reading for reading in judged.values() if reading]
    if _lacks_quality(version) and "quality" in document:
        notes.odd(("quality",), f"not in its version of the standard; read as {_QUALITY} has it")
    for reading in readings:
        notes.odd(reading.at, reading.note)
        if reading.gone:
            notes.documentation(reading.at, "it says nothing")
    for fault, clear in judged.items():
        if clear is None and _lacks_type(fault, document):
            notes.problem(fault.at, "`type` is missing", listed(TYPES))
        elif clear is None:
            notes.problem(fault.at, fault.message, fault.allowed, fault.hint)
    notes.finish()
    return document


def _version(stated: Any, notes: Notes) -> str:
    """The version of the standard that a document names."""
    named = str(stated).removeprefix("v")
    if named.count(".") == 1:
        # Of versions that differ in the last number only, the last one mends the others.
        named = max((version for version in VERSIONS if version.startswith(f"{named}.")), default=named)
    at = ("dataContractSpecification",)
    if named not in VERSIONS:
        message = f"found {shown_value(stated)}, which is no version of the standard that Sluis reads"
        notes.problem(at, message, listed(VERSIONS))
        notes.finish()
    if named != stated:
        notes.odd(at, f"read as `{named}`")
    return named


def _lacks_type(fault: Fault, document: Document) -> bool:
    """Whether a quality item lacks its type: then the schema asks for what an item of any type must have."""
    is_item = fault.kind == "required" and fault.at[-2:-1] == ("quality",)
    return is_item and "type" not in value_at(document, fault.at)


def _judged(document: Document, version: str) -> dict[Fault, Reading | None]:
    """Every departure from the schema, and what it clearly means; None when that is not clear."""
    own = shape.faults(document, schema(version))
    later = own if version == VERSIONS[-1] else _faults(document, _READ, VERSIONS[-1])
    refused = {fault.at for fault in later}
    judged = {fault: _read(fault, document, refused) for fault in own}
    told = {fault.at for fault in own}
    tripping = [fault for fault in later if fault.kind in _CHANGED]
    if _lacks_quality(version):
        tripping += _faults(document, ("quality",), _QUALITY)
    for fault in tripping:
        if fault.at not in told:
            judged[fault] = _read(fault, document, {*refused, fault.at})
    return judged


def _lacks_quality(version: str) -> bool:
    return VERSIONS.index(version) > VERSIONS.index(_QUALITY)


def check_field(raw: Any, at: Parts, notes: Notes) -> bool:
    """Whether what a field refers to has the shape of a field; where it has not, that is noted.

    Args:
        raw: What it refers to.
        at: Where it does so.
        notes: Takes the problems.
    """
    found = _faults({"models": {"m": {"fields": {"f": raw}}}}, ("models",), VERSIONS[-1])
    for fault in found:
        inside = ".".join(str(step) for step in fault.at[4:])
        notes.problem(
            at, f"what it refers to is no field: {inside + ': ' if inside else ''}{fault.message}", fault.allowed
        )
    return not found


def _faults(document: Document, keys: Iterable[str], version: str) -> list[Fault]:
    """What a version says about some keys of a document."""
    around = {"dataContractSpecification": version, "id": "", "info": {"title": "", "version": ""}}
    return shape.faults({**around, **{key: document[key] for key in keys if key in document}}, schema(version))


@cache
def schema(version: str) -> Document:
    """The JSON Schema of a version."""
    text = resources.files("sluis.contract").joinpath("schemas", f"dcs-{version}.json").read_text("utf-8")
    found: Document = json.loads(text)
    return found


def _read(fault: Fault, document: Document, refused: set[Parts]) -> Reading | None:
    """What a departure means; None when that is not clear."""
    value = value_at(document, fault.at)
    read = plain(fault, value) or _clear(fault, refused) or _type_name(fault, value)
    return read or quality_tolerance.tolerated(fault, document)


def _type_name(fault: Fault, value: Any) -> Reading | None:
    """The name that databases have for the type of a field."""
    is_type = fault.kind == "enum" and fault.at[0] in ("definitions", "models") and fault.at[-1] == "type"
    if not is_type or not isinstance(value, str) or "quality" in fault.at:
        return None
    if meant := names.named(value):
        return Reading(at=fault.at, note=f"read as `{meant}`", changes=True, value=meant)
    return Reading(at=fault.at, note="read as databases have it") if names.says_more(value) else None


def _clear(fault: Fault, refused: set[Parts]) -> Reading | None:
    """What a departure was read as; None when that is not clear."""
    part = fault.at[0] if fault.at else ""
    is_told = part in ("definitions", "models") and fault.kind == "type" and fault.at[-1] in _EXAMPLES
    if part in _INFORMS or is_told:
        return Reading(at=fault.at, note="not as its version of the standard has it; it only informs")
    if part in _READ and fault.at not in refused:
        return Reading(at=fault.at, note="not in its version of the standard; read as later ones have it")
    if fault.at == ("quality", "type") and fault.kind == "enum":
        # 0.9.0 to 0.9.2 list three types; of any other nothing is read, but for the one that 0.9.3 added.
        return Reading(at=fault.at, note="not in its version of the standard")
    return None
