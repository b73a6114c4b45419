"""Plain values → YAML that a person likes to read: block style, few quotes, comments where they are wanted.

Texts are quoted whenever a reader of YAML 1.1 or 1.2 could take them for something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from sluis.contract.document import Parts

Comments = Mapping[Parts, Sequence[str]]
"""Place → the comments above it, a line each."""

_PLAIN = re.compile(r"[A-Za-z_^][\w^$ ./()+-]*(?<! )", re.ASCII)
"""Text that needs no quotes, but for the words below."""

_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"})

_WIDTH = 100


def write(document: Mapping[str, Any], comments: Comments | None = None) -> str:
    """The document as YAML.

    Args:
        document: Mappings, lists and scalars; numbers with a fraction as `Decimal`.
        comments: What is said above its parts; what stands at `()` comes first.
    """
    said = comments or {}
    heading = [f"# {line}" for line in said.get((), ())]
    return "\n".join([*heading, *_block(document, (), said)]) + "\n"


def _block(value: Any, at: Parts, comments: Comments) -> Iterator[str]:
    """The lines of a mapping or a list, not indented."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _comment((*at, key), comments)
            yield from _entry(f"{scalar(key)}:", inner, (*at, key), comments)
    else:
        for index, inner in enumerate(value):
            yield from _comment((*at, index), comments)
            yield from _member(inner, (*at, index), comments)


def _comment(at: Parts, comments: Comments) -> Iterator[str]:
    for text in comments.get(at, ()):
        yield f"# {' '.join(text.split())}"


def _entry(head: str, value: Any, at: Parts, comments: Comments) -> Iterator[str]:
    if isinstance(value, Mapping | list | tuple) and value:
        if (short := _short(value, at, comments)) is not None:
            yield f"{head} {short}"
            return
        yield head
        yield from (f"  {line}" for line in _block(value, at, comments))
    elif isinstance(value, str) and _is_literal(value):
        yield f"{head} {'|' if value.endswith(chr(10)) else '|-'}"
        yield from (f"  {line}" if line else "" for line in value.removesuffix("\n").split("\n"))
    else:
        yield f"{head} {scalar(value)}"


def _member(value: Any, at: Parts, comments: Comments) -> Iterator[str]:
    lines = list(_block(value, at, comments)) if isinstance(value, Mapping | list | tuple) and value else []
    short = _short(value, at, comments) if lines else None
    if not lines or short is not None:
        yield from _entry("-", value, at, comments)
        return
    # A comment above the first key would stand behind the dash.
    above = next(index for index, line in enumerate(lines) if not line.startswith("#"))
    yield from lines[:above]
    yield f"- {lines[above]}"
    yield from (f"  {line}" if line else "" for line in lines[above + 1 :])


def _short(value: Any, at: Parts, comments: Comments) -> str | None:
    """A small list of scalars, or a mapping of one or two, in one line."""
    if any(place[: len(at)] == at and place != at for place in comments):
        return None
    inner = list(value.values()) if isinstance(value, Mapping) else list(value)
    if any(isinstance(each, Mapping | list | tuple) for each in inner) or any(
        isinstance(each, str) and "\n" in each for each in inner
    ):
        return None
    if isinstance(value, Mapping):
        if set(value) - {"value"} and at[-1:] != ("arguments",):
            return None
        text = f"{{{', '.join(f'{scalar(key)}: {scalar(each)}' for key, each in value.items())}}}"
    else:
        text = f"[{', '.join(scalar(each) for each in inner)}]"
    return text if len(text) <= _WIDTH else None


def _is_literal(text: str) -> bool:
    lines = text.removesuffix("\n").split("\n")
    fit = all(line.isprintable() and line == line.rstrip() for line in lines)
    return len(lines) > 1 and fit and bool(lines[0]) and lines[0][0] != " " and bool(lines[-1])


def scalar(value: Any) -> str:
    """A scalar, or an empty mapping or list, as YAML."""
    if isinstance(value, str):
        return value if _is_plain(value) else _quoted(value)
    if isinstance(value, bool) or value is None or isinstance(value, int | float):
        return json.dumps(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    return "{}" if isinstance(value, Mapping) else "[]"


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _WORDS


def _quoted(text: str) -> str:
    """Text in double quotes; what cannot be seen is written as a code point."""
    bare = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else _code(char) for char in bare)


def _code(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
