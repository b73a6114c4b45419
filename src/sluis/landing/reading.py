"""Read a source into a landing, and read it again, unchanged, for the write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from sluis.errors import ContractError, Problem, SourceError
from sluis.landing import frame, header, remote
from sluis.landing.content import opener
from sluis.landing.dialect import Dialect, check_options, parse_options
from sluis.landing.examine import Examined, examine, unreadable
from sluis.landing.files import Listed, listing
from sluis.landing.model import Fault, Landing, Part, SourceFile

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SCANNED = 256 * 1024 * 1024
"""Bytes up to which this process judges whole files; beyond, Spark looks at the lines of larger ones."""

TOO_FAR = (
    "too large to be judged from here: with multiLine a file must be visible to this process (a Volume, a local path) "
    f"or be smaller than {remote.FETCHED // 1024 // 1024} MB"
)


def read(
    spark: SparkSession,
    source: str,
    *,
    columns: Sequence[str],
    options: Mapping[str, object] | None = None,
    skip: Collection[SourceFile] = (),
) -> Landing:
    """Read landing files as text.

    Args:
        spark: the session.
        source: a file, folder or glob; `.gz` too.
        columns: the contract's column names in order.
        options: the entity's reader options; RFC 4180 without any.
        skip: files that are already in the table and are left out.

    Raises:
        SourceError: there is nothing to read.
        ContractError: an option is unknown or wrong.
    """
    dialect = _dialect(options or {})
    found = listing(spark, source)
    skipped = frozenset(skip)
    listed = tuple(each for each in found if each.file not in skipped)
    examined = [_examined(spark, each, columns, dialect) for each in listed]
    faults = (
        *(fault for each in examined for fault in each.faults),
        *_uneven(examined, columns),
        *_large(spark, listed, examined, dialect),
    )
    parts = _parts(examined)
    scanned = frozenset(each.file.path for each in examined if each.whole)
    return Landing(
        source=source,
        files=tuple(each.file for each in listed),
        frame=frame.build(
            spark,
            listed,
            parts,
            columns=_columns(examined, columns),
            dialect=dialect,
            faults=faults,
            scanned=len(scanned) == len(listed),
            pinned=False,
        ),
        faults=faults,
        columns=tuple(columns),
        dialect=dialect,
        parts=parts,
        scanned=scanned,
        skipped=skipped,
    )


def reread(spark: SparkSession, landing: Landing, *, pinned: bool = True, located: bool = False) -> DataFrame:
    """A fresh frame of the very same files, for the write.

    Spark knows the files as it listed them: classic Spark when the frame is made, between two listings of ours that
    must both be the manifest; Spark Connect when the frame runs, so there every row has to tell.

    Args:
        spark: the session.
        landing: what was read before.
        pinned: whether every row is compared with the manifest; Spark copies each to attach its file, an eighth of
            what a plain copy of the file takes.
        located: whether each row shall tell its file and line, as `SOURCE` and `LINE` after the others.

    Raises:
        SourceError: files were added, removed or changed since the landing was read.
    """
    listed = _same(landing, listing(spark, landing.source))
    columns = landing.frame.columns[:-1]
    fresh = frame.build(
        spark,
        listed,
        landing.parts,
        columns=columns,
        dialect=landing.dialect,
        faults=landing.faults,
        scanned=len(landing.scanned) == len(landing.files),
        pinned=pinned,
        located=located,
    )
    unchanged(spark, landing)
    return fresh


def unchanged(spark: SparkSession, landing: Landing) -> None:
    """Look once more.

    Raises:
        SourceError: files were added, removed or changed since the landing was read.
    """
    _same(landing, listing(spark, landing.source))


def _same(landing: Landing, found: Sequence[Listed]) -> tuple[Listed, ...]:
    now = {each.file.path: each for each in found if each.file not in landing.skipped}
    before = {file.path: file for file in landing.files}
    differences = [
        *(f"added: {path}" for path in now.keys() - before.keys()),
        *(f"removed: {path}" for path in before.keys() - now.keys()),
        *(_change(before[path], now[path].file) for path in before.keys() & now.keys()),
    ]
    told = sorted(difference for difference in differences if difference)
    if told:
        raise SourceError(
            f"The landing files changed after they were validated: {'; '.join(told[:20])}",
            hint="run again when the producer has finished writing",
        )
    return tuple(now.values())


def _change(before: SourceFile, now: SourceFile) -> str:
    if before == now:
        return ""
    return f"changed: {now.path} ({before.size} bytes of {before.modified}, now {now.size} bytes of {now.modified})"


def _dialect(options: Mapping[str, object]) -> Dialect:
    problems = check_options(options)
    if problems:
        raise ContractError(Problem(file="options", path="$.options", message=text) for text in problems)
    return parse_options(options)


def _examined(spark: SparkSession, listed: Listed, columns: Sequence[str], dialect: Dialect) -> Examined:
    size = listed.file.size
    opened = opener(listed.file)
    whole = dialect.whole or size <= SCANNED
    if opened is None:
        whole = size <= remote.FETCHED
        if dialect.whole and not whole:
            return unreadable(listed.file, "row_shape", TOO_FAR)
        opened = remote.opener(spark, listed.file)
    return examine(listed.file, opened, columns, dialect, whole=whole)


def _large(
    spark: SparkSession, listed: Sequence[Listed], examined: Sequence[Examined], dialect: Dialect
) -> list[Fault]:
    """The faults of files whose lines Spark has to look at."""
    left = {each.file.path: each for each in examined if each.readable and not each.whole}
    groups: dict[bool, list[Listed]] = defaultdict(list)
    for each in listed:
        if each.file.path in left:
            groups[len(left[each.file.path].header) == 1].append(each)
    return [
        fault for single, files in groups.items() for fault in remote.scan_lines(spark, files, dialect, single=single)
    ]


def _parts(examined: Sequence[Examined]) -> tuple[Part, ...]:
    groups: dict[tuple[tuple[str, ...], str, str | None], set[str]] = defaultdict(set)
    for each in examined:
        if each.readable:
            groups[each.header, each.line_end, each.first_line].add(each.file.path)
    return tuple(
        Part(header=names, line_end=line_end, first_line=first_line, files=frozenset(files))
        for (names, line_end, first_line), files in groups.items()
    )


def _columns(examined: Sequence[Examined], columns: Sequence[str]) -> list[str]:
    """The contract's columns that some file has, in its order, then what else there is."""
    readable = [each for each in examined if each.readable] or examined
    present = header.usable([name for each in readable for name in each.header])
    return [
        *(name for name in header.usable(columns) if name in present),
        *(name for name in present if name not in columns),
    ]


def _uneven(examined: Sequence[Examined], columns: Sequence[str]) -> list[Fault]:
    """The contract's columns that some files have and others lack."""
    readable = [each for each in examined if each.readable]
    anywhere = {name for each in readable for name in each.header}
    return [
        Fault(kind="columns", message=f"no column {name!r}, which other files have", file=each.file.path, column=name)
        for each in readable
        for name in columns
        if name in anywhere and name not in each.header
    ]


__all__ = ["read", "reread", "unchanged"]
