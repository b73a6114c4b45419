"""Which rules are broken, in one pass over the frame; by how many rows and by which values, in one more.

The first pass proves that no row breaks any rule: every row's violations are flags of a bit mask, and the bitwise OR
of all masks, the number of rows and the checksum are observed (`DataFrame.observe`) while the same pass ships the
hashes of the keys to be compared. No flag is no violation, exactly; only where one is set does the second pass count.

Rejected, with what each cost on a million rows of ten columns (the parse of the file being 1): one aggregate with
counters and keys, as GX would bundle it (Spark then groups all counters by key before it merges them: 8); a counter
per rule observed (the accumulator evaluates each rule row by row, outside the generated code: 9). This costs 4.
A hash never decides: equal hashes only lead to the exact comparison of the second pass.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sluis import lexical
from sluis.contract.logical import Binary, Double, Float
from sluis.contract.names import CORRUPT, RESERVED
from sluis.lexical import nested
from sluis.suite import inner
from sluis.suite.frame import Facts, views, whole
from sluis.suite.predicates import PREDICATES, Spec, View, shown
from sluis.suite.spelling import meets

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FIT = f"{RESERVED}_fit"
BROKEN = f"{RESERVED}_broken"
KEY = f"{RESERVED}_key"
FLAGS = 62
"""Flags per bit mask: those of a BIGINT but for its sign."""

KEY_KINDS = frozenset({"unique", "primary_key"})

UNFIT_ROWS = "rows that do not fit the header"
REPLACED_ROWS = "rows with U+FFFD, which stands where bytes could not be decoded"

_NONE = "CAST(NULL AS STRING)"


@dataclass(frozen=True, kw_only=True)
class RowRule:
    """A rule about single rows, in SQL."""

    id: str
    """The rule's id."""

    kind: str
    """Its kind."""

    broken: str
    """SQL: whether a row breaks it; never NULL."""

    text: str
    """SQL of the text to show for a row that breaks it."""

    sensitive: bool
    """Whether that text may not be shown."""

    allowed: Mapping[str, Any] | None = None
    """How many rows may break it, as the suite tells it; None: none."""


@dataclass(frozen=True, kw_only=True)
class KeyRule:
    """A rule about rows that share values, in SQL."""

    id: str
    """The rule's id."""

    values: tuple[str, ...]
    """SQL of the values that are compared."""

    present: str
    """SQL: whether all of them are there."""

    sensitive: bool
    """Whether they may not be shown."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to count on a frame."""

    frame: DataFrame
    """The frame with everything that the rules share computed once."""

    rows: tuple[RowRule, ...]
    """Rules about single rows."""

    keys: tuple[KeyRule, ...]
    """Rules about rows that share values."""

    key_of_row: str
    """SQL of a JSON object that names a row by its primary key; NULL when it has none that may be shown."""

    whole: str
    """SQL that is true of every row, and has it read."""


@dataclass(frozen=True, kw_only=True)
class Totals:
    """What the first pass found."""

    rows: int
    """Rows read, whether they fit the header or not."""

    checksum: str
    """Of every text column of every row; the order of rows does not count."""

    broken: frozenset[str]
    """Rules that more rows break than may; keys for which two rows have equal hashes."""

    counted: Mapping[str, int] = field(default_factory=dict)
    """Rule that some rows may break → how many do."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the second pass found of one rule."""

    count: int
    """Rows that break it."""

    examples: list[dict[str, Any]] = field(default_factory=list)
    """At most 20 distinct values with the number of rows that hold each, most frequent first."""


def plan(frame: DataFrame, specs: Sequence[Spec], known: Facts) -> Plan:
    """Write down what to look for: SQL for every rule, what rules share computed once."""
    values: dict[str, str] = {}
    rows, keys = _files_rules(known), []
    for spec in specs:
        seen = views(spec, known, values)
        if spec["kind"] in KEY_KINDS:
            keys.append(_key_rule(spec, seen))
        else:
            rows.append(_row_rule(spec, seen[0]))
    fit = f"{CORRUPT} IS NULL" if known.has_corrupt else "true"
    shared = [f"{fit} AS {FIT}", f"{lexical.row_hash(known.texts)} AS {lexical.HASH}"]
    shared += [f"{sql} AS {name}" for sql, name in values.items()]
    primary = [spec for spec in specs if spec["kind"] == "primary_key" and not spec["sensitive"]]
    named = ", ".join(lexical.identifier(column["column"]) for spec in primary for column in spec["columns"])
    return Plan(
        frame=frame.selectExpr("*", *shared),
        rows=tuple(rows),
        keys=tuple(keys),
        key_of_row=f"to_json(struct({named}))" if named else _NONE,
        whole=whole(known),
    )


