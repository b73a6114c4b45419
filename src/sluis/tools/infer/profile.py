"""A landing file → what can be counted of each column, in a few passes whatever the number of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sluis import lexical
from sluis.contract.logical import LogicalType
from sluis.contract.names import CORRUPT
from sluis.lexical import WHITESPACE, identifier, string
from sluis.tools.infer.candidates import ZONED, possible

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

GLANCED = 1000
"""Rows that are looked at to see which types are worth trying on all."""

_TOGETHER = 60
"""Columns per pass: more would make one plan too large."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What is known of one column."""

    name: str
    """Its name."""

    rows: int
    """Rows of the file."""

    nulls: int
    """Values that are NULL."""

    blanks: int
    """Values that are there and blank."""

    shortest: int
    """Characters of the shortest text, blank ones included."""

    longest: int
    """Characters of the longest."""

    distinct: int
    """About how many different texts there are."""

    types: tuple[LogicalType, ...]
    """The types that every text has that is not blank, the narrowest first."""

    zeros: int
    """Texts that start with a zero and another digit."""

    pluses: int
    """Texts that start with a plus."""

    zoned: int
    """Texts that end with a time zone."""

    before: int | None
    """Digits before the point at most; None where not every text is a number in plain notation."""

    behind: int
    """Digits behind the point at most, zeros at the end included: they tell how exact it is meant."""

    @property
    def filled(self) -> int:
        """Values that are there and not blank."""
        return self.rows - self.nulls - self.blanks

    @property
    def required(self) -> bool:
        """Whether every row has a value."""
        return self.filled == self.rows


def profiles(frame: DataFrame) -> tuple[list[Profile], int]:
    """Look at every column.

    Returns:
        The profiles, and how many rows do not fit the header.
    """
    names = [name for name in frame.columns if name != CORRUPT]
    tried = dict(zip(names, _tried(frame, names), strict=True))
    found: list[Profile] = []
    unfit = 0
    for start in range(0, len(names), _TOGETHER):
        some = names[start : start + _TOGETHER]
        aggregates = [
            f"{sql} AS {_alias(place, what)}"
            for place, name in enumerate(some)
            for what, sql in _counts(name, tried[name])
        ]
        row = frame.selectExpr("count(1) AS n", f"count({CORRUPT}) AS unfit", *aggregates).collect()[0]
        unfit = row["unfit"]
        found += [_profile(name, place, tried[name], row) for place, name in enumerate(some)]
    return found, unfit


def _tried(frame: DataFrame, names: Sequence[str]) -> Iterator[list[LogicalType]]:
    """The types that the first rows leave possible."""
    rows = frame.select([identifier(name) for name in names]).limit(GLANCED).collect()
    for place in range(len(names)):
        texts = {row[place] for row in rows if row[place] is not None}
        yield possible(text for text in texts if text.strip(WHITESPACE))


def _alias(place: int, what: str) -> str:
    return f"c{place}_{what}"


_NUMBER = r"\A *[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+) *\z"


def _counts(name: str, types: Sequence[LogicalType]) -> Iterator[tuple[str, str]]:
    """What is counted of a column → SQL."""
    text = identifier(name)
    filled = f"({text} IS NOT NULL AND NOT {lexical.blank(text)})"
    yield "nulls", f"count_if({text} IS NULL)"
    yield "filled", f"count_if({filled})"
    yield "shortest", f"min(char_length({text}))"
    yield "longest", f"max(char_length({text}))"
    yield "distinct", f"approx_count_distinct({text}, 0.02)"
    yield "zeros", f"count_if({text} RLIKE {string(r'^ *[-+]?0[0-9]')})"
    yield "pluses", f"count_if({text} RLIKE {string(r'^ *[+]')})"
    yield "zoned", f"count_if({text} RLIKE {string(ZONED)})"
    plain = f"{text} RLIKE {string(_NUMBER)}"
    yield "odd", f"count_if({filled} AND NOT {plain})"
    yield "before", f"max(IF({plain}, char_length(regexp_extract({text}, {string('^ *[-+]?0*([0-9]*)')}, 1)), 0))"
    yield "behind", f"max(IF({plain}, char_length(regexp_extract({text}, {string('[.]([0-9]*) *$')}, 1)), 0))"
    for index, logical in enumerate(types):
        accepted = lexical.accepted(logical, text, lexical.value(logical, text))
        yield f"refused_{index}", f"count_if(IF({filled}, NOT {accepted}, false))"


def _profile(name: str, place: int, types: Sequence[LogicalType], row: Row) -> Profile:
    def count(what: str) -> int:
        return int(row[_alias(place, what)] or 0)

    fits = [logical for index, logical in enumerate(types) if count(f"refused_{index}") == 0]
    return Profile(
        name=name,
        rows=row["n"],
        nulls=count("nulls"),
        blanks=row["n"] - count("nulls") - count("filled"),
        shortest=count("shortest"),
        longest=count("longest"),
        distinct=count("distinct"),
        types=tuple(fits) if count("filled") else (),
        zeros=count("zeros"),
        pluses=count("pluses"),
        zoned=count("zoned"),
        before=None if count("odd") or not count("filled") else count("before"),
        behind=count("behind"),
    )


def values(frame: DataFrame, names: Sequence[str]) -> Mapping[str, list[str]]:
    """All different texts of columns that have few, sorted; NULL is none."""
    if not names:
        return {}
    sets = [
        f"sort_array(collect_set({identifier(name)})) AS {_alias(place, 'set')}" for place, name in enumerate(names)
    ]
    row = frame.selectExpr(*sets).collect()[0]
    return {name: list(row[place]) for place, name in enumerate(names)}


def distinct(frame: DataFrame, keys: Sequence[Sequence[tuple[str, LogicalType]]]) -> list[int]:
    """How many different values each of several keys has; a key is columns with their types."""
    if not keys:
        return []
    counts = []
    for place, key in enumerate(keys):
        members = [lexical.value(logical, identifier(name)) for name, logical in key]
        counts.append(f"count(DISTINCT struct({', '.join(members)})) AS {_alias(place, 'key')}")
    row = frame.selectExpr(*counts).collect()[0]
    return [int(row[place]) for place in range(len(keys))]
