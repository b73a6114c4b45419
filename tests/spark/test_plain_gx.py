"""The checkpoint run from plain Great Expectations, as a notebook does: the same gate, the same cast, the same write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import great_expectations as gx
import pytest
from great_expectations.core.run_identifier import RunIdentifier
from projects import Project, Record, broken
from pyspark.sql import DataFrame

from sluis import gate
from sluis.errors import RejectedError, SuiteError

ID = {"name": "id", "type": "integer", "nullable": False}
X = {"name": "x", "type": "string", "max_length": 5}
AT = {"name": "at", "type": "timestamp"}

SETTINGS = {"spark.sql.session.timeZone": "Asia/Tokyo", "spark.sql.ansi.enabled": "false"}


class Notebook:
    """One GX context on a project, and what its runs leave behind."""

    def __init__(self, project: Project) -> None:
        import sluis.gx  # noqa: F401  what a notebook imports

        self.project = project
        self.context = gx.get_context(context_root_dir=str(project.root / "gx"))

    def frame(self, *rows: tuple[Any, ...], columns: str) -> DataFrame:
        return self.project.spark.createDataFrame(list(rows), columns)

    def run(self, frame: DataFrame, entity: str = "goods", run_name: str | None = None) -> Any:
        identifier = RunIdentifier(run_name=run_name) if run_name else None
        return self.context.checkpoints.get(entity).run(batch_parameters={"dataframe": frame}, run_id=identifier)

    def records(self) -> list[Record]:
        found = sorted((self.project.state / "results/runs").glob("*.json"))
        return [json.loads(path.read_text()) for path in found]


@pytest.fixture
def notebook(project: Project, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    monkeypatch.setenv("SLUIS_STATE", str(project.state))
    project.contract(ID, X, AT, primary_key=["id"])
    project.entity()
    project.entity("adding", mode="append")
    return Notebook(project)


TEXT = "id string, x string, at string"


def test_the_same_verdict_write_and_report_one_frame_after_another(notebook: Notebook) -> None:
    project = notebook.project
    good = notebook.run(notebook.frame(("1", "a", "2025-01-05T10:00"), (" 2", None, ""), columns=TEXT), run_name="mine")
    assert good.success
    assert project.rows("struct(id, x, unix_seconds(at))") == [((1, "a", 1736071200),), ((2, None, None),)]
    bad = notebook.run(notebook.frame(("3", "too long", "x"), ("3", "b", None), columns=TEXT), run_name="mine")
    assert not bad.success
    assert len(project.rows()) == 2
    other = notebook.run(notebook.frame(("4", "d", None), columns=TEXT), run_name="mine")
    assert other.success
    assert project.rows("id") == [(4,)]
    records = notebook.records()
    assert [record["verdict"] for record in records] == ["PASSED", "REJECTED", "PASSED"]
    assert broken(records[1]) == {
        "header": 0, "row_shape": 0, "x.max_length": 1, "at.type": 1, "primary_key": 2,
    }  # fmt: skip
    assert records[0]["sources"] == []
    for record in records:
        assert "which files it comes from, and whether they are what they were, is not known" in record["notices"][0]
        assert record["notices"][0] in Path(record["report"]).read_text()
    assert (records[1]["receipt"], records[2]["receipt"]["rows_written"]) == (None, 1)


def test_another_time_zone_and_lenient_casts_change_nothing_and_stay_the_callers(notebook: Notebook) -> None:
    project, conf = notebook.project, notebook.project.spark.conf
    before = {key: conf.get(key) for key in SETTINGS}
    try:
        for key, value in SETTINGS.items():
            conf.set(key, value)
        assert notebook.run(notebook.frame(("1", "a", "2025-01-05T10:00"), columns=TEXT)).success
        assert not notebook.run(notebook.frame(("x", "a", "2025-01-05T25:00"), columns=TEXT)).success
        assert {key: conf.get(key) for key in SETTINGS} == SETTINGS
    finally:
        for key, value in before.items():
            conf.set(key, str(value))
    assert project.rows("struct(id, unix_seconds(at))") == [((1, 1736071200),)]
    assert broken(notebook.records()[-1])["at.type"] == 1


def test_a_frame_with_types(notebook: Notebook) -> None:
    project = notebook.project
    typed = project.spark.sql(
        "SELECT 1 AS id, 'a' AS x, TIMESTAMP'2025-01-05 10:00:00' AS at UNION ALL SELECT 2, '', NULL"
    )
    assert notebook.run(typed).success
    assert project.rows("struct(id, x, unix_seconds(at))") == [((1, "a", 1736071200),), ((2, "", None),)]
    assert not notebook.run(typed.selectExpr("CAST(id AS BIGINT) AS id", "x", "at")).success
    assert not notebook.run(typed.selectExpr("CAST(NULL AS INT) AS id", "x", "at")).success
    assert not notebook.run(typed.selectExpr("id", "x")).success
    assert len(project.rows()) == 2
    verdicts = [(record["verdict"], record["reasons"][:1]) for record in notebook.records()[1:]]
    assert verdicts == [
        ("REJECTED", ["Column id is bigint, not int (or text)"]),
        ("REJECTED", ["Column id cannot be NULL or empty"]),
        ("REJECTED", ["Missing columns: ['at']"]),
    ]


def test_what_gx_itself_would_call_a_success_is_raised_when_nothing_was_written(notebook: Notebook) -> None:
    frame = notebook.frame(("1", "a", None), columns=TEXT)
    assert notebook.run(frame, "adding").success
    with pytest.raises(RejectedError, match="1 rows have a key"):
        notebook.run(frame, "adding")
    record = notebook.records()[-1]
    assert (record["verdict"], record["receipt"]) == ("REJECTED", None)
    assert Path(record["report"]).exists()
    assert len(notebook.project.rows()) == 1


def test_a_contract_that_was_changed_and_a_run_without_our_import_are_refused(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = notebook.frame(("1", "a", None), columns=TEXT)
    with monkeypatch.context() as patch, pytest.raises(SuiteError, match=r"import sluis\.gx"):
        patch.setattr(gate, "bind_for_entity", None)
        notebook.run(frame)
    notebook.project.contract(ID, {**X, "max_length": 500}, AT, primary_key=["id"])
    with pytest.raises(SuiteError, match=r"gx/expectations/goods\.json"):
        notebook.run(frame)
    assert notebook.project.version() is None


def test_threads_that_share_a_context_keep_their_frames_apart(notebook: Notebook) -> None:
    project = notebook.project
    names = [f"own{number}" for number in range(3)]
    for name in names:
        project.entity(name, target=f"{project.table}_{name}")
    notebook = Notebook(project)
    frames = {name: notebook.frame((str(number), name, None), columns=TEXT) for number, name in enumerate(names)}
    with ThreadPoolExecutor(len(names)) as pool:
        results = list(pool.map(lambda name: notebook.run(frames[name], name), names))
    assert all(result.success for result in results)
    for number, name in enumerate(names):
        rows = project.spark.table(f"{project.table}_{name}").select("id", "x").collect()
        assert [tuple(row) for row in rows] == [(number, name)]


SCRIPT = """
import great_expectations as gx
import sluis.gx
from sluis import session
from pathlib import Path
import os

