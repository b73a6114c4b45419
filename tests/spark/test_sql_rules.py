"""Queries of contracts as Spark answers them: the number that the database gives they were written for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from sluis.contract.logical import Boolean, Date, DecimalType, Integer, LogicalType, String, Timestamp
from sluis.contract.quality.scope import Scope
from sluis.contract.quality.sql_rule import OBJECT, prepare
from sluis.settings import settled

TYPES: dict[str, LogicalType] = {
    "i": Integer(),
    "x": DecimalType(precision=9, scale=2),
    "s": String(),
    "t": String(),
    "b": Boolean(),
    "d": Date(),
    "m": Timestamp(),
}
ROWS = [
    (1, Decimal("1.50"), "it's", "nl", True, date(2026, 1, 1), datetime(2026, 1, 1, 23, tzinfo=UTC)),
    (2, Decimal("2.50"), "a\\d", None, False, date(2026, 1, 3), datetime(2026, 1, 3, 1, tzinfo=UTC)),
    (3, Decimal("-0.50"), "  ", "NLD", None, None, None),
]


@pytest.fixture
def rows(classic_spark: SparkSession) -> Iterator[str]:
    schema = "i INT, x DECIMAL(9, 2), s STRING, t STRING, b BOOLEAN, d DATE, m TIMESTAMP"
    with settled(classic_spark):
        classic_spark.createDataFrame(ROWS, schema).createOrReplaceTempView("sql_rules")
        yield "sql_rules"
        classic_spark.catalog.dropTempView("sql_rules")


def answer(spark: SparkSession, rows: str, query: str, dialect: str) -> Any:
    scope = Scope(id=("o",), object="o", columns={name: name for name in TYPES}, types=TYPES, dialect=dialect)
    [[number]] = spark.sql(prepare(query, scope).replace(OBJECT, rows)).collect()
    return number


COUNTED = [
    ("databricks", "s = 'it''s'", 1),
    ("databricks", r"s = 'it\'s'", 1),
    ("databricks", "s = 'it' \"'s\"", 1),
    ("databricks", r"s = 'a\\d'", 1),
    ("databricks", r"s = r'a\d'", 1),
    ("databricks", "t rlike '^[A-Za-z]{2,3}$'", 2),
    ("databricks", r"t rlike '^\\p{Lu}{3}$'", 1),
    ("postgres", r"s = 'a\d'", 1),
    ("postgres", r"s = E'a\\d'", 1),
    ("postgres", "s = 'it''s'", 1),
    ("bigquery", r"s = r'a\d'", 1),
    ("bigquery", """s = "it's" """, 1),
    ("mysql", """s = "it's" """, 1),
    ("snowflake", "s = $$it's$$", 1),
]


@pytest.mark.parametrize(("dialect", "condition", "number"), COUNTED)
def test_rows_that_meet_a_condition(
    classic_spark: SparkSession, rows: str, dialect: str, condition: str, number: int
) -> None:
    assert answer(classic_spark, rows, f"SELECT count(*) FROM o WHERE {condition}", dialect) == number
