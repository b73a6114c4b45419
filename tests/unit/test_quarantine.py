"""What counts in a quarantine, from what the history of its target tells; and how many rows may go there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis import config
from sluis.config import Limit
from sluis.errors import ContractError
from sluis.table.quarantine import Entry, Load, marks

ENTITY = {
    "source": "in.csv",
    "target": "main.demo.t",
    "format": "csv",
    "mode": "append",
    "contract": "contracts/c.json",
}


def load(run_id: str | None, *sources: str, replaces: bool = False) -> Load:
    return Load(run_id=run_id, sources=frozenset(sources), replaces=replaces)


def marked(status: str, *loads: Load, run_id: str = "2", source: str | None = "a", known: str = "123") -> Any:
    entry = Entry(run_id=run_id, source=source, status=status)
    return marks([entry], loads, set(known)).get(entry)


def test_rows_count_once_their_run_is_in_the_history() -> None:
    assert marked("pending", load("1", "a")) is None
    assert marked("pending", load("1", "a"), load("2", "a")) == ("open", None)
    assert marked("open", load("1", "a"), load("2", "a")) is None


def test_a_later_load_of_the_same_file_or_of_all_rows_takes_their_place() -> None:
    assert marked("open", load("2", "a"), load("3", "b")) is None
    assert marked("open", load("2", "a"), load("3", "b", "a")) == ("superseded", "3")
    assert marked("pending", load("2", "a"), load("3", "a")) == ("superseded", "3")
    assert marked("open", load("2", "a"), load("3", "b", replaces=True)) == ("superseded", "3")
    assert marked("open", load("2", "a"), load(None, replaces=True)) == ("superseded", None)
    assert marked("open", load("2"), load("3", "a"), source=None) is None


def test_what_the_history_has_forgotten_stays_open_until_its_file_comes_again() -> None:
    assert marked("open", load("1", "a", replaces=True), known="1") is None
    assert marked("open", load("3", "a"), known="3") == ("superseded", "3")
    assert marked("pending", load("3", "a"), known="3") is None


def test_what_was_undone_waits_again() -> None:
    assert marked("open", load("1", "a"), known="12") == ("pending", None)


@given(most=st.integers(0, 50), rejected=st.integers(0, 50), rows=st.integers(1, 50), share=st.integers(0, 1000))
def test_a_limit_is_exact(most: int, rejected: int, rows: int, share: int) -> None:
    assert Limit(stated=str(most)).allows(rejected, rows) == (rejected <= most)
    assert Limit(stated=f"{share // 10}.{share % 10}%").allows(rejected, rows) == (rejected * 1000 <= share * rows)


def read(tmp_path: Path, **more: Any) -> config.Entity:
    (tmp_path / "contracts").mkdir(exist_ok=True)
    (tmp_path / config.ENTITIES).write_text(json.dumps({"a": {**ENTITY, **more}}))
    return config.read(tmp_path).entity("a")


def test_an_entity_says_what_happens_to_bad_rows(tmp_path: Path) -> None:
    assert (read(tmp_path).on_violation, read(tmp_path).max_rejected) == ("reject", None)
    for limit in (0, 100, "1%", "0.05%", "100%"):
        found = read(tmp_path, on_violation="quarantine", max_rejected=limit)
        assert (found.on_violation, found.max_rejected) == ("quarantine", Limit(stated=str(limit)))


@pytest.mark.parametrize("limit", [-1, 1.5, "1", "101%", "1 %", "-1%", "%", True, None, "1e1%"])
def test_a_limit_that_means_nothing_is_refused(tmp_path: Path, limit: Any) -> None:
    with pytest.raises(ContractError, match="max_rejected"):
        read(tmp_path, on_violation="quarantine", max_rejected=limit)


def test_without_a_quarantine_there_is_no_limit_and_no_third_way(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="without a quarantine"):
        read(tmp_path, max_rejected=3)
    with pytest.raises(ContractError, match="on_violation"):
        read(tmp_path, on_violation="warn")
