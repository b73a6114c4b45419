"""Spans of time: every way of writing one, and what is refused because it could mean two things."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.contract import durations
from sluis.contract.durations import Duration, DurationError

DAY = 86400


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("25h", 25 * 3600, "second"),
        ("25 hours", 25 * 3600, "second"),
        ("PT25H", 25 * 3600, "second"),
        (" 5s ", 5, "second"),
        ("90 min", 5400, "second"),
        ("1 Day", DAY, "second"),
        ("1d6h", 30 * 3600, "second"),
        ("1 day 6 hours", 30 * 3600, "second"),
        ("2 weeks", 14 * DAY, "second"),
        ("0.5 h", 1800, "second"),
        ("P2W", 14 * DAY, "second"),
        ("P1DT1M1.5S", Decimal(DAY + 60) + Decimal("1.5"), "second"),
        ("PT0,5H", 1800, "second"),
        ("3 months", 3, "month"),
        ("P3M", 3, "month"),
        ("P1Y6M", 18, "month"),
        ("1 year 6 months", 18, "month"),
        ("1 year", 1, "year"),
        ("3y", 3, "year"),
        ("P1Y", 1, "year"),
        ("daily", DAY, "second"),
        ("Quarterly", 3, "month"),
        ("0d", 0, "second"),
    ],
)
def test_a_span_as_text(text: str, value: int | Decimal, unit: str) -> None:
    assert durations.parse(text) == Duration(value=Decimal(value), unit=unit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("30m", "`m` is a minute or a month: write `min`, `month` or an ISO 8601 duration"),
        ("3M", "`M` is a minute or a month: write `min`, `month` or an ISO 8601 duration"),
        ("P1M1D", "`P1M1D` adds days to months, which have no fixed number of days"),
        ("1 month 2 days", "`1 month 2 days` adds days to months, which have no fixed number of days"),
        ("1e3 s", "`e` is not a unit of time such as `h`, `days`, `months` or `y`"),
        ("5 fortnights", "`fortnights` is not a unit of time such as `h`, `days`, `months` or `y`"),
        *[
            (text, f"`{text}` is not a span of time such as `25h`, `30 days`, `1 year` or `PT25H`")
            for text in ["", "P", "PT", "P1DT", "25", "h", "-1d", "< 60 seconds", "1,5 h", "٣ days", "24/7"]
        ],
    ],
)
def test_what_is_no_span_or_two(text: str, reason: str) -> None:
    with pytest.raises(DurationError) as refused:
        durations.parse(text)
    assert str(refused.value) == reason


def test_value_and_unit() -> None:
    assert durations.of(Decimal("1.5"), " days") == Duration(value=Decimal("129600.0"), unit="second")
    assert durations.of(Decimal(3), "y") == Duration(value=Decimal(3), unit="year")
    for value, unit in [
        (Decimal(-1), "d"),
        (Decimal("NaN"), "d"),
        (Decimal(1), "m"),
        (Decimal(1), ""),
        (Decimal(1), "P"),
        (Decimal(10) ** 30, "d"),
        (Decimal(10) ** 12, "d"),
        (Decimal("1e-20"), "d"),
        (Decimal("1e999999"), "d"),
    ]:
        with pytest.raises(DurationError):
            durations.of(value, unit)


@given(st.text(alphabet="PTYMWDHS0123456789.,hdmsy ", max_size=30) | st.text())
def test_any_text_is_a_span_or_refused(text: str) -> None:
    try:
        assert durations.parse(text).value >= 0
    except DurationError as refused:
        assert str(refused)
