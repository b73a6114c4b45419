"""Exceptions for people who may not see values: what Spark or a library says of a failure may quote the row."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]")
"""What Spark calls a kind of failure."""

_JAVA = re.compile(r"\b(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error)\b")
"""A class of Java's, as traces name it."""

_SAYINGS = (
    "No space left on device",
    "Permission denied",
    "Connection refused",
    "Connection reset",
    "Java heap space",
    "Read-only file system",
    "Too many open files",
)
"""What the system around says, in which no value is, and which is what people look for."""


def cause(error: BaseException) -> str:
    """What kind of failure it was: classes, Spark's conditions and what the system around says; nothing else."""
    said = [str(one) for one in _chain(error)]
    named = (name for text in said for pattern in (_CONDITION, _JAVA) for name in pattern.findall(text))
    sayings = (saying for saying in _SAYINGS if any(saying in text for text in said))
    classes = (type(one).__name__ for one in _chain(error))
    return ", ".join(dict.fromkeys((*sayings, *classes, *(name.rpartition(".")[2] for name in named))))


def trace(error: BaseException) -> str:
    """Where it was raised, and what before it; each without what it says."""
    return "\n".join(
        f"{type(one).__name__}\n{''.join(traceback.format_tb(one.__traceback__))}".rstrip() for one in _chain(error)
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in seen:
        seen.append(current)
        yield current
        current = current.__cause__ or current.__context__
