"""Pieces of sentences and of arguments that several compilers share."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sluis.contract.logical import at
from sluis.contract.model import Contract
from sluis.contract.rules import ColumnRule, Scalar, Threshold
from sluis.suite.spelling import in_words, threshold, told


def about(rule: ColumnRule, contract: Contract) -> dict[str, Any]:
    """The column of a rule with its type, and where in its JSON the value is.

    Raises:
        KeyError: the type has no such part.
    """
    at(contract.column(rule.column).type, rule.inner)
    inner = {"inner": list(rule.inner)} if rule.inner else {}
    return {**typed(rule.column, contract), **inner}


def text_of(rule: ColumnRule, contract: Contract) -> dict[str, Any]:
    """The column of a rule that looks at its text, whatever its type; inside of JSON the type shows the way."""
    return about(rule, contract) if rule.inner else {"column": rule.column}


def typed(column: str, contract: Contract) -> dict[str, Any]:
    """A column with its type."""
    return {"column": column, **told(contract.column(column).type)}


def named(rule: ColumnRule) -> str:
    """What a person calls the value that a rule is about (`lines[].qty`)."""
    return rule.column + "".join(step if step in ("[]", "{}", "{k}") else f".{step}" for step in rule.inner)


def listed(columns: Sequence[str]) -> str:
    """Names as a person lists them."""
    return ", ".join(columns)


def plain(value: Scalar) -> str | int | bool:
    """A bound or enum member as JSON keeps it exactly: decimals as text."""
    return str(value) if isinstance(value, Decimal) else value


def read(value: Scalar) -> str:
    """A value as a person reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def few(texts: Sequence[str], most: int = 20) -> str:
    """Some of many."""
    return ", ".join(texts[:most]) + (f" … ({len(texts)} in all)" if len(texts) > most else "")


def count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def bounds(low: int | None, high: int | None, what: str) -> str:
    """A number of things within bounds, of which one is there."""
    if low == high and high is not None:
        return count(high, what)
    if high is None:
        return f"at least {count(low or 0, what)}"
    return f"at most {count(high, what)}" if not low else f"{low} to {count(high, what)}"


def allowed_words(allowed: Threshold) -> str:
    """A threshold as a person reads it (`fewer than 5 %`)."""
    return in_words(threshold(allowed))
