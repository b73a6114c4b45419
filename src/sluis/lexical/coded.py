"""Text that stands for something else: bytes as base64, JSON."""

from __future__ import annotations

import secrets

from sluis.contract.logical import Binary, Json, LogicalType
from sluis.lexical.model import Lexis
from sluis.lexical.sql import let, string

_END = secrets.token_hex(16)
"""Put behind JSON text before it is parsed. Spark reads one value and leaves what follows it unread, so what is
expected last must be something that no text can foresee."""

_PARSED = "__sluis_parsed"
_NO_OBJECT = string("[CAST_INVALID_INPUT] this is no JSON object")
_NO_JSON = string("[CAST_INVALID_INPUT] this is no JSON value, or one that says a key twice")


def parsed(text: str) -> str:
    """SQL of the VARIANT that text holds; NULL where it is not JSON (RFC 8259), or says a key twice."""
    return _parsed("try_parse_json", text, "NULL")


def parsed_or_raise(text: str) -> str:
    """The same, raising where `parsed` is NULL."""
    return _parsed("parse_json", text, f"raise_error({_NO_JSON})")


def _parsed(function: str, text: str, otherwise: str) -> str:
    listed = f"""{function}(concat('[', {text}, ',"{_END}"]'))"""
    whole = f"variant_get({_PARSED}, '$[1]', 'string') = '{_END}'"
    return let(_PARSED, listed, f"IF({whole}, variant_get({_PARSED}, '$[0]', 'variant'), {otherwise})")


def _or_else(logical: LogicalType, text: str, otherwise: str) -> str:
    """SQL of what JSON that should be an object and is another value comes to."""
    is_any = not (isinstance(logical, Json) and logical.is_object)
    return "" if is_any else f" OR IF({text} RLIKE {string(_OBJECT)}, false, {otherwise})"


_OBJECT = r"\A[ \t\n\r]*+\{"

TABLE: dict[type[LogicalType], Lexis] = {
    Binary: Lexis(
        spark="BINARY",
        # Spark decodes blank text to no bytes, which are not NULL.
        value=lambda _, text: f"nullif(try_to_binary({text}, 'base64'), X'')",
        cast=lambda _, text: f"to_binary({text}, 'base64')",
        # Spark reads base64 with spaces, spare bits or no padding too, and writes it in lines of 76.
        guard="translate(base64({value}), '\\r\\n', '') = {text}",
        literal=lambda _, v: f"unbase64({string(str(v))})",
    ),
    Json: Lexis(
        spark="STRING",
        value=lambda logical, text: f"IF({parsed(text)} IS NULL{_or_else(logical, text, 'true')}, NULL, {text})",
        cast=lambda logical, text: (
            f"IF({parsed_or_raise(text)} IS NULL{_or_else(logical, text, f'raise_error({_NO_OBJECT})')}, NULL, {text})"
        ),
        literal=lambda _, v: string(str(v)),
    ),
}
