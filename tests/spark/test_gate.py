"""The gate fails closed: whatever is wrong around the data, the table stays as it was and the run says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from great_expectations.data_context.data_context.abstract_data_context import AbstractDataContext
from projects import Project, Record

from sluis import evidence, landing, pipeline, workspace
from sluis.course import Options, Run
from sluis.errors import EnvironmentFailure
from sluis.report import words
from sluis.suite.predicates import PREDICATES

ID = {"name": "id", "type": "integer", "nullable": False}
X = {"name": "x", "type": "string", "max_length": 5}


def prepare(project: Project, **entity: Any) -> list[tuple[Any, ...]]:
    """A project with one good run behind it; returns what its table holds."""
    project.contract(ID, X, primary_key=["id"])
    project.entity(**entity)
    project.land("id,x", "1,a", "2,b")
    assert project.run(source=f"{project.root}/goods.csv")["verdict"] == "PASSED"
    project.land("id,x", "1,c", "3,new")
    return project.rows()


def refused(project: Project, record: Record, exit_code: int, before: list[tuple[Any, ...]]) -> str:
    """Assert that a run ended in ERROR, with a page, and the table as before; returns why."""
    assert (record["verdict"], record["exit_code"]) == ("ERROR", exit_code)
    assert record["receipt"] is None
    assert words.verdict("ERROR").meaning in Path(record["report"]).read_text()
    assert evidence.load(project.state, record["run_id"]) == {k: v for k, v in record.items() if k != "exit_code"}
    assert project.rows() == before
    assert record["reasons"]
    return "\n".join(record["reasons"])


# --- the suite on disk -----------------------------------------------------------------------------------------------


def edit(path: Path, change: Callable[[Any], None]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=2, sort_keys=True))


def loosen(suite: Any) -> None:
    next(one for one in suite["expectations"] if one["type"].endswith("max_length"))["kwargs"]["limit"] = 500


SUITE, CHECKPOINT = "gx/expectations/goods.json", "gx/checkpoints/goods.json"

EDITS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "an empty suite": (SUITE, lambda suite: suite["expectations"].clear()),
    "a rule less": (SUITE, lambda suite: suite["expectations"].pop()),
    "a rule twice": (SUITE, lambda suite: suite["expectations"].append(suite["expectations"][-1])),
    "a looser rule": (SUITE, loosen),
    "no actions": (CHECKPOINT, lambda checkpoint: checkpoint["actions"].clear()),
    "no write": (CHECKPOINT, lambda checkpoint: checkpoint["actions"].pop(0)),
    "the write last": (CHECKPOINT, lambda checkpoint: checkpoint["actions"].reverse()),
    "no validation": (CHECKPOINT, lambda checkpoint: checkpoint["validation_definitions"].clear()),
}  # fmt: skip


def test_files_that_are_not_what_the_contract_compiles_to_are_refused(classic: Project) -> None:
    before = prepare(classic)
    for path, change in (EDITS["an empty suite"], EDITS["a looser rule"], EDITS["no write"]):
        edit(classic.root / path, change)
        why = refused(classic, classic.run(), 2, before)
        assert path in why
        assert "Hint: run `sluis generate`" in why
        classic.generate()
    classic.contract(ID, {**X, "max_length": 500}, primary_key=["id"])
    why = refused(classic, classic.run(), 2, before)
    assert SUITE in why
    assert "contracts/goods.json" in why


def test_files_edited_after_that_check_do_not_open_the_gate(classic: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = prepare(classic)
    classic.land("id,x", "1,longer than five")
    monkeypatch.setattr(workspace.Workspace, "require_fresh", lambda self, entity: None)
    for name, (path, change) in EDITS.items():
        edit(classic.root / path, change)
        record = classic.run()
        assert (name, record["verdict"], record["receipt"]) == (name, "ERROR", None)
        assert (record["exit_code"], bool(record["reasons"])) == (3, True) or record["exit_code"] == 2, name
        assert Path(record["report"]).exists(), name
        classic.generate()
    assert classic.rows() == before


@pytest.mark.parametrize("imported", ["os", "sluis.suite.expectations"])
def test_plain_gx_without_our_import_refuses_the_project(classic: Project, imported: str) -> None:
    classic.contract(ID, X)
    classic.entity()
    script = f"""
