"""Typed rows into Delta: one commit, or nothing."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING

from sluis.errors import ConflictError, EnvironmentFailure, SchemaError
from sluis.table import faults, history, schema
from sluis.table.model import Commit, Receipt, Refusal, Target
from sluis.table.names import quote, quote_table

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

ATTEMPTS = 5
ROWS = "__sluis_rows"
KEY_EXISTS = "SLUIS_KEY_EXISTS"
METADATA_CONF = "spark.databricks.delta.commitInfo.userMetadata"
EXAMPLES = 20

# The conf that marks a merge belongs to the session: two merges of one process take turns.
_marking = threading.Lock()


def write(
    spark: SparkSession, rows: DataFrame, target: Target, commit: Commit, *, confirm: Callable[[], str | None]
) -> Receipt | Refusal:
    """Write the rows in one Delta commit.

    Args:
        spark: the session.
        rows: typed; columns are matched by name.
        target: the table and the mode.
        commit: what the table's history shall tell.
        confirm: called after the commit; a text means that what was written is not what was validated.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _attempt(spark, rows, target, commit)
        except Exception as error:
            named = faults.conflict(error)
            if named is None:
                raise
            if attempt == ATTEMPTS:
                raise ConflictError(
                    f"Another writer of {target.name} kept winning: {named}, {ATTEMPTS} times."
                ) from error
            time.sleep(random.uniform(0.2, 0.5) * 2**attempt)
    raise AssertionError("unreachable")


def _attempt(spark: SparkSession, rows: DataFrame, target: Target, commit: Commit) -> Receipt | Refusal:
    state = _prepared(spark, rows, target)
    marked = _commit(spark, _aligned(rows, state), target, history.user_metadata(commit, target))
    versions = history.read(spark, target, limit=history.RECENT)
    version = history.by_run(versions, commit.run_id)
    assert version is not None
    return history.receipt(target, state.location, version, versions, evidence_in_history=marked)


def _prepared(spark: SparkSession, rows: DataFrame, target: Target) -> schema.TableState:
    """The table, created or evolved to hold these rows."""
    known = {column.name for column in target.columns}
    extra = tuple(name for name in rows.columns if name not in known)
    if extra and not target.allow_additional:
        raise SchemaError(f"The rows for {target.name} carry columns that its contract does not name: {list(extra)}")
    state = schema.find(spark, target)
    if state is None:
        schema.create(spark, target, extra)
    elif absent := schema.missing(state, target, extra):
        schema.evolve(spark, target, absent)
    else:
        return state
    state = schema.find(spark, target)
    if state is None:
        raise EnvironmentFailure(f"{target.name} was created and is not there.")
    schema.missing(state, target, extra)
    return state


def _aligned(rows: DataFrame, state: schema.TableState) -> DataFrame:
    """The rows with exactly the table's columns, in its order; what they lack is NULL."""
    from pyspark.sql import functions as F

    have = set(rows.columns)
    return rows.select(
        *(
            F.col(quote(column.name)) if column.name in have else F.lit(None).cast(column.type).alias(column.name)
            for column in state.columns
        )
    )


def _commit(spark: SparkSession, rows: DataFrame, target: Target, metadata: str) -> bool:
    """Write; tell whether the commit carries our metadata."""
    from pyspark.sql import functions as F

    table = quote_table(target.name)
    if target.mode == "overwrite":
        # By expression: `saveAsTable` would replace the table, this only replaces its rows.
        rows.writeTo(table).option("userMetadata", metadata).overwrite(F.lit(True))
        return True
    if target.mode == "append" and not target.primary_key:
        rows.writeTo(table).option("userMetadata", metadata).append()
        return True
    with _marked(spark, metadata) as marked:
        _merge(rows, target)
    return marked


def _merge(rows: DataFrame, target: Target) -> None:
    from pyspark.sql import functions as F

    keys = target.merge_key if target.mode == "merge" else target.primary_key
    table = quote_table(target.name)
    same = [F.col(f"{table}.{quote(key)}") == F.col(f"{ROWS}.{quote(key)}") for key in keys]
    matching: Column = reduce(lambda left, right: left & right, same)
    # Column by column: `updateAll` and `insertAll` fail on names that hold a backtick (Delta 4.4).
    every = {quote(name): F.col(f"{ROWS}.{quote(name)}") for name in rows.columns}
    existing = every if target.mode == "merge" else {quote(keys[0]): F.raise_error(F.lit(KEY_EXISTS))}
    merge = rows.alias(ROWS).mergeInto(table, matching)
    merge.whenMatched().update(existing).whenNotMatched().insert(every).merge()


@contextmanager
def _marked(spark: SparkSession, metadata: str) -> Iterator[bool]:
    from pyspark.errors import PySparkException

    with _marking:
        before = spark.conf.get(METADATA_CONF, None)
        try:
            spark.conf.set(METADATA_CONF, metadata)
        except PySparkException:  # serverless may refuse the conf; the run record then holds the evidence
            yield False
            return
        try:
            yield True
        finally:
            if before is None:
                spark.conf.unset(METADATA_CONF)
            else:
                spark.conf.set(METADATA_CONF, before)
