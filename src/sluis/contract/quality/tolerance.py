"""Departures of quality items from their standard's schema whose meaning is clear."""

from __future__ import annotations

from sluis.contract.document import Document, Parts
from sluis.contract.quality import items, library, threshold
from sluis.contract.shape import Fault
from sluis.contract.tolerance import Reading, value_at


def tolerated(fault: Fault, document: Document) -> Reading | None:
    """What a departure in a `quality` list clearly means; None elsewhere, and when that is not clear."""
    at = _item(fault.at)
    stated = value_at(document, at) if at else None
    if at is None or not isinstance(stated, dict):
        return None
    readings = (read(fault, at, stated) for read in (_kind, _metric, _demand, _beside))
    return next(filter(None, readings), None)


def _item(at: Parts) -> Parts | None:
    """Where the item stands that a place is in."""
    steps = [index for index, step in enumerate(at[:-1]) if step == "quality" and isinstance(at[index + 1], int)]
    return at[: steps[-1] + 2] if steps else None


def _kind(fault: Fault, at: Parts, stated: Document) -> Reading | None:
    """An item without a type, whose other keys tell it."""
    if "type" in stated or fault.kind not in ("misplaced", "required"):
        return None
    kind = items.kind(stated)
    says_nothing = kind == "text" and any(key in stated for key in threshold.OPERATORS)
    if kind not in items.TYPES or says_nothing or (kind == "library" and library.metric(stated) is None):
        return None
    return Reading(at=at, note=f"without a `type`; read as `{kind}`", changes=True, value={**stated, "type": kind})


def _metric(fault: Fault, at: Parts, stated: Document) -> Reading | None:
    """The library's metrics, whose key changed between ODCS 3.0 and 3.1, in the DCS with 1.2.1."""
    if fault.kind != "required" or fault.at != at or library.metric(stated) is None:
        return None
    if fault.key == "rule" and "metric" in stated:
        return Reading(at=(*at, "metric"), note="a key of later versions, read as they have it")
    if fault.key == "metric" and "rule" in stated:
        return Reading(at=(*at, "rule"), note="a key of earlier versions, read as they have it")
    return None


def _demand(fault: Fault, at: Parts, stated: Document) -> Reading | None:
    """A rule whose name says what its operator would."""
    if fault.at == at and fault.key in threshold.OPERATORS and stated.get("rule") in library.DEMANDS:
        return Reading(at=at, note="without an operator; read as `mustBe: 0`")
    return None


def _beside(fault: Fault, at: Parts, stated: Document) -> Reading | None:
    """The valid values where ODCS 3.0 has them, straight in the item."""
    if fault.at == (*at, "validValues") and library.metric(stated) == "invalidValues":
        return Reading(at=fault.at, note="read as in `arguments`")
    return None
