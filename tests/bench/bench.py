"""Sluis against a plain typed copy and the usual hand-written checks: wall and CPU, as ratios, and Spark jobs.

    uv run --all-extras python tests/bench/bench.py [ROWS …]

The data is made from a seed. Everything runs in one process and in turns, so that all meet the same machine; read
the ratios of the medians, absolute times of a shared machine mean nothing.
"""

from __future__ import annotations

import json
import logging
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import psutil
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from sluis import pipeline, session, workspace
from sluis.course import Options

ROUNDS = 5
SIZES = (100_000, 1_000_000, 2_000_000)
HEADER = "order_id,customer,email,quantity,price,country,ordered,updated,active,note"
TYPED = (
    "order_id BIGINT, customer STRING, email STRING, quantity INT, price DOUBLE, country STRING,"
    " ordered DATE, updated TIMESTAMP, active BOOLEAN, note STRING"
)
COUNTRIES = ["NL", "BE", "DE", "FR", "UK"]


def make_data(path: Path, rows: int) -> None:
    """Write a CSV of ten columns; the same bytes for the same number of rows."""
    dice = random.Random(7)
    with path.open("w") as file:
        file.write(HEADER + "\n")
        for number in range(1, rows + 1):
            day = f"2025-{dice.randrange(1, 13):02d}-{dice.randrange(1, 29):02d}"
            note = "" if dice.random() < 0.3 else f"note {dice.randrange(1000)}"
            file.write(
                f"{number},C{dice.randrange(10**5):06d},user{dice.randrange(10**6)}@example.com,{dice.randrange(1, 100)},"
                f"{dice.randrange(100, 99999) / 100},{dice.choice(COUNTRIES)},{day},{day}T{dice.randrange(24):02d}:"
                f"{dice.randrange(60):02d}:{dice.randrange(60):02d},{dice.choice(['true', 'false'])},{note}\n"
            )


def make_project(root: Path, data: Path) -> workspace.Workspace:
    """A project with one entity: the column set, nine required columns, five typed ones, enum, bound, pattern, key."""
    types = {"order_id": "long", "quantity": "integer", "price": "double", "ordered": "date", "updated": "timestamp"}
    types["active"] = "boolean"
    columns: list[dict[str, object]] = [
        {"name": name, "type": types.get(name, "string"), "nullable": name == "note"} for name in HEADER.split(",")
    ]
    by_name = {str(column["name"]): column for column in columns}
    by_name["country"]["enum"] = COUNTRIES
    by_name["quantity"]["minimum"] = 1
    by_name["email"]["pattern"] = "@"
    contract = {"contract_name": "orders", "version": "1", "columns": columns, "primary_key": ["order_id"]}
    entity = {"source": str(data), "target": "spark_catalog.bench.orders", "format": "csv", "mode": "overwrite"}
    (root / "contracts").mkdir(parents=True)
    (root / "contracts/orders.json").write_text(json.dumps(contract))
    (root / "contracts/entities.json").write_text(
        json.dumps({"orders": {**entity, "contract": "contracts/orders.json"}})
    )
    opened = workspace.open_workspace(root)
    workspace.generate(opened)
    return opened


def plain_copy(spark: SparkSession, data: Path, folder: Path) -> None:
    """What people write who check nothing."""
    frame = spark.read.schema(TYPED).option("header", True).csv(str(data))
    frame.write.format("delta").mode("overwrite").save(str(folder / "plain"))


def hand_written(spark: SparkSession, data: Path, folder: Path) -> None:
    """What people write who check by hand: a query per rule, then the write."""
    frame = spark.read.option("header", True).csv(str(data))
    assert frame.columns == HEADER.split(",")
    problems = []
    for name in [name for name in frame.columns if name != "note"]:
        problems.append(frame.filter(F.col(name).isNull() | (F.trim(name) == "")).count())
    for name, kind in (("order_id", "bigint"), ("quantity", "int"), ("price", "double"), ("ordered", "date")):
        problems.append(frame.filter(F.col(name).try_cast(kind).isNull()).count())
    problems.append(frame.filter(F.col("updated").try_cast("timestamp").isNull()).count())
    problems.append(frame.filter(~F.col("country").isin(COUNTRIES)).count())
    problems.append(frame.filter(F.col("quantity").try_cast("int") < 1).count())
    problems.append(frame.filter(~F.col("email").rlike("@")).count())
    problems.append(frame.groupBy("order_id").count().filter("`count` > 1").count())
    assert not any(problems)
    assert frame.count() > 0
    casts = [F.col(field.split()[0]).cast(field.split()[1]) for field in TYPED.split(", ")]
    frame.select(*casts).write.format("delta").mode("overwrite").save(str(folder / "hand"))


class Meter:
    """Wall, CPU (this process and its JVM) and Spark jobs of what runs inside."""

    def __init__(self, spark: SparkSession) -> None:
        """Watch this process, its children and the jobs of a session."""
        self._tracker = spark.sparkContext.statusTracker()
        here = psutil.Process()
        self._processes = [here, *here.children(recursive=True)]

    def __call__(self, work: Callable[[], object]) -> tuple[float, float, int]:
        """Seconds of wall, seconds of CPU, jobs."""
        wall, cpu, jobs = time.perf_counter(), self._cpu(), self._jobs()
        work()
        return time.perf_counter() - wall, self._cpu() - cpu, self._jobs() - jobs

    def _cpu(self) -> float:
        return sum(times.user + times.system for times in (process.cpu_times() for process in self._processes))

    def _jobs(self) -> int:
        return max(self._tracker.getJobIdsForGroup(None), default=-1) + 1


def measure(spark: SparkSession, rows: int, root: Path) -> None:
    """Run the three in turns and print the medians as ratios to the plain copy."""
    data = root / f"orders_{rows}.csv"
    make_data(data, rows)
    opened = make_project(root / f"project_{rows}", data)
    entity = opened.settings.entity("orders")
    options = Options(state=root / "state", force=True)

    def gate() -> None:
        record = pipeline.run(opened, entity, options)
        assert record["verdict"] == "PASSED", record["reasons"]

    contenders: dict[str, Callable[[], object]] = {
        "plain typed copy": lambda: plain_copy(spark, data, root),
        "sluis run": gate,
        "hand-written": lambda: hand_written(spark, data, root),
    }
    meter = Meter(spark)
    seen: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    for turn in range(ROUNDS + 1):
        for name, work in contenders.items():
            result = meter(work)
            if turn:  # the first turn warms up
                seen[name].append(result)
    base = [statistics.median(column) for column in zip(*seen["plain typed copy"], strict=True)]
    for name, results in seen.items():
        wall, cpu, jobs = (statistics.median(column) for column in zip(*results, strict=True))
        print(
            f"{rows:>9,}  {name:<18} {wall / base[0]:>6.2f} {cpu / base[1]:>6.2f} {jobs:>6.0f}   ({wall:.2f} s, {cpu:.2f} s)"
        )


def main() -> None:
    """Measure every size."""
    logging.getLogger("sluis").setLevel(logging.ERROR)
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as folder:
        spark = session.get(Path(folder) / "state")
        print(
            f"{'rows':>9}  {'':<18} {'wall':>6} {'CPU':>6} {'jobs':>6}   (medians of {ROUNDS}, ratio to the plain copy)"
        )
        for rows in sizes:
            measure(spark, rows, Path(folder))


if __name__ == "__main__":
    main()
