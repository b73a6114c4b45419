"""`sluis test`: the contract on the real table, which others write too."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from projects import Project, Record, broken, valid

from sluis import pipeline, workspace
from sluis.cli import task
from sluis.errors import RejectedError
from sluis.report import terminal
from sluis.tabletest import Questions

ID = {"name": "id", "type": "integer", "nullable": False, "description": "Which one"}
NAME = {"name": "name", "type": "string", "nullable": False, "max_length": 5}
PRICE = {"name": "price", "type": "double"}


def held(project: Project, entity: str = "goods", now: datetime | None = None, **asked: Any) -> Record:
    opened = workspace.open_workspace(project.root)
    questions = Questions(state=project.state, **asked)
    return valid(pipeline.test(opened, opened.settings.entity(entity), questions, now=now))


@pytest.fixture
def goods(project: Project) -> Project:
    """A table of three rows that hold their contract."""
    project.contract(ID, NAME, PRICE, primary_key=["id"])
    project.entity()
    project.land("id,name,price", "1,a,1.5", "2,b,", "3,c,0.5")
    assert project.run()["verdict"] == "PASSED"
    return project


def rejected(record: Record) -> dict[str, int]:
    """What broke, of a record that says so."""
    assert (record["verdict"], record["exit_code"]) == ("REJECTED", 1)
    return broken(record)


def test_a_clean_table_passes_by_the_rules_of_its_files(goods: Project) -> None:
    before = goods.version()
    record = held(goods)
    assert (record["verdict"], record["exit_code"], record["rows"], record["receipt"]) == ("PASSED", 0, 3, None)
    assert (record["kind"], record["source"]) == ("test", goods.table)
    assert record["sources"] == [{"path": goods.table, "version": before}]
    assert record["notices"] == []
    assert f"  Tested    {goods.table}, version {before}" in terminal.summary(record).splitlines()
    of_files = {rule["id"] for rule in goods.run(force=True)["rules"]}
    assert {rule["id"] for rule in record["rules"]} == of_files - {"goods.header", "goods.row_shape", "goods.encoding"}


def test_what_someone_else_wrote(goods: Project) -> None:
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (2, 'z', NULL), (4, 'far too long', double('NaN')), (5, ' ', 1)")
    assert rejected(held(goods)) == {"primary_key": 2, "name.max_length": 1, "name.required": 1, "price.type": 1}
    # A part of the rows tells nothing of a key, unless that is what is asked.
    assert rejected(held(goods, where="id < 3 AND name <> 'z'")) == {"primary_key": 2}
    record = held(goods, where="id < 3 AND name <> 'z'", where_for_all=True)
    assert (record["verdict"], record["rows"]) == ("PASSED", 2)
    assert record["notices"] == ["Only rows where `id` < 3 AND `name` <> 'z' were looked at."]


def test_a_null_in_a_required_column(goods: Project) -> None:
    goods.spark.sql(f"ALTER TABLE {goods.table} ALTER COLUMN name DROP NOT NULL")
    goods.spark.sql(f"ALTER TABLE {goods.table} ALTER COLUMN id COMMENT 'Another'")
    assert held(goods)["notices"] == [
        "The comment of column id is `Another`, not `Which one`.",
        "Column name is required, and the table does not say NOT NULL.",
    ]
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (4, NULL, 1)")
    assert rejected(held(goods)) == {"name.required": 1}


def test_a_dropped_column_and_a_widened_type(goods: Project) -> None:
    goods.spark.sql(f"CREATE OR REPLACE TABLE {goods.table} (id BIGINT, price DOUBLE, more STRING) USING delta")
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (1, 2, '')")
    record = held(goods)
    assert rejected(record) == {
        "columns": 3, "id.required": 0, "id.type": 0, "name.required": 0, "name.max_length": 0, "primary_key": 0,
    }  # fmt: skip
    [columns] = [rule for rule in record["rules"] if rule["id"] == "goods.columns"]
    assert columns["message"].split("; ") == [
        "Missing columns: ['name']", "Unexpected columns: ['more']", "Column id is bigint, not int",
    ]  # fmt: skip


@pytest.mark.alike
def test_text_in_the_place_of_a_type(goods: Project) -> None:
    goods.spark.sql(f"CREATE OR REPLACE TABLE {goods.table} (id STRING, name STRING, price DOUBLE) USING delta")
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES ('1', 'a', 2)")
    assert rejected(held(goods)) == {"columns": 1}


def test_a_table_that_is_not_there(project: Project) -> None:
    project.contract(ID)
    project.entity()
    record = held(project)
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 3)
    assert record["reasons"][0] == f"There is no table {project.table} to test."


def test_a_condition_that_is_none(goods: Project) -> None:
    record = held(goods, where="pric > 1")
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 2)
    assert record["reasons"] == [
        "--where: `pric` is no column; there are `id`, `name`, `price` (did you mean `price`?)."
    ]


def test_as_a_task_of_a_job(goods: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    where = ["--project", str(goods.root), "--state", str(goods.state)]
    monkeypatch.setattr(sys, "argv", ["sluis-task", "test", "goods", *where])
    task.main()
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (2, 'z', NULL)")
    with pytest.raises(RejectedError, match=r"Duplicate values found in id \(2 of 4 rows; 2 ×2\)"):
        task.main()


def test_from_plain_great_expectations(goods: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    import great_expectations as gx

    import sluis.gx  # noqa: F401  what a notebook imports

    monkeypatch.setenv("SLUIS_STATE", str(goods.state))
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (2, 'z', NULL)")
    before = goods.version()
    checkpoint = gx.get_context(context_root_dir=str(goods.root / "gx")).checkpoints.get("goods_table")
    assert not checkpoint.run(batch_parameters={"dataframe": goods.spark.table(goods.table)}).success
    assert goods.version() == before
    records = [json.loads(path.read_text()) for path in sorted((goods.state / "results/runs").glob("*.json"))]
    assert (records[-1]["kind"], records[-1]["verdict"], broken(records[-1])) == (
        "test",
        "REJECTED",
        {"primary_key": 2},
    )


# --- service levels -----------------------------------------------------------------------------------------------

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

ODCS: dict[str, Any] = {
    "apiVersion": "v3.1.0", "kind": "DataContract", "id": "goods", "version": "1.0.0", "status": "active",
    "schema": [{"name": "goods", "properties": [
        {"name": "id", "logicalType": "integer", "physicalType": "int"},
        {"name": "made", "logicalType": "timestamp"},
        {"name": "loaded", "logicalType": "timestamp"},
        {"name": "parent", "logicalType": "integer", "physicalType": "int",
         "relationships": [{"type": "foreignKey", "to": "goods.id"}]},
    ]}],
    "slaProperties": [
        {"property": "freshness", "value": 25, "unit": "h", "element": "goods.loaded"},
        {"property": "retention", "value": 1, "unit": "y", "element": "goods.made"},
        {"property": "frequency", "value": 1, "unit": "d"},
    ],
}  # fmt: skip

DCS: dict[str, Any] = {
    "dataContractSpecification": "1.1.0", "id": "goods", "info": {"title": "goods", "version": "1.0.0"},
    "models": {"goods": {"fields": {
        "id": {"type": "int"}, "made": {"type": "timestamp"}, "loaded": {"type": "timestamp"},
        "parent": {"type": "int", "references": "goods.id"},
    }}},
    "servicelevels": {
        "freshness": {"threshold": "25h", "timestampField": "goods.loaded"},
        "retention": {"period": "P1Y", "timestampField": "goods.made"},
        "latency": {"threshold": "PT1H", "sourceTimestampField": "goods.made", "processedTimestampField": "loaded"},
        "frequency": {"interval": "1 day"},
    },
}  # fmt: skip

HEADER = "id,made,loaded,parent"
NEWEST = "2,2026-11-29T11:00:00Z,2026-11-29T11:00:00Z,1"
"""Just as old as it may be."""
OLDEST = "1,2025-11-30T12:00:00Z,2025-11-30T12:30:00Z,"


def promised(project: Project, document: Mapping[str, Any], *rows: str) -> Project:
    (project.root / "contracts").mkdir(exist_ok=True)
    (project.root / "contracts/goods.json").write_text(json.dumps(document))
    project.entity()
    project.land(HEADER, *rows)
    assert project.run()["verdict"] == "PASSED"
    return project


def late(record: Record) -> dict[str, int]:
    """What broke, the table's last write aside: that was made now, whatever a test says that now is."""
    return {name: count for name, count in broken(record).items() if name != "frequency"}


