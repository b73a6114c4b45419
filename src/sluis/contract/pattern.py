"""ECMA-262 regular expressions → Java's, or a reason why not.

Contracts speak ECMA-262 (JSON Schema, ODCS `logicalTypeOptions.pattern`); Spark's `RLIKE` is `java.util.regex`.
The two read some expressions differently without an error (`$` accepts a trailing newline, `.` stops at other
characters, `[a&&b]` is an intersection), so every token is either carried over with ECMA-262's meaning
(with the `u` flag: characters are code points) or refused.
"""

from __future__ import annotations

import re

SPACE = r"\t\n\x0B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"
"""ECMA-262 `\\s` as the inside of a Java class (WhiteSpace and LineTerminator)."""

_WORD_EDGE = r"(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))"
_OUTSIDE = {
    "s": f"[{SPACE}]",
    "S": f"[^{SPACE}]",
    "b": _WORD_EDGE,
    "B": _WORD_EDGE.replace("(?:", "(?!", 1),
    "0": r"\x00",
}
_INSIDE = {"s": SPACE, "b": r"\x08", "0": r"\x00"}
_SAME = set("dDwWtnrvf") | set("^$\\.*+?()[]{}|/-")
_TOKEN = re.compile(
    r"""(?P<escape>\\(?:u\{[0-9A-Fa-f]{1,6}\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[A-Za-z_=]+\}|k<\w+>|[1-9]\d*|.))
    |(?P<group>\(\?(?::|=|!|<=|<!|<[A-Za-z][A-Za-z0-9]*>))
    |(?P<odd>\(\?)
    |(?P<count>\{\d+(?:,\d*)?\})
    |(?P<char>.)""",
    re.VERBOSE | re.DOTALL,
)


class PatternError(ValueError):
    """The expression cannot be carried over; the message says which part and why."""


def to_java(pattern: str) -> str:
    """Translate an ECMA-262 expression for Spark's `RLIKE`.

    Raises:
        PatternError: Java would read it differently, or it is not an expression.
    """
    out: list[str] = []
    depth, inside, quantifiable = 0, False, False
    for match in _TOKEN.finditer(pattern):
        token, kind = match.group(), match.lastgroup
        if kind == "escape":
            out.append(_escape(token, inside))
            quantifiable = True
        elif inside:
            inside = token != "]"
            out.append(_in_class(token, opening=out[-1] == "[" or out[-2:] == ["[", "^"]))
            quantifiable = True
        elif token == "[":
            inside = True
            out.append("[")
        elif kind in ("group", "odd") or token == "(":
            if kind == "odd":
                raise PatternError(
                    f"`{pattern[match.start() : match.start() + 4]}…` is not an ECMA-262 group (inline flags are not)"
                )
            depth, quantifiable = depth + 1, False
            out.append(token)
        elif token == ")":
            depth, quantifiable = depth - 1, True
            if depth < 0:
                raise PatternError("a `)` has no `(`")
            out.append(token)
        elif kind == "count" or token in "*+?":
            lazy = token == "?" and out[-1:] and re.fullmatch(r"[*+?]|\{.*\}", out[-1]) and not quantifiable
            if not quantifiable and not lazy:
                raise PatternError(f"nothing to repeat before `{token}`")
            quantifiable = False
            out.append(token)
        else:
            out.append(_plain(token))
            quantifiable = token not in "^$|"
    if inside or depth:
        raise PatternError("a `[` has no `]`" if inside else "a `(` has no `)`")
    return "".join(out)


def _escape(token: str, inside: bool) -> str:
    letter = token[1]
    special = (_INSIDE if inside else _OUTSIDE).get(letter) if len(token) == 2 else None
    if special is not None:
        return special
    if len(token) > 2 and letter in "uxcpPk":
        return token.replace("u{", "x{") if token.startswith("\\u{") else token
    if letter.isdigit() and not inside:
        return token
    if letter == "v":
        return r"\x0B"
    if letter in _SAME and len(token) == 2:
        return "/" if letter == "/" else token
    raise PatternError(f"`{token}` has no meaning in ECMA-262 that Java shares")


def _in_class(token: str, *, opening: bool) -> str:
    if token == "]" and opening:
        raise PatternError("`[]` and `[^]` mean something else in Java")
    if token in ("[", "&"):
        return "\\" + token
    if token == "^" and not opening:
        return r"\^"
    return token if token == "]" or len(token) == 1 else "".join(_in_class(part, opening=False) for part in token)


def _plain(token: str) -> str:
    if token in "{}]":
        raise PatternError(f"a lone `{token}` must be written `\\{token}`")
    return {"$": r"\z", ".": r"[^\n\r\u2028\u2029]"}.get(token, token)
