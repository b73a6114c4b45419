"""Both engines run Delta."""

from __future__ import annotations

from pyspark.sql import SparkSession


def test_delta_table_is_written_and_read(spark: SparkSession, engine: str) -> None:
    spark.range(3).write.format("delta").mode("overwrite").saveAsTable(f"t_session_{engine}")
    assert spark.table(f"t_session_{engine}").count() == 3
