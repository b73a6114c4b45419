"""Which landing files an earlier run has already brought into the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from sluis.table import history, schema, translate
from sluis.table.history import Version
from sluis.table.model import Source, Target, Written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

S = TypeVar("S", bound=Source)
Pin = tuple[object, object, object]


def written(spark: SparkSession, target: Target, *, sources: Iterable[S]) -> dict[S, Written]:
    """Find the files that need not be written again.

    Under append and merge a file counts when a commit of ours holds it. Under overwrite all of them count, or none:
    only when the latest commit of ours replaced the table with exactly these files. Commits that a RESTORE undid,
    or whose rows were replaced since, do not count. The latest 1000 commits are looked at.

    Args:
        spark: the session.
        target: the table; may not exist yet.
        sources: the files as they are now.

    Returns:
        Each file that is in the table, with what the commit that wrote it tells.
    """
    wanted = list(sources)
    with translate.environment(target):
        state = schema.find(spark, target)
        if state is None or not wanted:
            return {}
        versions = _looked_at(spark, target)
    held = _held(history.live(versions), wanted, whole=target.mode == "overwrite")
    return {
        source: Written(
            receipt=history.receipt(target, state.location, version, versions, already_written=True),
            metadata=version.metadata,
        )
        for source, version in held.items()
    }


def _looked_at(spark: SparkSession, target: Target) -> list[Version]:
    """The commits that tell. Each is a file to be read: of a table that is overwritten, the latest mostly suffice."""
    if target.mode == "overwrite":
        versions = history.read(spark, target, limit=history.RECENT)
        if len(versions) < history.RECENT or any(map(replaces, history.live(versions))):
            return versions
    return history.read(spark, target, limit=history.BOUND)


def _held(live: Sequence[Version], wanted: list[S], *, whole: bool) -> dict[S, Version]:
    content = list(_content(live))
    if whole:
        ours = next((version for version in content if version.metadata), None)
        same = ours is not None and replaces(ours) and _pins(ours) == {_pin(source) for source in wanted}
        return dict.fromkeys(wanted, ours) if ours is not None and same else {}
    by_pin: dict[Pin, Version] = {}
    for version in content:
        for pin in _pins(version):
            by_pin.setdefault(pin, version)
    return {source: by_pin[_pin(source)] for source in wanted if _pin(source) in by_pin}


def _content(live: Sequence[Version]) -> Iterator[Version]:
    """The commits back to the latest one that replaced all rows."""
    for version in live:
        yield version
        if replaces(version):
            return


def replaces(version: Version) -> bool:
    """Whether a commit left nothing of the rows before it."""
    whole = version.parameters.get("predicate") in (None, "", "[]", '["true"]')
    overwrites = version.operation == "WRITE" and version.parameters.get("mode") == "Overwrite" and whole
    return overwrites or "REPLACE TABLE" in version.operation


def _pins(version: Version) -> set[Pin]:
    listed = version.metadata.get("sources", [])
    # A table that rows were made of has neither size nor time.
    return {(one["path"], one.get("size"), one.get("modified")) for one in listed}


def _pin(source: Source) -> Pin:
    return source.path, source.size, source.modified
