"""All runs in lines: what is read, what is kept together, and what a writer that was cut off may leave behind."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sluis.report import history, lines, records
from sluis.report.history import History
from sluis.report.parse import parse

EVIDENCE = Path(__file__).parents[1] / "data" / "evidence"
LATER = datetime(2026, 12, 1, tzinfo=UTC)


def evidence(name: str, run_id: str = "", **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EVIDENCE / f"{name}.json").read_text())
    return {**found, "run_id": run_id or found["run_id"], **changes}


def put(state: Path, record: dict[str, Any], *, summarised: bool = True) -> str:
    path = records.folder(state) / f"{record['run_id']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record))
    if summarised:
        lines.save(state, parse(record))
    return str(record["run_id"])


def read(state: Path, now: datetime = LATER) -> History:
    return history.read(state, history.ids(state), now)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    for name in ("passed", "rejected", "error"):
        put(tmp_path, evidence(name))
    return tmp_path


def test_runs_come_newest_first_with_what_overviews_show(state: Path) -> None:
    found = read(state)
    assert [line.verdict for line in found.lines] == ["ERROR", "REJECTED", "PASSED"]
    assert list(found.by_entity) == ["customers", "orders"]
    line = found.lines[2]
    assert (line.contract, line.version, line.rows, line.table_version) == ("Customers of the web shop", "1.0", 4, 1)


def test_each_rule_is_known_by_the_last_run_in_which_it_failed(state: Path) -> None:
    first = evidence("rejected")["run_id"]
    again = put(state, evidence("warnings", run_id="20261130T235900000000Z-customers-aaaaaa"))
    failed = read(state).last_failed["customers"]
    assert failed["customers.customer_id.type"] == first
    assert [rule for rule, run_id in failed.items() if run_id == again]


def summaries_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    real = lines.load

    def load(state: Path, run_id: str) -> lines.Summary:
        seen.append(run_id)
        return real(state, run_id)

    monkeypatch.setattr(lines, "load", load)
    return seen


def test_what_ended_a_while_ago_is_read_once(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(state)
    seen = summaries_read(monkeypatch)
    assert read(state) == first
    assert seen == []
    new = put(state, evidence("passed", run_id="20261130T235900000000Z-customers-aaaaaa"))
    assert read(state).lines[0].run_id == new
    assert seen == [new]


def test_a_run_that_ended_just_now_may_still_change(state: Path) -> None:
    now = datetime(2026, 11, 30, 15, 30, tzinfo=UTC)
    assert read(state, now).lines[0].verdict == "ERROR"
    put(state, evidence("error", verdict="REJECTED"))
    assert read(state, now).lines[0].verdict == "REJECTED"


@pytest.mark.parametrize("content", ["", "[]", '{"version": 2, "lines": []}', '{"version": 0}', '{"version": 2, "li'])
def test_a_broken_file_of_lines_is_made_again(state: Path, content: str) -> None:
    first = read(state)
    (state / "results" / "history.json").write_text(content)
    assert read(state) == first


def test_another_jobs_older_file_of_lines_hides_nothing(state: Path) -> None:
    read(state)
    stale = (state / "results" / "history.json").read_bytes()
    new = put(state, evidence("passed", run_id="20261130T160000000000Z-customers-aaaaaa"))
    read(state)
    (state / "results" / "history.json").write_bytes(stale)
    assert read(state).lines[0].run_id == new


def test_a_summary_that_was_cut_off_is_as_none_and_the_record_tells(state: Path) -> None:
    whole = read(state)
    for run_id in records.run_ids(state):
        path = lines.folder(state) / f"{run_id}.json"
        path.write_bytes(path.read_bytes()[: random.randrange(10)])
    history.forget(state)
    assert read(state) == whole


def test_a_run_that_was_cut_off_before_its_summary_is_told_by_its_record(state: Path) -> None:
    put(state, evidence("rejected", run_id="20261130T235900000000Z-customers-aaaaaa"), summarised=False)
    assert read(state).lines[0].verdict == "REJECTED"


def test_a_run_without_a_readable_record_is_a_line_that_says_so(state: Path) -> None:
    run_id = put(state, evidence("passed", run_id="20261130T235900000000Z-rare-thing-aaaaaa"), summarised=False)
    (records.folder(state) / f"{run_id}.json").write_text('{"run_id": ')
    line = read(state).lines[0]
    assert (line.run_id, line.entity, line.problem) == (
        run_id,
        "rare-thing",
        "There is no readable record of this run.",
    )


def test_runs_that_are_gone_leave_the_lines_but_not_the_memory_of_what_failed(state: Path) -> None:
    read(state)
    gone = evidence("rejected")["run_id"]
    (lines.folder(state) / f"{gone}.json").unlink()
    (records.folder(state) / f"{gone}.json").unlink()
    found = read(state)
    assert gone not in [line.run_id for line in found.lines]
    assert gone in found.last_failed["customers"].values()


def test_a_thousand_runs_are_read_in_a_moment(state: Path) -> None:
    for number in range(1000):
        begun = LATER - timedelta(days=40, minutes=number)
        run_id = f"{begun:%Y%m%dT%H%M%S%f}Z-customers-{number:06x}"
        lines.save(state, parse(evidence("rejected", run_id=run_id)))
    assert len(read(state).lines) == 1003
    (lines.folder(state) / f"{run_id}.json").write_text("what is kept together is not read again")
    assert len(read(state).lines) == 1003
    assert read(state).lines[-1].verdict == "REJECTED"
