"""`sluis test`: the contract on the real table, which others write too."""

from __future__ import annotations

from typing import Any

import pytest
from projects import Project, Record, broken

from sluis import pipeline, workspace
from sluis.report import terminal
from sluis.tabletest import Questions

ID = {"name": "id", "type": "integer", "nullable": False, "description": "Which one"}
NAME = {"name": "name", "type": "string", "nullable": False, "max_length": 5}
PRICE = {"name": "price", "type": "double"}


def held(project: Project, entity: str = "goods", now: Any = None, **asked: Any) -> Record:
    opened = workspace.open_workspace(project.root)
    return pipeline.test(opened, opened.settings.entity(entity), Questions(state=project.state, **asked), now=now)


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


def test_a_duplicate_that_someone_else_wrote(goods: Project) -> None:
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (2, 'z', NULL)")
    record = held(goods)
    assert rejected(record) == {"primary_key": 2}


def test_values_that_someone_else_wrote(goods: Project) -> None:
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (4, 'far too long', double('NaN')), (5, ' ', 1)")
    found = rejected(held(goods))
    assert found == {"name.max_length": 1, "name.required": 1, "price.type": 1}


def test_a_null_in_a_required_column(goods: Project) -> None:
    goods.spark.sql(f"ALTER TABLE {goods.table} ALTER COLUMN name DROP NOT NULL")
    assert held(goods)["notices"] == ["Column name is required, and the table does not say NOT NULL."]
    goods.spark.sql(f"INSERT INTO {goods.table} VALUES (4, NULL, 1)")
    assert rejected(held(goods)) == {"name.required": 1}
