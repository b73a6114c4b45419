"""Files that this process cannot see, or that are too large for it: looked at through Spark."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluis.landing.content import Opener, decompressed
from sluis.landing.dialect import Dialect
from sluis.landing.files import Listed, escaped
from sluis.landing.model import Fault, SourceFile
from sluis.landing.record import clean_line

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

FETCHED = 32 * 1024 * 1024
"""Bytes of a file that are worth bringing to this process; Spark Connect's messages hold four times that."""

HEAD = 100
"""Lines that are brought here to find the header of a larger one."""


def opener(spark: SparkSession, file: SourceFile) -> Opener:
    """The bytes of a file, or of its first lines when it is large, brought here by Spark."""
    if file.size <= FETCHED:
        rows = spark.read.format("binaryFile").load(escaped(file.path)).select("content").collect()
        content = bytes(rows[0][0]) if rows else b""
        return lambda: decompressed(io.BytesIO(content), file.path)
    from pyspark.sql import functions as F

    lines = spark.read.text(escaped(file.path)).select(F.col("value").cast("binary")).limit(HEAD).collect()
    head = b"".join(bytes(row[0]) + b"\n" for row in lines)
    return lambda: io.BytesIO(head)


def scan_lines(spark: SparkSession, listed: Sequence[Listed], dialect: Dialect, *, single: bool) -> list[Fault]:
    """What `scan.Scan` finds without multiLine, counted by Spark in one job over the lines of large files."""
    from pyspark.sql import functions as F

    reader = spark.read.option("ignoreCorruptFiles", "false").option("ignoreMissingFiles", "false")
    if dialect.line_sep:
        reader = reader.option("lineSep", dialect.line_sep)
    lines = reader.text([escaped(each.file.path) for each in listed])
    value = F.col("value")
    record = ~value.startswith(dialect.comment) if dialect.comment else F.lit(True)
    counts = lines.groupBy(F.col("_metadata.file_path").alias("uri")).agg(
        F.count_if(record & quotes_wrong(value, dialect)), F.count_if(record & white(value, single=single))
    )
    paths = {each.uri: each.file.path for each in listed}
    faults = []
    for uri, quotes, blank in counts.collect():
        told = (
            (quotes, "with a quote that is not by the letter, or a line break inside quotes"),
            (blank, "without text"),
        )
        for count, what in told:
            if count:
                noun = "line" if count == 1 else "lines"
                faults.append(Fault(kind="row_shape", message=f"{count} {noun} {what}", file=paths[uri]))
    return faults


def white(value: Column, *, single: bool) -> Column:
    """A line that Spark would skip although it could be a record."""
    low = value.rlike(r"\A[\x00-\x20]+\z")
    return (low | (value == "")) if single else low


def quotes_wrong(value: Column, dialect: Dialect) -> Column:
    """A line whose quotes are not by the letter; the cheap look comes first."""
    if not dialect.quote:
        return value.contains("\x00")
    return value.contains(dialect.quote) & ~value.rlike(clean_line(dialect))


def invalid_lines(spark: SparkSession, listed: Listed) -> int:
    """How many lines of a UTF-8 file hold bytes that are not UTF-8."""
    return spark.read.text(escaped(listed.file.path)).filter("not is_valid_utf8(value)").count()
