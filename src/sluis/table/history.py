"""The table's history: which version is ours and what it did."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sluis.table.model import Commit, Receipt, Target
from sluis.table.names import quote_table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECENT = 50
"""Commits among which a run looks for its own, made a moment ago."""

BOUND = 1000
"""Commits that are looked at for files written earlier."""

NO_DATA = frozenset({
    "CREATE TABLE", "ADD COLUMNS", "CHANGE COLUMN", "ADD CONSTRAINT", "DROP CONSTRAINT", "SET TBLPROPERTIES",
    "UNSET TBLPROPERTIES", "UPGRADE PROTOCOL", "CLUSTER BY",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Version:
    """One commit of the table."""

    number: int
    """Delta's version."""

    when: datetime
    """The commit's time, in this machine's zone, as Delta prints the time of a RESTORE."""

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
    # Every column: a selection would be one more plan, of which Spark makes code.
    lines = spark.sql(f"DESCRIBE HISTORY {quote_table(target.name)} LIMIT {limit}")
    return [
        Version(
            number=line.version,
            when=line.timestamp,
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


def by_run(versions: Sequence[Version], run_id: str) -> Version | None:
    """The commit of one run."""
    return next((version for version in versions if version.metadata.get("run_id") == run_id), None)


def receipt(target: Target, location: str, version: Version, versions: Sequence[Version], **more: bool) -> Receipt:
    """What a commit of ours did.

    Args:
        target: the table.
        location: where it is.
        version: the commit.
        versions: the commits around it, newest first.
        **more: further fields of the receipt.
    """
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


def nothing(target: Target, location: str, versions: Sequence[Version]) -> Receipt:
    """The receipt of a write without rows: Delta makes no commit for it."""
    latest = versions[0].number
    return Receipt(
        table=target.name,
        location=location,
        mode=target.mode,
        version_before=latest,
        version_after=latest,
        rows_written=0,
        rows_inserted=0,
        rows_updated=0,
        evidence_in_history=False,
    )


def live(versions: Sequence[Version]) -> list[Version]:
    """The commits that the table's present content descends from, newest first: RESTORE undoes the others."""
    kept: list[Version] = []
    below: int | None = None
    for version in versions:
        if below is not None and version.number > below:
            continue
        kept.append(version)
        if version.operation == "RESTORE":
            below = _restored_to(version, versions)
    return kept


def _restored_to(restore: Version, versions: Sequence[Version]) -> int:
    if number := restore.parameters.get("version"):
        return int(number)
    when = datetime.fromisoformat(restore.parameters["timestamp"])
    return max((version.number for version in versions if version.when <= when), default=-1)


def _before(version: Version, versions: Sequence[Version]) -> int | None:
    """The version under this one; None when the table had never held rows."""
    earlier = [other for other in versions if other.number < version.number]
    complete = version.number == 0 or (bool(earlier) and earlier[-1].number == 0)
    if complete and all(other.operation in NO_DATA for other in earlier):
        return None
    return version.number - 1


def _ours(text: str | None) -> Mapping[str, Any]:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) and "run_id" in value else {}
