"""One run on its way: what it was asked, what it found, how it ends, and what the checkpoint's actions do for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis import alerts, delivery, evidence, landing, table
from sluis.config import Entity
from sluis.contract.document import listed
from sluis.contract.model import Contract
from sluis.errors import EnvironmentFailure, RejectedError, SluisError, SuiteError
from sluis.evidence import Evidence
from sluis.report import site, terminal
from sluis.settings import settled
from sluis.suite.compile import fingerprint, suites
from sluis.verdict import Compiled, Judgement, RuleResult
from sluis.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from sluis.landing import Landing, SourceFile

log = logging.getLogger("sluis")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What one run is asked for."""

    state: Path
    """Where results, docs and local tables live."""

    dry_run: bool = False
    """Judge, but write nothing."""

    force: bool = False
    """Write files again that are already in the table."""

    source: str | None = None
    """Another file than the entity's."""


@dataclass(kw_only=True)
class Run:
    """One run on its way through the stages; `gate` calls its `write` and `publish` as the checkpoint's actions."""

    workspace: Workspace
    entity: Entity
    options: Options
    started: datetime = field(default_factory=evidence.now)
    run_id: str = ""
    files: Sequence[SourceFile] = ()
    landing: Landing | None = None
    frame: DataFrame | None = None
    judgement: Judgement | None = None
    receipt: table.Receipt | None = None
    refusal: table.Refusal | None = None
    verdict: str = "ERROR"
    reasons: tuple[str, ...] = ()
    notices: list[str] = field(default_factory=list)
    exit_code: int = 3
    failure: SluisError | None = None
    saved: Evidence | None = None

    def __post_init__(self) -> None:
        """Name the run and know what its contract compiles to."""
        self.run_id = self.run_id or evidence.new_run_id(self.entity.name, self.started)
        self.contract: Contract = self.workspace.contracts[self.entity.contract]
        self.suite = suites(self.contract, self.workspace.line(self.entity.name).suite)[0]
        if unsupported := [entry.path for entry in self.contract.ledger if entry.status == "unsupported"]:
            self.notices.append(f"Not enforced, as `sluis lint` explains: {listed(unsupported)}.")

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

    def write(self, judgement: Judgement) -> None:
        """Write the typed rows if the contract held; a failure becomes the run's verdict."""
        self.judgement = judgement
        self.verdict, self.reasons = judgement.verdict, judgement.reasons
        self.exit_code = {"REJECTED": 1, "ERROR": 3}.get(judgement.verdict, 0)
        if judgement.may_write:
            log.info("Contract %s version %s %s", self.contract.name, self.contract.version, judgement.verdict)
            log.info("Validated records: %s", judgement.rows)
        if judgement.may_write and self.options.dry_run:
            self.notices.append("Dry run: nothing was written.")
        try:
            if judgement.may_write and not self.options.dry_run:
                self._written(judgement)
            elif self.landing is not None and self.frame is not None and judgement.verdict != "ERROR":
                # What is written is compared with the manifest on its way; what is only judged, here.
                landing.unchanged(self.frame.sparkSession, self.landing)
        except SluisError as error:
            self.fail(error)
        except Exception as error:
            self.fail(self.translated(error), error)

    def _written(self, judgement: Judgement) -> None:
        assert self.frame is not None
        spark = self.frame.sparkSession
        target = delivery.target(spark, self.entity, self.contract, self.options.state)
        rows = partial(delivery.rows, self.frame, self.landing, self.contract, judgement.checksum)
        # A run of our own has held the table since before it read anything.
        with settled(spark), delivery.turn(target) if self.landing is None else nullcontext():
            result = table.write(spark, rows, target, self.commit())
        if isinstance(result, table.Refusal):
            self.verdict, self.exit_code, self.refusal = "REJECTED", 1, result
            self.reasons = (delivery.refused(result, self.contract),)
            self.failure = RejectedError(self.reasons[0])
            return
        self.receipt = result
        log.info("Successfully processed %s records", judgement.rows)

    def publish(self, build: Callable[[Sequence[Any]], Any]) -> None:
        """Keep the record and have the report built; a report that fails does not undo a write."""
        from sluis.report.gx_site import key_of

        self._save()
        try:
            build([key_of(self.run_id)])
        except Exception as error:
            self.notices.append(f"The report could not be built: {error}")
            log.warning("The report could not be built: %s", error)
            self._save()

    def _save(self) -> None:
        self.saved = self._record()
        evidence.save(self.options.state, self.saved)

    def conclude(self, *, looks_good: bool) -> None:
        """End a run that plain GX started; raises where GX's own result looks good and the table was not written."""
        self.record()
        if looks_good and self.exit_code:
            raise self.failure or SuiteError("\n".join(self.reasons))

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
                "sources": self._sources(),
            },
        )

    def _sources(self) -> list[Evidence]:
        return [{"path": file.path, "size": file.size, "modified": file.modified} for file in self.files]

    def page(self, run_id: str) -> str:
        """Where the page of a run of this state folder is."""
        return str(site.docs_folder(self.options.state) / site.page_path({"run_id": run_id}))

    # --- how it ends -----------------------------------------------------------------------------------------------

    def fail(self, error: SluisError, cause: Exception | None = None) -> None:
        """The run could not be judged, or not written: that is its verdict."""
        self.verdict, self.exit_code, self.failure = "ERROR", error.exit_code, error
        self.reasons = (error.message, *((f"Hint: {error.hint}",) if error.hint else ()))
        log.debug("The cause", exc_info=cause or error)

    def translated(self, error: Exception) -> SluisError:
        """An error that no stage expected, as one of ours."""
        if source := landing.translate(error):
            return source
        if not table.faults.is_spark(error):
            told = next(iter(str(error).splitlines()), "")
            return EnvironmentFailure(
                f"Unexpected {type(error).__name__}: {told}",
                hint="this is a fault in Sluis; please report it with what `sluis --debug run` shows.",
            )
        return table.translate.failure(error, table.Target(name=self.entity.target, mode="append", columns=()))

    def record(self) -> Evidence:
        """The run's record; what has not been kept and reported yet is now."""
        if self.saved is None or self.saved["verdict"] != self.verdict:
            with suppress(SluisError):
                self.publish(self.build_docs)
        record = {**(self.saved or self._record()), "exit_code": self.exit_code}
        if self.exit_code:
            for line in terminal.failure_text(record):
                log.error(line)
            alerts.send(record, self.workspace.settings)
        return record

    def build_docs(self, pages: Sequence[Any]) -> None:
        """Have GX build the report of a run that ended before or without a checkpoint."""
        from sluis import gate

        gate.build_docs(self.workspace.gx, self.options.state, pages)

    def _record(self) -> Evidence:
        judgement = self.judgement
        return {
            **self.opened(),
            "rows": judgement.rows if judgement else None,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "refusal": self.refusal.message if self.refusal else None,
            "notices": list(self.notices),
            "rules": [evidence.rule(result) for result in judgement.results] if judgement else [],
            "receipt": evidence.receipt(self.receipt),
        }

    def opened(self) -> Evidence:
        """The record of what this run set out to do."""
        return evidence.opened(
            run_id=self.run_id,
            started=self.started,
            entity=self.entity,
            contract=self.contract,
            suite=self.suite,
            sources=self._sources(),
            environment=self.workspace.settings.environment,
            dry_run=self.options.dry_run,
            report=self.page(self.run_id),
        )
