"""How one logical type is written, checked and cast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sluis.contract.logical import LogicalType
from sluis.contract.rules import Scalar

Cast = Callable[[LogicalType, str], str]
"""(type, SQL of text) → SQL of a value."""


@dataclass(frozen=True, kw_only=True)
class Lexis:
    """How one logical type is written, checked and cast."""

    spark: str | Callable[[LogicalType], str]
    """Spark's name of the type."""

    value: Cast
    """SQL of the typed value of a text column; NULL where it cannot be cast."""

    shape: str | Callable[[LogicalType], str] | None = None
    """A Java regular expression that fences off what Spark's cast takes and the type does not; None: nothing."""

    canonical: bool = False
    """Whether most text equals its value cast back to text; that comparison is cheaper than the regular expression."""

    cast: Cast
    """SQL of the ANSI cast of text that is not blank; raises where `value` is NULL."""

    guard: str | None = None
    """SQL that the value must fulfil too, over `{value}` and `{text}`."""

    fault: Cast | None = None
    """SQL of what is wrong with a value, in words, NULL where nothing is; in place of shape and guard."""

    written: Cast | None = None
    """SQL of what the table holds for a value without fault, where that is not the value itself."""

    literal: Callable[[LogicalType, Scalar], str]
    """SQL of a contract's bound or enum member."""


def plain(spark: str) -> tuple[Cast, Cast]:
    """`value` and `cast` of a type whose text Spark's own cast reads."""
    return (lambda _, text: f"try_cast({text} AS {spark})"), (lambda _, text: f"CAST({text} AS {spark})")
