"""The text frame: each part read with its own all-string schema, pinned, and joined by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from sluis.contract.names import CORRUPT, LINE, SOURCE
from sluis.landing.dialect import Dialect, spark_options
from sluis.landing.files import PATH_OF_ROW, Listed, escaped
from sluis.landing.model import Fault, Part, facts
from sluis.landing.pinned import check
from sluis.lexical.sql import identifier, string

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

COUNTED = 32 * 1024 * 1024
"""Bytes of a file up to which its lines are counted, as one text that is divided."""


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
    located: bool = False,
) -> DataFrame:
    """One frame with these columns, in this order, and `CORRUPT`, which carries the faults as schema metadata.

    `located` adds where each row stands, as `SOURCE` and `LINE`.
    `pinned` has every row checked against the manifest. What is only validated does not need it: files that change
    before they are read again are found then, and nothing was decided about them.
    """
    from pyspark.sql import functions as F

    frames = [
        _part(spark, files, part, dialect, pinned=pinned, located=located)
        for part in parts
        for files in _together([each for each in listed if each.file.path in part.files], part, located=located)
    ]
    joined = reduce(
        lambda one, other: one.unionByName(other, allowMissingColumns=True), frames or [_nothing(spark, columns)]
    )
    corrupt = F.col(CORRUPT).alias(
        CORRUPT, metadata=facts(faults, scanned=scanned, most_rows=_most_rows(listed, parts))
    )
    where = (SOURCE, LINE) if located else ()
    return joined.select(*(F.col(identifier(name)) for name in columns), corrupt, *where)


def _most_rows(listed: Sequence[Listed], parts: Sequence[Part]) -> int | None:
    """Each value is followed by a separator or a line end at least."""
    if any(each.file.path.endswith(".gz") for each in listed):
        return None
    return sum(
        each.file.size // max(len(part.header), 1) + 1
        for part in parts
        for each in listed
        if each.file.path in part.files
    )


def _together(files: list[Listed], part: Part, *, located: bool) -> list[list[Listed]]:
    """The files of a part, by whether they are counted by line, for which each has to fit into memory as a whole."""
    if not located:
        return [files]
    counted = [each for each in files if _is_counted(each, part)]
    return [group for group in (counted, [each for each in files if each not in counted]) if group]


def _is_counted(listed: Listed, part: Part) -> bool:
    return part.first_line is not None and listed.file.size <= COUNTED and not listed.file.path.endswith(".gz")


def _nothing(spark: SparkSession, columns: Sequence[str]) -> DataFrame:
    from pyspark.sql import functions as F

    return spark.range(0).select(*(F.lit(None).cast("string").alias(name) for name in (*columns, CORRUPT)))


def _part(
    spark: SparkSession, files: Sequence[Listed], part: Part, dialect: Dialect, *, pinned: bool, located: bool
) -> DataFrame:
    pin = check(files) if pinned else None
    if part.first_line is None:
        return _records(spark, files, part, dialect, pin, located=located)
    return _lines(spark, files, part, dialect, pin, located=located)


def _lines(
    spark: SparkSession, files: Sequence[Listed], part: Part, dialect: Dialect, pin: Column | None, *, located: bool
) -> DataFrame:
    """The files whose records are lines: the separator divides them, with nothing to interpret.

    Spark's CSV parser starts anew for every line and ends each with an exception; it takes up to twice the time of this
    (property-tested to give the same frame).
    """
    reader = spark.read.options(ignoreCorruptFiles="false", ignoreMissingFiles="false")
    counted = located and all(_is_counted(each, part) for each in files)
    lines = reader.text([escaped(each.file.path) for each in files], wholetext=counted)
    if pin is not None:
        lines = lines.filter(pin)
    where: tuple[str, ...] = ()
    if located:
        where = (SOURCE, LINE)
        lines = lines.selectExpr("value", f"{PATH_OF_ROW} AS {SOURCE}", f"CAST(NULL AS BIGINT) AS {LINE}")
    if counted:
        lines = _counted(lines)
    if dialect.header:
        # No other line of these files is the same.
        lines = lines.filter(f"value <> {string(part.first_line or '')}")
    fields = lines.selectExpr("value", *where, f"split(value, {string(re.escape(dialect.sep))}, -1) AS fields")
    values = (f"IF(get(fields, {place}) = '', NULL, get(fields, {place}))" for place in range(len(part.header)))
    named = (f"{value} AS {identifier(name)}" for value, name in zip(values, part.header, strict=True))
    return fields.selectExpr(*named, f"IF(size(fields) = {len(part.header)}, NULL, value) AS {CORRUPT}", *where)


def _counted(texts: DataFrame) -> DataFrame:
    """The lines of whole texts with their numbers; none is empty but what follows the last line end."""
    text = "IF(startswith(value, '\\uFEFF'), substring(value, 2), value)"
    lines = texts.selectExpr(SOURCE, f"posexplode(split({text}, '\\n', -1)) AS (place, value)").where("value <> ''")
    return lines.selectExpr("value", SOURCE, f"place + 1L AS {LINE}")


def _records(
    spark: SparkSession, files: Sequence[Listed], part: Part, dialect: Dialect, pin: Column | None, *, located: bool
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
    where = [F.expr(f"{PATH_OF_ROW} AS {SOURCE}"), F.expr(f"CAST(NULL AS BIGINT) AS {LINE}")] if located else []
    named = (value.alias(name) for value, name in zip(values, part.header, strict=True))
    return checked.select(*named, _value(F.col(CORRUPT), dialect).alias(CORRUPT), *where)


def _as_spark_decodes(name: str, dialect: Dialect) -> str:
    return name.encode(dialect.encoding, "replace").decode("latin-1") if dialect.mapping[0] else name


def _value(column: Column, dialect: Dialect) -> Column:
    """The text that stands in the file, where Spark gives something else for it."""
    from pyspark.sql import functions as F

    old, new = dialect.mapping
    if old:
        column = F.translate(column, old, new)
    return column
