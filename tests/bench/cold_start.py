"""How long a process takes until Spark is usable: `python tests/bench/cold_start.py [--runs 3] [--gx]`.

Prints the best of several runs for each way to start, step by step, as wall and CPU seconds (Python and its JVM).
CPU seconds are the steadier figure on a busy machine. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def cpu() -> float:
    """CPU seconds of this process and its children."""
    own, ticks = str(os.getpid()), os.sysconf("SC_CLK_TCK")
    total = time.process_time()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == own:
            total += sum(map(int, fields[11:15])) / ticks
    return total


def run_once(state: Path, *, early: bool, gx: bool, started: float) -> None:
    """One process: every step as a line of JSON."""

    def lap(step: str) -> None:
        print(json.dumps({"step": step, "wall": time.time() - started, "cpu": cpu()}), flush=True)

    from sluis import session

    waiting = session.start_early(state, size_hint=100) if early else None
    if gx:
        import great_expectations  # noqa: F401

        lap("import great_expectations")
    spark = waiting() if waiting else session.get(state, size_hint=100)
    lap("session")
    source = state / "customers.csv"
    source.write_text("id,name\n" + "".join(f"{number},name {number}\n" for number in range(4)))
    frame = spark.read.schema("id STRING, name STRING").csv(str(source), header=True)
    frame.head(1)
    lap("first CSV read")
    frame.selectExpr("count(*)", "count_if(try_cast(id AS INT) IS NULL)", "count(DISTINCT name)").collect()
    lap("first aggregate")
    rows = frame.selectExpr("CAST(id AS INT) AS id", "name")
    rows.write.format("delta").mode("overwrite").saveAsTable("customers")
    lap("first Delta write")
    rows.write.format("delta").mode("append").saveAsTable("customers")
    lap("second write")


def measure(runs: int, *arguments: str) -> list[dict[str, float | str]]:
    """The run that was over first, of several."""
    tried = []
    # A machine that has run it before has compiled the imports too.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as state:
            command = [sys.executable, __file__, "--once", state, "--started", repr(time.time()), *arguments]
            done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
            tried.append([json.loads(line) for line in done.stdout.splitlines()])
    return min(tried, key=lambda laps: float(laps[-1]["wall"]))


def show(title: str, laps: list[dict[str, float | str]]) -> None:
    print(f"\n{title}\n{'step':<28}{'seconds':>9}{'in all':>9}{'CPU':>9}{'in all':>9}")
    wall = spent = 0.0
    for lap in laps:
        at, used = float(lap["wall"]), float(lap["cpu"])
        print(f"{lap['step']:<28}{at - wall:>9.2f}{at:>9.2f}{used - spent:>9.2f}{used:>9.2f}")
        wall, spent = at, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--gx", action="store_true", help="import great_expectations too, before and beside the start")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--early", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.once:
        run_once(chosen.once, early=chosen.early, gx=chosen.gx, started=chosen.started)
        return
    gx = ["--gx"] if chosen.gx else []
    show("session when asked for", measure(chosen.runs, *gx))
    if gx:
        show("session started beside the import", measure(chosen.runs, "--gx", "--early"))


if __name__ == "__main__":
    main()
