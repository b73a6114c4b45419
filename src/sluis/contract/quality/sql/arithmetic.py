"""What another database computes in another way than Spark: whole numbers divided, averages, days added and subtracted.

What Spark must be told depends on the types of the values, which the contract knows of its columns. Where it stays
open, the query has no equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql.typed import is_double, is_fraction, is_moment, is_number, is_text, is_whole

_DAYS = ("duckdb", "postgres", "redshift", "snowflake", "teradata")
"""Dialects in which a date less a date is a number of days."""

_WIDENING = ("postgres", "redshift")
"""Dialects in which the sum of 32 bits is whole, and the sum of 64 bits a decimal."""

_ROUNDING = ("bigquery", "duckdb", "mysql", "oracle", "postgres", "redshift", "snowflake")
"""Dialects that round a fraction when it is cast to a whole number; Spark cuts it off."""

_CUTTING = ("athena", "presto", "trino")
"""Dialects in which what a decimal is divided by leaves it no more digits than it had."""

_ZERO_IS_NULL = ("duckdb", "hive", "mysql")
"""Dialects in which nothing is raised by a division by zero."""

_EVEN = ("clickhouse", "mysql", "postgres")
"""Dialects that round the half of a double to the even neighbour."""


def adapt(tree: exp.Query, dialect: str) -> None:
    """Have Spark compute as the database does that the query was written for.

    Args:
        tree: The query, whose parts tell what they give.
        dialect: What it was written in.

    Raises:
        NoEqual: how it is meant depends on types that are not known.
    """
    # Parts come before what they are part of.
    for node in reversed(list(tree.bfs())):
        if (adapted := _ADAPTED.get(type(node))) is not None:
            adapted(node, dialect)


def _divide(node: exp.Div, dialect: str) -> None:
    if node.args.get("typed"):
        _check_division(node, dialect)
    if dialect in _CUTTING and (is_fraction(node.left) or is_fraction(node.right)) and not is_double(node):
        raise NoEqual("how many digits a quotient has there depends on those of both numbers")
    _guard(node, dialect)


def _guard(node: exp.Binary, dialect: str) -> None:
    """Have a division by zero give NULL, where it does; in Spark it ends the run."""
    divisor = node.expression
    node.set("safe", None)
    if dialect not in _ZERO_IS_NULL or (divisor.is_number and divisor.to_py()):
        return
    if dialect == "duckdb" and not divisor.find(exp.AggFunc):
        raise NoEqual("what is divided by zero is infinite there")
    # No threshold is met by NULL, and none by what is infinite.
    node.set("expression", exp.Nullif(this=divisor.unnest(), expression=exp.Literal.number(0)))


def _check_division(node: exp.Div, dialect: str) -> None:
    sides = (node.left, node.right)
    if any(map(is_fraction, sides)):
        return
    sums = [total for side in sides for total in side.find_all(exp.Sum)]
    if dialect in _WIDENING and any(total.this.is_type(exp.DType.BIGINT) for total in sums):
        raise NoEqual("a sum is divided, and whether it is whole there depends on the column's size")
    if not all(map(is_whole, sides)):
        raise NoEqual("whole numbers divided are whole there, and these may or may not be whole")


def _average(node: exp.Expr, dialect: str) -> None:
    if dialect in ("redshift", "tsql") and not is_fraction(node.this):
        raise NoEqual("an average of whole numbers is whole there")
    if dialect in _CUTTING and node.this.is_type(exp.DType.DECIMAL):
        raise NoEqual("an average of decimals has no more digits there than they have")
    _count_truth(node, dialect)


def _count_truth(node: exp.Expr, _: str) -> None:
    """Have true and false count as one and zero."""
    if node.this.is_type(exp.DType.BOOLEAN):
        node.set("this", exp.cast(node.this, "INT"))


def _round(node: exp.Expr, dialect: str) -> None:
    if dialect in _EVEN and is_double(node.this):
        raise NoEqual("halves are rounded to the even neighbour there")


def _raise_to(node: exp.Expr, dialect: str) -> None:
    if dialect == "tsql" and not is_fraction(node.this):
        raise NoEqual("a power of a whole number is whole there")


def _cast(node: exp.Expr, dialect: str) -> None:
    if dialect not in _ROUNDING or not is_whole(node):
        return
    if is_fraction(node.this) or (is_text(node.this) and dialect in ("duckdb", "mysql", "oracle", "snowflake")):
        raise NoEqual("a fraction that becomes a whole number is rounded there")


def _add(node: exp.Add, dialect: str) -> None:
    sides = (node.left, node.right)
    if dialect == "tsql" and all(map(is_text, sides)):
        joined = exp.DPipe(this=node.left, expression=node.right)
        joined.type = exp.DType.VARCHAR.into_expr()
        node.replace(joined)
    elif any(map(is_text, sides)):
        raise NoEqual("what text added to something gives there")
    elif dialect == "tsql" and not any(is_number(side) or is_moment(side) for side in sides):
        raise NoEqual("`+` joins texts there, and these may or may not be texts")
    else:
        _shift(node.left, node.right, dialect)
        _shift(node.right, node.left, dialect)


def _shift(moment: exp.Expr, number: exp.Expr, dialect: str) -> None:
    """Have a number added to or taken from a moment be one of days; Spark does so with days alone."""
    if not is_moment(moment) or not is_number(number):
        return
    if dialect in ("clickhouse", "mysql"):
        raise NoEqual("a number added to a moment is no number of days there")
    if moment.is_type(exp.DType.DATE) and is_whole(number):
        return
    if not number.is_int:
        raise NoEqual("a number of days that may have a fraction is added to a moment")
    number.replace(exp.Interval(this=exp.Literal.string(str(number.to_py())), unit=exp.var("DAY")))


def _subtract(node: exp.Sub, dialect: str) -> None:
    if any(map(is_text, (node.left, node.right))):
        raise NoEqual("what text subtracted from something gives there")
    _shift(node.left, node.right, dialect)
    days = [side.is_type(exp.DType.DATE) for side in (node.left, node.right)]
    is_of_moments = any(map(is_moment, (node.left, node.right)))
    spans = any(isinstance(side.unnest(), exp.Interval) for side in (node.left, node.right))
    if spans or not is_of_moments or is_whole(node.right):
        return
    if all(days) and dialect in _DAYS:
        node.replace(exp.DateDiff(this=node.left.copy(), expression=node.right.copy(), unit=exp.var("DAY")))
    elif any(days) or dialect in ("oracle", "mysql"):
        raise NoEqual(f"what `{node.sql(dialect=dialect)}` gives there")


_ADAPTED: dict[type[exp.Expr], Callable[[Any, str], None]] = {
    exp.Add: _add,
    exp.Avg: _average,
    exp.Cast: _cast,
    exp.Div: _divide,
    exp.Mod: _guard,
    exp.Pow: _raise_to,
    exp.Round: _round,
    exp.Sub: _subtract,
    exp.Sum: _count_truth,
}
"""What is computed → what makes it Spark's."""
