"""Contracts made of parts, judged on text without files: many rules in the passes of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from sluis.contract.logical import LogicalType
from sluis.contract.model import Column, Contract
from sluis.contract.rules import Columns, Rule
from sluis.lexical import identifier
from sluis.settings import settled
from sluis.suite.compile import suites
from sluis.suite.judge import Result, judge
from sluis.suite.surroundings import Surroundings

AT = {"id": "r", "path": "$"}
"""Of a rule, where a test has no other."""


def contract(columns: Mapping[str, LogicalType | Column], *demands: Rule, **more: Any) -> Contract:
    """A contract with these columns; that there are no others is among its rules."""
    made = tuple(kind if isinstance(kind, Column) else Column(name=name, type=kind) for name, kind in columns.items())
    there = Columns(id="columns", path="$", names=tuple(columns), allow_additional=False)
    return Contract(
        **{
            "name": "c", "version": "1", "format": "odcs", "path": "c.yaml", "object": "c", "fingerprint": "sha256:0",
            "columns": made, "rules": (there, *demands), **more,
        }
    )  # fmt: skip


def specs(made: Contract) -> list[dict[str, Any]]:
    """The suite's expectations as the engine takes them."""
    return [
        {**one["kwargs"], "kind": one["meta"]["kind"], "sensitive": one["meta"]["sensitive"]}
        for one in suites(made, "c")[0]["expectations"]
    ]


def text(spark: SparkSession, columns: Mapping[str, Sequence[str | None]]) -> DataFrame:
    """A frame of text; shorter columns end in NULL."""
    height = max(len(values) for values in columns.values())
    rows = [tuple(values[row] if row < len(values) else None for values in columns.values()) for row in range(height)]
    return spark.createDataFrame(rows, ", ".join(f"{identifier(name)} string" for name in columns))


def judged(frame: DataFrame, made: Contract, **around: Any) -> dict[str, Result]:
    """What became of each of a contract's rules; `around` are the fields of the frame's surroundings."""
    with settled(frame.sparkSession):
        return judge(frame, specs(made), Surroundings(**around))
