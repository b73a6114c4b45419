"""Days and moments of another database in Spark's words: spans added, cut off, counted, compared, written as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.dialects import Dialect

from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql.typed import is_moment, is_text

_UNITS = {
    **{unit: unit for unit in ("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")},
    **dict.fromkeys(("D", "DD"), "DAY"),
}
"""Unit of a span, without the `S` of many → Spark's word."""

_CUT_AT = {
    **{unit: unit for unit in ("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")},
    **dict.fromkeys(("YYYY", "YY"), "YEAR"),
    "Q": "QUARTER",
    **dict.fromkeys(("MM", "MON"), "MONTH"),
    **dict.fromkeys(("ISOWEEK", "IW"), "WEEK"),
    **dict.fromkeys(("D", "DD", "DDD"), "DAY"),
    **dict.fromkeys(("HH", "HH24"), "HOUR"),
    "MI": "MINUTE",
}
"""What a moment is cut off at, which has many names → Spark's word."""

_MONDAYS = ("athena", "duckdb", "postgres", "presto", "redshift", "snowflake", "trino")
"""Dialects in which a week begins on Monday, as in Spark."""

_STYLES = {23: "%Y-%m-%d", 112: "%Y%m%d", 120: "%Y-%m-%d %H:%M:%S"}
"""T-SQL's number of a date's format → the format."""

_KNOWN_FORMAT = re.compile("(?:%[YmdHMS]|[^A-Za-z%'])*")
ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?")
"""Text that Spark reads as a day or a moment, as the others do."""

_SPANS = re.compile(r"\s*(?:-?\d+\s*(?:year|month|week|day|hour|minute|second)s?\s*)+", re.IGNORECASE)


_CLOCKS = (exp.CurrentDatetime, exp.Localtimestamp, exp.Systimestamp, exp.UtcTimestamp)
_CLOCK_NAMES = ("getutcdate", "now", "sysdate", "sysutcdatetime")
"""What tells the time, which in a run is UTC's."""


def recognise(tree: exp.Query, dialect: str) -> None:
    """Read what sqlglot does not know, or knows by many names.

    Args:
        tree: The query as it was written.
        dialect: What it was written in.
    """
    for node in list(tree.find_all(exp.Anonymous, exp.TimeStrToTime, exp.TsOrDsDiff, *_CLOCKS)):
        if (known := _known(node, dialect)) is not None:
            node.replace(known)


def _known(node: exp.Expr, dialect: str) -> exp.Expr | None:
    if isinstance(node, exp.TsOrDsDiff):
        return exp.DateDiff(this=node.this, expression=node.expression, unit=node.args.get("unit"))
    if isinstance(node, exp.TimeStrToTime):
        # So sqlglot reads what `DATEDIFF` of T-SQL compares.
        return node.this if isinstance(node.parent, exp.DateDiff) else None
    if isinstance(node, _CLOCKS):
        return exp.CurrentTimestamp(this=node.args.get("this"))
    name, given = node.name.lower(), node.expressions
    if name in _CLOCK_NAMES and not given:
        return exp.CurrentTimestamp()
    if dialect == "oracle" and name == "trunc" and len(given) == 1:
        return exp.TimestampTrunc(this=given[0], unit=exp.var("DD"))
    return None


def adapt(tree: exp.Query, dialect: str) -> None:
    """Say what a query does with days and moments in Spark's words.

    Args:
        tree: The query, whose parts tell what they give.
        dialect: What it was written in.

    Raises:
        NoEqual: Spark has no such words, or their meaning depends on types that are not known.
    """
    for node in reversed(list(tree.bfs())):
        if (adapted := _ADAPTED.get(type(node))) is not None:
            adapted(node, dialect)


def _replace(node: exp.Expr, new: exp.Expr, kind: exp.DType) -> None:
    new.type = kind.into_expr()
    node.replace(new)


def _added(node: exp.Expr, _: str) -> None:
    """A span added by a function, which in Spark makes a day of a moment, or a moment of a day."""
    amount, unit = node.expression, _UNITS.get(node.text("unit").upper().removesuffix("S"))
    number = amount.name if amount.is_string else str(amount.to_py()) if amount.is_int else ""
    if not isinstance(amount, exp.Interval) and (unit is None or not re.fullmatch(r"-?\d+", number)):
        raise NoEqual("a span that is no whole number of years, months, weeks, days, hours, minutes or seconds")
    span = amount if not number else exp.Interval(this=exp.Literal.string(number), unit=exp.var(unit))
    kind = exp.Sub if isinstance(node, exp.DateSub | exp.DatetimeSub | exp.TimestampSub) else exp.Add
    is_day = node.this.is_type(exp.DType.DATE) and unit in ("YEAR", "MONTH", "WEEK", "DAY")
    _replace(node, exp.paren(kind(this=node.this, expression=span)), exp.DType.DATE if is_day else exp.DType.TIMESTAMP)


