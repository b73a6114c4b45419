"""Pieces of Spark SQL: names and literals that no value can break out of, blanks, and names for what is used twice."""

from __future__ import annotations

WHITESPACE = "".join(
    chr(code)
    for code in (
        *range(9, 14),
        0x20,
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    )
)
"""Unicode's White_Space property: text made of these alone is blank."""


def identifier(name: str) -> str:
    """A quoted SQL identifier."""
    return "`" + name.replace("`", "``") + "`"


def string(text: str) -> str:
    """A SQL string literal; every character that a parser could read otherwise is written as a code point."""
    plain = "".join(
        char if char.isascii() and char.isprintable() and char not in "'\\$" else _code(char) for char in text
    )
    return f"'{plain}'"


def _code(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def blank(text: str) -> str:
    """SQL: whether non-NULL text is empty or only whitespace.

    Almost all text starts with a printable ASCII character, which two comparisons of one byte tell;
    only the rest is stripped. By IF, not AND: what stands twice on the right of an AND, Spark computes once for every
    row beforehand, whether the left holds or not (10 % of a pass for this, 6 % for the shapes).
    """
    return f"IF({text} < '!' OR {text} > '~', ltrim({string(WHITESPACE)}, {text}) = '', false)"


def let(name: str, sql: str, body: str) -> str:
    """SQL of `body`, in which `name` stands for what `sql` gives; Spark computes that once."""
    return f"transform(array({sql}), {name} -> {body})[0]"
