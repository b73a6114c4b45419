"""A frame and the rules of a suite → one result per rule, as plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluis import lexical
from sluis.suite import beyond, promised
from sluis.suite.count import Finding, count
from sluis.suite.frame import Facts, facts, unfit
from sluis.suite.plan import KEY_KINDS, NEWEST, REPLACED_ROWS, UNFIT_ROWS, plan_of
from sluis.suite.predicates import PREDICATES, Spec, logical_type
from sluis.suite.prove import prove
from sluis.suite.results import Result, not_evaluated, out_of_reach, whole, within
from sluis.suite.spelling import in_words, meets
from sluis.suite.surroundings import Surroundings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def judge(frame: DataFrame, specs: Sequence[Spec], around: Surroundings | None = None) -> dict[str, Result]:
    """Judge every rule on a frame; at most two passes over it, and what rules beyond rows take.

    Args:
        frame: Text columns as landing reads them, or typed ones.
        specs: The arguments of the suite's expectations, each with its `kind`, `rule` and `sensitive`.
        around: What rules may look at beside the frame. Where that is a part of a table, rules about the table as a
            whole have passes of their own, over its whole length and the columns that they need.

    Returns:
        Rule → result. A rule that cannot be judged is among them with its reason; nothing is left out.
    """
    around = around or Surroundings()
    specs = [promised.dated(spec, around) for spec in specs]
    known = facts(frame, at_rest=any(spec.get("typed") for spec in specs))
    if around.whole is None:
        return _judged(frame, specs, known, around)
    of_whole = [spec for spec in specs if spec["kind"] in OF_WHOLE]
    of_rows = [spec for spec in specs if spec["kind"] not in OF_WHOLE]
    return _judged(around.whole, of_whole, known, around) | _judged(frame, of_rows, known, around)


OF_WHOLE = KEY_KINDS | {"row_count", "row_count_is", "freshness", "written"}
"""Kinds of rules about a table as a whole, of which a part tells nothing."""


ABOUT_ROWS = frozenset(PREDICATES) | KEY_KINDS | {NEWEST}
"""Kinds of rules that the passes over the rows answer."""


def _judged(frame: DataFrame, specs: Sequence[Spec], known: Facts, around: Surroundings) -> dict[str, Result]:
    about_rows = [spec for spec in specs if spec["kind"] in ABOUT_ROWS]
    reasons = {spec["rule"]: reason for spec in about_rows if (reason := unfit(spec, known))}
    fit = [spec for spec in about_rows if spec["rule"] not in reasons]
    plan = plan_of(frame, fit, known)
    totals = prove(plan)
    found = count(plan, totals.broken)
    counts = Counts(
        rows=totals.rows, checksum=totals.checksum, found=found, counted=totals.counted, newest=totals.newest
    )
    results = {spec["rule"]: _row_result(spec, counts) for spec in fit}
    results |= {spec["rule"]: WHOLE[spec["kind"]](spec, known, counts) for spec in specs if spec["kind"] in WHOLE}
    results |= {rule: not_evaluated(reason) for rule, reason in reasons.items()}
    return results | beyond.judge(frame, specs, known, count=counts.rows, fit=counts.fit, tables=around.tables)


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What both passes found."""

    rows: int
    """Rows read, whether they fit the header or not."""

    checksum: str
    """Of every text column of every row."""

    found: Mapping[str, Finding]
    """Rule → the rows that break it; nothing for rules that hold."""

    counted: Mapping[str, int]
    """Rule that some rows may break → how many do."""

    newest: Mapping[str, int | None]
    """Rule about the newest row → the moment that it is from; None where no row tells."""

    @property
    def fit(self) -> int:
        """Rows that fit the header."""
        return self.rows - self.of(UNFIT_ROWS).count

    def of(self, rule: str) -> Finding:
        """The rows that break a rule."""
        return self.found.get(rule, Finding(count=0))


def _row_result(spec: Spec, counts: Counts) -> Result:
    found = counts.of(spec["rule"])
    if allowed := spec.get("allowed"):
        return within(allowed, counts.counted.get(spec["rule"], found.count), counts.fit, counts.rows, found.examples)
    return {**whole(found.count, counts.fit), "examples": found.examples}


Judge = Callable[[Spec, Facts, Counts], Result]

