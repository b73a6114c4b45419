"""What sqlglot writes for Spark as another database has it, written as Spark has it."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sluis.contract.logical import LogicalType
from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql import arithmetic, comparisons, moments, namesakes, texts, typed

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
    is_own = dialect in namesakes.OWN
    if not is_own:
        texts.plain(tree)
        moments.recognise(tree, dialect)
        namesakes.refuse(tree, dialect)
        texts.translate_patterns(tree, dialect)
    for node in reversed(list(tree.bfs())):
        if (adapted := (_kept(node) if is_own else None) or _node(node)) is not node:
            node.replace(adapted)
    _name_types(tree, dialect)
    if dialect != "databricks":
        texts.empty_is_null(tree, dialect)
        typed.annotate(tree, dialect, rows, types)
        for stage in (arithmetic,) if is_own else (moments, arithmetic, comparisons, texts):
            stage.adapt(tree, dialect)
    return tree


def _name_types(tree: exp.Query, dialect: str) -> None:
    for kind in tree.find_all(exp.DataType):
        if kind.this == exp.DType.DECIMAL and not kind.expressions and dialect in _DECIMALS:
            kind.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(size)) for size in _DECIMALS[dialect]])
        elif kind.this == exp.DType.FLOAT and dialect in _DOUBLES:
            kind.set("this", exp.DType.DOUBLE)


def _node(node: exp.Expr) -> exp.Expr:
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
        return exp.RegexpLike(this=node.this, expression=_text(texts.ANY_CASE + node.expression.name))
    if isinstance(node, exp.SimilarTo):
        raise NoEqual("Spark has no `SIMILAR TO`")
    if isinstance(node, exp.Log) and node.expression is None:
        # Where one argument has the base e, sqlglot calls it `ln`.
        return exp.Anonymous(this="LOG10", expressions=[node.this])
    return _matched(node) if isinstance(node, exp.RegexpLike) else node


def _kept(node: exp.Expr) -> exp.Expr | None:
    """What sqlglot reads of Spark's own SQL and writes as something else."""
    if isinstance(node, exp.Add) and isinstance(node.left, exp.Interval) and isinstance(node.right, exp.Interval):
        # `INTERVAL 1 DAY 2 HOURS` is one span, also where it is subtracted.
        return exp.paren(node.copy())
    if isinstance(node, exp.DataType) and node.this == exp.DType.TIME:
        raise NoEqual("a time of the day is no moment")
    if isinstance(node, exp.GroupConcat) and node.args.get("separator") is None:
        return exp.GroupConcat(this=node.this, separator=_text(""))
    return None


def _matched(node: exp.RegexpLike) -> exp.Expr:
    """A match without flags, found anywhere in the text, as Spark has it."""
    flag = node.args.get("flag")
    if flag is not None and flag.name not in ("i", "c"):
        raise NoEqual(f"the flags {flag.sql()} of a regular expression")
    if flag is not None and flag.name == "i":
        node.set("expression", _text(texts.ANY_CASE + node.expression.name))
    node.set("flag", None)
    if node.args.get("full_match"):
        node.set("expression", _text(rf"\A(?:{node.expression.name})\z"))
    return node


def _text(text: str) -> exp.Expr:
    return exp.Literal.string(text)


def _ordered(node: exp.WithinGroup) -> exp.Expr:
    """`percentile_cont(fraction) WITHIN GROUP (ORDER BY value)`, of which sqlglot makes an approximation."""
    order = node.expression.expressions if isinstance(node.expression, exp.Order) else []
    ordered = order[0] if len(order) == 1 else None
    if not isinstance(node.this, exp.PercentileCont) or ordered is None or ordered.args.get("desc"):
        raise NoEqual(f"`{node.sql()}` is only approximated by what is written for Spark")
    return _percentile(ordered.this, node.this.this)


def _percentile(value: exp.Expr, fraction: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="PERCENTILE", expressions=[value, fraction])


def _extract(node: exp.Extract) -> exp.Expr:
    field = node.name.lower()
    if field == "epoch":
        return _epoch(node.expression)
    if field not in _FIELDS:
        raise NoEqual(f"Spark extracts no `{field}`")
    return node


def _epoch(value: exp.Expr) -> exp.Expr:
    """Seconds, with their fraction: of a span between two moments, else since 1970."""
    if _is_span(value.unnest()):
        span = exp.cast(value, exp.DataType(this=exp.Interval(unit=exp.var("SECOND"))))
        return exp.cast(span, "DECIMAL(20, 6)")
    micros = exp.func("UNIX_MICROS", exp.cast(value, "TIMESTAMP"))
    return exp.paren(exp.Div(this=micros, expression=exp.Literal.number(1000000)))


def _is_span(value: exp.Expr) -> bool:
    """Whether it is a moment less another, and spans added or taken away."""
    if not isinstance(value, exp.Sub | exp.Add):
        return False
    if isinstance(value.right.unnest(), exp.Interval):
        return _is_span(value.left.unnest())
    return isinstance(value, exp.Sub)
