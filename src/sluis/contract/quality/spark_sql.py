"""What sqlglot writes for Spark as another database has it, written as Spark has it."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sluis.contract.logical import LogicalType
from sluis.contract.quality import arithmetic
from sluis.contract.quality.arithmetic import NoEqual

_NAMES = """
    year years yr yrs yearofweek quarter qtr month months mon mons week weeks w day days d dayofweek dow
    dayofweek_iso dow_iso doy hour hours h hr hrs minute minutes m min mins second seconds s sec secs
"""
_FIELDS = frozenset(_NAMES.split())
"""Fields that Spark's `EXTRACT` knows."""


_UNBOUNDED = (38, 18)

_DECIMALS = {
    **dict.fromkeys(("postgres", "oracle"), _UNBOUNDED),
    **dict.fromkeys(("athena", "presto", "trino"), (38, 0)),
    **dict.fromkeys(("redshift", "tsql", "exasol"), (18, 0)),
    "bigquery": (38, 9),
    "teradata": (5, 0),
}
"""Dialect → digits, and those of the fraction, of a `NUMERIC` that states none, where Spark's (10, 0) is another."""

_DOUBLES = ("bigquery", "exasol", "oracle", "teradata", "tsql")
"""Dialects whose `FLOAT` is a double, which sqlglot does not know."""


def adapt(tree: exp.Query, dialect: str, rows: str, types: Mapping[str, LogicalType]) -> exp.Query:
    """The same query in Spark's words.

    Args:
        tree: The query.
        dialect: What it was written in.
        rows: The name by which it reads the rows.
        types: Column → type.

    Raises:
        NoEqual: a part of it cannot be said there.
    """
    adapted = tree.transform(_node)
    assert isinstance(adapted, exp.Query)
    for kind in adapted.find_all(exp.DataType):
        if kind.this == exp.DType.DECIMAL and not kind.expressions and dialect in _DECIMALS:
            kind.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(size)) for size in _DECIMALS[dialect]])
        elif kind.this == exp.DType.FLOAT and dialect in _DOUBLES:
            kind.set("this", exp.DType.DOUBLE)
    for like in adapted.find_all(exp.Like, exp.ILike):
        if dialect == "tsql" and "[" in like.expression.sql():
            raise NoEqual("square brackets in `LIKE` are sets of characters there, and themselves in Spark")
    arithmetic.adapt(adapted, dialect, rows, types)
    return adapted


def _node(node: exp.Expression) -> exp.Expression:
    if isinstance(node, exp.Extract):
        return _extract(node)
    if isinstance(node, exp.WithinGroup):
        return _ordered(node)
    if isinstance(node, exp.PercentileCont) and node.expression:
        # DuckDB's `quantile_cont(value, fraction)`.
        return _percentile(node.this, node.expression)
    if isinstance(node, exp.PercentileDisc):
        raise NoEqual("a percentile that is one of the values is only approximated by what is written for Spark")
    if isinstance(node, exp.RegexpILike):
        return exp.RegexpLike(this=node.this, expression=exp.func("CONCAT", _text("(?i)"), node.expression))
    if isinstance(node, exp.SimilarTo):
        raise NoEqual("Spark has no `SIMILAR TO`")
    if isinstance(node, exp.Log) and node.expression is None:
        # Where one argument has the base e, sqlglot calls it `ln`.
        return exp.Anonymous(this="LOG10", expressions=[node.this])
    return _matched(node) if isinstance(node, exp.RegexpLike) else node


def _matched(node: exp.RegexpLike) -> exp.Expression:
    """A match without flags, found anywhere in the text, as Spark has it."""
    flag = node.args.get("flag")
    if flag is not None and flag.name not in ("i", "c"):
        raise NoEqual(f"the flags {flag.sql()} of a regular expression")
    if flag is not None and flag.name == "i":
        node.set("expression", exp.func("CONCAT", _text("(?i)"), node.expression))
    node.set("flag", None)
    if node.args.get("full_match"):
        node.set("expression", exp.func("CONCAT", _text("^(?:"), node.expression, _text(r")\z")))
    return node


def _text(text: str) -> exp.Expression:
    return exp.Literal.string(text)


def _ordered(node: exp.WithinGroup) -> exp.Expression:
    """`percentile_cont(fraction) WITHIN GROUP (ORDER BY value)`, of which sqlglot makes an approximation."""
    order = node.expression.expressions if isinstance(node.expression, exp.Order) else []
    ordered = order[0] if len(order) == 1 else None
    if not isinstance(node.this, exp.PercentileCont) or ordered is None or ordered.args.get("desc"):
        raise NoEqual(f"`{node.sql()}` is only approximated by what is written for Spark")
    return _percentile(ordered.this, node.this.this)


def _percentile(value: exp.Expression, fraction: exp.Expression) -> exp.Expression:
    return exp.Anonymous(this="PERCENTILE", expressions=[value, fraction])


def _extract(node: exp.Extract) -> exp.Expression:
    field = node.name.lower()
    if field == "epoch":
        return _epoch(node.expression)
    if field not in _FIELDS:
        raise NoEqual(f"Spark extracts no `{field}`")
    return node


def _epoch(value: exp.Expression) -> exp.Expression:
    """Seconds, with their fraction: of a span between two moments, else since 1970."""
    bare = value.unnest()
    if isinstance(bare, exp.Sub) and not isinstance(bare.expression.unnest(), exp.Interval):
        span = exp.cast(value, exp.DataType(this=exp.Interval(unit=exp.var("SECOND"))))
        return exp.cast(span, "DECIMAL(20, 6)")
    micros = exp.func("UNIX_MICROS", exp.cast(value, "TIMESTAMP"))
    return exp.paren(exp.Div(this=micros, expression=exp.Literal.number(1000000)))
