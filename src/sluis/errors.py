"""The error tree: everything that is not a verdict about the data.

A failed data rule is a value (`sluis.verdict.Judgement`), never an exception. What is raised here is a broken
contract or suite (exit code 2) or an environment that failed (exit code 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One fault in a document that a person wrote."""

    file: str
    """The document, as the user named it."""

    path: str
    """Where in the document, as a JSON path (`$.columns[2].type`)."""

    message: str
    """What is wrong, with what was found."""

    allowed: str = ""
    """What would have been accepted there; empty when that cannot be listed."""

    hint: str = ""
    """What to do about it."""

    line: int | None = None
    """Its line, from 1; None where the document's reader does not tell (JSON)."""

    column: int | None = None
    """Its character in the line, from 1."""

    def __str__(self) -> str:
        file = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        allowed = f" Allowed: {self.allowed}." if self.allowed else ""
        hint = f" Hint: {self.hint}" if self.hint else ""
        return f"{file}: {self.path}: {self.message}{allowed}{hint}"


class SluisError(Exception):
    """Base of every error that Sluis raises on purpose."""

    exit_code = 3
    """What the process returns when this ends it (DESIGN §9)."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nHint: {self.hint}" if self.hint else self.message


class ContractError(SluisError):
    """Contracts, entities or environments that cannot be used; carries every problem found at once."""

    exit_code = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class SuiteError(SluisError):
    """The GX suite or checkpoint on disk is not what the contract compiles to."""

    exit_code = 2


class ConditionError(SluisError):
    """A condition by which rows were to be chosen is none, or names what is not there."""

    exit_code = 2


class SchemaError(SluisError):
    """The target table and the contract disagree in a way that may not be evolved."""

    exit_code = 2


class RejectedError(SluisError):
    """The data broke its contract; raised only where a caller needs an exception (a Databricks task)."""

    exit_code = 1


class EnvironmentFailure(SluisError):
    """Something outside contract and data failed: storage, session, catalog."""


class UnforeseenFailure(EnvironmentFailure):
    """A failure that is told in the words of Spark or a library, which may quote a row."""


class SourceError(EnvironmentFailure):
    """The landing files are missing, unreadable, or changed after they were validated."""


class ConflictError(EnvironmentFailure):
    """Another writer kept winning; the bounded retries are used up."""
