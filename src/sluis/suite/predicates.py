"""Rule → Spark SQL that is true for the rows that break it.

One small registered function per kind of rule about rows. A predicate is never NULL: a condition that is unknown on
a value that is there would otherwise count as fulfilled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sluis import lexical
from sluis.contract.logical import Date, LogicalType, String, Timestamp
from sluis.contract.rules import Scalar

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
        blank = f"IF({self.text} IS NULL, true, {lexical.blank(self.text)})"
        # A value that could be cast is not blank: most rows need no look at their text.
        return blank if self.value == self.text else f"IF({self.value} IS NULL, {blank}, false)"


Predicate = Callable[[Spec, View], str]

PREDICATES: dict[str, Predicate] = {}
"""Kind of rule → its predicate."""

LOGICAL: dict[str, type[LogicalType]] = {kind.name: kind for kind in lexical.TABLE}


def breaks(kind: str) -> Callable[[Predicate], Predicate]:
    """Register the predicate of a kind of rule."""

    def register(predicate: Predicate) -> Predicate:
        PREDICATES[kind] = predicate
        return predicate

    return register


def logical_type(spec: Spec) -> LogicalType:
    """The logical type that an expectation's arguments name; text where they name none."""
    kind = LOGICAL[spec.get("logical_type", String.name)]
    if issubclass(kind, Date | Timestamp):
        return kind(format=spec.get("format"))
    return kind()


def _literal(view: View, constant: Scalar) -> str:
    numeric = isinstance(constant, str) and not isinstance(view.logical, String | Date | Timestamp)
    return lexical.literal(view.logical, Decimal(constant) if numeric else constant)


@breaks("required")
def _required(spec: Spec, view: View) -> str:
    return view.missing


@breaks("type")
def _type(spec: Spec, view: View) -> str:
    if not view.is_text:
        return "false"
    accepted = lexical.accepted(view.logical, view.text, view.value)
    return f"IF({accepted}, false, IF({view.text} IS NULL, false, NOT {lexical.blank(view.text)}))"


@breaks("pattern")
def _pattern(spec: Spec, view: View) -> str:
    return f"coalesce(NOT {view.text} RLIKE {lexical.string(spec['pattern'])}, false)"


@breaks("min_length")
def _min_length(spec: Spec, view: View) -> str:
    return f"coalesce(char_length({view.text}) < {int(spec['limit'])}, false)"


@breaks("max_length")
def _max_length(spec: Spec, view: View) -> str:
    return f"coalesce(char_length({view.text}) > {int(spec['limit'])}, false)"


@breaks("minimum")
def _minimum(spec: Spec, view: View) -> str:
    return f"coalesce({view.value} < {_literal(view, spec['limit'])}, false)"


@breaks("maximum")
def _maximum(spec: Spec, view: View) -> str:
    return f"coalesce({view.value} > {_literal(view, spec['limit'])}, false)"


@breaks("enum")
def _enum(spec: Spec, view: View) -> str:
    values = ", ".join(_literal(view, value) for value in spec["values"])
    return f"coalesce({view.value} NOT IN ({values}), false)"
