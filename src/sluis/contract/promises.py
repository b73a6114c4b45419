"""What is promised of a table over time, as rules of `sluis test`; no landing file is judged by them."""

from __future__ import annotations

from dataclasses import dataclass

from sluis.contract.durations import Duration
from sluis.contract.rules import Rule


@dataclass(frozen=True, kw_only=True)
class Promise(Rule):
    """Something that is promised within a span of time."""

    within: Duration
    """The longest that it may take; months and years are whole ones."""


@dataclass(frozen=True, kw_only=True)
class Freshness(Promise):
    """The newest row is not older; rows from the future do not count."""

    kind = "freshness"

    column: str
    """The column that tells how old a row is."""


@dataclass(frozen=True, kw_only=True)
class Latency(Promise):
    """Every row is there not later after its source had it."""

    kind = "latency"

    source: str
    """The column that tells when the source had it."""

    column: str
    """The column that tells when it was there."""


@dataclass(frozen=True, kw_only=True)
class Retention(Promise):
    """No row is older."""

    kind = "retention"

    column: str
    """The column that tells how old a row is."""


@dataclass(frozen=True, kw_only=True)
class Written(Promise):
    """The last rows came to the table no longer ago; its history tells."""

    kind = "written"
