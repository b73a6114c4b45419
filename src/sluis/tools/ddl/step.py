"""One step of a script: a statement, or a remark where no statement helps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Step:
    """A statement and what it is about."""

    about: str = ""
    """What it changes, with both sides; empty when the step before says it."""

    sql: str | None = None
    """The statement, without its semicolon; None when there is nothing to run."""

    blocked: bool = False
    """Whether table and contract differ in a way that no statement changes."""

    by_hand: bool = False
    """Whether it changes what readers and writers of the table rely on, so that a person decides on it."""

    privilege: str | None = None
    """What Unity Catalog asks for this alone, where the table is as good without it."""


def script(heading: Iterable[str], steps: Iterable[Step]) -> str:
    """The steps as a SQL script, with everything that is said about them as comments."""
    lines = [remark(text) for text in heading]
    for step in steps:
        lines += ["", remark(step.about)] if step.about else []
        lines += [f"{step.sql};"] if step.sql else []
    return "\n".join(lines)


def remark(text: str) -> str:
    """A text as one comment line; a backslash at its end would take the next line into the comment."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return f"-- {' '.join(line.split())}".rstrip("\\")
