"""Spark's exceptions, read the same on classic Spark and on Spark Connect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

CONFLICT = re.compile(
    r"DELTA_(CONCURRENT_|METADATA_CHANGED|PROTOCOL_CHANGED|COMMIT_CONFLICT|MAX_COMMIT_RETRIES|DUPLICATE_COLUMN)"
    r"|FIELD_ALREADY_EXISTS"
)
CAUSED_BY = re.compile(r"^Caused by: [\w.$]+: (.*)$", re.MULTILINE)
CONDITION = re.compile(r"^\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]")


def is_spark(error: BaseException) -> bool:
    """Whether Spark (or the bridge to it) raised this; anything else is a fault of our own."""
    from pyspark.errors import PySparkException

    return isinstance(error, PySparkException) or type(error).__module__.partition(".")[0] in {"py4j", "grpc"}


def is_about_the_plan(error: BaseException) -> bool:
    """Whether Spark raised this before it looked at a row."""
    from pyspark.errors import AnalysisException

    return isinstance(error, AnalysisException)


def messages(error: BaseException) -> list[str]:
    """What an exception and its causes say, outermost first.

    Classic Spark hands over Java's exceptions, often bare and under a Py4J error; Connect hands over a typed
    exception whose causes are only in the text of its stack trace.
    """
    said = [str(error)] if not _java(error) else [str(cause.getMessage()) for cause in _chain(error)]
    return [line.strip() for line in (*said, *CAUSED_BY.findall(str(error))) if line]


def conditions(error: BaseException) -> list[str]:
    """The error conditions of an exception and of its causes, outermost first."""
    own = getattr(error, "getCondition", lambda: None)()
    named = [found.group(1) for message in messages(error) if (found := CONDITION.match(message))]
    return [own, *named] if own else named


def conflict(error: BaseException) -> str | None:
    """The condition of a Delta concurrency conflict, or None when it is something else."""
    return next((name for name in conditions(error) if CONFLICT.match(name)), None)


def _java(error: BaseException) -> Any:
    return getattr(error, "java_exception", None) or getattr(error, "_origin", None)


def _chain(error: BaseException) -> Iterator[Any]:
    cause = _java(error)
    for _ in range(20):
        if cause is None:
            return
        yield cause
        cause = cause.getCause()
