"""Types and thresholds as a suite tells them: nothing is lost, and numbers compare exactly."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from sluis.contract import logical
from sluis.contract.logical import Array, Field, LogicalType, Map, Object
from sluis.contract.rules import Threshold
from sluis.suite.spelling import allows_none, meant, meets, threshold, told

TYPES: list[LogicalType] = [
    *(kind() for kind in LogicalType.__subclasses__() if kind not in (Object, Array, Map)),
    logical.Date(format="dd-MM-yyyy"),
    logical.Timestamp(format="dd-MM-yyyy HH", zone="Asia/Tokyo"),
    logical.DecimalType(precision=5, scale=0),
    Array(items=Array(items=logical.Time(format="HH"))),
    Map(keys=logical.Date(format="yyyyMMdd"), values=logical.Json()),
    Object(
        fields=(
            Field(name="format", type=logical.String(), required=True),
            Field(
                name="fields", type=Object(fields=(Field(name="x", type=logical.DecimalType(precision=5, scale=2)),))
            ),
        )
    ),
]


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_a_type_comes_back_from_json(kind: LogicalType) -> None:
    assert meant(json.loads(json.dumps(told(kind)))) == kind


def test_what_is_usual_is_not_told() -> None:
    assert told(logical.Timestamp()) == {"logical_type": "timestamp"}
    assert told(logical.DecimalType()) == {"logical_type": "decimal", "parameters": {"precision": 38, "scale": 18}}
    assert meant({"column": "a"}) == logical.String()


def limit(operator: Any, *values: str, percent: bool = False) -> Threshold:
    return Threshold(operator=operator, values=tuple(map(Decimal, values)), percent=percent)


@pytest.mark.parametrize(
    ("allowed", "met", "missed"),
    [
        (limit("=", "2"), [(2, 9)], [(1, 9), (3, 9)]),
        (limit("!=", "0"), [(1, 9)], [(0, 9)]),
        (limit("<", "2"), [(1, 9)], [(2, 9)]),
        (limit("<=", "2"), [(2, 9)], [(3, 9)]),
        (limit(">", "2"), [(3, 9)], [(2, 9)]),
        (limit(">=", "2"), [(2, 9)], [(1, 9)]),
        (limit("between", "2", "4"), [(2, 9), (4, 9)], [(1, 9), (5, 9)]),
        (limit("not between", "2", "4"), [(1, 9), (5, 9)], [(2, 9), (4, 9)]),
        # At the boundary, where a double would be off: 7 of 1000 is 0.7000000000000001 %.
        (limit("<=", "0.7", percent=True), [(7, 1000)], [(8, 1000), (7001, 1000000)]),
        (limit("<", "0.7", percent=True), [(6, 1000), (6999999999999999999, 10**21)], [(7, 1000)]),
        (limit("<=", "33.333333333333333333", percent=True), [(0, 3)], [(1, 3)]),
        (limit(">=", "33.333333333333333333", percent=True), [(1, 3)], [(0, 3)]),
        (limit("=", "100", percent=True), [(3, 3)], [(2, 3)]),
        (limit("between", "10", "20", percent=True), [(1, 10), (2, 10)], [(3, 10), (0, 10)]),
        # Of no rows, none break a rule.
        (limit("<", "1", percent=True), [(0, 0)], []),
        (limit(">", "0", percent=True), [], [(0, 0)]),
    ],
)  # fmt: skip
def test_thresholds_are_exact(allowed: Threshold, met: list[tuple[int, int]], missed: list[tuple[int, int]]) -> None:
    suite = json.loads(json.dumps(threshold(allowed)))
    assert [case for case in met if not meets(case[0], suite, case[1])] == []
    assert [case for case in missed if meets(case[0], suite, case[1])] == []


@pytest.mark.parametrize(
    "allowed",
    [limit("=", "0"), limit("<=", "0.00", percent=True), limit("between", "0", "0"), limit("between", "-1", "0")],
)
def test_thresholds_that_allow_none(allowed: Threshold) -> None:
    assert allows_none(allowed)


@pytest.mark.parametrize(
    "allowed",
    [
        limit("<", "1", percent=True),
        limit("!=", "0"),
        limit(">=", "0"),
        limit("=", "1"),
        limit("<=", "-1"),
        limit("between", "0", "1"),
    ],
)
def test_thresholds_that_say_more(allowed: Threshold) -> None:
    assert not allows_none(allowed)
