"""Files → documents: JSON read strictly, and checked against a JSON Schema with messages for people."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from operator import itemgetter
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
    try:
        document = json_text.parse(text_of(file, shown))
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
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def check(document: Document, schema: Document, shown: str) -> tuple[list[Problem], Document]:
    """Hold a document against a JSON Schema.

    Returns:
        Everything in which it departs from the schema, in the order of the document; and what is left of the
        document without that (None stands in for members of lists), for checks that a schema cannot express.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema)
    errors = list(validator.iter_errors(document))
    found = [place_and_problem for error in errors for place_and_problem in _explain(error, document, shown)]
    faulty = {tuple(error.absolute_path) for error in errors if error.validator not in ("required", _UNKNOWN)}
    return [problem for _, problem in sorted(found, key=itemgetter(0))], _without(document, faulty)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word; empty when none is close."""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f"did you mean `{lowered[close[0]]}`?" if close else ""


def json_path(parts: Iterable[str | int]) -> str:
    """`$.columns[2].type` from its parts."""
    return "$" + "".join(_step(part) for part in parts)


def listed(names: Iterable[object], most: int = 40) -> str:
    """Names as a person lists them."""
    quoted = [f"`{name}`" for name in names]
    more = f" … ({len(quoted)} in all)" if len(quoted) > most else ""
    return ", ".join(quoted[:most]) + more


def shown_value(value: object) -> str:
    """A value as its document states it, cut short."""
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


_UNKNOWN = "additionalProperties"

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "string": "text",
}
"""JSON Schema's names of types, in words."""


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if re.fullmatch(r"[\w-]+", part) else f"[{json.dumps(part, ensure_ascii=False)}]"


def _place(document: Any, path: Iterable[str | int]) -> list[int]:
    """A path as positions, which sort as the document is read."""
    places = []
    for part in path:
        places.append(part if isinstance(part, int) else list(document).index(part))
        document = document[part]
    return places


def _without(document: Any, faulty: set[tuple[str | int, ...]]) -> Any:
    """A copy without the values at these paths; what holds none of them is not copied."""
    on_the_way = {path[:length] for path in faulty for length in range(len(path))}

    def kept(value: Any, at: tuple[str | int, ...]) -> Any:
        if at not in on_the_way:
            return value
        if isinstance(value, dict):
            return {key: kept(inner, (*at, key)) for key, inner in value.items() if (*at, key) not in faulty}
        return [None if (*at, index) in faulty else kept(inner, (*at, index)) for index, inner in enumerate(value)]

    return kept(document, ())


def _explain(error: Any, document: Document, shown: str) -> Iterator[tuple[list[int], Problem]]:
    """An error in words; every problem with its place."""

    def problem(message: str, allowed: str = "", hint: str = "", *more: str) -> tuple[list[int], Problem]:
        path = [*error.absolute_path, *more]
        found = Problem(file=shown, path=json_path(path), message=f"{message}.", allowed=allowed, hint=hint)
        return _place(document, path), found

    wanted, found = error.validator_value, f"found {in_words(error.instance)}"
    if error.validator == _UNKNOWN:
        known = list(error.schema["properties"])
        for key in [key for key in error.instance if key not in known]:
            yield problem(f"unknown key `{key}`", listed(known), did_you_mean(key, known), key)
    elif error.validator == "required":
        # The error names its key only in its text: 'version' is a required property.
        yield problem(f"`{error.message.split(chr(39))[1]}` is missing")
    elif error.validator == "enum":
        yield problem(found, listed(wanted), did_you_mean(str(error.instance), wanted))
    elif error.validator == "type":
        types = wanted if isinstance(wanted, list) else [wanted]
        yield problem(found, ", ".join(_TYPES[name] for name in types), _type_hint(error.instance, types))
    elif error.validator == "minimum":
        yield problem(found, f"{wanted} or more")
    elif error.validator in ("minLength", "minItems", "minProperties"):
        yield problem("it is empty")
    else:
        yield problem(found, error.schema.get("description", ""))


def _type_hint(value: object, types: list[str]) -> str:
    if types == ["string"] and not isinstance(value, dict | list | None):
        return "put it in quotes."
    if "array" in types and isinstance(value, str):
        return "put it in square brackets."
    bare = isinstance(value, str) and re.fullmatch(r"true|false|-?[0-9]+", value)
    return "write it without quotes." if bare else ""


def in_words(value: object) -> str:
    """A value in words, for messages about one of the wrong kind."""
    kinds = {dict: "an object", list: "a list", bool: "a boolean", str: "text", type(None): "null"}
    kind = kinds.get(type(value), "a number")
    return kind if value is None else f"{kind} {shown_value(value)}"


def broken(shown: str, message: str) -> ContractError:
    """The error about a document that cannot be read at all."""
    return ContractError([Problem(file=shown, path="$", message=f"{message}.")])