WHOLE: dict[str, Judge] = {}
"""Kind of rule about a frame as a whole → how it is judged."""


def judges(kind: str) -> Callable[[Judge], Judge]:
    """Register how a kind of rule about the whole frame is judged."""

    def register(function: Judge) -> Judge:
        WHOLE[kind] = function
        return function

    return register


_CALLERS = "the caller read the frame, so its files are out of reach"


def _header_faults(known: Facts, *kinds: str) -> list[str]:
    return [fault["message"] for fault in known.header if fault["kind"] in kinds]


@judges("header")
def _header(spec: Spec, known: Facts, counts: Counts) -> Result:
    if not known.from_files:
        return out_of_reach(_CALLERS)
    faults = _header_faults(known, "header", "empty")
    return whole(len(faults), 1, messages=faults)


@judges("row_shape")
def _row_shape(spec: Spec, known: Facts, counts: Counts) -> Result:
    if not known.has_corrupt:
        return out_of_reach(_CALLERS)
    faults = _header_faults(known, "row_shape")
    return whole(max(counts.of(UNFIT_ROWS).count, len(faults)), counts.rows, messages=faults)


@judges("encoding")
def _encoding(spec: Spec, known: Facts, counts: Counts) -> Result:
    faults = _header_faults(known, "encoding")
    return whole(max(counts.of(REPLACED_ROWS).count, len(faults)), counts.rows, messages=faults)


@judges("columns")
def _columns(spec: Spec, known: Facts, counts: Counts) -> Result:
    wanted = {column["name"]: column for column in spec["columns"]}
    missing = [name for name in wanted if name not in known.types]
    more = [] if spec["allow_additional"] else [name for name in known.types if name not in wanted]
    messages = _header_faults(known, "columns")
    messages += [f"Missing columns: {missing}"] if missing else []
    messages += [_unexpected(more, is_header=spec.get("typed") or len(missing) < len(wanted))] if more else []
    messages += [
        message
        for name, column in wanted.items()
        if name in known.types and (message := _mistyped(column, known.types[name], typed=bool(spec.get("typed"))))
    ]
    return whole(len(messages), len(known.types), messages=messages)


def _unexpected(names: Sequence[str], *, is_header: object) -> str:
    # Of a caller's frame that was read from a file without a header, they are the values of its first row.
    if is_header:
        return f"Unexpected columns: {names}"
    return f"Unexpected columns: {len(names)}, and none of the contract's (not shown: they may be values)"


def _mistyped(column: Mapping[str, Any], found: str, *, typed: bool) -> str | None:
    kind = lexical.simple_type(logical_type(column))
    if found.lower() in ([kind] if typed else [kind, "string"]):
        return None
    return f"Column {column['name']} is {found}, not {kind}{'' if typed else ' (or text)'}"


@judges("row_count")
def _row_count(spec: Spec, known: Facts, counts: Counts) -> Result:
    low, high = spec["min_rows"], spec["max_rows"]
    within = counts.rows >= low and (high is None or counts.rows <= high)
    messages = [] if within else [f"{_found_rows(counts.rows)}, {_wanted_rows(low, high)}"]
    return whole(
        0 if within else 1, counts.rows, messages=messages, observed={"rows": counts.rows, "checksum": counts.checksum}
    )


@judges("row_count_is")
def _row_count_is(spec: Spec, known: Facts, counts: Counts) -> Result:
    met = meets(counts.rows, spec["allowed"])
    messages = [] if met else [f"{_found_rows(counts.rows)}, the contract wants {in_words(spec['allowed'])}"]
    return whole(0 if met else 1, counts.rows, messages=messages)


@judges("freshness")
def _freshness(spec: Spec, known: Facts, counts: Counts) -> Result:
    return promised.on_time(spec, counts.newest.get(spec["rule"]), spec["column"])


@judges("written")
def _written(spec: Spec, known: Facts, counts: Counts) -> Result:
    return promised.last_write(spec)


def _found_rows(rows: int) -> str:
    return f"Found {rows or 'no'} row{'' if rows == 1 else 's'}"


def _wanted_rows(low: int, high: int | None) -> str:
    return f"the contract wants at least {low}" if high is None else f"the contract wants {low} to {high}"
