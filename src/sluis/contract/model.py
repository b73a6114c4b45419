"""The one model that every contract format is read into."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import ClassVar, Literal

Severity = Literal["error", "warning", "info"]
"""`error` rejects the file, `warning` is reported and lets the write happen, `info` is only reported."""

Scalar = str | int | bool | Decimal
"""A value as a contract states it: bounds and enum members, exact (no floats)."""


@dataclass(frozen=True, kw_only=True)
class LogicalType:
    """What the text of a column means."""

    name: ClassVar[str]


@dataclass(frozen=True, kw_only=True)
class String(LogicalType):
    """Any text, kept byte for byte."""

    name = "string"


@dataclass(frozen=True, kw_only=True)
class Integer(LogicalType):
    """A whole number of 32 bits."""

    name = "integer"


@dataclass(frozen=True, kw_only=True)
class Long(LogicalType):
    """A whole number of 64 bits."""

    name = "long"


@dataclass(frozen=True, kw_only=True)
class Double(LogicalType):
    """A finite binary floating-point number of 64 bits."""

    name = "double"


@dataclass(frozen=True, kw_only=True)
class Boolean(LogicalType):
    """True or false."""

    name = "boolean"


@dataclass(frozen=True, kw_only=True)
class Date(LogicalType):
    """A calendar day."""

    name = "date"

    format: str | None = None
    """The contract's own pattern (Spark's datetime patterns); None for `yyyy-[M]M-[d]d`."""


@dataclass(frozen=True, kw_only=True)
class Timestamp(LogicalType):
    """A moment; text without a zone is in UTC."""

    name = "timestamp"

    format: str | None = None
    """The contract's own pattern (Spark's datetime patterns); None for ISO 8601."""


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


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that the contract demands."""

    kind: ClassVar[str]

    id: str
    """Stable and readable (`customers.first_name.required`)."""

    path: str
    """Where the document demands it (`$.columns[1].nullable`); `$` when every contract demands it."""

    severity: Severity = "error"
    """What a violation leads to."""


@dataclass(frozen=True, kw_only=True)
class Header(Rule):
    """Every file's header can be read without guessing."""

    kind = "header"


@dataclass(frozen=True, kw_only=True)
class RowShape(Rule):
    """Every row has as many fields as the header, and its quotes are balanced."""

    kind = "row_shape"


@dataclass(frozen=True, kw_only=True)
class Encoding(Rule):
    """Every byte is valid in the declared encoding."""

    kind = "encoding"


@dataclass(frozen=True, kw_only=True)
class Columns(Rule):
    """The contract's columns are there and, unless it allows more, no others."""

    kind = "columns"

    names: tuple[str, ...]
    """The columns that must be there."""

    allow_additional: bool
    """Whether others may be there too."""


@dataclass(frozen=True, kw_only=True)
class RowCount(Rule):
    """The number of rows lies within bounds."""

    kind = "row_count"

    min: int | None = None
    """Fewest rows, inclusive."""

    max: int | None = None
    """Most rows, inclusive."""


@dataclass(frozen=True, kw_only=True)
class ColumnRule(Rule):
    """A rule about the values of one column."""

    column: str
    """The column's name."""


@dataclass(frozen=True, kw_only=True)
class Required(ColumnRule):
    """Neither NULL nor blank."""

    kind = "required"


@dataclass(frozen=True, kw_only=True)
class TypeOf(ColumnRule):
    """Text that is not blank has the column's logical type."""

    kind = "type"


@dataclass(frozen=True, kw_only=True)
class Pattern(ColumnRule):
    """Text matches a regular expression somewhere (ECMA-262, as in JSON Schema)."""

    kind = "pattern"

    pattern: str
    """The expression as the contract states it."""


@dataclass(frozen=True, kw_only=True)
class MinLength(ColumnRule):
    """Text has at least so many characters (Unicode code points)."""

    kind = "min_length"

    limit: int
    """Fewest characters, inclusive."""


@dataclass(frozen=True, kw_only=True)
class MaxLength(ColumnRule):
    """Text has at most so many characters (Unicode code points)."""

    kind = "max_length"

    limit: int
    """Most characters, inclusive."""


@dataclass(frozen=True, kw_only=True)
class Minimum(ColumnRule):
    """The value is not below a bound."""

    kind = "minimum"

    limit: Scalar
    """The lowest value, inclusive."""


@dataclass(frozen=True, kw_only=True)
class Maximum(ColumnRule):
    """The value is not above a bound."""

    kind = "maximum"

    limit: Scalar
    """The highest value, inclusive."""


@dataclass(frozen=True, kw_only=True)
class Enum(ColumnRule):
    """The value is one of a list."""

    kind = "enum"

    values: tuple[Scalar, ...]
    """The values that are allowed, compared as values of the column's type."""


@dataclass(frozen=True, kw_only=True)
class Unique(Rule):
    """No two rows share a value; NULL and blank values are not duplicates of each other."""

    kind = "unique"

    columns: tuple[str, ...]
    """The columns whose values together are unique."""


@dataclass(frozen=True, kw_only=True)
class PrimaryKey(Unique):
    """The columns that identify a row: unique together (each is required by a rule of its own)."""

    kind = "primary_key"


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """What became of one key of a contract document."""

    path: str
    """Where the key stands (`$.columns[0].nullable`)."""

    status: Literal["enforced", "documentation", "unsupported"]
    """Whether a rule enforces it, it only informs, or nothing is done with it."""

    note: str = ""
    """By which rule, or why not."""


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What producer and consumer agreed."""

    name: str
    """The contract's own name."""

    version: str
    """The version of the agreement."""

    format: Literal["native"]
    """Which kind of document it was read from."""

    path: str
    """The document, relative to the project."""

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
