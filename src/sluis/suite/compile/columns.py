"""Rules about the values of one column."""

from __future__ import annotations

from decimal import Decimal

from sluis.contract.formats import FORMATS
from sluis.contract.logical import NUMBERS, at
from sluis.contract.model import Contract
from sluis.contract.pattern import to_java
from sluis.contract.rules import (
    ColumnRule,
    Enum,
    Filled,
    Format,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    NotMissing,
    Pattern,
    Required,
    Scalar,
    Size,
    TypeOf,
    UniqueItems,
    Valid,
)
from sluis.contract.values import DIGITS, parsed
from sluis.errors import ContractError, Problem
from sluis.suite.compile.registry import COMPILERS, Words, compiles
from sluis.suite.compile.wording import about, bounds, count, few, named, plain, read, text_of


@compiles(Required)
def _required(rule: Required, contract: Contract) -> Words:
    return Words(
        demand=f"{named(rule)} is always filled in",
        violated=f"Column {named(rule)} cannot be NULL or empty",
        kwargs=about(rule, contract),
    )


@compiles(TypeOf)
def _type(rule: TypeOf, contract: Contract) -> Words:
    kind = contract.column(rule.column).type
    pattern = getattr(kind, "format", None)
    written = f" written as {pattern}" if pattern else ""
    article = "an" if kind.name[0] in "aeiou" else "a"
    return Words(
        demand=f"{rule.column} is {article} {kind.name}{written}",
        violated=f"Invalid {kind.name} values in column {rule.column}",
        kwargs=about(rule, contract),
    )


@compiles(Pattern)
def _pattern(rule: Pattern, contract: Contract) -> Words:
    return Words(
        demand=f"{named(rule)} matches the pattern {rule.pattern}",
        violated=f"Values in column {named(rule)} do not match the pattern {rule.pattern}",
        kwargs={**text_of(rule, contract), "pattern": to_java(rule.pattern)},
    )


@compiles(Format)
def _format(rule: Format, contract: Contract) -> Words:
    if rule.format not in FORMATS:
        raise NotImplementedError(f"no definition of the format {rule.format!r} ({rule.id})")
    return Words(
        demand=f"{named(rule)} has the form {rule.format}",
        violated=f"Values in column {named(rule)} do not have the form {rule.format}",
        kwargs={**text_of(rule, contract), "form": rule.format},
    )


@compiles(MinLength)
def _min_length(rule: MinLength, contract: Contract) -> Words:
    least = count(rule.limit, "character")
    return Words(
        demand=f"{named(rule)} has at least {least}",
        violated=f"Values in column {named(rule)} are shorter than {least}",
        kwargs={**text_of(rule, contract), "limit": rule.limit},
    )


@compiles(MaxLength)
def _max_length(rule: MaxLength, contract: Contract) -> Words:
    most = count(rule.limit, "character")
    return Words(
        demand=f"{named(rule)} has at most {most}",
        violated=f"Values in column {named(rule)} are longer than {most}",
        kwargs={**text_of(rule, contract), "limit": rule.limit},
    )


@compiles(Minimum)
def _minimum(rule: Minimum, contract: Contract) -> Words:
    return Words(
        demand=f"{named(rule)} is " + (f"more than {rule.limit}" if rule.exclusive else f"{rule.limit} or more"),
        violated=f"Values in column {named(rule)} are {'not above' if rule.exclusive else 'below'} {rule.limit}",
        kwargs=_bound(rule, contract),
    )


@compiles(Maximum)
def _maximum(rule: Maximum, contract: Contract) -> Words:
    return Words(
        demand=f"{named(rule)} is " + (f"less than {rule.limit}" if rule.exclusive else f"{rule.limit} or less"),
        violated=f"Values in column {named(rule)} are {'not below' if rule.exclusive else 'above'} {rule.limit}",
        kwargs=_bound(rule, contract),
    )


