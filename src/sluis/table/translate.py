"""What a failed write means: the rows broke the table's rules, or something around them failed.

Messages of Spark that quote rows (casts, constraints) are never passed on: a column may be sensitive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sluis.errors import EnvironmentFailure, SluisError, SourceError, UnforeseenFailure
from sluis.table import faults
from sluis.table.model import Refusal, Target

KEY_EXISTS = "SLUIS_KEY_EXISTS"
SOURCE_CHANGED = re.compile(r"SLUIS_SOURCE_CHANGED:\s*(.*?)(?:\s+SQLSTATE:.*)?$", re.MULTILINE)
CHECK = re.compile(r"CHECK constraint (.+?) \(")
NOT_NULL = re.compile(r"constraint violated for column: (.+?)\.?\s*$", re.MULTILINE)
QUOTES_ROWS = re.compile(
    r"CAST_|NUMERIC_|ARITHMETIC_|CANNOT_PARSE_|CONVERSION_|DATETIME_|INVALID_|EXCEED_LIMIT_LENGTH|MALFORMED_|DELTA_CAST_"
)


@contextmanager
def environment(target: Target) -> Iterator[None]:
    """Turn what Spark raises around a table into our own errors."""
    try:
        yield
    except Exception as error:
        if isinstance(error, SluisError) or not faults.is_spark(error):
            raise
        raise failure(error, target) from error


def refusal(error: BaseException, target: Target) -> Refusal | None:
    """The verdict about the rows, when that is what the failure means."""
    names = set(faults.conditions(error))
    said = "\n".join(faults.messages(error))
    if "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES" in names:
        found = CHECK.search(said)
        name = found.group(1) if found else "of the table"
        return Refusal(kind="constraint", message=f"Rows break the CHECK constraint {name} of {target.name}.")
    if names & {"DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "NOT_NULL_ASSERT_VIOLATION"}:
        found = NOT_NULL.search(said)
        column = f"column {found.group(1)}" if found else "a column"
        message = f"Rows hold NULL in {column} of {target.name}, which is NOT NULL."
        return Refusal(kind="constraint", message=message)
    if "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE" in names:
        keys = ", ".join(target.merge_key)
        message = f"Several rows have the same {keys} as one row of {target.name}."
        return Refusal(kind="duplicate_keys", message=message)
    if KEY_EXISTS in said:
        return Refusal(kind="existing_keys", message=f"Rows have keys that exist in {target.name}.")
    return None


def failure(error: BaseException, target: Target) -> EnvironmentFailure:
    """The error of our own that says what failed around the rows."""
    names = faults.conditions(error)
    said = faults.messages(error) or [type(error).__name__]
    if quoting := next((name for name in names if QUOTES_ROWS.match(name)), None):
        return EnvironmentFailure(
            f"A value did not convert while writing to {target.name} ({quoting}): the checks passed, the cast held. "
            "Nothing was written.",
            hint="The session may not be the one that was checked, or this is a fault in Sluis: please report it.",
        )
    if changed := SOURCE_CHANGED.search("\n".join(said)):
        return SourceError(f"The source changed after it was validated: {changed.group(1)}. Nothing was written.")
    if any(name.startswith("FAILED_READ_FILE") for name in names):
        return SourceError(f"A file could not be read while writing to {target.name}: {_headline(said)}")
    if "REQUIRES_SINGLE_PART_NAMESPACE" in names:
        return EnvironmentFailure(f"{target.name}: this session knows no catalog of that name.")
    return UnforeseenFailure(f"{target.name} failed: {_headline(said)}")


def _headline(said: list[str]) -> str:
    """The innermost message knows best ("No space left on device"), the outermost names the place."""
    lines = [message.splitlines()[0] for message in said]
    return lines[0] if len(lines) < 2 or lines[-1] in lines[0] else f"{lines[0]} ({lines[-1]})"