import great_expectations as gx, {imported}
context = gx.get_context(context_root_dir={str(classic.root / "gx")!r})
checkpoint = context.checkpoints.get("goods")
print("loaded", checkpoint)
"""
    environment = {**os.environ, "SLUIS_STATE": str(classic.state)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert "sluis_" in done.stderr


# --- rules that cannot be judged -------------------------------------------------------------------------------------


def python_fails(spec: Any, view: Any) -> str:
    raise TypeError("this rule cannot be built")


FAILING: dict[str, Callable[[Any, Any], str]] = {
    "this rule cannot be built": python_fails,
    "this rule fails in Spark": lambda spec, view: "raise_error('this rule fails in Spark') IS NOT NULL",
    "no_such_column": lambda spec, view: "no_such_column > 1",
}


@pytest.mark.alike
@pytest.mark.parametrize("reason", FAILING)
def test_an_expectation_that_raises(project: Project, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    before = prepare(project)
    monkeypatch.setitem(PREDICATES, "max_length", FAILING[reason])
    record = project.run()
    assert reason in refused(project, record, 3, before)
    assert {rule["outcome"] for rule in record["rules"]} == {"error"}


# --- files that change between the check and the write ---------------------------------------------------------------


def same_size_and_time(file: Path) -> None:
    seen = file.stat()
    file.write_bytes(file.read_bytes().replace(b"new", b"bad"))
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], Any]] = {
    "replaced": lambda file: file.write_text("id,x\n7,other\n8,rows\n9,here\n"),
    "the same size": lambda file: file.write_bytes(file.read_bytes().replace(b"new", b"bad")),
    "the same size and time": same_size_and_time,
    "truncated": lambda file: file.write_text("id,x\n1,c\n"),
    "deleted": lambda file: file.unlink(),
    "added": lambda file: (file.parent / "more.csv").write_text("id,x\n9,more\n"),
}

MOMENTS = {
    "before the write": ["replaced", "the same size and time", "deleted", "added"],
    "in the write": ["the same size", "the same size and time", "truncated", "deleted", "added"],
    "after the commit": ["added"],
}


@pytest.mark.alike
@pytest.mark.parametrize("moment", ["before the write", "after the commit"])
def test_files_changed_around_the_write(project: Project, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    files_changed(project, monkeypatch, moment)


def test_files_changed_in_the_write(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    files_changed(project, monkeypatch, "in the write")


def files_changed(project: Project, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Change the files of a run at a moment in each of its ways, and look at what became of it."""
    before = prepare(project, source=f"{project.root}/in")
    file = project.root / "in/a.csv"
    change: Callable[[Path], Any] = CHANGES["added"]
    write, reread, unchanged = Run.decide, landing.reread, landing.unchanged

    def early(self: Any, judgement: Any) -> None:
        assert judgement.may_write
        change(file)
        write(self, judgement)

    def within(*arguments: Any, **options: Any) -> Any:
        frame = reread(*arguments, **options)
        change(file)
        return frame

    def late(*arguments: Any) -> None:
        change(file)
        unchanged(*arguments)

    if moment == "before the write":
        monkeypatch.setattr(Run, "decide", early)
    elif moment == "in the write":
        monkeypatch.setattr(landing, "reread", within)
    else:
        monkeypatch.setattr(landing, "unchanged", late)
    for name in MOMENTS[moment]:
        change = CHANGES[name]
        shutil.rmtree(file.parent, ignore_errors=True)
        project.land("id,x", "1,c", "3,new", name="in/a.csv")
        record = project.run()
        assert (name, record["verdict"], record["exit_code"], record["receipt"]) == (name, "ERROR", 3, None)
        assert project.rows() == before, name
        assert record["reasons"], name


@pytest.mark.parametrize("rows", [("1,c", "3,new"), ("1,c", "1,d")])
def test_files_changed_while_they_were_only_judged(
    classic: Project, monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...]
) -> None:
    """Neither a dry run's PASSED nor a rejection is said of another file than the one that the record names."""
    before = prepare(classic, source=f"{classic.root}/in")
    file = classic.land("id,x", *rows, name="in/a.csv")
    write = Run.decide

    def early(self: Any, judgement: Any) -> None:
        CHANGES["truncated"](file)
        write(self, judgement)

    monkeypatch.setattr(Run, "decide", early)
    record = classic.run(dry_run=True)
    assert (record["verdict"], record["exit_code"], record["receipt"]) == ("ERROR", 3, None)
    assert "changed after they were validated" in record["reasons"][0]
    assert classic.rows() == before


# --- several runs at once --------------------------------------------------------------------------------------------


