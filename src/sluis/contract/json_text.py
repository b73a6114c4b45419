"""JSON text → plain values, read strictly and exactly: numbers with a fraction are `Decimal`."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any

DEEPEST = 100
"""Levels of lists and objects in one another, in any document."""


def parse(text: str) -> Any:
    """Read JSON.

    Raises:
        ValueError: why it cannot be read: it is not JSON, says a key twice, or holds a number or half a character
            that nothing can take.
    """
    try:
        document = json.loads(
            text, parse_float=_decimal, parse_int=_whole, parse_constant=_refuse, object_pairs_hook=_distinct
        )
        json.dumps(document, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"holds half of a character (`\\u{ord(error.object[error.start]):x}`)") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if _depth(document) > DEEPEST:
        raise ValueError(f"is nested more than {DEEPEST} levels deep")
    return document


def _depth(document: Any) -> int:
    """How many lists and objects stand in one another."""
    depth, level = 0, [document]
    while level := [value for value in level if isinstance(value, dict | list)]:
        depth += 1
        level = [inner for value in level for inner in (value.values() if isinstance(value, dict) else value)]
    return depth


def exact_number(text: str) -> int | Decimal:
    """A number's text as the number itself.

    Raises:
        ValueError: no column can hold it.
    """
    return _whole(text) if re.fullmatch("[-+]?[0-9]+", text) else _decimal(text)


_DIGITS = 400
"""Numbers beyond so many digits before or after the point are no double and no decimal of any catalog."""


def _refuse(constant: str) -> object:
    raise ValueError(f"says {constant}, which is not JSON")


def _whole(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"says {text[:20]}…, a number of {len(text)} digits")
    return int(text)


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"says {text[:40]}, which is out of range") from None
    if number and not -_DIGITS < number.adjusted() < _DIGITS:
        raise ValueError(f"says {text[:40]}, which is out of range")
    return number


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    if twice:
        listed = ", ".join(f"`{key}`" for key in twice)
        raise ValueError(f"says {listed} twice in one object")
    return dict(pairs)
