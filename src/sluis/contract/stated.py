"""Values that a document states, read as values of a column's type."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from sluis.contract.json_text import exact_number
from sluis.contract.logical import (
    Boolean,
    Byte,
    DecimalType,
    Double,
    Float,
    Integer,
    LogicalType,
    Long,
    Short,
    Timestamp,
)
from sluis.contract.rules import Scalar

_WHOLE = (Byte, Short, Integer, Long)
_DIGITS = 38
"""The most that a decimal of Spark has; larger numbers stay as they are written."""
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NUMBERS = (*_WHOLE, DecimalType, Double, Float)


def scalar(value: object, kind: LogicalType) -> Scalar | None:
    """The value in the form that rules carry for a column of this type.

    Text that plainly is a number or a boolean is one for such a column, as people quote what need not be quoted; a
    number is its text for every other column.

    Returns:
        None when no value of the type can equal it.
    """
    if isinstance(value, dict | list) or value is None:
        return None
    if isinstance(kind, _NUMBERS):
        return _number(value, whole=isinstance(kind, _WHOLE))
    if isinstance(kind, Boolean):
        return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())
    return _zoned(_text(value), kind.zone) if isinstance(kind, Timestamp) else _text(value)


def decimal(value: object) -> Decimal | None:
    """A number, or text that plainly is one; None for everything else."""
    number = _number(value, whole=False)
    return None if number is None else Decimal(number)


def _number(value: object, *, whole: bool) -> int | Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and not _DECIMAL.fullmatch(value.strip()):
        return None
    try:
        number = exact_number(value.strip()) if isinstance(value, str) else value
    except ValueError:
        return None
    is_integral = isinstance(number, Decimal) and number == number.to_integral_value()
    if isinstance(number, Decimal) and is_integral and (whole or number.adjusted() < _DIGITS):
        # However it is written, it is the same demand.
        number = int(number)
    if whole and not isinstance(number, int):
        return None
    return number if isinstance(number, int | Decimal) else None


_NAIVE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?")


def _zoned(text: str, zone: str) -> str:
    """A moment with the zone of its column, where it names none."""
    if zone == "UTC" or not _NAIVE.fullmatch(text):
        return text
    try:
        return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).isoformat()
    except ValueError:
        return text


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
