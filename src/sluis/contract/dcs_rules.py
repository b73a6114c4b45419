"""What single keys of a DCS field demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sluis.contract import stated
from sluis.contract.dcs_fields import Field
from sluis.contract.document import Parts, json_path, shown_value
from sluis.contract.formats import FORMATS, NO_DEMAND
from sluis.contract.logical import (
    Boolean,
    Byte,
    DecimalType,
    Double,
    Float,
    Integer,
    LogicalType,
    Long,
    Short,
    String,
)
from sluis.contract.notes import Notes
from sluis.contract.pattern import PatternError, to_java
from sluis.contract.quality_scope import Scope
from sluis.contract.rules import (
    Enum,
    Format,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    Pattern,
    Required,
    Rule,
    TypeOf,
)

_NUMBERS = (Byte, Short, Integer, Long, DecimalType, Double, Float)


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A column, or a part of one, whose rules are made."""

    field: Field
    """What the document says of it."""

    kind: LogicalType
    """What it holds."""

    scope: Scope
    """Its names and its place in the column."""

    notes: Notes
    """Where keys are claimed."""

    key_at: Parts | None = None
    """Where the primary key is stated, for a column that is part of it."""

    def place(self, kind: str, key: str) -> dict[str, Any]:
        """The fields that a rule on one of its keys has."""
        return {
            "id": self.notes.rule_id(*self.scope.id, kind),
            "path": json_path(self.field.places[key]),
            "column": self.scope.column,
            "inner": self.scope.inner,
        }

    def refuse(self, key: str, message: str, allowed: str = "") -> None:
        """Note a fault in one of its keys."""
        self.notes.problem(self.field.places[key], message, allowed)

    def idle(self, key: str, why: str) -> None:
        """Note that one of its keys demands something that does not apply to it."""
        self.notes.unsupported(self.field.places[key], why)


def _required(spot: Spot, key: str, value: bool) -> Iterator[Rule]:
    if value:
        yield Required(**spot.place("required", key))
    else:
        why = "the primary key forbids NULL all the same" if spot.key_at else "NULL is allowed"
        spot.notes.documentation(spot.field.places[key], why)


def _type(spot: Spot, key: str, value: str) -> Iterator[Rule]:
    if spot.scope.inner:
        spot.notes.enforced(spot.field.places[key], "by the column's type")
    elif not isinstance(spot.kind, String):
        yield TypeOf(**spot.place("type", key))
    elif value != "null":
        spot.notes.enforced(spot.field.places[key], "any text is a string")


def _pattern(spot: Spot, key: str, value: str) -> Iterator[Rule]:
    if not isinstance(spot.kind, String):
        spot.idle(key, "patterns are for text")
        return
    try:
        to_java(value)
    except PatternError as error:
        spot.refuse(key, f"`{value}`: {error}")
    yield Pattern(**spot.place("pattern", key), pattern=value)


def _length(rule: type[MinLength | MaxLength], kind: str) -> Callable[[Spot, str, Any], Iterator[Rule]]:
    def build(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
        if not isinstance(spot.kind, String):
            spot.idle(key, "lengths are for text")
        elif value < 0 or value != int(value):
            spot.refuse(key, f"found {shown_value(value)}", "a whole number, 0 or more")
        else:
            yield rule(**spot.place(kind, key), limit=int(value))

    return build


def _bound(rule: type[Minimum | Maximum], kind: str, *, exclusive: bool) -> Callable[[Spot, str, Any], Iterator[Rule]]:
    def build(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
        if not isinstance(spot.kind, _NUMBERS):
            spot.idle(key, "bounds are for numbers")
            return
        limit = int(value) if value == int(value) else Decimal(value)
        yield rule(**spot.place(kind, key), limit=limit, exclusive=exclusive)

    return build


def _enum(spot: Spot, key: str, value: list[Any]) -> Iterator[Rule]:
    if not isinstance(spot.kind, (*_NUMBERS, String, Boolean)):
        spot.idle(key, f"lists of values are not read for the type `{spot.kind.name}`")
        return
    members = [stated.scalar(member, spot.kind) for member in value]
    for index, member in enumerate(members):
        if member is None:
            at = (*spot.field.places[key], index)
            spot.notes.problem(at, f"`{shown_value(value[index])}` is not a value of type `{spot.kind.name}`")
    found = tuple(member for member in members if member is not None)
    if not found:
        spot.refuse(key, "it allows no value at all")
    yield Enum(**spot.place("enum", key), values=found)


def _format(spot: Spot, key: str, value: str) -> Iterator[Rule]:
    name = value.lower()
    if not isinstance(spot.kind, String):
        # Dates and times claimed theirs with their type.
        if "type" in spot.field.values and spot.kind.name not in ("date", "time", "timestamp", "timestamp_ntz"):
            spot.idle(key, "forms are for text")
    elif name in FORMATS:
        yield Format(**spot.place("format", key), format=name)
    elif name in NO_DEMAND:
        spot.notes.documentation(spot.field.places[key], "it demands nothing of the text")
    else:
        spot.idle(key, f"{shown_value(value)} is no form that Sluis knows")


KEYS: dict[str, Callable[[Spot, str, Any], Iterator[Rule]]] = {
    "required": _required,
    "type": _type,
    "pattern": _pattern,
    "minLength": _length(MinLength, "min_length"),
    "maxLength": _length(MaxLength, "max_length"),
    "minimum": _bound(Minimum, "minimum", exclusive=False),
    "exclusiveMinimum": _bound(Minimum, "exclusive_minimum", exclusive=True),
    "maximum": _bound(Maximum, "maximum", exclusive=False),
    "exclusiveMaximum": _bound(Maximum, "exclusive_maximum", exclusive=True),
    "enum": _enum,
    "format": _format,
}
"""Key → what makes its rule."""
