"""`kill -9` at random moments of a write, then a good run: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import apart
import pytest

SCRIPT = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from table_bench import Bench, File
from sluis import session, table
folder, mode = Path(sys.argv[1]), sys.argv[2]
spark = session.local(folder / "warehouse")
bench = Bench(spark, folder, name="spark_catalog.kills.t_" + mode)
file = File("/raw/rows.csv")
rows = spark.range(0, 20000, 1, 4).selectExpr("CAST(id AS INT) AS id", "CAST(id AS STRING) AS name")
with table.lock(bench.name, folder / "locks"):
    print("writing", flush=True)
    done = table.written(spark, bench.target(mode), sources=[file])
    if not done:
        bench.write(mode, frame=rows, files=(file,))
frame = spark.table(bench.name)
print(json.dumps({"rows": frame.count(), "keys": frame.select("id").distinct().count()}), flush=True)
"""


def start(folder: Path, mode: str) -> subprocess.Popen[str]:
    process = apart.start(SCRIPT, folder, mode)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n", (folder / "stderr").read_text()
    return process


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["append", "overwrite", "merge"])
def test_a_killed_write_then_a_good_run(tmp_path: Path, mode: str) -> None:
    for _ in range(3):
        process = start(tmp_path, mode)
        time.sleep(random.uniform(0.5, 8))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()  # waits, and closes the pipe
    process = start(tmp_path, mode)
    told, _ = process.communicate(timeout=300)
    assert json.loads(told) == {"rows": 20000, "keys": 20000}
