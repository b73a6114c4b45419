"""`kill -9` at random moments of runs with a quarantine: a reader never counts rows before their time, nor twice."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import apart
import pytest

KILLS = 25

SCRIPT = """
import json, logging, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from projects import Project
from sluis import session, table
logging.basicConfig(format="%(message)s", stream=sys.stdout)
logging.getLogger("sluis").setLevel("INFO")
root = Path(sys.argv[1])
project = Project(root=root, spark=session.local(root / ".sluis/warehouse"), schema="kills")

def seen():
    target = table.Target(name=project.table, mode="append", columns=(), location=str(root / ".sluis/warehouse/kills.db/goods"))
    quarantine = table.quarantine.beside(target, {}, ())
    if not table.find(project.spark, quarantine):
        return {}
    kept = project.spark.table(quarantine.name)
    open_rows = [list(row) for row in kept.where("_status = 'open'").select("_run_id", "id", "n").collect()]
    commits = project.spark.sql(f"DESCRIBE HISTORY {project.table}").collect() if table.find(project.spark, target) else []
    runs = [json.loads(commit.userMetadata)["run_id"] for commit in commits if commit.userMetadata]
    return {"open": open_rows, "runs": runs}

print("seen " + json.dumps(seen()), flush=True)
record = project.run()
print("ended " + json.dumps({**seen(), "verdict": record["verdict"], "rows": project.rows()}), flush=True)
"""


class Process:
    """One run, in a process of its own."""

    def __init__(self, root: Path) -> None:
        self.running = apart.start(SCRIPT, root)

    def told(self, *beginnings: str) -> str:
        """The first line that begins with one of these."""
        assert self.running.stdout is not None
        return next(line for line in self.running.stdout if line.startswith(beginnings))

    def seen(self, beginning: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.told(beginning).removeprefix(beginning))
        return found

    def kill(self) -> None:
        os.killpg(self.running.pid, signal.SIGKILL)
        self.running.communicate()


def land(root: Path, edition: int) -> tuple[set[tuple[str, str]], list[list[int]]]:
    """An edition of the file: its bad rows and its good ones."""
    rows = [(number, "bad" if (number + edition) % 3 == 0 else str(edition)) for number in range(30)]
    lines = "".join(f"{number},{value}\n" for number, value in rows)
    (root / "goods.csv").write_text(f"id,n\n{lines}")
    return {(str(number), n) for number, n in rows if n == "bad"}, [[i, int(n)] for i, n in rows if n != "bad"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["overwrite", "merge"])
def test_killed_runs_with_a_quarantine_then_a_good_one(tmp_path: Path, mode: str) -> None:
    from projects import Project

    project = Project(root=tmp_path, spark=None, schema="kills")  # type: ignore[arg-type]  # it only writes documents here
    project.contract({"name": "id", "type": "integer"}, {"name": "n", "type": "integer"}, primary_key=["id"])
    project.entity(mode=mode, on_violation="quarantine", **({"merge_key": "id"} if mode == "merge" else {}))
    for edition in range(KILLS):
        # Every other time the same file once more.
        bad, good = land(tmp_path, edition // 2)
        process = Process(tmp_path)
        check(process.seen("seen "))
        process.told("Validated records", "Already written")
        time.sleep(random.uniform(0, 8))
        process.kill()
    process = Process(tmp_path)
    check(process.seen("seen "))
    ended = process.seen("ended ")
    process.running.communicate(timeout=300)
    assert ended["verdict"] == "PASSED_WITH_QUARANTINE"
    assert {(row[1], row[2]) for row in ended["open"]} == bad
    assert len(ended["open"]) == len(bad)
    assert all(row in ended["rows"] for row in good)
    if mode == "overwrite":
        assert len(ended["rows"]) == len(good)


def check(seen: dict[str, Any]) -> None:
    """What a reader takes for done belongs to one run, whose commit is in the target's history."""
    runs = {row[0] for row in seen.get("open", ())}
    assert len(runs) <= 1
    assert runs <= set(seen.get("runs", ()))
    assert len({row[1] for row in seen.get("open", ())}) == len(seen.get("open", ()))
