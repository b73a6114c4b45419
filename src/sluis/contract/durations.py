"""Spans of time as contracts write them: `25h`, `25 hours`, `1d6h`, `1 year`, `daily`, `PT25H`, or a value and a unit.

A span is read only when it can mean one thing: `m` is a minute to some and a month to others, and a month is no
number of days.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Unit = Literal["second", "month", "year"]
"""What spans are counted in: the calendar's months and years have no fixed number of seconds."""


UNLIMITED = "unlimited"
"""The word for a span that has no end."""


@dataclass(frozen=True, kw_only=True)
class Duration:
    """A span of time."""

    value: Decimal
    """How long, zero or more."""

    unit: Unit
    """Of what."""


class DurationError(ValueError):
    """The text is no span of time, or could be two; the message says which."""


def parse(text: str) -> Duration:
    """A span as one text, in words, in short or as ISO 8601 has it.

    Raises:
        DurationError: it cannot be read, or not in one way only.
    """
    bare = text.strip()
    if bare.lower() in _RHYTHMS:
        return _RHYTHMS[bare.lower()]
    if iso := _ISO.fullmatch(bare):
        return _sum(text, [(part, _ISO_UNITS[name]) for name, part in iso.groupdict().items() if part is not None])
    if not _SIMPLE.fullmatch(bare):
        raise DurationError(f"`{_short(text)}` is not a span of time such as `25h`, `30 days`, `1 year` or `PT25H`")
    return _sum(text, [(number, _unit(name)) for number, name in _PART.findall(bare)])


def of(value: Decimal, unit: str) -> Duration:
    """A span whose unit stands beside its value.

    Raises:
        DurationError: the value is negative or has more digits than a text may have, or the unit is none or two.
    """
    if not value.is_finite() or value < 0 or abs(value.adjusted()) > _DIGITS or not _ONE.fullmatch(f"{value:f}"):
        raise DurationError(f"`{_short(str(value))}` is no length of time")
    size, name = _unit(unit.strip())
    return Duration(value=value * size, unit=name)


def in_words(span: Duration) -> str:
    """A span as a person reads it (`25 hours`): in the largest unit that it is a whole number of."""
    units = (("day", 86400), ("hour", 3600), ("minute", 60)) if span.unit == "second" else ()
    name, size = next(((name, size) for name, size in units if span.value and span.value % size == 0), (span.unit, 1))
    number = span.value / size
    return f"{number.normalize():f} {name}{'' if number == 1 else 's'}"


_Size = tuple[int, Unit]

_NAMES: dict[str, _Size] = {
    "s sec secs second seconds": (1, "second"),
    "min mins minute minutes": (60, "second"),
    "h hr hrs hour hours": (3600, "second"),
    "d day days": (86400, "second"),
    "w wk wks week weeks": (604800, "second"),
    "mo mon month months": (1, "month"),
    "quarter quarters": (3, "month"),
    "y yr yrs year years": (1, "year"),
}
_UNITS = {name: size for names, size in _NAMES.items() for name in names.split()}

_ISO_UNITS: dict[str, _Size] = {
    "years": (1, "year"),
    "months": (1, "month"),
    "weeks": (604800, "second"),
    "days": (86400, "second"),
    "hours": (3600, "second"),
    "minutes": (60, "second"),
    "seconds": (1, "second"),
}

_RHYTHMS = {
    "hourly": Duration(value=Decimal(3600), unit="second"),
    "daily": Duration(value=Decimal(86400), unit="second"),
    "weekly": Duration(value=Decimal(604800), unit="second"),
    "monthly": Duration(value=Decimal(1), unit="month"),
    "quarterly": Duration(value=Decimal(3), unit="month"),
    "yearly": Duration(value=Decimal(1), unit="year"),
    "annually": Duration(value=Decimal(1), unit="year"),
}

_NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,9})?"
_DIGITS = 12
_ONE = re.compile(_NUMBER)
_PART = re.compile(rf"({_NUMBER})\s*([A-Za-z]+)")
_SIMPLE = re.compile(rf"(?:{_NUMBER}\s*[A-Za-z]+\s*)+")

_AMOUNT = r"[0-9]{1,12}(?:[.,][0-9]{1,9})?"
_ISO = re.compile(
    rf"P(?=[0-9T])(?:(?P<years>{_AMOUNT})Y)?(?:(?P<months>{_AMOUNT})M)?(?:(?P<weeks>{_AMOUNT})W)?(?:(?P<days>{_AMOUNT})D)?"
    rf"(?:T(?=[0-9])(?:(?P<hours>{_AMOUNT})H)?(?:(?P<minutes>{_AMOUNT})M)?(?:(?P<seconds>{_AMOUNT})S)?)?"
)
"""Durations of ISO 8601-1, with weeks beside the other units as ISO 8601-2 allows; both decimal signs."""


def _unit(name: str) -> _Size:
    if name.lower() == "m":
        raise DurationError(f"`{name}` is a minute or a month: write `min`, `month` or an ISO 8601 duration")
    if name.lower() not in _UNITS:
        raise DurationError(f"`{_short(name)}` is not a unit of time such as `h`, `days`, `months` or `y`")
    return _UNITS[name.lower()]


def _sum(text: str, parts: list[tuple[str, _Size]]) -> Duration:
    units = {unit for _, (_, unit) in parts}
    amounts = [(Decimal(number.replace(",", ".")) * size, unit) for number, (size, unit) in parts]
    if len(units) == 1:
        return Duration(value=sum((amount for amount, _ in amounts), Decimal()), unit=units.pop())
    if "second" in units:
        raise DurationError(f"`{_short(text)}` adds days to months, which have no fixed number of days")
    months = sum((amount * (12 if unit == "year" else 1) for amount, unit in amounts), Decimal())
    return Duration(value=months, unit="month")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
