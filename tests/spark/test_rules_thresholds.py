"""How many rows may break a rule: exact counts, percentages at their very boundary, duplicates, and the number of rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from judging import contract, judged, text
from pyspark.sql import SparkSession

from sluis.contract.logical import Binary, DecimalType, Double, Float, Integer, LogicalType, String, Time
from sluis.contract.rules import (
    Enum,
    Filled,
    NotMissing,
    PrimaryKey,
    Required,
    RowCountIs,
    Threshold,
    Unique,
    Valid,
)
from sluis.suite import count

pytestmark = pytest.mark.alike


def limit(operator: Any, *values: str, percent: bool = False) -> Threshold:
    return Threshold(operator=operator, values=tuple(map(Decimal, values)), percent=percent)


ROWS = ["a"] * 990 + ["b"] * 7 + [""] * 2 + [None]
"""A thousand rows: seven that are none of `a` and empty, two empty, one NULL."""

A_OR_EMPTY = Enum(id="d", path="$", column="x", values=("a", ""))


COUNTED: list[tuple[Any, Threshold, int, str]] = [
    (Valid, limit("<=", "0.7", percent=True), 7, "held"),
    (Valid, limit("<", "0.7", percent=True), 7, "violated"),
    (Valid, limit("<=", "7"), 7, "held"),
    (Valid, limit("<", "7"), 7, "violated"),
    (Valid, limit("=", "7"), 7, "held"),
    (Valid, limit("!=", "7"), 7, "violated"),
    (Valid, limit("between", "7", "8"), 7, "held"),
    (Valid, limit("not between", "6", "7"), 7, "violated"),
    (Valid, limit("=", "0"), 7, "violated"),
    (Filled, limit("<=", "0.1", percent=True), 1, "held"),
    (Filled, limit("<", "0.1", percent=True), 1, "violated"),
    (NotMissing, limit("<=", "3"), 3, "held"),
    (NotMissing, limit(">", "3"), 3, "violated"),
    (Required, limit("<=", "2"), 3, "violated"),
]


def test_counts_and_percentages(spark: SparkSession) -> None:
    more: Any = {Valid: {"demands": (A_OR_EMPTY,)}, NotMissing: {"texts": ("",)}}
    rules = [
        kind(id=f"r{index}", path="$", column="x", allowed=allowed, **more.get(kind, {}))
        for index, (kind, allowed, *_) in enumerate(COUNTED)
    ]
    results = judged(text(spark, {"x": ROWS}), contract({"x": String()}, *rules))
    for index, (_, allowed, broken, outcome) in enumerate(COUNTED):
        result = results[f"r{index}"]
        assert (result["outcome"], result["unexpected"], result["evaluated"]) == (outcome, broken, 1000), allowed
        assert bool(result["examples"]) == (outcome == "violated"), allowed


def test_a_rule_that_nothing_breaks_may_want_that_something_does(spark: SparkSession) -> None:
    made = contract({"x": String()}, Required(id="r", path="$", column="x", allowed=limit(">", "0")))
    result = judged(text(spark, {"x": ["a"]}), made)["r"]
    assert (result["outcome"], result["unexpected"]) == ("violated", 0)


def test_more_rules_than_fit_a_mask_are_counted_apart(spark: SparkSession) -> None:
    width = 70
    rules = [
        Required(id=f"r{index}", path="$", column=f"x{index}", allowed=limit("<=", str(index % 3)))
        for index in range(width)
    ]
    frame = text(spark, {f"x{index}": ["a"] * (5 - index % 5) + [None] * (index % 5) for index in range(width)})
    results = judged(frame, contract({f"x{index}": String() for index in range(width)}, *rules))
    for index in range(width):
        found = (results[f"r{index}"]["outcome"], results[f"r{index}"]["unexpected"])
        assert found == ("held" if index % 5 <= index % 3 else "violated", index % 5)


SHARED = [
    (limit("<", "6"), "held"),
    (limit("<", "5"), "violated"),
    (limit("<=", "50", percent=True), "held"),
    (limit("<", "50", percent=True), "violated"),
    (limit("=", "0"), "violated"),
]


def test_every_row_that_shares_its_values_is_a_duplicate(spark: SparkSession) -> None:
    frame = text(spark, {"n": ["1", "01", "1", "2", "2.0", "2", "3", "4", None, ""], "x": list("aaabbbcdef")})
    rules = [
        Unique(id=f"r{index}", path="$", columns=("n", "x"), allowed=allowed)
        for index, (allowed, _) in enumerate(SHARED)
    ]
    results = judged(frame, contract({"n": Integer(), "x": String()}, *rules))
    for index, (allowed, outcome) in enumerate(SHARED):
        result = results[f"r{index}"]
        # 2.0 is no integer, and what is no value is no duplicate.
        assert (result["outcome"], result["unexpected"]) == (outcome, 5), allowed


def test_no_duplicates_are_counted_where_no_hashes_are_equal(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count, "_most_frequent", lambda *_: pytest.fail("rows were counted a second time"))
    rules = [
        Unique(id="r", path="$", columns=("x",), allowed=limit("<", "3")),
        Required(id="few", path="$", column="x", allowed=limit("<=", "1")),
    ]
    results = judged(text(spark, {"x": ["a", "b", None]}), contract({"x": String()}, *rules))
    assert [results[rule]["outcome"] for rule in ("r", "few")] == ["held", "held"]


def test_a_composite_key_is_never_tested_column_by_column(spark: SparkSession) -> None:
    key = PrimaryKey(id="r", path="$", columns=("a", "b"))
    made = contract({"a": Integer(), "b": String()}, key)
    assert judged(text(spark, {"a": ["1", "1", "2"], "b": ["x", "y", "x"]}), made)["r"]["outcome"] == "held"
    result = judged(text(spark, {"a": ["1", "01", "2"], "b": ["x", "x", "x"]}), made)["r"]
    assert (result["unexpected"], result["examples"]) == (2, [{"value": "1, x", "count": 2}])


KINDS: list[tuple[LogicalType, list[str | None], int]] = [
    (DecimalType(precision=5, scale=2), ["1", "1.00", "1.01", None, None], 2),
    (Float(), ["0.1", "1e-1", "-0", "0", "0.2"], 4),
    (Double(), ["0.1", "0.10000000000000001", "0.2", "", ""], 2),
    (Time(), ["09:30", "09:30:00", "09:30:00.5"], 2),
    (Binary(), ["gA==", "gQ==", "gA=="], 2),
    (Binary(), ["gA==", "gQ=="], 0),
]


def test_values_are_duplicates_and_not_texts(spark: SparkSession) -> None:
    rules = [Unique(id=f"r{index}", path="$", columns=(f"x{index}",)) for index in range(len(KINDS))]
    frame = text(spark, {f"x{index}": values for index, (_, values, _) in enumerate(KINDS)})
    results = judged(frame, contract({f"x{index}": kind for index, (kind, *_) in enumerate(KINDS)}, *rules))
    assert [results[rule.id]["unexpected"] for rule in rules] == [duplicates for *_, duplicates in KINDS]


NUMBERS = [
    (limit("=", "3"), []),
    (limit("between", "3", "4"), []),
    (limit("!=", "3"), ["Found 3 rows, the contract wants any number but 3"]),
    (limit(">", "3"), ["Found 3 rows, the contract wants more than 3"]),
]


def test_the_number_of_rows(spark: SparkSession) -> None:
    rules = [RowCountIs(id=f"r{index}", path="$", allowed=allowed) for index, (allowed, _) in enumerate(NUMBERS)]
    results = judged(text(spark, {"x": ["a", "", None]}), contract({"x": String()}, *rules))
    assert [results[rule.id]["messages"] for rule in rules] == [messages for _, messages in NUMBERS]
    assert [results[rule.id]["outcome"] for rule in rules] == ["held", "held", "violated", "violated"]
