"""What goes into a write and what comes out: plain values, no Spark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Mode = Literal["overwrite", "append", "merge"]


class Source(Protocol):
    """A landing file as the manifest pins it."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def modified(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class TargetColumn:
    """One column that the contract asks of the table."""

    name: str
    """The exact name; never matched case-insensitively."""

    type: str
    """Spark SQL type text, e.g. `INT` or `DECIMAL(10,2)`."""

    nullable: bool = True
    """False makes the column NOT NULL."""

    comment: str | None = None
    """Free text shown in the catalog."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """The table that a contract describes and how rows enter it."""

    name: str
    """`catalog.schema.table` or `schema.table`, not quoted."""

    mode: Mode
    """How rows enter: replace all, add, or update by key."""

    columns: tuple[TargetColumn, ...]
    """The contract's columns, in its order."""

    merge_key: tuple[str, ...] = ()
    """The columns that identify a row under `merge`."""

    primary_key: tuple[str, ...] = ()
    """The contract's key; under `append` a key that exists in the table is refused."""

    partition_columns: tuple[str, ...] = ()
    """The columns that a new table is partitioned by, in order."""

    cluster_columns: tuple[str, ...] = ()
    """The columns that a new table is clustered by, in order; Delta takes either these or partitions."""

    properties: Mapping[str, str] = field(default_factory=dict)
    """Table properties set at creation, e.g. contract name and version."""

    comment: str | None = None
    """The table's comment, set at creation."""

    allow_additional: bool = False
    """Whether rows and table may hold columns that the contract does not name."""

    location: str | None = None
    """Where a local table lives; None when the catalog decides."""


@dataclass(frozen=True, kw_only=True)
class Commit:
    """What the table's history will tell about a write."""

    run_id: str
    """The run; the write finds its own version by it."""

    metadata: Mapping[str, object] = field(default_factory=dict)
    """JSON-able evidence known before the write; `sources` lists the files (path, size, modified)."""


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What a write did."""

    table: str
    """The target's name."""

    location: str
    """Where the table's files are."""

    mode: Mode
    """The mode of the write."""

    version_before: int | None
    """The version that this write replaced; None when the table had never held rows."""

    version_after: int
    """The version that this write made."""

    rows_written: int
    """Inserted plus updated."""

    rows_inserted: int
    """New rows."""

    rows_updated: int
    """Rows whose key existed (only under `merge`)."""

    already_written: bool = False
    """True when an earlier run had written these files; the numbers are those of that run."""

    evidence_in_history: bool = True
    """False when the platform did not let us mark the commit (or none was needed for zero rows)."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What an earlier run left in the table's history."""

    receipt: Receipt
    """What its write did."""

    metadata: Mapping[str, Any]
    """What its commit carries: the run id, and what `Commit.metadata` held."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """The table did not take the rows because of what is in them: a verdict about data, not an error."""

    kind: Literal["existing_keys", "duplicate_keys", "constraint"]
    """What the rows broke."""

    message: str
    """One sentence for people."""

    count: int | None = None
    """How many keys broke it, where that is known."""

    examples: tuple[Mapping[str, str], ...] = ()
    """Up to 20 of them, column to text."""
