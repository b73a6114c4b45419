"""Text of another database in Spark's words: joined, cast, empty, matched."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from sluis.contract.pattern import PatternError, to_java
from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql.moments import ISO
from sluis.contract.quality.sql.typed import is_fraction, is_moment, is_text

_EMPTY_IS_NULL = ("exasol", "oracle")
"""Dialects in which text without characters is NULL."""

ANY_CASE = "(?iu)"
"""Before a regular expression of Java's: the case of letters is no matter, as elsewhere not of ASCII's alone."""

_ASCII_WORDS = ("athena", "bigquery", "clickhouse", "duckdb", "presto", "trino")
"""Dialects whose `\\w` is ASCII's, as in Java."""

_MAY_BE_EMPTY = (exp.RegexpReplace, exp.Replace, exp.Substring, exp.Trim)
"""What may make text without characters of other text."""

_BARE = {("tsql", kind): exp.Literal.number(30) for kind in (exp.DType.VARCHAR, exp.DType.NVARCHAR)}
"""Dialect and type of text → the characters of a cast to it that states none, where these are limited."""

_PADDED = (exp.DType.CHAR, exp.DType.NCHAR, exp.DType.BPCHAR)


def plain(tree: exp.Query) -> None:
    """Write texts that are quoted in another way (`E'…'`, `r'…'`, `$$…$$`) as any other.

    Args:
        tree: The query as it was written.
    """
    for node in list(tree.find_all(exp.ByteString, exp.National, exp.RawString)):
        if not node.args.get("is_bytes"):
            node.replace(exp.Literal.string(node.name))


def empty_is_null(tree: exp.Query, dialect: str) -> None:
    """Write text without characters as NULL, where it is.

    Args:
        tree: The query as it was written.
        dialect: What it was written in.
    """
    if dialect not in _EMPTY_IS_NULL:
        return
    for text in list(tree.find_all(exp.Literal)):
        if text.is_string and not text.name:
            text.replace(exp.cast(exp.Null(), "STRING"))
    for node in reversed(list(tree.find_all(*_MAY_BE_EMPTY))):
        node.replace(_null_if_empty(node.copy()))


def _null_if_empty(text: exp.Expr) -> exp.Expr:
    return exp.Nullif(this=text, expression=exp.Literal.string(""))


def adapt(tree: exp.Query, dialect: str) -> None:
    """Say what a query does with text in Spark's words.

    Args:
        tree: The query, whose parts tell what they give.
        dialect: What it was written in.

    Raises:
        NoEqual: Spark has no such words, or their meaning depends on types that are not known.
    """
    for node in reversed(list(tree.bfs())):
        if (adapted := _ADAPTED.get(type(node))) is not None:
            adapted(node, dialect)


def translate_patterns(tree: exp.Query, dialect: str) -> None:
    """Write regular expressions of another database as Java reads them.

    Args:
        tree: The query as it was written.
        dialect: What it was written in.

    Raises:
        NoEqual: one is made as the query runs, or Java may read it otherwise.
    """
    for node in tree.find_all(exp.RegexpLike, exp.RegexpILike, exp.RegexpReplace):
        if not node.expression.is_string:
            raise NoEqual("a regular expression that is made as the query runs")
        node.set("expression", exp.Literal.string(_java(node.expression.name, dialect)))


def _java(pattern: str, dialect: str) -> str:
    bare = pattern.removeprefix("(?i)")
    if "[:" in bare or (dialect not in _ASCII_WORDS and re.search(r"\\[wWbB]", bare)):
        raise NoEqual(f"which characters `{pattern}` means differs")
    try:
        return (ANY_CASE if bare != pattern else "") + to_java(bare)
    except PatternError as error:
        raise NoEqual(f"the regular expression `{pattern}`: {error}") from None


def _joined(node: exp.Expr, dialect: str) -> None:
    parts = node.expressions or [node.this, node.expression]
    for part in parts:
        _check_written(part, dialect)
    if dialect in _EMPTY_IS_NULL:
        # Of texts with a separator, Spark leaves out those that are NULL.
        texts = [exp.Literal.string(""), *(part.copy() for part in parts)]
        node.replace(_null_if_empty(exp.Anonymous(this="CONCAT_WS", expressions=texts)))
    elif isinstance(node, exp.Concat):
        node.set("expressions", [part if is_text(part) else exp.cast(part, "STRING") for part in parts])


def _check_written(value: exp.Expr, dialect: str) -> None:
    """Refuse what each database writes in its own way when it becomes text."""
    if value.is_type(exp.DType.DATE):
        is_other = dialect == "oracle"
    else:
        is_other = value.is_type(exp.DType.BOOLEAN) or is_moment(value) or is_fraction(value)
    if is_other:
        raise NoEqual(f"`{value.sql(dialect=dialect)}` is written as another text there")


def _cast(node: exp.Expr, dialect: str) -> None:
    to = node.args["to"]
    if to.this not in exp.DataType.TEXT_TYPES:
        is_lenient = dialect == "mysql" or to.this == exp.DType.BOOLEAN
        is_iso = node.this.is_string and ISO.fullmatch(node.this.name) and is_moment(node)
        if is_text(node.this) and not is_iso and (is_lenient or (dialect == "oracle" and is_moment(node))):
            raise NoEqual("text that is no such value for Spark may be one there")
        return
    _check_written(node.this, dialect)
    if to.this in _PADDED and dialect != "mysql":
        raise NoEqual("text of a fixed length is filled with blanks there")
    size = to.expressions[0].this if to.expressions else _BARE.get((dialect, to.this))
    to.replace(exp.DType.TEXT.into_expr())
    if size is not None and size.is_int:
        # For Spark a length in a cast is no limit.
        node.replace(exp.Left(this=node.copy(), expression=size.copy()))


def _of_json(node: exp.Expr, _: str) -> None:
    if node.this.is_type(*exp.DataType.NESTED_TYPES):
        raise NoEqual("the rows have no JSON there, but its parts")


def _try_cast(node: exp.Expr, _: str) -> None:
    raise NoEqual("which text can be cast is another question there")


_ADAPTED: dict[type[exp.Expr], Callable[[Any, str], None]] = {
    exp.Cast: _cast,
    exp.Concat: _joined,
    exp.DPipe: _joined,
    exp.JSONExtractScalar: _of_json,
    exp.TryCast: _try_cast,
}
"""What is done with text → what says it in Spark's words."""
