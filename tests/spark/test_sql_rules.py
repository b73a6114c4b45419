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
from sluis.contract.quality.sql.rule import OBJECT, prepare
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
    # Conditions that Spark has in other words.
    ("databricks", "m - interval 1 day 2 hours = timestamp'2025-12-31 21:00:00'", 1),
    ("tsql", "s + '!' + s = 'it''s!it''s'", 1),
    ("tsql", "b = 1", 1),
    ("tsql", "CONVERT(VARCHAR(10), d, 23) = '2026-01-03'", 1),
    ("tsql", "m < GETDATE() - 1", 2),
    ("tsql", "LEFT(t, 1) = 'N'", 1),
    ("oracle", "TRIM(s) IS NULL", 1),
    ("oracle", "NVL(t, '') IS NULL", 1),
    ("oracle", "t = ''", 0),
    ("oracle", "s || t = 'it''snl'", 1),
    ("oracle", "t || '' || t IS NULL", 1),
    ("oracle", "TO_CHAR(m, 'YYYY-MM-DD HH24') = '2026-01-01 23'", 1),
    ("oracle", "m < SYSDATE - 1", 2),
    ("oracle", "TRUNC(d) >= TRUNC(m)", 2),
    ("postgres", "t ~ '^[a-z]{2}$'", 1),
    ("postgres", "t ~* '^n'", 2),
    ("postgres", "LEFT(t::varchar(2), 3) = 'NL'", 1),
    ("mysql", "b = 1", 1),
    ("mysql", "m > DATE_SUB(TIMESTAMP '2026-01-02 01:30:00', INTERVAL 1 DAY)", 2),
    ("snowflake", "t RLIKE '[a-z]+'", 1),
    ("bigquery", r"REGEXP_CONTAINS(t, r'^[A-Z]+$')", 1),
    ("bigquery", "m >= TIMESTAMP_TRUNC(m, DAY)", 2),
]


@pytest.mark.parametrize(("dialect", "condition", "number"), COUNTED)
def test_rows_that_meet_a_condition(
    classic_spark: SparkSession, rows: str, dialect: str, condition: str, number: int
) -> None:
    assert answer(classic_spark, rows, f"SELECT count(*) FROM o WHERE {condition}", dialect) == number


NUMBERS = [
    ("tsql", "SELECT MAX(DATEDIFF(day, m, '2026-01-04')) FROM o", 3),
    ("snowflake", "SELECT DATEDIFF(day, MIN(m), MAX(m)) FROM o", 2),
    ("databricks", "SELECT datediff(max(m), min(m)) FROM o", 2),
    ("databricks", "SELECT datediff(DAY, min(m), max(m)) FROM o", 1),
    ("mysql", "SELECT SUM(t = 'nl') FROM o", 1),
    ("mysql", "SELECT COUNT(*) / SUM(t = 'x') FROM o", None),
    ("duckdb", "SELECT COUNT(*) / SUM(i - i) FROM o", None),
    ("mysql", "SELECT ROUND(STDDEV(i) * 1000) FROM o", 816),
    ("oracle", "SELECT MAX(LENGTH(s || t)) FROM o", 6),
    ("oracle", "SELECT COUNT(TRIM(s)) FROM o", 2),
    ("duckdb", "SELECT MAX(EXTRACT(EPOCH FROM (m - m - INTERVAL '1 minute'))) FROM o", -60),
]


@pytest.mark.parametrize(("dialect", "query", "number"), NUMBERS)
def test_numbers(classic_spark: SparkSession, rows: str, dialect: str, query: str, number: float | None) -> None:
    assert answer(classic_spark, rows, query, dialect) == number
