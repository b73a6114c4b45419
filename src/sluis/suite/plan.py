"""What to look for on a frame: SQL for every rule, with what rules share computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluis import lexical
from sluis.contract.logical import Binary, Double, Float
from sluis.contract.names import CORRUPT, RESERVED
from sluis.lexical import nested
from sluis.suite import inner, promised
from sluis.suite.frame import Facts, views, whole
from sluis.suite.predicates import PREDICATES, Spec, View, shown, unaccepted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FIT = f"{RESERVED}_fit"

KEY_KINDS = frozenset({"unique", "primary_key"})

NEWEST = "freshness"
"""The kind of rules about the newest row."""

UNFIT_ROWS = "rows that do not fit the header"
REPLACED_ROWS = "rows with U+FFFD, which stands where bytes could not be decoded"

NONE = "CAST(NULL AS STRING)"
"""SQL of no text."""


@dataclass(frozen=True, kw_only=True)
class RowRule:
    """A rule about single rows, in SQL."""

    id: str
    """The rule's id."""

    kind: str
    """Its kind."""

    broken: str
    """SQL: whether a row that fits the header breaks it; never NULL."""

    text: str
    """SQL of the text to show for a row that breaks it."""

    sensitive: bool
    """Whether that text may not be shown."""

    accepted: str = "false"
    """SQL that is true only of rows that keep the rule, and soon tells it of most; `broken` is for the others."""

    anywhere: bool = False
    """Whether rows that do not fit the header are judged too."""

    allowed: Mapping[str, Any] | None = None
    """How many rows may break it, as the suite tells it; None: none."""

    @property
    def sql(self) -> str:
        """SQL: whether any row breaks it."""
        broken = self.broken if self.accepted == "false" else f"IF({self.accepted}, false, {self.broken})"
        return broken if self.anywhere else f"IF({FIT}, {broken}, false)"


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

    newest: Mapping[str, str]
    """Rule about the newest row → SQL of the moment that a row is from, in microseconds."""

    key_of_row: str
    """SQL of a JSON object that names a row by its primary key; NULL when it has none that may be shown."""

    whole: str
    """SQL that is true of every row, and has it read."""

    most_rows: int | None = None
    """More rows than this the frame cannot hold; None when that is not known."""


def plan_of(frame: DataFrame, specs: Sequence[Spec], known: Facts) -> Plan:
    """Write down what to look for: SQL for every rule, what rules share computed once."""
    values: dict[str, str] = {}
    rows, keys, newest = _files_rules(known), [], {}
    for spec in specs:
        seen = views(spec, known, values)
        if spec["kind"] in KEY_KINDS:
            keys.append(_key_rule(spec, seen))
        elif spec["kind"] == NEWEST:
            newest[spec["rule"]] = promised.moment(spec, seen[0].value)
        else:
            rows.append(_row_rule(spec, seen[0]))
    fit = f"{CORRUPT} IS NULL" if known.has_corrupt else "true"
    shared = [f"{fit} AS {FIT}", f"{lexical.row_hash(known.summed)} AS {lexical.HASH}"]
    shared += [f"{sql} AS {name}" for sql, name in values.items()]
    primary = [spec for spec in specs if spec["kind"] == "primary_key" and not spec["sensitive"]]
    named = ", ".join(lexical.identifier(column["column"]) for spec in primary for column in spec["columns"])
    return Plan(
        frame=frame.selectExpr("*", *shared),
        rows=tuple(rows),
        keys=tuple(keys),
        newest=newest,
        key_of_row=f"to_json(struct({named}))" if named else NONE,
        whole=whole(known),
        most_rows=known.most_rows,
    )


def _row_rule(spec: Spec, view: View) -> RowRule:
    accepted = "false"
    if spec.get("inner"):
        broken, text = inner.row_sql(spec, view)
    else:
        parts = unaccepted(spec, view)
        accepted, broken = parts or (accepted, PREDICATES[spec["kind"]](spec, view))
        text = shown(spec, view)
    return RowRule(
        id=spec["rule"],
        kind=spec["kind"],
        accepted=accepted,
        broken=broken,
        text=text,
        sensitive=spec["sensitive"],
        allowed=spec.get("allowed"),
    )


def _files_rules(known: Facts) -> list[RowRule]:
    texts = ", ".join(map(lexical.identifier, known.texts))
    replaced = "false" if known.decoded or not texts else f"contains(concat_ws('', {texts}), '\\uFFFD')"
    return [
        RowRule(id=UNFIT_ROWS, kind="row_shape", broken=f"NOT {FIT}", text=NONE, sensitive=True, anywhere=True),
        RowRule(id=REPLACED_ROWS, kind="encoding", broken=replaced, text=NONE, sensitive=True, anywhere=True),
    ]


def _key_rule(spec: Spec, seen: Sequence[View]) -> KeyRule:
    present = (f"NOT {view.missing}" if view.value == view.text else f"{view.value} IS NOT NULL" for view in seen)
    return KeyRule(
        id=spec["rule"],
        values=tuple(_compared(view) for view in seen),
        present=f"IF({FIT}, {' AND '.join(present)}, false)",
        sensitive=spec["sensitive"],
    )


def _compared(view: View) -> str:
    # Zero is zero: as text, by which the second pass compares, 0.0 and -0.0 would differ.
    if isinstance(view.logical, Double | Float):
        return f"({view.value} + 0D)"
    if isinstance(view.logical, Binary):
        return f"hex({view.value})"
    return f"to_json({view.value})" if isinstance(view.logical, nested.TYPES) else view.value
