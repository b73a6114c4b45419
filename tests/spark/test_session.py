"""Both engines run Delta, with the settings that Sluis counts on."""

from __future__ import annotations

import uuid

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from sluis import session


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
