"""The shape of an ODCS document: its version, the official schema of that, and departures whose meaning is clear."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

from sluis.contract.document import Document, Parts, did_you_mean, listed
from sluis.contract.notes import Notes
from sluis.contract.odcs import parts as odcs_parts
from sluis.contract.odcs.tolerance import tolerated, tolerated_in_v2
from sluis.contract.shape import Fault, Shape
from sluis.contract.tolerance import Reading, mended, value_at

VERSIONS = {
    "v3.0.0": "3.0.0",
    "v3.0.1": "3.0.1",
    "v3.0.2": "3.0.2",
    "v3.1.0": "3.1.0",
    "v3.2.0": "3.2.0",
}
"""Versions of ODCS 3 that are read → the schema each is held against."""

_V2 = "2.2.2"
"""The schema for every version of ODCS 2: it names 2.2.0 and later, and asks for no version at all."""

_NEWEST = "3.2.0"
"""The schema that tells what keys and values of a later version mean in an earlier one."""


@cache
def schema(version: str) -> Document:
    """The official schema of a version of ODCS."""
    file = resources.files("sluis.contract").joinpath("schemas", f"odcs-{version}.json")
    document: Document = json.loads(file.read_text("utf-8"))
    return document


def is_v2(raw: Document) -> bool:
    """Whether a document has the shape of ODCS 2."""
    return "schema" not in raw and ("dataset" in raw or str(raw.get("apiVersion", "")).lstrip("v").startswith("2."))


_MOST_STEPS = 3
"""How often a document is mended: an item's type in capitals stands in an object first, and is read then."""


def conform(notes: Notes) -> Document:
    """The document as the schema of its version has it.

    Departures whose meaning is clear are noted as odd and mended in the copy that is returned.

    Raises:
        ContractError: with every other departure.
    """
    document = notes.source.document
    version = _V2
    if not is_v2(document):
        named = _version(notes)
        notes.finish()
        version, document = VERSIONS[named], {**document, "apiVersion": named}
    found = _faults(document, version)
    readings = latest = _readings(found, document, version)
    for _ in range(_MOST_STEPS):
        if not any(reading.changes for reading in latest.values()):
            break
        document = mended(document, latest.values())
        found = _faults(document, version)
        latest = _readings(found, document, version)
        readings = {**readings, **latest}
    for fault, reading in readings.items():
        notes.odd(reading.at, reading.note)
        if reading.gone:
            notes.documentation(fault.at)
    for fault in found:
        if fault not in latest:
            notes.problem(fault.at, fault.message, fault.allowed, _HINTS.get(fault.at, fault.hint))
    notes.finish()
    return document


_HINTS: dict[Parts, str] = {
    ("owner",): "the `team` says who owns the data.",
    ("quality",): "rules stand in the object of `schema`, or in the property, that they are about.",
}
"""Key of a document that the standard has elsewhere → where."""


def _version(notes: Notes) -> str:
    """The version of ODCS 3 that a document names."""
    stated = notes.source.document.get("apiVersion")
    named = f"v{str(stated).lstrip('v')}"
    if named.count(".") == 1:
        # Of versions that differ in the last number only, the last one mends the others.
        named = max((version for version in VERSIONS if version.startswith(f"{named}.")), default=named)
    if stated is None:
        notes.problem((), "`apiVersion` is missing", listed(VERSIONS), "it says which version of ODCS this is.")
    elif named not in VERSIONS:
        hint = did_you_mean(named, VERSIONS)
        notes.problem(("apiVersion",), f"ODCS `{stated}` is not a version that is read here", listed(VERSIONS), hint)
    elif named != stated:
        notes.odd(("apiVersion",), f"read as `{named}`")
    return named


def _readings(found: list[Fault], document: Document, version: str) -> dict[Fault, Reading]:
    """The faults that are clear all the same, with what they mean."""
    if version == _V2:
        readings = [(fault, tolerated_in_v2(fault, document)) for fault in found]
    else:
        later = [fault.at for fault in _faults(document, _NEWEST)] if found else []
        readings = [(fault, tolerated(fault, document, later)) for fault in found]
    lacking = {fault.at for fault, reading in readings if reading is None and fault.kind == "required"}
    # An unknown key beside one that is missing may be that one, misspelt.
    return {
        fault: reading
        for fault, reading in readings
        if reading is not None and not (fault.kind == "unknown" and fault.at[:-1] in lacking)
    }


def _faults(document: Document, version: str) -> list[Fault]:
    """Everything in which a document departs from a schema.

    Properties in one another are held against it one by one: with all at once, the time doubles with every level.
    """
    shallow, inner = odcs_parts.apart(document)
    found = _shape(version).faults(shallow)
    for at, kind, part in inner:
        found += [fault._replace(at=(*at, *fault.at)) for fault in _shape(version, kind).faults(part)]
    return [fault for fault in found if not _is_of_a_type(fault, document)]


@cache
def _shape(version: str, definition: str | None = None) -> Shape:
    """The schema of a version, or one of its definitions."""
    root = schema(version)
    if definition is None:
        return Shape(root)
    return Shape({"$schema": root["$schema"], "$defs": root["$defs"], "$ref": f"#/$defs/{definition}"})


def _is_of_a_type(fault: Fault, document: Document) -> bool:
    """Whether a property without a `logicalType` is asked for what one type needs.

    The conditions of the schema of 3.2 hold where there is none, as they do not ask for one.
    """
    if fault.kind != "required" or fault.key not in ("map", "dimensions"):
        return False
    at = fault.at if fault.key == "map" else fault.at[:-1]
    stated = value_at(document, at)
    return isinstance(stated, Mapping) and "logicalType" not in stated
