"""The text frame: each part read with its own all-string schema, pinned, and joined by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from sluis.contract.names import CORRUPT
from sluis.landing.dialect import Dialect, spark_options
from sluis.landing.files import Listed, escaped
from sluis.landing.model import Fault, Part, facts
from sluis.landing.pinned import check
from sluis.lexical.sql import identifier, string

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


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
    return joined.select(*(F.col(identifier(name)) for name in columns), corrupt)


def _nothing(spark: SparkSession, columns: Sequence[str]) -> DataFrame:
    from pyspark.sql import functions as F

    return spark.range(0).select(*(F.lit(None).cast("string").alias(name) for name in (*columns, CORRUPT)))


def _part(spark: SparkSession, listed: Sequence[Listed], part: Part, dialect: Dialect, *, pinned: bool) -> DataFrame:
    files = [each for each in listed if each.file.path in part.files]
    pin = check(files) if pinned else None
    if part.first_line is None:
        return _records(spark, files, part, dialect, pin)
    return _lines(spark, files, part, dialect, pin)


def _lines(spark: SparkSession, files: Sequence[Listed], part: Part, dialect: Dialect, pin: Column | None) -> DataFrame:
    """The files whose records are lines: the separator divides them, with nothing to interpret.

    Spark's CSV parser starts anew for every line and ends each with an exception; it takes up to twice the time of this
    (property-tested to give the same frame).
    """
    reader = spark.read.options(ignoreCorruptFiles="false", ignoreMissingFiles="false")
    lines = reader.text([escaped(each.file.path) for each in files])
    if pin is not None:
        lines = lines.filter(pin)
    if dialect.header:
        # No other line of these files is the same.
        lines = lines.filter(f"value <> {string(part.first_line or '')}")
    fields = lines.selectExpr("value", f"split(value, {string(re.escape(dialect.sep))}, -1) AS fields")
    values = (f"IF(get(fields, {place}) = '', NULL, get(fields, {place}))" for place in range(len(part.header)))
    named = (f"{value} AS {identifier(name)}" for value, name in zip(values, part.header, strict=True))
    return fields.selectExpr(*named, f"IF(size(fields) = {len(part.header)}, NULL, value) AS {CORRUPT}")


def _records(
    spark: SparkSession, files: Sequence[Listed], part: Part, dialect: Dialect, pin: Column | None
) -> DataFrame:
    from pyspark.sql import functions as F
    from pyspark.sql.types import StringType, StructField, StructType

    # Spark compares the header with these names, so they are spelled as it decodes them.
    names = [_as_spark_decodes(name, dialect) for name in part.header]
    schema = StructType([StructField(name, StringType()) for name in (*names, CORRUPT)])
    reader = (
        spark.read.format("csv")
        .schema(schema)
        .options(**spark_options(dialect, columns=len(names), line_end=part.line_end))
    )
    frame = reader.option("columnNameOfCorruptRecord", CORRUPT).load([escaped(each.file.path) for each in files])
    values = [_value(F.col(identifier(name)), dialect) for name in names]
    checked = frame if pin is None else frame.filter(pin)
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
