"""Rules that need more than a look at each row: queries, other tables, expectations of Great Expectations."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from judging import contract, judged, text
from pyspark.sql import DataFrame, SparkSession

from sluis.contract.logical import Array, DecimalType, Integer, Long, String
from sluis.contract.model import Column
from sluis.contract.quality.gx_table import EXPECTATIONS
from sluis.contract.rules import Gx, Relationship, Sql, Threshold

COLUMNS = {"id": Integer(), "name": String(), "price": DecimalType(precision=9, scale=2), "tags": Array(items=Long())}


@pytest.fixture
def goods(spark: SparkSession) -> DataFrame:
    return text(
        spark,
        {
            "id": ["1", "2", "3", "x", None],
            "name": ["a", "b", "b", "", None],
            "price": ["1.50", "2", "-1", "1.005", " "],
            "tags": ["[1]", "[]", None, "{}", "[2]"],
        },
    )


def limit(operator: Any, *values: str) -> Threshold:
    return Threshold(operator=operator, values=tuple(map(Decimal, values)))


def sql(query: str, operator: Any = ">", *values: str) -> Sql:
    return Sql(id="r", path="$", query=query, expected=limit(operator, *values or ("0",)))


QUERIES: list[tuple[Sql, str, str]] = [
    # text that does not fit its type is NULL
    (sql("SELECT count(id) FROM {object}", "=", "3"), "held", ""),
    (sql("SELECT count(*) FROM {object} WHERE `price` < 0", "=", "0"), "violated", "The query gives 1, the contract wants exactly 0: SELECT count(*) FROM {object} WHERE `price` < 0"),
    (sql("SELECT sum(price) FROM {object}", "=", "2.50"), "held", ""),
    (sql("SELECT 0.1D + 0.2D", "=", "0.3"), "violated", "The query gives 0.30000000000000004, the contract wants exactly 0.3: SELECT 0.1D + 0.2D"),
    (sql("SELECT count(*) > 4 FROM {object}", "=", "1"), "held", ""),
    (sql("SELECT sum(size(tags)) FROM {object}", "between", "1", "2"), "held", ""),
    (sql("SELECT a.n FROM (SELECT count(*) n FROM {object}) a JOIN {object} b ON b.id = 1", "=", "5"), "held", ""),
    (sql("SELECT '-5'"), "violated", "The query gives -5, the contract wants more than 0: SELECT '-5'"),
    # what is no number
    (sql("SELECT max(id) FROM {object} WHERE id > 100"), "violated", "The query gives NULL, the contract wants more than 0: SELECT max(id) FROM {object} WHERE id > 100"),
    (sql("SELECT max(id) FROM {object} WHERE id > 100", "!=", "0"), "violated", "The query gives NULL, the contract wants any number but 0: SELECT max(id) FROM {object} WHERE id > 100"),
    (sql("SELECT double('NaN')"), "violated", "The query gives nan, the contract wants more than 0: SELECT double('NaN')"),
    (sql("SELECT 'many'"), "error", "r: the query gives a str, where a number was expected"),
    (sql("SELECT current_date()"), "error", "r: the query gives a date, where a number was expected"),
    (sql("SELECT id, name FROM {object}"), "error", "r: the query gives 2 columns, where one number was expected"),
    (sql("SELECT id FROM {object}"), "error", "r: the query gives several rows, where one number was expected"),
    (sql("SELECT id FROM {object} WHERE id = 7"), "error", "r: the query gives no rows, where one number was expected"),
    # queries that fail
    (sql("SELECT count(nope) FROM {object}"), "error", "r: [UNRESOLVED_COLUMN.WITH_SUGGESTION]"),
    (sql("SELECT count(*) FROM nowhere"), "error", "r: [TABLE_OR_VIEW_NOT_FOUND]"),
    (sql("SELECT 1 / 0"), "error", "r: [DIVIDE_BY_ZERO]"),
    (sql("SELEC 1"), "error", "r: [PARSE_SYNTAX_ERROR]"),
]  # fmt: skip


def numbered(rules: list[Any]) -> list[Any]:
    return [type(rule)(**{**vars(rule), "id": f"r{index}"}) for index, rule in enumerate(rules)]


def told(result: dict[str, Any]) -> str:
    return str(result.get("note") or "".join(result.get("messages", ())))


def test_queries(spark: SparkSession, goods: DataFrame) -> None:
    views = {view.name for view in spark.catalog.listTables() if view.isTemporary}
    results = judged(goods, contract(COLUMNS, *numbered([query for query, *_ in QUERIES])))
    for index, (query, outcome, message) in enumerate(QUERIES):
        result = results[f"r{index}"]
        said = told(result).replace(f"r{index}: ", "r: ", 1)
        assert (result["outcome"], said[: len(message)]) == (outcome, message), query.query
        assert result["unexpected"] == (1 if outcome == "violated" else 0)
    assert {view.name for view in spark.catalog.listTables() if view.isTemporary} == views


def test_what_a_query_says_of_a_sensitive_column_is_not_told(goods: DataFrame) -> None:
    columns = {
        "id": Integer(),
        "name": String(),
        "price": Column(name="price", type=COLUMNS["price"], sensitive=True),
        "tags": COLUMNS["tags"],
    }
    rules = [
        sql("SELECT max(price) FROM {object}", "=", "0"),
        sql("SELECT raise_error(string(max(price))) FROM {object}"),
        sql("SELECT cast(concat('p', max(price)) AS INT) FROM {object}"),
    ]
    results = judged(goods, contract(columns, *numbered(rules)))
    assert [results[f"r{index}"]["outcome"] for index in range(3)] == ["violated", "error", "error"]
    assert "2.00" not in str(results)


def test_a_query_is_not_asked_of_rows_that_lack_a_column(goods: DataFrame) -> None:
    result = judged(goods.drop("price"), contract(COLUMNS, sql("SELECT count(id) FROM {object}")))["r"]
    assert (result["outcome"], result["note"]) == ("not_evaluated", "column price is missing")


def test_columns_that_the_contract_does_not_name_are_text(goods: DataFrame) -> None:
    frame = goods.selectExpr("*", "'-7' AS more")
    result = judged(frame, contract(COLUMNS, sql("SELECT min(more) FROM {object}", "=", "-7")))["r"]
    assert result["outcome"] == "held"


def gx(kind: str, **kwargs: Any) -> Gx:
    return Gx(id="r", path="$", type=f"expect_{kind}", kwargs=tuple(sorted(kwargs.items())))


STOCK: list[tuple[Gx, str, int, str]] = [
    (gx("column_values_to_be_between", column="id", min_value=1, max_value=3), "held", 0, ""),
    (gx("column_values_to_be_between", column="price", min_value=0), "violated", 1, ""),
    (gx("column_values_to_be_between", column="price", min_value=0, mostly=0.5), "held", 1, ""),
    (gx("column_values_to_not_be_null", column="id"), "violated", 2, ""),
    (gx("column_values_to_be_unique", column="name"), "violated", 2, ""),
    (gx("column_values_to_match_regex", column="name", regex="^[ab]?$"), "held", 0, ""),
    (gx("column_max_to_be_between", column="id", max_value=2), "violated", 1, "expect_column_max_to_be_between found 3"),
    (gx("table_row_count_to_be_between", min_value=5, max_value=5), "held", 0, ""),
    (gx("table_row_count_to_equal", value=4), "violated", 1, "expect_table_row_count_to_equal found 5"),
    (gx("compound_columns_to_be_unique", column_list=["id", "name"]), "held", 0, ""),
    (gx("column_values_to_be_in_set", column="id", value_set=[1, 2, 3]), "held", 0, ""),
    (gx("column_to_exist", column="tags"), "held", 0, ""),
    (gx("column_values_to_be_unique", column="nope"), "error", 0, "r: "),
    (gx("column_values_to_be_unheard_of", column="id"), "error", 0, "r: "),
]  # fmt: skip


def test_stock_expectations(goods: DataFrame) -> None:
    known = [case for case in STOCK if case[0].type in EXPECTATIONS]
    results = judged(goods, contract(COLUMNS, *numbered([rule for rule, *_ in known])))
    for index, (rule, outcome, unexpected, message) in enumerate(known):
        result = results[f"r{index}"]
        said = told(result).replace(f"r{index}: ", "r: ", 1)
        assert (result["outcome"], result["unexpected"], said[: len(message)]) == (outcome, unexpected, message), rule
    assert len(known) == len(STOCK) - 1


def test_an_expectation_that_gx_does_not_know_fails_closed(goods: DataFrame) -> None:
    result = judged(goods, contract(COLUMNS, STOCK[-1][0]))["r"]
    assert result["outcome"] == "error"
    assert "expect_column_values_to_be_unheard_of" in result["note"]


ARGUMENTS: dict[str, Any] = {
    "column": "id", "column_A": "id", "column_B": "n", "column_list": ["id", "n"], "column_set": ["id", "n", "t"], "value_set": [1, 2],
    "regex": ".", "regex_list": ["."], "value": 3, "threshold": 3, "double_sided": True, "type_": "IntegerType", "type_list": ["IntegerType"],
    "sum_total": 3, "min_value": 1, "max_value": 3, "quantile_ranges": {"quantiles": [0.5], "value_ranges": [[1, 2]]},
}  # fmt: skip


# Connect hands on a warning of Spark's: some of GX's expectations put all rows into one order.
@pytest.mark.filterwarnings("ignore:.*WindowExpression")
def test_every_expectation_of_the_table_runs_on_spark(spark: SparkSession) -> None:
    frame = text(spark, {"id": ["1", "2", "2"], "n": ["1", "1", "3"], "t": ["a", "b", None]})
    rules = []
    for index, (kind, names) in enumerate(EXPECTATIONS.items()):
        given = {name: ARGUMENTS[name] for name in names if name in ARGUMENTS}
        given |= {"column": "t"} if "length" in kind or "regex" in kind else {}
        rules.append(Gx(id=f"r{index}", path="$", type=kind, kwargs=tuple(sorted(given.items()))))
    results = judged(frame, contract({"id": Integer(), "n": Integer(), "t": String()}, *rules))
    assert {rule.type: results[rule.id]["note"] for rule in rules if results[rule.id]["outcome"] == "error"} == {}


def relation(*columns: str, to: str = "others", there: tuple[str, ...] = (), **more: Any) -> Relationship:
    return Relationship(id="r", path="$", columns=columns, to=to, to_columns=there or columns, **more)


def test_relationships(spark: SparkSession, goods: DataFrame) -> None:
    others = spark.createDataFrame([(1, "a"), (2, "c"), (None, None)], "id bigint, `the name` string")
    others.createOrReplaceTempView("others_of_ours")
    spark.createDataFrame([(3, "b")], "id int, `the name` string").createOrReplaceTempView("more_of_ours")
    one, both = ["others_of_ours"], ["others_of_ours", "more_of_ours"]
    cases: list[tuple[Relationship, Any, str, int, list[dict[str, Any]]]] = [
        (relation("id"), one, "violated", 1, [{"value": "3", "count": 1}]),
        (relation("id", allowed=limit("<=", "1")), one, "held", 1, [{"value": "3", "count": 1}]),
        # NULL and blank values refer to nothing
        (relation("name", there=("the name",)), one, "violated", 2, [{"value": "b", "count": 2}]),
        # several columns are looked up together
        (relation("id", "name", there=("id", "the name")), one, "violated", 2, [{"value": "2, b", "count": 1}, {"value": "3, b", "count": 1}]),
        (relation("id"), both, "held", 0, []),
        # the rows themselves
        (relation("id"), [None], "held", 0, []),
        (relation("name", there=("id",)), one, "error", 0, []),
        (relation("id", there=("nope",)), one, "error", 0, []),
    ]  # fmt: skip
    for rule, places, *wanted in cases:
        result = judged(goods, contract(COLUMNS, rule), tables={"others": places})["r"]
        assert [result["outcome"], result["unexpected"], result["examples"]] == wanted, rule
    spark.catalog.dropTempView("others_of_ours")
    spark.catalog.dropTempView("more_of_ours")


def test_text_and_numbers_are_not_compared(goods: DataFrame) -> None:
    result = judged(goods, contract(COLUMNS, relation("name", there=("id",))), tables={"others": [None]})["r"]
    assert result["note"] == "r: name is string, and id of others is int: they cannot be compared"


def test_a_table_that_nobody_knows_is_out_of_reach(goods: DataFrame) -> None:
    for tables in ({}, {"others": []}, {"else": ["x"]}):
        result = judged(goods, contract(COLUMNS, relation("id")), tables=tables)["r"]
        assert (result["outcome"], result["out_of_reach"]) == ("not_evaluated", True)
        assert result["note"] == "others is no table that this project knows, or it is not there yet"


def test_values_of_sensitive_relations_are_not_shown(goods: DataFrame) -> None:
    columns: dict[str, Any] = {**COLUMNS, "price": Column(name="price", type=COLUMNS["price"], sensitive=True)}
    result = judged(goods, contract(columns, relation("price", there=("id",))), tables={"others": [None]})["r"]
    assert (result["outcome"], result["unexpected"], result["examples"]) == ("violated", 2, [])
