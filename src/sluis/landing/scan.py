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
from sluis.landing.record import UNCLOSED, clean, parse

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

    open: bool = False
    """Whether a record that a line break inside quotes cut goes on (only where Spark reads line by line)."""

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
        if not self.dialect.whole:
            if self._clean(block):
                self._white_lines(block)
            else:
                self._lines(block)
            return
        if self.single or not self._clean(block):
            self._records(block)
            return
        ends = kinds(block)
        if len(ends) > 1 or not self.dialect.multi_line:
            outside, inside = parted(block, self.dialect)
            ends = kinds(outside)
            self._quoted(inside, self.line)
        self.ends |= ends

    def _clean(self, block: str) -> bool:
        """Whether nothing about quotes needs a closer look."""
        mark = self.dialect.quote
        if self.dialect.comment:
            return False
        if not mark:
            return "\x00" not in block
        return mark not in block or clean(self.dialect).fullmatch(_ended(block, self.dialect)) is not None

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
                self._quotes(number, line)

    def _quotes(self, number: int, line: str) -> None:
        if self.open:
            # The rest of a record that was named already: its own quotes mean nothing.
            self.open = line.count(self.dialect.quote) % 2 == 0
            return
        problem = parse(line, 0, self.dialect).problem
        self.open = problem == UNCLOSED
        if problem:
            self.add(number, BROKEN if self.open else problem)

    def _white_lines(self, block: str) -> None:
        """Look closer only where a line might be blank."""
        ends = self.dialect.line_sep or ("\n\r" if "\r" in block else "\n")
        seen = [char for char in CANDIDATES if char in block]
        begins = block[:1] in SPARK_BLANK or any(end + char in block for char in seen for end in ends)
        if self.single or (begins and blank_line(self.dialect).search(block)):
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
                nul = not self.dialect.quote and "\x00" in block[start:position]
                if record.problem or nul:
                    self.add(line, record.problem or NUL_QUOTE)
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
"""Characters of `SPARK_BLANK` with which a line is seen to begin, as a quick first look."""


def blank_line(dialect: Dialect) -> re.Pattern[str]:
    """A line that is not empty and holds only what Java's `trim` drops."""
    end = re.escape(dialect.line_sep) if dialect.line_sep else r"\r\n"
    return re.compile(rf"(?:\A|[{end}])[^{end}\x21-\U0010ffff]+(?:[{end}]|\Z)")


def parted(block: str, dialect: Dialect) -> tuple[str, str]:
    """The text outside quotes and inside them, of a block in which every quote is by the letter."""
    if not dialect.quote:
        return block, ""
    if dialect.escape and dialect.escape != dialect.quote:
        block = block.replace(dialect.escape * 2, "").replace(dialect.escape + dialect.quote, "")
    parts = block.split(dialect.quote)
    return "".join(parts[::2]), "".join(parts[1::2])


def _ended(block: str, dialect: Dialect) -> str:
    end = dialect.line_sep or "\n"
    return block if block.endswith(dialect.line_sep or ("\n", "\r")) else block + end


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
