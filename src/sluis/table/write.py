"""Typed rows into Delta: one commit, or nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from sluis.errors import ConflictError, EnvironmentFailure, SchemaError, SluisError
from sluis.table import faults, history, schema, translate
from sluis.table.merge import counted, marked, merge
from sluis.table.model import Commit, Receipt, Refusal, Target
from sluis.table.names import quote, quote_table
from sluis.table.schema import TableState

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Confirm = Callable[[], str | None]
"""Whether what was written is what was validated: None, or what differs."""

ATTEMPTS = 5
FIRST_PAUSE = 0.25


def write(
    spark: SparkSession, read: Callable[[], tuple[DataFrame, Confirm]], target: Target, commit: Commit
) -> Receipt | Refusal:
    """Write the rows in one Delta commit, creating or evolving the table first where it needs that.

    Args:
        spark: the session.
        read: gives the rows, anew for each attempt, and what is called after the commit: a text from it means that
            what was written is not what was validated. The rows are typed; the contract's columns by name, then
            additional ones as STRING where the contract allows them.
        target: the table and the mode.
        commit: what the table's history shall tell.

    Returns:
        The receipt, or the refusal when the rows break a rule of the table; then nothing was written.

    Raises:
        SchemaError: table and rows differ in a way that may not be evolved.
        SourceError: the rows' source changed after it was validated.
        ConflictError: another writer won every time.
        EnvironmentFailure: anything else that failed; also when the confirmation objected and the table was restored.
    """
    outcome, confirm = _retried(spark, read, target, commit)
    if isinstance(outcome, Receipt) and (objection := _objection(confirm)):
        raise EnvironmentFailure(f"{objection} {_undone(spark, target, outcome)}")
    return outcome


def _retried(
    spark: SparkSession, read: Callable[[], tuple[DataFrame, Confirm]], target: Target, commit: Commit
) -> tuple[Receipt | Refusal, Confirm]:
    attempt = 1
    while True:
        rows, confirm = read()
        try:
            return _attempt(spark, rows, target, commit), confirm
        except Exception as error:
            if isinstance(error, SluisError) or not faults.is_spark(error):
                raise
            if refusal := translate.refusal(error, target):
                return _told(refusal, spark, rows, target), confirm
            named = faults.conflict(error)
            if named is None:
                raise translate.failure(error, target) from error
            if attempt == ATTEMPTS:
                raise ConflictError(
                    f"Another writer of {target.name} won {ATTEMPTS} times: {named}. Nothing was written."
                ) from error
        time.sleep(FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1.0))
        attempt += 1


def _attempt(spark: SparkSession, rows: DataFrame, target: Target, commit: Commit) -> Receipt:
    state = _prepared(spark, rows, target)
    since = _committed(spark, _aligned(rows, state), target, history.user_metadata(commit, target))
    versions = history.read(spark, target, limit=history.RECENT)
    version = history.by_run(versions, commit.run_id) if since is None else _unmarked(versions, since, target)
    if version is None:
        return history.nothing(target, state.location, versions)
    return history.receipt(target, state.location, version, versions, evidence_in_history=since is None)


def _prepared(spark: SparkSession, rows: DataFrame, target: Target) -> TableState:
    """The table, created or evolved to hold these rows."""
    extra = _additional(rows, target)
    state = schema.find(spark, target)
    absent = schema.missing(state, target, extra)
    if state is not None and not absent:
        return state
    if state is None:
        schema.create(spark, target, absent)
    else:
        schema.evolve(spark, target, absent)
    # Looked at again: another run may have made the table in between, from another contract.
    state = schema.find(spark, target)
    if state is None or schema.missing(state, target, extra):
        raise EnvironmentFailure(f"{target.name} did not take the columns {[column.name for column in absent]}.")
    return state


def _additional(rows: DataFrame, target: Target) -> tuple[str, ...]:
    known = [column.name for column in target.columns]
    have = rows.columns  # one call: on Connect it may be a request
    extra = tuple(name for name in have if name not in known)
    if not set(known) <= set(have) or (extra and not target.allow_additional):
        raise SchemaError(f"The rows for {target.name} have the columns {have} and the contract has {known}.")
    return extra


def _aligned(rows: DataFrame, state: TableState) -> DataFrame:
    """The rows with exactly the table's columns, in its order; what they lack is NULL."""
    from pyspark.sql import functions as F

    have = set(rows.columns)
    return rows.select(
        *(
            F.col(quote(column.name)) if column.name in have else F.lit(None).cast(column.type).alias(column.name)
            for column in state.columns
        )
    )


def _committed(spark: SparkSession, rows: DataFrame, target: Target, metadata: str) -> int | None:
    """Commit; when the session did not let us mark the commit, the latest version before it."""
    from pyspark.sql import functions as F

    writer = rows.writeTo(quote_table(target.name)).option("userMetadata", metadata)
    if target.mode == "overwrite":
        # By expression: `saveAsTable` would replace the table, this only replaces its rows.
        writer.overwrite(F.lit(True))
    elif target.mode == "append" and not target.primary_key:
        writer.append()
    else:
        with marked(spark, metadata) as carries:
            before = None if carries else history.read(spark, target, limit=1)[0].number
            merge(rows, target)
        return before
    return None


def _unmarked(versions: list[history.Version], since: int, target: Target) -> history.Version | None:
    """Our merge, when it could not be marked: the only one since."""
    merges = [version for version in versions if version.number > since and version.operation == "MERGE"]
    if len(merges) > 1:
        numbers = [version.number for version in merges]
        raise EnvironmentFailure(
            f"{target.name} was written, but which of the versions {numbers} is ours is not known."
        )
    return merges[0] if merges else None


def _told(refusal: Refusal, spark: SparkSession, rows: DataFrame, target: Target) -> Refusal:
    if refusal.kind != "existing_keys":
        return refusal
    with translate.environment(target):
        return counted(refusal, spark, rows, target)


def _objection(confirm: Confirm) -> str | None:
    try:
        return confirm()
    except Exception as error:  # a check that cannot be made has not passed
        return f"What was written could not be compared with what was validated: {error}"


def _undone(spark: SparkSession, target: Target, receipt: Receipt) -> str:
    """Put the version before back, if ours is still the latest; tell what happened."""
    mine = receipt.version_after
    if receipt.version_before == mine:
        return "Nothing had been written."
    with translate.environment(target):
        latest = history.read(spark, target, limit=1)[0].number
        if latest != mine:
            return f"{target.name} could not be restored: version {latest} was made after ours ({mine})."
        spark.sql(f"RESTORE TABLE {quote_table(target.name)} TO VERSION AS OF {mine - 1}")
    return f"{target.name} was restored to version {mine - 1}; ours was {mine}."
