"""Departures from the ODCS schemas whose meaning is clear, and what each means.

People write contracts by hand and tools write newer keys under older versions. What can be meant in one way only is
read so, and the ledger warns; everything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sluis.contract.document import Document, Parts
from sluis.contract.json_text import exact_number
from sluis.contract.odcs_element import ALIASES
from sluis.contract.quality_library import LEGACY
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


def tolerated(fault: Fault, document: Document, later: Sequence[Parts]) -> Reading | None:
    """What a departure clearly means; None when it could mean more than one thing.

    Args:
        fault: The departure.
        document: The whole document.
        later: Places at which the newest schema finds fault.
    """
    value = value_at(document, fault.at)
    for read in _READERS:
        if reading := read(fault, value, later):
            return reading
    return None


def tolerated_in_v2(fault: Fault, document: Document) -> Reading | None:
    """The same for a document of ODCS 2, of which only the tables matter here."""
    value = value_at(document, fault.at)
    for read in (_nothing, _written_otherwise, _other_case, _around_tables):
        if reading := read(fault, value, ()):
            return reading
    return None


def _around_tables(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    is_flaw = fault.at[:1] != ("dataset",) or (
        fault.kind == "required" and fault.key in ("logicalType", "physicalType")
    )
    if is_flaw and fault.key not in ("dataset", "version"):
        return Reading(at=fault.at, note=f"the schema says: {fault.message}")
    return None


def value_at(document: Any, at: Parts) -> Any:
    """What stands at a place that is there."""
    for step in at:
        document = document[step]
    return document


def _nothing(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    if value is None and fault.kind in ("type", "enum", "oneOf", "anyOf") and isinstance(fault.at[-1], str):
        return Reading(at=fault.at, note="null counts as not there", changes=True, gone=True)
    return None


_TRUTH = {
    **dict.fromkeys(("true", "yes", "on", "y"), True),
    **dict.fromkeys(("false", "no", "off", "n"), False),
}
"""Booleans as YAML 1.1 has them and people quote them."""


def _written_otherwise(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
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
    return exact_number(text) if re.fullmatch(r"-?[0-9]{1,30}(\.[0-9]{1,30})?", text) else None


def _other_case(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    known = {name.lower(): name for name in re.findall("`([^`]+)`", fault.allowed)}
    if fault.kind == "enum" and isinstance(value, str) and (meant := known.get(value.lower())):
        return Reading(at=fault.at, note=f"read as `{meant}`", changes=True, value=meant)
    return None


def _alias(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """What other tools and ODCS v2 call the keys of a property."""
    if fault.kind == "unknown" and fault.key in ALIASES and _is_property(fault.at[:-1]) and isinstance(value, bool):
        return Reading(at=fault.at, note=f"read as `{ALIASES[fault.key].key}`")
    return None


def _is_property(at: Parts) -> bool:
    return at[:1] == ("schema",) and ("properties" in at or "items" in at)


def _enum_option(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    if fault.at[-2:] == ("logicalTypeOptions", "enum") and isinstance(value, list) and value:
        return Reading(at=fault.at, note="not an option of ODCS; read as the values that are allowed")
    return None


def _exclusive(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    if fault.kind == "type" and fault.at[-1] in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        return Reading(at=fault.at, note="read as ODCS 3.0 has it")
    return None


def _rule(fault: Fault, value: Any, _: Sequence[Parts]) -> Reading | None:
    """The library's metrics changed their key between 3.0 (`rule`) and 3.1 (`metric`)."""
    if fault.kind != "required" or not isinstance(value, dict):
        return None
    if fault.key == "rule" and "metric" in value:
        return Reading(at=(*fault.at, "metric"), note="a key of ODCS 3.1, read as that has it")
    if fault.key == "metric" and value.get("rule") in LEGACY:
        return Reading(at=(*fault.at, "rule"), note="a key of ODCS 3.0, read as that has it")
    return None


def _server(fault: Fault, _: Any, __: Sequence[Parts]) -> Reading | None:
    """Where the producer's data lives does not matter to a landing file."""
    if fault.at[:1] != ("servers",) or len(fault.at) < 2:
        return None
    if fault.kind == "misplaced" or (fault.kind == "required" and fault.key not in ("server", "type")):
        return Reading(at=fault.at, note=f"the schema says: {fault.message}")
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
    _nothing,
    _written_otherwise,
    _other_case,
    _alias,
    _enum_option,
    _exclusive,
    _rule,
    _server,
    _later_version,
)
"""What may explain a departure, the plainest first."""
