"""Which columns hold values that may never be shown."""

from __future__ import annotations

from collections.abc import Iterable

_OPEN = frozenset(
    {"", "public", "open", "none", "unclassified", "unrestricted", "non-confidential", "not confidential"}
)
"""Classifications that forbid nothing."""

_WORDS = frozenset({"pii", "phi", "pci", "sensitive", "confidential", "restricted", "secret", "personal", "gdpr"})
"""Words of tags that mark a column as not to be shown."""


def is_sensitive(classification: object, tags: Iterable[object] = ()) -> bool:
    """Whether a column's values stay hidden: it has a classification that is not open, or a tag that says so."""
    if classification is not None and str(classification).strip().lower() not in _OPEN:
        return True
    return any(
        _WORDS & set(str(tag).lower().replace(":", " ").replace("_", " ").replace("-", " ").split()) for tag in tags
    )
