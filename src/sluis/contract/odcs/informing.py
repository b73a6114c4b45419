"""Departures in what an ODCS document only tells: they change nothing about the data.

What the standard asks for by name stays asked for: an entry of a list without it says nothing that can be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sluis.contract.document import Parts
from sluis.contract.shape import Fault
from sluis.contract.tolerance import Reading

_SECTIONS = (
    *("authoritativeDefinitions", "customProperties", "description", "price", "roles", "servers", "support", "tags"),
    "team",
)
"""Keys of a document of which no rule is made."""

_KEYS = ("authoritativeDefinitions", "examples", "transformSourceObjects")
"""Keys of an object or a property, of which none is made either; `tags` and `classification` hide values."""


def tolerated(fault: Fault, value: Any, later: Sequence[Parts]) -> Reading | None:
    """How a departure in what only informs is read; None for all others.

    Args:
        fault: The departure.
        value: What stands there.
        later: Places at which the newest schema finds fault.
    """
    if not fault.at:
        return None
    if fault.kind == "type" and fault.at[-1] == "customProperties" and isinstance(value, Mapping):
        return Reading(at=fault.at, note="read as names and their values")
    if fault.at == ("team",) and isinstance(value, str):
        return Reading(at=fault.at, note="read as its name", changes=True, value={"name": value})
    is_told = fault.at[0] in _SECTIONS or (fault.kind == "type" and fault.at[-1] in _KEYS)
    if not is_told or (fault.kind == "required" and _is_asked(fault, later)):
        return None
    return Reading(at=fault.at, note=f"the schema says: {fault.message}; it only informs")


def _is_asked(fault: Fault, later: Sequence[Parts]) -> bool:
    """Whether the standard still asks for a key; of a server only for its name and its type."""
    if fault.at[0] == "servers":
        return fault.key in ("server", "type")
    return fault.at in later
