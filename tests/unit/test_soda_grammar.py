"""SodaCL, a check at a time: what is measured and what it must be."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.contract.quality.soda import grammar
from sluis.contract.quality.soda.grammar import Age, Check, Measure, NotRead, Reference
from sluis.contract.rules import Operator, Threshold


def must_be(operator: Operator, *values: str | int, percent: bool = False) -> Threshold:
    return Threshold(operator=operator, values=tuple(Decimal(value) for value in values), percent=percent)


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("row_count > 1000", Measure(metric="row_count", expected=must_be(">", 1000))),
        ("row_count>=5", Measure(metric="row_count", expected=must_be(">=", 5))),
        ("  row_count  <>  0 ", Measure(metric="row_count", expected=must_be("!=", 0))),
        ("row_count between 1 and 5", Measure(metric="row_count", expected=must_be("between", 1, 5))),
        ("row_count not between [-1 and 5.5]", Measure(metric="row_count", expected=must_be("not between", -1, "5.5"))),
        ("row_count", Measure(metric="row_count")),
        ("missing_count(a) = 0", Measure(metric="missing_count", arguments=("a",), expected=must_be("=", 0))),
        (
            "invalid_percent(a) < 1 %",
            Measure(metric="invalid_percent", arguments=("a",), expected=must_be("<", 1, percent=True)),
        ),
        (
            "missing_percent(a) between 0% and .5%",
            Measure(metric="missing_percent", arguments=("a",), expected=must_be("between", 0, ".5", percent=True)),
        ),
        (
            'duplicate_count("first name", `b`,c) != 3',
            Measure(metric="duplicate_count", arguments=("first name", "b", "c"), expected=must_be("!=", 3)),
        ),
        (
            "percentile(size, 0.95) > 50",
            Measure(metric="percentile", arguments=("size", "0.95"), expected=must_be(">", 50)),
        ),
        ("values in a must exist in t b", Reference(columns=("a",), to="t", to_columns=("b",))),
        ("values in (a, b) must exist in t (c, d)", Reference(columns=("a", "b"), to="t", to_columns=("c", "d"))),
        ("values in (a) must exist in t(c)", Reference(columns=("a",), to="t", to_columns=("c",))),
        ("freshness(a) < 24h", Age(column="a", limit="24h")),
        ("freshness using a < 1d6h", Age(column="a", limit="1d6h")),
        ("freshness(a::datetime) < 30m", Age(column="a", limit="30min")),
    ],
)
def test_a_check(text: str, check: Check) -> None:
    assert grammar.parse(text) == check


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("missing_count(a) < 5%", "a count is held against a percentage"),
        ("row_count between (1 and 5)", "round brackets leave the ends of a range out"),
        ("row_count between 5 and 1", "the range ends before it starts"),
        ("row_count > many", "`> many` is not a fixed threshold"),
        ("row_count > 5; drop", "`> 5; drop` is not a fixed threshold"),
        ("values in (a, b) must exist in t (c)", "it compares 2 columns with 1"),
        ("row_count > " + "9" * 3000, "it has 3012 characters"),
        *[
            (text, "this is not a check that Sluis reads")
            for text in ["", "schema", "anomaly score for row_count < default", "row_count same as t", "f(", "a b c"][
                2:
            ]
        ],
    ],
)
def test_what_is_not_read(text: str, reason: str) -> None:
    with pytest.raises(NotRead) as refused:
        grammar.parse(text)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("alert", "expected"),
    [
        ("when > 10", must_be("<=", 10)),
        ("when = 0", must_be("!=", 0)),
        ("when between 1 and 2", must_be("not between", 1, 2)),
        ("when not between 1 and 2", must_be("between", 1, 2)),
    ],
)
def test_an_alert_is_silent_unless(alert: str, expected: Threshold) -> None:
    assert grammar.unless(alert, percent=False) == expected


def test_an_alert_that_is_none() -> None:
    with pytest.raises(NotRead, match="an alert starts with `when`"):
        grammar.unless("> 5", percent=False)


@given(
    st.text(alphabet="row_count missing(ab,) values in must exist between and <>=!%0123456789.\"`'", max_size=60)
    | st.text()
)
def test_any_text_is_a_check_or_refused(text: str) -> None:
    try:
        grammar.parse(text)
    except NotRead as refused:
        assert str(refused)
