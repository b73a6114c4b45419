"""The table beside a target that keeps the rows which broke their contract, and which of them count.

Rows come to it before the target is written, as `pending`. The commit of the run in the target's history is what makes
them count: `settle` looks for it and marks them `open`. A later commit of the same file, or one that replaced all rows
of the target, makes them `superseded`. Nothing is deleted, so no run can take away what another is about to settle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sluis.table import history, schema, translate
from sluis.table.history import Version
from sluis.table.model import Target, TargetColumn
from sluis.table.names import quote_table
from sluis.table.written import replaces

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Status = Literal["pending", "open", "superseded"]

SUFFIX = "_quarantine"

OWN = (
    TargetColumn(name="_run_id", type="STRING", nullable=False, comment="The run that kept the row out"),
    TargetColumn(
        name="_status",
        type="STRING",
        nullable=False,
        comment="open: it counts; pending: its run has not ended; superseded: a later load took its place",
    ),
    TargetColumn(name="_superseded_by", type="STRING", comment="The run that took its place"),
    TargetColumn(name="_rules", type="ARRAY<STRING>", comment="The rules that the row breaks"),
    TargetColumn(name="_source", type="STRING", comment="The file that it stands in"),
    TargetColumn(name="_line", type="BIGINT", comment="Its line in that file, where that could be told"),
    TargetColumn(name="_kept_out_at", type="TIMESTAMP", comment="When it was kept out"),
    TargetColumn(name="_contract_version", type="STRING", comment="The version of the contract that it breaks"),
    TargetColumn(name="_contract_fingerprint", type="STRING", comment="Which document that is"),
    TargetColumn(name="_raw", type="STRING", comment="The whole row, where it does not fit the header"),
)
"""What the table tells of each row beside its text. A column that must be there tells it from a table of another."""

SENSITIVE = "Sensitive."
"""Begins the comment of a column that holds original texts which may not be shown."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Rows of one run and one file that are not superseded."""

    run_id: str
    """The run."""

    source: str | None
    """The file; None where a caller read the frame."""

    status: str
    """What they are marked as."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """A commit that brought rows to the target."""

    run_id: str | None
    """The run; None for a commit of others."""

    sources: frozenset[str]
    """Paths of the files it brought."""

    replaces: bool
    """Whether all rows before it are gone."""


def taken(columns: Iterable[str]) -> list[str]:
    """The columns whose names the quarantine needs for its own; names are compared without case, as Delta does."""
    own = {column.name for column in OWN}
    return [name for name in columns if name.lower() in own]


def beside(target: Target, texts: Mapping[str, str], sensitive: Collection[str]) -> Target:
    """The quarantine of a target.

    Args:
        target: The target.
        texts: Column of the contract → its comment; all are kept as text.
        sensitive: The columns whose values may not be shown.
    """
    raw = f"{SENSITIVE} " if sensitive else ""
    own = (*OWN[:-1], TargetColumn(name=OWN[-1].name, type=OWN[-1].type, comment=f"{raw}{OWN[-1].comment}"))
    kept = (
        TargetColumn(name=name, type="STRING", comment=f"{SENSITIVE if name in sensitive else ''} {comment}".strip())
        for name, comment in texts.items()
    )
    return Target(
        name=f"{target.name}{SUFFIX}",
        mode="append",
        columns=(*own, *kept),
        properties={"sluis.quarantine_of": target.name},
        comment=f"Rows that were kept out of {target.name} because they break its contract",
        allow_additional=True,
        location=f"{target.location}{SUFFIX}" if target.location else None,
    )


def settle(spark: SparkSession, quarantine: Target, target: Target, *, just: Load | None = None) -> None:
    """Mark the rows of every run by what the target's history tells of it.

    Rows of a run that is not in the history stay as they are: they count once it is, and not before.

    Args:
        spark: The session.
        quarantine: The quarantine; may not exist.
        target: Its target.
        just: The caller's own load, which a platform that does not mark commits leaves out of the history.
    """
    with translate.environment(quarantine):
        if schema.find(spark, quarantine) is None:
            return
        entries = _entries(spark, quarantine)
        # Where a run ended before it made the target, there is none.
        is_there = bool(entries) and schema.find(spark, target) is not None
        versions = history.read(spark, target, limit=history.BOUND) if is_there else []
        known = {str(version.metadata["run_id"]) for version in versions if version.metadata}
        loads = [_load(version) for version in reversed(history.live(versions))]
        if just and just.run_id not in known:
            loads.append(just)
        _mark(spark, quarantine, marks(entries, loads, known))


def marks(
    entries: Iterable[Entry], loads: Sequence[Load], known: Collection[str]
) -> dict[Entry, tuple[Status, str | None]]:
    """What has to be marked otherwise: entry → its status, and the run that took its place.

    Args:
        entries: The rows as they are marked.
        loads: The commits that the target's content descends from, oldest first.
        known: Runs in the target's history, whether or not their commits were undone since. Their ids sort by time.
    """
    places = {load.run_id: place for place, load in enumerate(loads) if load.run_id}
    found = {}
    for entry in entries:
        place = places.get(entry.run_id)
        status: tuple[Status, str | None] = ("pending", None)
        if place is not None or (entry.status == "open" and entry.run_id not in known):
            # The commit of a run that is open may be forgotten or not marked; the ids of runs tell which is later.
            later = loads[place + 1 :] if place is not None else [load for load in loads if _after(load, entry)]
            after = next((load for load in later if load.replaces or entry.source in load.sources), None)
            status = ("superseded", after.run_id) if after else ("open", None)
        if status[0] != entry.status:
            found[entry] = status
    return found


def _after(load: Load, entry: Entry) -> bool:
    return load.run_id is not None and load.run_id > entry.run_id


def _entries(spark: SparkSession, quarantine: Target) -> list[Entry]:
    rows = spark.table(quote_table(quarantine.name)).where("_status <> 'superseded'")
    return [
        Entry(run_id=row["_run_id"], source=row["_source"], status=row["_status"])
        for row in rows.select("_run_id", "_source", "_status").distinct().collect()
    ]


def _load(version: Version) -> Load:
    told = version.metadata
    return Load(
        run_id=told.get("run_id"),
        sources=frozenset(source["path"] for source in told.get("sources", ())),
        replaces=replaces(version),
    )


def _mark(spark: SparkSession, quarantine: Target, found: Mapping[Entry, tuple[Status, str | None]]) -> None:
    """One commit for all of them: what took the place of another is never open beside it."""
    from pyspark.sql import functions as F

    if not found:
        return
    lines = [(entry.run_id, entry.source, *status) for entry, status in found.items()]
    marked = spark.createDataFrame(lines, "run_id string, source string, status string, by string").alias("mark")
    name = quote_table(quarantine.name)
    same = F.expr(f"{name}._run_id = mark.run_id AND {name}._source <=> mark.source AND {name}._status <> 'superseded'")
    change = {"_status": F.col("mark.status"), "_superseded_by": F.col("mark.by")}
    marked.mergeInto(name, same).whenMatched().update(change).merge()


@dataclass(frozen=True, kw_only=True)
class Count:
    """Rows of a quarantine that count."""

    source: str | None
    """The file that they stand in."""

    rule: str | None
    """The rule that they break; None for all rows of the file, however many rules each breaks."""

    rows: int
    """How many."""


def counts(spark: SparkSession, quarantine: Target) -> Iterator[Count]:
    """The rows that count, by file, and by file and rule; nothing where there is no quarantine."""
    from pyspark.sql import functions as F

    with translate.environment(quarantine):
        if schema.find(spark, quarantine) is None:
            return
        rows = spark.table(quote_table(quarantine.name)).where("_status = 'open'")
        each = rows.selectExpr("_source", "explode(concat(array(CAST(NULL AS STRING)), _rules)) AS rule")
        found = each.groupBy("_source", "rule").agg(F.count(F.lit(1)).alias("n"))
        for row in found.orderBy("_source", "rule").collect():
            yield Count(source=row["_source"], rule=row["rule"], rows=row["n"])
