"""Contracts as they stood when runs were judged by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sluis.contract import reading
from sluis.report import editions, words
from sluis.report.edition import Edition, LevelWords
from sluis.report.site import edition_key
from sluis.suite.compile import suites

BASE = {
    "contract_name": "goods",
    "version": "1.0",
    "owner": "Shop",
    "columns": [{"name": "id", "type": "string", "nullable": False}, {"name": "email", "type": "string", "sensitive": True}],
}  # fmt: skip


def keep(root: Path, day: int, **changes: Any) -> str:
    """Have a run of that day judged by the contract; returns what its record says of it."""
    file = root / "contracts/goods.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({**BASE, **changes}))
    contract = reading.read(file, "contracts/goods.json")
    editions.keep(root, contract, suites(contract, "goods")[0], root, run_id(day))
    return edition_key("goods", contract.fingerprint)


def run_id(day: int) -> str:
    return f"202611{day:02d}T000000000000Z-goods-aaaaaa"


def loaded(root: Path) -> list[Edition]:
    found = [editions.load(root, one) for one in editions.ids(root)]
    return [one for one in found if one]


def test_an_edition_tells_the_contract_in_words(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    [edition] = loaded(tmp_path)
    assert (edition.contract, edition.version, edition.owner, edition.previous) == ("goods", "1.0", "Shop", None)
    assert [(column.name, column.required, column.sensitive) for column in edition.columns] == [
        ("id", True, False),
        ("email", False, True),
    ]
    assert "id is always filled in" in [rule.description for rule in edition.rules]
    assert json.loads(edition.document) == BASE


def test_the_same_contract_is_kept_once_and_one_that_comes_back_again(tmp_path: Path) -> None:
    first = keep(tmp_path, 1)
    keep(tmp_path, 2)
    second = keep(tmp_path, 3, version="2.0")
    assert keep(tmp_path, 4) == first
    known = editions.ids(tmp_path)
    assert [one.version for one in loaded(tmp_path)] == ["1.0", "2.0", "1.0"]
    assert [one.previous for one in loaded(tmp_path)] == [None, known[0], known[1]]
    assert [editions.of_run(known, key, run_id(day)) for key, day in ((first, 2), (second, 3), (first, 9))] == known
    assert editions.of_run(known, "goods-0000000000000000", run_id(9)) is None
    assert editions.of_run(known, "", run_id(9)) is None


def test_what_changed_is_told_as_diff_tells_it(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    keep(tmp_path, 2, columns=[{"name": "id", "type": "integer", "nullable": False}], description="Goods")
    changed = loaded(tmp_path)[1]
    assert changed.previous_version == "1.0"
    assert [change.kind for change in changed.changes or ()] == ["breaking", "breaking", "documentation"]
    assert changed.count("breaking") == 2


def test_an_earlier_document_that_cannot_be_read_any_more_is_not_compared(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    [path] = editions.folder(tmp_path).iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), "document": "{"}))
    keep(tmp_path, 2, version="2.0")
    assert loaded(tmp_path)[1].changes is None


def test_an_edition_that_was_cut_off_is_as_none_and_is_kept_again(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    [path] = editions.folder(tmp_path).iterdir()
    path.write_bytes(path.read_bytes()[:100])
    assert loaded(tmp_path) == []
    keep(tmp_path, 2)
    assert [one.version for one in loaded(tmp_path)] == ["1.0"]


def test_a_test_of_the_table_was_judged_by_the_same_edition_as_its_files() -> None:
    assert edition_key("goods_table", "sha256:" + "ab" * 32) == edition_key("goods", "sha256:" + "ab" * 32)
    assert edition_key("goods", "") == edition_key("", "sha256:" + "ab" * 32) == ""


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        ("86400", "second", "freshness of at: 1 day"),
        ("5400", "second", "freshness of at: 90 minutes"),
        ("0.5", "second", "freshness of at: 0.5 seconds"),
        ("7", "year", "freshness of at: 7 years"),
        ("99.9", "percent", "freshness of at: 99.9 percent"),
        (None, None, "freshness of at"),
    ],
)
def test_service_levels_are_told_in_units_of_people(value: str | None, unit: str | None, told: str) -> None:
    level = LevelWords(kind="freshness", value=value, unit=unit, columns=["at"], description=None)
    assert words.level(level) == told
