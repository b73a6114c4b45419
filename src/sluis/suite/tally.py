"""Counts for every rule in one pass over the frame; failing values in one more, only when something failed.

The counts are observed (`DataFrame.observe`) while the same pass ships the hashes of the keys to be compared. Rejected:
one aggregate holding both, as GX would bundle it. Spark then groups all counters by key before it merges them, which
on a million keys cost twice as much as all the rules together. A hash never decides: equal hashes only lead to the
exact comparison of the second pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sluis import lexical
from sluis.contract.names import CORRUPT, RESERVED
from sluis.suite.frame import Facts, views
from sluis.suite.predicates import PREDICATES, Spec, View

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Observation

FIT = f"{RESERVED}_fit"
CHUNK = 120
"""Counters per observation; plans with more at one place overflow the JVM's stack or its method size."""

KEY_KINDS = frozenset({"unique", "primary_key"})


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


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What the first pass found."""

    rows: int
    """Rows read, whether they fit the header or not."""

    corrupt: int
    """Rows that do not fit the header."""

    replaced: int
    """Rows with U+FFFD, which stands where bytes could not be decoded."""

    checksum: str
    """Of every text column of every row; the order of rows does not count."""

    broken: Mapping[str, int]
    """Rule → rows that break it; for keys: rows whose hashes are equal, to be compared exactly."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Failing values of one rule."""

    count: int
    """Rows that break it."""

    examples: list[dict[str, Any]] = field(default_factory=list)
    """At most 20 distinct values with the number of rows that hold each, most frequent first."""


def plan(frame: DataFrame, specs: Sequence[Spec], known: Facts) -> Plan:
    """Write down what to count: SQL for every rule, typed values named once."""
    values: dict[str, str] = {}
    rows, keys = [], []
    for spec in specs:
        seen = views(spec, known, values)
        if spec["kind"] in KEY_KINDS:
            keys.append(_key_rule(spec, seen))
        else:
            broken = f"{FIT} AND ({PREDICATES[spec['kind']](spec, seen[0])})"
            text = f"CAST({seen[0].text} AS STRING)"
            rows.append(
                RowRule(id=spec["rule"], kind=spec["kind"], broken=broken, text=text, sensitive=spec["sensitive"])
            )
    fit = f"{CORRUPT} IS NULL" if known.has_corrupt else "true"
    texts = [name for name, kind in known.types.items() if kind == "string"]
    shared = [
        f"{fit} AS {FIT}",
        f"{lexical.row_hash(texts)} AS {lexical.HASH}",
        *(f"{sql} AS {name}" for sql, name in values.items()),
    ]
    primary = [spec for spec in specs if spec["kind"] == "primary_key" and not spec["sensitive"]]
    named = ", ".join(lexical.identifier(column["column"]) for spec in primary for column in spec["columns"])
    return Plan(
        frame=frame.selectExpr("*", *shared),
        rows=tuple(rows),
        keys=tuple(keys),
        key_of_row=f"to_json(struct({named}))" if named else "CAST(NULL AS STRING)",
    )


def _key_rule(spec: Spec, seen: Sequence[View]) -> KeyRule:
    return KeyRule(
        id=spec["rule"],
        values=tuple(view.value for view in seen),
        present=" AND ".join(
            [FIT, *(f"NOT {view.missing}" for view in seen), *(f"{view.value} IS NOT NULL" for view in seen)]
        ),
        sensitive=spec["sensitive"],
    )


def count(plan: Plan, known: Facts) -> Counts:
    """The first pass: one job over the frame."""
    texts = [lexical.identifier(name) for name, kind in known.types.items() if kind == "string"]
    replaced = "false" if known.decoded else f"contains(concat_ws('', {', '.join(texts)}), '\\uFFFD')"
    counters = {
        "rows": "count(1)",
        "corrupt": f"count_if(NOT {FIT})",
        "replaced": f"count_if({replaced})",
        "low": lexical.CHECKSUM[0].format(hash=lexical.HASH),
        "high": lexical.CHECKSUM[1].format(hash=lexical.HASH),
        **{f"rule_{index}": f"count_if({rule.broken})" for index, rule in enumerate(plan.rows)},
    }
    frame, watched = observe(plan.frame, counters)
    shared = _equal_hashes(frame, plan.keys)
    seen = {name: int(value or 0) for observation in watched for name, value in lexical.observed(observation).items()}
    return Counts(
        rows=seen["rows"],
        corrupt=seen["corrupt"],
        replaced=seen["replaced"],
        checksum=lexical.checksum(seen["low"], seen["high"]),
        broken={**{rule.id: seen[f"rule_{index}"] for index, rule in enumerate(plan.rows)}, **shared},
    )


