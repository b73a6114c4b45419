"""Text in Markdown that people did not write as Markdown."""

from __future__ import annotations

_PLAIN = frozenset(" .,:;=/…–→")
"""What means nothing in Markdown within a line, beside letters and digits."""


def escaped(text: str) -> str:
    """Text that stands for itself in one line, or in a cell of a table."""
    line = " ".join(text.split())
    return "".join(sign if sign.isalnum() or sign in _PLAIN else f"&#{ord(sign)};" for sign in line)
