"""What Spark's CSV parser would change in silence, found in the text before Spark reads it.

Spark drops a space after a closing quote, takes a quote that is never closed for closed, merges records where line ends
are mixed, and skips lines of white space; none of that shows in its corrupt-record column (measured, Spark 4.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sluis.landing.content import line_ends
from sluis.landing.dialect import Dialect
from sluis.landing.record import STRAY, TRAILING, UNCLOSED, parse

LIMIT = 20
"""How many lines are named at most."""

FIELD_LIMIT = 64 * 1024 * 1024
"""Characters that one record may have before an open quote is taken for one that is never closed."""

BROKEN = (
    "a line break inside quotes, or a quote that is never closed; set the option multiLine to true if quoted "
    "fields may contain line breaks"
)
MIXED = "mixed line ends: with multiLine, Spark knows one line end per file and would merge records"
WHITE = "only white space: Spark would skip it"
BLANK = 'an empty line in a file of one column: a missing value is written as ""'
NUL_QUOTE = "a NUL character: with quoting off, Spark takes it for a quote"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong with the text."""

    line: int
    """Line in the file, counted from 1."""

    message: str
    """What is wrong."""


@dataclass(kw_only=True)
class Scan:
    """The state of one pass over a file's text."""

    dialect: Dialect
    """How records are told apart."""

    single: bool = False
    """Whether the file has one column, so that an empty line could be a record."""

    line: int = 1
    """Line on which the next piece begins."""

    findings: list[Finding] = field(default_factory=list)
    """What was found, at most `LIMIT`."""

    ends: set[str] = field(default_factory=set)
    """Line ends seen outside quotes (only where Spark reads a file whole)."""

    quoted_break: int = 0
    """Where a line break inside quotes was seen first, as near as a block tells."""

    empty_line: int = 0
    """An empty line that is wrong once a record follows it."""

    def run(self, pieces: Iterable[str]) -> None:
        """Judge the whole text."""
        for block in blocks(pieces, self.dialect):
            self._block(block)
            self.line += line_ends(block)
            if len(self.findings) >= LIMIT or (self.dialect.whole and self.findings):
                break
        if self.dialect.whole and not self.findings:
            self._line_breaks()

    def add(self, line: int, message: str) -> None:
        """Note a finding."""
        if len(self.findings) < LIMIT:
            self.findings.append(Finding(line=line, message=message))

    def _block(self, block: str) -> None:
        outside, inside = self._split(block)
        if outside is None:
            if self.dialect.whole:
                self._records(block)
            else:
                self._lines(block)
            return
        if self.dialect.whole:
            self.ends |= kinds(outside)
            self._quoted(inside, self.line)
            if self.single:
                self._records(block)
        else:
            self._white_lines(block)

    def _split(self, block: str) -> tuple[str | None, str]:
        """The text outside and inside quotes; no outside where quotes are not by the letter."""
        mark = self.dialect.quote
        if not mark:
            return (None if "\x00" in block else block), ""
        if mark not in block and not self.dialect.comment:
            return block, ""
        if self.dialect.comment:
            return None, ""
        text = block
        if self.dialect.escape and self.dialect.escape != mark:
            text = text.replace(self.dialect.escape * 2, "").replace(self.dialect.escape + mark, "")
        parts = text.split(mark)
        outside, inside = mark.join(parts[::2]), mark.join(parts[1::2])
        clean = len(parts) % 2 == 1 and not unclean(self.dialect).search(outside)
        if clean and not self.dialect.whole and re.search(self._line_end_class(), inside):
            clean = False
        return (outside if clean else None), inside

    def _line_end_class(self) -> str:
        return re.escape(self.dialect.line_sep) if self.dialect.line_sep else r"[\r\n]"

    def _lines(self, block: str) -> None:
        """Judge line by line, as Spark does without multiLine."""
        mark = self.dialect.quote
        for number, line in enumerate(split_lines(block, self.dialect), self.line):
            if self.dialect.comment and line.startswith(self.dialect.comment):
                continue
            if not line.strip(SPARK_BLANK):
                self._white_line(number, line)
                continue
            self._no_gap(number)
            if not mark and "\x00" in line:
                self.add(number, NUL_QUOTE)
            elif mark and mark in line:
                record = parse(line, 0, self.dialect)
                if record.problem:
                    self.add(number, BROKEN if record.problem == UNCLOSED else record.problem)

    def _white_lines(self, block: str) -> None:
        """Look closer only where a line might be blank."""
        if self.single or any(char in block for char in CANDIDATES) and blank_line(self.dialect).search(block):
            self._lines(block)

    def _white_line(self, number: int, line: str) -> None:
        if line:
            self.add(number, WHITE)
        elif self.single:
            self.empty_line = self.empty_line or number

    def _no_gap(self, number: int) -> None:
        if self.empty_line:
            self.add(self.empty_line, BLANK)
            self.empty_line = 0

    def _records(self, block: str) -> None:
        """Judge record by record, as Spark does where it reads a file whole; the first finding ends it."""
        position, line = 0, self.line
        while position < len(block):
            start = position
            if self.dialect.comment and block.startswith(self.dialect.comment, start):
                stop = re.compile(r"\r\n|\r|\n").search(block, start)
                position = stop.end() if stop else len(block)
            else:
                record = parse(block, start, self.dialect)
                position = record.end
                if record.problem:
                    self.add(line, record.problem)
                    return
                self._good(block[start:position], line)
            line += line_ends(block[start:position])

    def _good(self, record: str, line: int) -> None:
        body = record.rstrip("\r\n")
        self.ends |= kinds(record[len(body) :])
        self._quoted(body, line)
        if body:
            self._no_gap(line)
        else:
            self._white_line(line, body)

    def _quoted(self, inside: str, line: int) -> None:
        if not self.quoted_break and kinds(inside):
            self.quoted_break = line

    def _line_breaks(self) -> None:
        if self.dialect.line_sep:
            return
        if len(self.ends) > 1:
            self.add(1, MIXED)
        elif self.quoted_break and not self.dialect.multi_line:
            self.add(self.quoted_break, BROKEN)

    @property
    def line_end(self) -> str:
        """The one line end outside quotes, where Spark reads a file whole and must be told."""
        if not self.dialect.whole or self.dialect.line_sep:
            return self.dialect.line_sep
        return next(iter(self.ends), "\n")