def _bound(rule: Minimum | Maximum, contract: Contract) -> dict[str, object]:
    exclusive = {"exclusive": True} if rule.exclusive else {}
    return {**about(rule, contract), "limit": plain(rule.limit), **exclusive}


@compiles(MultipleOf)
def _multiple_of(rule: MultipleOf, contract: Contract) -> Words:
    kind = at(contract.column(rule.column).type, rule.inner)
    if not isinstance(kind, NUMBERS):
        problem = f"`{named(rule)}` is {kind.name}, and a multiple of numbers only can be demanded."
        raise ContractError([Problem(file=contract.path, path=rule.path, message=problem)])
    if not _divides(rule.divisor):
        problem = f"nothing can be held against a multiple of {rule.divisor}."
        raise ContractError([Problem(file=contract.path, path=rule.path, message=problem, allowed=_DIVISOR)])
    return Words(
        demand=f"{named(rule)} is a multiple of {rule.divisor}",
        violated=f"Values in column {named(rule)} are not multiples of {rule.divisor}",
        kwargs={**about(rule, contract), "divisor": str(rule.divisor)},
    )


_FINEST = 18
"""Digits behind the point of a divisor; more leave the decimals of Spark no room for the number itself."""

_DIVISOR = f"a number above zero, with at most {_FINEST} digits behind the point and {DIGITS} in all"


def _divides(divisor: Scalar) -> bool:
    if isinstance(divisor, str | bool) or divisor <= 0 or parsed("decimal", divisor) is None:
        return False
    return -int(Decimal(divisor).normalize().as_tuple().exponent) <= _FINEST


@compiles(Enum)
def _enum(rule: Enum, contract: Contract) -> Words:
    values = few([read(value) for value in rule.values])
    return Words(
        demand=f"{named(rule)} is one of {values}",
        violated=f"Values in column {named(rule)} are not one of {values}",
        kwargs={**about(rule, contract), "values": [plain(value) for value in rule.values]},
    )


@compiles(Filled)
def _filled(rule: Filled, contract: Contract) -> Words:
    return Words(
        demand=f"{named(rule)} is never NULL",
        violated=f"Column {named(rule)} cannot be NULL",
        kwargs=about(rule, contract),
    )


@compiles(NotMissing)
def _not_missing(rule: NotMissing, contract: Contract) -> Words:
    texts = few([f'"{text}"' for text in rule.texts])
    also = f" or one of {texts}" if rule.texts else ""
    return Words(
        demand=f"{named(rule)} is not NULL{also}",
        violated=f"Column {named(rule)} cannot be NULL{also}",
        kwargs={**about(rule, contract), "texts": list(rule.texts)},
    )


@compiles(Valid)
def _valid(rule: Valid, contract: Contract) -> Words:
    compiled = [_demand(demand, contract) for demand in rule.demands]
    return Words(
        demand=f"Where it is there, {' and '.join(words.demand for words, _ in compiled)}",
        violated=f"Invalid values in column {named(rule)}",
        kwargs={**about(rule, contract), "demands": [spec for _, spec in compiled]},
    )


def _demand(rule: ColumnRule, contract: Contract) -> tuple[Words, dict[str, object]]:
    words = COMPILERS[type(rule)](rule, contract)
    return words, {"kind": rule.kind, **words.kwargs}


@compiles(Size)
def _size(rule: Size, contract: Contract) -> Words:
    wanted = bounds(rule.min, rule.max, "member")
    return Words(
        demand=f"{named(rule)} has {wanted}",
        violated=f"Values in column {named(rule)} do not have {wanted}",
        kwargs={**about(rule, contract), "least": rule.min or 0, "most": rule.max},
    )


@compiles(UniqueItems)
def _unique_items(rule: UniqueItems, contract: Contract) -> Words:
    return Words(
        demand=f"No two items of {named(rule)} are equal",
        violated=f"Lists in column {named(rule)} hold an item twice",
        kwargs=about(rule, contract),
    )
