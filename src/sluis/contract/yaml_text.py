"""YAML text → plain values, read strictly and exactly, with the place of each.

What YAML 1.1 and 1.2 read differently is text, as it is written: only `true` and `false` are booleans (`no` is text),
days and times are text, and so are `007`, `1_000` and `1e3`. Of YAML 1.1 merge keys (`<<`) stay, as contracts use
them. Numbers with a fraction are `Decimal`. The parser's events are read with a stack of our own: a deep document
cannot exhaust Python's, and aliases are counted as often as they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from sluis.contract import yaml_scalar
from sluis.contract.document import Parts, json_path
from sluis.contract.json_text import DEEPEST
from sluis.errors import ContractError, Problem

Mark = tuple[int, int]
"""Line and column, from 1."""

Marks = Mapping[int, Mapping[str | int, Mark]]
"""`id` of a list or an object → key or position → where it stands."""

MOST = 500_000
"""Values in a document, each alias counted with all that it stands for."""


def parse(text: str, shown: str) -> tuple[Any, Marks]:
    """Read the one document of a text.

    Args:
        text: All of it.
        shown: How messages name it.

    Returns:
        The value (None for an empty text), and where its parts stand.

    Raises:
        ContractError: it is not YAML, holds several documents, says keys twice, uses tags of its own, or is deeper or
            larger than any contract.
    """
    builder = _Builder(shown)
    try:
        for event in _events(text):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = _mark(mark) if mark else (None, None)
        line = text.splitlines()[mark.line : mark.line + 1] if mark else []
        hint = "indent with spaces, not with tabs." if line and re.match(r"\s*\t", line[0]) else ""
        raise _broken(shown, (), f"is not YAML: {error.problem or error.context}", at, hint) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise _broken(shown, (), f"is not YAML: {str(error).splitlines()[0]}") from None
    if builder.problems:
        raise ContractError(builder.problems)
    return builder.root, builder.marks


def _events(text: str) -> Iterator[Any]:
    # libyaml is some ten times as fast; both give the same events.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    yield from yaml.parse(text, Loader=loader)


@dataclass
class _Open:
    """A list or an object that is being read."""

    value: list[Any] | dict[str, Any]
    path: Parts
    anchor: str | None
    mark: Mark
    marks: dict[str | int, Mark] = field(default_factory=dict)
    merged: list[dict[str, Any]] = field(default_factory=list)
    key: str | None = None
    """The key whose value comes next."""
    skip: bool = False
    """Whether that key stood there before."""
    merging: bool = False
    """Whether that key is `<<`."""
    size: int = 1
    depth: int = 1


class _Builder:
    """Events → values."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.problems: list[Problem] = []
        self.marks: dict[int, dict[str | int, Mark]] = {}
        self.root: Any = None
        self._documents = 0
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}

    def take(self, event: Any) -> None:
        """Read the next event."""
        mark = _mark(event.start_mark)
        if isinstance(event, ScalarEvent):
            self._scalar(event, mark)
        elif isinstance(event, AliasEvent):
            self._alias(event.anchor or "", mark)
        elif isinstance(event, SequenceStartEvent | MappingStartEvent):
            self._open(event, mark)
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            self._close()
        elif isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._fault("holds several documents; a contract is one", mark, "put each in a file of its own.")

    def _scalar(self, event: ScalarEvent, mark: Mark) -> None:
        if self._wants_key():
            self._take_key(event, mark)
            return
        try:
            value = yaml_scalar.meaning(event)
        except ValueError as error:
            raise self._fault(str(error), mark) from None
        if event.anchor:
            self._anchors[event.anchor] = (value, 1, 0)
        self._put(value, mark, 1, 0)

    def _alias(self, anchor: str, mark: Mark) -> None:
        if anchor not in self._anchors:
            inside = any(opened.anchor == anchor for opened in self._stack)
            raise self._fault(f"`*{anchor}` {'stands inside of itself' if inside else 'is not defined above'}", mark)
        if self._wants_key():
            raise self._fault(f"`*{anchor}` is no key", mark)
        self._put(self._anchors[anchor][0], mark, *self._anchors[anchor][1:])

    def _open(self, event: Any, mark: Mark) -> None:
        is_map = isinstance(event, MappingStartEvent)
        if self._wants_key():
            raise self._fault("a list or an object is no key", mark)
        if event.tag not in (None, "!", yaml_scalar.TAG + ("map" if is_map else "seq")):
            raise self._fault(yaml_scalar.tagged(event.tag), mark)
        self._stack.append(_Open(value={} if is_map else [], path=self._path(), anchor=event.anchor, mark=mark))
        if len(self._stack) > DEEPEST:
            raise _broken(self.shown, (), _TOO_DEEP, mark)

    def _close(self) -> None:
        closed = self._stack.pop()
        for other in closed.merged:
            for key, value in other.items():
                if isinstance(closed.value, dict) and key not in closed.value:
                    closed.value[key] = value
                    closed.marks[key] = self.marks[id(other)][key]
        self.marks[id(closed.value)] = closed.marks
        if closed.anchor:
            self._anchors[closed.anchor] = (closed.value, closed.size, closed.depth)
        self._put(closed.value, closed.mark, closed.size, closed.depth)

    def _put(self, value: Any, mark: Mark, size: int, depth: int) -> None:
        """Give a value to the list or object that it stands in."""
        if not self._stack:
            self.root = value
            return
        parent = self._stack[-1]
        parent.size += size
        parent.depth = max(parent.depth, depth + 1)
        if parent.size > MOST:
            raise self._fault(f"holds more than {MOST:,} values, aliases counted as often as they are used", mark)
        if parent.depth > DEEPEST:
            raise _broken(self.shown, (), _TOO_DEEP, mark)
        if isinstance(parent.value, list):
            parent.marks[len(parent.value)] = mark
            parent.value.append(value)
            return
        key, parent.key = parent.key or "", None
        if parent.merging:
            parent.merged += self._merged(value, mark)
        elif not parent.skip:
            parent.value[key] = value

    def _take_key(self, event: ScalarEvent, mark: Mark) -> None:
        parent = self._stack[-1]
        assert isinstance(parent.value, dict)
        if event.anchor:
            self._anchors[event.anchor] = (event.value, 1, 0)
        parent.key = event.value
        parent.merging = event.value == "<<" and event.implicit[0]
        parent.skip = event.value in parent.value
        if parent.skip:
            self._problem((*parent.path, event.value), f"`{event.value}` stands twice in one object", mark)
        elif not parent.merging:
            parent.marks[event.value] = mark

    def _merged(self, value: Any, mark: Mark) -> list[dict[str, Any]]:
        merged = value if isinstance(value, list) else [value]
        if not all(isinstance(part, dict) for part in merged):
            raise self._fault("`<<` merges objects only", mark)
        return merged

    def _wants_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None

    def _path(self) -> Parts:
        """Where the next value stands."""
        if not self._stack:
            return ()
        parent = self._stack[-1]
        if isinstance(parent.value, dict):
            return parent.path if parent.key is None else (*parent.path, parent.key)
        return (*parent.path, len(parent.value))

    def _problem(self, at: Parts, message: str, mark: Mark) -> None:
        path = json_path(at)
        self.problems.append(Problem(file=self.shown, path=path, message=f"{message}.", line=mark[0], column=mark[1]))

    def _fault(self, message: str, mark: Mark, hint: str = "") -> ContractError:
        """An end to the reading, with all that was found before."""
        broken = _broken(self.shown, self._path(), message, mark, hint)
        return ContractError([*self.problems, *broken.problems])


_TOO_DEEP = f"is nested more than {DEEPEST} levels deep"


def _mark(mark: Any) -> Mark:
    return mark.line + 1, mark.column + 1


def _broken(
    shown: str, at: Parts, message: str, mark: tuple[int | None, int | None] = (None, None), hint: str = ""
) -> ContractError:
    problem = Problem(file=shown, path=json_path(at), message=f"{message}.", hint=hint, line=mark[0], column=mark[1])
    return ContractError([problem])