def _row_rule(spec: Spec, view: View) -> RowRule:
    if spec.get("inner"):
        broken, text = inner.row_sql(spec, view)
    else:
        broken, text = PREDICATES[spec["kind"]](spec, view), shown(spec, view)
    return RowRule(
        id=spec["rule"],
        kind=spec["kind"],
        broken=f"({FIT} AND ({broken}))",
        text=text,
        sensitive=spec["sensitive"],
        allowed=spec.get("allowed"),
    )


def _files_rules(known: Facts) -> list[RowRule]:
    texts = ", ".join(map(lexical.identifier, known.texts))
    replaced = "false" if known.decoded or not texts else f"contains(concat_ws('', {texts}), '\\uFFFD')"
    return [
        RowRule(id=UNFIT_ROWS, kind="row_shape", broken=f"NOT {FIT}", text=_NONE, sensitive=True),
        RowRule(id=REPLACED_ROWS, kind="encoding", broken=replaced, text=_NONE, sensitive=True),
    ]


def _key_rule(spec: Spec, seen: Sequence[View]) -> KeyRule:
    return KeyRule(
        id=spec["rule"],
        values=tuple(_compared(view) for view in seen),
        present=" AND ".join(
            [FIT, *(f"NOT {view.missing}" for view in seen), *(f"{view.value} IS NOT NULL" for view in seen)]
        ),
        sensitive=spec["sensitive"],
    )


def _compared(view: View) -> str:
    # Zero is zero: as text, by which the second pass compares, 0.0 and -0.0 would differ.
    if isinstance(view.logical, Double | Float):
        return f"({view.value} + 0D)"
    if isinstance(view.logical, Binary):
        return f"hex({view.value})"
    return f"to_json({view.value})" if isinstance(view.logical, nested.TYPES) else view.value


