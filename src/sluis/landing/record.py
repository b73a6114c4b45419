"""One CSV record by the letter of its dialect: its fields, and what is wrong with its quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sluis.landing.dialect import NO_QUOTE, Dialect

UNCLOSED = "a quote is opened and never closed"
TRAILING = "text after a closing quote"
STRAY = "a quote inside a field that does not begin with one"
SPACED = "a space before an opening quote; set the option ignoreLeadingWhiteSpace if it is meant to be dropped"


@dataclass(frozen=True, kw_only=True)
class Record:
    """What one record was found to be."""

    fields: tuple[str, ...]
    """Its values, unquoted."""

    end: int
    """Where the next record begins."""

    broken: bool = False
    """Whether a quoted field holds a line break."""

    problem: str = ""
    """What is wrong with its quotes; empty when nothing is."""


@dataclass(frozen=True, kw_only=True)
class Grammar:
    """The patterns of one dialect."""

    body: re.Pattern[str]
    """The inside of a quoted field."""

    stop: re.Pattern[str]
    """What ends a field: the separator or a line end."""

    blank: re.Pattern[str]
    """Spaces that may stand around a quoted field."""


@lru_cache(maxsize=64)
def grammar(dialect: Dialect) -> Grammar:
    """The patterns of this dialect."""
    near = _near(dialect)
    return Grammar(body=re.compile(_inside(dialect)), stop=re.compile(rf"[{near}]"), blank=re.compile(rf"[^\S{near}]*"))


@lru_cache(maxsize=64)
def clean(dialect: Dialect) -> re.Pattern[str]:
    """Whole lines in which every quote is by the letter; without multiLine, with no line break inside quotes either."""
    return re.compile(f"(?:{_field_pattern(dialect)}[{_near(dialect)}])*+")


def clean_line(dialect: Dialect) -> str:
    """The same for one line, in the syntax of Java."""
    return rf"\A(?:{_field_pattern(dialect)}(?:{re.escape(dialect.sep)}|\z))*+\z"


def _field_pattern(dialect: Dialect) -> str:
    """A field by the letter.

    Possessive throughout: it is tried once, about as fast as Python splits, and Java neither recurses nor overflows.
    """
    near, quote = _near(dialect), re.escape(dialect.quote or NO_QUOTE)
    before = rf"[^\S{near}]*+" if dialect.trim_leading else ""
    after = rf"[^\S{near}]*+" if dialect.trim_trailing else ""
    breaks = "" if dialect.whole else _ends(dialect)
    quoted = f"{before}{quote}{_inside(dialect, breaks)}{quote}{after}"
    return f"(?:{quoted}|[^{quote}{near}]*+)"


def _ends(dialect: Dialect) -> str:
    return re.escape(dialect.line_sep) if dialect.line_sep else r"\r\n"


def _near(dialect: Dialect) -> str:
    """What may stand beside a quoted field, for use inside a character class."""
    return re.escape(dialect.sep) + _ends(dialect)


def _inside(dialect: Dialect, forbidden: str = "") -> str:
    """The inside of a quoted field, as a pattern."""
    quote, escape = re.escape(dialect.quote or NO_QUOTE), re.escape(dialect.escape)
    if not dialect.escape:
        return rf"[^{quote}{forbidden}]*+"
    if dialect.escape == dialect.quote:
        return rf"[^{quote}{forbidden}]*+(?:{quote}{quote}[^{quote}{forbidden}]*+)*+"
    escaped = rf"{escape}[^{forbidden}]" if forbidden else rf"{escape}(?s:.)"
    return rf"[^{quote}{escape}{forbidden}]*+(?:{escaped}[^{quote}{escape}{forbidden}]*+)*+"


def parse(text: str, start: int, dialect: Dialect) -> Record:
    """Read the record that begins at `start`; it ends at a line end outside quotes, or with the text."""
    rules = grammar(dialect)
    fields: list[str] = []
    position, broken, problem = start, False, ""
    while True:
        value, position, wrong = _field(text, position, dialect, rules)
        fields.append(value)
        problem = problem or wrong
        broken = broken or "\n" in value or "\r" in value
        if position >= len(text) or text[position] != dialect.sep:
            break
        position += 1
    return Record(fields=tuple(fields), end=_after_line_end(text, position), broken=broken, problem=problem)


def _field(text: str, start: int, dialect: Dialect, rules: Grammar) -> tuple[str, int, str]:
    begin = rules.blank.match(text, start).end() if dialect.trim_leading else start  # type: ignore[union-attr]
    if dialect.quote and text.startswith(dialect.quote, begin):
        return _quoted(text, begin + 1, dialect, rules)
    found = rules.stop.search(text, begin)
    end = found.start() if found else len(text)
    value = text[begin:end].rstrip() if dialect.trim_trailing else text[begin:end]
    if dialect.quote and dialect.quote in value:
        return value, end, SPACED if value.lstrip().startswith(dialect.quote) else STRAY
    return value, end, ""


def _quoted(text: str, start: int, dialect: Dialect, rules: Grammar) -> tuple[str, int, str]:
    end = rules.body.match(text, start).end()  # type: ignore[union-attr]
    value = _unescaped(text[start:end], dialect)
    if not text.startswith(dialect.quote, end):
        return value, len(text), UNCLOSED
    end += 1
    if dialect.trim_trailing:
        end = rules.blank.match(text, end).end()  # type: ignore[union-attr]
    found = rules.stop.search(text, end)
    stop = found.start() if found else len(text)
    return value, stop, TRAILING if stop > end else ""


def _unescaped(body: str, dialect: Dialect) -> str:
    if dialect.escape == dialect.quote:
        return body.replace(dialect.quote * 2, dialect.quote)
    if not dialect.escape:
        return body
    mark = re.escape(dialect.escape)
    return re.sub(rf"{mark}([{re.escape(dialect.quote)}{mark}])", r"\1", body)


def _after_line_end(text: str, position: int) -> int:
    return position + 2 if text.startswith("\r\n", position) else min(position + 1, len(text))
