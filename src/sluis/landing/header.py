"""The header of each file: found in the text, and judged before Spark reads anything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sluis.contract.names import METADATA, RESERVED
from sluis.landing.content import line_ends
from sluis.landing.dialect import Dialect
from sluis.landing.model import Fault, SourceFile
from sluis.landing.record import UNCLOSED, Record, parse
from sluis.landing.scan import BROKEN, SPARK_BLANK, split_lines

FOREIGN = (
    "the contract knows none of the {} names in the first line (not shown: if the file has no header, they are values)"
)


def reserved(name: str) -> bool:
    """Whether Spark or Sluis needs the name for itself; `${…}` Spark replaces wherever it stands in SQL."""
    return name.lower() == METADATA or name.lower().startswith(RESERVED) or "${" in name


@dataclass(frozen=True, kw_only=True)
class Header:
    """The first record of a file."""

    names: tuple[str, ...]
    """Its fields."""

    line: int
    """Where it begins, counted from 1."""

    problem: str = ""
    """Why it cannot be trusted; empty when it can."""


def find(block: str, dialect: Dialect) -> Header | None:
    """The first record of the text, as Spark would find it; None when there is none."""
    return _first_record(block, dialect) if dialect.whole else _first_line(block, dialect)


def _first_line(block: str, dialect: Dialect) -> Header | None:
    for number, line in enumerate(split_lines(block, dialect), 1):
        if not line.strip(SPARK_BLANK) or (dialect.comment and line.startswith(dialect.comment)):
            continue
        record = parse(line, 0, dialect)
        return _header(record, number)
    return None


def _first_record(block: str, dialect: Dialect) -> Header | None:
    position = 0
    breaks = re.compile(r"[\r\n]+")
    while position < len(block):
        skipped = breaks.match(block, position)
        if skipped:
            position = skipped.end()
        elif dialect.comment and block.startswith(dialect.comment, position):
            found = breaks.search(block, position)
            position = found.end() if found else len(block)
        else:
            return _header(parse(block, position, dialect), line_ends(block[:position]) + 1)
    return None


def _header(record: Record, line: int) -> Header:
    problem = BROKEN if record.problem == UNCLOSED else record.problem
    return Header(names=record.fields, line=line, problem=problem)


def usable(names: Sequence[str]) -> tuple[str, ...]:
    """The names that a frame can carry: not empty, not reserved, each once whatever its case."""
    kept: dict[str, str] = {}
    for name in names:
        if name and not reserved(name):
            kept.setdefault(name.lower(), name)
    return tuple(kept.values())


def judge(header: Header, file: SourceFile) -> list[Fault]:
    """What makes this header unfit to be read by."""
    if header.problem:
        return [_fault(file, header, f"the header has {header.problem}")]
    return [*_empty(header, file), *_duplicates(header, file), *_characters(header, file)]


def _fault(file: SourceFile, header: Header, message: str, column: str | None = None) -> Fault:
    return Fault(kind="header", message=message, file=file.path, line=header.line, column=column)


def _empty(header: Header, file: SourceFile) -> list[Fault]:
    places = [str(place) for place, name in enumerate(header.names, 1) if not name.strip()]
    if not places:
        return []
    noun = "column" if len(places) == 1 else "columns"
    return [_fault(file, header, f"no name in the header for {noun} {', '.join(places)} of {len(header.names)}")]


def _duplicates(header: Header, file: SourceFile) -> list[Fault]:
    counts = Counter(name.lower() for name in header.names if name.strip())
    faults = []
    for lower in (lower for lower, count in counts.items() if count > 1):
        same = [name for name in header.names if name.lower() == lower]
        if len(set(same)) == 1:
            message = f"Duplicate column in the header: {same[0]!r} appears {len(same)} times"
        else:
            message = f"Duplicate columns in the header: {_listed(same)} differ only in case"
        faults.append(_fault(file, header, message, same[0]))
    return faults


def _characters(header: Header, file: SourceFile) -> list[Fault]:
    faults = []
    for name in header.names:
        if reserved(name):
            faults.append(_fault(file, header, f"the column name {name!r} is reserved", name))
        elif "\x00" in name:
            faults.append(_fault(file, header, f"a NUL character in the column name {name!r}", name))
        elif "\ufffd" in name:
            faults.append(_fault(file, header, f"undecodable bytes in the column name {name!r}", name))
    return faults


def foreign(header: Header, columns: Sequence[str]) -> bool:
    """Whether the first record has none of these columns, so that it may be a row of values; False without any."""
    known = set(map(_plain, columns))
    return bool(known) and not header.problem and not any(_plain(name) in known for name in header.names)


def guesses(header: Header, columns: Sequence[str], file: SourceFile) -> list[Fault]:
    """Header names that would have to be guessed: a contract's column but for case or surrounding space."""
    plain = {_plain(column): column for column in columns}
    faults = []
    for name in header.names:
        meant = plain.get(_plain(name))
        if name not in columns and meant is not None and meant not in header.names:
            message = f"column {name!r} is not {meant!r}: names are matched exactly, case and spaces included"
            faults.append(_fault(file, header, message, name))
    return faults


def _plain(name: str) -> str:
    return name.strip().lower()


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in dict.fromkeys(names))
