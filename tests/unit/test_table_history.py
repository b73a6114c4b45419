"""Which commits count, read from a history made by hand; no Spark."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast

import pytest

from sluis.table import Target, TargetColumn, history
from sluis.table.history import Version, live, receipt
from sluis.table.written import _held, _looked_at

START = datetime(2026, 11, 30, 12)
APPEND = {"mode": "Append"}
OVERWRITE = {"mode": "Overwrite"}


@dataclass(frozen=True)
class File:
    path: str
    size: int = 1
    modified: str = "2026-11-30T12:00:00.000Z"


A, B = File("a"), File("b")


def version(number: int, operation: str = "WRITE", parameters: Any = None, files: Any = None) -> Version:
    """One commit; a minute after the one before. With files it is ours."""
    ours = {} if files is None else {"run_id": f"r{number}", "sources": [vars(file) for file in files]}
    when = START + timedelta(minutes=number)
    metrics = {"numOutputRows": "3"}
    return Version(
        number=number, when=when, operation=operation, parameters=parameters or {}, metrics=metrics, metadata=ours
    )


def held(*oldest_first: Version, whole: bool = False) -> dict[str, int]:
    newest_first = live(list(reversed(oldest_first)))
    return {file.path: found.number for file, found in _held(newest_first, [A, B], whole=whole).items()}


CREATED = version(0, "CREATE TABLE")


def test_appended_files_stay_written() -> None:
    assert held(CREATED, version(1, "WRITE", APPEND, [A]), version(2, "MERGE", None, [B])) == {"a": 1, "b": 2}


def test_the_latest_commit_of_a_file_counts() -> None:
    assert held(version(1, "WRITE", APPEND, [A]), version(2, "WRITE", APPEND, [A])) == {"a": 2}


def test_commits_of_others_do_not_matter() -> None:
    assert held(version(1, "WRITE", APPEND, [A]), version(2, "DELETE"), version(3, "OPTIMIZE")) == {"a": 1}


def test_replaced_rows_do_not_count() -> None:
    assert held(version(1, "WRITE", APPEND, [A]), version(2, "WRITE", OVERWRITE, [B])) == {"b": 2}
    assert held(version(1, "WRITE", APPEND, [A]), version(2, "CREATE OR REPLACE TABLE AS SELECT")) == {}
    partly = {"mode": "Overwrite", "predicate": '["(id = 1)"]'}
    assert held(version(1, "WRITE", APPEND, [A]), version(2, "WRITE", partly)) == {"a": 1}


def test_overwrite_counts_all_files_or_none() -> None:
    assert held(version(1, "WRITE", OVERWRITE, [A, B]), whole=True) == {"a": 1, "b": 1}
    assert held(version(1, "WRITE", OVERWRITE, [A, B]), version(2, "OPTIMIZE"), whole=True) == {"a": 1, "b": 1}
    assert held(version(1, "WRITE", OVERWRITE, [A]), whole=True) == {}
    assert held(version(1, "WRITE", OVERWRITE, [A, B]), version(2, "WRITE", OVERWRITE, [A]), whole=True) == {}
    assert held(version(1, "WRITE", OVERWRITE, [A, B]), version(2, "WRITE", APPEND, [A]), whole=True) == {}


def test_restored_commits_do_not_count() -> None:
    one, two = version(1, "WRITE", APPEND, [A]), version(2, "WRITE", APPEND, [B])
    assert held(CREATED, one, two, version(3, "RESTORE", {"version": "1"})) == {"a": 1}
    assert held(CREATED, one, two, version(3, "RESTORE", {"version": "0"})) == {}
    by_time = {"version": None, "timestamp": "2026-11-30 12:01:30.5"}
    assert held(CREATED, one, two, version(3, "RESTORE", by_time)) == {"a": 1}


def test_a_restore_can_undo_a_restore() -> None:
    one, two = version(1, "WRITE", APPEND, [A]), version(2, "WRITE", APPEND, [B])
    back, forth = version(3, "RESTORE", {"version": "0"}), version(4, "RESTORE", {"version": "2"})
    assert held(CREATED, one, two, back, forth) == {"a": 1, "b": 2}


def test_a_changed_file_is_another_file() -> None:
    assert held(version(1, "WRITE", APPEND, [File("a", size=2), File("b", modified="2026-11-30T12:00:00.001Z")])) == {}


def before(*oldest_first: Version) -> int | None:
    versions = list(reversed(oldest_first))
    target = Target(name="s.t", mode="append", columns=(TargetColumn(name="id", type="INT"),))
    return receipt(target, "", versions[0], versions).version_before


def test_version_before_is_none_while_the_table_never_held_rows() -> None:
    assert before(CREATED, version(1)) is None
    assert before(CREATED, version(1, "ADD COLUMNS"), version(2)) is None
    assert before(CREATED, version(1), version(2)) == 1
    assert before(version(7, "ADD COLUMNS"), version(8)) == 7


@pytest.mark.parametrize(
    ("mode", "commits", "read"),
    [
        ("overwrite", [version(9, "WRITE", OVERWRITE, [A]), version(8)], [2]),
        ("overwrite", [version(9, "OPTIMIZE"), version(8, "WRITE", OVERWRITE, [A])], [2]),
        ("overwrite", [version(9, "OPTIMIZE"), version(8, "OPTIMIZE"), version(7, "WRITE", OVERWRITE, [A])], [2, 1000]),
        ("overwrite", [version(9, "RESTORE", {"version": "7"}), version(8, "WRITE", OVERWRITE, [B])], [2, 1000]),
        ("overwrite", [version(0, "CREATE TABLE")], [2]),
        ("append", [version(9, "WRITE", APPEND, [A]), version(8)], [1000]),
        ("merge", [version(9, "MERGE", None, [A]), version(8)], [1000]),
    ],
)
def test_an_overwritten_tables_latest_commits_are_looked_at_first(
    monkeypatch: pytest.MonkeyPatch,
    mode: Literal["append", "overwrite", "merge"],
    commits: list[Version],
    read: list[int],
) -> None:
    limits: list[int] = []

    def latest(spark: object, target: object, *, limit: int) -> list[Version]:
        limits.append(limit)
        return commits[:limit]

    monkeypatch.setattr(history, "RECENT", 2)
    monkeypatch.setattr(history, "read", latest)
    target = Target(name="t", columns=(TargetColumn(name="a", type="STRING"),), mode=mode, merge_key=("a",))
    assert _looked_at(cast(Any, None), target) == commits[: read[-1]]
    assert limits == read
