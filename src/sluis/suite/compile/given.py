"""Rules that the contract states in another language: SQL, expectations of Great Expectations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sluis.contract.model import Contract
from sluis.contract.rules import Gx, Sql
from sluis.suite.compile.registry import Words, compiles
from sluis.suite.compile.wording import allowed_words
from sluis.suite.spelling import threshold


@compiles(Sql)
def _sql(rule: Sql, contract: Contract) -> Words:
    wanted, query = allowed_words(rule.expected), " ".join(rule.query.split())
    return Words(
        demand=f"The query gives {wanted}: {query}",
        violated=f"The query does not give {wanted}: {query}",
        kwargs={"query": rule.query, "expected": threshold(rule.expected)},
        columns=_hidden(rule.query, contract),
    )


_EVERYTHING = re.compile(r"(?:\bselect|[(,.])\s*\*", re.IGNORECASE)
"""A star that stands for all columns, once those that only count rows are gone."""


def _hidden(query: str, contract: Contract) -> list[str]:
    """The columns of a query whose values may not be shown: as Spark reads names, whatever their case."""
    is_of_all = _EVERYTHING.search(re.sub(r"(?i)\bcount\s*\(\s*\*\s*\)", "", query))
    hidden = (column.name for column in contract.columns if column.sensitive)
    return [name for name in hidden if is_of_all or name.lower() in query.lower()]


@compiles(Gx)
def _gx(rule: Gx, contract: Contract) -> Words:
    arguments = dict(rule.kwargs)
    told = ", ".join(f"{name} {value}" for name, value in arguments.items())
    named = f"{rule.type} ({told})" if told else rule.type
    return Words(
        demand=f"The expectation holds: {named}",
        violated=f"The expectation does not hold: {named}",
        kwargs={"expectation": rule.type, "arguments": arguments},
        columns=[name for name in _texts(arguments.values()) if name in {column.name for column in contract.columns}],
    )


def _texts(values: Iterable[Any]) -> Iterator[str]:
    """Arguments that may name a column: text, alone or in a list."""
    for value in values:
        yield from [value] if isinstance(value, str) else _texts(value) if isinstance(value, list) else ()
