"""Rows into a table by key: update and insert, or insert only."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from sluis.table.model import Refusal, Target
from sluis.table.names import quote, quote_table
from sluis.table.translate import KEY_EXISTS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

ROWS = "__sluis_rows"
EXAMPLES = 20
METADATA_CONF = "spark.databricks.delta.commitInfo.userMetadata"

# The conf that marks a merge belongs to the session: the merges of one process take turns.
_marking = threading.Lock()


def merge(rows: DataFrame, target: Target) -> None:
    """Update and insert under `merge`; under `append` insert, and raise when a key exists."""
    from pyspark.sql import functions as F

    keys = target.merge_key if target.mode == "merge" else target.primary_key
    # Column by column: `updateAll` and `insertAll` fail on names that hold a backtick (Delta 4.4).
    every = {quote(name): F.col(f"{ROWS}.{quote(name)}") for name in rows.columns}
    existing = every if target.mode == "merge" else {quote(keys[0]): F.raise_error(F.lit(KEY_EXISTS))}
    statement = rows.alias(ROWS).mergeInto(quote_table(target.name), _same_key(quote_table(target.name), keys))
    statement.whenMatched().update(existing).whenNotMatched().insert(every).merge()


@contextmanager
def marked(spark: SparkSession, metadata: str) -> Iterator[bool]:
    """Have the commits in this block carry the metadata; yields whether the session let us."""
    from pyspark.errors import PySparkException

    with _marking:
        before = spark.conf.get(METADATA_CONF, None)
        try:
            spark.conf.set(METADATA_CONF, metadata)
        except PySparkException:  # serverless may refuse the conf: the run record then holds the evidence alone
            yield False
            return
        try:
            yield True
        finally:
            if before is None:
                spark.conf.unset(METADATA_CONF)
            else:
                spark.conf.set(METADATA_CONF, before)


def counted(refusal: Refusal, spark: SparkSession, rows: DataFrame, target: Target) -> Refusal:
    """The refusal with how many keys exist and some of them; one query, run only after the merge has failed."""
    from pyspark.sql import functions as F

    keys = target.primary_key
    table = spark.table(quote_table(target.name))
    # Per partition, for want of a first-n aggregate: the position is the lower half of the id.
    position = F.monotonically_increasing_id().bitwiseAND(F.lit((1 << 33) - 1))
    text = F.struct(*(F.col(f"{ROWS}.{quote(key)}").cast("string").alias(f"k{n}") for n, key in enumerate(keys)))
    found = (
        rows.alias(ROWS)
        .join(table, _same_key(quote_table(target.name), keys), "left_semi")
        .select(text.alias("key"), position.alias("position"))
        .agg(F.count("*").alias("n"), F.collect_list(F.when(F.col("position") < EXAMPLES, F.col("key"))).alias("keys"))
        .collect()[0]
    )
    examples = sorted(found["keys"])[:EXAMPLES]
    named = ", ".join(keys)
    return replace(
        refusal,
        message=f"{found['n']} rows have a key ({named}) that exists in {target.name}.",
        count=found["n"],
        examples=tuple(dict(zip(keys, key, strict=True)) for key in examples),
    )


def _same_key(table: str, keys: Sequence[str]) -> Column:
    from pyspark.sql import functions as F

    same = [F.col(f"{table}.{quote(key)}") == F.col(f"{ROWS}.{quote(key)}") for key in keys]
    return reduce(lambda left, right: left & right, same)
