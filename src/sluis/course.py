"""One run on its way: what it was asked, what it found, and what the checkpoint's actions do for it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from sluis import delivery, evidence, landing, table
from sluis.division import divide
from sluis.ending import Asked, Ending
from sluis.errors import EnvironmentFailure, RejectedError, SluisError
from sluis.evidence import Evidence, Kind
from sluis.settings import settled
from sluis.suite.compile import Suite, fingerprint, specs
from sluis.verdict import Compiled, Judgement, RuleResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from sluis.landing import Landing, SourceFile

log = logging.getLogger("sluis")


@dataclass(frozen=True, kw_only=True)
class Options(Asked):
    """What one run is asked for."""

    dry_run: bool = False
    """Judge, but write nothing."""

    force: bool = False
    """Write files again that are already in the table."""

    source: str | None = None
    """Another file than the entity's."""


@dataclass(kw_only=True)
class Run(Ending):
    """One run on its way through the stages; `gate` calls its `decide` and `publish` as the checkpoint's actions."""

    kind: ClassVar[Kind] = "run"

    options: Options
    files: Sequence[SourceFile] = ()
    versions: Mapping[str, int] = field(default_factory=dict)
    """The tables that the rows are made of, and the version of each that was read."""
    landing: Landing | None = None
    frame: DataFrame | None = None
    holds_table: bool = False
    """Whether no other run on this machine can write the table before this one has ended."""
    receipt: table.Receipt | None = None
    refusal: table.Refusal | None = None
    quarantine: Evidence | None = None

    def suite_of(self, landing: Suite, table: Suite) -> Suite:
        """Which of the contract's suites is judged: that of landing text."""
        return landing

    def announce(self, source: str) -> None:
        """The first lines of every run's log."""
        log.info("Reading source: %s", source)
        log.info("Target table: %s", self.entity.target)
        log.info("Loading mode: %s", self.entity.mode)
        log.info("Validating contract: %s", self.contract.name)
        log.info("Contract version: %s", self.contract.version)

    # --- what the checkpoint's actions do --------------------------------------------------------------------------

    @property
    def compiled(self) -> Compiled:
        """The measure of what must have been evaluated."""
        return Compiled(suite=self.suite, files_in_reach=self.landing is not None)

    def refine(self, result: RuleResult) -> RuleResult:
        """Let landing look at the bytes where a rule about them is broken."""
        if self.landing is None or not (result.kind == "row_shape" or result.kind == "encoding"):
            return result
        located = landing.locate(self.landing, result.kind)  # type: ignore[arg-type]  # one of the two
        if result.kind == "encoding" and not located:
            note = "U+FFFD stands in the file itself; every byte is valid"
            return replace(result, outcome="held", unexpected=0, note=note)
        return replace(result, messages=(result.message, *(str(fault) for fault in located)))

    def decide(self, judgement: Judgement) -> None:
        """Write the typed rows if the contract held; a failure becomes the run's verdict."""
        self.judgement = judgement
        try:
            judgement = self._divided(judgement)
            self.judged(judgement)
            if judgement.may_write and self.options.dry_run:
                self.notices.append("Dry run: nothing was written.")
            if judgement.may_write and not self.options.dry_run:
                self._written(judgement)
            elif self.landing is not None and self.frame is not None and judgement.verdict != "ERROR":
                # What is written is compared with the manifest on its way; what is only judged, here.
                landing.unchanged(self.frame.sparkSession, self.landing)
        except SluisError as error:
            self.fail(error)
        except Exception as error:
            self.fail(self.translated(error), error)

    def _divided(self, judgement: Judgement) -> Judgement:
        """The judgement of the rows that may pass alone, where the entity has the others quarantined."""
        if self.entity.on_violation == "reject" or judgement.verdict != "REJECTED" or self.frame is None:
            return judgement
        found = divide(judgement, self.frame, self.compiled, self.refine, self.entity.max_rejected)
        if found.kept_out:
            name = f"{self.entity.target}{table.quarantine.SUFFIX}"
            self.quarantine = evidence.quarantine(name, None, found.kept_out, found.by_rule)
        return found

    def _written(self, judgement: Judgement) -> None:
        assert self.frame is not None
        spark = self.frame.sparkSession
        target = delivery.target(spark, self.entity, self.contract, self.options.state)
        kept = self._kept(judgement)
        rows = partial(delivery.rows, self.frame, self.landing, self.contract, judgement.checksum, kept)
        # A run of our own has held the table since before it read anything.
        with settled(spark), nullcontext() if self.holds_table else delivery.turn(target):
            if kept:
                self._set_aside(spark, target, kept, judgement)
            result = table.write(spark, rows, target, self.commit())
            if isinstance(result, table.Receipt):
                self.settle(spark, target, wrote=True)
        if isinstance(result, table.Refusal):
            self.verdict, self.exit_code, self.refusal = "REJECTED", 1, result
            self.reasons = (delivery.refused(result, self.contract),)
            self.failure = RejectedError(self.reasons[0])
            return
        self.receipt = result
        log.info("Successfully processed %s records", kept.rows if kept else judgement.rows)

    def _kept(self, judgement: Judgement) -> delivery.Kept | None:
        if not judgement.kept_out or judgement.rows is None:
            return None
        rules = frozenset(judgement.by_rule)
        return delivery.Kept(specs=specs(self.suite), rules=rules, rows=judgement.rows - judgement.kept_out)

    def _set_aside(self, spark: SparkSession, target: table.Target, kept: delivery.Kept, judgement: Judgement) -> None:
        """Write the rows that are kept out; they do not count before the target's own commit."""
        assert self.frame is not None
        quarantine = delivery.quarantine(target, self.contract)
        out = partial(delivery.kept_out, self.frame, self.landing, self.contract, kept, self.run_id)
        written = table.write(spark, lambda: (out(), lambda: None), quarantine, self.commit())
        if not isinstance(written, table.Receipt) or written.rows_written != judgement.kept_out:
            raise EnvironmentFailure(
                f"{quarantine.name} did not take the {judgement.kept_out} rows that break rules: "
                f"{written.message if isinstance(written, table.Refusal) else f'{written.rows_written} were written'}.",
                hint="run again when the producer has finished writing; these rows do not count.",
            )
        self.quarantine = evidence.quarantine(
            quarantine.name, written.version_after, judgement.kept_out, judgement.by_rule
        )
        log.info("Quarantined %s records in %s", judgement.kept_out, quarantine.name)

    def settle(self, spark: SparkSession, target: table.Target, *, wrote: bool) -> None:
        """Have the rows of the quarantine count, or no longer, now that the target is written (by this run, or before).

        That this fails does not undo a write: the next run, or `sluis quarantine`, does it from the target's history.
        """
        if self.entity.on_violation == "reject":
            return
        mine = table.quarantine.Load(
            run_id=self.run_id,
            sources=frozenset(file.path for file in self.files),
            replaces=self.entity.mode == "overwrite",
        )
        try:
            quarantine = delivery.quarantine(target, self.contract)
            table.quarantine.settle(spark, quarantine, target, just=mine if wrote else None)
        except Exception as error:
            told = self.discreet(error if isinstance(error, SluisError) else self.translated(error), error).message
            self.notices.append(f"The rows in quarantine are still marked as before ({told}); the next run marks them.")

    # --- what the stages need to know ------------------------------------------------------------------------------

    @property
    def source(self) -> str:
        """The entity's source; a relative path is the project's, wherever the run was started."""
        source = self.entity.source
        return source if ":" in source.partition("/")[0] else str(self.workspace.root / source)

    def commit(self) -> table.Commit:
        """What the table's history tells about this write; never a value."""
        return table.Commit(
            run_id=self.run_id,
            metadata={
                "entity": self.entity.name,
                "contract": self.contract.name,
                "contract_version": self.contract.version,
                "contract_fingerprint": self.contract.fingerprint,
                "suite_fingerprint": fingerprint(self.suite),
                "sources": self.sources(),
                **({"quarantine": self.quarantine} if self.quarantine else {}),
            },
        )

    # --- how it ends -----------------------------------------------------------------------------------------------

    def sources(self) -> list[Evidence]:
        """The files, or the versions of tables, that were read."""
        files = [{"path": file.path, "size": file.size, "modified": file.modified} for file in self.files]
        return files or [{"path": name, "version": version} for name, version in self.versions.items()]

    def translated(self, error: Exception) -> SluisError:
        """An error that no stage expected, as one of ours."""
        return landing.translate(error) or super().translated(error)

    def opened(self) -> Evidence:
        """The record of what this run set out to do."""
        # Of a run that failed after them, rows do not count.
        quarantine = self.quarantine if self.verdict == "PASSED_WITH_QUARANTINE" else None
        return {**super().opened(), "dry_run": self.options.dry_run, "quarantine": quarantine}

    def _record(self) -> Evidence:
        refusal = self.refusal.message if self.refusal else None
        return {**super()._record(), "refusal": refusal, "receipt": evidence.receipt(self.receipt)}
