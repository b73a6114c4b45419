"""Spark's errors about landing files, told in the project's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluis.errors import SluisError, SourceError
from sluis.landing.pinned import CHANGED

GONE = ("PATH_NOT_FOUND", "FAILED_READ_FILE.FILE_NOT_EXIST", "FAILED_READ_FILE.DBR_FILE_NOT_EXIST")
UNREAD = "FAILED_READ_FILE"

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]")
_FILE = re.compile(
    r"(?:reading file|not exist:?|does not exist\.?) *['\"]?([a-z0-9]+:/[^\s'\"]+?)[.'\"]*(?:\s|$)", re.IGNORECASE
)


def translate(error: BaseException) -> SluisError | None:
    """The `SourceError` behind an error that Spark raised while it ran; None when landing files are not to blame."""
    texts = list(_texts(error))
    conditions = [name for text in texts for name in _CONDITION.findall(text)]
    for text in texts:
        if CHANGED in text:
            return _changed(text)
    if any(condition.startswith(GONE) for condition in conditions):
        return SourceError(f"A landing file is gone{_named(texts)}", hint="run again when the producer has finished")
    if any(condition.startswith(UNREAD) for condition in conditions):
        return SourceError(
            f"A landing file cannot be read to its end{_named(texts)}",
            hint="was it changed while it was read? Otherwise a record may have far more fields than the header",
        )
    return None


def _changed(text: str) -> SourceError:
    found = re.search(rf"{CHANGED} (\d+)\|(-?\d+)\|(\S+)", text)
    where = f": {found[3]} ({found[1]} bytes now)" if found else ""
    return SourceError(
        f"A landing file changed after it was validated{where}", hint="run again when the producer has finished writing"
    )


def _named(texts: list[str]) -> str:
    found = next((match for match in map(_FILE.search, texts) if match), None)
    return f": {found[1]}" if found else ""


def _texts(error: BaseException) -> Iterator[str]:
    """Every message in the chain, Java's own included; classic Spark hides the condition in a cause."""
    seen: BaseException | None = error
    while seen is not None:
        yield str(seen)
        yield from _java(getattr(seen, "java_exception", None))
        seen = seen.__cause__ or seen.__context__


def _java(cause: object) -> Iterator[str]:
    for _ in range(20):
        if cause is None:
            return
        yield str(cause.toString())  # type: ignore[attr-defined]
        cause = cause.getCause()  # type: ignore[attr-defined]