def prove(plan: Plan) -> Totals:
    """The first pass: one job over the frame."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    masks = [_mask(plan.rows[start : start + FLAGS]) for start in range(0, len(plan.rows), FLAGS)]
    # Nothing but these: what is observed is copied row by row, so no text should pass there.
    narrow = plan.frame.selectExpr(
        lexical.HASH,
        *(f"{mask} AS {BROKEN}_{index}" for index, mask in enumerate(masks)),
        *(f"{_key_hash(key)} AS {KEY}_{index}" for index, key in enumerate(plan.keys)),
    )
    sums = {
        "rows": "count(1)",
        "low": lexical.CHECKSUM[0].format(hash=lexical.HASH),
        "high": lexical.CHECKSUM[1].format(hash=lexical.HASH),
        **{f"mask_{index}": f"bit_or({BROKEN}_{index})" for index in range(len(masks))},
        **{f"count_{index}": _count(index) for index, rule in enumerate(plan.rows) if rule.allowed},
    }
    observation = Observation()
    watched = narrow.observe(observation, *(F.expr(sql).alias(name) for name, sql in sums.items()))
    equal = _equal_hashes(watched, plan.keys)
    seen = {name: int(value or 0) for name, value in lexical.observed(observation).items()}
    broken = [rule.id for index, rule in enumerate(plan.rows) if seen[f"mask_{index // FLAGS}"] >> index % FLAGS & 1]
    counted = {rule.id: seen[f"count_{index}"] for index, rule in enumerate(plan.rows) if rule.allowed}
    fine = {rule.id for rule in plan.rows if rule.allowed and meets(counted[rule.id], rule.allowed, seen["rows"])}
    return Totals(
        rows=seen["rows"],
        checksum=lexical.checksum(seen["low"], seen["high"]),
        broken=frozenset([*broken, *equal]) - fine,
        counted=counted,
    )


def _mask(rules: Sequence[RowRule]) -> str:
    return " | ".join(f"IF({rule.broken}, {1 << bit}L, 0L)" for bit, rule in enumerate(rules))


def _count(index: int) -> str:
    return f"count_if({BROKEN}_{index // FLAGS} & {1 << index % FLAGS}L <> 0)"


def _key_hash(key: KeyRule) -> str:
    return f"IF({key.present}, xxhash64({', '.join(key.values)}), NULL)"


def _equal_hashes(frame: DataFrame, keys: Sequence[KeyRule]) -> list[str]:
    """The keys for which rows have equal hashes; runs the frame.

    The hashes are shuffled as they are: grouping them before the shuffle would find next to nothing to merge.
    """
    from pyspark.sql import functions as F

    if not keys:
        frame.agg(F.count(F.lit(1))).collect()
        return []
    if len(keys) == 1:
        hashes = frame.selectExpr("1L AS flag", f"{KEY}_0 AS hash")
    else:
        stacked = ", ".join(f"{1 << index % FLAGS}L, {KEY}_{index}" for index in range(len(keys)))
        hashes = frame.selectExpr(f"stack({len(keys)}, {stacked}) AS (flag, hash)")
    hashes = hashes.where("hash IS NOT NULL")
    # Without a row to shuffle, adaptive execution drops the whole stage, and what is observed in it with it.
    never_empty = hashes.union(frame.sparkSession.range(1).selectExpr("0L", "0L"))
    groups = (
        never_empty.repartition("hash").groupBy("hash").agg(F.expr("count(1) AS n"), F.expr("bit_or(flag) AS flags"))
    )
    flags = groups.selectExpr("bit_or(IF(n > 1, flags, 0L)) AS flags").collect()[0]["flags"]
    return [key.id for index, key in enumerate(keys) if flags >> index % FLAGS & 1]


MOST = 20
"""Failing values that are shown per rule."""

_BUCKETS = 64
_LONGEST = 200


def count(plan: Plan, broken: frozenset[str]) -> dict[str, Finding]:
    """The second pass: how many rows break the rules that are broken, and with which values; keys compared exactly."""
    rows = [rule for rule in plan.rows if rule.id in broken]
    keys = [rule for rule in plan.keys if rule.id in broken]
    if not rows and not keys:
        return {}
    entries = [_row_entry(index, rule, plan.key_of_row) for index, rule in enumerate(rows)]
    entries += [_key_entry(index, rule) for index, rule in enumerate(keys, len(rows))]
    collected = _most_frequent(plan.frame.where(plan.whole), entries, len(rows))
    found = {}
    for index, row in enumerate(rows):
        total, shown = collected.get(index, (0, []))
        found[row.id] = Finding(count=total, examples=[] if row.sensitive else shown)
    for index, key in enumerate(keys, len(rows)):
        total, shown = collected.get(index, (0, []))
        found[key.id] = Finding(count=total, examples=[] if key.sensitive else list(map(_key_example, shown)))
    return found


def _row_entry(index: int, rule: RowRule, key: str) -> str:
    # What may not be shown is not collected. Missing values all look alike: there the rows' keys tell them apart.
    text, row = (_NONE, _NONE) if rule.sensitive else (rule.text, key)
    apart = row if rule.kind == "required" else _NONE
    entry = f"named_struct('rule', {index}, 'value', {text}, 'apart', {apart}, 'row', {row})"
    return f"IF({rule.broken}, {entry}, NULL)"


def _key_entry(index: int, rule: KeyRule) -> str:
    values = ", ".join(f"CAST({value} AS STRING)" for value in rule.values)
    entry = f"named_struct('rule', {index}, 'value', to_json(array({values})), 'apart', {_NONE}, 'row', {_NONE})"
    return f"IF({rule.present}, {entry}, NULL)"


def _key_example(example: dict[str, Any]) -> dict[str, Any]:
    values = json.loads(example["value"])
    return {**example, "value": ", ".join(values)}


def _most_frequent(
    frame: DataFrame, entries: Sequence[str], first_key: int
) -> dict[int, tuple[int, list[dict[str, Any]]]]:
    from pyspark.sql import functions as F

    listed = frame.selectExpr(f"inline(filter(array({', '.join(entries)}), one -> one IS NOT NULL))")
    groups = listed.groupBy("rule", "value", "apart").agg(F.count(F.lit(1)).alias("n"), F.min("row").alias("row"))
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
