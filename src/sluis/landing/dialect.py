"""The CSV dialect: which reader options an entity may set, what they accept, and what Spark is told."""

from __future__ import annotations

import codecs
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

NO_QUOTE = "\x00"
"""Spark's own way to say that nothing quotes."""

SPARK_CHARSETS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "ascii": "US-ASCII",
    "iso8859-1": "ISO-8859-1",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "utf-32": "UTF-32",
}
"""Python's name of each encoding that Spark 4's CSV reader takes → Spark's name."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How the bytes of a landing file become text fields; RFC 4180 unless the entity says otherwise."""

    sep: str = ","
    """Between two fields."""

    quote: str = '"'
    """Around a field; empty when nothing quotes."""

    escape: str = '"'
    """Before a quote inside quotes; the quote itself means doubled quotes."""

    encoding: str = "utf-8"
    """Python's name of the encoding."""

    header: bool = True
    """Whether the first record names the columns; without it, the contract's order does."""

    multi_line: bool = False
    """Whether a quoted field may contain line breaks."""

    comment: str = ""
    """A line that begins with it is no record; empty when there are no comments."""

    line_sep: str = ""
    """The only line end; empty for any of LF, CRLF and CR."""

    trim_leading: bool = False
    """Whether spaces before a field are dropped."""

    trim_trailing: bool = False
    """Whether spaces after a field are dropped."""

    null_value: str = ""
    """Text that stands for NULL."""

    empty_value: str = ""
    """What a quoted empty field is read as."""

    @property
    def wide(self) -> bool:
        """Whether characters take more than one byte each, so that Spark cannot split the bytes at line ends."""
        return self.encoding.startswith(("utf-16", "utf-32"))

    @property
    def whole(self) -> bool:
        """Whether Spark reads a file from its start to its end instead of line by line."""
        return self.multi_line or self.wide

    @property
    def bare(self) -> bool:
        """Whether the fields of a line without quotes are what stands between the separators, and empty ones NULL."""
        return not (self.trim_leading or self.trim_trailing or self.null_value)

    @property
    def charset(self) -> str:
        """The encoding that Spark is told; a single-byte one that it does not know is mapped from Latin-1."""
        return SPARK_CHARSETS.get(self.encoding, "ISO-8859-1")

    @property
    def mapping(self) -> tuple[str, str]:
        """Latin-1 characters that stand for others in this encoding, and those others."""
        if self.encoding in SPARK_CHARSETS:
            return "", ""
        pairs = [(chr(byte), bytes([byte]).decode(self.encoding, "replace")) for byte in range(128, 256)]
        changed = [pair for pair in pairs if pair[0] != pair[1]]
        return "".join(old for old, _ in changed), "".join(new for _, new in changed)


def spark_options(dialect: Dialect, *, columns: int, line_end: str = "") -> dict[str, str]:
    """What Spark's CSV reader is told; inference is never on, and nothing is left to the session's settings."""
    options = {
        "sep": dialect.sep,
        "quote": dialect.quote or NO_QUOTE,
        "escape": dialect.escape or NO_QUOTE,
        "encoding": dialect.charset,
        "header": str(dialect.header).lower(),
        "multiLine": str(dialect.whole).lower(),
        "ignoreLeadingWhiteSpace": str(dialect.trim_leading).lower(),
        "ignoreTrailingWhiteSpace": str(dialect.trim_trailing).lower(),
        "nullValue": dialect.null_value,
        "emptyValue": dialect.empty_value,
        "mode": "PERMISSIVE",
        "inferSchema": "false",
        # The second lock behind the header that was read as text: Spark compares the names itself.
        "enforceSchema": "false",
        # With pruning on, Spark parses only the columns asked for and takes ragged records for good ones.
        "columnPruning": "false",
        "ignoreCorruptFiles": "false",
        "ignoreMissingFiles": "false",
        "maxColumns": str(max(20480, 2 * columns)),
    }
    if dialect.comment:
        options["comment"] = dialect.comment
    if line_end:
        options["lineSep"] = line_end
    return options


Check = Callable[[object], str]
"""Says what is wrong with a value; empty when it is fine."""


def _text(low: int, high: int, what: str) -> Check:
    def check(value: object) -> str:
        fine = isinstance(value, str) and low <= len(value) <= high
        return "" if fine else f"must be {what}, not {value!r}"

    return check


def _flag(value: object) -> str:
    return "" if _as_flag(value) is not None else f"must be true or false, not {value!r}"


def _as_flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None


