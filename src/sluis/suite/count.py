"""The second pass: how many rows break the rules that are broken, and with which values; keys compared exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sluis.contract.document import listed
from sluis.errors import SourceError
from sluis.suite.plan import NONE, KeyRule, Plan, RowRule

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST = 20
"""Failing values that are shown per rule."""

_BUCKETS = 64
_LONGEST = 200


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the second pass found of one rule."""

    count: int
    """Rows that break it."""

    examples: list[dict[str, Any]] = field(default_factory=list)
    """At most 20 distinct values with the number of rows that hold each, most frequent first."""


def count(plan: Plan, broken: frozenset[str]) -> dict[str, Finding]:
    """How many rows break each of these rules, and with which values; one job, whatever their number."""
    rows = [rule for rule in plan.rows if rule.id in broken]
    keys = [rule for rule in plan.keys if rule.id in broken]
    if not rows and not keys:
        return {}
    entries = [_row_entry(index, rule, plan.key_of_row) for index, rule in enumerate(rows)]
    entries += [_key_entry(index, rule) for index, rule in enumerate(keys, len(rows))]
    collected = _most_frequent(plan.frame.where(plan.whole), entries, len(rows))
    if gone := [rule.id for index, rule in enumerate(rows) if index not in collected]:
        # Of keys this is no wonder: rows with equal hashes need not be equal.
        raise SourceError(f"The rows changed between two looks at them: none breaks {listed(gone)} any more.")
    found = {}
    for index, row in enumerate(rows):
        total, shown = collected.get(index, (0, []))
        # Of what may not be shown, the keys of rows are, if these may.
        found[row.id] = Finding(count=total, examples=[one for one in shown if not row.sensitive or "key" in one])
    for index, key in enumerate(keys, len(rows)):
        total, shown = collected.get(index, (0, []))
        found[key.id] = Finding(count=total, examples=[] if key.sensitive else list(map(_key_example, shown)))
    return found


def _row_entry(index: int, rule: RowRule, key: str) -> str:
    # What may not be shown is not collected; nor are keys of rows in which texts stand under wrong names.
    text, row = NONE if rule.sensitive else rule.text, NONE if rule.anywhere else key
    # Missing values, and hidden ones, all look alike: there the rows' keys tell them apart.
    apart = row if rule.kind == "required" or rule.sensitive else NONE
    entry = f"named_struct('rule', {index}, 'value', {text}, 'apart', {apart}, 'row', {row})"
    return f"IF({rule.sql}, {entry}, NULL)"


def _key_entry(index: int, rule: KeyRule) -> str:
    values = ", ".join(f"CAST({value} AS STRING)" for value in rule.values)
    entry = f"named_struct('rule', {index}, 'value', to_json(array({values})), 'apart', {NONE}, 'row', {NONE})"
    return f"IF({rule.present}, {entry}, NULL)"


def _key_example(example: dict[str, Any]) -> dict[str, Any]:
    values = json.loads(example["value"])
    return {**example, "value": ", ".join(values)}


def _most_frequent(
    frame: DataFrame, entries: Sequence[str], first_key: int
) -> dict[int, tuple[int, list[dict[str, Any]]]]:
    from pyspark.sql import functions as F

    broken = frame.selectExpr(f"inline(filter(array({', '.join(entries)}), one -> one IS NOT NULL))")
    groups = broken.groupBy("rule", "value", "apart").agg(F.count(F.lit(1)).alias("n"), F.min("row").alias("row"))
    shared = groups.where(f"rule < {first_key} OR n > 1")
    bucket = F.expr(f"pmod(xxhash64(value, apart), {_BUCKETS})").alias("bucket")
    entry = F.expr("named_struct('n', -n, 'value', value, 'row', row)")
    lists = shared.groupBy("rule", bucket).agg(
        F.sum("n").alias("total"), F.slice(F.array_sort(F.collect_list(entry)), 1, MOST).alias("top")
    )
    collected: dict[int, tuple[int, list[Any]]] = {}
    for row in lists.collect():
        total, top = collected.get(row["rule"], (0, []))
        collected[row["rule"]] = (total + row["total"], [*top, *row["top"]])
    return {rule: (total, list(_shown(top))) for rule, (total, top) in collected.items()}


def _shown(top: list[Any]) -> Iterator[dict[str, Any]]:
    ordered = sorted(top, key=lambda entry: (entry["n"], entry["value"] or "", entry["row"] or ""))
    for entry in ordered[:MOST]:
        value = entry["value"]
        clipped = value if value is None or len(value) <= _LONGEST else value[:_LONGEST] + "…"
        example = {"value": clipped, "count": -entry["n"]}
        yield {**example, "key": json.loads(entry["row"])} if entry["row"] else example
