"""The story of a run: read, validate, decide, write, report. The only module that knows all stages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sluis import delivery, evidence, landing, session, table
from sluis.config import Entity
from sluis.course import Options, Run
from sluis.errors import SluisError, SuiteError
from sluis.evidence import Evidence
from sluis.report import site
from sluis.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sluis.landing import SourceFile

log = logging.getLogger("sluis")

CALLERS_FRAME = "a frame that the caller read"
"""The source of a run that plain GX started."""


def run(workspace: Workspace, entity: Entity, options: Options) -> Evidence:
    """Run one entity: its landing files pass the gate into its table, or the table stays as it was.

    Returns:
        The run's record; its verdict says what happened, its `exit_code` what a process should return.
    """
    started = Run(workspace=workspace, entity=_sourced(entity, options), options=options)
    try:
        evidence.require_writable(options.state)
        workspace.require_fresh(entity)
        _through_the_gate(started)
    except SluisError as error:
        started.fail(error)
    except Exception as error:  # a run ends in a verdict, whatever went wrong underneath
        started.fail(started.translated(error), error)
    return started.record()


def run_all(
    workspace: Workspace, entities: Iterable[Entity], options: Options, done: Callable[[Evidence], None]
) -> int:
    """Run several, one after the other in the order given; one that fails does not stop the others.

    Returns:
        The worst exit code.
    """
    worst = 0
    for entity in entities:
        record = run(workspace, entity, options)
        done(record)
        worst = max(worst, record["exit_code"])
    return worst


def bind_for_entity(entity: str, gx_folder: Path) -> Run:
    """What the actions do when plain GX started the run: the same gate, the same cast, the same write.

    Raises:
        SluisError: the project cannot be used as it is.
    """
    from sluis.suite.engine import take_validated
    from sluis.workspace import open_workspace, state_folder

    workspace = open_workspace(gx_folder.parent)
    chosen = workspace.settings.entity(entity)
    workspace.require_fresh(chosen)
    options = Options(state=state_folder(workspace.root, workspace.settings, None))
    evidence.require_writable(options.state)
    started = Run(workspace=workspace, entity=replace(chosen, source=CALLERS_FRAME), options=options)
    started.frame = take_validated()
    started.notices.append(
        "The caller read the frame: which files it comes from, and whether they are what they were, is not known."
    )
    started.announce(CALLERS_FRAME)
    return started


def _sourced(entity: Entity, options: Options) -> Entity:
    return replace(entity, source=options.source) if options.source else entity


def _through_the_gate(this: Run) -> None:
    """Session, landing, checkpoint; the checkpoint's actions write and publish."""
    this.announce(this.entity.source)
    starting = session.start_early(this.options.state, size_hint=landing.size(this.source))
    from sluis import gate  # imports Great Expectations, seconds that the JVM needs to start anyway
    from sluis.suite import engine

    spark = starting()
    target = delivery.target(spark, this.entity, this.contract, this.options.state)
    with delivery.turn(target):
        table.check(spark, target)
        this.files = [each.file for each in landing.listing(spark, this.source)]
        done = _already_written(this, spark, target)
        if len(done) == len(this.files):
            _finish_written(this, done)
            return
        this.landing = landing.read(
            spark,
            this.source,
            columns=[column.name for column in this.contract.columns],
            options=this.entity.options,
            skip=list(done) if target.mode == "append" else (),
        )
        this.files, this.frame = this.landing.files, this.landing.frame
        with engine.referring_to(delivery.related(spark, this.workspace, this.entity, this.options.state)):
            gate.run(this.workspace.gx, this.options.state, this.entity.name, this.run_id, this.frame, this)
        if this.judgement is None:
            raise SuiteError(f"The checkpoint {this.entity.name} came to no verdict: its actions did not this.")


def _already_written(this: Run, spark: SparkSession, target: table.Target) -> dict[SourceFile, table.Written]:
    """The files that need not be written again, with what the runs that wrote them left in the history."""
    if this.options.dry_run:
        return {}
    written = table.written(spark, target, sources=this.files)
    for earlier in {one.receipt.version_after: one for one in written.values()}.values():
        _finish_cut_off(this, earlier)
    # Of an overwrite, which can be done again, what another contract let through does not count.
    is_other = any(one.metadata.get("contract_fingerprint") != this.contract.fingerprint for one in written.values())
    return {} if this.options.force or (target.mode == "overwrite" and is_other) else written


def _finish_cut_off(this: Run, earlier: table.Written) -> None:
    """Make the record of a run that ended between its commit and its record, from what its commit carries."""
    told = earlier.metadata
    run_id = str(told["run_id"])
    if not site.RUN_ID.fullmatch(run_id) or evidence.load(this.options.state, run_id) is not None:
        return
    recovered = evidence.recovered(this.opened(), told, earlier.receipt, this.page(run_id))
    evidence.save(this.options.state, recovered)


def _finish_written(this: Run, done: Mapping[SourceFile, table.Written]) -> None:
    """Nothing is new: report the write of the run that wrote the last of the files."""
    earlier = max(done.values(), key=lambda one: one.receipt.version_after)
    this.receipt = earlier.receipt
    this.verdict, this.exit_code = "PASSED", 0
    this.notices.append("These files are in the table already; nothing was written again (--force would).")
    versions = {str(one.metadata.get("contract_version")) for one in done.values()} - {this.contract.version}
    if versions:
        this.notices.append(f"They were judged by version {', '.join(sorted(versions))} of the contract.")
    log.info("Contract %s version %s PASSED", this.contract.name, this.contract.version)
    log.info("Already written: version %s of %s", earlier.receipt.version_after, earlier.receipt.table)
    this.publish(this.build_docs)
