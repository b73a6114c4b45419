"""What one file holds, as far as it can be told before Spark reads it: its header, its faults, its line end."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sluis.landing import header
from sluis.landing.content import UNREADABLE, Opener, Reader
from sluis.landing.dialect import Dialect
from sluis.landing.model import Fault, Kind, SourceFile
from sluis.landing.plain import plain
from sluis.landing.scan import Scan, blocks

WIDEST = 90
"""Columns up to which lines are divided. Of rows of a hundred fields and more Spark makes no code (its setting
`codegen.maxFields`), and dividing takes a fifth longer than parsing; below, a half to five sixths of that."""


@dataclass(frozen=True, kw_only=True)
class Examined:
    """The outcome for one file."""

    file: SourceFile
    """The file."""

    header: tuple[str, ...]
    """Its column names; empty when it has none."""

    readable: bool
    """Whether Spark can read it without guessing."""

    faults: tuple[Fault, ...] = ()
    """What is wrong with it."""

    line_end: str = ""
    """See `Part.line_end`."""

    whole: bool = False
    """Whether every byte was judged."""

    first_line: str | None = None
    """See `Part.first_line`."""


def examine(file: SourceFile, opened: Opener, columns: Sequence[str], dialect: Dialect, *, whole: bool) -> Examined:
    """Look at a file's bytes.

    Args:
        file: the file.
        opened: opens its bytes.
        columns: the contract's columns, in order.
        dialect: how it is to be read.
        whole: judge all of it; otherwise only its header.
    """
    try:
        with opened() as stream:
            mark = _foreign_mark(stream.read(4), dialect)
        if mark:
            return unreadable(
                file, "encoding", f"begins with the mark of {mark}, but the encoding is {dialect.encoding}"
            )
        with opened() as stream:
            reader = Reader(stream=stream, dialect=dialect, bad_lines=[])
            first_line = plain(opened, dialect) if whole else None
            return _text(file, reader, columns, dialect, whole=whole, first_line=first_line)
    except UNREADABLE as error:
        return unreadable(file, "encoding", f"cannot be read: {error}")


def _text(
    file: SourceFile, reader: Reader, columns: Sequence[str], dialect: Dialect, *, whole: bool, first_line: str | None
) -> Examined:
    pieces = blocks(reader.pieces(), dialect)
    first, rest = _up_to_header(pieces, dialect)
    found = header.find(first, dialect) if first else None
    if found is None:
        return unreadable(file, "empty", "is empty: not even a header" if dialect.header else "is empty")
    if dialect.header and header.foreign(found, columns):
        return unreadable(file, "columns", header.FOREIGN.format(len(found.names)))
    unfit = header.judge(found, file) if dialect.header else []
    guesses = header.guesses(found, columns, file) if dialect.header and not unfit else []
    names = found.names if dialect.header else tuple(columns)
    scan = Scan(dialect=dialect, single=len(names) == 1)
    if whole and first_line is None:
        scan.run(itertools.chain([first], rest))
    # A header that is broken is named once, not again as a broken line.
    bad = [finding for finding in scan.findings if not (found.problem and finding.line == found.line)]
    shape = [Fault(kind="row_shape", message=each.message, file=file.path, line=each.line) for each in bad]
    return Examined(
        file=file,
        header=header.usable(names),
        readable=not unfit,
        faults=(*unfit, *guesses, *shape, *undecodable(file, reader.bad_lines if whole else [], dialect)),
        line_end=scan.line_end,
        whole=whole,
        first_line=first_line if dialect.bare and len(names) <= WIDEST else None,
    )


def _up_to_header(pieces: Iterator[str], dialect: Dialect) -> tuple[str, Iterator[str]]:
    text = ""
    for piece in pieces:
        text += piece
        if header.find(text, dialect):
            break
    return text, pieces


def undecodable(file: SourceFile, lines: Sequence[int], dialect: Dialect) -> list[Fault]:
    """One fault per line that holds bytes which are not valid in the encoding."""
    message = f"bytes that are not valid {dialect.encoding.upper()}"
    return [Fault(kind="encoding", message=message, file=file.path, line=line) for line in dict.fromkeys(lines)]


def _foreign_mark(head: bytes, dialect: Dialect) -> str:
    marks = {codecs.BOM_UTF8: "UTF-8", codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}
    if dialect.encoding.startswith("utf-32"):
        return ""
    own = next((name for name in marks.values() if dialect.encoding.startswith(name.lower())), "")
    name = next((name for mark, name in marks.items() if head.startswith(mark)), "")
    return "" if name == own else name


def unreadable(file: SourceFile, kind: Kind, message: str) -> Examined:
    """A file that is left out because of this fault."""
    fault = Fault(kind=kind, message=message, file=file.path)
    return Examined(file=file, header=(), readable=False, faults=(fault,))
