from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from sluis.report import records
from sluis.report.site import entity_of, page_path

EVIDENCE = Path(__file__).parents[1] / "data" / "evidence"
PASSED = "20261130T131500123456Z-customers-1a2b3c"
REJECTED = "20261130T140000000000Z-customers-3c4d5e"
ERROR = "20261130T150000000000Z-orders-4d5e6f"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    records.folder(tmp_path).mkdir(parents=True)
    for name in ("passed", "rejected", "error"):
        text = (EVIDENCE / f"{name}.json").read_text()
        (records.folder(tmp_path) / f"{json.loads(text)['run_id']}.json").write_text(text)
    return tmp_path


def record(state: Path, run_id: str) -> Path:
    return records.folder(state) / f"{run_id}.json"


def test_runs_are_listed_newest_first_and_other_files_are_not_runs(state: Path) -> None:
    for name in ("notes.json", f".{PASSED}.json", f"{PASSED}.json.tmp"):
        (records.folder(state) / name).write_text("{}")
    assert records.run_ids(state) == [ERROR, REJECTED, PASSED]


def test_a_state_folder_without_runs_has_none(tmp_path: Path) -> None:
    assert records.run_ids(tmp_path) == []


def test_the_newest_runs_include_one_of_every_entity() -> None:
    ids = [f"202611{day:02d}T000000Z-busy-aaaaaa" for day in range(30, 10, -1)] + ["20260101T000000Z-rare-thing-bbbbbb"]
    assert records.newest(ids, 3) == [*ids[:3], ids[-1]]
    assert entity_of(ids[-1]) == "rare-thing"


def test_a_line_tells_what_the_index_shows(state: Path) -> None:
    [line] = records.lines(state, [REJECTED])
    assert (line.entity, line.verdict, line.version, line.rows, line.failed) == ("customers", "REJECTED", "1.0", 3, 3)
    assert line.source == 'contracts/samples/<b>bad</b> "customers".csv'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not readable as JSON (JSONDecodeError)"),
        (b'{"run_id": ', "not readable as JSON (JSONDecodeError)"),
        (b"\xff\xfe\x00", "not readable as JSON (UnicodeDecodeError)"),
        (b"[" * 100_000, "not readable as JSON (RecursionError)"),
        (b"[]", "the record is not an object"),
        (b'{"run_id": "other", "entity": "x", "verdict": "PASSED"}', "it is the record of another run"),
    ],
)
def test_a_broken_record_is_a_line_that_says_so(state: Path, content: bytes, why: str) -> None:
    record(state, REJECTED).write_bytes(content)
    lines = records.lines(state, records.run_ids(state))
    assert [line.problem for line in lines] == ["", f"The record of this run is broken: {why}.", ""]
    assert lines[1].entity == "customers"


def test_records_are_read_once_and_again_only_when_they_change(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = records.read

    def recording(path: Path) -> Any:
        read.append(path.stem)
        return real(path)

    monkeypatch.setattr(records, "read", recording)
    first = records.lines(state, records.run_ids(state))
    assert records.lines(state, records.run_ids(state)) == first
    assert read == [ERROR, REJECTED, PASSED]

    content = json.loads(record(state, PASSED).read_text())
    record(state, PASSED).write_text(json.dumps({**content, "verdict": "ERROR"}))
    record(state, ERROR).unlink()
    assert [line.verdict for line in records.lines(state, records.run_ids(state))] == ["REJECTED", "ERROR"]
    assert read[3:] == [PASSED]


@pytest.mark.parametrize("content", ["", "[]", '{"version": 1, "runs": []}', '{"version": 0, "runs": {}}'])
def test_a_broken_file_of_lines_is_made_again(state: Path, content: str) -> None:
    first = records.lines(state, records.run_ids(state))
    (state / "results" / "runs-index.json").write_text(content)
    assert records.lines(state, records.run_ids(state)) == first


def test_a_file_is_written_whole_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "page.html"
    records.write_whole(target, b"old")

    def refuse(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no space"):
        records.write_whole(target, b"new")
    assert (target.read_bytes(), os.listdir(tmp_path)) == (b"old", ["page.html"])


def test_the_page_of_a_run_is_named_after_it() -> None:
    assert page_path({"run_id": PASSED}) == f"runs/{PASSED}.html"