@pytest.mark.alike
@pytest.mark.parametrize("document", [ODCS, DCS], ids=["odcs", "dcs"])
def test_promises_that_are_just_kept(project: Project, document: dict[str, Any]) -> None:
    promised(project, document, OLDEST, NEWEST)
    assert late(held(project, now=NOW)) == {}
    one = timedelta(minutes=1)
    record = held(project, now=NOW + one)
    assert late(record) == {"loaded.freshness": 1, "made.retention": 1}
    [stale] = [rule for rule in record["rules"] if rule["id"] == "goods.loaded.freshness"]
    assert stale["message"] == (
        "The newest loaded is 25 h 1 min ago (2026-11-29 11:00:00 UTC), the contract wants no more than 25 hours"
    )


@pytest.mark.alike
def test_a_row_of_the_future_makes_no_table_fresh(project: Project) -> None:
    promised(project, ODCS, OLDEST, NEWEST, "3,2026-11-01T00:00:00Z,2126-11-30T00:00:00Z,")
    assert late(held(project, now=NOW + timedelta(minutes=1))) == {"loaded.freshness": 1, "made.retention": 1}


@pytest.mark.alike
def test_rows_that_came_too_late(project: Project) -> None:
    promised(
        project,
        DCS,
        NEWEST,
        "1,2026-11-29T10:00:00Z,2026-11-29T11:00:00Z,",
        "3,2026-11-29T09:59:00Z,2026-11-29T11:00:00Z,",
    )
    assert late(held(project, now=NOW)) == {"loaded.latency": 1}


