"""A contract as it stood when runs were judged by it, in the words of the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ColumnWords:
    """A column, as pages tell it."""

    name: str
    type: str
    required: bool
    sensitive: bool
    description: str | None
    classification: str | None


@dataclass(frozen=True, kw_only=True)
class RuleWords:
    """A rule, as pages tell it."""

    id: str
    columns: Sequence[str]
    severity: str
    description: str

    @property
    def about(self) -> str:
        """The columns as one text; empty for a rule about the whole file."""
        return ", ".join(self.columns)


@dataclass(frozen=True, kw_only=True)
class LevelWords:
    """A service level, as pages tell it."""

    kind: str
    value: str | None
    unit: str | None
    columns: Sequence[str]
    description: str | None
    told: str | None = None
    """What is promised, where it is no number; editions of earlier versions do not have it."""


@dataclass(frozen=True, kw_only=True)
class ChangeWords:
    """One difference from the edition before."""

    kind: str
    words: str
    subject: str
    old: str | None
    new: str | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class Edition:
    """A contract as it stood."""

    id: str
    """The time of the first run that it judged, its suite and its fingerprint."""

    contract: str
    """The contract's name."""

    version: str
    """The version that it states."""

    owner: str | None
    """Who answers for it."""

    description: str | None
    """What the data is, in the owner's words."""

    format: str
    """`native`, `odcs` or `dcs`."""

    path: str
    """The document, relative to the project."""

    object: str
    """Which of the document's objects it is."""

    fingerprint: str
    """Of what the document says."""

    document: str
    """The document itself."""

    primary_key: Sequence[str]
    """The columns that identify a row."""

    columns: Sequence[ColumnWords]
    """In the order of the document."""

    rules: Sequence[RuleWords]
    """Everything that is demanded of the data."""

    levels: Sequence[LevelWords]
    """What is promised of the table over time."""

    unsupported: Sequence[str]
    """Places of the document that nothing enforces."""

    previous: str | None
    """The id of the edition before, if there was one."""

    previous_version: str | None
    """The version that it stated."""

    changes: Sequence[ChangeWords] | None
    """What differs from it, breaking changes first; None where they could not be compared."""

    def count(self, kind: str) -> int:
        """How many changes are of a kind."""
        return sum(change.kind == kind for change in self.changes or ())
