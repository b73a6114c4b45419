"""The data product: what it calculates, and how its job brings that through the gate."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from bundle import Deployed
from projects import Project
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sluis import pipeline, workspace
from sluis.course import Options
from sluis.errors import RejectedError
from stock_last_sales import calculate_last_sales

NOW = datetime(2026, 11, 30, 23, 59, 59, 123456, UTC)
STOCK = "SELECT lpad(id, 8, '0') AS sku, id + 1 AS quantity FROM range(1500)"
SALES = "SELECT lpad(id % 1000, 8, '0') AS sku, timestamp_seconds(1764000000 + id) AS timestamp FROM range(3000)"


def told(spark: SparkSession, stock: str, sales: str) -> list[tuple[Any, ...]]:
    """SKU, quantity, and both moments in seconds."""
    frame = calculate_last_sales(spark.sql(stock), spark.sql(sales), now=NOW)
    assert frame.columns == ["sku", "quantity", "last_sale_timestamp", "processing_timestamp"]
    assert [kind for _, kind in frame.dtypes] == ["string", "bigint", "timestamp", "timestamp"]
    moments = (f"unix_micros({name}) / 1e6" for name in ("last_sale_timestamp", "processing_timestamp"))
    return [tuple(row) for row in frame.selectExpr("sku", "quantity", *moments).orderBy("sku").collect()]


def test_the_latest_sale_of_each_article_in_stock(spark: SparkSession) -> None:
    stock = "VALUES ('a', 5L), ('b', 1L), ('c', 2L) AS stock(sku, quantity)"
    sales = (
        "SELECT sku, timestamp_seconds(at) AS timestamp FROM VALUES ('a', 10.25), ('a', 30), ('a', 20), ('b', 5), "
        "('gone', 99), (NULL, 98), ('c', NULL) AS sales(sku, at)"
    )
    now = NOW.timestamp()
    assert told(spark, f"SELECT * FROM {stock}", sales) == [
        ("a", 5, 30.0, now),
        ("b", 1, 5.0, now),
        ("c", 2, None, now),
    ]


def test_nothing_was_ever_sold(spark: SparkSession) -> None:
    assert [row[:3] for row in told(spark, "SELECT 'a' AS sku, 1L AS quantity", f"{SALES} LIMIT 0")] == [("a", 1, None)]
    assert told(spark, f"{STOCK} LIMIT 0", SALES) == []


@pytest.fixture
def deployed(project: Project, monkeypatch: pytest.MonkeyPatch) -> Deployed:
    made = Deployed(project=project, patch=monkeypatch)
    made.fill("stock", STOCK)
    made.fill("sales", SALES)
    return made


def records(deployed: Deployed) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(deployed.project.state.glob("results/runs/*.json"))]


def product(deployed: Deployed) -> DataFrame:
    return deployed.project.spark.table(deployed.table("stock_last_sales"))


def versions(deployed: Deployed) -> list[int]:
    history = deployed.project.spark.sql(f"DESCRIBE HISTORY {deployed.table('stock_last_sales')}")
    return sorted(row.version for row in history.where("operation = 'WRITE'").collect())


def run_job(deployed: Deployed) -> None:
    for task in deployed.tasks("stock_last_sales"):
        deployed.run("stock_last_sales", task)


def test_the_job_makes_tests_and_publishes_the_product(deployed: Deployed) -> None:
    run_job(deployed)
    assert product(deployed).count() == 1500
    [first] = (
        product(deployed)
        .where("sku = '00000001'")
        .selectExpr("quantity", "unix_seconds(last_sale_timestamp)")
        .collect()
    )
    assert tuple(first) == (2, 1764002001)
    assert product(deployed).where("last_sale_timestamp IS NULL").count() == 500
    run, test = records(deployed)
    assert (run["kind"], run["verdict"], run["rows"], run["receipt"]["rows_written"]) == ("run", "PASSED", 1500, 1500)
    assert (test["kind"], test["verdict"]) == ("test", "PASSED")
    assert run["sources"] == [{"path": deployed.table(name), "version": 0} for name in ("stock", "sales")]
    [processed] = {row.at for row in product(deployed).selectExpr("unix_millis(processing_timestamp) AS at").collect()}
    assert processed == round(datetime.fromisoformat(run["started"]).timestamp() * 1000)
    published = deployed.project.state / "published"
    assert list(published.rglob("*stock*"))
    # The next day: the same steps, and only the rows are new.
    deployed.fill("stock", f"{STOCK} WHERE id < 1400")
    run_job(deployed)
    assert product(deployed).count() == 1400
    assert records(deployed)[2]["sources"][0]["version"] == 1
    assert len(versions(deployed)) == 2


@pytest.mark.alike
def test_too_few_articles_are_rejected_and_the_table_stays(deployed: Deployed) -> None:
    run_job(deployed)
    deployed.fill("stock", f"{STOCK} WHERE id < 1000")
    deployed.run("stock_last_sales", "create_table")
    with pytest.raises(RejectedError, match="1000"):
        deployed.run("stock_last_sales", "transform")
    assert product(deployed).count() == 1500
    assert len(versions(deployed)) == 1


def run_frame(deployed: Deployed, make: Any, **options: Any) -> dict[str, Any]:
    variables = {"catalog": "spark_catalog", "schema": deployed.project.schema}
    opened = workspace.open_workspace(deployed.files, variables=variables)
    entity = opened.settings.entity("stock_last_sales")
    return pipeline.run_frame(opened, entity, make, Options(state=deployed.project.state, **options))


def test_both_passes_read_the_same_versions(deployed: Deployed) -> None:
    def meddled(stock: DataFrame, sales: DataFrame, *, now: datetime) -> DataFrame:
        made = calculate_last_sales(stock, sales, now=now)
        deployed.fill("stock", f"{STOCK} WHERE id < 1200")
        deployed.fill("sales", f"{SALES} LIMIT 0")
        return made

    record = run_frame(deployed, meddled)
    assert (record["verdict"], record["receipt"]["rows_written"]) == ("PASSED", 1500)
    assert product(deployed).where("last_sale_timestamp IS NULL").count() == 500


@pytest.mark.alike
def test_rows_that_differ_when_computed_again_are_not_kept(deployed: Deployed) -> None:
    run_frame(deployed, calculate_last_sales)
    before = sorted(product(deployed).collect())

    def by_the_clock(stock: DataFrame, sales: DataFrame, *, now: datetime) -> DataFrame:
        return calculate_last_sales(stock, sales).withColumn("processing_timestamp", F.current_timestamp())

    record = run_frame(deployed, by_the_clock)
    assert (record["verdict"], record["exit_code"], record["receipt"]) == ("ERROR", 3, None)
    assert "computed once more, the frame holds others" in record["reasons"][0]
    assert sorted(product(deployed).collect()) == before


@pytest.mark.alike
def test_a_dry_run_and_what_the_contract_forbids_write_nothing(deployed: Deployed) -> None:
    record = run_frame(deployed, calculate_last_sales, dry_run=True)
    assert (record["verdict"], record["receipt"]) == ("PASSED", None)

    def narrowed(stock: DataFrame, sales: DataFrame, *, now: datetime) -> DataFrame:
        return calculate_last_sales(stock.selectExpr("sku", "int(quantity) AS quantity"), sales, now=now)

    record = run_frame(deployed, narrowed)
    assert (record["verdict"], record["receipt"]) == ("REJECTED", None)
    assert record["reasons"][0] == "Column quantity is int, not bigint (or text)"

    def broken(stock: DataFrame, sales: DataFrame, *, now: datetime) -> DataFrame:
        raise ZeroDivisionError("by whoever wrote it")

    record = run_frame(deployed, broken)
    assert (record["verdict"], record["receipt"]) == ("ERROR", None)
    assert "by whoever wrote it" in record["reasons"][0]


@pytest.mark.alike
def test_rows_that_break_a_rule_are_quarantined(deployed: Deployed) -> None:
    place = deployed.files / "contracts/entities.json"
    entities = json.loads(place.read_text())
    entities["stock_last_sales"]["on_violation"] = "quarantine"
    place.write_text(json.dumps(entities))
    deployed.fill("stock", f"{STOCK} UNION ALL VALUES ('no-sku', 7L), ('12345678901234', 0L)")
    record = run_frame(deployed, calculate_last_sales)
    assert (record["verdict"], record["receipt"]["rows_written"]) == ("PASSED_WITH_QUARANTINE", 1500)
    assert product(deployed).count() == 1500
    kept_out = deployed.project.spark.table(f"{deployed.table('stock_last_sales')}_quarantine")
    told = kept_out.selectExpr("sku", "quantity", "_rules", "_status", "_source", "_line").orderBy("sku").collect()
    assert [tuple(row) for row in told] == [
        ("12345678901234", "0", ["articles.quantity.minimum"], "open", None, None),
        ("no-sku", "7", ["articles.sku.pattern", "articles.sku.min_length"], "open", None, None),
    ]


@pytest.mark.alike
def test_a_table_that_is_not_there_is_named(deployed: Deployed) -> None:
    deployed.project.spark.sql(f"DROP TABLE {deployed.table('sales')}")
    place = deployed.project.state / f"warehouse/{deployed.project.schema}.db/sales"
    if place.exists():
        place.rename(place.with_name("gone"))
    record = run_frame(deployed, calculate_last_sales)
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 3)
    assert deployed.table("sales") in record["reasons"][0]


@pytest.mark.alike
def test_files_and_tables_each_go_their_own_way(deployed: Deployed) -> None:
    opened = workspace.open_workspace(deployed.files)
    options = Options(state=deployed.project.state)
    record = pipeline.run(opened, opened.settings.entity("stock_last_sales"), options)
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 2)
    assert "code of the project makes these rows" in record["reasons"][0]
    record = pipeline.run_frame(opened, opened.settings.entity("customers"), calculate_last_sales, options)
    assert record["exit_code"] == 2