def observe(frame: DataFrame, counters: Mapping[str, str]) -> tuple[DataFrame, list[Observation]]:
    """Have aggregates computed beside whatever the frame is used for; in chunks, one pass all the same."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    watched = []
    named = list(counters.items())
    for start in range(0, len(named), CHUNK):
        observation = Observation()
        frame = frame.observe(observation, *(F.expr(sql).alias(name) for name, sql in named[start : start + CHUNK]))
        watched.append(observation)
    return frame, watched


def _equal_hashes(frame: DataFrame, keys: Sequence[KeyRule]) -> dict[str, int]:
    """Rows that share the hash of a key with another row, per key; runs the frame.

    The hashes are shuffled as they are: grouping them before the shuffle would find next to nothing to merge.
    """
    from pyspark.sql import functions as F

    if not keys:
        frame.agg(F.count(F.lit(1))).collect()
        return {}
    tagged = ", ".join(
        f"IF({key.present}, named_struct('key', {index}, 'hash', xxhash64({', '.join(key.values)})), NULL)"
        for index, key in enumerate(keys)
    )
    hashes = frame.selectExpr(f"inline(filter(array({tagged}), one -> one IS NOT NULL))")
    # Without a row to shuffle, adaptive execution drops the whole stage, and what is observed in it with it.
    never_empty = hashes.union(frame.sparkSession.range(1).selectExpr("-1", "0L"))
    groups = never_empty.repartition("key", "hash").groupBy("key", "hash").count()
    shared = groups.groupBy("key").agg(F.expr("sum(IF(`count` > 1, `count`, 0))").alias("rows"))
    found = {row["key"]: row["rows"] for row in shared.collect()}
    return {key.id: found.get(index, 0) for index, key in enumerate(keys)}


MOST = 20
"""Failing values that are shown per rule."""

_BUCKETS = 64
_LONGEST = 200


def examples(plan: Plan, broken: Mapping[str, int]) -> dict[str, Finding]:
    """The second pass: failing values of the rules that are broken, and the exact comparison of keys."""
    rows = [rule for rule in plan.rows if broken.get(rule.id) and not rule.sensitive]
    keys = [rule for rule in plan.keys if broken.get(rule.id)]
    found = {rule.id: Finding(count=broken[rule.id]) for rule in plan.rows if broken.get(rule.id)}
    if not rows and not keys:
        return found
    entries = [*(_row_entry(index, rule, plan.key_of_row) for index, rule in enumerate(rows))]
    entries += [_key_entry(len(rows) + index, rule) for index, rule in enumerate(keys)]
    collected = _most_frequent(plan.frame, entries, len(rows))
    for index, rule in enumerate(rows):
        total, shown = collected.get(index, (0, []))
        found[rule.id] = Finding(count=total, examples=shown)
    for index, key in enumerate(keys, len(rows)):
        total, shown = collected.get(index, (0, []))
        found[key.id] = Finding(count=total, examples=[] if key.sensitive else list(map(_key_example, shown)))
    return found


def _row_entry(index: int, rule: RowRule, key: str) -> str:
    # Missing values all look alike: there the rows' keys tell them apart.
    apart = key if rule.kind == "required" else "CAST(NULL AS STRING)"
    entry = f"named_struct('rule', {index}, 'value', {rule.text}, 'apart', {apart}, 'row', {key})"
    return f"IF({rule.broken}, {entry}, NULL)"


def _key_entry(index: int, rule: KeyRule) -> str:
    values = ", ".join(f"CAST({value} AS STRING)" for value in rule.values)
    none = "CAST(NULL AS STRING)"
    entry = f"named_struct('rule', {index}, 'value', to_json(array({values})), 'apart', {none}, 'row', {none})"
    return f"IF({rule.present}, {entry}, NULL)"


def _key_example(example: dict[str, Any]) -> dict[str, Any]:
    import json

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
    import json

    ordered = sorted(top, key=lambda entry: (entry["n"], entry["value"] or "", entry["row"] or ""))
    for entry in ordered[:MOST]:
        value = entry["value"]
        clipped = value if value is None or len(value) <= _LONGEST else value[:_LONGEST] + "…"
        example = {"value": clipped, "count": -entry["n"]}
        yield {**example, "key": json.loads(entry["row"])} if entry["row"] else example
