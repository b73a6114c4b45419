"""A column's profile → the type that keeps its meaning, and what a person should decide.

Where a number would lose what its text says (leading zeros, phone numbers, codes), the column stays text, and the
remark says why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sluis.contract.logical import (
    Boolean,
    Date,
    DecimalType,
    Double,
    Integer,
    LogicalType,
    Long,
    String,
    Time,
    Timestamp,
)
from sluis.tools.infer.profile import Profile

DIALED = re.compile(r"phone|mobile|telefoon|^tel|_tel|fax|msisdn", re.IGNORECASE)
CODED = re.compile(
    r"zip|post.?code|postal|iban|account|sku|ean|gtin|isbn|barcode|ssn|bsn|vat|plate|serial", re.IGNORECASE
)
NAMED = re.compile(
    r"(^|[_\W])(id|key|code|no|nr|num|number|uuid|guid|sku|ean|gtin|isbn)($|[_\W])|[a-z](Id|Key|Code|No|Nr)$"
)
PERSONAL = re.compile(
    r"e.?mail|phone|mobile|birth|(^|[_\W])dob|ssn|bsn|iban|passport|first.?name|last.?name|sur.?name|full.?name"
    r"|address|street|salary|password|token|secret|gender|religion",
    re.IGNORECASE,
)
DATED = re.compile(r"date|day|datum|dat($|_)|_dt$|^dt", re.IGNORECASE)

_CODE_DIGITS = 6
"""Digits from which numbers of one length are taken for codes."""

_EXACT = 9
"""Digits behind the point up to which a number is taken for an amount; beyond, for a measurement."""

_PRECISION = 18
"""Digits of a decimal: room above what the file has."""

_MOST_DIGITS = 38


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a column is taken for."""

    logical: LogicalType
    """Its type."""

    remarks: tuple[str, ...] = field(default=())
    """What a person should decide, a line each."""


def decide(profile: Profile) -> Decision:
    """The type of a column."""
    if not profile.filled:
        return Decision(logical=String(), remarks=("no row has a value here: decide what it holds",))
    for kind in (_whole, _day, _moment, _time, _truth, _number):
        if (found := kind(profile)) is not None:
            return found
    return Decision(logical=String())


def is_named(profile: Profile) -> bool:
    """Whether the name says that it identifies something."""
    return bool(NAMED.search(profile.name))


def personal(profile: Profile) -> bool:
    """Whether the name says that its values are about a person."""
    return bool(PERSONAL.search(profile.name))


def _has(profile: Profile, *kinds: type[LogicalType]) -> list[LogicalType]:
    return [logical for logical in profile.types if isinstance(logical, kinds)]


def _text(reason: str) -> Decision:
    return Decision(logical=String(), remarks=(f"kept as text: {reason}",))


def _whole(profile: Profile) -> Decision | None:
    if profile.before is None or profile.behind or not _digits_only(profile):
        return None
    if DATED.search(profile.name) and (
        compact := [day for day in _has(profile, Date) if day == Date(format="yyyyMMdd")]
    ):
        return Decision(logical=compact[0], remarks=("read as days, by its name: eight digits are a number, too",))
    if reason := _loses(profile):
        return _text(reason)
    if fitting := _has(profile, Integer, Long):
        return Decision(logical=fitting[0])
    return _text("it has more digits than a BIGINT holds")


def _digits_only(profile: Profile) -> bool:
    """Whether no text has a point: `1.0` is no whole number to the lexical table, nor are more digits than it takes."""
    return bool(_has(profile, Integer, Long)) or (profile.before or 0) > 18


def _loses(profile: Profile) -> str | None:
    """What a number would lose of the text."""
    if profile.zeros:
        return "a number would lose its leading zeros"
    if DIALED.search(profile.name):
        return "a phone number, by its name: nobody calculates with it, and a leading zero may come"
    if profile.pluses:
        return "a number would lose the plus in front, as of phone numbers"
    if CODED.search(profile.name):
        return "a code, by its name: nobody calculates with it, and a leading zero may come"
    same = profile.shortest == profile.longest >= _CODE_DIGITS
    if same and is_named(profile) and profile.distinct > 1:
        return f"always {profile.longest} digits, so rather a code than an amount: a leading zero may come"
    return None


def _day(profile: Profile) -> Decision | None:
    days = [day for day in _has(profile, Date) if day != Date(format="yyyyMMdd")]
    return _chosen(days, "days") if days else None


def _moment(profile: Profile) -> Decision | None:
    moments = _has(profile, Timestamp)
    if not moments:
        return None
    chosen = _chosen(moments, "times")
    if isinstance(chosen.logical, Timestamp) and profile.zoned < profile.filled:
        remark = "times without a zone count as UTC: name the right zone, or say that they have none"
        return Decision(logical=chosen.logical, remarks=(*chosen.remarks, remark))
    return chosen


def _chosen(found: list[LogicalType], what: str) -> Decision:
    """The first of the patterns that fit; text when day and month cannot be told apart."""
    patterns = [str(pattern) for logical in found if (pattern := getattr(logical, "format", None))]
    if len(patterns) < len(found):
        return Decision(logical=next(logical for logical in found if getattr(logical, "format", None) is None))
    day_first = [pattern for pattern in patterns if pattern.startswith("d")]
    month_first = [pattern for pattern in patterns if pattern.startswith("M")]
    if day_first and month_first:
        return _text(f"{what}, but whether as {day_first[0]} or as {month_first[0]} cannot be told; set the format")
    return Decision(logical=found[0])


def _time(profile: Profile) -> Decision | None:
    times = _has(profile, Time)
    return Decision(logical=times[0]) if times else None


def _truth(profile: Profile) -> Decision | None:
    if not _has(profile, Boolean):
        return None
    if profile.distinct < 2 or profile.longest < 2:
        # A letter may be a grade, and one value alone tells nothing.
        return _text("it may be yes or no, and then a boolean")
    return Decision(logical=Boolean())


def _number(profile: Profile) -> Decision | None:
    if not _has(profile, Double):
        return None
    if profile.zeros or profile.pluses:
        return _text(
            "a number would lose its leading zeros" if profile.zeros else "a number would lose the plus in front"
        )
    if profile.before is None or profile.behind > _EXACT:
        return Decision(logical=Double())
    precision = _PRECISION if profile.before + profile.behind <= _PRECISION else _MOST_DIGITS
    if profile.before + profile.behind > precision:
        return Decision(logical=Double())
    remark = (
        f"at most {profile.before} digits before and {profile.behind} behind the point here: set precision and scale"
    )
    return Decision(logical=DecimalType(precision=precision, scale=profile.behind), remarks=(remark,))
