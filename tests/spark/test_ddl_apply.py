"""`sluis ddl --apply`: what only adds to the table is run, on either engine; all else is refused."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from projects import Project

from sluis.contract import native
from sluis.contract.model import Contract
from sluis.errors import EnvironmentFailure, SchemaError
from sluis.table import target_of
from sluis.tools.ddl import apply
from sluis.tools.ddl.design import Dialect
from sluis.tools.ddl.existing import existing
from sluis.tools.ddl.subject import Subject

ID = {"name": "id", "type": "integer", "nullable": False}
TEXT = {"name": "text", "type": "string", "max_length": 5, "description": "What it says"}


def contract(project: Project, *columns: dict[str, Any], **more: Any) -> Contract:
    project.contract(*columns, **more)
    return native.read(project.root / "contracts/goods.json", "contracts/goods.json")


def applied(project: Project, wanted: Contract, dialect: Dialect = "delta") -> str:
    return apply(Subject(contract=wanted, table=project.table), dialect, state=project.state)


def test_what_the_contract_says_of_the_table_lands_on_it(project: Project) -> None:
    wanted = contract(project, ID, TEXT, owner="Sales", description="Goods", primary_key=["id"])
    column = replace(wanted.columns[1], tags=("pii",))
    wanted = replace(wanted, id="urn:goods", tags=("gold", "eu"), columns=(wanted.columns[0], column))
    assert "CREATE TABLE IF NOT EXISTS" in applied(project, wanted)
    found = existing(project.spark, target_of(wanted, project.table))
    assert found is not None
    assert {key: value for key, value in found.properties.items() if key.startswith("sluis.")} == {
        "sluis.contract": "goods",
        "sluis.contract_id": "urn:goods",
        "sluis.contract_version": "1.0",
        "sluis.contract_path": "contracts/goods.json",
        "sluis.contract_owner": "Sales",
        "sluis.tags": "gold, eu",
        "sluis.tags.text": "pii",
    }
    assert (found.comment, found.columns[1].comment) == ("Goods", "What it says")
    assert list(found.checks) == ["sluis_text__max_length"]
    version = project.version()
    assert "the table is as the contract wants it" in applied(project, wanted)
    assert project.version() == version


def test_a_next_version_is_added_and_the_rows_stay(project: Project) -> None:
    applied(project, contract(project, ID, TEXT, owner="Sales"))
    project.spark.sql(f"INSERT INTO {project.table} VALUES (1, 'a')")
    more = {"name": "day", "type": "date", "description": "When"}
    told = applied(project, contract(project, ID, {**TEXT, "max_length": 9}, more, version="1.1"))
    assert "ADD COLUMNS (`day` DATE COMMENT 'When')" in told
    assert "UNSET TBLPROPERTIES IF EXISTS ('sluis.contract_owner')" in told
    assert project.rows() == [(1, "a", None)]
    project.spark.sql(f"INSERT INTO {project.table} VALUES (2, '123456789', NULL)")
    found = existing(project.spark, target_of(contract(project, ID), project.table))
    assert found is not None and found.properties["sluis.contract_version"] == "1.1"


@pytest.mark.parametrize(
    ("columns", "difference"),
    [
        ([{**ID, "type": "long"}, TEXT], "column id: INT → BIGINT"),
        ([{**ID, "nullable": True}, TEXT], "column id: may be NULL now"),
        ([ID], "column text (string) is in the table and not in the contract"),
        ([ID, {**TEXT, "type": "date", "max_length": None}], "column text: STRING in the table, DATE in the contract"),
        ([ID, TEXT, {**ID, "name": "k"}], "column k: NOT NULL in the contract"),
    ],
)
def test_what_is_more_than_an_addition_is_refused_whole(
    classic: Project, columns: list[dict[str, Any]], difference: str
) -> None:
    applied(classic, contract(classic, ID, TEXT))
    version = classic.version()
    more = {"name": "new", "type": "string"}
    kept = [{key: value for key, value in column.items() if value is not None} for column in columns]
    with pytest.raises(SchemaError, match="nothing was run") as error:
        applied(classic, contract(classic, *kept, more, version="2.0"))
    assert difference in str(error.value)
    assert classic.version() == version


def test_tags_that_the_catalog_refuses_are_a_warning_that_names_the_privilege(
    project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    # Only Unity Catalog knows the statement: here it is refused by the parser, there for want of the privilege.
    wanted = replace(contract(project, ID), tags=("gold",))
    with caplog.at_level(logging.WARNING, "sluis"):
        told = applied(project, wanted, "unity")
    assert "Refused: tags of the table. It needs APPLY TAG on the table" in caplog.text
    assert "Refused: tags of the table." in told and "SET TAGS (" not in told
    assert project.version() == 0


def test_a_statement_that_the_table_needs_and_that_fails_is_an_error(project: Project) -> None:
    applied(project, contract(project, ID, {"name": "n", "type": "integer"}))
    project.spark.sql(f"INSERT INTO {project.table} VALUES (1, 0)")
    with pytest.raises(EnvironmentFailure, match="1 of 2 statements were run before it"):
        applied(project, contract(project, ID, {"name": "n", "type": "integer", "minimum": 1}, version="1.1"))
