"""Rules about single values, each on values that keep it and values that break it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from judging import AT, contract, judged, text
from pyspark.sql import SparkSession

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
    LogicalType,
    Long,
    Short,
    String,
    Time,
    Timestamp,
    TimestampNtz,
)
from sluis.contract.rules import (
    ColumnRule,
    Enum,
    Filled,
    Format,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    NotMissing,
    Pattern,
    Required,
    Size,
    TypeOf,
    UniqueItems,
    Valid,
)

pytestmark = pytest.mark.alike

X = {**AT, "column": "x"}
U64 = DecimalType(precision=20, scale=0)

CASES: list[tuple[LogicalType, ColumnRule, list[str | None], list[str | None]]] = [
    # exclusive bounds
    (Integer(), Minimum(**X, limit=9, exclusive=True), ["10", None, " "], ["9", "09", "-10"]),
    (Integer(), Maximum(**X, limit=Decimal("9.5"), exclusive=True), ["9"], ["10"]),
    (Double(), Maximum(**X, limit=Decimal("0.3"), exclusive=True), ["0.29999999999999993", "-1e308"], ["0.3", "3e-1", "0.30000000000000004"]),
    (Float(), Maximum(**X, limit=Decimal("0.1")), ["0.1", "1e-1"], ["0.10000001", "0.2"]),
    (DecimalType(precision=38, scale=18), Minimum(**X, limit=Decimal("0.000000000000000001"), exclusive=True), ["0.000000000000000002"], ["0.000000000000000001", "-1"]),
    (Date(), Minimum(**X, limit="2025-01-10", exclusive=True), ["2025-1-11"], ["2025-1-10", "2025-01-09"]),
    (Timestamp(zone="Asia/Tokyo"), Maximum(**X, limit="2025-01-01T12:00"), ["2025-01-01T12:00", "2025-01-01T03:00:00Z"], ["2025-01-01T12:00:01", "2025-01-01T03:00:01Z"]),
    (TimestampNtz(), Maximum(**X, limit="2025-01-01T12:00"), ["2025-01-01 12:00:00"], ["2025-01-01 12:00:00.000001"]),
    (Time(), Minimum(**X, limit="09:30"), ["09:30", "09:30:00.5", "10:00"], ["09:29:59.999999", "00:00"]),
    (Time(format="hh:mm a"), Maximum(**X, limit="17:00:00", exclusive=True), ["04:59 PM", "12:00 AM"], ["05:00 PM", "11:00 PM"]),
    # the ranges of integers
    (Byte(), TypeOf(**X), ["-128", "127", ""], ["-129", "128", "1.0"]),
    (Short(), Maximum(**X, limit=255), ["0", "255"], ["256", "32767"]),
    (U64, Maximum(**X, limit=2**64 - 1), ["18446744073709551615"], ["18446744073709551616"]),
    (U64, Minimum(**X, limit=0), ["0", "-0"], ["-1"]),
    (U64, TypeOf(**X), ["99999999999999999999"], ["100000000000000000000", "0.5"]),
    # multiples, exact
    (Double(), MultipleOf(**X, divisor=Decimal("0.01")), ["0.3", "0.29", "1.15", "4.35", "1e-2", "1e30", "-0.07", "0", "123456789.99", None, ""], ["0.305", "1e-3", "0.010000000000000002", "123456789.999"]),
    (Double(), MultipleOf(**X, divisor=3), ["9", "-3e0", "9007199254740993e0"], ["1", "1e30", "0.3"]),
    (Float(), MultipleOf(**X, divisor=Decimal("0.1")), ["0.3", "16777216", "2.7"], ["0.35"]),
    (DecimalType(precision=38, scale=0), MultipleOf(**X, divisor=Decimal("0.25")), ["9" * 38], []),
    (DecimalType(precision=38, scale=10), MultipleOf(**X, divisor=Decimal("2.5")), ["7.5", "1" + "0" * 27], ["7.4999999999", "1" * 28]),
    (Long(), MultipleOf(**X, divisor=Decimal("1.5")), ["3", "-6", "9223372036854775806"], ["1", "2", "9223372036854775807"]),
    (Long(), MultipleOf(**X, divisor=Decimal("0.5")), ["1", "7"], []),
    # lengths are of code points, patterns end where text ends
    (String(), MaxLength(**X, limit=2), ["😀😀", "e\u0301", "", None], ["😀😀😀", "abc", "   "]),
    (String(), MinLength(**X, limit=2), ["😀😀", None], ["😀", ""]),
    (String(), Pattern(**X, pattern="^a$"), ["a", None], ["a\n", "aa", "\na", ""]),
    (String(), Pattern(**X, pattern="@"), ["a@b"], ["ab"]),
    # forms of text
    (String(), Format(**X, format="email"), ["a@b.nl", None], ["a@b.nl\n", "a.b.nl", ""]),
    (String(), Format(**X, format="uuid"), ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"], ["f81d4fae"]),
    (String(), Format(**X, format="ipv6"), ["::1"], ["1.2.3.4"]),
    (String(), Format(**X, format="date-time"), ["2024-02-29T00:00:00Z"], ["2025-02-29T00:00:00Z", "2025-01-01"]),
    # what is there, and what is missing
    (String(), Required(**X), ["a"], ["", " ", "\u3000", None]),
    (String(), Filled(**X), ["a", "", " "], [None]),
    (Integer(), Filled(**X), ["1", ""], [None]),
    (String(), NotMissing(**X, texts=("", "N/A")), ["a", " ", "n/a"], ["", "N/A", None]),
    (Integer(), NotMissing(**X, texts=("-999", "n/a")), ["1", ""], ["-999", " -999", "-0999", "n/a", None]),
    (Double(), NotMissing(**X, texts=("-999",)), ["-99.9"], ["-999.0", "-9.99e2"]),
    (Date(), NotMissing(**X, texts=("1900-01-01",)), ["1900-1-2"], ["1900-1-1", "1900-01-01"]),
    (Time(), NotMissing(**X, texts=("00:00",)), ["00:01"], ["00:00", "00:00:00"]),
    (String(), NotMissing(**X, texts=()), [""], [None]),
    (Array(items=Long()), Required(**X), ["[]", "[1]"], [None, "", "null"]),
    (Array(items=Long()), Filled(**X), ["[]"], [None, "null"]),
    # values that are there meet all demands
    (Integer(), Valid(**X, demands=(Minimum(**X, limit=1), Maximum(**X, limit=9), Enum(**X, values=(1, 9, 10)))), ["1", "9", None, ""], ["0", "10", "5"]),
    (String(), Valid(**X, demands=(Enum(**X, values=("a", "")),)), ["a", "", None], ["b", " "]),
    # values as such
    (DecimalType(precision=5, scale=2), Enum(**X, values=(1, Decimal("2.50"))), ["1.0", "2.5", "01"], ["2"]),
    (Time(), Enum(**X, values=("09:30",)), ["09:30:00.0"], ["09:31"]),
    (Binary(), Enum(**X, values=("QQ==",)), ["QQ=="], ["Qg=="]),
    (Boolean(), Enum(**X, values=(True,)), ["yes", "1"], ["no"]),
    (Json(), TypeOf(**X), ['{"a":1}', "null", "", None], ["{", '{"a":1,"a":1}', "1 2"]),
    # members of lists
    (Array(items=Double()), UniqueItems(**X), ["[1,2]", "[]", None, "[2]"], ["[1,1.0]", "[1e0,1]", "[null,null]"]),
    (Array(items=Array(items=Long())), UniqueItems(**X), ["[[1],[2]]"], ["[[1],[1.0]]"]),
    (Array(items=Long()), Size(**X, min=1, max=2), ["[1]", "[1,2]", None], ["[]", "[1,2,3]"]),
]  # fmt: skip


def _named(index: int, rule: ColumnRule) -> ColumnRule:
    """A rule of a column of its own."""
    more: dict[str, Any] = {"id": f"r{index}", "column": f"x{index}"}
    if isinstance(rule, Valid):
        more["demands"] = tuple(_named(index, demand) for demand in rule.demands)
    return type(rule)(**{**vars(rule), **more})


def test_every_value_is_judged(spark: SparkSession) -> None:
    rules = [_named(index, rule) for index, (_, rule, _, _) in enumerate(CASES)]
    height = max(len(good) + len(bad) for *_, good, bad in CASES)
    # What fills a column up must not break its rule.
    columns = {
        f"x{index}": [*good, *bad, *[good[0]] * (height - len(good) - len(bad))]
        for index, (*_, good, bad) in enumerate(CASES)
    }
    made = contract({f"x{index}": kind for index, (kind, *_) in enumerate(CASES)}, *rules)
    results = judged(text(spark, columns), made)
    found = {index: [one["value"] for one in results[f"r{index}"]["examples"]] for index in range(len(CASES))}
    wrong = {index: sorted(bad, key=str) for index, (*_, bad) in enumerate(CASES)}
    differing = {
        index: (CASES[index][1], found[index], bad)
        for index, bad in wrong.items()
        if sorted(found[index], key=str) != bad
    }
    assert differing == {}
    assert {index: results[f"r{index}"]["unexpected"] for index in wrong} == {
        index: len(bad) for index, bad in wrong.items()
    }


@pytest.mark.parametrize(
    ("kind", "listed", "held"),
    [
        (Double(), "-999", "-999D"),
        (DecimalType(precision=10, scale=2), "-999", "CAST(-999 AS DECIMAL(10,2))"),
        (Date(), "1900-1-1", "DATE'1900-01-01'"),
        (Timestamp(), "1900-01-01T00:00:00", "TIMESTAMP'1900-01-01 00:00:00Z'"),
        (Time(), "00:00", "'00:00:00'"),
    ],
    ids=lambda kind: getattr(kind, "name", None),
)
def test_a_table_holds_what_stands_for_nothing_as_its_value(
    spark: SparkSession, kind: LogicalType, listed: str, held: str
) -> None:
    made = contract({"x": kind}, NotMissing(**X, texts=(listed,)))
    frame = spark.sql(f"SELECT {held} AS x UNION ALL SELECT NULL")
    assert judged(frame, made)["r"]["unexpected"] == 2


@pytest.mark.parametrize(
    "kind", [Integer(), Double(), DecimalType(precision=5, scale=2), Date(), Timestamp()], ids=lambda kind: kind.name
)
def test_no_bound_lets_what_is_no_value_pass_unseen(spark: SparkSession, kind: LogicalType) -> None:
    limit = {"date": "2025-01-01", "timestamp": "2025-01-01T00:00Z"}.get(kind.name, 0)
    demands = (
        TypeOf(id="type", path="$", column="x"),
        Minimum(id="low", path="$", column="x", limit=limit),
        Required(id="there", path="$", column="x"),
    )
    results = judged(text(spark, {"x": ["abc", "NaN", None, " "]}), contract({"x": kind}, *demands))
    # A bound says nothing of what is no value: that is for the type, and for the demand that there is one.
    assert {rule: results[rule]["unexpected"] for rule in ("type", "low", "there")} == {"type": 2, "low": 0, "there": 2}
