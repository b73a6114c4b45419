"""Checks of the datetime patterns that a contract may give (Spark's "Datetime Patterns for Formatting and Parsing")."""

from __future__ import annotations

import re

_ISO = re.compile(r"iso[ _-]?8601|yyyy-MM-ddTHH:mm(?::ss(?:\.S{1,9})?)?(?:'?Z'?|X{1,3})?", re.ASCII)

_LENGTHS = {
    **dict.fromkeys("GMLz", range(1, 5)),
    **dict.fromkeys("dHhKkms", range(1, 3)),
    **dict.fromkeys("XxZ", range(1, 6)),
    "y": range(1, 7),
    "D": range(1, 4),
    "a": range(1, 2),
    # Spark takes nine, and drops what is beyond microseconds.
    "S": range(1, 7),
    "V": range(2, 3),
    "O": (1, 4),
}
"""Letters that Spark parses → how often in a row; it refuses the other letters of the JDK's DateTimeFormatter."""

_CLOCK = frozenset("HhKkmsSa")
_ZONE = frozenset("VzOXxZ")


def is_iso(pattern: str) -> bool:
    """Whether a pattern names ISO 8601, or writes it as the standards' own examples do, with a bare `T`.

    To the JDK `T` is a letter that it keeps for itself, so that such a pattern can mean nothing else.
    """
    return _ISO.fullmatch(pattern if "T" in pattern else pattern.strip().lower()) is not None


def fault(pattern: str, *, clock: bool, day: bool = True, zone: bool = True, default: str = "UTC") -> str | None:
    """Why text in this pattern could not be read without guessing, or None.

    Args:
        pattern: The contract's pattern.
        clock: Whether the column holds a time of day.
        day: Whether it holds a day.
        zone: Whether the text may name its zone.
        default: The zone of text that names none.
    """
    bare = re.sub(r"'(?:[^']|'')*'", "", pattern)
    letters = set(re.findall("[A-Za-z]", bare))
    certain = set(re.findall("[A-Za-z]", re.sub(r"\[[^]]*\]?", "", bare)))
    if "'" in bare:
        return "a quote is not closed"
    if reason := _unreadable(bare):
        return reason
    if letters & _ZONE and not zone:
        return "it has a zone, which the column would lose; use the type timestamp"
    if letters & _ZONE and not certain & _ZONE and default != "UTC":
        return f"it names its zone only sometimes, and Spark would not read the rest as {default}"
    if clock and default != "UTC" and re.search("'[^']*Z'", pattern):
        return f"its `Z` in quotes is text like any other, and times in UTC would be read as {default}; write `X`"
    if not day and letters - _CLOCK:
        return "it has a day, which a time would lose; use the type timestamp_ntz"
    if day and ("y" not in certain or not (("d" in certain and certain & {"M", "L"}) or "D" in certain)):
        return "it does not always name year, month and day"
    if not clock and letters & (_CLOCK | _ZONE):
        return "it has a time of day, which a date would lose; use the type timestamp"
    if clock and not letters & {"H", "h", "K", "k"}:
        return "it has no hour" + ("; use the type date" if day else "")
    if letters & {"h", "K"} and "a" not in letters:
        return "a twelve-hour clock needs `a` (am or pm)"
    return None


def _unreadable(bare: str) -> str | None:
    """Why Spark would refuse the pattern, or None."""
    runs = [match.group() for match in re.finditer(r"([A-Za-z])\1*", bare)]
    if unknown := sorted({run[0] for run in runs} - set(_LENGTHS)):
        return f"Spark does not read the letter {', '.join(f'`{letter}`' for letter in unknown)}"
    if wrong := [run for run in runs if len(run) not in _LENGTHS[run[0]]]:
        return f"Spark does not read `{wrong[0]}` ({len(wrong[0])} in a row)"
    if reserved := [char for char in "#{}" if char in bare]:
        return f"`{reserved[0]}` must stand in single quotes"
    return "a `]` has no `[`" if re.search(r"^[^\[]*\]", bare) else None
