"""Scalars of YAML → plain values; what YAML 1.1 and 1.2 read differently stays the text that it is."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from yaml.events import ScalarEvent

from sluis.contract.json_text import exact_number

_NULL = re.compile("|~|null|Null|NULL")
_TRUTH = {**dict.fromkeys(("true", "True", "TRUE"), True), **dict.fromkeys(("false", "False", "FALSE"), False)}
# An exponent makes a number of text only where YAML 1.1 and 1.2 agree: after a point, and with a sign.
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*|(?=\.[0-9]))(?:\.[0-9]*(?:[eE][-+][0-9]+)?)?")
TAG = "tag:yaml.org,2002:"
"""What the tags of YAML itself start with."""

_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "timestamp": (str,),
    "null": (type(None),),
    "bool": (bool,),
    "int": (int,),
    "float": (int, Decimal),
}
"""Standard tags of scalars → what the text must then be."""


def meaning(event: ScalarEvent) -> Any:
    """What a scalar's text means.

    Raises:
        ValueError: it has a tag that is no plain value's, its text is none of the tag's, or no column holds the number.
    """
    text, tag = event.value, event.tag
    if tag == "!" or (tag is None and not event.implicit[0]):
        return text
    name = tag.removeprefix(TAG) if tag else ""
    if tag and (name == tag or name not in _KINDS):
        raise ValueError(tagged(tag))
    if name in ("str", "timestamp"):
        return text
    value = _plain(text)
    if name and type(value) not in _KINDS[name]:
        raise ValueError(f"`{text[:40]}` is no `!!{name}`")
    return value


def tagged(tag: str) -> str:
    """What is said of a tag that is no plain value's."""
    return f"has the tag `{tag}`; a contract is plain data"


def _plain(text: str) -> Any:
    if _NULL.fullmatch(text):
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    return exact_number(text) if _NUMBER.fullmatch(text) else text