def _encoding(value: object) -> str:
    if not isinstance(value, str):
        return f"must be the name of an encoding, not {value!r}"
    try:
        name = codecs.lookup(value).name
        if name in SPARK_CHARSETS or _single_byte(name):
            return ""
    except (LookupError, ValueError):
        near = difflib.get_close_matches(value.lower(), [*SPARK_CHARSETS, "cp1252", "iso-8859-15"], 1)
        return f"names {value!r}, which is no known encoding" + (f"; did you mean {near[0]!r}?" if near else "")
    known = ", ".join(sorted(set(SPARK_CHARSETS.values())))
    return (
        f"names {value!r}, which is not supported: Spark reads {known}, and Sluis any one-byte "
        "encoding such as cp1252; convert the file to UTF-8"
    )


def _single_byte(name: str) -> bool:
    text = bytes(range(256)).decode(name, "replace")
    return len(text) == 256 and text[:128] == bytes(range(128)).decode("ascii")


@dataclass(frozen=True, kw_only=True)
class _Option:
    field: str
    check: Check
    flag: bool = False


_ONE = "one character"
_OPTIONS = {
    "sep": _Option(field="sep", check=_text(1, 1, _ONE)),
    "quote": _Option(field="quote", check=_text(0, 1, f"{_ONE}, or empty for none")),
    "escape": _Option(field="escape", check=_text(0, 1, f"{_ONE}, or empty for none")),
    "encoding": _Option(field="encoding", check=_encoding),
    "header": _Option(field="header", check=_flag, flag=True),
    "multiLine": _Option(field="multi_line", check=_flag, flag=True),
    "comment": _Option(field="comment", check=_text(0, 1, f"{_ONE}, or empty for none")),
    "lineSep": _Option(field="line_sep", check=_text(1, 1, _ONE)),
    "ignoreLeadingWhiteSpace": _Option(field="trim_leading", check=_flag, flag=True),
    "ignoreTrailingWhiteSpace": _Option(field="trim_trailing", check=_flag, flag=True),
    "nullValue": _Option(field="null_value", check=_text(0, 1000, "text")),
    "emptyValue": _Option(field="empty_value", check=_text(0, 1000, "text")),
}
_ALIASES = {"delimiter": "sep", "separator": "sep", "charset": "encoding", "multiline": "multiLine"}


def _canonical(name: str) -> str | None:
    """Spark takes option names in any case; so do we."""
    lower = name.lower()
    known = {option.lower(): option for option in _OPTIONS}
    return known.get(lower) or _ALIASES.get(lower)


def check_options(options: Mapping[str, object]) -> list[str]:
    """Everything that is wrong with an entity's `options`, one sentence each."""
    problems: list[str] = []
    seen: dict[str, str] = {}
    for name, value in options.items():
        known = _canonical(name)
        if known is None:
            problems.append(_unknown(name))
            continue
        if known in seen:
            problems.append(f"options {seen[known]!r} and {name!r} say the same thing; keep one")
        seen[known] = name
        wrong = _OPTIONS[known].check(value)
        if wrong:
            problems.append(f"option {name!r} {wrong}")
    return problems or _clashes(_dialect(options))


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), [option.lower() for option in (*_OPTIONS, *_ALIASES)], 1)
    hint = f"; did you mean {_canonical(near[0])!r}?" if near else f"; known are {', '.join(sorted(_OPTIONS))}"
    return f"unknown option {name!r}{hint}"


def _clashes(dialect: Dialect) -> list[str]:
    used = {"sep": dialect.sep, "quote": dialect.quote, "comment": dialect.comment, "lineSep": dialect.line_sep}
    names = [name for name, value in used.items() if value]
    clashes = [
        f"options {one!r} and {other!r} are the same character {used[one]!r}"
        for position, one in enumerate(names)
        for other in names[position + 1 :]
        if used[one] == used[other]
    ]
    if dialect.escape and dialect.escape == dialect.sep:
        clashes.append(f"options 'sep' and 'escape' are the same character {dialect.sep!r}")
    if dialect.sep in "\r\n\\":
        clashes.append("option 'sep' must not be a line break or a backslash, which Spark refuses")
    return clashes


def _dialect(options: Mapping[str, object]) -> Dialect:
    values: dict[str, object] = {}
    for name, value in options.items():
        option = _OPTIONS[_canonical(name) or ""]
        values[option.field] = _as_flag(value) if option.flag else value
    if "encoding" in values:
        values["encoding"] = codecs.lookup(str(values["encoding"])).name
    if values.get("quote") and "escape" not in values:
        values["escape"] = values["quote"]
    return Dialect(**values)  # type: ignore[arg-type]


def parse_options(options: Mapping[str, object]) -> Dialect:
    """The dialect that the options describe.

    Raises:
        ValueError: some option is unknown or wrong; `check_options` says which.
    """
    problems = check_options(options)
    if problems:
        raise ValueError("; ".join(problems))
    return _dialect(options)
