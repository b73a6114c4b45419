"""A table that is only looked at: one version of its rows, and what it has otherwise than its contract says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sluis.errors import EnvironmentFailure
from sluis.table import translate
from sluis.table.history import RECENT
from sluis.table.model import Target
from sluis.table.names import quote_table
from sluis.table.schema import TableState, find

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BRINGS_ROWS = frozenset({
    "WRITE", "MERGE", "UPDATE", "STREAMING UPDATE", "COPY INTO", "CREATE TABLE AS SELECT", "REPLACE TABLE AS SELECT",
    "CREATE OR REPLACE TABLE AS SELECT",
})  # fmt: skip
"""Delta's names for what brings new rows to a table."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A table at one of its versions."""

    state: TableState
    """What the catalog says of it."""

    version: int
    """The version that is read, however many passes that takes."""

    written: datetime | None
    """When rows last came to it (UTC); None when the latest commits do not tell."""

    rows: DataFrame
    """Its rows."""


def opened(spark: SparkSession, target: Target) -> Opened:
    """Open the table as it is now.

    Raises:
        EnvironmentFailure: there is no such table, or it cannot be read.
        SchemaError: the name belongs to a view, or to a table that is not Delta.
    """
    with translate.environment(target):
        state = find(spark, target)
        if state is None:
            raise EnvironmentFailure(
                f"There is no table {target.name} to test.",
                hint="its first `sluis run` makes it; or check the entity's target, --env and --var.",
            )
        table = quote_table(target.name)
        history = spark.sql(f"DESCRIBE HISTORY {table} LIMIT {RECENT}")
        commits = history.selectExpr("version", "unix_micros(timestamp) AS micros", "operation").collect()
        version = max(commit.version for commit in commits)
        brought = [commit.micros for commit in commits if commit.operation in BRINGS_ROWS]
        return Opened(
            state=state,
            version=version,
            written=_moment(max(brought)) if brought else None,
            # Without a version, Spark Connect would read the latest one anew in every pass.
            rows=spark.sql(f"SELECT * FROM {table} VERSION AS OF {version}"),
        )


def _moment(micros: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)


def remarks(state: TableState, target: Target) -> Iterator[str]:
    """What the table has otherwise than the contract says, and what breaks no rule about its rows, a line each."""
    found = {column.name: column for column in state.columns}
    for column in target.columns:
        there = found.pop(column.name, None)
        if there is None:
            continue
        if not column.nullable and there.nullable:
            yield f"Column {column.name} is required, and the table does not say NOT NULL."
        if column.nullable and not there.nullable:
            yield f"Column {column.name} may be NULL, and the table says NOT NULL: the next load is refused."
        if (column.comment or "") != (there.comment or ""):
            yield f"The comment of column {column.name} is {_quoted(there.comment)}, not {_quoted(column.comment)}."
    if found and target.allow_additional:
        yield f"The contract does not name the columns {', '.join(found)}, and allows others."


def _quoted(comment: str | None) -> str:
    return f"`{comment}`" if comment else "empty"
