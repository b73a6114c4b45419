"""What a contract's standard demands of one value (`maxLength`, `minimum`, `pattern` …) → rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Protocol

from sluis.contract import stated, values
from sluis.contract.document import Parts, in_words, json_path, listed, shown_value
from sluis.contract.formats import FORMATS, NO_DEMAND
from sluis.contract.logical import (
    Array,
    Byte,
    Date,
    DecimalType,
    Double,
    Float,
    Integer,
    LogicalType,
    Long,
    Map,
    Object,
    Short,
    String,
    Time,
    Timestamp,
    TimestampNtz,
)
from sluis.contract.notes import Notes
from sluis.contract.pattern import PatternError, to_java
from sluis.contract.quality.scope import Scope
from sluis.contract.rules import (
    Enum,
    Format,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    Pattern,
    Rule,
    Size,
    UniqueItems,
)

BITS = {Byte: 8, Short: 16, Integer: 32, Long: 64}
"""Whole types → how large."""

NUMBERS = (*BITS, DecimalType, Double, Float)
TIMES = (Date, Timestamp, TimestampNtz, Time)


class Stated(Protocol):
    """What a document says of a column, or of a part of one."""

    @property
    def values(self) -> Mapping[str, Any]:
        """Its keys."""

    @property
    def places(self) -> Mapping[str, Parts]:
        """Where each of them stands."""


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A column, or a part of one, whose rules are made."""

    field: Stated
    """What the document says of it."""

    kind: LogicalType
    """What it holds."""

    scope: Scope
    """Its names and its place in the column."""

    notes: Notes
    """Where keys are claimed."""

    def place(self, kind: str, key: str) -> dict[str, Any]:
        """The fields that a rule on one of its keys has."""
        return {
            "id": self.notes.rule_id(*self.scope.id, kind),
            "path": json_path(self.field.places[key]),
            "column": self.scope.column,
            "inner": self.scope.inner,
        }

    def refuse(self, key: str, message: str, allowed: str = "", hint: str = "") -> None:
        """Note a fault in one of its keys."""
        self.notes.problem(self.field.places[key], message, allowed, hint)

    def idle(self, key: str, why: str) -> None:
        """Note that one of its keys demands something that nothing here can check."""
        place = self.field.places[key]
        # The key of another file stands where that is referred to.
        self.notes.unsupported(place, f"`{key}`: {why}" if place[-1:] == ("$ref",) else why)

    def told(self, key: str, note: str = "") -> None:
        """Note that one of its keys demands nothing."""
        self.notes.documentation(self.field.places[key], note)


