"""Names the lines, once a fault is known: which records are ragged, which bytes are not valid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sluis.landing import remote
from sluis.landing.content import UNREADABLE, Opener, Reader, line_ends, opener
from sluis.landing.dialect import Dialect
from sluis.landing.examine import undecodable
from sluis.landing.files import listing
from sluis.landing.model import Fault, Kind, Landing, SourceFile
from sluis.landing.record import UNCLOSED, parse
from sluis.landing.scan import BROKEN, LIMIT, SPARK_BLANK, blocks, split_lines

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def locate(landing: Landing, kind: Kind, *, limit: int = LIMIT) -> tuple[Fault, ...]:
    """Where the files break a rule about rows or bytes that Spark's counts say is broken.

    For `row_shape`, the lines of ragged records and of quotes that are not by the letter; a file that is neither
    visible here nor small is left out: naming lines is a help, the count of corrupt rows decides.
    For `encoding`, bytes that are not valid, in any file; nothing means that each U+FFFD stands in the file itself.
    """
    if kind == "encoding":
        return _encoding(landing)[:limit]
    faults: list[Fault] = []
    for file, names in _readable(landing) if kind == "row_shape" else ():
        opened = _opener(landing.frame.sparkSession, file)
        if opened is None or len(faults) >= limit:
            continue
        known = file.path in landing.scanned
        try:
            faults += _of_file(file, opened, len(names), landing.dialect, limit - len(faults), known=known)
        except UNREADABLE:
            continue
    return tuple(faults)


def _encoding(landing: Landing) -> tuple[Fault, ...]:
    known = [fault for fault in landing.faults if fault.kind == "encoding"]
    unknown = [file for file, _ in _readable(landing) if file.path not in landing.scanned]
    found = (_undecodable(landing.frame.sparkSession, landing, file) for file in unknown)
    return (*known, *(fault for fault in found if fault))


def _readable(landing: Landing) -> Iterator[tuple[SourceFile, tuple[str, ...]]]:
    headers = {path: part.header for part in landing.parts for path in part.files}
    for file in landing.files:
        if file.path in headers:
            yield file, headers[file.path]


def _opener(spark: SparkSession, file: SourceFile) -> Opener | None:
    return opener(file) or (remote.opener(spark, file) if file.size <= remote.FETCHED else None)


def _undecodable(spark: SparkSession, landing: Landing, file: SourceFile) -> Fault | None:
    opened = _opener(spark, file)
    if opened is not None:
        with opened() as stream:
            reader = Reader(stream=stream, dialect=landing.dialect, bad_lines=[])
            for _ in reader.pieces():
                if reader.bad_lines:
                    return undecodable(file, reader.bad_lines, landing.dialect)[0]
        return None
    message = f"bytes that are not valid {landing.dialect.encoding.upper()}"
    if not landing.dialect.encoding.startswith("utf-8"):
        # No one-byte encoding has a U+FFFD of its own: Spark put it there.
        return Fault(kind="encoding", message=message, file=file.path)
    listed = next(each for each in listing(spark, landing.source) if each.file.path == file.path)
    count = remote.invalid_lines(spark, listed)
    return Fault(kind="encoding", message=f"{count} lines with {message}", file=file.path) if count else None


def _of_file(file: SourceFile, opened: Opener, width: int, dialect: Dialect, limit: int, *, known: bool) -> list[Fault]:
    faults = []
    for line, message in _ragged(opened, width, dialect, quotes=not known):
        faults.append(Fault(kind="row_shape", message=message, file=file.path, line=line))
        if len(faults) >= limit:
            break
    return faults


def _ragged(opened: Opener, width: int, dialect: Dialect, *, quotes: bool) -> Iterator[tuple[int, str]]:
    with opened() as stream:
        line = 1
        for block in blocks(Reader(stream=stream, dialect=dialect, bad_lines=[]).pieces(), dialect):
            yield from (
                _in_records(block, line, width, dialect, quotes)
                if dialect.whole
                else _in_lines(block, line, width, dialect, quotes)
            )
            line += line_ends(block)


def _in_lines(block: str, start: int, width: int, dialect: Dialect, quotes: bool) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(split_lines(block, dialect), start):
        if not line.strip(SPARK_BLANK) or (dialect.comment and line.startswith(dialect.comment)):
            continue
        if dialect.quote and dialect.quote in line:
            record = parse(line, 0, dialect)
            if record.problem:
                if quotes:
                    yield number, BROKEN if record.problem == UNCLOSED else record.problem
                continue
            count = len(record.fields)
        else:
            count = line.count(dialect.sep) + 1
        if count != width:
            yield number, _told(count, width)


def _in_records(block: str, start: int, width: int, dialect: Dialect, quotes: bool) -> Iterator[tuple[int, str]]:
    position, line = 0, start
    while position < len(block):
        begin = position
        if dialect.comment and block.startswith(dialect.comment, begin):
            found = re.compile(r"\r\n|\r|\n").search(block, begin)
            position = found.end() if found else len(block)
        else:
            record = parse(block, begin, dialect)
            position = record.end
            if record.problem:
                if quotes:
                    yield line, record.problem
                return
            if len(record.fields) != width and record.fields != ("",):
                yield line, _told(len(record.fields), width)
        line += line_ends(block[begin:position])


def _told(count: int, width: int) -> str:
    fields = "1 field" if count == 1 else f"{count} fields"
    return f"{fields} where the header has {width}"
