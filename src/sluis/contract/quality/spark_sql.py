"""What sqlglot writes for Spark as another database has it, written as Spark has it."""

from __future__ import annotations

from sqlglot import exp

_NAMES = """
    year years yr yrs yearofweek quarter qtr month months mon mons week weeks w day days d dayofweek dow
    dayofweek_iso dow_iso doy hour hours h hr hrs minute minutes m min mins second seconds s sec secs
"""
_FIELDS = frozenset(_NAMES.split())
"""Fields that Spark's `EXTRACT` knows."""


class NoEqual(ValueError):
    """Spark has nothing that means the same; the message says what."""


def adapt(tree: exp.Query) -> exp.Query:
    """The same query in Spark's words.

    Raises:
        NoEqual: a part of it cannot be said there.
    """
    adapted = tree.transform(_node)
    assert isinstance(adapted, exp.Query)
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
    return node


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
