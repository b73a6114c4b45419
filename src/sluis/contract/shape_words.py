"""Errors of a JSON Schema's plain keywords in words: what was found, what is allowed, and a hint."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sluis.contract.document import did_you_mean, in_words, listed, shown_value

TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "text",
}
"""JSON Schema's names of types, in words."""


def as_list(value: Any) -> list[Any]:
    """The value of a keyword that may hold one thing or several."""
    return value if isinstance(value, list) else [value]


Words = tuple[str, str, str]
"""Message, what is allowed, hint."""


def other(error: Any) -> Words:
    """An error of a keyword without words of its own."""
    return f"found {in_words(error.instance)}", str(error.schema.get("description", "")), ""


def _enum(error: Any) -> Words:
    wanted = error.validator_value
    return f"found {in_words(error.instance)}", listed(wanted), did_you_mean(str(error.instance), map(str, wanted))


def _type(error: Any) -> Words:
    types = as_list(error.validator_value)
    allowed = ", ".join(TYPES[name] for name in types)
    return f"found {in_words(error.instance)}", allowed, _type_hint(error.instance, types)


def _type_hint(value: object, types: list[str]) -> str:
    if types == ["string"] and not isinstance(value, dict | list | None):
        return "put it in quotes."
    if "array" in types and isinstance(value, str):
        return "put it in square brackets."
    bare = isinstance(value, str) and re.fullmatch(r"true|false|-?[0-9]+", value)
    return "write it without quotes." if bare else ""


def _bound(words: str) -> Callable[[Any], Words]:
    def explain(error: Any) -> Words:
        return f"found {in_words(error.instance)}", words.format(error.validator_value), ""

    return explain


def _empty(error: Any) -> Words:
    if error.validator_value == 1:
        return "it is empty", "", ""
    return f"found {in_words(error.instance)}", f"{error.validator_value} or more of them", ""


PLAIN: dict[str, Callable[[Any], Words]] = {
    "enum": _enum,
    "const": lambda error: (f"found {in_words(error.instance)}", f"`{shown_value(error.validator_value)}`", ""),
    "type": _type,
    "pattern": _bound("text that matches `{}`"),
    "minimum": _bound("{} or more"),
    "maximum": _bound("{} or less"),
    "exclusiveMinimum": _bound("more than {}"),
    "exclusiveMaximum": _bound("less than {}"),
    "multipleOf": _bound("a multiple of {}"),
    "minLength": _empty,
    "minItems": _empty,
    "minProperties": _empty,
    "maxItems": _bound("{} of them at most"),
    "uniqueItems": lambda error: (f"found {in_words(error.instance)}", "each value once", ""),
}
"""Keyword of JSON Schema → its errors in words."""
