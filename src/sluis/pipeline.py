"""The story of a run: read, validate, decide, write, report; and of a table's test, which writes nothing.

The only module that knows all stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sluis import delivery, earlier, evidence, landing, session, table
from sluis.config import ENTITIES, Entity
from sluis.contract.document import json_path
from sluis.course import Options, Run
from sluis.ending import Ending
from sluis.errors import ContractError, Problem, SluisError
from sluis.evidence import Evidence
from sluis.suite.surroundings import Surroundings
from sluis.tabletest import Questions, TableTest
from sluis.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Reading = Callable[[Run, "SparkSession", table.Target], "DataFrame | None"]
"""Gives a run its rows; None where nothing is left to judge."""

CALLERS_FRAME = "a frame that the caller read"
"""The source of a run that plain GX started."""


def run(workspace: Workspace, entity: Entity, options: Options) -> Evidence:
    """Run one entity: its landing files pass the gate into its table, or the table stays as it was.

    Returns:
        The run's record; its verdict says what happened, its `exit_code` what a process should return.
    """
    started = Run(workspace=workspace, entity=_sourced(entity, options), options=options)
    return _ended(started, partial(_of_format, "csv", started, _landed))


def run_frame(workspace: Workspace, entity: Entity, make: Callable[..., DataFrame], options: Options) -> Evidence:
    """Run one entity whose rows code makes: they pass the same gate into its table by the same write.

    There is no manifest: the tables are read at one version each, which the record names, and the checksum of the
    rows that are written must equal that of the rows that were validated, although Spark computes them twice. A frame
    that differs from time to time (by chance, by the clock, by what else it reads) ends in ERROR, and the table as it
    was. What was written before is written again: under `append`, only a primary key keeps rows from coming twice.

    Args:
        workspace: The project.
        entity: The entity; its format is `delta`.
        make: Called with a frame for each of the entity's tables, in their order, and `now`, the moment (UTC) at which
            the run started; returns the rows, with the contract's columns and their types.
        options: What is asked; a `source` and `force` mean nothing here.

    Returns:
        The run's record.
    """
    started = Run(workspace=workspace, entity=entity, options=options)
    return _ended(started, partial(_of_format, "delta", started, partial(_made, make)))


def _ended(started: Ending, through: Callable[[], None]) -> Evidence:
    """The record of a run or a test, once it has gone through its stages."""
    try:
        evidence.require_writable(started.options.state)
        started.workspace.require_fresh(started.entity)
        through()
    except SluisError as error:
        started.fail(error)
    except Exception as error:  # it ends in a verdict, whatever went wrong underneath
        started.fail(started.translated(error), error)
    return started.record()


def test(workspace: Workspace, entity: Entity, options: Questions, *, now: datetime | None = None) -> Evidence:
    """Hold the table of one entity against its contract; nothing is written to it.

    Args:
        workspace: The project.
        entity: The entity.
        options: What is asked.
        now: The moment by which service levels are measured; by default the present one.

    Returns:
        The test's record; its verdict says what was found, its `exit_code` what a process should return.
    """
    started = TableTest(workspace=workspace, entity=replace(entity, source=entity.target), options=options)
    return _ended(started, partial(_through_the_test, started, now or evidence.now()))


def run_all(
    workspace: Workspace, entities: Iterable[Entity], options: Options, done: Callable[[Evidence], None]
) -> int:
    """Run several, one after the other in the order given; one that fails does not stop the others.

    Returns:
        The worst exit code.
    """
    return _worst((run(workspace, entity, options) for entity in entities), done)


def test_all(
    workspace: Workspace, entities: Iterable[Entity], options: Questions, done: Callable[[Evidence], None]
) -> int:
    """Test several, as `run_all` runs them."""
    return _worst((test(workspace, entity, options) for entity in entities), done)


def _worst(records: Iterable[Evidence], done: Callable[[Evidence], None]) -> int:
    worst = 0
    for record in records:
        done(record)
        worst = max(worst, record["exit_code"])
    return worst


def bind_for_entity(entity: str, gx_folder: Path, of_table: bool) -> Run | TableTest:
    """What the actions do when plain GX started the run: the same gate, the same cast, the same write.

    Args:
        entity: The entity that the checkpoint names.
        gx_folder: The project's `gx/`.
        of_table: Whether it is the checkpoint for its table.

    Raises:
        SluisError: the project cannot be used as it is.
    """
    from sluis.suite.engine import take_validated
    from sluis.workspace import open_workspace, state_folder

    workspace = open_workspace(gx_folder.parent)
    chosen = workspace.settings.entity(entity)
    workspace.require_fresh(chosen)
    state = state_folder(workspace.root, workspace.settings, None)
    evidence.require_writable(state)
    callers = replace(chosen, source=CALLERS_FRAME)
    frame = take_validated()
    if of_table:
        tested = TableTest(workspace=workspace, entity=callers, options=Questions(state=state))
        tested.notices.append("The caller read the frame: which version of which table it is, is not known.")
        tested.announce()
        return tested
    started = Run(workspace=workspace, entity=callers, options=Options(state=state))
    started.frame = frame
    started.notices.append(
        "The caller read the frame: which files it comes from, and whether they are what they were, is not known."
    )
    started.announce(CALLERS_FRAME)
    return started


def _sourced(entity: Entity, options: Options) -> Entity:
    return replace(entity, source=options.source) if options.source else entity


def _of_format(wanted: str, this: Run, read: Reading) -> None:
    """Through the gate, if the entity's rows come from where this reads them."""
    found = "delta" if this.entity.tables else "csv"
    if found != wanted:
        path, (message, hint) = json_path((this.entity.name, "format")), _OTHERWISE[found]
        raise ContractError([Problem(file=ENTITIES, path=path, message=message, hint=hint)])
    _through_the_gate(this, read)


