"""ECMA-262 regular expressions → Java's, or a reason why not.

Contracts speak ECMA-262 (JSON Schema, ODCS `logicalTypeOptions.pattern`); Spark's `RLIKE` is `java.util.regex`.
The two read some expressions differently without an error (`$` accepts a trailing newline, `.` stops at other
characters, `[a&&b]` is an intersection), so every token is either carried over with ECMA-262's meaning
(with the `u` flag: characters are code points) or refused. Beyond that flag, punctuation may be escaped anywhere,
as people do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SPACE = r"\t\n\x0B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"
"""ECMA-262 `\\s` as the inside of a Java class (WhiteSpace and LineTerminator)."""

_NO_SPACE = (
    r"\x00-\x08\x0E-\x1F!-\u009F\u00A1-\u167F\u1681-\u1FFF\u200B-\u2027\u202A-\u202E\u2030-\u205E\u2060-\u2FFF"
    r"\u3001-\uFEFE\uFF00-\x{10FFFF}"
)
"""Its complement; spelt out, as versions of Java differ on a negated class inside another."""

_WORD_EDGE = r"(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))"
_EDGES = {r"\b": _WORD_EDGE, r"\B": _WORD_EDGE.replace("(?:", "(?!", 1)}
_CLASSES = {rf"\{letter}": rf"\{letter}" for letter in "dDwW"} | {r"\s": SPACE, r"\S": _NO_SPACE}
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
_AHEAD = ("(?=", "(?!")

_MOST = 2**31 - 1
"""Java counts repetitions in 32 bits."""

_ESCAPE = r"""\\(?:u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}
    |x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[0-9]+|.|\Z)"""
_TOKEN = re.compile(
    rf"""(?P<escape>{_ESCAPE})
    |(?P<set>\[\^?(?:\\.|[^\]\\])*\])
    |(?P<open>\((?!\?)|\(\?(?::|=|!|<(?:[^\W\d]|\$)[\w$]*>))
    |(?P<odd>\(\?(?:<.|.)?)
    |(?P<close>\))
    |(?P<count>(?:[*+?]|\{{[0-9]+(?:,[0-9]*)?\}})\??)
    |(?P<char>.)""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER = re.compile(rf"{_ESCAPE}|.", re.VERBOSE | re.DOTALL)


class PatternError(ValueError):
    """The expression cannot be carried over; the message says which part and why."""


def to_java(pattern: str) -> str:
    """Translate an ECMA-262 expression for Spark's `RLIKE`.

    Raises:
        PatternError: Java would read it differently, or it is not an expression.
    """
    out: list[str] = []
    opened: list[str] = []
    names: set[str] = set()
    repeatable = False
    for match in _TOKEN.finditer(pattern):
        token, kind = match.group(), match.lastgroup
        if kind == "count":
            if not repeatable:
                raise PatternError(f"nothing to repeat before `{token}`")
            out.append(_count(token))
            repeatable = False
        elif kind == "open":
            opened.append(token)
            out.append(_open(token, names))
            repeatable = False
        elif kind == "close":
            if not opened:
                raise PatternError("a `)` has no `(`")
            repeatable = opened.pop() not in _AHEAD
            out.append(token)
        else:
            out.append(_ATOMS[kind or "char"](token))
            repeatable = token not in (*_EDGES, "^", "$", "|")
    if opened:
        raise PatternError("a `(` has no `)`")
    return "".join(out)


def recurses(pattern: str) -> bool:
    """Whether Java's matcher calls itself for every round of a group, so that long text takes more stack than there is.

    It does for a repeated group whose rounds have alternatives or differ in length, unless it never gives one back.

    Args:
        pattern: A Java expression.
    """
    varies, closed = [False], False
    for match in _TOKEN.finditer(pattern):
        token, kind = match.group(), match.lastgroup
        if kind == "count" and closed and _is_many(token) and pattern[match.end() : match.end() + 1] != "+":
            return True
        closed = False
        if kind in ("open", "odd"):
            varies.append(False)
        elif kind == "close":
            closed = varies.pop()
            varies[-1] |= closed
        else:
            varies[-1] |= token == "|" or (kind == "count" and not token[1:-1].isdigit())
    return False


def _is_many(count: str) -> bool:
    most = re.search(r"([0-9]*)\}", count)
    return count[0] in "*+" or (most is not None and (not most[1] or int(most[1]) > _FEW))


_FEW = 100
"""Rounds for which there is always stack."""


def _open(token: str, names: set[str]) -> str:
    """A group; names are for back-references, which are refused, so Java needs none."""
    if not token.endswith(">"):
        return token
    if token in names:
        raise PatternError(f"`{token}` names two groups")
    names.add(token)
    return "("


def _count(token: str) -> str:
    bounds = [int(number[:20]) for number in re.findall("[0-9]+", token)]
    if bounds != sorted(bounds) or max(bounds, default=0) > _MOST:
        raise PatternError(f"`{token}` counts backwards or too far")
    return token


def _odd(token: str) -> str:
    if token in ("(?<=", "(?<!"):
        raise PatternError(f"`{token}…`: Java looks behind only so far, and through half of some characters")
    raise PatternError(f"`{token}…` opens no group that ECMA-262 and Java share (flags inside a pattern are not)")


def _outside(token: str) -> str:
    if token in _EDGES:
        return _EDGES[token]
    if (code := _code(token)) is not None:
        return _char(code, special=r"\^$.|?*+()[]{}")
    kind = _class(token)
    return f"[{kind}]" if token in (r"\s", r"\S") else kind


def _set(token: str) -> str:
    """`[…]`, member by member."""
    opening = "[^" if token.startswith("[^") else "["
    if not (inside := token[len(opening) : -1]):
        raise PatternError(f"`{token}` means something else in Java")
    return f"{opening}{''.join(_members(_MEMBER.findall(inside)))}]"


def _members(members: list[str]) -> Iterator[str]:
    index = 0
    while index < len(members):
        if members[index + 1 : index + 2] == ["-"] and index + 2 < len(members):
            yield _range(members[index], members[index + 2])
            index += 3
        else:
            yield _member(members[index])
            index += 1


def _range(first: str, last: str) -> str:
    low, high = _code(first, inside=True), _code(last, inside=True)
    if low is None or high is None or low > high:
        raise PatternError(f"`{first}-{last}` is not a range of characters")
    return f"{_member(first)}-{_member(last)}"


def _member(token: str) -> str:
    code = _code(token, inside=True)
    return _class(token) if code is None else _char(code, special=r"\^-[]&")


def _code(token: str, *, inside: bool = False) -> int | None:
    """The code point that a character or an escape stands for; None when it is not one character."""
    if not token.startswith("\\"):
        return ord(token)
    letter, rest = token[1:2], token[2:]
    if letter == "c" and rest:
        return ord(rest) % 32
    if letter in ("u", "x") and rest:
        return _hexadecimal(token)
    if rest or not letter:
        return None
    if letter == "b":
        return 8 if inside else None
    return _CONTROLS.get(letter, ord(letter) if letter.isascii() and not letter.isalnum() else None)


def _hexadecimal(token: str) -> int:
    numbers = [int(digits, 16) for digits in re.findall("[0-9A-Fa-f]{2,}|[0-9A-Fa-f]", token.replace("\\", " "))]
    if len(numbers) == 2:
        return 0x10000 + ((numbers[0] - 0xD800) << 10) + (numbers[1] - 0xDC00)
    if numbers[0] > 0x10FFFF or 0xD800 <= numbers[0] < 0xE000:
        raise PatternError(f"`{token}` is no character")
    return numbers[0]


def _char(code: int, *, special: str) -> str:
    char = chr(code)
    if char in special:
        return f"\\{char}"
    return char if char.isascii() and char.isprintable() else f"\\x{{{code:X}}}"


def _class(token: str) -> str:
    """An escape that stands for several characters; valid inside and outside `[…]`."""
    if token in _CLASSES:
        return _CLASSES[token]
    if token[1:3] in ("p{", "P{"):
        return f"{token[:2]}{{{_property(token)}}}"
    if token[1:2].isdigit() or token.startswith(r"\k<"):
        raise PatternError(f"`{token}`: Java reads back-references (and octal numbers) differently")
    raise PatternError(f"`{token}` has no meaning in ECMA-262 that Java shares")


def _property(token: str) -> str:
    key, _, value = token[3:-1].rpartition("=")
    if key in ("", "gc", "General_Category") and value in _CATEGORIES:
        return _CATEGORIES[value]
    if key in ("sc", "Script") and value in _SCRIPTS:
        return f"Is{value}"
    if not key and value in _BINARY:
        return _BINARY[value]
    known = "a general category (`L`, `Lu`, `Letter` …), `Alphabetic`, `Lowercase`, `Uppercase`, `White_Space`, `ASCII`"
    raise PatternError(f"`{token}`: known are {known} and `Script=` {', '.join(sorted(_SCRIPTS))}")


def _plain(token: str) -> str:
    if token == "[":
        raise PatternError("a `[` has no `]`")
    if token in "{}]":
        raise PatternError(f"a lone `{token}` must be written `\\{token}`")
    special = {"^": "^", "$": r"\z", ".": r"[^\n\r\u2028\u2029]", "|": "|"}
    return special[token] if token in special else _char(ord(token), special="")


_ATOMS = {"escape": _outside, "set": _set, "odd": _odd, "char": _plain}
"""Kind of token → its translation."""

_NAMES = """
    C Other, Cc Control cntrl, Cf Format, Cn Unassigned, Co Private_Use, Cs Surrogate, L Letter, LC Cased_Letter,
    Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter, Lt Titlecase_Letter, Lu Uppercase_Letter,
    M Mark Combining_Mark, Mc Spacing_Mark, Me Enclosing_Mark, Mn Nonspacing_Mark, N Number, Nd Decimal_Number digit,
    Nl Letter_Number, No Other_Number, P Punctuation punct, Pc Connector_Punctuation, Pd Dash_Punctuation,
    Pe Close_Punctuation, Pf Final_Punctuation, Pi Initial_Punctuation, Po Other_Punctuation, Ps Open_Punctuation,
    S Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol, So Other_Symbol, Z Separator,
    Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator
"""
_CATEGORIES = {name: names.split()[0] for names in _NAMES.split(",") for name in names.split()}
"""ECMA-262's names of a general category → Java's."""

_BINARY = {
    "Alphabetic": "IsAlphabetic",
    "Alpha": "IsAlphabetic",
    "Lowercase": "IsLowercase",
    "Lower": "IsLowercase",
    "Uppercase": "IsUppercase",
    "Upper": "IsUppercase",
    "White_Space": "IsWhite_Space",
    "space": "IsWhite_Space",
    "ASCII": "ASCII",
}
"""ECMA-262's names of a binary property → Java's, whose own `Alpha` and `Lower` are ASCII."""

_SCRIPTS = {
    *("Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Georgian", "Greek"),
    *("Han", "Hangul", "Hebrew", "Hiragana", "Katakana", "Latin", "Thai"),
}
