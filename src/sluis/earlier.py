"""What earlier runs left in the table's history: files that are in it already, and writes without a record."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sluis import evidence, table
from sluis.course import Run
from sluis.report import site

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sluis.landing import SourceFile

log = logging.getLogger("sluis")


def already_written(this: Run, spark: SparkSession, target: table.Target) -> dict[SourceFile, table.Written]:
    """The files that need not be written again, with what the runs that wrote them left in the history."""
    if this.options.dry_run:
        return {}
    written = table.written(spark, target, sources=this.files)
    for one in {each.receipt.version_after: each for each in written.values()}.values():
        _record(this, one)
    # Of an overwrite, which can be done again, what another contract let through does not count.
    is_other = any(one.metadata.get("contract_fingerprint") != this.contract.fingerprint for one in written.values())
    return {} if this.options.force or (target.mode == "overwrite" and is_other) else written


def _record(this: Run, written: table.Written) -> None:
    """Make the record of a run that ended between its commit and its record, from what its commit carries."""
    told = written.metadata
    run_id = str(told["run_id"])
    if not site.RUN_ID.fullmatch(run_id) or evidence.load(this.options.state, run_id) is not None:
        return
    recovered = evidence.recovered(this.opened(), told, written.receipt, this.page(run_id))
    evidence.save(this.options.state, recovered)


def finish(this: Run, done: Mapping[SourceFile, table.Written]) -> None:
    """Nothing is new: report the write of the run that wrote the last of the files."""
    latest = max(done.values(), key=lambda one: one.receipt.version_after)
    this.receipt = latest.receipt
    this.verdict, this.exit_code = evidence.verdict_of(latest.metadata), 0
    this.quarantine = latest.metadata.get("quarantine")
    this.notices.append("These files are in the table already; nothing was written again (--force would).")
    versions = {str(one.metadata.get("contract_version")) for one in done.values()} - {this.contract.version}
    if versions:
        this.notices.append(f"They were judged by version {', '.join(sorted(versions))} of the contract.")
    log.info("Contract %s version %s %s", this.contract.name, this.contract.version, this.verdict)
    log.info("Already written: version %s of %s", latest.receipt.version_after, latest.receipt.table)
    this.publish(this.build_docs)
