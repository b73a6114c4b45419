"""The text frame: each part read with its own all-string schema, pinned, and joined by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from sluis.contract.names import CORRUPT
from sluis.landing.dialect import Dialect, spark_options
from sluis.landing.files import Listed, escaped
from sluis.landing.model import Fault, Part, facts
from sluis.landing.pinned import check

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


def quoted(name: str) -> str:
    """A column name as Spark's parser takes it, dots and backticks included."""
    return "`" + name.replace("`", "``") + "`"


def build(
    spark: SparkSession,
    listed: Sequence[Listed],
    parts: Sequence[Part],
    *,
    columns: Sequence[str],
    dialect: Dialect,
    faults: tuple[Fault, ...],
    scanned: bool,
    pinned: bool,
) -> DataFrame:
    """One frame with these columns, in this order, and `CORRUPT`, which carries the faults as schema metadata.

    `pinned` has every row checked against the manifest. It costs a tenth of a pass, so only what is written has it:
    files that change before they are read again are found then, and nothing was decided about them.
    """
    from pyspark.sql import functions as F

    frames = [_part(spark, listed, part, dialect, pinned=pinned) for part in parts] or [_nothing(spark, columns)]
    joined = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames)
    corrupt = F.col(CORRUPT).alias(CORRUPT, metadata=facts(faults, scanned=scanned))
    return joined.select(*(F.col(quoted(name)) for name in columns), corrupt)


def _nothing(spark: SparkSession, columns: Sequence[str]) -> DataFrame:
    from pyspark.sql import functions as F

    return spark.range(0).select(*(F.lit(None).cast("string").alias(name) for name in (*columns, CORRUPT)))


def _part(spark: SparkSession, listed: Sequence[Listed], part: Part, dialect: Dialect, *, pinned: bool) -> DataFrame:
    from pyspark.sql import functions as F
    from pyspark.sql.types import StringType, StructField, StructType

    files = [each for each in listed if each.file.path in part.files]
    # Spark compares the header with these names, so they are spelled as it decodes them.
    names = [_as_spark_decodes(name, dialect) for name in part.header]
    schema = StructType([StructField(name, StringType()) for name in (*names, CORRUPT)])
    reader = (
        spark.read.format("csv")
        .schema(schema)
        .options(**spark_options(dialect, columns=len(names), line_end=part.line_end))
    )
    frame = reader.option("columnNameOfCorruptRecord", CORRUPT).load([escaped(each.file.path) for each in files])
    values = [_value(F.col(quoted(name)), dialect) for name in names]
    checked = frame.filter(check(files)) if pinned else frame
    return checked.select(*(value.alias(name) for value, name in zip(values, part.header, strict=True)), F.col(CORRUPT))


def _as_spark_decodes(name: str, dialect: Dialect) -> str:
    return name.encode(dialect.encoding, "replace").decode("latin-1") if dialect.mapping[0] else name


def _value(column: Column, dialect: Dialect) -> Column:
    """The text that stands in the file, where Spark gives something else for it."""
    from pyspark.sql import functions as F

    old, new = dialect.mapping
    if old:
        column = F.translate(column, old, new)
    return column
