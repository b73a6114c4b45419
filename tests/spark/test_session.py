"""Both engines run Delta, with the settings that Sluis counts on."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from apart import environment
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from sluis import installed, jvm, session


def test_delta_table_is_written_and_read(spark: SparkSession) -> None:
    table = f"t_{uuid.uuid4().hex}"
    spark.range(3).write.format("delta").saveAsTable(table)
    spark.range(2).write.format("delta").mode("append").saveAsTable(table)
    assert spark.table(table).count() == 5
    assert spark.sql(f"DESCRIBE HISTORY {table}").count() >= 2


def test_functions_make_columns_for_the_engine_at_hand(spark: SparkSession) -> None:
    assert spark.range(4).agg(F.sum(F.col("id"))).collect()[0][0] == 6


def test_ansi_is_on_and_the_time_zone_is_utc(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.ansi.enabled") == "true"
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"


def test_kind_of_session_is_told_apart(spark: SparkSession, engine: str) -> None:
    assert session.is_connect(spark) == (engine == "connect")
    assert session.is_local(spark) == (engine == "classic")


def fresh(state: Path, cache: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Start a session and write a table in a process of its own, whose JVM has never been seen."""
    return subprocess.run(
        [sys.executable, "-c", FRESH, str(state)],
        env={**environment(), "SLUIS_CACHE": str(cache), **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


FRESH = """
import sys
from pathlib import Path
from sluis import session
early = session.start_early(Path(sys.argv[1]), size_hint=10)
spark = early()
assert session.get(Path(sys.argv[1])) is spark
spark.range(3).write.format("delta").saveAsTable("t")
try:
    spark.sql("SELECT CAST('x' AS INT)").collect()
except Exception as error:
    print(type(error).__name__, end=" ")
print(spark.conf.get("spark.driver.extraJavaOptions"))
"""


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache of its own that has the jars and no archive."""
    folder = tmp_path / "cache"
    jars = installed.delta_jars()[0].parent
    shutil.copytree(jars, folder / "jars" / jars.name)
    return folder


@pytest.mark.slow
def test_fresh_process_is_quiet_and_the_next_one_uses_its_archive(tmp_path: Path, cache: Path) -> None:
    first = fresh(tmp_path / "one", cache)
    assert first.returncode == 0, first.stderr
    assert first.stderr == ""
    assert "NumberFormatException" in first.stdout
    assert "-XX:ArchiveClassesAtExit=" in first.stdout
    # The JVM writes after our process has ended.
    (part,) = (cache / "archives").iterdir()
    deadline = time.monotonic() + 120
    while not jvm._complete(part) and time.monotonic() < deadline:
        time.sleep(0.2)
    classes = tmp_path / "classes.%p.log"
    second = fresh(tmp_path / "two", cache, JAVA_TOOL_OPTIONS=f"-Xlog:class+load:file={classes}")
    assert second.returncode == 0, second.stderr
    assert second.stderr == ""
    assert "-XX:SharedArchiveFile=" in second.stdout
    longest = max(tmp_path.glob("classes.*.log"), key=lambda log: log.stat().st_size).read_text()
    shared = [line for line in longest.splitlines() if line.endswith("shared objects file (top)")]
    assert any("org.apache.spark.sql.delta.OptimisticTransaction " in line for line in shared)
    assert [path.suffix for path in (cache / "archives").iterdir()] == [".jsa"]


@pytest.mark.slow
def test_jvm_that_cannot_start_is_one_readable_failure(tmp_path: Path, cache: Path) -> None:
    done = fresh(tmp_path, cache, PYSPARK_SUBMIT_ARGS="--conf spark.driver.memory=lots pyspark-shell")
    assert done.returncode == 1
    said, hint = done.stderr.splitlines()[-2:]
    assert said.startswith("sluis.errors.EnvironmentFailure: Spark's JVM did not start: ")
    assert "lots" in said
    assert hint == f"Hint: See {tmp_path / 'spark.log'}."
