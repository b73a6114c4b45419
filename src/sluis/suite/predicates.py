"""Rule → Spark SQL that is true for the rows that break it.

One small registered function per kind of rule about rows. A predicate is never NULL: a condition that is unknown on
a value that is there would otherwise count as fulfilled.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sluis import lexical
from sluis.contract.formats import DAYS, FORMATS
from sluis.contract.logical import (
    NUMBERS,
    Array,
    Byte,
    DecimalType,
    Integer,
    Json,
    LogicalType,
    Long,
    Object,
    Short,
    String,
)
from sluis.contract.pattern import recurses
from sluis.contract.rules import Scalar
from sluis.lexical import nested
from sluis.lexical.held import stray
from sluis.suite.spelling import meant as logical_type

__all__ = ["PREDICATES", "Predicate", "Spec", "View", "breaks", "logical_type", "shown", "unaccepted"]

Spec = Mapping[str, Any]
"""An expectation's arguments, with its `kind`."""


@dataclass(frozen=True, kw_only=True)
class View:
    """A column of the frame, as predicates see it."""

    logical: LogicalType
    """What the contract says it is."""

    text: str
    """SQL of the column itself, quoted."""

    value: str
    """SQL of its typed value."""

    is_text: bool
    """Whether the frame holds it as text (a landing file) or already typed (a table)."""

    @property
    def missing(self) -> str:
        """SQL: NULL or blank."""
        if not self.is_text:
            return f"({self.text} IS NULL)"
        blank = f"IF({self.text} IS NULL, true, {lexical.absent(self.logical, self.text)})"
        # A value that could be cast is not blank: most rows need no look at their text.
        return blank if self.value == self.text else f"IF({self.value} IS NULL, {blank}, false)"


Predicate = Callable[[Spec, View], str]

PREDICATES: dict[str, Predicate] = {}
"""Kind of rule → its predicate."""


def breaks(kind: str) -> Callable[[Predicate], Predicate]:
    """Register the predicate of a kind of rule."""

    def register(predicate: Predicate) -> Predicate:
        PREDICATES[kind] = predicate
        return predicate

    return register


def shown(spec: Spec, view: View) -> str:
    """SQL of the text to show for a row that breaks a rule."""
    text = f"CAST({view.text} AS STRING)"
    if spec["kind"] != "type" or not view.is_text or not isinstance(view.logical, nested.TYPES):
        return text
    wrong = f"coalesce({nested.fault(view.logical, view.value)}, 'it is not JSON, or says a key twice')"
    return f"concat({wrong}, ': ', {text})"


_WHOLE = (Byte, Short, Integer, Long)


def _literal(view: View, constant: Scalar) -> str:
    numeric = isinstance(constant, str) and isinstance(view.logical, NUMBERS)
    return lexical.literal(view.logical, Decimal(constant) if numeric else constant)


def unaccepted(spec: Spec, view: View) -> tuple[str, str] | None:
    """A rule that accepted text always keeps, in two: SQL of accepting, which most rows end at, and of the rest.

    None for other rules.
    """
    if not view.is_text or view.value == view.text or spec["kind"] not in _REST:
        return None
    return lexical.accepted(view.logical, view.text, view.value), _REST[spec["kind"]](view)


@breaks("required")
def _required(spec: Spec, view: View) -> str:
    return view.missing


@breaks("type")
def _type(spec: Spec, view: View) -> str:
    if not view.is_text:
        return stray(view.logical, view.value)
    return f"IF({lexical.accepted(view.logical, view.text, view.value)}, false, {_no_value(view)})"


def _no_value(view: View) -> str:
    return f"IF({view.text} IS NULL, false, NOT {lexical.absent(view.logical, view.text)})"


_REST: dict[str, Callable[[View], str]] = {"required": lambda view: view.missing, "type": _no_value}


_NO_META = re.compile(r"[^\\^$.|?*+(){}\[\]]*")


@breaks("pattern")
def _pattern(spec: Spec, view: View) -> str:
    stated = lexical.string(spec["pattern"])
    # For a pattern Spark makes a Java string of every value; plain text it finds in the bytes, in a sixth of the time.
    is_plain = _NO_META.fullmatch(spec["pattern"])
    holds = f"contains({view.text}, {stated})" if is_plain else f"{view.text} RLIKE {stated}"
    if recurses(spec["pattern"]):
        # The JVM ends, and all that runs in it, when a match takes more stack than there is.
        holds = f"IF(char_length({view.text}) > {_FENCE}, raise_error({_too_long(spec['pattern'])}), {holds})"
    return f"coalesce(NOT {holds}, false)"


_FENCE = 1000
"""Characters that a pattern which recurses is tried on; with 1 MB of stack, some 2,000 are too many."""


def _too_long(pattern: str) -> str:
    return lexical.string(
        f"the pattern {pattern} repeats a group of parts that vary, for which Java needs stack with every round; it is "
        f"tried on {_FENCE} characters at most, and a value has more. State it without such a group."
    )


@breaks("min_length")
def _min_length(spec: Spec, view: View) -> str:
    return f"coalesce(char_length({view.text}) < {int(spec['limit'])}, false)"


@breaks("max_length")
def _max_length(spec: Spec, view: View) -> str:
    return f"coalesce(char_length({view.text}) > {int(spec['limit'])}, false)"