spark = session.local(Path(os.environ["SLUIS_STATE"]))
df = spark.read.option("header", True).csv("goods.csv")
context = gx.get_context(context_root_dir="gx")
result = context.checkpoints.get("goods").run(batch_parameters={"dataframe": df})
print(result.success, os.environ["SLUIS_STATE"])
"""


@pytest.fixture
def read_only_copy(tmp_path: Path) -> Iterator[Path]:
    """A second view of the project, which nobody can write to; the project itself where we may not mount."""
    view = tmp_path.parent / f"{tmp_path.name}-view"
    view.mkdir()
    may_mount = not subprocess.run(["mount", "-o", "bind,ro", tmp_path, view], capture_output=True).returncode
    yield view if may_mount else tmp_path
    if may_mount:
        subprocess.run(["umount", "-l", view], check=True)
    view.rmdir()


def test_exactly_what_a_notebook_says_in_a_process_of_its_own(
    classic: Project, read_only_copy: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    classic.contract(ID, {"name": "x", "type": "string", "nullable": False})
    classic.entity()
    classic.land("id,x", "1,a", "2,b")
    environment = {key: value for key, value in os.environ.items() if key != "SLUIS_STATE"}
    # Where the project cannot be written, the state is in a folder among temporary ones.
    environment["TMPDIR"] = str(tmp_path_factory.mktemp("temporary"))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=read_only_copy, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    success, state = done.stdout.split()
    assert success == "True"
    assert (read_only_copy == classic.root) or Path(state).is_relative_to(environment["TMPDIR"])
    records = [json.loads(path.read_text()) for path in Path(state, "results/runs").glob("*.json")]
    assert [(record["verdict"], record["receipt"]["rows_written"]) for record in records] == [("PASSED", 2)]
    assert Path(records[0]["report"]).exists()
    assert list(Path(state, "warehouse").rglob("*.parquet"))
