"""The one model that every contract format is read into."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from sluis.contract.logical import LogicalType
from sluis.contract.rules import Rule


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column that the contract promises."""

    name: str
    """The exact name, as it stands in the header and in the table."""

    type: LogicalType
    """What its text means."""

    required: bool = False
    """Whether NULL and blank text are violations."""

    description: str | None = None
    """What it holds, in the owner's words; becomes the column's comment."""

    sensitive: bool = False
    """Whether its values may never be shown in logs, evidence or docs."""

    logical_name: str | None = None
    """What the document calls it (rule ids use this), where file and table have another name for it."""

    classification: str | None = None
    """How confidential it is, in the owner's words (`restricted`, `pii`); becomes a tag of the column."""

    tags: tuple[str, ...] = ()
    """Words to find it by."""


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """What became of one key of a contract document."""

    path: str
    """Where the key stands (`$.columns[0].nullable`)."""

    status: Literal["enforced", "documentation", "unsupported"]
    """Whether a rule enforces it, it only informs, or nothing is done with it."""

    note: str = ""
    """By which rule, or why not."""

    says: str = ""
    """What stands there, as JSON text, where nothing enforces it."""

    warning: bool = False
    """Whether the key departs from its standard and was read as what it clearly means."""


@dataclass(frozen=True, kw_only=True)
class ServiceLevel:
    """What is promised of the table over time."""

    kind: str
    """`freshness`, `latency`, `retention`, `frequency`, `availability` … (the standard's long name)."""

    value: Decimal | None = None
    """How much; None where the document only tells in words."""

    unit: str | None = None
    """Of what: `second` for every duration shorter than a month, `month`, `year`, `percent`; `unlimited`, without a
    value, for what has no end; else as it stands."""

    told: str | None = None
    """What is promised, as it stands, where it is no number: a date, a time of day, words."""

    columns: tuple[str, ...] = ()
    """The columns it is measured on."""

    path: str
    """Where the document promises it."""

    description: str | None = None
    """The owner's words."""

    rule: Rule | None = field(default=None, compare=False)
    """How `sluis test` holds the table to it; None: it only informs. Its id differs where the level is the same."""


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What producer and consumer agreed."""

    name: str
    """The contract's own name."""

    version: str
    """The version of the agreement."""

    format: Literal["native", "odcs", "dcs"]
    """Which kind of document it was read from."""

    path: str
    """The document, relative to the project."""

    object: str
    """Which of the document's objects (tables) this is; a native contract's name."""

    id: str | None = None
    """The document's own id (a URN, a UUID), where it has one beside its name."""

    fingerprint: str
    """`sha256:…` of what the document says (formatting does not count)."""

    description: str | None = None
    """What the data is, in the owner's words."""

    owner: str | None = None
    """Who answers for it."""

    allow_additional_columns: bool = False
    """Whether columns beyond the contract's are carried through as text."""

    columns: tuple[Column, ...]
    """The columns, in the order of the document and of the table."""

    primary_key: tuple[str, ...] = ()
    """The columns that identify a row."""

    rules: tuple[Rule, ...]
    """Everything that is demanded of the data."""

    service_levels: tuple[ServiceLevel, ...] = ()
    """What is promised of the table over time."""

    partition_columns: tuple[str, ...] = ()
    """The columns that the table is partitioned by, in order."""

    cluster_columns: tuple[str, ...] = ()
    """The columns that the table is clustered by, in order."""

    tags: tuple[str, ...] = ()
    """Words to find it by."""

    notices: tuple[str, ...] = ()
    """What the reader had to interpret, or what is deprecated, a line each."""

    ledger: tuple[LedgerEntry, ...] = field(default=())
    """What became of every key of the document."""

    def column(self, name: str) -> Column:
        """The column of that name.

        Raises:
            KeyError: the contract has no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def sensitive(self) -> frozenset[str]:
        """Names of the columns whose values are never shown."""
        return frozenset(column.name for column in self.columns if column.sensitive)
