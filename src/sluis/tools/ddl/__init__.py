"""The SQL that makes a table as its contract wants it, or takes an existing one there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sluis import session, table
from sluis.table.schema import BUILT_IN_CATALOGS
from sluis.tools.ddl.design import Design, Dialect, design
from sluis.tools.ddl.execute import execute
from sluis.tools.ddl.existing import Existing, existing
from sluis.tools.ddl.plan import change, make
from sluis.tools.ddl.step import Step, script
from sluis.tools.ddl.subject import Subject
from sluis.tools.spark import spark_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Script(NamedTuple):
    """What `sluis ddl` prints."""

    text: str
    """SQL, with remarks as comments."""

    exit_code: int
    """2 where table and contract differ in a way that no statement changes."""


def dialect_of(name: str) -> Dialect:
    """Where a table of this name is: Unity Catalog's names have three parts, and a catalog of their own."""
    parts = name.split(".")
    return "unity" if len(parts) == 3 and parts[0] not in BUILT_IN_CATALOGS else "delta"


def ddl(subject: Subject, dialect: Dialect | None, *, against: Path | None = None) -> Script:
    """Write the script.

    Args:
        subject: The contract and its table.
        dialect: Where the table is; by its name unless given.
        against: Compare with the real table; the state folder, where local tables are.

    Raises:
        SchemaError: the name belongs to something else than a Delta table.
        EnvironmentFailure: the table cannot be looked at.
    """
    wanted = _wanted(subject, dialect)
    origin = _origin(subject)
    if against is None:
        heading = [
            f"{subject.table}, made as {origin} wants it; --against-table tells what a table that is there lacks"
        ]
        return _script(wanted, heading, list(make(wanted)))
    found = _look(wanted, against)
    if found is None:
        return _script(
            wanted,
            [f"{subject.table} is not there; this makes it as {origin} wants it"],
            list(make(wanted, again=False)),
        )
    steps = list(change(wanted, found))
    return _script(wanted, [f"{subject.table} against {origin}", _summary(steps)], steps)


def apply(subject: Subject, dialect: Dialect | None = None, *, state: Path) -> str:
    """Run the statements, where they only add to the table; run again, there is nothing to do.

    Args:
        subject: The contract and its table.
        dialect: Where the table is; by its name unless given.
        state: The state folder, where local tables are.

    Returns:
        What was run, as a script.

    Raises:
        SchemaError: something else than adding would be needed, or the name belongs to something else than a Delta
            table; nothing was run.
        EnvironmentFailure: the table cannot be looked at, or the catalog refused a statement.
    """
    wanted = _wanted(subject, dialect)
    with spark_for(state=state) as spark:
        done = execute(spark, _placed(spark, wanted, state))
    ran = sum(step.sql is not None for step in done)
    told = f"{ran} statements were run" if done else "the table is as the contract wants it"
    return _script(wanted, [f"{subject.table} against {_origin(subject)}", told], done).text


def _wanted(subject: Subject, dialect: Dialect | None) -> Design:
    return design(subject.contract, subject.table, dialect or dialect_of(subject.table), tables=subject.tables)


def _origin(subject: Subject) -> str:
    return f"{subject.contract.path} (version {subject.contract.version})"


def _script(wanted: Design, heading: list[str], steps: list[Step]) -> Script:
    left_out = [f"left out: {line}" for line in wanted.left_out]
    return Script(script([*heading, *left_out], steps), 2 if any(step.blocked for step in steps) else 0)


def _summary(steps: list[Step]) -> str:
    blocked = sum(step.blocked for step in steps)
    if not steps:
        return "the table is as the contract wants it"
    told = f"{sum(step.sql is not None for step in steps)} statements to run"
    return f"{told}; {blocked} differences that none of them changes" if blocked else told


def _look(wanted: Design, state: Path) -> Existing | None:
    with spark_for(state=state) as spark:
        return existing(spark, _placed(spark, wanted, state).target)


def _placed(spark: SparkSession, wanted: Design, state: Path) -> Design:
    """The same table where it is in this session: a local one lies in the state folder."""
    folder = str(table.local_folder(state / "warehouse", wanted.target.name)) if session.is_local(spark) else None
    return replace(wanted, target=replace(wanted.target, location=folder))
