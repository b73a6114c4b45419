"""Thresholds as sets of numbers, so that two of them can be compared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from sluis.contract.rules import Threshold

_INFINITE = Decimal("Infinity")


class Span(NamedTuple):
    """The numbers between two others."""

    low: Decimal
    """The lower end."""

    low_in: bool
    """Whether it belongs to the span."""

    high: Decimal
    """The upper end."""

    high_in: bool
    """Whether it belongs to the span."""

    def within(self, other: Span) -> bool:
        """Whether all of its numbers are in the other."""
        starts = self.low > other.low or (self.low == other.low and self.low_in <= other.low_in)
        ends = self.high < other.high or (self.high == other.high and self.high_in <= other.high_in)
        return starts and ends


NONE = Threshold(operator="=", values=(Decimal(0),))
"""What a rule without a threshold allows: no row may break it."""


def held(inner: Threshold | None, outer: Threshold | None, *, of_rows: bool = True) -> bool:
    """Whether every number that meets `inner` meets `outer` too.

    Args:
        inner: A threshold; None is `NONE`.
        outer: Another; None is `NONE`.
        of_rows: Whether the numbers are rows or their percentage; else they are any numbers.
    """
    inner, outer = inner or NONE, outer or NONE
    if inner.percent != outer.percent:
        # A percentage and a count compare only where both are about nothing at all.
        zero = (Span(Decimal(0), True, Decimal(0), True),)
        return _spans(inner, of_rows) == zero and any(zero[0].within(span) for span in _spans(outer, of_rows))
    return all(any(span.within(other) for other in _spans(outer, of_rows)) for span in _spans(inner, of_rows))


def any_meets(threshold: Threshold) -> bool:
    """Whether there is a number of rows that meets it."""
    return bool(_spans(threshold, of_rows=True))


def takes_all(threshold: Threshold | None) -> bool:
    """Whether any number of rows meets it; None is `NONE`."""
    if threshold is None:
        return False
    most = Decimal(100) if threshold.percent else _INFINITE
    return any(span.low == 0 and span.low_in and span.high == most for span in _spans(threshold, of_rows=True))


def takes_fewer(threshold: Threshold | None) -> bool:
    """Whether fewer rows meet it whenever more do; None is `NONE`."""
    spans = _spans(threshold or NONE, of_rows=True)
    return not spans or (len(spans) == 1 and spans[0].low == 0 and spans[0].low_in)


def _spans(threshold: Threshold, of_rows: bool) -> tuple[Span, ...]:
    found = _raw(threshold)
    if not of_rows:
        return tuple(found)
    possible = Span(Decimal(0), True, Decimal(100) if threshold.percent else _INFINITE, True)
    cut = (_both(span, possible) for span in found)
    return tuple(span for span in (cut if threshold.percent else map(_whole, cut)) if _holds_any(span))


def _raw(threshold: Threshold) -> Iterator[Span]:
    first, last = threshold.values[0], threshold.values[-1]
    match threshold.operator:
        case "=" | "between":
            yield Span(first, True, last, True)
        case "<" | "<=":
            yield Span(-_INFINITE, False, first, threshold.operator == "<=")
        case ">" | ">=":
            yield Span(first, threshold.operator == ">=", _INFINITE, True)
        case "!=" | "not between":
            yield Span(-_INFINITE, False, first, False)
            yield Span(last, False, _INFINITE, True)


def _both(one: Span, other: Span) -> Span:
    low, low_out = max((one.low, not one.low_in), (other.low, not other.low_in))
    high, high_in = min((one.high, one.high_in), (other.high, other.high_in))
    return Span(low, not low_out, high, high_in)


def _whole(span: Span) -> Span:
    """The whole numbers of a span: rows are counted."""
    low = math.ceil(span.low) if span.low_in else math.floor(span.low) + 1
    if span.high == _INFINITE:
        return Span(Decimal(low), True, _INFINITE, True)
    high = math.floor(span.high) if span.high_in else math.ceil(span.high) - 1
    return Span(Decimal(low), True, Decimal(high), True)


def _holds_any(span: Span) -> bool:
    return span.low < span.high or (span.low == span.high and span.low_in and span.high_in)
