"""Departures from a standard's schema that can be meant in one way only.

People write contracts by hand and tools write newer keys under older versions. What is clear is read so, and the
ledger warns; everything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sluis.contract.document import Document, Parts
from sluis.contract.json_text import exact_number
from sluis.contract.shape import Fault


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a departure means."""

    at: Parts
    """Where it is."""

    note: str
    """What the ledger says of it."""

    changes: bool = False
    """Whether the document is read as if something else stood there."""

    value: Any = None
    """What is read in its place."""

    gone: bool = False
    """Whether it is read as if nothing stood there."""


def plain(fault: Fault, value: Any) -> Reading | None:
    """What a departure clearly means in any standard; None when it could mean more than one thing.

    Args:
        fault: The departure.
        value: What stands there.
    """
    return _nothing(fault, value) or _written_otherwise(fault, value) or _other_case(fault, value)


def value_at(document: Any, at: Parts) -> Any:
    """What stands at a place that is there."""
    for step in at:
        document = document[step]
    return document


def _nothing(fault: Fault, value: Any) -> Reading | None:
    if value is None and fault.kind in ("type", "enum", "oneOf", "anyOf") and isinstance(fault.at[-1], str):
        return Reading(at=fault.at, note="null counts as not there", changes=True, gone=True)
    return None


_TRUTH = {
    **dict.fromkeys(("true", "yes", "on", "y"), True),
    **dict.fromkeys(("false", "no", "off", "n"), False),
}
"""Booleans as YAML 1.1 has them and people quote them."""


def _written_otherwise(fault: Fault, value: Any) -> Reading | None:
    """A plain value of another type than the schema's, which says the same."""
    if fault.kind != "type":
        return None
    read: Any = None
    if fault.allowed == "text" and isinstance(value, bool | int | Decimal):
        read = str(value).lower() if isinstance(value, bool) else str(value)
    elif fault.allowed == "true or false" and isinstance(value, str):
        read = _TRUTH.get(value.lower())
    elif fault.allowed in ("a number", "a whole number") and isinstance(value, str):
        read = _number(value)
    elif fault.allowed == "a list" and isinstance(value, str) and fault.at[-1] == "tags":
        read = [part.strip() for part in value.split(",")]
    if read is None:
        return None
    return Reading(at=fault.at, note=f"read as {fault.allowed}", changes=True, value=read)


def _number(text: str) -> int | Decimal | None:
    return exact_number(text) if re.fullmatch(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?", text) else None


def _other_case(fault: Fault, value: Any) -> Reading | None:
    known = {name.lower(): name for name in re.findall("`([^`]+)`", fault.allowed)}
    if fault.kind == "enum" and isinstance(value, str) and (meant := known.get(value.lower())):
        return Reading(at=fault.at, note=f"read as `{meant}`", changes=True, value=meant)
    return None


def mended(document: Document, readings: Iterable[Reading]) -> Document:
    """The document as its readings have it; what none of them changes is not copied."""
    whole: Any = document
    for reading in readings:
        if reading.changes:
            whole = _with(whole, reading.at, reading)
    return dict(whole)


def _with(value: Any, at: Parts, reading: Reading) -> Any:
    """A copy with the value at a place exchanged or left out; what is not on the way is not copied."""
    if not at:
        return reading.value
    if isinstance(value, list):
        return [_with(inner, at[1:], reading) if index == at[0] else inner for index, inner in enumerate(value)]
    if len(at) == 1 and reading.gone:
        return {key: inner for key, inner in value.items() if key != at[0]}
    return {key: _with(inner, at[1:], reading) if key == at[0] else inner for key, inner in value.items()}
