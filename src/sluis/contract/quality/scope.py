"""What a quality item speaks about, and the fields that its rules share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sluis.contract.document import Parts, json_path
from sluis.contract.logical import LogicalType
from sluis.contract.notes import Notes
from sluis.contract.rules import Severity, Threshold


class Unsupported(ValueError):
    """The standard allows the item, and nothing here can check it; the message says why."""


class NoEqual(ValueError):
    """Spark has nothing that means the same as a part of a query; the message says what."""


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What a list of quality items speaks about."""

    id: tuple[str, ...]
    """The parts that its rules' ids start with: the object, for a column also its path of logical names."""

    object: str
    """The object (table, model) whose rows are meant, as the document names it."""

    also_called: tuple[str, ...] = ()
    """Other names by which queries may call the object (its physical name)."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Every column of the object: the document's name → the name in file and table."""

    types: Mapping[str, LogicalType] = field(default_factory=dict)
    """Every column's name in file and table → what it holds."""

    column: str | None = None
    """The column's name in file and table; None for items about the object."""

    inner: tuple[str, ...] = ()
    """Where in the column's JSON the value is; empty: the column itself."""

    type: LogicalType | None = None
    """What the column, or the part of it, holds."""

    dialect: str = "databricks"
    """What SQL its queries are written in, as sqlglot calls it."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A quality item on the way to its rules."""

    raw: Mapping[str, Any]
    """What the document says."""

    at: Parts
    """Where it stands."""

    scope: Scope
    """What it speaks about."""

    severity: Severity
    """What a violation leads to."""

    notes: Notes
    """Where its keys are claimed."""

    def place(self, kind: str) -> dict[str, Any]:
        """The fields that every rule of the item has: id, path, severity, title.

        Args:
            kind: The rule's kind, which its id ends with unless the owner gave the item an id or a name.
        """
        given = self.raw.get("id") or self.raw.get("name")
        return {
            "id": self.notes.rule_id(*self.scope.id, str(given) if given else kind),
            "path": json_path(self.at),
            "severity": self.severity,
            "title": self.raw.get("name") if isinstance(self.raw.get("name"), str) else None,
        }

    def on_column(self, kind: str, allowed: Threshold | None) -> dict[str, Any]:
        """The same for a rule about the scope's column.

        Raises:
            Unsupported: the item speaks about the object.
        """
        if self.scope.column is None:
            raise Unsupported("it is about one column, and stands at the object")
        return {**self.place(kind), "allowed": allowed, "column": self.scope.column, "inner": self.scope.inner}
