"""The story of a run: read, validate, decide, write, report. The only module that knows all stages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis import evidence, lexical, session, table
from sluis.config import Entity
from sluis.contract.model import Contract
from sluis.contract.names import RESERVED
from sluis.errors import SluisError
from sluis.evidence import Evidence
from sluis.report import site, terminal
from sluis.suite.compile import fingerprint, suites
from sluis.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from sluis.gate import Compiled, Judgement, RuleResult
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


def run(workspace: Workspace, entity: Entity, options: Options) -> Evidence:
    """Run one entity: its landing files pass the gate into its table, or the table stays as it was.

    Returns:
        The run's record; its verdict says what happened, its `exit_code` what a process should return.
    """
    started = Run(workspace=workspace, entity=_sourced(entity, options), options=options)
    try:
        evidence.require_writable(options.state)
        workspace.require_fresh(entity)
        started.through_the_gate()
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
    from sluis.suite.expectations import validated
    from sluis.workspace import open_workspace, state_folder

    workspace = open_workspace(gx_folder.parent)
    workspace.require_fresh(workspace.settings.entity(entity))
    options = Options(state=state_folder(workspace.root, workspace.settings, None))
    started = Run(workspace=workspace, entity=workspace.settings.entity(entity), options=options)
    started.frame = validated.get()
    started.announce("a frame that the caller read")
    return started


@dataclass(kw_only=True)
class Run:
    """One run on its way through the stages; `gate` calls its `write` and `publish` as the checkpoint's actions."""

    workspace: Workspace
    entity: Entity
    options: Options
    started: Any = field(default_factory=evidence.now)
    run_id: str = ""
    landing: Landing | None = None
    frame: DataFrame | None = None
    judgement: Judgement | None = None
    receipt: table.Receipt | None = None
    verdict: str = "ERROR"
    reasons: tuple[str, ...] = ()
    notices: list[str] = field(default_factory=list)
    exit_code: int = 3
    saved: Evidence | None = None

    def __post_init__(self) -> None:
        """Name the run and know what its contract compiles to."""
        self.run_id = self.run_id or evidence.new_run_id(self.entity.name)
        self.contract: Contract = self.workspace.contracts[self.entity.contract]
        self.suite = suites(self.contract, self.workspace.line(self.entity.name).suite)[0]

    # --- the story -------------------------------------------------------------------------------------------------

    def through_the_gate(self) -> None:
        """Session, landing, checkpoint; the checkpoint's actions write and publish."""
        from sluis import landing

        self.announce(self.entity.source)
        starting = session.start_early(self.options.state, size_hint=landing.size(self.entity.source))
        from sluis import gate  # imports Great Expectations, seconds that the JVM needs to start anyway

        spark = starting()
        with table.lock(self.entity.target, self.options.state / "locks"):
            target = self.target(spark)
            table.check(spark, target)
            files = [each.file for each in landing.listing(spark, self.entity.source)]
            done, earlier = self.already_written(spark, target, files)
            if earlier is not None and len(done) == len(files):
                self.finish_written(earlier)
                return
            self.landing = landing.read(
                spark,
                self.entity.source,
                columns=[column.name for column in self.contract.columns],
                options=self.entity.options,
                skip=done if target.mode == "append" else (),
            )
            self.frame = self.landing.frame
            gate.run(self.workspace.gx, self.options.state, self.entity.name, self.run_id, self.landing.frame, self)

    def announce(self, source: str) -> None:
        """The first lines of every run's log."""
        log.info("Reading source: %s", source)
        log.info("Target table: %s", self.entity.target)
        log.info("Loading mode: %s", self.entity.mode)
        log.info("Validating contract: %s", self.contract.name)
        log.info("Contract version: %s", self.contract.version)

    def already_written(
        self, spark: SparkSession, target: table.Target, files: Sequence[SourceFile]
    ) -> tuple[list[SourceFile], table.Receipt | None]:
        """The files that an earlier run wrote, and the receipt of the run that wrote the last of them."""
        if self.options.force or self.options.dry_run:
            return [], None
        written = table.written(spark, target, sources=files)
        latest = max(written.values(), key=lambda receipt: receipt.version_after, default=None)
        return list(written), latest

    def finish_written(self, earlier: table.Receipt) -> None:
        """Nothing is new: report the earlier write, and its record if a crash had cut it off."""
        self.receipt = earlier
        self.verdict, self.exit_code = "PASSED", 0
        self.notices.append("These files are in the table already; nothing was written again (--force would).")
        log.info("Contract %s version %s PASSED", self.contract.name, self.contract.version)
        log.info("Already written: version %s of %s", earlier.version_after, earlier.table)
        self.publish(self.build_docs)

    # --- what the checkpoint's actions do --------------------------------------------------------------------------

    @property
    def compiled(self) -> Compiled:
        """The measure of what must have been evaluated."""
        from sluis.gate import Compiled

        return Compiled(suite=self.suite, files_in_reach=self.landing is not None)

    def refine(self, result: RuleResult) -> RuleResult:
        """Let landing look at the bytes where a rule about them is broken."""
        from sluis import landing

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
        if not judgement.may_write:
            return
        log.info("Contract %s version %s %s", self.contract.name, self.contract.version, judgement.verdict)
        log.info("Validated records: %s", judgement.rows)
        if self.options.dry_run:
            self.notices.append("Dry run: nothing was written.")
            return
        try:
            self._written(judgement)
        except SluisError as error:
            self.fail(error)
        except Exception as error:
            self.fail(self.translated(error), error)

    def _written(self, judgement: Judgement) -> None:
        assert self.frame is not None
        spark = self.frame.sparkSession
        target = self.target(spark)
        result = table.write(spark, lambda: self.watched_rows(spark, judgement), target, self.commit())
        if isinstance(result, table.Refusal):
            self.verdict, self.exit_code = "REJECTED", 1
            self.reasons = (_refusal(result, sensitive=bool(self.contract.sensitive & set(self.contract.primary_key))),)
            return
        self.receipt = result
        log.info("Successfully processed %s records", judgement.rows)

    def watched_rows(self, spark: SparkSession, judgement: Judgement) -> tuple[DataFrame, Callable[[], str | None]]:
        """The rows for the table, read afresh and cast, and the check that they are the validated ones."""
        from sluis import landing

        fresh = self.frame if self.landing is None else landing.reread(spark, self.landing)
        assert fresh is not None
        known = {column.name: column for column in self.contract.columns}
        texts = [name for name in fresh.columns if not name.startswith(RESERVED)]
        watched, observed = lexical.watch(fresh, texts)
        extra = [lexical.identifier(name) for name in texts if name not in known]
        casts = [f"{lexical.typed(column)} AS {lexical.identifier(name)}" for name, column in known.items()]

        def changed() -> str | None:
            written = observed()
            if written != judgement.checksum:
                return "The rows that were written are not the rows that were validated: the files changed in between."
            if self.landing is not None:
                landing.unchanged(spark, self.landing)
            return None

        return watched.selectExpr(*casts, *extra), changed

    def publish(self, build: Callable[[], None]) -> None:
        """Keep the record and have the report built; a report that fails does not undo a write."""
        self.saved = self._record()
        evidence.save(self.options.state, self.saved)
        try:
            build()
        except Exception as error:
            self.notices.append(f"The report could not be built: {error}")
            log.warning("The report could not be built: %s", error)

    # --- what the stages need to know ------------------------------------------------------------------------------

    def target(self, spark: SparkSession) -> table.Target:
        """The table as the contract describes it."""
        parts = self.entity.target.split(".")[-2:]
        local = self.options.state / "warehouse" / f"{parts[0]}.db" / parts[1]
        return table.Target(
            name=self.entity.target,
            mode=self.entity.mode,  # type: ignore[arg-type]  # the reader checked it
            columns=tuple(
                table.TargetColumn(
                    name=column.name,
                    type=lexical.spark_type(column.type),
                    nullable=not column.required,
                    comment=column.description,
                )
                for column in self.contract.columns
            ),
            merge_key=self.entity.merge_key,
            primary_key=self.contract.primary_key,
            properties={
                "sluis.contract": self.contract.name,
                "sluis.contract_version": self.contract.version,
                "sluis.contract_path": self.contract.path,
            },
            comment=self.contract.description,
            allow_additional=self.contract.allow_additional_columns,
            location=str(local) if session.is_local(spark) else None,
        )

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
        files = self.landing.files if self.landing else ()
        return [{"path": file.path, "size": file.size, "modified": file.modified} for file in files]

    # --- how it ends -----------------------------------------------------------------------------------------------

    def fail(self, error: SluisError, cause: Exception | None = None) -> None:
        """The run could not be judged, or not written: that is its verdict."""
        self.verdict, self.exit_code = "ERROR", error.exit_code
        self.reasons = (error.message, *((f"Hint: {error.hint}",) if error.hint else ()))
        log.debug("The cause", exc_info=cause or error)

    def translated(self, error: Exception) -> SluisError:
        """An error that no stage expected, as one of ours."""
        from sluis import landing

        if source := landing.translate(error):
            return source
        return table.translate.failure(error, table.Target(name=self.entity.target, mode="append", columns=()))

    def record(self) -> Evidence:
        """The run's record; what has not been kept and reported yet is now."""
        if self.saved is None or self.saved["verdict"] != self.verdict:
            with suppress(SluisError):
                self.publish(self.build_docs)
        record = {**(self.saved or self._record()), "exit_code": self.exit_code}
        for line in terminal.failure_text(record) if self.exit_code else ():
            log.error(line)
        return record

    def build_docs(self) -> None:
        """Have GX build the report of a run that ended before or without a checkpoint."""
        from sluis import gate
        from sluis.report.gx_site import key_of

        gate.build_docs(self.workspace.gx, self.options.state, [key_of(self.run_id)])

    def _record(self) -> Evidence:
        judgement = self.judgement
        return {
            "evidence_version": evidence.VERSION,
            "run_id": self.run_id,
            "entity": self.entity.name,
            "started": evidence.moment(self.started),
            "finished": evidence.moment(evidence.now()),
            "environment": self.workspace.settings.environment,
            "dry_run": self.options.dry_run,
            "contract": {
                "name": self.contract.name,
                "version": self.contract.version,
                "format": self.contract.format,
                "path": self.contract.path,
                "fingerprint": self.contract.fingerprint,
            },
            "owner": self.contract.owner,
            "description": self.contract.description,
            "suite": {
                "name": self.suite["name"],
                "fingerprint": fingerprint(self.suite),
                "rules": len(self.suite["expectations"]),
            },
            "source": self.entity.source,
            "target": self.entity.target,
            "mode": self.entity.mode,
            "sources": self._sources(),
            "rows": judgement.rows if judgement else None,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "notices": list(self.notices),
            "rules": [evidence.rule(result) for result in judgement.results] if judgement else [],
            "receipt": evidence.receipt(self.receipt),
            "report": str(site.docs_folder(self.options.state) / site.page_path({"run_id": self.run_id})),
        }


def _sourced(entity: Entity, options: Options) -> Entity:
    return replace(entity, source=options.source) if options.source else entity


def _refusal(refusal: table.Refusal, *, sensitive: bool) -> str:
    shown = [", ".join(f"{name}={value}" for name, value in example.items()) for example in refusal.examples[:5]]
    more = f" (for example {'; '.join(shown)})" if shown and not sensitive else ""
    return refusal.message + more
