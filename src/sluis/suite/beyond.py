"""Rules that need more than a look at each row: queries, other tables, expectations of Great Expectations.

They are asked of the rows as the table would hold them; text that does not fit its type is NULL there. Each costs
jobs of its own, and what one raises is its own result.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sluis.lexical import identifier
from sluis.suite import related, stock
from sluis.suite.frame import Facts, typed_rows, unfit
from sluis.suite.predicates import Spec
from sluis.suite.results import Result, failed, not_evaluated, whole
from sluis.suite.spelling import in_words, meets
from sluis.suite.surroundings import Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KINDS = frozenset({"sql", "gx", "relationship"})


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows of a landing file, and where else rules may look."""

    typed: DataFrame
    """The rows as the table would hold them."""

    count: int
    """How many rows were read."""

    fit: int
    """How many of them fit the header."""

    tables: Tables
    """Objects that rules may refer to."""


def judge(
    frame: DataFrame, specs: Sequence[Spec], known: Facts, *, count: int, fit: int, tables: Tables
) -> dict[str, Result]:
    """Judge every such rule; nothing is run where there is none."""
    asked = [spec for spec in specs if spec["kind"] in KINDS]
    if not asked:
        return {}
    columns = [{**column, "column": column["name"]} for column in _columns(specs)]
    if reason := unfit({"columns": columns}, known):
        return {spec["rule"]: not_evaluated(reason) for spec in asked}
    rows = Rows(typed=typed_rows(frame, columns, known), count=count, fit=fit, tables=tables)
    results: dict[str, Result] = {}
    for kind, judged in _JUDGES.items():
        some = [spec for spec in asked if spec["kind"] == kind]
        try:
            results |= judged(some, rows) if some else {}
        except Exception as error:
            results |= {spec["rule"]: failed(error, spec["rule"], sensitive=spec["sensitive"]) for spec in some}
    return results


def _columns(specs: Sequence[Spec]) -> Sequence[Mapping[str, Any]]:
    return next((spec["columns"] for spec in specs if spec["kind"] == "columns"), ())


def _each(one: Callable[[Spec, Rows], Result]) -> Callable[[Sequence[Spec], Rows], dict[str, Result]]:
    """Judge rules one by one; what a rule raises is its result."""

    def judged(specs: Sequence[Spec], rows: Rows) -> dict[str, Result]:
        results = {}
        for spec in specs:
            try:
                results[spec["rule"]] = one(spec, rows)
            except Exception as error:
                results[spec["rule"]] = failed(error, spec["rule"], sensitive=spec["sensitive"])
        return results

    return judged


def _queries(specs: Sequence[Spec], rows: Rows) -> dict[str, Result]:
    with _view(rows.typed) as name:
        return _each(lambda spec, _: _query(spec, rows.typed, name))(specs, rows)


@contextmanager
def _view(frame: DataFrame) -> Iterator[str]:
    """A view of a frame under a name that no other run has, for as long as the block runs."""
    name = f"__sluis_rows_{uuid.uuid4().hex}"
    frame.createTempView(name)
    try:
        yield identifier(name)
    finally:
        frame.sparkSession.catalog.dropTempView(name)


def _query(spec: Spec, frame: DataFrame, view: str) -> Result:
    answer = frame.sparkSession.sql(spec["query"].replace("{object}", view))
    if len(answer.columns) != 1:
        raise ValueError(f"the query gives {len(answer.columns)} columns, where one number was expected")
    found = answer.limit(2).collect()
    if len(found) != 1:
        raise ValueError(f"the query gives {'several' if found else 'no'} rows, where one number was expected")
    number = _number(found[0][0])
    if isinstance(number, Decimal) and meets(number, spec["expected"]):
        return whole(0, 1)
    told = (
        f"The query gives {number}, the contract wants {in_words(spec['expected'])}: {' '.join(spec['query'].split())}"
    )
    return whole(1, 1, messages=[] if spec["sensitive"] else [told])


def _number(value: Any) -> Decimal | str:
    """What a query gave as a number, true and false as one and zero; text for what compares with no number."""
    if value is None:
        return "NULL"
    if isinstance(value, bool | int | Decimal):
        return Decimal(value)
    if isinstance(value, float):
        number = Decimal(repr(value))
        return number if number.is_finite() else str(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,4})?\s*", value):
        # Of a column that the contract does not name, and which so is text, an aggregate is text.
        return Decimal(value.strip())
    raise ValueError(f"the query gives a {type(value).__name__}, where a number was expected")


def _related(spec: Spec, rows: Rows) -> Result:
    return related.judge(spec, rows.typed, rows.tables, count=rows.count, fit=rows.fit)


_JUDGES: dict[str, Callable[[Sequence[Spec], Rows], dict[str, Result]]] = {
    "sql": _queries,
    "gx": lambda specs, rows: stock.judge(specs, rows.typed),
    "relationship": _each(
        lambda spec, rows: related.judge(spec, rows.typed, rows.tables, count=rows.count, fit=rows.fit)
    ),
}
"""Kind of rule → how rules of it are judged."""
