"""What became of a rule, as plain JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sluis.suite.spelling import meets

Result = dict[str, Any]
"""`outcome`, `unexpected`, `evaluated`, `examples`, and where they help `messages` and `note`."""


def whole(unexpected: int, evaluated: int, **more: Any) -> Result:
    """Of a rule that nothing may break."""
    return {
        "outcome": "violated" if unexpected else "held",
        "unexpected": unexpected,
        "evaluated": evaluated,
        "examples": [],
        **more,
    }


def within(
    allowed: Mapping[str, Any], number: int, evaluated: int, rows: int, examples: Sequence[Mapping[str, Any]] = ()
) -> Result:
    """Of a rule that so many rows break, of which some may."""
    outcome = "held" if meets(number, allowed, rows) else "violated"
    return {**whole(number, evaluated), "outcome": outcome, "examples": list(examples)}


def not_evaluated(note: str, **more: Any) -> Result:
    """Of a rule that could not be judged on this frame."""
    return {"outcome": "not_evaluated", "unexpected": 0, "evaluated": 0, "examples": [], "note": note, **more}


def out_of_reach(note: str) -> Result:
    """Of a rule about something that is not at hand, which the data is not to blame for."""
    return not_evaluated(note, out_of_reach=True)


def failed(error: Exception, rule: str = "", *, sensitive: bool = False) -> Result:
    """Of a rule whose judging raised; where it is the only one, its note names it.

    In the message of an exception values may stand that may not be shown.
    """
    said = next((line for line in str(error).splitlines() if line.strip()), "")
    told = re.match(r"\[[A-Z][A-Z0-9_.]+\]", said)
    if sensitive:
        said = told.group() if told else "its message may show values of a sensitive column"
    named = f"{rule}: " if rule else ""
    note = named + (said if told or isinstance(error, ValueError) else f"{type(error).__name__}: {said}")[:500]
    return {"outcome": "error", "unexpected": 0, "evaluated": 0, "examples": [], "note": note}
