"""What of another database's SQL is known to mean the same in Spark's words, and what only looks like it.

sqlglot writes much for Spark that fails there, or gives another number. So only what is listed here is carried over;
of that, what `_NAMESAKES` names is not in the dialects that are named with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from sluis.contract.quality.scope import NoEqual

OWN = ("databricks", "hive")
"""Dialects whose functions are Spark's."""

_SAME: frozenset[type[exp.Expr]] = frozenset(
    {
        # How a query is put together.
        *(exp.Alias, exp.Column, exp.CTE, exp.Distinct, exp.Dot, exp.Except, exp.Filter, exp.From, exp.Group),
        *(
            exp.Fetch,
            exp.Having,
            exp.Identifier,
            exp.Intersect,
            exp.Join,
            exp.Limit,
            exp.Offset,
            exp.Order,
            exp.Ordered,
        ),
        *(exp.Paren, exp.Qualify, exp.Select, exp.Star, exp.Subquery, exp.Table, exp.TableAlias, exp.Tuple),
        *(exp.Union, exp.Where, exp.Window, exp.WindowSpec, exp.With, exp.WithinGroup),
        # Values and their types.
        *(exp.Boolean, exp.DataType, exp.DataTypeParam, exp.DateStrToDate, exp.Interval, exp.Literal),
        *(exp.Null, exp.Var),
        # Operators.
        *(exp.Add, exp.And, exp.Between, exp.Div, exp.DPipe, exp.EQ, exp.Escape, exp.Exists, exp.GT, exp.GTE),
        *(exp.ILike, exp.In, exp.Is, exp.Like, exp.LT, exp.LTE, exp.Mod, exp.Mul, exp.Neg, exp.NEQ, exp.Not),
        *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.Or, exp.Sub, exp.Xor),
        # Conditions and conversions.
        *(exp.Case, exp.Cast, exp.Coalesce, exp.Convert, exp.DecodeCase, exp.If, exp.Nullif, exp.Nvl2, exp.TryCast),
        # Aggregates and windows.
        *(exp.ApproxDistinct, exp.ApproxQuantile, exp.Avg, exp.Corr, exp.Count, exp.CountIf, exp.CovarPop),
        *(exp.CovarSamp, exp.CumeDist, exp.DenseRank, exp.Lag, exp.Lead, exp.LogicalAnd, exp.LogicalOr, exp.Max),
        *(exp.Median, exp.Min, exp.Ntile, exp.PercentRank, exp.PercentileCont, exp.Rank, exp.RowNumber, exp.Stddev),
        *(exp.StddevPop, exp.StddevSamp, exp.Sum, exp.Variance, exp.VariancePop),
        # Numbers.
        *(exp.Abs, exp.Acos, exp.Asin, exp.Atan, exp.Atan2, exp.Cbrt, exp.Ceil, exp.Cos, exp.Degrees, exp.Exp),
        *(exp.Floor, exp.Greatest, exp.Least, exp.Ln, exp.Log, exp.Pi, exp.Pow, exp.Radians, exp.Round),
        *(exp.SafeDivide, exp.Sign, exp.Sin, exp.Sqrt, exp.Tan),
        # Text.
        *(exp.Concat, exp.ConcatWs, exp.Contains, exp.EndsWith, exp.JSONExtractScalar, exp.JSONPath, exp.JSONPathKey),
        *(exp.JSONPathRoot, exp.Left, exp.Length, exp.Lower, exp.Pad),
        *(exp.RegexpILike, exp.RegexpLike, exp.RegexpReplace, exp.Repeat, exp.Replace, exp.Right, exp.SplitPart),
        *(exp.StartsWith, exp.StrPosition, exp.Substring, exp.Trim, exp.Upper),
        # Days and moments.
        *(exp.CurrentDate, exp.CurrentTimestamp, exp.Date, exp.DateAdd, exp.DateDiff, exp.DateSub, exp.DateTrunc),
        *(exp.DatetimeAdd, exp.DatetimeDiff, exp.DatetimeSub, exp.Day, exp.DayOfMonth, exp.DayOfWeek, exp.DayOfYear),
        *(exp.Extract, exp.Hour, exp.LastDay, exp.Minute, exp.Month, exp.Quarter, exp.Second, exp.StrToDate),
        *(exp.StrToTime, exp.TimestampAdd, exp.TimestampDiff, exp.TimestampSub, exp.TimestampTrunc, exp.TimeToStr),
        *(exp.ToChar, exp.TsOrDsAdd, exp.TsOrDsToDate, exp.Year),
    }
)
"""Parts of a query that Spark has too; `spark_sql` and what it calls write some of them in other words."""


