"""The table's history: which version is ours, what it did, which files are in the table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluis.table.model import Commit, Receipt, Target
from sluis.table.names import quote_table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECENT = 50
BOUND = 1000
NO_DATA = frozenset({"CREATE TABLE", "ADD COLUMNS", "SET TBLPROPERTIES", "CHANGE COLUMN", "ADD CONSTRAINT"})


@dataclass(frozen=True, kw_only=True)
class Version:
    """One commit of the table."""

    number: int
    """Delta's version."""

    operation: str
    """Delta's name for what happened."""

    parameters: Mapping[str, str]
    """Delta's arguments of the operation."""

    metrics: Mapping[str, str]
    """Delta's counts."""

    metadata: Mapping[str, Any]
    """What we wrote with the commit; empty for the commits of others."""


def read(spark: SparkSession, target: Target, *, limit: int) -> list[Version]:
    """The latest commits, newest first."""
    lines = spark.sql(f"DESCRIBE HISTORY {quote_table(target.name)} LIMIT {limit}").select(
        "version", "operation", "operationParameters", "operationMetrics", "userMetadata"
    )
    return [
        Version(
            number=line.version,
            operation=line.operation,
            parameters=line.operationParameters or {},
            metrics=line.operationMetrics or {},
            metadata=_ours(line.userMetadata),
        )
        for line in lines.collect()
    ]


def user_metadata(commit: Commit, target: Target) -> str:
    """The text that a commit of ours carries."""
    return json.dumps({**commit.metadata, "run_id": commit.run_id, "mode": target.mode}, ensure_ascii=False)


def by_run(versions: list[Version], run_id: str) -> Version | None:
    """The commit of one run."""
    return next((version for version in versions if version.metadata.get("run_id") == run_id), None)


def receipt(target: Target, location: str, version: Version, versions: list[Version], **more: bool) -> Receipt:
    """What a commit of ours did."""
    updated = int(version.metrics.get("numTargetRowsUpdated", 0))
    inserted = int(version.metrics.get("numTargetRowsInserted", version.metrics.get("numOutputRows", 0)))
    return Receipt(
        table=target.name,
        location=location,
        mode=version.metadata.get("mode", target.mode),
        version_before=_before(version, versions),
        version_after=version.number,
        rows_written=inserted + updated,
        rows_inserted=inserted,
        rows_updated=updated,
        **more,
    )


def _before(version: Version, versions: list[Version]) -> int | None:
    earlier = [other for other in versions if other.number < version.number]
    reaches_start = not earlier or earlier[-1].number == 0
    if reaches_start and all(other.operation in NO_DATA for other in earlier):
        return None
    return version.number - 1


def _ours(text: str | None) -> Mapping[str, Any]:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) and "run_id" in value else {}
