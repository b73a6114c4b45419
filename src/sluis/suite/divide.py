"""Which rows break which rules: a frame divided into rows that may pass and rows that are kept out.

Rows with equal keys are kept out all together: which of them is the right one, nobody but the producer knows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sluis.contract.names import RESERVED
from sluis.lexical import identifier, string
from sluis.suite.frame import facts, unfit
from sluis.suite.plan import KEY_KINDS, UNFIT_ROWS, KeyRule, plan_of
from sluis.suite.predicates import PREDICATES, Spec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

RULES = f"{RESERVED}_rules"
"""The column that lists the ids of the rules that a row breaks."""

KEPT = f"size({RULES}) = 0"
"""SQL: whether a row of a divided frame breaks none of them."""

ABOUT_ROWS = frozenset({*PREDICATES, *KEY_KINDS, "row_shape"})
"""Kinds of rules of which it can be told which rows break them."""

ABOUT_ALL = frozenset({"row_count", "row_count_is", "sql", "gx", "relationship"})
"""Kinds of rules that other rows may keep: without the rows that break others they are judged again.

A relationship is among them: whether a value that is nowhere else is a fault of its row or of the other table is not
known. What is in neither set is about files as they are, and no choice of rows mends it: their headers, their columns,
and bytes that are no text, of which nothing could be kept.
"""


def divided(frame: DataFrame, specs: Sequence[Spec], rules: Collection[str]) -> DataFrame:
    """The frame with `RULES`, which of these rules each row breaks; no row is lost or doubled.

    Args:
        frame: Text columns as landing reads them, or typed ones.
        specs: The arguments of the suite's expectations.
        rules: Ids of rules about rows that can be judged on this frame.
    """
    known = facts(frame)
    about_rows = [spec for spec in specs if spec["kind"] in PREDICATES or spec["kind"] in KEY_KINDS]
    plan = plan_of(frame, [spec for spec in about_rows if spec["rule"] in rules and not unfit(spec, known)], known)
    shape = next((spec["rule"] for spec in specs if spec["kind"] == "row_shape"), UNFIT_ROWS)
    named = [(shape if rule.id == UNFIT_ROWS else rule.id, rule) for rule in plan.rows]
    broken = [f"IF({rule.sql}, {string(name)}, NULL)" for name, rule in named if name in rules]
    marked = plan.frame
    for index, key in enumerate(plan.keys):
        marked = _shared(marked, plan.frame, index, key)
        broken.append(f"IF({_mark(index)}, {string(key.id)}, NULL)")
    columns = [identifier(name) for name in frame.columns]
    return marked.selectExpr(*columns, f"array_compact(array({', '.join(broken)})) AS {RULES}")


def _mark(index: int) -> str:
    return f"coalesce({RESERVED}_shared_{index}, false)"


def _shared(frame: DataFrame, rows: DataFrame, index: int, key: KeyRule) -> DataFrame:
    """Mark the rows whose key is that of another row; equal hashes would not do."""
    from pyspark.sql import functions as F

    here = [f"{RESERVED}_key_{index}_{place}" for place in range(len(key.values))]
    twice = [f"{RESERVED}_twice_{index}_{place}" for place in range(len(key.values))]
    found = rows.where(key.present).selectExpr(*_named(key.values, twice)).groupBy(*twice).agg(F.count("*").alias("n"))
    marks = found.where("n > 1").selectExpr(*twice, f"true AS {RESERVED}_shared_{index}")
    # Of rows whose key is not there, nothing is equal to anything.
    values = (f"IF({key.present}, {value}, NULL)" for value in key.values)
    same = F.expr(" AND ".join(f"{one} = {other}" for one, other in zip(here, twice, strict=True)))
    return frame.selectExpr("*", *_named(values, here)).join(marks, same, "left")


def _named(values: Iterable[str], names: Sequence[str]) -> Iterator[str]:
    return (f"{value} AS {name}" for value, name in zip(values, names, strict=True))
