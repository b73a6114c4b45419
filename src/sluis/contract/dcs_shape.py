"""DCS documents held against the schema of their version; what is off, but clear, is let through with a warning."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from sluis.contract import shape
from sluis.contract.document import Document, Parts, listed, shown_value
from sluis.contract.notes import Notes
from sluis.contract.shape import Fault

VERSIONS = ("0.9.0", "0.9.1", "0.9.2", "0.9.3", "1.1.0", "1.2.0", "1.2.1")
"""The versions of the standard, oldest first."""

_INFORMS = ("examples", "links", "servers", "tags", "terms")
"""Keys of a document of which nothing is enforced, so that a fault in them changes nothing."""

_READ = ("definitions", "models", "servicelevels")
"""Keys that later versions only added to: what one of them takes is clear in an older document too."""

_CHANGED = ("enum", "pattern", "type")
"""Keywords whose faults would trip the reader, where an old version leaves a key unchecked that later ones have."""

_QUALITY = "0.9.3"
"""The last version with a `quality` of the whole document; people went on writing it."""


def check(notes: Notes) -> None:
    """Note everything in which the document departs from its version's schema."""
    document = notes.source.document
    version = document.get("dataContractSpecification")
    if version not in VERSIONS:
        message = f"found {shown_value(version)}, which is no version of the standard that Sluis reads"
        notes.problem(("dataContractSpecification",), message, listed(VERSIONS))
        return
    own = shape.faults(document, schema(str(version)))
    later = own if version == VERSIONS[-1] else _faults(document, _READ, VERSIONS[-1])
    refused = {fault.at for fault in later}
    if "quality" in document and VERSIONS.index(version) > VERSIONS.index(_QUALITY):
        notes.odd(("quality",), f"not in its version of the standard; read as {_QUALITY} has it")
        later = [*later, *_faults(document, ("quality",), _QUALITY)]
    for fault in own:
        if told := _clear(fault, refused):
            notes.odd(fault.at, told)
        else:
            notes.problem(fault.at, fault.message, fault.allowed, fault.hint)
    told_of = {fault.at for fault in own}
    for fault in later:
        if fault.at not in told_of and (fault.kind in _CHANGED or fault.at == ("quality",)):
            notes.problem(fault.at, fault.message, fault.allowed, fault.hint)


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


def _clear(fault: Fault, refused: set[Parts]) -> str:
    """What a departure was read as; empty when that is not clear."""
    part = fault.at[0] if fault.at else ""
    if part in _INFORMS:
        return "not as its version of the standard has it; it only informs"
    if part in _READ and fault.at not in refused:
        return "not in its version of the standard; read as later ones have it"
    if fault.at == ("quality", "type") and fault.kind == "enum":
        # 0.9.0 to 0.9.2 list three types; of any other nothing is read, but for the one that 0.9.3 added.
        return "not in its version of the standard"
    return ""