@breaks("minimum")
def _minimum(spec: Spec, view: View) -> str:
    return f"coalesce({view.value} {'<=' if spec.get('exclusive') else '<'} {_literal(view, spec['limit'])}, false)"


@breaks("maximum")
def _maximum(spec: Spec, view: View) -> str:
    return f"coalesce({view.value} {'>=' if spec.get('exclusive') else '>'} {_literal(view, spec['limit'])}, false)"


@breaks("enum")
def _enum(spec: Spec, view: View) -> str:
    values = ", ".join(_literal(view, value) for value in spec["values"])
    return f"coalesce({view.value} NOT IN ({values}), false)"


@breaks("filled")
def _filled(spec: Spec, view: View) -> str:
    return view.missing if isinstance(view.logical, nested.TYPES) else f"({view.text} IS NULL)"


@breaks("not_missing")
def _not_missing(spec: Spec, view: View) -> str:
    texts = [lexical.string(text) for text in spec["texts"]]
    stands_for_it = f"CAST({view.text} AS STRING) IN ({', '.join(texts)})" if texts else "false"
    if texts and not isinstance(view.logical, (String, Json, *nested.TYPES)):
        # In the table only the value is left, however a file wrote it.
        values = ", ".join(lexical.value(view.logical, text) for text in texts)
        stands_for_it += f" OR coalesce({view.value} IN ({values}), false)"
    return f"IF({_filled(spec, view)}, true, {stands_for_it})"


@breaks("valid")
def _valid(spec: Spec, view: View) -> str:
    return " OR ".join(f"({PREDICATES[demand['kind']](demand, view)})" for demand in spec["demands"]) or "false"


@breaks("format")
def _format(spec: Spec, view: View) -> str:
    name = spec["form"]
    broken = f"NOT {view.text} RLIKE {lexical.string(FORMATS[name])}"
    if name in DAYS:
        broken = f"IF({broken}, true, try_cast(left({view.text}, 10) AS DATE) IS NULL)"
    return f"IF({view.text} IS NULL, false, {broken})"


@breaks("multiple_of")
def _multiple_of(spec: Spec, view: View) -> str:
    """Exact: a divisor is a whole number of units of a power of ten, and a double is what its text says it is."""
    divisor = Decimal(spec["divisor"])
    scale = max(0, -int(divisor.normalize().as_tuple().exponent))
    units = int(divisor.scaleb(scale))
    whole = units // math.gcd(units, 10**scale)
    if isinstance(view.logical, _WHOLE):
        return "false" if whole == 1 else f"coalesce({view.value} % {whole}BD <> 0, false)"
    if isinstance(view.logical, DecimalType):
        # First by the units: Spark divides within 38 digits, which one step could need more of.
        return f"coalesce({view.value} % {units}BD % {divisor:f}BD <> 0, false)"
    text = view.text if view.is_text else f"CAST({view.value} AS STRING)"
    rounded = "__sluis_rounded"
    back = f"CAST({rounded} AS {lexical.spark_type(view.logical)})"
    # A double too large for the decimal is a whole number.
    broken = (
        f"IF({rounded} IS NULL, {view.value} % {whole}D <> 0, {back} <> {view.value} OR {rounded} % {divisor:f}BD <> 0)"
    )
    return f"coalesce({lexical.let(rounded, f'try_cast({text} AS DECIMAL(38,{scale}))', broken)}, false)"


@breaks("size")
def _size(spec: Spec, view: View) -> str:
    number, most = _members(view), spec["most"]
    above = "" if most is None else f" OR {number} > {int(most)}"
    return f"coalesce({number} < {int(spec['least'])}{above}, false)"


def _members(view: View) -> str:
    if view.is_text:
        held = nested.ITEMS if isinstance(view.logical, Array) else nested.MEMBERS
        return f"size(try_variant_get({view.value}, {held}))"
    if not isinstance(view.logical, Object):
        return f"size({view.value})"
    fields = " + ".join(
        f"IF({view.value}.{lexical.identifier(field.name)} IS NULL, 0, 1)" for field in view.logical.fields
    )
    return f"IF({view.value} IS NULL, NULL, {fields})"


@breaks("unique_items")
def _unique_items(spec: Spec, view: View) -> str:
    assert isinstance(view.logical, Array)
    items, item, kind = "__sluis_list", "__sluis_one", view.logical.items
    if isinstance(kind, (*nested.TYPES, Json)):
        compared = f"to_json({item})" if view.is_text or not isinstance(kind, Json) else item
    else:
        compared = lexical.value(kind, f"CAST({item} AS STRING)") if view.is_text else item
    held = f"try_variant_get({view.value}, {nested.ITEMS})" if view.is_text else view.value
    twice = f"size(array_distinct(transform({items}, {item} -> {compared}))) < size({items})"
    return f"coalesce({lexical.let(items, held, twice)}, false)"


def micros(value: str) -> str:
    """SQL of the moment that a typed date or timestamp is, in microseconds since 1970 in UTC."""
    return f"unix_micros(CAST({value} AS TIMESTAMP))"


@breaks("retention")
def _retention(spec: Spec, view: View) -> str:
    return f"coalesce({micros(view.value)} < {int(spec['since'])}L, false)"


@breaks("latency")
def _latency(spec: Spec, view: View) -> str:
    return f"coalesce({micros(view.value)} > {spec['latest']}, false)"
