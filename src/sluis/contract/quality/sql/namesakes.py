"""What of another database's SQL only looks like Spark's.

sqlglot writes much for Spark that fails there, or gives another number. So only what `same` lists is carried over, and
of that not what `_NAMESAKES` names, in the dialects that are named with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql.same import SAME, TYPES

OWN = ("databricks", "hive")
"""Dialects whose functions are Spark's."""


def refuse(tree: exp.Query, dialect: str) -> None:
    """Refuse what is not known to mean the same, whatever the types of its values.

    Raises:
        NoEqual: the query holds such a thing.
    """
    for node in tree.walk():
        if type(node) not in SAME:
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
    stated = node.parent.expression.name if isinstance(node.parent, exp.Escape) else "\\"
    mark = re.escape(stated)
    return re.fullmatch(rf"(?:(?!{mark}).|{mark}(?:[%_]|{mark}))*", node.expression.name, re.DOTALL) is None


def _is_of_several(node: exp.Expr) -> bool:
    return isinstance(node.this, exp.Tuple)


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
        "what escapes in `LIKE` stands before another character than `%`, `_` and itself",
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
    (
        (exp.EQ, exp.In, exp.NEQ),
        (),
        _is_of_several,
        "several values are compared at once, which needs one type in Spark",
    ),
    ((exp.DataType,), (), lambda node: node.this not in TYPES, "Spark has no such type, or it holds parts"),
    ((exp.Join,), (), _has("global_", "match_condition", "nearest"), "Spark has no such join"),
)
"""Functions and operators, the dialects (all where none is named) and the use in which they are others, and how."""
