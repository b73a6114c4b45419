"""The statements, run: all of them where they only add to the table, else none."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sluis.errors import EnvironmentFailure, SchemaError
from sluis.table import Target, faults, schema, translate
from sluis.tools.ddl.design import Design
from sluis.tools.ddl.existing import existing
from sluis.tools.ddl.plan import change, make
from sluis.tools.ddl.step import Step

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

log = logging.getLogger("sluis")


def execute(spark: SparkSession, wanted: Design) -> list[Step]:
    """Make the table, or give the one that is there what it lacks.

    Returns:
        What was run; a step that the catalog refused, and that the table can do without, has no statement.

    Raises:
        SchemaError: something else than adding would be needed; nothing was run.
        EnvironmentFailure: the catalog cannot be asked, or refused a statement.
    """
    target = wanted.target
    found = existing(spark, target)
    steps = list(make(wanted, again=False) if found is None else change(wanted, found))
    _require_additive(target, steps)
    if found is None:
        with translate.environment(target):
            schema.make_room(spark, target)
    return list(_run(spark, target, steps))


def _require_additive(target: Target, steps: Iterable[Step]) -> None:
    left = [f"- {step.about}" for step in steps if step.blocked or step.by_hand]
    if left:
        raise SchemaError(
            f"Table {target.name} and its contract differ in more than what can be added; nothing was run:\n"
            + "\n".join(left),
            hint="`sluis ddl --against-table` prints the statements that there are; a person decides on them.",
        )


def _run(spark: SparkSession, target: Target, steps: Sequence[Step]) -> Iterable[Step]:
    for number, step in enumerate(steps):
        try:
            if step.sql:
                spark.sql(step.sql)
        except Exception as error:
            if not faults.is_spark(error):
                raise
            said = translate.failure(error, target).message
            if step.privilege is None:
                raise EnvironmentFailure(f"{said} {number} of {len(steps)} statements were run before it.") from error
            refused = f"Refused: {step.about}. It needs {step.privilege}. {said}"
            log.warning("%s", refused)
            yield replace(step, about=refused, sql=None)
        else:
            yield step
