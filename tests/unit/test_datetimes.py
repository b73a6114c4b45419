"""Datetime patterns of a contract; which letters Spark reads, and how many, was cross-checked with Spark 4.2 once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.contract.datetimes import fault


@pytest.mark.parametrize(
    "pattern",
    ["yyyy-MM-dd", "d.M.yy", "yyyyMMdd", "yyyy-DDD", "dd MMM yyyy", "dd LLLL yyyy", "yyyy年MM月dd日", "GGGG yyyy-MM-dd", "dd'th of'MMMM y", "yyyy''MM''dd"],
)  # fmt: skip
def test_patterns_of_a_day(pattern: str) -> None:
    assert fault(pattern, clock=False) is None
    assert fault(pattern, clock=True) == "it has no hour; use the type date"


@pytest.mark.parametrize(
    "pattern",
    ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "yyyy-MM-dd[ HH]", "dd/MM/yyyy hh:mm a", "yyyy-MM-dd kk VV", "yyyy-MM-dd HH:mm z", "yyyy-MM-dd HH:mm ZZZZ", "yyyy-MM-dd HH O"],
)  # fmt: skip
def test_patterns_of_a_moment(pattern: str) -> None:
    assert fault(pattern, clock=True) is None
    assert fault(pattern, clock=False) == "it has a time of day, which a date would lose; use the type timestamp"


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("yyyy-MM-dd'", "a quote is not closed"),
        ("uuuu-MM-dd", "Spark does not read the letter `u`"),
        ("EEE, dd MMM YYYY", "Spark does not read the letter `E`, `Y`"),
        ("yyyy QQ", "Spark does not read the letter `Q`"),
        ("yyyy-MMMMM-dd", "Spark does not read `MMMMM` (5 in a row)"),
        ("yyyy-MM-ddd", "Spark does not read `ddd` (3 in a row)"),
        ("yyyy-MM-dd HH:mm:ss.SSSSSSSSS", "Spark does not read `SSSSSSSSS` (9 in a row)"),
        ("yyyy-MM-dd HH V", "Spark does not read `V` (1 in a row)"),
        ("yyyy-MM-dd #", "`#` must stand in single quotes"),
        ("{yyyy}-MM-dd", "`{` must stand in single quotes"),
        ("yyyy]-MM-dd", "a `]` has no `[`"),
        ("MM-dd", "it does not always name year, month and day"),
        ("[yyyy-]MM-dd", "it does not always name year, month and day"),
        ("yyyy-MM", "it does not always name year, month and day"),
        ("%Y-%m-%d", "Spark does not read the letter `Y`"),
        ("", "it does not always name year, month and day"),
    ],
)
def test_patterns_that_are_refused(pattern: str, reason: str) -> None:
    assert fault(pattern, clock=False) == reason


@pytest.mark.parametrize("pattern", ["HH:mm", "HH:mm:ss.SSS", "hh:mm a", "'at' HH"])
def test_patterns_of_a_time(pattern: str) -> None:
    assert fault(pattern, clock=True, day=False, zone=False) is None


def test_what_a_column_would_lose() -> None:
    assert (
        fault("HH:mm yyyy", clock=True, day=False)
        == "it has a day, which a time would lose; use the type timestamp_ntz"
    )
    assert fault("mm:ss", clock=True, day=False) == "it has no hour"
    zoned = "it has a zone, which the column would lose; use the type timestamp"
    assert fault("HH:mmX", clock=True, day=False, zone=False) == zoned
    assert fault("yyyy-MM-dd HH:mm[ VV]", clock=True, zone=False) == zoned


def test_a_zone_that_is_there_only_sometimes_needs_utc_for_the_rest() -> None:
    assert fault("yyyy-MM-dd HH:mm[ VV]", clock=True) is None
    reason = "it names its zone only sometimes, and Spark would not read the rest as Europe/Amsterdam"
    assert fault("yyyy-MM-dd HH:mm[ VV]", clock=True, default="Europe/Amsterdam") == reason
    assert fault("yyyy-MM-dd HH:mm", clock=True, default="Europe/Amsterdam") is None


def test_a_zone_in_quotes_is_read_as_the_zone_that_it_says() -> None:
    pattern = "yyyy-MM-dd'T'HH:mm:ss'Z'"
    assert fault(pattern, clock=True) is None
    assert fault(pattern, clock=True, default="Europe/Amsterdam") == (
        "its `Z` in quotes is text like any other, and times in UTC would be read as Europe/Amsterdam; write `X`"
    )


def test_a_twelve_hour_clock_needs_its_half() -> None:
    assert fault("yyyy-MM-dd hh:mm", clock=True) == "a twelve-hour clock needs `a` (am or pm)"


@given(st.text(alphabet="yMdHhasSuE'[]#{}- /:é"), st.booleans())
def test_any_text_is_judged(pattern: str, clock: bool) -> None:
    assert fault(pattern, clock=clock) != ""