def _span(node: exp.Expr, _: str) -> None:
    if node.this is None:
        # A type, and no value of it.
        return
    unit = node.text("unit").upper().removesuffix("S")
    is_known = unit in _UNITS and (node.this.is_number or re.fullmatch(r"-?\d+", node.name))
    if not is_known and (node.args.get("unit") or not _SPANS.fullmatch(node.name)):
        raise NoEqual(f"Spark has no span `{node.sql()}`")


def _cut(node: exp.Expr, dialect: str) -> None:
    unit = node.text("unit").upper()
    word = "WEEK" if unit == "WEEK" and dialect in _MONDAYS else _CUT_AT.get(unit)
    if word is None or node.args.get("zone"):
        raise NoEqual(f"Spark cuts no moment off at `{unit}`")
    if not is_moment(node.this):
        raise NoEqual("what is cut off may be no moment")
    _replace(node, exp.TimestampTrunc(this=node.this, unit=exp.var(word)), exp.DType.TIMESTAMP)


def _days_between(node: exp.Expr, dialect: str) -> None:
    """Days as midnights between two moments; Spark counts spans of 24 hours, as Presto does."""
    if dialect in ("athena", "presto", "trino") or node.text("unit").upper() not in ("", "DAY", "DAYS", "D", "DD"):
        return
    for side in (node.this, node.expression):
        side.replace(_day(side))


def _day(value: exp.Expr) -> exp.Expr:
    return value if value.is_type(exp.DType.DATE) else exp.cast(value.copy(), "DATE")


def _to_day(node: exp.Expr, _: str) -> None:
    is_iso = node.this.is_string and ISO.fullmatch(node.name)
    if any(node.args.get(arg) for arg in ("format", "safe", "zone", "expressions")) or not (
        is_iso or is_moment(node.this)
    ):
        raise NoEqual(f"what text is a date in `{node.sql()}` is another question there")
    _replace(node, exp.cast(node.this, "DATE"), exp.DType.DATE)


def _written(node: exp.Expr, dialect: str) -> None:
    """A moment as text, in a format of digits alone."""
    if not is_moment(node.this):
        raise NoEqual("what is written as text may be no moment")
    given = node.args.get("format")
    format_ = given if isinstance(node, exp.TimeToStr) else Dialect.get_or_raise(dialect).format_time(given)
    if format_ is None or not _KNOWN_FORMAT.fullmatch(format_.name) or node.args.get("culture"):
        raise NoEqual("a format of dates that may mean something else in Spark")
    _replace(node, exp.TimeToStr(this=node.this, format=format_), exp.DType.VARCHAR)


def _number_written(node: exp.Expr, dialect: str) -> None:
    if node.args.get("format") is not None:
        _written(node, dialect)
    else:
        _replace(node, exp.cast(node.this, "STRING"), exp.DType.VARCHAR)


def _parsed(node: exp.Expr, _: str) -> None:
    format_ = node.args.get("format")
    if format_ is None or not _KNOWN_FORMAT.fullmatch(format_.name) or not is_text(node.this) or node.args.get("safe"):
        raise NoEqual("a format of dates that may mean something else in Spark")


def _converted(node: exp.Expr, _: str) -> None:
    """T-SQL's `CONVERT`, which is a cast, or writes a date in a format that has a number."""
    style, value = node.args.get("style"), node.expression
    if style is not None:
        known = _STYLES.get(style.to_py()) if style.is_int else None
        if known is None or not is_moment(value) or not node.this.is_type(*exp.DataType.TEXT_TYPES):
            raise NoEqual(f"`{node.sql('tsql')}` has a style that Spark does not know")
        value = exp.TimeToStr(this=value, format=exp.Literal.string(known))
        value.type = exp.DType.VARCHAR.into_expr()
    if node.args.get("safe"):
        raise NoEqual("what can be converted is another question there")
    node.replace(_typed_cast(value, node.this))


def _typed_cast(value: exp.Expr, kind: exp.DataType) -> exp.Expr:
    cast = exp.Cast(this=value, to=kind)
    cast.type = kind.copy()
    return cast


_ADDED = (
    *(exp.DateAdd, exp.DateSub, exp.DatetimeAdd, exp.DatetimeSub, exp.TimestampAdd, exp.TimestampSub),
    exp.TsOrDsAdd,
)

_ADAPTED: dict[type[exp.Expr], Callable[[Any, str], None]] = {
    **dict.fromkeys(_ADDED, _added),
    **dict.fromkeys((exp.DateTrunc, exp.TimestampTrunc), _cut),
    **dict.fromkeys((exp.DateDiff, exp.DatetimeDiff), _days_between),
    **dict.fromkeys((exp.Date, exp.TsOrDsToDate), _to_day),
    **dict.fromkeys((exp.StrToDate, exp.StrToTime), _parsed),
    exp.Convert: _converted,
    exp.Interval: _span,
    exp.TimeToStr: _written,
    exp.ToChar: _number_written,
}
"""What is done with them → what says it in Spark's words."""
