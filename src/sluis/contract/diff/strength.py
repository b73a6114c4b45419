"""Two versions of a rule: does the new one let through less, more, or something else?

One small registered function per kind of rule; a kind without parameters of its own is the same as itself. A test
walks every kind of rule and demands a registration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, Literal

from sluis.contract import values
from sluis.contract.logical import Byte, Integer, LogicalType, Long, Short, at
from sluis.contract.rules import (
    Columns,
    Encoding,
    Enum,
    Filled,
    Format,
    Gx,
    Header,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    NotMissing,
    Pattern,
    PrimaryKey,
    Relationship,
    Required,
    RowCount,
    RowCountIs,
    RowShape,
    Rule,
    Scalar,
    Size,
    Sql,
    TypeOf,
    Unique,
    UniqueItems,
    Valid,
)
from sluis.contract.spans import held, takes_fewer

Strength = Literal["same", "stronger", "weaker", "other"]
"""What the new rule is, seen from the old one; `other`: neither lets through a part of what the other does."""

WHOLE = (Byte, Short, Integer, Long)
"""The types of whole numbers."""

Comparer = Callable[[Any, Any, LogicalType | None], Strength]

COMPARERS: dict[type[Rule], Comparer] = {}
"""Kind of rule → how two of them compare (old, new, type of their column)."""


def compare(old: Rule, new: Rule, logical: LogicalType | None = None) -> Strength:
    """Compare two rules of one kind about the same columns.

    Args:
        old: The rule as it was.
        new: The rule as it is.
        logical: The type of the values that they are about, which tells how limits compare.
    """
    demand = COMPARERS[type(old)](old, new, logical)
    looser = old if demand == "stronger" else new
    if demand != "same" and not takes_fewer(looser.allowed):
        # Where many rows must break it, to ask more of each is to ask less of all.
        demand = "other"
    return combined((demand, _threshold(old, new)))


def combined(parts: Iterable[Strength]) -> Strength:
    """What several comparisons come to when all of them count."""
    found = set(parts) - {"same"}
    return next(iter(found)) if len(found) == 1 else "other" if found else "same"


def inner_type(logical: LogicalType, inner: tuple[str, ...]) -> LogicalType | None:
    """The type of a value inside a nested column; None where the path leads nowhere."""
    try:
        return at(logical, inner)
    except KeyError:
        return None


def _compares(*kinds: type[Rule]) -> Callable[[Comparer], Comparer]:
    def register(comparer: Comparer) -> Comparer:
        COMPARERS.update(dict.fromkeys(kinds, comparer))
        return comparer

    return register


def _threshold(old: Rule, new: Rule) -> Strength:
    """How many rows may break them: the fewer the stronger."""
    if old.allowed == new.allowed:
        return "same"
    return _sets(held(new.allowed, old.allowed), held(old.allowed, new.allowed))


def _sets(new_in_old: bool, old_in_new: bool) -> Strength:
    if new_in_old and old_in_new:
        return "same"
    return "stronger" if new_in_old else "weaker" if old_in_new else "other"


def value_of(logical: LogicalType | None, value: Scalar) -> Any:
    """A value as something that compares with others of its type; itself where the type is not known."""
    known = None if logical is None else values.parsed(logical.name, value)
    return value if known is None else known


def _lowest(old: Any, new: Any) -> Strength:
    """Two lowest allowed values; (value, exclusive) pairs order the same way."""
    try:
        return "same" if old == new else "stronger" if new > old else "weaker"
    except TypeError:
        return "other"


def _highest(old: Any, new: Any) -> Strength:
    return _lowest(new, old)


def _least(old: int | None, new: int | None) -> Strength:
    return _lowest(old or 0, new or 0)


def _most(old: int | None, new: int | None) -> Strength:
    infinite = Decimal("Infinity")
    return _highest(infinite if old is None else old, infinite if new is None else new)


@_compares(Header, RowShape, Encoding, Required, TypeOf, UniqueItems, Filled, RowCountIs)
def _without_parameters(old: Rule, new: Rule, logical: LogicalType | None) -> Strength:
    return "same"


@_compares(Columns)
def _columns(old: Columns, new: Columns, logical: LogicalType | None) -> Strength:
    # The columns themselves are compared one by one.
    return _lowest(not old.allow_additional, not new.allow_additional)


@_compares(RowCount, Size)
def _bounds(old: RowCount, new: RowCount, logical: LogicalType | None) -> Strength:
    return combined((_least(old.min, new.min), _most(old.max, new.max)))


@_compares(MinLength)
def _min_length(old: MinLength, new: MinLength, logical: LogicalType | None) -> Strength:
    return _lowest(old.limit, new.limit)


@_compares(MaxLength)
def _max_length(old: MaxLength, new: MaxLength, logical: LogicalType | None) -> Strength:
    return _highest(old.limit, new.limit)


@_compares(Minimum)
def _minimum(old: Minimum, new: Minimum, logical: LogicalType | None) -> Strength:
    return _lowest(_limit(logical, old, 1), _limit(logical, new, 1))


@_compares(Maximum)
def _maximum(old: Maximum, new: Maximum, logical: LogicalType | None) -> Strength:
    return _highest(_limit(logical, old, -1), _limit(logical, new, -1))


def _limit(logical: LogicalType | None, rule: Minimum | Maximum, inwards: int) -> tuple[Any, bool]:
    """A limit with what orders it before or after the same number; of whole numbers `> 4` is `>= 5`."""
    value = value_of(logical, rule.limit)
    if rule.exclusive and isinstance(logical, WHOLE) and isinstance(value, int):
        return value + inwards, inwards < 0
    return value, rule.exclusive == (inwards > 0)


@_compares(Enum)
def _enum(old: Enum, new: Enum, logical: LogicalType | None) -> Strength:
    before = {value_of(logical, member) for member in old.values}
    after = {value_of(logical, member) for member in new.values}
    return _sets(after <= before, before <= after)


@_compares(NotMissing)
def _not_missing(old: NotMissing, new: NotMissing, logical: LogicalType | None) -> Strength:
    return _sets(set(new.texts) >= set(old.texts), set(old.texts) >= set(new.texts))


@_compares(MultipleOf)
def _multiple_of(old: MultipleOf, new: MultipleOf, logical: LogicalType | None) -> Strength:
    before, after = Decimal(old.divisor), Decimal(new.divisor)
    return _sets(after % before == 0, before % after == 0)


@_compares(PrimaryKey)
def _primary_key(old: PrimaryKey, new: PrimaryKey, logical: LogicalType | None) -> Strength:
    return "same" if set(old.columns) == set(new.columns) else "other"


@_compares(Unique)
def _unique(old: Unique, new: Unique, logical: LogicalType | None) -> Strength:
    # What is unique in fewer columns is unique in more.
    return _sets(set(new.columns) <= set(old.columns), set(old.columns) <= set(new.columns))


@_compares(Sql)
def _sql(old: Sql, new: Sql, logical: LogicalType | None) -> Strength:
    if _squeezed(old.query) != _squeezed(new.query):
        return "other"
    return _sets(
        held(new.expected, old.expected, of_rows=False),
        held(old.expected, new.expected, of_rows=False),
    )


def _squeezed(query: str) -> str:
    return " ".join(query.split())


@_compares(Valid)
def _valid(old: Valid, new: Valid, logical: LogicalType | None) -> Strength:
    """All demands count: each one that is gone loosens it, each one that is new tightens it."""
    before, after = ({demand.kind: demand for demand in rule.demands} for rule in (old, new))
    if len(before) < len(old.demands) or len(after) < len(new.demands):
        return "same" if old.demands == new.demands else "other"
    both = [compare(before[kind], after[kind], logical) for kind in before.keys() & after.keys()]
    return combined((*both, _sets(before.keys() <= after.keys(), after.keys() <= before.keys())))


_TELLS = {
    Pattern: lambda rule: rule.pattern,
    Format: lambda rule: rule.format,
    Gx: lambda rule: (rule.type, rule.kwargs),
    Relationship: lambda rule: (rule.columns, rule.to, rule.to_columns),
}
"""Rules that are the same or another: of two patterns, it cannot be told which one takes more."""


@_compares(*_TELLS)
def _equal_or_not(old: Rule, new: Rule, logical: LogicalType | None) -> Strength:
    tells: Callable[[Any], Any] = _TELLS[type(old)]
    return "same" if tells(old) == tells(new) else "other"
