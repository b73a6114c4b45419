"""The wheel task: it returns after a good run and raises what a job should show of any other."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import click
import pytest
from projects import Project

from sluis.cli import task
from sluis.errors import ContractError, RejectedError

COLUMNS = ({"name": "id", "type": "integer", "nullable": False}, {"name": "text", "type": "string", "nullable": False})


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What later tasks were told; the runtime's own module is what only a workspace has."""
    values: dict[str, object] = {}
    runtime = ModuleType("databricks.sdk.runtime")
    runtime.dbutils = SimpleNamespace(  # type: ignore[attr-defined]
        jobs=SimpleNamespace(taskValues=SimpleNamespace(set=lambda key, value: values.update({key: value})))
    )
    monkeypatch.setitem(sys.modules, "databricks.sdk.runtime", runtime)
    monkeypatch.setattr(task, "default_environment", lambda: "databricks")
    return values


def start(project: Project, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    where = ["--project", str(project.root), "--state", str(project.state)]
    monkeypatch.setattr(sys, "argv", ["sluis-task", *arguments, *where])
    task.main()


def test_a_good_run_returns_and_tells_later_tasks(
    project: Project, monkeypatch: pytest.MonkeyPatch, told: dict[str, object]
) -> None:
    project.contract(*COLUMNS)
    project.entity()
    project.land("id,text", "1,a", "2,b")
    start(project, monkeypatch, "goods")
    assert (told["verdict"], told["rows"]) == ("PASSED", 2)
    assert str(told["report"]).endswith(".html")


def test_a_rejected_run_raises_the_reasons_after_telling(
    classic: Project, monkeypatch: pytest.MonkeyPatch, told: dict[str, object]
) -> None:
    classic.contract(*COLUMNS)
    classic.entity()
    classic.land("id,text", "1,a", "2,")
    with pytest.raises(RejectedError) as error:
        start(classic, monkeypatch, "goods")
    assert (
        str(error.value) == "Data contract validation failed:\nColumn text cannot be NULL or empty (1 of 2 rows; NULL)"
    )
    assert told["verdict"] == "REJECTED"


def test_of_several_each_that_failed_is_named(
    classic: Project, monkeypatch: pytest.MonkeyPatch, told: dict[str, object]
) -> None:
    classic.contract(*COLUMNS)
    classic.entity()
    classic.entity("others", source=f"{classic.root}/others.csv", target=f"{classic.table}_2")
    classic.land("id,text", "1,a")
    classic.land("id,text", "x,a", name="others.csv")
    with pytest.raises(
        RejectedError, match="others: Data contract validation failed:\nInvalid integer values in column id"
    ):
        start(classic, monkeypatch, "--all")
    assert (told["verdict"], told["rows"]) == ("REJECTED", 2)


def test_task_values_that_cannot_be_set_change_no_verdict(
    classic: Project, monkeypatch: pytest.MonkeyPatch, told: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    classic.contract(*COLUMNS)
    classic.entity()
    classic.land("id,text", "1,a")
    monkeypatch.delattr(sys.modules["databricks.sdk.runtime"], "dbutils")
    start(classic, monkeypatch, "goods")
    assert "The task values could not be set" in caplog.text


def test_a_project_or_parameters_that_are_wrong_raise(classic: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    classic.contract(*COLUMNS)
    classic.entity()
    with pytest.raises(ContractError, match="nothere"):
        start(classic, monkeypatch, "nothere")
    with pytest.raises(click.UsageError, match="name the entities"):
        start(classic, monkeypatch)
