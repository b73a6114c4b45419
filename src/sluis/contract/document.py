"""Files → documents: JSON read strictly; and the words in which messages speak of what is in them."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from sluis.contract import json_text
from sluis.errors import ContractError, Problem

Document = dict[str, Any]
"""A JSON object; numbers with a fraction are `Decimal`, so that nothing is rounded on the way."""

Parts = tuple[str | int, ...]
"""Keys and positions that lead to a value."""

LARGEST = 20_000_000
"""Bytes of a document; the largest contract that people know of has 0.2 million."""


def read(file: Path, shown: str) -> Document:
    """Read a JSON object.

    Args:
        file: The file.
        shown: How messages name it.

    Raises:
        ContractError: it is missing, not UTF-8, not JSON, says a key twice or is not an object.
    """
    return parse(text_of(file, shown), shown)


def parse(text: str, shown: str) -> Document:
    """The JSON object that a document's text is.

    Raises:
        ContractError: it is not JSON, says a key twice or is not an object.
    """
    try:
        document = json_text.parse(text)
    except ValueError as error:
        raise broken(shown, str(error)) from None
    return as_object(document, shown)


def as_object(document: Any, shown: str) -> Document:
    """The document, if it is an object.

    Raises:
        ContractError: it is something else.
    """
    if not isinstance(document, dict):
        raise broken(shown, f"holds {in_words(document)} where an object was expected")
    return document


def text_of(file: Path, shown: str) -> str:
    """The text of a document, without a byte order mark.

    Raises:
        ContractError: it is missing, not UTF-8, or larger than any contract.
    """
    try:
        content = file.read_bytes() if file.stat().st_size <= LARGEST else None
        if content is None:
            raise broken(shown, f"is larger than {LARGEST:,} bytes")
        return content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise broken(shown, _unreadable(error)) from None


def _unreadable(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 (byte {error.start})"
    return f"cannot be read ({error.strerror if isinstance(error, OSError) else error})"


def fingerprint(document: Any) -> str:
    """`sha256:…` of what a document says; layout and the order of keys do not count."""
    return "sha256:" + hashlib.sha256(as_text(document).encode()).hexdigest()


def as_text(value: Any) -> str:
    """What a document, or a part of one, says, as JSON in one line; equal for what says the same."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word; empty when none is close."""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f"did you mean `{lowered[close[0]]}`?" if close else ""


def json_path(parts: Iterable[str | int]) -> str:
    """`$.columns[2].type` from its parts."""
    return "$" + "".join(_step(part) for part in parts)


def parts_of(path: str) -> Parts:
    """The parts that `json_path` made a path from."""
    steps = re.finditer(r'\.([\w-]+)|\[([0-9]+)\]|\[("(?:[^"\\]|\\.)*")\]', path)
    return tuple(
        plain or (int(place) if place else json.loads(quoted)) for plain, place, quoted in (s.groups() for s in steps)
    )


def listed(names: Iterable[object], most: int = 40) -> str:
    """Names as a person lists them."""
    quoted = [f"`{name}`" for name in names]
    more = f" … ({len(quoted)} in all)" if len(quoted) > most else ""
    return ", ".join(quoted[:most]) + more


def shown_value(value: object) -> str:
    """A value as its document states it, cut short."""
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if re.fullmatch(r"[\w-]+", part) else f"[{json.dumps(part, ensure_ascii=False)}]"


def in_words(value: object) -> str:
    """A value in words, for messages about one of the wrong kind."""
    kinds = {dict: "an object", list: "a list", bool: "a boolean", str: "text", type(None): "null"}
    kind = kinds.get(type(value), "a number")
    return kind if value is None else f"{kind} {shown_value(value)}"


def broken(shown: str, message: str) -> ContractError:
    """The error about a document that cannot be read at all."""
    return ContractError([Problem(file=shown, path="$", message=f"{message}.")])
