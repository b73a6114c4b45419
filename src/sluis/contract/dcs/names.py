"""The names of DCS for types that need nothing more said."""

from __future__ import annotations

from sluis.contract import physical
from sluis.contract.logical import (
    Binary,
    Boolean,
    Date,
    Double,
    Float,
    Integer,
    Json,
    LogicalType,
    Long,
    String,
    Time,
    Timestamp,
    TimestampNtz,
)

PLAIN: dict[str, LogicalType] = {
    "bigint": Long(),
    "boolean": Boolean(),
    "bytes": Binary(),
    "date": Date(),
    "double": Double(),
    "float": Float(),
    "int": Integer(),
    "integer": Integer(),
    "json": Json(),
    "long": Long(),
    "string": String(),
    "text": String(),
    "time": Time(),
    "timestamp": Timestamp(),
    "timestamp_ntz": TimestampNtz(),
    "timestamp_tz": Timestamp(),
    "varchar": String(),
    "variant": Json(),
}
"""Name → type."""

_NAMES = {kind: name for name, kind in reversed(PLAIN.items())}


def named(stated: str) -> str | None:
    """The type of DCS that says all that a name which databases have for a type does; None when none does."""
    found = physical.parse(stated)
    # A name that asks for a form or a length of text says more than any.
    is_more = found is None or found.longest or stated.strip().lower() == "uuid"
    return None if is_more or found is None else _NAMES.get(found.kind)


def says_more(stated: str) -> bool:
    """Whether databases have a type of that name which says more than any of DCS: digits, a length, what is in it."""
    found = physical.parse(stated)
    return found is not None and (found.longest is not None or not isinstance(found.kind, String | Binary))
