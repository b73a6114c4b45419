"""Which runs are kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sluis.report import history, lines, records, retention
from sluis.report.lines import Line
from sluis.report.model import Run
from sluis.report.site import docs_folder, page_path

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def run_id(age: float, entity: str = "orders") -> str:
    return f"{NOW - timedelta(days=age):%Y%m%dT%H%M%S%f}Z-{entity}-aaaaaa"


def line(age: float, verdict: str = "PASSED", **more: object) -> Line:
    return Line(run_id=run_id(age), entity="orders", verdict=verdict, **more)  # type: ignore[arg-type]


def ages(found: list[Line], **limits: int | None) -> list[int]:
    """Which of the runs, by their place, go."""
    gone = retention.beyond(found, now=NOW, **{"runs": None, "days": None, **limits})
    return [place for place, one in enumerate(found) if one.run_id in gone]


def test_the_newest_of_an_entity_stay_and_the_young_ones() -> None:
    found = [line(age) for age in (0, 1, 2, 30, 60)]
    assert ages(found, runs=3) == [3, 4]
    assert ages(found, days=10) == [3, 4]
    assert ages(found, runs=4, days=50) == [4]
    assert ages(found) == []


def test_the_last_good_and_the_last_bad_run_stay_whatever_their_age() -> None:
    found = [line(1, ""), line(2, "REJECTED"), line(700, "ERROR"), line(800, "PASSED_WITH_WARNINGS"), line(900)]
    assert ages(found, runs=1, days=10) == [2, 4]


def test_a_dry_run_or_a_test_of_the_table_is_no_good_run() -> None:
    found = [line(1, dry_run=True), line(2, kind="test"), line(3), line(4)]
    assert ages(found, runs=1) == [1, 3]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    for entity in ("orders", "stock"):
        for age in (1, 2, 3):
            one = run_id(age, entity)
            run = Run(run_id=one, entity=entity, contract="c", title=None, version="1", verdict="PASSED", rules=())
            lines.save(tmp_path, run)
            kept_by_gx = tmp_path / "results" / "validations" / entity / one / "20261130T000000Z"
            for path in (
                records.folder(tmp_path) / f"{one}.json",
                docs_folder(tmp_path) / page_path({"run_id": one}),
                kept_by_gx / "landing.json",
            ):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("{}")
    return tmp_path


def test_a_run_leaves_with_all_that_belongs_to_it(state: Path) -> None:
    before = set(state.rglob("*"))
    gone = retention.apply(state, runs=2, days=None, now=NOW)
    assert gone == [run_id(3, "orders"), run_id(3, "stock")]
    removed = [path for path in before if not path.exists()]
    assert len([path for path in removed if path.suffix]) == 2 * 4
    assert all(any(one in str(path) for one in gone) for path in removed)
    assert not [path for path in state.rglob("*") if any(one in path.name for one in gone)]


def test_one_entity_is_pruned_without_the_others(state: Path) -> None:
    assert retention.apply(state, runs=1, days=None, entity="stock", now=NOW) == [
        run_id(2, "stock"),
        run_id(3, "stock"),
    ]


def test_a_removal_that_was_cut_off_is_done_again(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = records.folder(state) / f"{run_id(3)}.json"
    real = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path == record:
            raise OSError("cut off")
        real(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(OSError, match="cut off"):
            retention.apply(state, runs=2, days=None, entity="orders", now=NOW)
    assert record.exists()
    assert retention.apply(state, runs=2, days=None, entity="orders", now=NOW) == [run_id(3)]
    assert not record.exists()


def test_without_limits_nothing_is_even_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(history, "ids")
    assert retention.apply(tmp_path, runs=None, days=None) == []
