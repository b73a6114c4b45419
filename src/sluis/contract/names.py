"""Which names a contract may use."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence

RESERVED = "__sluis"
"""Columns that Sluis adds to a frame for itself start with this."""

METADATA = "_metadata"

_UNPRINTABLE = ("Cc", "Zl", "Zp", "Cs")
"""Unicode's categories of control characters, line ends and halves of characters."""

CORRUPT = f"{RESERVED}_corrupt_record"
"""The column in which landing puts the text of a row that does not fit its header."""

SOURCE = f"{RESERVED}_source"
"""The column in which landing names the file of a row, where it is asked to."""

LINE = f"{RESERVED}_line"
"""The column in which landing tells the line of a row in its file, where it is asked to; NULL where it is not known."""

LONGEST = 255
"""Characters of a column's name; file and catalog names end there."""


def faults(columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Names that header, Delta or GX cannot hold, as (position, reason)."""
    seen: dict[str, str] = {}
    known: set[str] = set()
    for index, name in enumerate(columns):
        if reason := _reason(name):
            yield index, reason
        elif (twin := seen.setdefault(name.lower(), name)) != name:
            yield index, f"`{name}` and `{twin}` differ only in case, which Delta does not distinguish"
        elif name in known:
            yield index, f"`{name}` stands here a second time"
        known.add(name)


def safe(*parts: str) -> str:
    """Names joined by dots into an id; a part that had to be changed gets a digest, so that ids stay distinct."""
    return ".".join(part if _is_safe(part) else _changed(part) for part in parts)


def _is_safe(part: str) -> bool:
    return bool(_SAFE.fullmatch(part)) and len(part.encode()) <= _LONGEST_PART


_SAFE = re.compile(r"[\w-]+")

_LONGEST_PART = 100
"""Bytes of a part; suites are files, whose names end at 255 bytes."""


def _changed(part: str) -> str:
    digest = hashlib.sha256(part.encode()).hexdigest()[:6]
    readable = re.sub(r"[^\w-]+", "_", part).encode()[:80].decode(errors="ignore")
    return f"{readable}-{digest}"


def _reason(name: str) -> str | None:
    if not name.strip():
        return "a column needs a name"
    if name != name.strip():
        return f"`{name}` starts or ends with a space, which a header cannot show"
    if any(unicodedata.category(char) in _UNPRINTABLE for char in name) or name.startswith("\ufeff"):
        return f"{name!a} holds a character that cannot be seen"
    if name.lower().startswith(RESERVED):
        return f"`{name}` starts with `{RESERVED}`, which Sluis keeps for itself"
    if name.lower() == METADATA:
        return f"`{name}` is the column by which Spark tells the file of a row"
    if len(name) > LONGEST:
        return f"the name has {len(name)} characters; catalogs take {LONGEST}"
    return None
