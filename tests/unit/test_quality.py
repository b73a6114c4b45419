"""Quality items → rules, and what is said of those that give none."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sluis.contract import quality, rules
from sluis.contract.logical import Long, String
from sluis.contract.notes import Notes
from sluis.contract.quality.scope import Scope
from sluis.contract.rules import Rule, Threshold
from sluis.contract.source import Source

OBJECT = Scope(id=("o",), object="o", also_called=("o_tbl",), columns={"a": "A", "b": "b"}, types={"A": Long(), "b": String()})  # fmt: skip
COLUMN = Scope(id=("o", "a"), object="o", columns=OBJECT.columns, types=OBJECT.types, column="A", type=Long())


def read(*items: Any, scope: Scope = COLUMN) -> tuple[list[Rule], list[str], dict[str, str]]:
    """Rules, problems, and what the ledger says of each place."""
    notes = Notes(Source(document={"quality": list(items)}, shown="c.yaml"))
    found = list(quality.rules(list(items), ("quality",), scope, notes))
    ledger = {entry.path.removeprefix("$.quality"): f"{entry.status}: {entry.note}" for entry in notes.entries(found)}
    return found, [f"{problem.path}: {problem.message}" for problem in notes.problems], ledger


def rule(item: Any, scope: Scope = COLUMN) -> Rule:
    [found], problems, ledger = read(item, scope=scope)
    assert not problems
    assert ledger["[0]"] == f"enforced: rule {found.id}"
    return found


def at(kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": f"o.a.{kind}", "path": "$.quality[0]", **fields}


def must(operator: Any, *values: Any, percent: bool = False) -> Threshold:
    return Threshold(operator=operator, values=tuple(map(Decimal, values)), percent=percent)


OPERATORS = [
    ({"mustBe": 0}, must("=", 0)),
    ({"mustNotBe": 5}, must("!=", 5)),
    ({"mustBeGreaterThan": 1}, must(">", 1)),
    ({"mustBeGreaterOrEqualTo": 1}, must(">=", 1)),
    ({"mustBeGreaterThanOrEqualTo": 1}, must(">=", 1)),
    ({"mustBeLessThan": Decimal("0.1"), "unit": "percent"}, must("<", "0.1", percent=True)),
    ({"mustBeLessOrEqualTo": 5, "unit": "%"}, must("<=", 5, percent=True)),
    ({"mustBeLessThanOrEqualTo": 5, "unit": "rows"}, must("<=", 5)),
    ({"mustBeBetween": [1, 2]}, must("between", 1, 2)),
    ({"mustNotBeBetween": [1, 2]}, must("not between", 1, 2)),
    ({}, None),
]


@pytest.mark.parametrize(("operator", "allowed"), OPERATORS)
def test_operators_and_units(operator: dict[str, Any], allowed: Threshold | None) -> None:
    assert rule({"metric": "nullValues", **operator}) == rules.Filled(**at("null_values", allowed=allowed), column="A")


@pytest.mark.parametrize(
    ("threshold", "held"),
    [
        (must("=", 1), [1]),
        (must("!=", 1), [0, 2, 3]),
        (must("<", 1), [0]),
        (must("<=", 1), [0, 1]),
        (must(">", 1), [2, 3]),
        (must(">=", 1), [1, 2, 3]),
        (must("between", 1, 2), [1, 2]),
        (must("not between", 1, 2), [0, 3]),
    ],
)
def test_what_a_threshold_holds(threshold: Threshold, held: list[int]) -> None:
    assert [number for number in range(4) if threshold.holds(number)] == held


def test_metrics() -> None:
    zero = must("=", 0)
    missing = {"metric": "missingValues", "arguments": {"missingValues": ["n/a", None, 0, True]}, "mustBe": 0}
    assert rule(missing) == rules.NotMissing(
        **at("missing_values", allowed=zero), column="A", texts=("n/a", "0", "true")
    )
    invalid = {"metric": "invalidValues", "arguments": {"validValues": [1, "2"], "pattern": "^1"}, "mustBe": 0}
    demands = (
        rules.Enum(**at("invalid_values"), column="A", values=(1, 2)),
        rules.Pattern(**at("invalid_values"), column="A", pattern="^1"),
    )
    assert rule(invalid) == rules.Valid(**at("invalid_values", allowed=zero), column="A", demands=demands)
    duplicates = {"metric": "duplicateValues", "mustBe": 0}
    assert rule(duplicates) == rules.Unique(**at("duplicate_values", allowed=zero), columns=("A",))
    together = {**duplicates, "arguments": {"properties": ["a", "o.b"]}}
    assert rule(together, OBJECT).columns == ("A", "b")  # type: ignore[attr-defined]
    rows = {"metric": "rowCount", "mustBe": 7}
    assert rule(rows, OBJECT) == rules.RowCountIs(id="o.row_count", path="$.quality[0]", allowed=must("=", 7))


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ({"rule": "nullCheck"}, "filled"),
        ({"rule": "duplicateCount", "mustBeLessThan": 10}, "unique"),
        ({"rule": "validValues", "validValues": [1]}, "valid"),
        ({"rule": "rowCount", "mustBeBetween": [1, 9]}, "row_count_is"),
    ],
)
def test_rules_of_odcs_3_0(item: Any, kind: str) -> None:
    assert rule(item).kind == kind


@pytest.mark.parametrize(
    ("stated", "severity"),
    [("error", "error"), ("Critical", "error"), ("HIGH", "error"), ("warn", "warning"), ("medium", "warning"), ("low", "warning"), ("info", "info")],
)  # fmt: skip
def test_severity(stated: str, severity: str) -> None:
    assert rule({"metric": "nullValues", "severity": stated}).severity == severity


def test_ids_are_the_owners_and_never_twice() -> None:
    items = [{"metric": "nullValues", "id": "x"}, {"metric": "nullValues", "name": "No gaps"}, {"metric": "nullValues"}, {"metric": "nullValues"}]  # fmt: skip
    found, _, _ = read(*items)
    assert [each.id for each in found][::3] == ["o.a.x", "o.a.null_values_2"]
    assert found[1].id.startswith("o.a.No_gaps-")
    assert found[1].title == "No gaps"


SQL = [
    ("SELECT count(*) FROM {object} WHERE {property} < 0", "SELECT COUNT(*) FROM {object} WHERE `A` < 0"),
    ("SELECT count(*) FROM ${table} WHERE ${column} < 0", "SELECT COUNT(*) FROM {object} WHERE `A` < 0"),
    ("select max({field}) from {model} t where t.b = 'x'", "SELECT MAX(`A`) FROM {object} AS t WHERE t.b = 'x'"),
    ("SELECT count(*) FROM `o` WHERE o.b IS NULL", "SELECT COUNT(*) FROM {object} AS `o` WHERE o.b IS NULL"),
    ("SELECT count(*) FROM cat.sales.O;", "SELECT COUNT(*) FROM {object} AS `O`"),
    ("WITH x AS (SELECT b FROM o) SELECT count(*) FROM x", "WITH x AS (SELECT b FROM {object} AS `o`) SELECT COUNT(*) FROM x"),
    ("WITH o AS (SELECT b FROM o) SELECT count(*) FROM o", "WITH o AS (SELECT b FROM {object} AS `o`) SELECT COUNT(*) FROM o"),
    ("SELECT /*+ BROADCAST(o) */ count(*) FROM o", "SELECT COUNT(*) FROM {object} AS `o`"),
    ("WITH x(y) AS (SELECT b FROM o) SELECT count(*) FILTER (WHERE y = 'f(') FROM x", "WITH x(y) AS (SELECT b FROM {object} AS `o`) SELECT COUNT(*) FILTER(WHERE y = 'f(') FROM x"),
    ("SELECT try_cast(max(b) AS decimal(9, 2)) FROM o", "SELECT TRY_CAST(MAX(b) AS DECIMAL(9, 2)) FROM {object} AS `o`"),
    ("SELECT 1 -- of nothing", "SELECT 1"),
    ("SELECT count(*) FROM o WHERE b = 'it''s'", r"SELECT COUNT(*) FROM {object} AS `o` WHERE b = 'it\'s'"),
    ('SELECT count(*) FROM o WHERE b = "x""y"', """SELECT COUNT(*) FROM {object} AS `o` WHERE b = 'x"y'"""),
    # Braces that are no placeholder's.
    ("SELECT count(*) FROM {table} WHERE b rlike '^[a-z]{2}$'", "SELECT COUNT(*) FROM {object} WHERE REGEXP_LIKE(b, '^[a-z]{2}$')"),
    ("SELECT count(*) FROM o WHERE b rlike '^x{2,3}y{4,}$'", "SELECT COUNT(*) FROM {object} AS `o` WHERE REGEXP_LIKE(b, '^x{2,3}y{4,}$')"),
    (r"SELECT count(*) FROM o WHERE b rlike '\\p{L}'", r"SELECT COUNT(*) FROM {object} AS `o` WHERE REGEXP_LIKE(b, '\\p{L}')"),
    ("""SELECT count(*) FROM o WHERE b LIKE '%"a":%'""", """SELECT COUNT(*) FROM {object} AS `o` WHERE b LIKE '%"a":%'"""),
    ("""SELECT count(*) FROM o WHERE b LIKE '{"k":%}'""", """SELECT COUNT(*) FROM {object} AS `o` WHERE b LIKE '{"k":%}'"""),
    ("SELECT max(`{{ column }}`) AS {column}_max FROM ${object}", "SELECT MAX(`A`) AS `A_max` FROM {object}"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), SQL)
def test_sql(query: str, expected: str) -> None:
    found = rule({"type": "sql", "query": query, "mustBeLessThan": 5, "unit": "seconds"})
    assert found == rules.Sql(**at("sql"), query=expected, expected=must("<", 5))


def test_sql_is_read_in_the_servers_dialect() -> None:
    postgres = Scope(**{**vars(COLUMN), "dialect": "postgres"})
    found = rule(
        {"type": "sql", "query": "SELECT count(*) FROM o WHERE \"b\" = 'x' AND b::int > 1", "mustBe": 0}, postgres
    )
    assert found.query == "SELECT COUNT(*) FROM {object} AS `o` WHERE `b` = 'x' AND CAST(b AS INT) > 1"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT max(qty) FROM o", "SELECT MAX(`QTY_1`) FROM {object} AS `o`"),
        ("SELECT max(t.Qty) FROM o t", "SELECT MAX(t.`QTY_1`) FROM {object} AS t"),
        ("SELECT max(qty_1) FROM o", "SELECT MAX(qty_1) FROM {object} AS `o`"),
        (
            "SELECT max(qty) FROM (SELECT b AS qty FROM o)",
            "SELECT MAX(qty) FROM (SELECT b AS qty FROM {object} AS `o`)",
        ),
    ],
)
def test_columns_that_a_query_calls_by_the_contracts_names(query: str, expected: str) -> None:
    called = Scope(**{**vars(OBJECT), "columns": {"qty": "QTY_1", "b": "b"}})
    found = rule({"type": "sql", "query": query, "mustBe": 0}, called)
    assert found.query == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(("stated", "number"), [(True, 1), (False, 0), (Decimal("2.5"), "2.5")])
def test_what_a_query_must_give(stated: Any, number: Any) -> None:
    assert rule({"type": "sql", "query": "SELECT 1", "mustBe": stated}).expected == must("=", number)  # type: ignore[attr-defined]


REFUSED = [
    ("DROP TABLE o", "it is no SELECT but DROP."),
    ("SELECT 1; DROP TABLE o", "it holds 2 statements; a rule is one SELECT."),
    ("", "it holds 0 statements; a rule is one SELECT."),
    ("SELECT a INTO t FROM o", "it does more than read (INTO)."),
    ("INSERT INTO o SELECT 1", "it is no SELECT but INSERT."),
    ("SHOW TABLES", "it is no SELECT but COMMAND."),
    ("DELETE FROM o", "it is no SELECT but DELETE."),
    ("TRUNCATE TABLE o", "it is no SELECT but TRUNCATETABLE."),
    ("SELECT reflect('java.lang.System', 'exit', 1)", "it calls `reflect`, which reaches beyond the rows."),
    ("SELECT count(*) FROM o WHERE java_method('a', 'b') = 'c'", "it calls `java_method`, which reaches beyond the rows."),
    ("SELECT \0", "it holds a character that cannot be seen, or a name that Sluis keeps for itself."),
]  # fmt: skip


@pytest.mark.parametrize(("query", "message"), REFUSED)
def test_sql_that_is_no_rule(query: str, message: str) -> None:
    found, [problem], _ = read({"type": "sql", "query": query, "mustBe": 0})
    assert not found
    assert problem.startswith(f"$.quality[0].query: {message}")


UNSUPPORTED = [
    ({"type": "sql", "query": "SELECT count(*) FROM o JOIN customers USING (b)", "mustBe": 0}, "it reads `customers` too, which are not the contract's rows"),
    ({"type": "sql", "query": "SELECT count(*) FROM o WHERE a NOT IN (SELECT a FROM archive.o)", "mustBe": 0}, "it reads `archive.o` too, which are not the contract's rows"),
    ({"type": "sql", "query": "SELECT count(*) FROM p.o AS x LEFT JOIN q.o AS y USING (a)", "mustBe": 0}, "it reads `p.o AS x`, `q.o AS y` too, which are not the contract's rows"),
    ({"type": "sql", "query": "SELECT count(*) FROM range(9)", "mustBe": 0}, "it reads `RANGE(9)`, which is not the contract's rows"),
    ({"type": "sql", "query": "SELECT count(*) FROM parquet.`/etc/x`", "mustBe": 0}, 'it reads `parquet."/etc/x"` too, which are not the contract\'s rows'),
    ({"type": "sql", "query": "SELECT no_such_function(b) FROM o", "mustBe": 0}, "Spark has no function `no_such_function`"),
    ({"type": "sql", "query": "SELECT sum(byte_length(b)) FROM o", "mustBe": 0}, "Spark has no function `byte_length`"),
    ({"type": "sql", "query": "SELECT count(*) FROM o WHERE rand() < 0.1", "mustBe": 0}, "`rand` may give another answer in every run, of the same rows"),
    ({"type": "sql", "query": "SELECT first(b) FROM o", "mustBe": 0}, "`first` may give another answer in every run, of the same rows"),
    ({"type": "sql", "query": "SELECT count(*) FROM o TABLESAMPLE (10 PERCENT)", "mustBe": 0}, "it takes a sample, which is another one in every run"),
    ({"type": "sql", "query": "SELECT a, b FROM o", "mustBe": 0}, "it gives 2 columns, where one number is expected"),
    ({"type": "sql", "query": "SELECT count(*) FROM {object} WHERE d > {today}", "mustBe": 0}, "`{today}` stands for something that is not known here"),
    ({"type": "sql", "query": "SELECT count(*) FROM o WHERE b = '${env:HOME}'", "mustBe": 0}, "it holds `${`, which Spark would fill in"),
    ({"type": "sql", "query": "SELECT count(*) FROM o WHERE b = '{today}'", "mustBe": 0}, "`{today}` stands for something that is not known here"),
    ({"type": "sql", "query": "SELECT count(*) FROM o WHERE b = 'of {column}'", "mustBe": 0}, "a placeholder stands in a text"),
    ({"type": "sql", "query": "SELECT (", "mustBe": 0}, "it is not SQL that can be read (databricks): "),
    ({"type": "sql", "query": "SELEC count(*) FROM o", "mustBe": 0}, "it is not SQL that can be read (databricks): "),
    ({"type": "sql", "query": "b > 5", "mustBe": 0}, "it is a part of a query, and no SELECT"),
    ({"type": "sql", "query": "SELECT " + "(" * 600 + ")" * 600, "mustBe": 0}, "it holds more than 500 brackets"),
    ({"type": "sql", "query": "SELECT " + "NOT " * 2000 + "1", "mustBe": 0}, "it is nested too deeply"),
    ({"type": "sql", "query": "SELECT 1 + " * 5000, "mustBe": 0}, "it has 55000 characters; 10000 are read"),
    ({"type": "sql", "query": "SELECT * FROM o", "mustBe": 0}, "it gives all columns, where one number is expected"),
    ({"type": "sql", "query": "SELECT count(*) FROM o VERSION AS OF 1", "mustBe": 0}, "it reads `o FOR VERSION AS OF 1`, an earlier version of the rows"),
    ({"type": "sql", "query": 'SELECT count(*) FROM o WHERE "b" = 1', "mustBe": 0}, '`"b"` is text in Databricks SQL, and the name of a column elsewhere'),
    ({"type": "sql", "query": "SELECT 1"}, "no operator says what its number must be"),
    ({"type": "sql", "query": "SELECT 1", "mustBe": "x"}, '`mustBe` is "x", which is no number'),
    ({"metric": "rowCount"}, "no operator says how many rows there must be"),
    ({"metric": "rowCount", "mustBe": 5, "unit": "percent"}, "a number of rows is no percentage of the rows"),
    ({"metric": "nulls", "mustBe": 0}, '"nulls" is none of the library\'s metrics; did you mean `nullValues`?'),
    ({"metric": "nullValues", "mustBe": 0, "unit": "ms"}, 'the unit "ms" is none of'),
    ({"metric": "nullValues", "mustBe": True}, "`mustBe` is true, which is no number"),
    ({"metric": "invalidValues", "mustBe": 0}, "neither `validValues` nor `pattern` says which values are valid"),
    ({"metric": "invalidValues", "mustBe": 0, "arguments": {"validValues": ["x"]}}, '`validValues` has "x", which no value of type `long` can equal'),
    ({"metric": "invalidValues", "mustBe": 0, "arguments": {"format": "x"}}, "the metric has no argument `format`"),
    ({"metric": "nullValues", "mustBe": 0, "arguments": {"columns": ["b"]}}, "the metric has no argument `columns`"),
    ({"metric": "missingValues", "mustBe": 0, "arguments": {"missingValues": ["-"], "trim": True}}, "the metric has no argument `trim`"),
    ({"metric": "duplicateValues", "mustBe": 0, "arguments": {"columns": ["b"]}}, "the metric has no argument `columns`"),
    ({"metric": "rowCount", "mustBe": 0, "arguments": {"where": "b = 1"}}, "the metric has no argument `where`"),
    ({"rule": "nullCheck", "mustBe": 0, "validValues": [1]}, "the metric has no argument `validValues`"),
    ({"metric": "nullValues", "rule": "rowCount", "mustBe": 0}, '`rule` is "rowCount", which is another metric'),
    ({"type": "custom", "engine": "dqx", "implementation": {}}, 'Sluis does not run the engine "dqx"'),
    ({"type": "custom", "engine": "greatExpectations", "implementation": "type: expect_magic"}, "`expect_magic` is no expectation that runs here"),
    ({"type": "custom", "engine": "gx", "implementation": {"type": "expect_column_values_to_not_be_null", "mostly": 1}}, "Sluis does not read `mostly` of an expectation"),
    ({"type": "custom", "engine": "gx", "implementation": {"type": "expect_column_values_to_not_be_null", "severity": "low"}}, '"low" is none of the severities `critical`'),
    ({"type": "custom", "engine": "gx", "implementation": "a: ["}, "its text cannot be read: is not YAML"),
    ({"templateName": "NullCheck", "toolName": "Elevate"}, 'the tool "Elevate" checks it'),
    ({"type": "montecarlo"}, '"montecarlo" is no type of item that Sluis knows'),
]  # fmt: skip


@pytest.mark.parametrize(("item", "reason"), UNSUPPORTED)
def test_items_that_nothing_can_check(item: Any, reason: str) -> None:
    found, problems, ledger = read(item)
    assert (found, problems) == ([], [])
    assert ledger["[0]"].startswith(f"unsupported: {reason}")


WRONG = [
    ({"metric": "nullValues", "mustBeBetween": [1]}, "$.quality[0].mustBeBetween: found [1]."),
    ({"metric": "nullValues", "mustBeBetween": [2, 1]}, "$.quality[0].mustBeBetween: the smaller number comes first."),
    ({"metric": "nullValues", "mustBe": 1, "mustNotBe": 2}, "$.quality[0].mustNotBe: `mustBe` is there already."),
    ({"metric": "duplicateValues", "arguments": {"properties": ["c"]}}, "$.quality[0].arguments.properties[0]: `c` is not one of the columns."),
    ({"metric": "invalidValues", "arguments": {"pattern": "("}}, "$.quality[0].arguments.pattern: `(`: a `(` has no `)`."),
]  # fmt: skip


@pytest.mark.parametrize(("item", "problem"), WRONG)
def test_items_that_are_wrong(item: Any, problem: str) -> None:
    assert read(item)[1] == [problem]


def test_an_item_about_a_column_that_stands_at_the_object() -> None:
    _, _, ledger = read({"metric": "nullValues", "mustBe": 0}, scope=OBJECT)
    assert ledger["[0]"] == "unsupported: it is about one column, and stands at the object"


EXPECTATIONS = [
    {"type": "expect_column_values_to_be_between", "kwargs": {"min_value": Decimal("1.5")}},
    {"expectation_type": "expect_column_values_to_be_between", "kwargs": {"column": "a", "minValue": Decimal("1.5")}},
    "type: expect_column_values_to_be_between\nkwargs: {min_value: 1.5}",
    '{"expectation_type": "expect_column_values_to_be_between", "kwargs": {"min_value": 1.5, "column": "a"}}',
    {"expectations": [{"type": "expect_column_values_to_be_between", "kwargs": {"min_value": Decimal("1.5")}}]},
]


@pytest.mark.parametrize("implementation", EXPECTATIONS)
@pytest.mark.parametrize("named", ["greatExpectations", "great-expectations", "GX"])
def test_expectations(implementation: Any, named: str) -> None:
    found = rule({"type": "custom", "engine": named, "implementation": implementation})
    assert found == rules.Gx(
        **at("column_values_to_be_between"),
        type="expect_column_values_to_be_between",
        kwargs=(("column", "A"), ("min_value", 1.5)),
    )


def test_the_severity_of_an_expectation() -> None:
    stated = {"type": "expect_column_values_to_not_be_null", "meta": {"by": "me"}, "notes": "-", "severity": "warning"}
    item = {"type": "custom", "engine": "gx", "implementation": stated}
    assert rule(item).severity == "warning"
    assert rule({**item, "severity": "info"}).severity == "info"
    assert rule({**item, "implementation": {**stated, "severity": "critical"}}).severity == "error"


def test_of_a_suite_what_can_run_runs() -> None:
    suite = [{"type": "expect_column_values_to_not_be_null"}, {"type": "expect_magic"}]
    [found], _, ledger = read({"type": "custom", "engine": "gx", "implementation": suite})
    assert found.kind == "gx"
    assert ledger["[0].implementation"].startswith("unsupported: `expect_magic` is no expectation that runs here")


def test_keys_that_no_item_has_are_told() -> None:
    _, _, ledger = read({"metric": "nullValues", "mustBe": 0, "mustBee": 1, "dimension": "accuracy"})
    assert ledger["[0].mustBee"] == "unsupported: an item of type `library` has no such key"
    assert ledger["[0].dimension"] == "documentation: "
