"""Values that a contract states (bounds, members of an enum) against the type of their column."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from sluis.contract.logical import Boolean, Date, Double, Integer, Long, String, Timestamp
from sluis.contract.rules import Scalar

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)?"
)

MEANING = {
    String.name: "text",
    Integer.name: "a whole number of 32 bits",
    Long.name: "a whole number of 64 bits",
    Double.name: "a number that a double can hold",
    Boolean.name: "true or false",
    Date.name: "a day, as text (yyyy-MM-dd)",
    Timestamp.name: "a moment, as text (yyyy-MM-ddTHH:mm:ssZ)",
}
"""Type → what its values are in a contract."""


def parsed(kind: str, value: Scalar) -> Any:
    """The value as something that compares with others of its type; None when it is not of that type."""
    return _PARSERS[kind](value)


def _text(value: Scalar) -> str | None:
    return value if isinstance(value, str) else None


def _truth(value: Scalar) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(value: Scalar) -> int | Decimal | None:
    return None if isinstance(value, str | bool) else value


def _whole(bits: int) -> Callable[[Scalar], int | None]:
    bound = 2 ** (bits - 1)

    def parse(value: Scalar) -> int | None:
        number = _number(value)
        return int(number) if number is not None and number == int(number) and -bound <= number < bound else None

    return parse


def _double(value: Scalar) -> int | Decimal | None:
    number = _number(value)
    try:
        fits = number is not None and math.isfinite(float(number)) and bool(number) == bool(float(number))
    except OverflowError:
        return None
    return number if fits else None


def _day(value: Scalar) -> date | None:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _moment(value: Scalar) -> datetime | None:
    if not isinstance(value, str) or not _TIMESTAMP.fullmatch(value):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


_PARSERS: dict[str, Callable[[Scalar], Any]] = {
    String.name: _text,
    Integer.name: _whole(32),
    Long.name: _whole(64),
    Double.name: _double,
    Boolean.name: _truth,
    Date.name: _day,
    Timestamp.name: _moment,
}
