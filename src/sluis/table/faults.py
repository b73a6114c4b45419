"""Spark's exceptions, read the same on classic Spark and on Spark Connect."""

from __future__ import annotations

import re
from collections.abc import Iterator

CONFLICT = re.compile(
    r"DELTA_(CONCURRENT_\w+|METADATA_CHANGED|PROTOCOL_CHANGED|\w*WRITE_CONFLICT\w*|COMMIT_CONFLICT\w*|MAX_COMMIT_RETRIES\w*)"
)
CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]")


def conditions(error: BaseException) -> list[str]:
    """The error conditions of an exception and of its causes, outermost first."""
    found = [condition for cause in _causes(error) if (condition := _condition(cause))]
    return found or CONDITION.findall(text(error))


def text(error: BaseException) -> str:
    """Everything an exception says, the messages of its causes included."""
    return "\n".join(_message(cause) for cause in _causes(error)) + "\n" + str(error)


def conflict(error: BaseException) -> str | None:
    """The condition of a Delta concurrency conflict, or None when it is something else."""
    return next((name for name in conditions(error) if CONFLICT.match(name)), None)


def _causes(error: BaseException) -> Iterator[object]:
    """The exception, then the JVM's chain behind it (classic Spark only)."""
    yield error
    cause = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    for _ in range(20):
        if cause is None:
            return
        yield cause
        cause = cause.getCause()


def _condition(cause: object) -> str | None:
    for name in ("getCondition", "getErrorClass"):
        try:
            value = getattr(cause, name)()
        except Exception:  # noqa: BLE001 - a Java exception without conditions answers with a Py4J error
            continue
        if value:
            return str(value)
    return None


def _message(cause: object) -> str:
    try:
        return str(cause.getMessage())  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001 - Python exceptions of py4j have no getMessage
        return str(cause)
