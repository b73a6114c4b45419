"""Values that a contract states (bounds, members of an enum) against the type of their column."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import struct
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Context, Decimal
from typing import Any

from sluis.contract.logical import (
    Array,
    Binary,
    Boolean,
    Byte,
    Date,
    DecimalType,
    Double,
    Float,
    Integer,
    Json,
    Long,
    Map,
    Object,
    Short,
    String,
    Time,
    Timestamp,
    TimestampNtz,
)
from sluis.contract.rules import Scalar

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
_TIME = re.compile(_CLOCK)
_NAIVE = re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_CLOCK}")
_TIMESTAMP = re.compile(rf"{_NAIVE.pattern}(?:Z|[-+][0-9]{{2}}(?::?[0-9]{{2}})?)?")

DIGITS = 38
"""The most digits that a decimal of Spark has."""

MEANING = {
    String.name: "text",
    Integer.name: "a whole number of 32 bits",
    Long.name: "a whole number of 64 bits",
    Double.name: "a number that a double can hold",
    Boolean.name: "true or false",
    Date.name: "a day, as text (yyyy-MM-dd)",
    Timestamp.name: "a moment, as text (yyyy-MM-ddTHH:mm:ssZ)",
    Byte.name: "a whole number of 8 bits",
    Short.name: "a whole number of 16 bits",
    DecimalType.name: f"a number of at most {DIGITS} digits",
    Float.name: "a number that a float can hold",
    TimestampNtz.name: "a day and a time, as text without a zone (yyyy-MM-ddTHH:mm:ss)",
    Time.name: "a time of day, as text (HH:mm:ss)",
    Binary.name: "bytes, as base64 text",
    Json.name: "JSON, as text",
    Object.name: "nothing: objects are not compared",
    Array.name: "nothing: lists are not compared",
    Map.name: "nothing: maps are not compared",
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


def _floating(code: str) -> Callable[[Scalar], int | Decimal | None]:
    """Numbers that a float of `struct`'s code holds, rounded as floats are, but neither to zero nor to infinity."""

    def parse(value: Scalar) -> int | Decimal | None:
        number = _number(value)
        if number is None:
            return None
        try:
            [held] = struct.unpack(code, struct.pack(code, float(number)))
        except OverflowError:
            return None
        return number if math.isfinite(held) and bool(held) == bool(number) else None

    return parse


def _decimal(value: Scalar) -> int | Decimal | None:
    number = _number(value)
    if number is None:
        return None
    exact = Decimal(number).normalize(Context(prec=1000))
    scale = max(0, -int(exact.as_tuple().exponent))
    return number if scale <= DIGITS and max(exact.adjusted() + 1, 0) + scale <= DIGITS else None


def _written(shape: re.Pattern[str], read: Callable[[str], Any]) -> Callable[[Scalar], Any]:
    """Text of this shape that `read` takes."""

    def parse(value: Scalar) -> Any:
        if not isinstance(value, str) or not shape.fullmatch(value):
            return None
        try:
            return read(value)
        except (ValueError, OverflowError):
            return None

    return parse


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def _bytes(value: Scalar) -> bytes | None:
    try:
        held = base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except (binascii.Error, ValueError):
        return None
    return held if held is not None and base64.b64encode(held).decode() == value else None


def _json(value: Scalar) -> str | None:
    try:
        json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None
    return _text(value)


_PARSERS: dict[str, Callable[[Scalar], Any]] = {
    String.name: _text,
    Integer.name: _whole(32),
    Long.name: _whole(64),
    Double.name: _floating("d"),
    Boolean.name: _truth,
    Date.name: _written(_DATE, date.fromisoformat),
    Timestamp.name: _written(_TIMESTAMP, _moment),
    Byte.name: _whole(8),
    Short.name: _whole(16),
    DecimalType.name: _decimal,
    Float.name: _floating("f"),
    TimestampNtz.name: _written(_NAIVE, datetime.fromisoformat),
    Time.name: _written(_TIME, time.fromisoformat),
    Binary.name: _bytes,
    Json.name: _json,
    **dict.fromkeys((Object.name, Array.name, Map.name), lambda _: None),
}
