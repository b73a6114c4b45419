"""`sluis run` as a command: exit codes, what goes to stdout and what to stderr, two processes on one table."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SLUIS = Path(sys.executable).with_name("sluis")

COLUMNS = [{"name": "id", "type": "integer", "nullable": False}, {"name": "x", "type": "string", "nullable": False}]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a good file, one that breaks the contract, one that is no CSV and one that is not there."""
    (tmp_path / "contracts").mkdir()
    contract = {"contract_name": "goods", "version": "1.0", "columns": COLUMNS, "primary_key": ["id"]}
    (tmp_path / "contracts/goods.json").write_text(json.dumps(contract))
    entities = {
        name: {
            "source": f"{tmp_path}/{name}.csv",
            "target": f"spark_catalog.demo.{name}",
            "format": "csv",
            "mode": "append",
            "contract": "contracts/goods.json",
        }
        for name in ("good", "bad", "binary", "gone")
    }
    (tmp_path / "contracts/entities.json").write_text(json.dumps(entities))
    (tmp_path / "good.csv").write_text("id,x\n1,a\n2,b\n")
    (tmp_path / "bad.csv").write_text("id,x\n1,\n1,b\n")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)) * 8)
    sluis(tmp_path, "generate")
    return tmp_path


def start(root: Path, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [SLUIS, *arguments],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def told(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=300)
    assert "Traceback" not in out + err
    return process.returncode, out, err


def sluis(root: Path, *arguments: str) -> tuple[int, str, str]:
    return told(start(root, *arguments))


def test_all_entities_as_json_in_two_processes_at_once(root: Path) -> None:
    both = [start(root, "run", "--all", "--json") for _ in range(2)]
    already = []
    for process in both:
        code, out, err = told(process)
        assert code == 3
        records = [json.loads(line) for line in out.splitlines()]
        assert [(one["entity"], one["verdict"]) for one in records] == [
            ("good", "PASSED"), ("bad", "REJECTED"), ("binary", "REJECTED"), ("gone", "ERROR"),
        ]  # fmt: skip
        already.append(records[0]["receipt"]["already_written"])
        lines = err.splitlines()
        assert lines[0] == f"Reading source: {root}/good.csv"
        assert "Contract goods version 1.0 PASSED" in lines
        assert "Data contract validation failed:" in lines
        assert any(line.startswith("Column x cannot be NULL or empty (1 of 2 rows") for line in lines)
        assert f"No such file or folder: {root}/gone.csv" in lines
    assert sorted(already) == [False, True]


@pytest.mark.slow
def test_killed_in_the_write_then_a_good_run(root: Path) -> None:
    (root / "good.csv").write_text("id,x\n" + "".join(f"{index},a\n" for index in range(200_000)))
    for _ in range(3):
        process = start(root, "run", "good", start_new_session=True)
        assert process.stderr is not None
        while not process.stderr.readline().startswith("Validated records"):
            assert process.poll() is None
        time.sleep(random.uniform(0, 6))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    code, out, err = sluis(root, "run", "good", "--json")
    record = json.loads(out)
    assert (code, record["verdict"], record["receipt"]["rows_written"]) == (0, "PASSED", 200_000), err
    log = root / ".sluis/warehouse/demo.db/good/_delta_log"
    commits = [json.loads(line) for path in log.glob("*.json") for line in path.read_text().splitlines()]
    assert sum(json.loads(one["add"]["stats"])["numRecords"] for one in commits if "add" in one) == 200_000
