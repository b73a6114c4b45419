"""Which columns hold values that nobody may see in logs, evidence or docs."""

from __future__ import annotations

_OPEN = frozenset({"", "none", "open", "public", "unclassified"})
"""Classifications that let anybody see the values; whatever else an owner writes is taken as a reason to hide them."""


def hides(classification: object) -> bool:
    """Whether values of this classification are never shown."""
    return str("" if classification is None else classification).strip().lower() not in _OPEN
