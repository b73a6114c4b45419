"""Days and times of day: ISO 8601, or the contract's own pattern."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from sluis.contract.logical import LogicalType, Time, Timestamp, TimestampNtz
from sluis.contract.rules import Scalar
from sluis.lexical.model import Lexis
from sluis.lexical.sql import let, string

_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
_ZONE = r"(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)"
_ZONED = rf"[0-9]{_ZONE}\z"
_NO_SECONDS = rf"\A(.{{16}})({_ZONE})\z"

_LOCAL = "__sluis_local"
_NOWHEN = "[CAST_INVALID_INPUT] the clocks of {} skip this time"


def pattern(logical: LogicalType) -> str | None:
    """The contract's own pattern of a day or a time."""
    return getattr(logical, "format", None)


def _read(logical: LogicalType, text: str, spark: str) -> str:
    """The value of text; in the contract's pattern it is a timestamp of UTC, as whose parts it stands."""
    own = pattern(logical)
    return f"try_to_timestamp({text}, {string(own)})" if own else f"try_cast({text} AS {spark})"


def _cast(logical: LogicalType, text: str, spark: str) -> str:
    own = pattern(logical)
    return f"to_timestamp({text}, {string(own)})" if own else f"CAST({text} AS {spark})"


def date_value(logical: LogicalType, text: str) -> str:
    """A day, or NULL."""
    read = _read(logical, text, "DATE")
    return f"CAST({read} AS DATE)" if pattern(logical) else read


def date_cast(logical: LogicalType, text: str) -> str:
    """A day, or an exception."""
    own = pattern(logical)
    return f"to_date({text}, {string(own)})" if own else f"CAST({text} AS DATE)"


def timestamp_value(logical: LogicalType, text: str) -> str:
    """A moment, or NULL."""
    read = _read(logical, text, "TIMESTAMP")
    if pattern(logical) is None:
        # Spark reads no zone without seconds before it, which Java leaves out where they are zero.
        seconds = f"regexp_replace({text}, {string(_NO_SECONDS)}, {string('$1:00$2')})"
        read = f"coalesce({read}, try_cast({seconds} AS TIMESTAMP))"
    return _in_zone(logical, text, read, lambda there: there)


def timestamp_cast(logical: LogicalType, text: str) -> str:
    """A moment, or an exception."""
    message = string(_NOWHEN.format(getattr(logical, "zone", "")))
    return _in_zone(
        logical, text, _cast(logical, text, "TIMESTAMP"), lambda there: f"coalesce({there}, raise_error({message}))"
    )


def _in_zone(logical: LogicalType, text: str, read: str, there: Callable[[str], str]) -> str:
    """What was read as UTC, moved to the contract's zone where the text names none.

    Of a time that comes twice when clocks go back, the first is meant; one that they skip is none.
    """
    assert isinstance(logical, Timestamp)
    if logical.zone == "UTC" or _names_zone(pattern(logical)):
        return read
    zone = string(logical.zone)
    moved = f"to_utc_timestamp({_LOCAL}, {zone})"
    found = there(f"IF(from_utc_timestamp({moved}, {zone}) = {_LOCAL}, {moved}, NULL)")
    if pattern(logical) is None:
        found = f"IF({text} RLIKE {string(_ZONED)}, {_LOCAL}, {found})"
    return let(_LOCAL, read, found)


def _names_zone(own: str | None) -> bool:
    return own is not None and bool(re.search("[VzOXxZ]", re.sub(r"'(?:[^']|'')*'", "", own)))


def moment(logical: LogicalType, value: Scalar) -> str:
    """A bound; without a zone of its own it is in the contract's."""
    assert isinstance(logical, Timestamp)
    stated = datetime.fromisoformat(str(value))
    aware = stated if stated.tzinfo else stated.replace(tzinfo=UTC)
    literal = f"TIMESTAMP'{aware.astimezone(UTC).isoformat(sep=' ')}'"
    here = stated.tzinfo is not None or logical.zone == "UTC"
    return literal if here else f"to_utc_timestamp({literal}, {string(logical.zone)})"


def _naive(read: str) -> str:
    return f"CAST({read} AS TIMESTAMP_NTZ)"


def _time(logical: LogicalType, text: str, read: Callable[[LogicalType, str, str], str]) -> str:
    """`HH:mm:ss` and what there is of a fraction: of one length but for that, so text compares as times do.

    Spark's TIME is no type that Delta 4.4 can hold.
    """
    dated = text if pattern(logical) else f"concat('1970-01-01T', {text})"
    return f"substring(CAST({read(logical, dated, 'TIMESTAMP_NTZ')} AS STRING), 12)"


TABLE: dict[type[LogicalType], Lexis] = {
    TimestampNtz: Lexis(
        spark="TIMESTAMP_NTZ",
        value=lambda logical, text: _naive(_read(logical, text, "TIMESTAMP_NTZ")),
        shape=rf"\A[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_CLOCK}\z",
        cast=lambda logical, text: _naive(_cast(logical, text, "TIMESTAMP_NTZ")),
        literal=lambda _, v: f"TIMESTAMP_NTZ'{v}'",
    ),
    Time: Lexis(
        spark="STRING",
        value=lambda logical, text: _time(logical, text, _read),
        shape=rf"\A{_CLOCK}\z",
        cast=lambda logical, text: _time(logical, text, _cast),
        literal=lambda _, v: _time(Time(), string(str(v)), _cast),
    ),
}
