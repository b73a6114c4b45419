"""Values of different types beside one another, which Spark compares with an error where others convert them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from sluis.contract.quality.scope import NoEqual
from sluis.contract.quality.sql.moments import ISO
from sluis.contract.quality.sql.typed import is_moment, is_number, is_text

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def adapt(tree: exp.Query, dialect: str) -> None:
    """Have Spark compare what the database compares that the query was written for.

    Args:
        tree: The query, whose parts tell what they give.
        dialect: What it was written in.

    Raises:
        NoEqual: Spark does not, or their types are not known.
    """
    for node in reversed(list(tree.bfs())):
        if (adapted := _ADAPTED.get(type(node))) is not None:
            adapted(node, dialect)


def _compare(node: exp.Expr, dialect: str) -> None:
    others = [node.args.get("expression"), *node.expressions, node.args.get("low"), node.args.get("high")]
    sides = [side for side in (node.this, *others) if isinstance(side, exp.Expr)]
    if any(map(is_moment, sides)):
        _check(sides, ISO)
    if any(map(is_number, sides)):
        _compare_numbers(sides, dialect)


def _compare_numbers(sides: list[exp.Expr], dialect: str) -> None:
    _check(sides, _NUMBER)
    if any(map(is_moment, sides)) or (dialect == "mysql" and any(map(is_text, sides))):
        raise NoEqual("a number is compared with what Spark reads as none")
    for side in sides:
        if side.is_type(exp.DType.BOOLEAN):
            side.replace(exp.cast(side.copy(), "INT"))


def _check(sides: list[exp.Expr], readable: re.Pattern[str]) -> None:
    if any(side.is_string and not readable.fullmatch(side.name) for side in sides):
        raise NoEqual("a value is compared with text that Spark does not read as such a one")


def _choose(node: exp.Expr, _: str) -> None:
    choices = [node.this, *node.expressions]
    if any(map(is_text, choices)) and not all(is_text(choice) or isinstance(choice, exp.Null) for choice in choices):
        known = [choice for choice in choices if not is_text(choice)]
        if any(is_number(choice) or choice.is_type(exp.DType.BOOLEAN) for choice in known):
            raise NoEqual("text stands in for what is none")
        _check(choices if any(map(is_moment, known)) else [], ISO)


def _decide(node: exp.Expr, _: str) -> None:
    if any(is_number(part) or is_text(part) for part in (node.this, node.args.get("expression")) if part is not None):
        raise NoEqual("a number or a text is no condition in Spark")


def _branch(node: exp.If, dialect: str) -> None:
    """A condition, or in `CASE value WHEN …` another value."""
    value = node.parent.this if isinstance(node.parent, exp.Case) else None
    if value is None:
        _decide(exp.Where(this=node.this.copy()), dialect)
    elif value.is_type(exp.DType.BOOLEAN) or not _is_alike(value, node.this):
        raise NoEqual("`CASE` compares values of different types")


def _is_alike(one: exp.Expr, other: exp.Expr) -> bool:
    return all(test(one) == test(other) for test in (is_moment, is_number, is_text))


_COMPARED = (exp.Between, exp.EQ, exp.GT, exp.GTE, exp.In, exp.LT, exp.LTE, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)

_ADAPTED: dict[type[exp.Expr], Callable[[Any, str], None]] = {
    **dict.fromkeys(_COMPARED, _compare),
    **dict.fromkeys((exp.And, exp.Having, exp.Not, exp.Or, exp.Where), _decide),
    exp.Coalesce: _choose,
    exp.If: _branch,
}
"""What sets values beside one another → what has Spark do so."""
