"""Writing: the three modes, the receipt, what the table looks like afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from table_bench import ID, NAME, Bench

from sluis.errors import EnvironmentFailure
from sluis.table import Receipt, Refusal, TargetColumn


@pytest.fixture
def bench(spark: SparkSession, tmp_path: Path) -> Bench:
    return Bench(spark, tmp_path)


def test_first_write_creates_the_table_from_the_contract(bench: Bench) -> None:
    odd = 'it\'s \\ a "comment" with ${spark.master} and\na line'
    bench.columns = (ID, TargetColumn(name="name", type="STRING", comment=odd))
    receipt = bench.write(
        "overwrite", (1, "a"), (2, "b"), properties={"sluis.contract": "o'ne", "sluis.version": "1.0"}
    )
    assert receipt == bench.receipt("overwrite", None, 1, 2)
    assert bench.content() == [(1, "a"), (2, "b")]
    fields = bench.spark.table(bench.name).schema.fields
    assert [(f.name, f.dataType.simpleString(), f.nullable, f.metadata.get("comment")) for f in fields] == [
        ("id", "int", False, "the customer's number"),
        ("name", "string", True, odd),
    ]
    properties = {row.key: row.value for row in bench.sql("SHOW TBLPROPERTIES {t}")}
    assert (properties["sluis.contract"], properties["sluis.version"]) == ("o'ne", "1.0")


def test_overwrite_replaces_the_rows_and_keeps_the_table(bench: Bench) -> None:
    bench.write("overwrite", (1, "a"), properties={"sluis.contract": "c"}, comment="all customers")
    bench.sql("ALTER TABLE {t} ADD CONSTRAINT positive CHECK (id > 0)")
    before = bench.sql("DESCRIBE DETAIL {t}")[0]
    receipt = bench.write("overwrite", (2, "b"))
    after = bench.sql("DESCRIBE DETAIL {t}")[0]
    assert receipt == bench.receipt("overwrite", 2, 3, 1)
    assert bench.content() == [(2, "b")]
    assert (after.id, after.description, after.properties) == (before.id, "all customers", before.properties)
    assert after.properties["delta.constraints.positive"] == "id > 0"
    assert [f.metadata for f in bench.spark.table(bench.name).schema.fields] == [{"comment": ID.comment}, {}]
    assert not bench.spark.table(bench.name).schema["id"].nullable


def test_append_without_a_key_adds(bench: Bench) -> None:
    bench.write("append", (1, "a"))
    assert bench.write("append", (1, "a"), (2, "b")) == bench.receipt("append", 1, 2, 2)
    assert bench.content() == [(1, "a"), (1, "a"), (2, "b")]


def test_append_with_a_key_adds_new_keys_and_refuses_existing_ones(bench: Bench) -> None:
    bench.write("append", *((n, "a") for n in range(30)), primary_key=("id",))
    assert bench.write("append", (30, "b"), primary_key=("id",)) == bench.receipt("append", 1, 2, 1)
    refusal = bench.write("append", *((n, "c") for n in range(5, 40)), primary_key=("id",))
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.count, len(refusal.examples)) == ("existing_keys", 26, 20)
    assert refusal.message == f"26 rows have a key (id) that exists in {bench.name}."
    assert {int(example["id"]) for example in refusal.examples} <= set(range(5, 31))
    assert (bench.version(), len(bench.content())) == (2, 31)


def test_merge_updates_and_inserts_by_key(bench: Bench) -> None:
    bench.write("merge", (1, "a"), (2, "b"))
    assert bench.write("merge", (2, "B"), (3, None)) == bench.receipt("merge", 1, 2, 1, 1)
    assert bench.content() == [(1, "a"), (2, "B"), (3, None)]


def test_merge_refuses_rows_that_share_a_key_of_the_table(bench: Bench) -> None:
    bench.write("merge", (1, "a"))
    assert bench.write("merge", (1, "b"), (1, "c")) == Refusal(
        kind="duplicate_keys", message=f"Several rows have the same id as one row of {bench.name}."
    )
    assert bench.content() == [(1, "a")]


@pytest.mark.alike
@pytest.mark.parametrize("mode", ["overwrite", "append", "merge"])
def test_history_carries_the_evidence(bench: Bench, mode: str) -> None:
    bench.write("overwrite", (1, "a"))
    bench.write(mode, (2, "b"), run_id=f"run-{mode}")
    assert bench.spark.conf.get("spark.databricks.delta.commitInfo.userMetadata", None) is None
    bench.sql("DELETE FROM {t} WHERE id = 2")
    told = {row.version: row.userMetadata for row in bench.sql("DESCRIBE HISTORY {t}")}
    assert json.loads(told[2]) == {"sources": [], "run_id": f"run-{mode}", "mode": mode}
    assert told[3] is None


def test_rows_are_matched_by_name_not_by_position(bench: Bench) -> None:
    bench.write("append", (1, "a"))
    bench.columns = (NAME, ID)
    bench.write("append", frame=bench.rows(("b", 2), ddl="name string, id int"))
    bench.write("merge", frame=bench.rows(("c", 2), ddl="name string, id int"))
    assert bench.content() == [(1, "a"), (2, "c")]


@pytest.mark.parametrize("mode", ["append", "merge"])
def test_no_rows_make_no_commit(bench: Bench, mode: str) -> None:
    bench.write("append", (1, "a"))
    expected = bench.receipt(mode, 1, 1, 0, evidence_in_history=False)
    assert bench.write(mode, frame=bench.rows((1, "a")).where("id < 0")) == expected


def test_an_empty_overwrite_empties_the_table(bench: Bench) -> None:
    bench.write("overwrite", (1, "a"))
    assert bench.write("overwrite", frame=bench.rows((1, "a")).where("id < 0")) == bench.receipt("overwrite", 1, 2, 0)
    assert bench.content() == []


def test_an_empty_table_left_by_a_crash_is_taken_over(bench: Bench) -> None:
    with pytest.raises(KeyboardInterrupt):
        bench.write("append", frame=_raising(bench, KeyboardInterrupt))
    assert (bench.version(), bench.content()) == (0, [])
    assert bench.write("append", (1, "a")) == bench.receipt("append", None, 1, 1)


def test_an_empty_log_left_by_a_crash_is_swept_away(bench: Bench) -> None:
    (Path(bench.location) / "_delta_log" / "_staged_commits").mkdir(parents=True)
    assert bench.write("append", (1, "a")) == bench.receipt("append", None, 1, 1)


def test_a_table_that_the_catalog_forgot_is_found_by_its_folder(bench: Bench) -> None:
    bench.write("append", (1, "a"))
    bench.sql("DROP TABLE {t}")  # of an external table, this forgets the name and keeps the folder
    assert bench.write("append", (2, "b")) == bench.receipt("append", 1, 2, 1)
    assert bench.content() == [(1, "a"), (2, "b")]


def test_an_objection_restores_the_version_before(bench: Bench) -> None:
    bench.write("overwrite", (1, "a"))
    with pytest.raises(EnvironmentFailure) as caught:
        bench.write("overwrite", (2, "b"), confirm=lambda: "The checksums differ.")
    assert str(caught.value) == f"The checksums differ. {bench.name} was restored to version 1; ours was 2."
    assert (bench.version(), bench.content()) == (3, [(1, "a")])


def test_an_objection_to_a_first_write_leaves_an_empty_table(bench: Bench) -> None:
    def broken() -> str | None:
        raise ValueError("no observation")

    with pytest.raises(EnvironmentFailure, match=r"could not be compared .* no observation .* restored to version 0"):
        bench.write("merge", (1, "a"), confirm=broken)
    assert bench.content() == []


def test_an_objection_does_not_undo_the_commits_of_others(bench: Bench) -> None:
    bench.write("append", (1, "a"))

    def confirm() -> str:
        bench.sql("INSERT INTO {t} VALUES (9, 'other')")
        return "The checksums differ."

    with pytest.raises(EnvironmentFailure) as caught:
        bench.write("append", (2, "b"), confirm=confirm)
    assert str(caught.value) == (
        f"The checksums differ. {bench.name} could not be restored: version 3 was made after ours (2)."
    )
    assert bench.content() == [(1, "a"), (2, "b"), (9, "other")]


ODD_NAMES = (
    *("a b", "a.b", "a'b", 'a"b', "a`b", "größe 価格", "a,b;c", "f(x)=y"),
    *("{t}", "tab\tname", "select", "x" * 200, "-1", "_metadata"),
)


def test_odd_column_names_work_in_every_mode(bench: Bench) -> None:
    bench.columns = (
        TargetColumn(name="the key `x`.y", type="INT", nullable=False),
        *(TargetColumn(name=name, type="STRING") for name in ODD_NAMES),
    )
    names = [column.name for column in bench.columns]

    def frame(key: int) -> object:
        return bench.spark.range(key, key + 1).select(
            F.col("id").cast("int").alias(names[0]), *(F.lit(f"v{key}").alias(name) for name in ODD_NAMES)
        )

    key = (names[0],)
    bench.write("overwrite", frame=frame(1))
    bench.write("overwrite", frame=frame(2))
    bench.write("append", frame=frame(3))
    bench.write("append", frame=frame(4), primary_key=key)
    receipt = bench.write("merge", frame=frame(4), merge_key=key)
    assert isinstance(receipt, Receipt)
    assert (receipt.rows_inserted, receipt.rows_updated) == (0, 1)
    refusal = bench.write("append", frame=frame(4), primary_key=key)
    assert isinstance(refusal, Refusal)
    assert refusal.examples == ({names[0]: "4"},)
    assert bench.spark.table(bench.name).columns == names
    assert bench.content() == [(n, *[f"v{n}"] * len(ODD_NAMES)) for n in (2, 3, 4)]


def _raising(bench: Bench, error: type[BaseException]) -> object:
    """Rows whose write is interrupted after the table was created, as a kill would do it."""

    class Interrupted:
        columns = ("id", "name")

        def select(self, *_: object) -> None:
            raise error

    return Interrupted()
