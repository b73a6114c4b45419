"""The condition of `--where`: one boolean expression about the row itself, and nothing else."""

from __future__ import annotations

import pytest

from sluis.contract.quality.sql.condition import prepared
from sluis.contract.quality.sql.rule import SqlError

COLUMNS = ["country", "day", "order", "lines", "price"]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("country = 'NL'", "`country` = 'NL'"),
        ("day >= DATE '2026-11-01' AND price > 1", "`day` >= CAST('2026-11-01' AS DATE) AND `price` > 1"),
        ("`order` IS NOT NULL -- or not", "NOT `order` IS NULL"),
        ("lines.qty > 2", "`lines`.`qty` > 2"),
        ("country rlike '^[A-Z]{2}$'", "REGEXP_LIKE(`country`, '^[A-Z]{2}$')"),
        ("country = 'it''s'", r"`country` = 'it\'s'"),
        ("day > day - interval 1 day 2 hours", "`day` > `day` - (INTERVAL '1' DAY + INTERVAL '2' HOURS)"),
        ("datediff(day, day) = 0", "DATEDIFF(`day`, `day`) = 0"),
        ("upper(country) IN ('NL', 'BE')", "UPPER(`country`) IN ('NL', 'BE')"),
    ],
)
def test_a_condition_is_written_anew_with_its_names_quoted(typed: str, written: str) -> None:
    assert prepared(typed, COLUMNS) == written


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "is no condition"),
        ("country =", "is no condition"),
        ("true; DROP TABLE x", "is no condition"),
        ("true LIMIT 1", "is no condition"),
        ("true GROUP BY day", "is no condition"),
        ("true UNION SELECT 1", "is no condition"),
        ("true) OR (true", "is no condition"),
        ("day = (SELECT max(day) FROM secrets)", "needs more than the row itself"),
        ("day IN (SELECT day FROM secrets)", "needs more than the row itself"),
        ("max(day) > '2026'", "needs more than the row itself"),
        ("row_number() OVER (ORDER BY day) = 1", "needs more than the row itself"),
        ("java_method('java.lang.System', 'exit') = 1", "reaches beyond the rows"),
        ("no_such_function(day) = 1", "Spark has no function"),
        ("country = '${spark.secret}'", "which Spark would fill in"),
        ("day > TIME '10:00:00'", "Spark has no equal of it"),
        ("contry = 'NL'", "`contry` is no column; there are .*`price` .did you mean `country`"),
        ("Country = 'NL'", "is no column"),
    ],
)
def test_what_is_no_condition_on_a_row_is_refused(typed: str, told: str) -> None:
    with pytest.raises(SqlError, match=told):
        prepared(typed, COLUMNS)
