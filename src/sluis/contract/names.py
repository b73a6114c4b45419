"""Which names a contract may use."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

RESERVED = "__sluis"
"""Columns that Sluis adds to a frame for itself start with this."""

LONGEST = 255
"""Characters of a column's name; file and catalog names end there."""


def faults(columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Names that header, Delta or GX cannot hold, as (position, reason)."""
    seen: dict[str, str] = {}
    for index, name in enumerate(columns):
        if reason := _reason(name):
            yield index, reason
        elif (twin := seen.setdefault(name.lower(), name)) != name:
            yield index, f"`{name}` and `{twin}` differ only in case, which Delta does not distinguish"
        elif columns.index(name) != index:
            yield index, f"`{name}` stands here a second time"


def safe(*parts: str) -> str:
    """Names joined by dots into an id; a part that had to be changed gets a digest, so that ids stay distinct."""
    return ".".join(part if _SAFE.fullmatch(part) else _changed(part) for part in parts)


_SAFE = re.compile(r"[\w-]{1,100}")


def _changed(part: str) -> str:
    digest = hashlib.sha256(part.encode()).hexdigest()[:6]
    readable = re.sub(r"[^\w-]+", "_", part)[:80]
    return f"{readable}-{digest}"


def _reason(name: str) -> str | None:
    if not name.strip():
        return "a column needs a name"
    if name != name.strip():
        return f"`{name}` starts or ends with a space, which a header cannot show"
    if any(ord(char) < 32 or ord(char) == 127 for char in name):
        return f"{name!r} holds a control character"
    if name.lower().startswith(RESERVED):
        return f"`{name}` starts with `{RESERVED}`, which Sluis keeps for itself"
    if len(name) > LONGEST:
        return f"the name has {len(name)} characters; catalogs take {LONGEST}"
    return None
