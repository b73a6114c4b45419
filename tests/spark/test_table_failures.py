"""Writes that must not happen: schema differences, refusals, races. The table is as before in every one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from table_bench import ID, NAME, Bench, File

from sluis import table
from sluis.errors import EnvironmentFailure, SchemaError, SourceError
from sluis.table import Receipt, Refusal, TargetColumn


@pytest.fixture
def bench(spark: SparkSession, tmp_path: Path) -> Bench:
    return Bench(spark, tmp_path)


def read_back(bench: Bench, frame: DataFrame) -> DataFrame:
    """The rows from a file, so that Spark evaluates them in tasks and not while it plans."""
    path = str(bench.folder / "rows")
    frame.write.mode("overwrite").parquet(path)
    return bench.spark.read.parquet(path)


def test_additive_nullable_columns_evolve_the_table(bench: Bench) -> None:
    bench.write("append", (1, "a"))
    bench.columns = (ID, NAME, TargetColumn(name="e mail", type="STRING", comment="it's new"))
    table.check(bench.spark, bench.target("append"))
    assert bench.version() == 1
    bench.write("append", frame=bench.rows((2, "b", "x@y"), ddl="id int, name string, `e mail` string"))
    assert bench.content() == [(1, "a", None), (2, "b", "x@y")]
    assert bench.spark.table(bench.name).schema["e mail"].metadata["comment"] == "it's new"


def test_other_differences_are_refused_and_name_both_sides(bench: Bench) -> None:
    bench.columns = (ID, NAME, TargetColumn(name="gone", type="INT"), TargetColumn(name="a", type="INT"))
    bench.write("append", frame=bench.rows((1, "a", 1, 1), ddl="id int, name string, gone int, a int"))
    bench.columns = (
        TargetColumn(name="id", type="BIGINT"),
        TargetColumn(name="name", type="STRING", nullable=False),
        TargetColumn(name="A", type="INT"),
        TargetColumn(name="country", type="STRING", nullable=False),
    )
    with pytest.raises(SchemaError) as caught:
        table.check(bench.spark, bench.target("append"))
    assert str(caught.value).splitlines() == [
        f"Table {bench.name} and its contract differ:",
        "- column 'id' is BIGINT in the contract and INT in the table",
        "- column 'name' is required in the contract and nullable in the table",
        "- column 'A' of the contract is 'a' in the table; names must match exactly",
        "- required column 'country' of the contract is not in the table",
        "- nullable column 'gone' of the table is not in the contract",
    ]
    assert bench.version() == 1


def test_additional_columns_come_and_go(bench: Bench) -> None:
    bench.write(
        "append", frame=bench.rows((1, "a", "x"), ddl="id int, name string, `ex,tra` string"), allow_additional=True
    )
    bench.write("append", (2, "b"), allow_additional=True)
    bench.write(
        "merge", frame=bench.rows((2, "B", "z"), ddl="id int, name string, other string"), allow_additional=True
    )
    assert bench.content() == [(1, "a", "x", None), (2, "B", None, "z")]
    with pytest.raises(SchemaError, match="'ex,tra' of the table is not in the contract"):
        table.check(bench.spark, bench.target("append"))


def test_only_delta_tables_are_targets(bench: Bench) -> None:
    bench.sql("CREATE SCHEMA IF NOT EXISTS table_tests")
    bench.sql("CREATE TABLE {t} (id INT) USING parquet")
    bench.spark.sql(f"CREATE VIEW {bench.name}_view AS SELECT 1 AS id")
    with pytest.raises(SchemaError, match="is a table of format 'parquet'; Sluis writes Delta tables"):
        bench.write("append", (1, "a"), location=None)
    with pytest.raises(SchemaError, match="is a view; Sluis writes tables"):
        bench.write("append", (1, "a"), location=None, name=f"{bench.name}_view")


def test_a_name_taken_by_a_table_elsewhere_is_refused(bench: Bench) -> None:
    bench.write("append", (1, "a"))
    with pytest.raises(EnvironmentFailure, match=r"is at file:/\S+ in this session, and not at /elsewhere"):
        bench.write("append", (1, "a"), location="/elsewhere")


def test_unknown_schemas_and_catalogs_are_told(bench: Bench) -> None:
    with pytest.raises(EnvironmentFailure, match="SCHEMA_NOT_FOUND"):
        bench.write("append", (1, "a"), location=None, name="spark_catalog.no_such_schema.t")
    with pytest.raises(EnvironmentFailure, match="this session knows no catalog of that name"):
        table.check(bench.spark, bench.target("append", location=None, name="no_such_catalog.s.t"))


@pytest.mark.parametrize("mode", ["overwrite", "append", "merge"])
def test_rows_that_break_the_tables_constraints_are_refused(bench: Bench, mode: str) -> None:
    bench.write("append", (1, "a"))
    assert bench.write(mode, (7, "x"), (None, "b")) == Refusal(
        kind="constraint", message=f"Rows hold NULL in column id of {bench.name}, which is NOT NULL."
    )
    bench.sql("ALTER TABLE {t} ADD CONSTRAINT `po s` CHECK (id > 0)")
    expected = Refusal(kind="constraint", message=f"Rows break the CHECK constraint po s of {bench.name}.")
    assert bench.write(mode, (7, "x"), (-5, "b")) == expected
    assert (bench.version(), bench.content()) == (2, [(1, "a")])


@pytest.mark.parametrize("mode", ["overwrite", "append", "merge"])
def test_a_source_that_changed_aborts_the_write(bench: Bench, mode: str) -> None:
    bench.write("append", (1, "a"))
    pinned = F.when(F.col("id") < 3, F.col("name")).otherwise(
        F.raise_error(F.lit("SLUIS_SOURCE_CHANGED: rows.csv grew"))
    )
    rows = read_back(bench, bench.rows((1, "b"), (2, "b"), (3, "b"))).withColumn("name", pinned)
    with pytest.raises(SourceError) as caught:
        bench.write(mode, frame=rows)
    assert str(caught.value) == "The source changed after it was validated: rows.csv grew. Nothing was written."
    assert (bench.version(), bench.content()) == (1, [(1, "a")])


def test_the_cast_is_a_second_lock(bench: Bench) -> None:
    bench.write("append", (1, "a"))
    rows = read_back(bench, bench.rows((1, "12"), (2, "secret")))
    with pytest.raises(EnvironmentFailure, match="CAST_INVALID_INPUT") as caught:
        bench.write("append", frame=rows.withColumn("id", F.col("name").cast("int")))
    assert "secret" not in str(caught.value)
    assert (bench.version(), bench.content()) == (1, [(1, "a")])


def test_files_in_the_table_are_found_with_their_receipts(bench: Bench) -> None:
    a, b, c = File("/raw/a.csv"), File("/raw/b é.csv"), File("/raw/c.csv")
    assert table.written(bench.spark, bench.target("append"), sources=[a]) == {}
    bench.write("append", (1, "a"), files=(a,))
    bench.write("append", (2, "b"), (3, "b"), files=(b,))
    found = table.written(bench.spark, bench.target("append"), sources=[a, b, c])
    assert {file: one.receipt for file, one in found.items()} == {
        a: bench.receipt("append", None, 1, 1, already_written=True),
        b: bench.receipt("append", 1, 2, 2, already_written=True),
    }
    assert [source["path"] for source in found[b].metadata["sources"]] == [b.path]
    bench.sql("RESTORE TABLE {t} TO VERSION AS OF 1")
    assert list(table.written(bench.spark, bench.target("append"), sources=[a, b, c])) == [a]
    bench.write("overwrite", (9, "c"), files=(c,))
    assert table.written(bench.spark, bench.target("append"), sources=[a, b]) == {}
    found = table.written(bench.spark, bench.target("overwrite"), sources=[c])
    assert found[c].receipt == bench.receipt("overwrite", 3, 4, 1, already_written=True)


def at_once(*calls: object) -> list[object]:
    """Run the calls in threads that start together; what each returned or raised."""
    outcomes: list[object] = [None] * len(calls)
    gate = threading.Barrier(len(calls))

    def run(position: int) -> None:
        gate.wait()
        try:
            outcomes[position] = calls[position]()  # type: ignore[operator]
        except Exception as error:
            outcomes[position] = error

    threads = [threading.Thread(target=run, args=(position,)) for position in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_two_appends_of_the_same_keys_race_and_one_is_refused(bench: Bench) -> None:
    bench.write("append", (0, "a"), primary_key=("id",))
    outcomes = at_once(*(lambda: bench.write("append", (1, "b"), (2, "b"), primary_key=("id",)) for _ in range(2)))
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Receipt", "Refusal"]
    assert next(outcome.count for outcome in outcomes if isinstance(outcome, Refusal)) == 2
    assert bench.content() == [(0, "a"), (1, "b"), (2, "b")]


def test_two_merges_at_once_both_land_and_each_finds_its_own_version(bench: Bench) -> None:
    bench.write("merge", (0, "a"))
    outcomes = at_once(*(lambda n=n: bench.write("merge", (0, f"m{n}"), (n, "new"), run_id=f"r{n}") for n in (1, 2)))
    assert all(isinstance(outcome, Receipt) for outcome in outcomes), outcomes
    told = {row.version: row.userMetadata for row in bench.sql("DESCRIBE HISTORY {t}")}
    assert [f'"run_id": "r{n}"' in told[outcomes[n - 1].version_after] for n in (1, 2)] == [True, True]  # type: ignore[attr-defined]
    assert [row[0] for row in bench.content()] == [0, 1, 2]


def test_a_merge_that_lost_to_another_writer_is_tried_again(bench: Bench) -> None:
    """The other writer's blind append lands while our merge runs: Delta reports a conflict to us, never to it."""
    bench.write("merge", (0, "a"))
    slow = "aggregate(sequence(1, 400000), cast(id AS string), (a, x) -> sha2(a, 256)) IS NOT NULL"
    rows = read_back(bench, bench.rows((1, "b"), (2, "b"))).where(F.expr(slow))
    other = threading.Timer(0.7, lambda: bench.sql("INSERT INTO {t} VALUES (2, 'other')"))
    other.start()
    receipt = bench.write("merge", frame=rows)
    other.join()
    assert isinstance(receipt, Receipt)
    assert {row[0] for row in bench.content()} == {0, 1, 2}
    if receipt.version_before == 2:  # it landed first: we saw its row and updated it
        assert bench.content() == [(0, "a"), (1, "b"), (2, "b")]
