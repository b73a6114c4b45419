"""The Spark session: the one Databricks gives, Spark Connect, or a local one with Delta."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DELTA = "io.delta:delta-spark_4.2_2.13:4.4.0"


def delta_jars() -> list[str]:
    """Jars that an earlier start resolved through Ivy; empty on a machine that never started."""
    folder = str(Path.home() / ".ivy2.5.2" / "jars")
    names = ("io.delta_*.jar", "io.unitycatalog_*.jar", "*jackson-datatype-jdk8*.jar")
    return sorted(path for name in names for path in glob.glob(f"{folder}/{name}"))


def settings(warehouse: Path) -> dict[str, str]:
    """What every session of ours is started with."""
    return {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(warehouse),
        "spark.sql.shuffle.partitions": "4",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "2g",
        "spark.driver.extraClassPath": os.pathsep.join(delta_jars()),
    }


def local(warehouse: Path) -> SparkSession:
    """A local session with Delta."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("sluis")
    for key, value in settings(warehouse).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