_OTHERWISE = {
    "csv": ("these are landing files, and no tables.", "`sluis run` reads them."),
    "delta": (
        "code of the project makes these rows of tables.",
        "run its own task; `sluis test` holds the table that it wrote against the contract.",
    ),
}
"""Format → why its entities do not go the other way."""


def _through_the_gate(this: Run, read: Reading) -> None:
    """Session, rows, checkpoint; the checkpoint's actions write and publish.

    Args:
        this: The run.
        read: Gives it its rows.
    """
    this.announce(this.entity.source)
    state = this.options.state
    starting = session.start_early(state, size_hint=None if this.entity.tables else landing.size(this.source))
    from sluis import gate  # imports Great Expectations, seconds that the JVM needs to start anyway
    from sluis.suite import engine

    spark = starting()
    target = delivery.target(spark, this.entity, this.contract, state)
    with delivery.turn(target):
        this.holds_table = True
        table.check(spark, target)
        this.frame = read(this, spark, target)
        if this.frame is None:
            return
        related = delivery.related(spark, this.workspace, this.entity, state)
        with engine.seeing(Surroundings(tables=related)):
            gate.run(this.workspace.gx, state, this.entity.name, this.run_id, this.frame, this)
        this.require_judged()


def _landed(this: Run, spark: SparkSession, target: table.Target) -> DataFrame | None:
    """The rows of the landing files, as text."""
    this.files = [each.file for each in landing.listing(spark, this.source)]
    done = earlier.already_written(this, spark, target)
    if len(done) == len(this.files):
        this.settle(spark, target, wrote=False)
        earlier.finish(this, done)
        return None
    this.landing = landing.read(
        spark,
        this.source,
        columns=[column.name for column in this.contract.columns],
        options=this.entity.options,
        skip=list(done) if target.mode == "append" else (),
    )
    this.files = this.landing.files
    return this.landing.frame


def _made(make: Callable[..., DataFrame], this: Run, spark: SparkSession, _: table.Target) -> DataFrame:
    """The rows that code makes of the entity's tables."""
    sources = delivery.sources(spark, this.entity, this.options.state)
    this.versions = dict(zip(this.entity.tables, (source.version for source in sources), strict=True))
    return make(*(source.rows for source in sources), now=this.started)


def _through_the_test(this: TableTest, now: datetime) -> None:
    """Session, table, checkpoint; the checkpoint's actions decide and publish."""
    this.announce()
    state = this.options.state
    starting = session.start_early(state)
    from sluis import gate
    from sluis.suite import engine

    spark = starting()
    target = delivery.target(spark, this.entity, this.contract, state)
    found = table.opened(spark, target)
    this.version = found.version
    this.notices += table.remarks(found.state, target)
    part = this.part_of(found.rows)
    around = Surroundings(
        tables=delivery.tables(spark, this.workspace, this.entity, state),
        whole=None if part is found.rows or this.options.where_for_all else found.rows,
        now=now,
        written=found.written,
    )
    with engine.seeing(around):
        gate.run(this.workspace.gx, state, this.checkpoint, this.run_id, part, this)
    this.require_judged()
