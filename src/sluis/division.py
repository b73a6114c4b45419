"""What becomes of a rejected file whose entity has a quarantine: its bad rows are kept out, the rest is judged again.

Nothing is written on the word of the first judgement: the rows that remain have to keep every rule by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sluis.config import Limit
from sluis.suite.compile import specs
from sluis.suite.divide import ABOUT_ALL, ABOUT_ROWS
from sluis.verdict import Compiled, Judgement, RuleResult, judge_again, rejecting

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def divide(
    first: Judgement,
    frame: DataFrame,
    compiled: Compiled,
    refine: Callable[[RuleResult], RuleResult],
    limit: Limit | None,
) -> Judgement:
    """Judge a rejected file without the rows that break its rules about rows.

    Args:
        first: How the whole file was judged.
        frame: Its rows.
        compiled: What must be evaluated.
        refine: Looks closer at a broken rule.
        limit: How many rows may be kept out.

    Returns:
        The judgement of the rows that remain, with those that are kept out counted beside them; the first one where
        they, too, or too many others break rules.
    """
    blocking = rejecting(first.results, compiled)
    rules = frozenset(one.id for one in blocking if one.kind in ABOUT_ROWS)
    mendable = all(one.outcome == "violated" and one.kind in ABOUT_ROWS | ABOUT_ALL for one in blocking)
    if not rules or not mendable or first.rows is None:
        return first
    from sluis.suite.engine import judge_rest

    second = judge_again(judge_rest(frame, specs(compiled.suite), rules), compiled, refine)
    if second.verdict == "ERROR" or second.rows is None:
        return replace(second, rows=first.rows, checksum=first.checksum)
    number = first.rows - second.rows
    if not second.may_write:
        return _still_rejected(first, second, number)
    if limit and not limit.allows(number, first.rows):
        told = f"{number} of {first.rows} rows break rules, where the entity lets {limit.stated} be kept out"
        return replace(first, reasons=(told, *first.reasons))
    results = tuple(
        replace(before, outcome="quarantined") if before.id in rules else after
        for before, after in zip(first.results, second.results, strict=True)
    )
    return replace(first, verdict="PASSED_WITH_QUARANTINE", reasons=(), results=results, kept_out=number)


def _still_rejected(first: Judgement, second: Judgement, number: int) -> Judgement:
    """The first judgement; rules that are broken only by the rows that remain are told beside it."""
    newly = {one.id: one for one in second.results if one.outcome == "violated"}
    results = tuple(newly.get(one.id, one) if one.outcome == "held" else one for one in first.results)
    told = f"Without the {number} rows that break rules about rows, the others still break the contract"
    return replace(first, reasons=(*first.reasons, f"{told}: {'; '.join(second.reasons)}"), results=results)
