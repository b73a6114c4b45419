"""The first pass: which rules are broken by any row; one aggregate over the frame.

It proves that no row breaks any rule: every row's violations are flags of a bit mask, and the bitwise OR of all masks,
the number of rows and the checksum are summed up by the hash of the key, which two rows must not share. No flag is no
violation, exactly; only where one is set does a second pass count. A hash never decides: equal hashes only lead to the
exact comparison of the second pass.

Rows that surely fit into memory are summed up in a few groups, each with a list of its hashes; others in a group for
each hash, which takes a sixth more (0.54 and 0.63 of a plain copy's CPU, on a million rows of ten columns).

Rejected, with the CPU of each where Spark's CSV parser reads the rows (a group for each hash taking 0.77): observing
the masks beside a shuffle of the hashes alone (0.83: what is observed is evaluated row by row, outside the generated
code); shuffling the rows by hash first (0.82); a counter per rule, as GX would bundle them (twice what observing took,
when both were measured).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sluis import lexical
from sluis.contract.names import RESERVED
from sluis.suite.plan import FIT, KeyRule, Plan, RowRule
from sluis.suite.spelling import meets

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FLAGS = 62
"""Flags per bit mask: those of a BIGINT but for its sign."""

_BROKEN = f"{RESERVED}_broken"
_KEY = f"{RESERVED}_key"
_MOMENT = f"{RESERVED}_moment"


@dataclass(frozen=True, kw_only=True)
class Totals:
    """What the first pass found."""

    rows: int
    """Rows read, whether they fit the header or not."""

    checksum: str
    """Of every text column of every row; the order of rows does not count."""

    broken: frozenset[str]
    """Rules that more rows break than may; keys for which two rows have equal hashes."""

    counted: Mapping[str, int]
    """Rule that some rows may break → how many do."""

    newest: Mapping[str, int | None]
    """Rule about the newest row → the moment that it is from, in microseconds; None where no row tells."""


def prove(plan: Plan) -> Totals:
    """Run the first pass."""
    masks = [_mask(plan.rows[start : start + FLAGS]) for start in range(0, len(plan.rows), FLAGS)]
    flagged = plan.frame.selectExpr(
        lexical.HASH,
        *(f"{mask} AS {_BROKEN}_{index}" for index, mask in enumerate(masks)),
        *(f"{_key_hash(key)} AS {_KEY}_{index}" for index, key in enumerate(plan.keys)),
        *(f"{moment} AS {_MOMENT}_{index}" for index, moment in enumerate(plan.newest.values())),
    )
    sums = {
        "rows": "count(1)",
        "low": lexical.CHECKSUM[0].format(hash=lexical.HASH),
        "high": lexical.CHECKSUM[1].format(hash=lexical.HASH),
        **{f"mask_{index}": f"bit_or({_BROKEN}_{index})" for index in range(len(masks))},
        **{f"count_{index}": f"count_if({_flag(index)})" for index, rule in enumerate(plan.rows) if rule.allowed},
        **{f"newest_{index}": f"max({_MOMENT}_{index})" for index in range(len(plan.newest))},
    }
    fits = plan.most_rows is not None and plan.most_rows <= IN_MEMORY
    found, equal = _aggregate(flagged, sums, plan.keys, _LISTED if fits else _GROUPED)
    seen = {name: int(value or 0) for name, value in found.items()}
    broken = [rule.id for index, rule in enumerate(plan.rows) if seen[f"mask_{index // FLAGS}"] >> index % FLAGS & 1]
    counted = {rule.id: seen[f"count_{index}"] for index, rule in enumerate(plan.rows) if rule.allowed}
    fine = {rule.id for rule in plan.rows if rule.allowed and meets(counted[rule.id], rule.allowed, seen["rows"])}
    return Totals(
        rows=seen["rows"],
        checksum=lexical.checksum(seen["low"], seen["high"]),
        broken=frozenset([*broken, *equal]) - fine,
        counted=counted,
        newest={rule: found[f"newest_{index}"] for index, rule in enumerate(plan.newest)},
    )


def _mask(rules: Sequence[RowRule]) -> str:
    """SQL of a bit mask with a bit for every rule that a row breaks.

    All of it stands behind one IF: what occurs twice outside of one, Spark computes beforehand for every row, needed
    or not.
    """
    bits = [(1 << bit, rule) for bit, rule in enumerate(rules)]
    anywhere = [each for each in bits if each[1].anywhere]
    fit: dict[str, list[tuple[int, RowRule]]] = defaultdict(list)
    for each in bits:
        if not each[1].anywhere:
            fit[each[1].accepted].append(each)
    parts = (f"IF({accepted}, 0L, {_bits(together)})" for accepted, together in fit.items())
    return f"IF({FIT}, {' | '.join(parts) or '0L'}, 0L) | {_bits(anywhere)}"


def _bits(rules: Iterable[tuple[int, RowRule]]) -> str:
    return " | ".join(f"IF({rule.broken}, {bit}L, 0L)" for bit, rule in rules) or "0L"


def _flag(index: int) -> str:
    return f"{_BROKEN}_{index // FLAGS} & {1 << index % FLAGS}L <> 0"


def _key_hash(key: KeyRule) -> str:
    return f"IF({key.present}, xxhash64({', '.join(key.values)}), NULL)"


def _aggregate(
    flagged: DataFrame, sums: Mapping[str, str], keys: Sequence[KeyRule], by: tuple[str, str]
) -> tuple[dict[str, int | None], list[str]]:
    """The sums over all rows (NULL of none), and the keys for which two rows have equal hashes."""
    if not keys:
        return _only(flagged.selectExpr(*(f"{sql} AS {name}" for name, sql in sums.items()))), []
    hashes = ["0 AS key", f"{_KEY}_0 AS hash"]
    if len(keys) > 1:
        # A row once for each key; the sums take it from the first.
        hashes = [
            f"stack({len(keys)}, {', '.join(f'{index}, {_KEY}_{index}' for index in range(len(keys)))}) AS (key, hash)"
        ]
        sums = {name: f"{sql} FILTER (WHERE key = 0)" for name, sql in sums.items()}
    from pyspark.sql import functions as F

    apart, twice = by
    groups = flagged.selectExpr("*", *hashes).groupBy("key", F.expr(apart).alias("apart"))
    parts = groups.agg(F.expr(f"{twice} AS twice"), *(F.expr(f"{sql} AS {name}") for name, sql in sums.items()))
    totals = (f"{_TOTALS.get(sql.partition('(')[0], 'sum')}({name}) AS {name}" for name, sql in sums.items())
    shared = f"bit_or(IF(twice, shiftleft(1L, key % {FLAGS}), 0L)) AS shared"
    seen = _only(parts.selectExpr(*totals, shared))
    return seen, [key.id for index, key in enumerate(keys) if (seen["shared"] or 0) >> index % FLAGS & 1]


IN_MEMORY = 20_000_000
"""Rows of which the hashes fit into the memory of the smallest session (20 bytes each, of two tasks at a time)."""

_LISTED = ("pmod(hash, 64)", "size(collect_list(hash)) > size(array_distinct(collect_list(hash)))")
"""SQL of the groups that rows are summed up by, and of whether two rows of one group have equal hashes: few groups,
each with a list of hashes."""

_GROUPED = ("hash", "count(hash) > 1")
"""The same for any number of rows: a group per hash, which Spark moves to disk where memory ends."""

_TOTALS = {"bit_or": "bit_or", "max": "max"}
"""Aggregate of rows → that of its parts, where it is not their sum."""


def _only(totals: DataFrame) -> dict[str, int | None]:
    return dict(totals.collect()[0].asDict())
