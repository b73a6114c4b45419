"""The check, inside Spark's own plan, that every row comes from a file of the manifest as it was."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from typing import TYPE_CHECKING

from sluis.landing.files import Listed
from sluis.landing.model import SourceFile

if TYPE_CHECKING:
    from pyspark.sql import Column

CHANGED = "SLUIS_SOURCE_CHANGED"
"""Begins the message that Spark raises when a row comes from another file than was validated."""

FEW = 5
"""Files up to which comparing one by one is cheaper than Spark's look-up in a set of joined keys."""


def millis(file: SourceFile) -> int:
    """The modification time as milliseconds since 1970."""
    return round(datetime.fromisoformat(file.modified).timestamp() * 1000)


def check(manifest: Iterable[Listed]) -> Column:
    """True for a row of a pinned file, an error for any other; to be used as a filter.

    The partition id makes the condition nondeterministic: Spark neither pushes it into the listing of the files,
    where it would drop files without a word, nor prunes it with the columns that a query does not use.
    """
    from pyspark.sql import functions as F

    pinned = list(manifest)
    meta = F.col("_metadata")
    size, time, path = meta["file_size"], F.unix_millis(meta["file_modification_time"]), meta["file_path"]
    key = F.concat_ws("|", size.cast("string"), time.cast("string"), path)
    if len(pinned) <= FEW:
        each = [(size == one.file.size) & (time == millis(one.file)) & (path == one.uri) for one in pinned]
        known = reduce(lambda one, other: one | other, each)
    else:
        known = key.isin([f"{one.file.size}|{millis(one.file)}|{one.uri}" for one in pinned])
    changed = F.raise_error(F.concat(F.lit(f"{CHANGED} "), key))
    return F.when(known, F.spark_partition_id() >= 0).otherwise(changed)