def pattern(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
    """Text that a regular expression must match."""
    if not isinstance(spot.kind, String):
        spot.idle(key, "patterns are for text")
        return
    try:
        to_java(str(value))
    except PatternError as error:
        spot.refuse(key, f"`{value}`: {error}")
    yield Pattern(**spot.place("pattern", key), pattern=str(value))


def length(rule: type[MinLength | MaxLength], kind: str) -> Builder:
    """How many characters there must be."""

    def build(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
        if not isinstance(spot.kind, String):
            spot.idle(key, "lengths are for text")
        elif (limit := _count(spot, key, value)) is not None:
            yield rule(**spot.place(kind, key), limit=limit)

    return build


def size(kind: str, *, least: bool = False, most: bool = False) -> Builder:
    """How many members, at least or at most or both, a list or an object must have."""

    def build(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
        if not isinstance(spot.kind, Array | Map | Object):
            spot.idle(key, f"a value of type `{spot.kind.name}` has no members that are counted")
        elif (limit := _count(spot, key, value)) is not None:
            yield Size(**spot.place(kind, key), min=limit if least else None, max=limit if most else None)

    return build


def unique_items(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
    """Whether the items of a list must differ."""
    if not value:
        spot.told(key, "items may be equal")
    elif isinstance(spot.kind, Array):
        yield UniqueItems(**spot.place("unique_items", key))
    else:
        spot.idle(key, "only lists have items")


def bound(rule: type[Minimum | Maximum], kind: str, *, exclusive: bool) -> Builder:
    """The lowest or highest value."""

    def build(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
        if not isinstance(spot.kind, (*NUMBERS, *TIMES)):
            spot.idle(key, f"values of type `{spot.kind.name}` have no order")
            return
        # For whole numbers, above 0.5 is 1 and more.
        rounded = _rounded(value, rule) if isinstance(spot.kind, tuple(BITS)) else value
        limit = _limit(spot, key, rounded, rule, exclusive=exclusive)
        if limit is not None:
            yield rule(**spot.place(kind, key), limit=limit, exclusive=exclusive and rounded == value)

    return build


def _rounded(value: Any, rule: type[Minimum | Maximum]) -> Any:
    if not isinstance(value, Decimal):
        return value
    return int(value.to_integral_value(ROUND_CEILING if rule is Minimum else ROUND_FLOOR))


def _limit(spot: Spot, key: str, value: Any, rule: type[Minimum | Maximum], *, exclusive: bool) -> Any:
    """The bound as a value of the type; None, with a note, when it is none."""
    found = stated.scalar(_begun(value, spot.kind, rule, exclusive=exclusive), spot.kind)
    if found is not None and values.parsed(spot.kind.name, found) is not None:
        return found
    if isinstance(spot.kind, tuple(BITS)) and isinstance(found, int):
        # Beyond the type: then every value keeps it, or none does.
        if (found < 0) == (rule is Minimum):
            spot.told(key, f"every value of type `{spot.kind.name}` keeps it")
        else:
            spot.refuse(key, f"no value of type `{spot.kind.name}` keeps {shown_value(value)}")
        return None
    spot.refuse(
        key, f"`{shown_value(value)}` is not a value of type `{spot.kind.name}`", values.MEANING[spot.kind.name]
    )
    return None


def _begun(value: Any, kind: LogicalType, rule: type[Minimum | Maximum], *, exclusive: bool) -> Any:
    """A day as a moment, where both its first and its last would keep out the same: from it on, or before it."""
    is_clear = isinstance(kind, Timestamp | TimestampNtz) and (rule is Minimum) != exclusive
    return f"{value}T00:00:00" if is_clear and values.parsed(Date.name, str(value)) is not None else value


def multiple_of(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
    """The number of which the value must be a multiple."""
    if not isinstance(spot.kind, NUMBERS):
        spot.idle(key, "only numbers are multiples of another")
        return
    divisor = stated.scalar(value, Double())
    if not isinstance(divisor, int | Decimal) or divisor <= 0:
        spot.refuse(key, f"found {shown_value(value)}", "a number above 0")
    else:
        yield MultipleOf(**spot.place("multiple_of", key), divisor=divisor)


def enum(spot: Spot, key: str, members: Any, kind: str = "enum") -> Iterator[Rule]:
    """The values that are allowed; None among them adds nothing, as NULL is for `required` to refuse."""
    if not isinstance(members, list):
        spot.refuse(key, f"found {in_words(members)}", "a list")
        return
    if isinstance(spot.kind, Array | Map | Object):
        spot.idle(key, f"values of type `{spot.kind.name}` are not compared with a list")
        return
    found = []
    for index, member in enumerate(members):
        value = stated.scalar(member, spot.kind)
        if value is not None and values.parsed(spot.kind.name, value) is not None:
            found.append(value)
        elif member is not None:
            at = (*spot.field.places[key], index)
            message = f"`{shown_value(member)}` is not a value of type `{spot.kind.name}`"
            spot.notes.problem(at, message, values.MEANING[spot.kind.name])
    if not members or all(member is None for member in members):
        spot.refuse(key, "it allows no value at all")
    yield Enum(**spot.place(kind, key), values=tuple(dict.fromkeys(found)))


def form(spot: Spot, key: str, value: Any) -> Iterator[Rule]:
    """The well-known form of a text."""
    name = _FORMS.get(str(value).lower(), str(value).lower())
    if not isinstance(spot.kind, String):
        spot.idle(key, "forms are for text")
    elif name in FORMATS:
        yield Format(**spot.place("format", key), format=name)
    elif name in NO_DEMAND:
        spot.told(key, "it demands nothing of the text")
    else:
        spot.idle(key, f"{shown_value(value)} is none of the forms that Sluis knows: {listed(FORMATS)}")


_FORMS = {"datetime": "date-time", "ip": "ipv4", "guid": "uuid", "e-mail": "email"}
"""How people write the names of forms."""


def _count(spot: Spot, key: str, value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value < 0 or value != int(value):
        spot.refuse(key, f"found {shown_value(value)}", "a whole number, 0 or more")
        return None
    return int(value)


Builder = Callable[[Spot, str, Any], Iterator[Rule]]
"""What makes the rules of one key: from the column, the key and its value."""
