"""Records, pages and GX's results on a Unity Catalog Volume, which knows no rename, append and seek."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from projects import Project
from volumes import volume

from sluis import evidence
from sluis.report import history

ID = {"name": "id", "type": "integer", "nullable": False}


def rewound(file: Path, mode: str) -> None:
    with file.open(mode) as opened:
        opened.seek(0)


@pytest.mark.parametrize(
    "do",
    [
        lambda file: os.rename(file, file.with_suffix(".b")),
        lambda file: file.open("a"),
        lambda file: file.open("r+b"),
        lambda file: os.open(file, os.O_WRONLY | os.O_APPEND),
        lambda file: rewound(file, "wb"),
        lambda file: rewound(file, "w"),
    ],
)
def test_the_folder_refuses_what_a_volume_refuses(tmp_path: Path, do: Callable[[Path], object]) -> None:
    file = tmp_path / "a"
    file.write_text("whole")
    with volume(tmp_path), pytest.raises(OSError, match=r"Volume|not seekable"):
        do(file)


def test_runs_keep_everything_in_files_that_are_written_once_and_whole(classic: Project) -> None:
    classic.contract(ID)
    (classic.root / "contracts/environments.json").write_text(json.dumps({"local": {"keep": {"runs": 2}}}))
    classic.entity()
    records = []
    with volume(classic.state / "results", classic.state / "docs"):
        for number, lines in enumerate((["1"], ["x"], ["2"], ["3"])):
            if number == 2:
                classic.contract(ID, {"name": "more", "type": "string"})
                classic.generate()
            header, more = ("id", "") if number < 2 else ("id,more", ",text")
            classic.land(header, *(f"{line}{more}" for line in lines))
            records.append(classic.run())
    assert [record["verdict"] for record in records] == ["PASSED", "REJECTED", "PASSED", "PASSED"]
    assert not [notice for record in records for notice in record["notices"]]
    # The last two are kept, and the last bad one.
    kept = [line.run_id for line in history.read(classic.state, history.ids(classic.state)).lines]
    assert kept == [records[place]["run_id"] for place in (3, 2, 1)]
    assert not Path(records[0]["report"]).exists() and evidence.load(classic.state, records[0]["run_id"]) is None
    entity = (classic.state / "docs/entities/goods/index.html").read_text()
    assert f"runs/{records[3]['run_id']}.html" in entity and records[0]["run_id"] not in entity
    [_, changed] = sorted((classic.state / "docs/contracts").glob("2*.html"))
    assert "column added" in changed.read_text()
    assert f"contracts/{changed.name}#changes" in Path(records[3]["report"]).read_text()
    assert "#changes" not in Path(records[1]["report"]).read_text()
