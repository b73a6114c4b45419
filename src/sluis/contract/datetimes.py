"""Checks of the datetime patterns that a contract may give (Spark's "Datetime Patterns for Formatting and Parsing")."""

from __future__ import annotations

import re

_LETTERS = frozenset("GyMLdDEaHhKkmsSVzOXxQq")
"""Letters that Spark parses; it refuses the other letters of the JDK's DateTimeFormatter."""

_CLOCK = frozenset("HhKkmsSa")
_ZONE = frozenset("VzOXx")


def fault(pattern: str, *, clock: bool) -> str | None:
    """Why text in this pattern could not be read without guessing, or None.

    Args:
        pattern: The contract's pattern.
        clock: Whether the column holds a time of day too.
    """
    bare = re.sub(r"'(?:[^']|'')*'", "", pattern)
    letters = {char for char in bare if char.isascii() and char.isalpha()}
    if "'" in bare:
        return "a quote is not closed"
    if unknown := sorted(letters - _LETTERS):
        return f"Spark does not read the letter {', '.join(f'`{letter}`' for letter in unknown)}"
    if "y" not in letters or not (({"d"} <= letters and letters & {"M", "L"}) or "D" in letters):
        return "it does not name year, month and day"
    if not clock and letters & (_CLOCK | _ZONE):
        return "it has a time of day, which a date would lose; use the type timestamp"
    if clock and not letters & {"H", "h", "K", "k"}:
        return "it has no hour; use the type date"
    if letters & {"h", "K"} and "a" not in letters:
        return "a twelve-hour clock needs `a` (am or pm)"
    return None
