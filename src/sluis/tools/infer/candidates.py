"""The types that text may have, from the narrowest to the widest, and how their text looks at a glance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sluis.contract.logical import Boolean, Date, Double, Integer, LogicalType, Long, Time, Timestamp


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A type that a column may have; the lexical table decides whether it has."""

    logical: LogicalType
    """The type."""

    glance: re.Pattern[str]
    """What its text looks like: text that does not is not worth asking the table about."""


def _dated(pattern: str) -> re.Pattern[str]:
    """A day's pattern as an expression; single letters stand for one or two digits."""
    runs = re.sub(r"yyyy|dd|MM|HH|mm|ss|d|M", lambda run: _RUNS[run[0]], re.escape(pattern))
    return re.compile(runs, re.ASCII)


_RUNS = {"yyyy": r"\d{4}", "d": r"\d{1,2}", "M": r"\d{1,2}", **dict.fromkeys(("dd", "MM", "HH", "mm", "ss"), r"\d{2}")}

_DAYS = ("dd{0}MM{0}yyyy", "MM{0}dd{0}yyyy", "d{0}M{0}yyyy", "M{0}d{0}yyyy")

DAYS = (*(day.format(sep) for sep in "/-." for day in _DAYS), "yyyy/MM/dd", "yyyy.MM.dd", "yyyyMMdd")
"""Patterns of days that are not ISO's."""

MOMENTS = tuple(f"{day} HH:mm{seconds}" for day in DAYS if day != "yyyyMMdd" for seconds in ("", ":ss"))
"""Patterns of moments that are not ISO's."""

_CLOCK = r"\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"
_ZONE = r"(Z|[-+]\d{2}(:?\d{2})?)"

ZONED = rf"{_ZONE}\z"
"""Java's expression for the zone at the end of a moment."""

CANDIDATES = (
    Candidate(logical=Boolean(), glance=re.compile(r"\s*(t|true|y|yes|f|false|n|no)\s*", re.IGNORECASE)),
    Candidate(logical=Integer(), glance=re.compile(r" *[-+]?[0-9]+ *")),
    Candidate(logical=Long(), glance=re.compile(r" *[-+]?[0-9]+ *")),
    Candidate(logical=Double(), glance=re.compile(r"[-+. eE0-9]+")),
    Candidate(logical=Date(), glance=re.compile(r"\d{4}-\d{1,2}-\d{1,2}", re.ASCII)),
    Candidate(logical=Timestamp(), glance=re.compile(rf"\d{{4}}-\d{{2}}-\d{{2}}[T ]{_CLOCK}{_ZONE}?", re.ASCII)),
    Candidate(logical=Time(), glance=re.compile(_CLOCK, re.ASCII)),
    *(Candidate(logical=Date(format=pattern), glance=_dated(pattern)) for pattern in DAYS),
    *(Candidate(logical=Timestamp(format=pattern), glance=_dated(pattern)) for pattern in MOMENTS),
)
"""Every type that is tried, in the order of preference."""


def possible(texts: Iterable[str]) -> list[LogicalType]:
    """The types that all of these texts may have; blank ones are left out by the caller."""
    left = list(CANDIDATES)
    for text in texts:
        left = [candidate for candidate in left if candidate.glance.fullmatch(text)]
    return [candidate.logical for candidate in left]
