"""DCS documents held against the schema of their version; what is off, but clear, is let through with a warning."""

from __future__ import annotations

import json
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

_DATA = ("models", "definitions")
"""Keys that later versions only added to: what one of them takes is clear in an older document too."""


def check(notes: Notes) -> None:
    """Note everything in which the document departs from its version's schema."""
    document = notes.source.document
    version = document.get("dataContractSpecification")
    if version not in VERSIONS:
        message = f"found {shown_value(version)}, which is no version of the standard that Sluis reads"
        notes.problem(("dataContractSpecification",), message, listed(VERSIONS))
        return
    own = shape.faults(document, schema(str(version)))
    # Keys that an old version did not have it leaves unchecked, and they are read all the same.
    newest = own if version == VERSIONS[-1] else _faults({key: document[key] for key in _DATA if key in document})
    refused = {fault.at for fault in newest}
    for fault in own:
        if told := _clear(fault, refused):
            notes.odd(fault.at, told)
        else:
            notes.problem(fault.at, fault.message, fault.allowed, fault.hint)
    for fault in newest:
        if fault.kind == "type" and fault.at not in {other.at for other in own}:
            notes.problem(fault.at, fault.message, fault.allowed, fault.hint)


def check_field(raw: Any, at: Parts, notes: Notes) -> bool:
    """Whether what a field refers to has the shape of a field; where it has not, that is noted.

    Args:
        raw: What it refers to.
        at: Where it does so.
        notes: Takes the problems.
    """
    found = _faults({"models": {"m": {"fields": {"f": raw}}}})
    for fault in found:
        inside = ".".join(str(step) for step in fault.at[4:])
        notes.problem(
            at, f"what it refers to is no field: {inside + ': ' if inside else ''}{fault.message}", fault.allowed
        )
    return not found


def _faults(data: Document) -> list[Fault]:
    """What the newest version says about models and definitions."""
    around = {"dataContractSpecification": VERSIONS[-1], "id": "", "info": {"title": "", "version": ""}}
    return shape.faults({**around, **data}, schema(VERSIONS[-1]))


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
    if part in _DATA and fault.at not in refused:
        return "not in its version of the standard; read as later ones have it"
    if fault.at == ("quality", "type"):
        # 0.9.0 to 0.9.2 list three types; of any other nothing is read, but for the one that 0.9.3 added.
        return "not in its version of the standard"
    return ""
