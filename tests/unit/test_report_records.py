from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sluis.contract.names import safe
from sluis.report import records
from sluis.report.parse import BrokenRecord
from sluis.report.site import entity_of, entity_path, month_of, page_path

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
def test_a_broken_record_says_why_and_counts_as_none(state: Path, content: bytes, why: str) -> None:
    record(state, REJECTED).write_bytes(content)
    with pytest.raises(BrokenRecord, match=re.escape(why)):
        records.read(record(state, REJECTED))
    assert records.find(state, REJECTED) is None


def test_the_page_of_a_run_is_named_after_it() -> None:
    assert page_path({"run_id": PASSED}) == f"runs/{PASSED}.html"


def test_the_month_of_a_run_and_the_page_of_an_entity_have_names_that_files_can_have() -> None:
    assert entity_of("20260101T000000Z-rare-thing-bbbbbb") == "rare-thing"
    assert (month_of(PASSED), entity_path("orders", "2026-11")) == ("2026-11", "entities/orders/2026-11.html")
    assert entity_path("../../etc") == f"entities/{safe('../../etc')}/index.html"
    assert ".." not in entity_path("../../etc")
