"""What a contract can demand: one class per kind of rule."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

Severity = Literal["error", "warning", "info"]
"""`error` rejects the file, `warning` is reported and lets the write happen, `info` is only reported."""

Scalar = str | int | bool | Decimal
"""A value as a contract states it: bounds and enum members, exact (no floats)."""

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "between", "not between"]
"""How a number is held against a threshold; `between` includes both ends."""


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """What a number must be: a count of rows, a percentage of them, or what a query gives."""

    operator: Operator
    """How to compare."""

    values: tuple[Decimal, ...]
    """With what: one number, two for `between`."""

    percent: bool = False
    """Whether the number is a percentage of all rows (exact: `count * 100` against `value * rows`)."""

    def holds(self, number: Decimal | int) -> bool:
        """Whether a number meets it, as a count of rows."""
        low, high = self.values[0], self.values[-1]
        return {
            "=": number == low,
            "!=": number != low,
            "<": number < low,
            "<=": number <= low,
            ">": number > low,
            ">=": number >= low,
            "between": low <= number <= high,
            "not between": not low <= number <= high,
        }[self.operator]


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

    title: str | None = None
    """What the owner calls it, where the document names it."""

    allowed: Threshold | None = None
    """How many rows may break it; None: none at all. Of duplicates every row that shares its values counts."""


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

    typed: bool = False
    """Whether each has its type, as in a table; in a landing file all may be text."""


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

    inner: tuple[str, ...] = ()
    """Where in the column's JSON the value is (`("lines", "[]", "qty")`: of every line); empty: the column itself.

    A step is the name of a field of an object, `[]` for every item of a list, `{}` for every value of a map and `{k}`
    for every key of one; the column's type tells which is meant. Of a part that is not there, nothing is asked.
    """


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
    """Text matches a regular expression (ECMA-262, as in JSON Schema)."""

    kind = "pattern"

    pattern: str
    """The expression as the contract states it; it matches anywhere in the text unless anchored."""


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
    """The lowest value."""

    exclusive: bool = False
    """Whether the limit itself is too low."""


@dataclass(frozen=True, kw_only=True)
class Maximum(ColumnRule):
    """The value is not above a bound."""

    kind = "maximum"

    limit: Scalar
    """The highest value."""

    exclusive: bool = False
    """Whether the limit itself is too high."""


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
class MultipleOf(ColumnRule):
    """The value is a whole multiple of a number."""

    kind = "multiple_of"

    divisor: Scalar
    """The number, greater than zero."""


@dataclass(frozen=True, kw_only=True)
class Format(ColumnRule):
    """Text has a well-known form."""

    kind = "format"

    format: str
    """Its name, one of `sluis.contract.formats.FORMATS`."""


@dataclass(frozen=True, kw_only=True)
class Size(ColumnRule):
    """A list, map or object has a number of members within bounds."""

    kind = "size"

    min: int | None = None
    """Fewest members, inclusive."""

    max: int | None = None
    """Most members, inclusive."""


@dataclass(frozen=True, kw_only=True)
class UniqueItems(ColumnRule):
    """No two items of a list are equal."""

    kind = "unique_items"


@dataclass(frozen=True, kw_only=True)
class Filled(ColumnRule):
    """Not NULL; empty and blank text are values (ODCS `nullValues`)."""

    kind = "filled"


@dataclass(frozen=True, kw_only=True)
class NotMissing(ColumnRule):
    """Not NULL and none of the texts that stand for a missing value (ODCS `missingValues`)."""

    kind = "not_missing"

    texts: tuple[str, ...]
    """What counts as missing besides NULL."""


@dataclass(frozen=True, kw_only=True)
class Valid(ColumnRule):
    """A value that is there meets all of some demands (ODCS `invalidValues`, SodaCL `invalid_count`)."""

    kind = "valid"

    demands: tuple[ColumnRule, ...]
    """Rules about the same column, without a threshold of their own."""


@dataclass(frozen=True, kw_only=True)
class RowCountIs(Rule):
    """The number of rows meets a threshold."""

    kind = "row_count_is"

    # `allowed` is the threshold, and is always there.


@dataclass(frozen=True, kw_only=True)
class Sql(Rule):
    """One SELECT over the rows gives one number that meets a threshold."""

    kind = "sql"

    query: str
    """The query; the rows stand as `{object}`, and nothing else is left to fill in."""

    expected: Threshold
    """What its number must be."""


@dataclass(frozen=True, kw_only=True)
class Gx(Rule):
    """An expectation of Great Expectations, stated directly."""

    kind = "gx"

    type: str
    """Its type (`expect_column_values_to_be_between`)."""

    kwargs: tuple[tuple[str, object], ...]
    """Its arguments as JSON values, sorted by name."""


@dataclass(frozen=True, kw_only=True)
class Relationship(Rule):
    """Values that are there are also in another table (a foreign key)."""

    kind = "relationship"

    columns: tuple[str, ...]
    """The columns here."""

    to: str
    """The object they refer to, as the document names it."""

    to_columns: tuple[str, ...]
    """The columns there, in the same order."""
