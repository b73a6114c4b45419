"""One writer per table on one machine."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sluis.errors import EnvironmentFailure
from sluis.table import lock


def test_a_second_run_waits_for_the_first(tmp_path: Path) -> None:
    order: list[str] = []
    held = threading.Event()

    def second() -> None:
        held.wait()
        with lock("main.demo.T", tmp_path):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with lock("main.demo.t", tmp_path):
        held.set()
        thread.join(0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_other_tables_do_not_wait(tmp_path: Path) -> None:
    with lock("main.demo.a/b", tmp_path / "new"), lock("main.demo.a_b", tmp_path / "new"):
        pass


def test_waiting_ends(tmp_path: Path) -> None:
    with (
        lock("demo.t", tmp_path),
        pytest.raises(EnvironmentFailure, match=r"Another run has held demo\.t for 0\.1 seconds"),
        lock("demo.t", tmp_path, timeout=0.1),
    ):
        pass


def test_a_killed_process_frees_the_table(tmp_path: Path) -> None:
    script = (
        "import sys, time; from sluis.table import lock\n"
        "with lock('demo.t', sys.argv[1]): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(EnvironmentFailure), lock("demo.t", tmp_path, timeout=0.1):
        pass
    process.kill()
    process.wait()
    process.stdout.close()
    with lock("demo.t", tmp_path, timeout=5):
        pass
