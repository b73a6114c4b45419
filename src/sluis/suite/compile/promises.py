"""Service levels of the real table."""

from __future__ import annotations

from typing import Any

from sluis.contract.durations import in_words
from sluis.contract.model import Contract
from sluis.contract.promises import Freshness, Latency, Promise, Retention, Written
from sluis.suite.compile.registry import Words, compiles
from sluis.suite.compile.wording import typed


def _within(rule: Promise) -> dict[str, Any]:
    return {"within": {"value": str(rule.within.value), "unit": rule.within.unit}}


@compiles(Freshness)
def _freshness(rule: Freshness, contract: Contract) -> Words:
    span = in_words(rule.within)
    return Words(
        demand=f"The newest {rule.column} is no more than {span} ago",
        violated=f"The newest {rule.column} is more than {span} ago",
        kwargs={**typed(rule.column, contract), **_within(rule)},
    )


@compiles(Latency)
def _latency(rule: Latency, contract: Contract) -> Words:
    span = in_words(rule.within)
    return Words(
        demand=f"{rule.column} is no more than {span} after {rule.source}",
        violated=f"Values of {rule.column} are more than {span} after {rule.source}",
        kwargs={**typed(rule.column, contract), "source": typed(rule.source, contract), **_within(rule)},
        columns=[rule.source, rule.column],
    )


@compiles(Retention)
def _retention(rule: Retention, contract: Contract) -> Words:
    span = in_words(rule.within)
    return Words(
        demand=f"No row is kept longer than {span} after its {rule.column}",
        violated=f"Rows are kept longer than {span} after their {rule.column}",
        kwargs={**typed(rule.column, contract), **_within(rule)},
    )


@compiles(Written)
def _written(rule: Written, contract: Contract) -> Words:
    span = in_words(rule.within)
    return Words(
        demand=f"Rows came to the table no more than {span} ago",
        violated=f"No rows came to the table for more than {span}",
        kwargs=_within(rule),
    )
