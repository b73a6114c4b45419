"""Values that must also be in another table: an anti-join."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from sluis.lexical import blank, identifier
from sluis.suite.predicates import Spec
from sluis.suite.results import Result, out_of_reach, whole, within
from sluis.suite.surroundings import Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

_MOST = 20


def judge(spec: Spec, typed: DataFrame, tables: Tables, *, count: int, fit: int) -> Result:
    """Count the rows whose values are there and not in the other table.

    As in SQL, nothing is asked of a row in which one of the values is not there.
    """
    from pyspark.sql import functions as F

    places = tables.get(spec["to"])
    if not places:
        return out_of_reach(f"{spec['to']} is no table that this project knows, or it is not there yet")
    here = _keys(typed, [column["column"] for column in spec["columns"]])
    names = here.columns
    there = reduce(lambda left, right: left.unionAll(right), (_there(spec, typed, place) for place in places))
    _comparable(here, there, spec)
    present = here.where(" AND ".join(_is_there(field.name, field.dataType) for field in here.schema.fields))
    counted = present.groupBy(*names).agg(F.count(F.lit(1)).alias("n"))
    lost = counted.join(there.distinct(), list(names), "left_anti")
    number = int(lost.agg(F.sum("n")).collect()[0][0] or 0)
    examples = [] if spec["sensitive"] or not number else _examples(lost, names)
    if allowed := spec.get("allowed"):
        return within(allowed, number, fit, count, examples)
    return {**whole(number, fit), "examples": examples}


def _there(spec: Spec, typed: DataFrame, place: str | None) -> DataFrame:
    """The values in one of the places."""
    quoted = ".".join(map(identifier, place.split("."))) if place else ""
    return _keys(typed.sparkSession.table(quoted) if place else typed, spec["to_columns"])


def _keys(frame: DataFrame, columns: Sequence[str]) -> DataFrame:
    return frame.selectExpr(*(f"{identifier(column)} AS __sluis_key_{index}" for index, column in enumerate(columns)))


def _is_there(name: str, kind: DataType) -> str:
    there = f"{name} IS NOT NULL"
    return f"({there} AND NOT {blank(name)})" if kind.simpleString() == "string" else there


def _comparable(here: DataFrame, there: DataFrame, spec: Spec) -> None:
    """Refuse to compare text with numbers: Spark would cast one to the other, and raise or guess.

    Raises:
        ValueError: naming both sides.
    """
    for ours, theirs, column, other in zip(
        here.schema.fields, there.schema.fields, spec["columns"], spec["to_columns"], strict=True
    ):
        if _family(ours.dataType) != _family(theirs.dataType):
            raise ValueError(
                f"{column['column']} is {ours.dataType.simpleString()}, and {other} of {spec['to']} is "
                f"{theirs.dataType.simpleString()}: they cannot be compared"
            )


def _family(kind: DataType) -> str:
    from pyspark.sql.types import NumericType, StringType

    if isinstance(kind, NumericType):
        return "number"
    return "text" if isinstance(kind, StringType) else kind.simpleString()


def _examples(lost: DataFrame, names: Sequence[str]) -> list[dict[str, object]]:
    from pyspark.sql import functions as F

    text = [F.col(name).cast("string").alias(name) for name in names]
    top = lost.select(*text, "n").orderBy(F.desc("n"), *names).limit(_MOST).collect()
    return [{"value": ", ".join(row[name] for name in names), "count": row["n"]} for row in top]