_TYPES = frozenset(
    {
        *(exp.DType.BIGINT, exp.DType.BOOLEAN, exp.DType.DATE, exp.DType.DATETIME, exp.DType.DATETIME2),
        *(exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.INT, exp.DType.SMALLINT),
        *(exp.DType.TIMESTAMP, exp.DType.TIMESTAMPLTZ, exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPTZ),
        *(exp.DType.TINYINT, *exp.DataType.TEXT_TYPES),
    }
)
"""Types that Spark has too."""


def refuse(tree: exp.Query, dialect: str) -> None:
    """Refuse what is not known to mean the same, whatever the types of its values.

    Raises:
        NoEqual: the query holds such a thing.
    """
    for node in tree.walk():
        if type(node) not in _SAME:
            raise NoEqual(f"`{node.sql(dialect=dialect)}` is not known to mean the same")
        for kinds, dialects, is_other, meaning in _NAMESAKES:
            if isinstance(node, kinds) and (not dialects or dialect in dialects) and is_other(node):
                raise NoEqual(meaning)
        if isinstance(node, exp.Column) and node.name.lower() in _PSEUDO.get(dialect, ()):
            raise NoEqual(f"`{node.name}` is no column of the rows")


_PSEUDO = {
    "bigquery": ("_file_name", "_partitiondate", "_partitiontime", "_table_suffix"),
    "oracle": ("level", "object_id", "object_value", "ora_rowscn", "rowid", "rownum", "uid", "user"),
    "postgres": ("cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"),
}
"""Dialect → names that look like columns, and tell of how a database keeps or reads the rows."""


def _always(_: exp.Expr) -> bool:
    return True


def _is_other_unit(node: exp.Expr) -> bool:
    return node.text("unit").upper() not in ("", "DAY", "DAYS", "D", "DD")


def _is_of(*fields: str) -> Callable[[exp.Expr], bool]:
    """Whether a node extracts one of these fields."""
    return lambda node: not isinstance(node, exp.Extract) or node.name.upper() in fields


def _has(*args: str) -> Callable[[exp.Expr], bool]:
    return lambda node: any(node.args.get(arg) for arg in args)


def _is_less(arg: str, least: int) -> Callable[[exp.Expr], bool]:
    """Whether a number that says where or how many is smaller than that, or may be."""

    def is_less(node: exp.Expr) -> bool:
        number = node.args.get(arg)
        return number is not None and not (number.is_int and int(number.to_py()) >= least)

    return is_less


def _trims(node: exp.Expr) -> bool:
    return len(node.text("expression")) > 1


def _replaces_once(node: exp.Expr) -> bool:
    return bool(node.args.get("single_replace")) and node.text("modifiers") != "g"


def _refers(node: exp.Expr) -> bool:
    """Whether a replacement may hold references to groups, which each engine writes in its own way."""
    replacement = node.args.get("replacement")
    return replacement is not None and not (replacement.is_string and not re.search(r"[\\$&]", replacement.name))


def _escapes(node: exp.Expr) -> bool:
    return not isinstance(node.parent, exp.Escape) and "\\" in node.expression.name


def _escapes_oddly(node: exp.Expr) -> bool:
    return _escapes(node) and re.fullmatch(r"(?:[^\\]|\\[%_\\])*", node.expression.name, re.DOTALL) is None


_PRESTO = ("athena", "presto", "trino")