@pytest.mark.alike
def test_how_long_ago_the_table_was_written(project: Project) -> None:
    promised(project, ODCS, OLDEST, NEWEST)
    project.spark.sql(f"ALTER TABLE {project.table} SET TBLPROPERTIES ('a' = 'b')")
    now = datetime.now(UTC)
    assert "frequency" not in broken(held(project, now=now))
    record = held(project, now=now + timedelta(days=1, minutes=1))
    [rule] = [rule for rule in record["rules"] if rule["id"] == "goods.frequency"]
    assert (rule["outcome"], rule["severity"]) == ("violated", "warning")


def test_an_orphan(project: Project) -> None:
    promised(project, ODCS, OLDEST, NEWEST)
    project.spark.sql(f"INSERT INTO {project.table} SELECT 3, made, loaded, 9 FROM {project.table} WHERE id = 2")
    assert late(held(project, now=NOW)) == {"parent.relationship": 1}
    # The rest of the table is where the references of a part lead.
    assert late(held(project, now=NOW, where="id = 2")) == {}


@pytest.mark.slow
def test_one_duplicate_among_a_million_rows(goods: Project) -> None:
    goods.spark.sql(
        f"INSERT INTO {goods.table} SELECT CAST(id AS INT), 'x', NULL FROM range(10, 1000010) "
        "UNION ALL SELECT 777777, 'y', NULL"
    )
    assert rejected(held(goods)) == {"primary_key": 2}