SPARK_BLANK = "".join(map(chr, range(33)))
"""What Java's `trim` drops, and with it Spark's test for an empty line."""

CANDIDATES = " \t\x00\x01\x0b\x0c\x1a\x1c\x1d\x1e\x1f"
"""Characters of `SPARK_BLANK` that are seen in files, as a quick first look."""


def blank_line(dialect: Dialect) -> re.Pattern[str]:
    """A line that is not empty and holds only what Java's `trim` drops."""
    end = re.escape(dialect.line_sep) if dialect.line_sep else r"\r\n"
    return re.compile(rf"(?:\A|[{end}])[^{end}\x21-\U0010ffff]+(?:[{end}]|\Z)")


def unclean(dialect: Dialect) -> re.Pattern[str]:
    """A quote, in text whose quoted insides are cut out, that does not stand next to a separator or line end."""
    near = re.escape(dialect.sep) + (re.escape(dialect.line_sep) if dialect.line_sep else r"\r\n")
    mark = re.escape(dialect.quote)
    # Two in a row were a doubled quote, which only a dialect without another escape knows.
    beside = mark if dialect.escape == dialect.quote else ""
    return re.compile(rf"[^{near}{beside}]{mark}|{mark}[^{near}{beside}]")


def kinds(text: str) -> set[str]:
    """Which kinds of line ends the text holds."""
    pairs = text.count("\r\n")
    found = {"\r\n"} if pairs else set()
    if text.count("\n") > pairs:
        found.add("\n")
    if text.count("\r") > pairs:
        found.add("\r")
    return found


def split_lines(block: str, dialect: Dialect) -> list[str]:
    """Lines as Spark's line reader makes them."""
    if dialect.line_sep:
        lines = block.split(dialect.line_sep)
    else:
        lines = block.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def blocks(pieces: Iterable[str], dialect: Dialect) -> Iterator[str]:
    """Join and cut pieces so that each block ends where a record ends."""
    held = ""
    for piece in pieces:
        held += piece
        cut = _cut(held, dialect)
        if cut == 0 and len(held) > FIELD_LIMIT:
            break
        if cut:
            yield held[:cut]
            held = held[cut:]
    if held:
        yield held


def _cut(text: str, dialect: Dialect) -> int:
    """After the last line end that is outside quotes; 0 when there is none."""
    ends = (dialect.line_sep,) if dialect.line_sep else ("\n", "\r")
    limit = len(text)
    for _ in range(200):
        cut = max(text.rfind(end, 0, limit) for end in ends) + 1
        if not cut or not dialect.whole or _balanced(text[:cut], dialect):
            return cut
        limit = cut - 1
    return 0


def _balanced(text: str, dialect: Dialect) -> bool:
    if not dialect.quote:
        return True
    if dialect.escape and dialect.escape != dialect.quote:
        text = text.replace(dialect.escape * 2, "").replace(dialect.escape + dialect.quote, "")
    return text.count(dialect.quote) % 2 == 0


__all__ = ["LIMIT", "STRAY", "TRAILING", "Finding", "Scan", "blocks", "split_lines"]