_NAMESAKES: tuple[
    tuple[tuple[type[exp.Expr], ...], tuple[str, ...], Callable[[exp.Expr], bool], str],
    ...,
] = (
    (
        (exp.DateDiff, exp.DatetimeDiff, exp.TimestampDiff),
        ("bigquery", "duckdb", "redshift", "snowflake", "tsql"),
        _is_other_unit,
        "the ends of months, years or hours between two moments are counted there, and Spark counts whole ones",
    ),
    (
        (exp.Extract, exp.DayOfWeek),
        (*_PRESTO, "duckdb", "postgres", "redshift", "snowflake"),
        _is_of("DOW", "DAYOFWEEK", "WEEKDAY"),
        "the days of a week have other numbers there",
    ),
    ((exp.Extract,), ("bigquery", "mysql", "tsql"), _is_of("WEEK"), "the weeks of a year have other numbers there"),
    (
        (exp.Extract,),
        (*_PRESTO, "bigquery", "clickhouse", "duckdb", "mysql", "redshift", "snowflake", "tsql"),
        _is_of("SECOND", "SECONDS", "SEC", "SECS", "S"),
        "the seconds of a moment are whole there",
    ),
    (
        (exp.Greatest, exp.Least),
        (*_PRESTO, "bigquery", "clickhouse", "dremio", "exasol", "mysql", "oracle", "snowflake", "teradata"),
        _always,
        "the greatest or least of values of which one is NULL is NULL there",
    ),
    (
        (exp.Length,),
        ("clickhouse", "mysql", "teradata", "tsql"),
        _always,
        "a length is counted in bytes there, or without the blanks at the end",
    ),
    (
        (exp.Trim,),
        (*_PRESTO, "bigquery", "dremio"),
        lambda node: not node.text("expression"),
        "blanks of every kind are trimmed there, and only spaces in Spark",
    ),
    ((exp.Trim,), ("mysql", "oracle", "teradata"), _trims, "a whole text is trimmed there, and characters in Spark"),
    ((exp.Substring,), (), _is_less("start", 1), "where a text is cut before its first character differs"),
    ((exp.Left, exp.Right), (), _is_less("expression", 0), "what less than no characters are differs"),
    ((exp.SplitPart,), (), _is_less("part_index", 1), "which part of a text is meant differs"),
    ((exp.StrPosition,), (), _is_less("position", 1), "where a search begins differs"),
    ((exp.RegexpReplace,), (), _replaces_once, "the first match alone is replaced there, and all of them in Spark"),
    ((exp.RegexpReplace,), (), _has("position", "occurrence"), "Spark replaces every match"),
    ((exp.RegexpReplace,), (), _refers, "references to groups are written in another way there"),
    ((exp.ConcatWs,), ("snowflake",), _always, "a text joined with NULL is NULL there"),
    ((exp.Round,), (), _has("truncate"), "Spark rounds in one way only"),
    ((exp.Median,), ("clickhouse",), _always, "a median is an approximation there"),
    ((exp.Stddev, exp.Variance), ("oracle",), _always, "the deviation of a single value is 0 there, and NULL in Spark"),
    (
        (exp.Like, exp.ILike),
        (*_PRESTO, "duckdb", "oracle", "snowflake", "teradata", "tsql"),
        _escapes,
        "a backslash in `LIKE` is itself there, and escapes in Spark",
    ),
    (
        (exp.Like, exp.ILike),
        (),
        _escapes_oddly,
        "a backslash stands before another character than `%`, `_` and itself",
    ),
    (
        (exp.Like, exp.ILike),
        ("tsql",),
        lambda node: "[" in node.expression.sql(),
        "square brackets in `LIKE` are sets of characters there, and themselves in Spark",
    ),
    ((exp.StrToDate, exp.StrToTime), ("mysql",), _always, "text that is no date is NULL there, and an error in Spark"),
    ((exp.CurrentDate, exp.CurrentTimestamp), (), _has("this"), "Spark's clock takes no zone and no digits"),
    ((exp.LastDay,), (), _has("unit"), "Spark knows the last day of a month only"),
    (
        (exp.JSONExtractScalar,),
        ("athena", "bigquery", "clickhouse", "duckdb", "mysql", "oracle", "presto", "snowflake", "trino", "tsql"),
        _always,
        "how a value inside of JSON is read differs",
    ),
    ((exp.Concat,), ("redshift",), _always, "a text joined with NULL is NULL there"),
    ((exp.DataType,), (), lambda node: node.this not in _TYPES, "Spark has no such type, or it holds parts"),
    ((exp.Join,), (), _has("global_", "match_condition", "nearest"), "Spark has no such join"),
)
"""Functions and operators, the dialects (all where none is named) and the use in which they are others, and how."""