def test_runs_at_once_in_threads(project: Project) -> None:
    project.contract(ID, X, primary_key=["id"])
    for number in range(2):
        project.land("id,x", f"{number},t{number}", name=f"own{number}.csv")
        project.entity(f"own{number}", source=f"{project.root}/own{number}.csv", target=f"{project.table}_{number}")
        project.land("id,x", f"{number},s{number}", name=f"shared{number}.csv")
        project.entity(f"shared{number}", source=f"{project.root}/shared{number}.csv", mode="merge", merge_key="id")
    names = ["own0", "shared0", "own1", "shared1", "shared0"]
    with ThreadPoolExecutor(len(names)) as pool:
        records = list(pool.map(project.run, names))
    assert [(record["entity"], record["verdict"]) for record in records] == [(name, "PASSED") for name in names]
    assert project.rows() == [(0, "s0"), (1, "s1")]
    assert sorted(record["receipt"]["already_written"] for record in records) == [False] * 4 + [True]
    for number in range(2):
        rows = project.spark.table(f"{project.table}_{number}").collect()
        assert [tuple(row) for row in rows] == [(number, f"t{number}")]


# --- places that cannot be written -----------------------------------------------------------------------------------


def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """A mount for one test; without the right to mount the test is skipped."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot mount here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    for folder in mounted(tmp_path / "full", "-t", "tmpfs", "-o", "size=64k", "tmpfs"):
        (folder / "results/runs").mkdir(parents=True)
        with pytest.raises(OSError, match="No space left"), (folder / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(4096))
        yield folder


def test_a_state_folder_that_cannot_be_written_ends_the_run_before_anything_is_read(
    classic: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = prepare(classic)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(landing, "listing", None)
    record = classic.run(state=tmp_path / "file/state")
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 3)
    assert "cannot be written" in record["reasons"][0]
    assert "--state" in record["reasons"][1]
    assert classic.rows() == before


def test_a_full_disk_ends_the_run_before_anything_is_read(
    classic: Project, full_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = prepare(classic)
    monkeypatch.setattr(landing, "listing", None)
    record = classic.run(state=full_disk)
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 3)
    assert "No space left" in record["reasons"][0]
    assert classic.rows() == before


@pytest.fixture
def read_only(classic: Project) -> Iterator[Path]:
    classic.contract(ID, X, primary_key=["id"])
    classic.entity()
    classic.land("id,x", "1,a")
    view = classic.root.parent / f"{classic.root.name}-view"
    yield from mounted(view, "-o", "bind,ro", str(classic.root))
    view.rmdir()


def test_a_project_that_cannot_be_written_can_be_run(
    classic: Project, read_only: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(OSError, match="Read-only"):
        (read_only / "probe").touch()
    before = {path: path.stat().st_mtime_ns for path in classic.root.rglob("*")}
    state = tmp_path_factory.mktemp("state")
    opened = workspace.open_workspace(read_only)
    assert not workspace.default_state(read_only).is_relative_to(read_only)
    record = pipeline.run(opened, opened.settings.entity("goods"), Options(state=state))
    assert (record["verdict"], record["notices"]) == ("PASSED", [])
    assert Path(record["report"]).is_relative_to(state)
    assert Path(record["report"]).exists()
    assert {path: path.stat().st_mtime_ns for path in classic.root.rglob("*")} == before


# --- after the write -------------------------------------------------------------------------------------------------


def test_a_report_that_fails_neither_undoes_nor_hides_the_write(
    classic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(classic)

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no ink")

    with monkeypatch.context() as patch:
        patch.setattr(AbstractDataContext, "build_data_docs", fail)
        record = classic.run()
    assert (record["verdict"], record["exit_code"], record["receipt"]["rows_written"]) == ("PASSED", 0, 2)
    assert record["notices"] == ["The report could not be built: no ink"]
    assert evidence.load(classic.state, record["run_id"]) == {k: v for k, v in record.items() if k != "exit_code"}
    assert classic.rows() == [(1, "c"), (3, "new")]
    assert not Path(record["report"]).exists()
    classic.run()
    assert Path(record["report"]).exists()


def test_a_record_that_cannot_be_kept_after_the_write_is_told_and_made_by_the_next_run(
    classic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(classic)

    def fail(*_: Any) -> None:
        raise EnvironmentFailure("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(evidence, "save", fail)
        record = classic.run()
    assert (record["verdict"], record["exit_code"]) == ("ERROR", 3)
    assert record["reasons"] == ["the disk is full"]
    assert record["receipt"]["rows_written"] == 2
    assert evidence.load(classic.state, record["run_id"]) is None
    assert classic.run()["receipt"] == {**record["receipt"], "already_written": True}
    kept = evidence.load(classic.state, record["run_id"])
    assert kept is not None
    assert (kept["verdict"], kept["receipt"]) == ("PASSED", record["receipt"])
