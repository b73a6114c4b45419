"""SQL of other databases in Spark's words, where sqlglot's own translation means something else or nothing."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from sluis.contract.logical import Date, DecimalType, Integer, LogicalType, Long, Timestamp
from sluis.contract.quality import spark_sql
from sluis.contract.quality.arithmetic import NoEqual

TYPES: dict[str, LogicalType] = {
    "i": Integer(),
    "n": Long(),
    "x": DecimalType(precision=9, scale=2),
    "d": Date(),
    "e": Date(),
    "m": Timestamp(),
}


def spark(query: str, dialect: str) -> str:
    tree = sqlglot.parse_one(f"SELECT {query} FROM t", dialect=dialect)
    assert isinstance(tree, exp.Query)
    return spark_sql.adapt(tree, dialect, "t", TYPES).sql("databricks").removeprefix("SELECT ").removesuffix(" FROM t")


@pytest.mark.parametrize(
    ("dialect", "query", "expected"),
    [
        ("duckdb", "EXTRACT(EPOCH FROM (a - b))", "CAST(CAST((a - b) AS INTERVAL SECOND) AS DECIMAL(20, 6))"),
        ("postgres", "EXTRACT(EPOCH FROM a)", "(UNIX_MICROS(CAST(a AS TIMESTAMP)) / 1000000)"),
        (
            "postgres",
            "EXTRACT(EPOCH FROM a - INTERVAL '1 day')",
            "(UNIX_MICROS(CAST(a - INTERVAL '1' DAY AS TIMESTAMP)) / 1000000)",
        ),
        ("postgres", "EXTRACT(YEAR FROM a)", "EXTRACT(YEAR FROM a)"),
        ("duckdb", "QUANTILE_CONT(a, 0.95)", "PERCENTILE(a, 0.95)"),
        ("databricks", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)", "PERCENTILE(a, 0.5)"),
        ("duckdb", "DATE_DIFF('day', a, b)", "DATEDIFF(DAY, a, b)"),
        # A number without digits keeps its fraction where it does.
        ("postgres", "AVG(a)::numeric", "CAST(AVG(a) AS DECIMAL(38, 18))"),
        ("postgres", "AVG(a)::numeric(9, 2)", "CAST(AVG(a) AS DECIMAL(9, 2))"),
        ("bigquery", "CAST(a AS NUMERIC)", "CAST(a AS DECIMAL(38, 9))"),
        ("databricks", "CAST(a AS DECIMAL)", "CAST(a AS DECIMAL)"),
        ("tsql", "CAST(a AS FLOAT)", "CAST(a AS DOUBLE)"),
        ("databricks", "CAST(a AS FLOAT)", "CAST(a AS FLOAT)"),
        ("postgres", "a !~* 'b'", "NOT REGEXP_LIKE(a, CONCAT('(?i)', 'b'))"),
        ("snowflake", "a RLIKE 'b'", r"REGEXP_LIKE(a, CONCAT('^(?:', 'b', ')\\z'))"),
        ("oracle", "REGEXP_LIKE(a, 'b', 'i')", "REGEXP_LIKE(a, CONCAT('(?i)', 'b'))"),
        ("postgres", "a ~ 'b'", "REGEXP_LIKE(a, 'b')"),
        ("tsql", "CASE WHEN a LIKE 'b%' THEN 1 END", "CASE WHEN a LIKE 'b%' THEN 1 END"),
        ("postgres", "LOG(a)", "LOG10(a)"),
        ("postgres", "LOG(2, a)", "LOG(2, a)"),
        ("databricks", "LOG(a)", "LN(a)"),
        # Whole numbers are divided as the dialect divides them.
        ("postgres", "COUNT(a) * 100 / COUNT(*)", "CAST(COUNT(a) * 100 / COUNT(*) AS BIGINT)"),
        ("postgres", "COUNT(a) * 100.0 / COUNT(*)", "COUNT(a) * 100.0 / COUNT(*)"),
        ("duckdb", "COUNT(a) / COUNT(*)", "COUNT(a) / COUNT(*)"),
        ("postgres", "MAX(i / n)", "MAX(CAST(i / n AS BIGINT))"),
        ("postgres", "MAX(t.i / t.n)", "MAX(CAST(t.i / t.n AS BIGINT))"),
        ("postgres", "MAX(I / x)", "MAX(I / x)"),
        ("postgres", "SUM(i) / COUNT(*)", "CAST(SUM(i) / COUNT(*) AS BIGINT)"),
        ("trino", "SUM(n) / COUNT(*)", "CAST(SUM(n) / COUNT(*) AS BIGINT)"),
        ("databricks", "MAX(unknown / n)", "MAX(unknown / n)"),
        ("tsql", "AVG(x)", "AVG(x)"),
        # A date less a date is a number of days there, and an interval in Spark.
        ("postgres", "MAX(d - e)", "MAX(DATEDIFF(DAY, e, d))"),
        ("snowflake", "MAX(CURRENT_DATE - d)", "MAX(DATEDIFF(DAY, d, CURRENT_DATE))"),
        ("postgres", "MAX(d - 3)", "MAX(d - 3)"),
        ("postgres", "MAX(d - INTERVAL '1 day')", "MAX(d - INTERVAL '1' DAY)"),
        ("postgres", "MAX(m - m)", "MAX(m - m)"),
        ("databricks", "MAX(d - e)", "MAX(d - e)"),
    ],
)
def test_the_same_in_spark(dialect: str, query: str, expected: str) -> None:
    assert spark(query, dialect) == expected


@pytest.mark.parametrize(
    "query",
    [
        "EXTRACT(MILLENNIUM FROM a)",
        "QUANTILE_DISC(a, 0.5)",
        "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a DESC)",
        "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY a)",
    ],
)
def test_what_spark_cannot_say(query: str) -> None:
    with pytest.raises(NoEqual):
        spark(query, "duckdb")


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        ("postgres", "MAX(unknown / 2)"),
        ("postgres", "SUM(n) / COUNT(*)"),
        ("tsql", "AVG(i)"),
        ("tsql", "AVG(unknown)"),
        ("postgres", "MAX(d - unknown)"),
        ("trino", "MAX(d - e)"),
        ("oracle", "MAX(SYSDATE - m)"),
        ("redshift", "AVG(i)"),
        ("postgres", "MAX(CAST(i * 2.5 AS INT))"),
        ("snowflake", "MAX(DATEDIFF(month, d, e))"),
        ("bigquery", "MAX(DATE_DIFF(d, e, YEAR))"),
        ("tsql", "MAX(DATEDIFF(hour, m, m))"),
        ("duckdb", "MAX(DATE_DIFF('month', d, e))"),
        ("postgres", "MAX(EXTRACT(DOW FROM d))"),
        ("snowflake", "MAX(DAYOFWEEK(d))"),
        ("bigquery", "MAX(GREATEST(i, n))"),
        ("oracle", "MIN(LEAST(i, n))"),
        ("mysql", "MAX(LENGTH(unknown))"),
        ("tsql", "MAX(LEN(unknown))"),
    ],
)
def test_arithmetic_that_may_mean_something_else(dialect: str, query: str) -> None:
    with pytest.raises(NoEqual):
        spark(query, dialect)


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        ("snowflake", "MAX(DATEDIFF(day, d, e))"),
        ("bigquery", "MAX(DATE_DIFF(d, e, DAY))"),
        ("postgres", "MAX(EXTRACT(MONTH FROM d))"),
        ("postgres", "MAX(GREATEST(i, n))"),
        ("postgres", "MAX(CAST(i AS BIGINT))"),
        ("snowflake", "MAX(LENGTH(unknown))"),
    ],
)
def test_what_means_the_same_is_kept(dialect: str, query: str) -> None:
    assert spark(query, dialect)


def test_patterns_that_spark_does_not_have() -> None:
    for dialect, query in (
        ("postgres", "a SIMILAR TO 'b'"),
        ("tsql", "CASE WHEN a LIKE '[b]%' THEN 1 END"),
        ("snowflake", "REGEXP_LIKE(a, 'b', 'ms')"),
    ):
        with pytest.raises(NoEqual):
            spark(query, dialect)
