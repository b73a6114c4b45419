"""SQL of other databases in Spark's words, where sqlglot's own translation means something else or nothing."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sluis.contract.logical import Boolean, Date, DecimalType, Double, Integer, LogicalType, Long, String, Timestamp
from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql import dialects, rewrite

TYPES: dict[str, LogicalType] = {
    "i": Integer(),
    "n": Long(),
    "x": DecimalType(precision=9, scale=2),
    "f": Double(),
    "s": String(),
    "b": Boolean(),
    "d": Date(),
    "e": Date(),
    "m": Timestamp(),
}


def spark(query: str, dialect: str) -> str:
    [tree] = dialects.statements(f"SELECT {query} FROM t", dialect)
    assert isinstance(tree, exp.Query)
    return rewrite.adapt(tree, dialect, "t", TYPES).sql("databricks").removeprefix("SELECT ").removesuffix(" FROM t")


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
        (
            "postgres",
            "EXTRACT(EPOCH FROM a - b - INTERVAL '1 day')",
            "CAST(CAST(a - b - INTERVAL '1' DAY AS INTERVAL SECOND) AS DECIMAL(20, 6))",
        ),
        ("postgres", "EXTRACT(YEAR FROM a)", "EXTRACT(YEAR FROM a)"),
        ("duckdb", "QUANTILE_CONT(a, 0.95)", "PERCENTILE(a, 0.95)"),
        ("databricks", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)", "PERCENTILE(a, 0.5)"),
        ("duckdb", "DATE_DIFF('day', a, b)", "DATEDIFF(DAY, CAST(a AS DATE), CAST(b AS DATE))"),
        # A number without digits keeps its fraction where it does.
        ("postgres", "AVG(a)::numeric", "CAST(AVG(a) AS DECIMAL(38, 18))"),
        ("postgres", "AVG(a)::numeric(9, 2)", "CAST(AVG(a) AS DECIMAL(9, 2))"),
        ("bigquery", "CAST(a AS NUMERIC)", "CAST(a AS DECIMAL(38, 9))"),
        ("databricks", "CAST(a AS DECIMAL)", "CAST(a AS DECIMAL)"),
        ("tsql", "CAST(a AS FLOAT)", "CAST(a AS DOUBLE)"),
        ("databricks", "CAST(a AS FLOAT)", "CAST(a AS FLOAT)"),
        ("postgres", "a !~* 'b'", "NOT REGEXP_LIKE(a, '(?iu)b')"),
        ("snowflake", "a RLIKE 'b'", r"REGEXP_LIKE(a, '\\A(?:b)\\z')"),
        ("oracle", "REGEXP_LIKE(a, 'b', 'i')", "REGEXP_LIKE(a, '(?iu)b')"),
        ("postgres", "a ~ 'b'", "REGEXP_LIKE(a, 'b')"),
        ("tsql", "CASE WHEN a LIKE 'b%' THEN 1 END", "CASE WHEN a LIKE 'b%' THEN 1 END"),
        ("postgres", "LOG(a)", "LOG10(a)"),
        ("postgres", "LOG(2, a)", "LOG(2, a)"),
        ("databricks", "LOG(a)", "LN(a)"),
        ("databricks", "DATEDIFF(a, b)", "DATEDIFF(a, b)"),
        ("databricks", "DATEDIFF(DAY, a, b)", "DATEDIFF(DAY, a, b)"),
        ("databricks", "a - INTERVAL 1 DAY 2 HOURS", "a - (INTERVAL '1' DAY + INTERVAL '2' HOURS)"),
        ("databricks", "STRING_AGG(a)", "LISTAGG(a, '')"),
        ("databricks", "STRING_AGG(a, ';')", "LISTAGG(a, ';')"),
        # Whole numbers are divided as the dialect divides them.
        ("postgres", "COUNT(a) * 100 / COUNT(*)", "CAST(COUNT(a) * 100 / COUNT(*) AS BIGINT)"),
        ("postgres", "COUNT(a) * 100.0 / COUNT(*)", "COUNT(a) * 100.0 / COUNT(*)"),
        ("duckdb", "COUNT(a) / COUNT(*)", "COUNT(a) / NULLIF(COUNT(*), 0)"),
        ("mysql", "i / n", "i / NULLIF(n, 0)"),
        ("mysql", "i % n", "i % NULLIF(n, 0)"),
        ("mysql", "i / 2", "i / 2"),
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


@pytest.mark.parametrize(
    ("dialect", "query", "expected"),
    [
        # Days and moments.
        ("oracle", "SYSDATE - 1", "CURRENT_TIMESTAMP() - INTERVAL '1' DAY"),
        ("oracle", "TRUNC(SYSDATE)", "DATE_TRUNC('DAY', CURRENT_TIMESTAMP())"),
        ("oracle", "TRUNC(d)", "DATE_TRUNC('DAY', d)"),
        ("oracle", "d + 1", "d + 1"),
        ("oracle", "1 + m", "INTERVAL '1' DAY + m"),
        ("oracle", "TO_CHAR(d, 'YYYY-MM')", "DATE_FORMAT(d, 'yyyy-MM')"),
        ("oracle", "TO_CHAR(n)", "CAST(n AS STRING)"),
        ("postgres", "NOW()", "CURRENT_TIMESTAMP()"),
        ("mysql", "DATE_SUB(NOW(), INTERVAL 1 DAY)", "(CURRENT_TIMESTAMP() - INTERVAL '1' DAY)"),
        ("snowflake", "DATEADD(day, -1, d)", "(d + INTERVAL '-1' DAY)"),
        ("snowflake", "DATE_TRUNC('week', m)", "DATE_TRUNC('WEEK', m)"),
        ("redshift", "DATEDIFF(day, m, m)", "DATEDIFF(DAY, CAST(m AS DATE), CAST(m AS DATE))"),
        ("trino", "DATE_DIFF('day', m, m)", "DATEDIFF(DAY, m, m)"),
        ("tsql", "CONVERT(VARCHAR(10), d, 112)", "LEFT(CAST(DATE_FORMAT(d, 'yyyyMMdd') AS STRING), 10)"),
        # Text.
        ("tsql", "s + 'a'", "s || 'a'"),
        ("tsql", "s + ' ' + s", "s || ' ' || s"),
        ("tsql", "i + n", "i + n"),
        ("tsql", "CONCAT(s, i)", "CONCAT(COALESCE(s, ''), COALESCE(CAST(i AS STRING), ''))"),
        ("tsql", "LEFT(s, 2)", "LEFT(CAST(s AS STRING), 2)"),
        ("tsql", "CAST(s AS VARCHAR)", "LEFT(CAST(s AS STRING), 30)"),
        ("postgres", "s::varchar(2)", "LEFT(CAST(s AS STRING), 2)"),
        ("oracle", "s = ''", "s = CAST(NULL AS STRING)"),
        ("oracle", "TRIM(s)", "NULLIF(TRIM(s), '')"),
        ("oracle", "s || i", "NULLIF(CONCAT_WS('', s, i), '')"),
        ("bigquery", r"REGEXP_CONTAINS(s, r'(?i)^\w')", r"REGEXP_LIKE(s, '(?iu)^\\w')"),
        ("postgres", r"E'it\'s'", r"'it\'s'"),
        ("tsql", "N'x'", "'x'"),
        ("postgres", "s ~ '^a{2}$'", r"REGEXP_LIKE(s, '^a{2}\\z')"),
        ("postgres", "REGEXP_REPLACE(s, 'a', 'b', 'g')", "REGEXP_REPLACE(s, 'a', 'b')"),
        ("postgres", "SUBSTRING(s FROM 2 FOR 3)", "SUBSTRING(s, 2, 3)"),
        # Values of different types.
        ("tsql", "CASE WHEN b = 1 THEN 1 END", "CASE WHEN CAST(b AS INT) = 1 THEN 1 END"),
        ("mysql", "SUM(s = 'a')", "SUM(CAST(s = 'a' AS INT))"),
        ("postgres", "d > '2026-01-01'", "d > '2026-01-01'"),
    ],
)
def test_the_same_in_other_words(dialect: str, query: str, expected: str) -> None:
    assert spark(query, dialect) == expected


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        # Not known to mean the same: sqlglot carries it over as it is, or as something else.
        ("databricks", "CAST(s AS TIME)"),
        ("oracle", "ROWNUM"),
        ("oracle", "ADD_MONTHS(d, 1)"),
        ("oracle", "MONTHS_BETWEEN(d, d)"),
        ("oracle", "TRUNC(x)"),
        ("oracle", "SYSDATE - 1 / 24"),
        ("oracle", "TO_CHAR(d, 'Mon YYYY')"),
        ("oracle", "TO_CHAR(x, '999')"),
        ("oracle", "CAST(s AS DATE)"),
        ("oracle", "STDDEV(n)"),
        ("postgres", "TO_CHAR(n, '999')"),
        ("postgres", "SUBSTRING(s FROM 'a.')"),
        ("postgres", "SUBSTRING(s, 0)"),
        ("postgres", "SUBSTRING(s, i)"),
        ("postgres", "LEFT(s, -1)"),
        ("postgres", "REGEXP_REPLACE(s, 'a', 'b')"),
        ("postgres", r"REGEXP_REPLACE(s, '(a)', '\1', 'g')"),
        ("postgres", "s ~ '[[:alpha:]]'"),
        ("postgres", "s ~ (s || 'x')"),
        ("postgres", r"s ~ '^\w'"),
        ("postgres", r"s LIKE 'a!\d' ESCAPE '!'"),
        ("postgres", "(i, n) IN ((1, 2))"),
        ("duckdb", "i / n"),
        ("postgres", "ARRAY_AGG(s)"),
        ("postgres", "AGE(d)"),
        ("postgres", "x::text"),
        ("postgres", "b::text"),
        ("postgres", "s::uuid"),
        ("postgres", "s::char(3)"),
        ("postgres", "ROUND(f)"),
        ("postgres", "INTERVAL '24:00:00'"),
        ("postgres", r"s LIKE 'a\d'"),
        ("oracle", r"s LIKE 'a\_b'"),
        ("bigquery", "TRIM(s)"),
        ("trino", "TRIM(s)"),
        ("mysql", "TRIM(BOTH 'ab' FROM s)"),
        ("bigquery", "DATE_TRUNC(d, WEEK)"),
        ("bigquery", "EXTRACT(WEEK FROM d)"),
        ("trino", "EXTRACT(DOW FROM d)"),
        ("trino", "x / 3"),
        ("trino", "AVG(x)"),
        ("duckdb", "TRY_CAST(s AS INT)"),
        ("snowflake", "TRY_TO_DATE(s)"),
        ("snowflake", "TO_DATE(s, 'DD.MM.YYYY')"),
        ("tsql", "s + i"),
        ("tsql", "unknown + unknown"),
        ("tsql", "POWER(i, 2)"),
        ("tsql", "ROUND(x, 1, 1)"),
        ("tsql", "DATENAME(month, d)"),
        ("tsql", "CASE WHEN d = '20260101' THEN 1 END"),
        ("tsql", "COALESCE(i, '')"),
        ("tsql", "s COLLATE Latin1_General_CI_AS"),
        ("mysql", "i = ''"),
        ("mysql", "s = 0"),
        ("mysql", "d + 1"),
        ("mysql", "CASE WHEN i THEN 1 END"),
        ("mysql", "s || s"),
        ("redshift", "CONCAT(s, s)"),
    ],
)
def test_what_is_not_known_to_mean_the_same(dialect: str, query: str) -> None:
    with pytest.raises(NoEqual):
        spark(query, dialect)
