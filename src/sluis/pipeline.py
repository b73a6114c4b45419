"""The story of a run: read, validate, decide, write, report. The only module that knows all stages."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis import evidence, lexical, session, table
from sluis.config import Entity
from sluis.contract.model import Contract
from sluis.contract.names import CORRUPT
from sluis.errors import EnvironmentFailure, RejectedError, SluisError, SuiteError
from sluis.evidence import Evidence
from sluis.report import site, terminal
from sluis.settings import settled
from sluis.suite.compile import fingerprint, suites
from sluis.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from sluis.gate import Compiled, Judgement, RuleResult
    from sluis.landing import Landing, SourceFile

log = logging.getLogger("sluis")

CALLERS_FRAME = "a frame that the caller read"
"""The source of a run that plain GX started."""


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


@dataclass(kw_only=True)
class Run:
    """One run on its way through the stages; `gate` calls its `write` and `publish` as the checkpoint's actions."""

    workspace: Workspace
    entity: Entity
    options: Options
    started: Any = field(default_factory=evidence.now)
    run_id: str = ""
    files: Sequence[SourceFile] = ()
    landing: Landing | None = None
    frame: DataFrame | None = None
    judgement: Judgement | None = None
    receipt: table.Receipt | None = None
    verdict: str = "ERROR"
    reasons: tuple[str, ...] = ()
    notices: list[str] = field(default_factory=list)
    exit_code: int = 3
    failure: SluisError | None = None
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
        starting = session.start_early(self.options.state, size_hint=landing.size(self.source))
        from sluis import gate  # imports Great Expectations, seconds that the JVM needs to start anyway
        from sluis.suite import engine

        spark = starting()
        target = self.target(spark)
        with _turn(target):
            table.check(spark, target)
            self.files = [each.file for each in landing.listing(spark, self.source)]
            done = self.already_written(spark, target)
            if len(done) == len(self.files):
                self.finish_written(done)
                return
            self.landing = landing.read(
                spark,
                self.source,
                columns=[column.name for column in self.contract.columns],
                options=self.entity.options,
                skip=list(done) if target.mode == "append" else (),
            )
            self.files, self.frame = self.landing.files, self.landing.frame
            with engine.referring_to(self.related(spark)):
                gate.run(self.workspace.gx, self.options.state, self.entity.name, self.run_id, self.frame, self)
            if self.judgement is None:
                raise SuiteError(f"The checkpoint {self.entity.name} came to no verdict: its actions did not run.")

    def announce(self, source: str) -> None:
        """The first lines of every run's log."""
        log.info("Reading source: %s", source)
        log.info("Target table: %s", self.entity.target)
        log.info("Loading mode: %s", self.entity.mode)
        log.info("Validating contract: %s", self.contract.name)
        log.info("Contract version: %s", self.contract.version)

    def already_written(self, spark: SparkSession, target: table.Target) -> dict[SourceFile, table.Written]:
        """The files that need not be written again, with what the runs that wrote them left in the history."""
        if self.options.dry_run:
            return {}
        written = table.written(spark, target, sources=self.files)
        for earlier in {one.receipt.version_after: one for one in written.values()}.values():
            self.finish_cut_off(earlier)
        # Of an overwrite, which can be done again, what another contract let through does not count.
        is_other = any(
            one.metadata.get("contract_fingerprint") != self.contract.fingerprint for one in written.values()
        )
        return {} if self.options.force or (target.mode == "overwrite" and is_other) else written

    def finish_cut_off(self, earlier: table.Written) -> None:
        """Make the record of a run that ended between its commit and its record, from what its commit carries."""
        told = earlier.metadata
        run_id = str(told["run_id"])
        if not site.RUN_ID.fullmatch(run_id) or evidence.path(self.options.state, run_id).exists():
            return
        record = self._record()
        contract = {"name": "contract", "version": "contract_version", "fingerprint": "contract_fingerprint"}
        notice = f"Cut off after it had written; {self.run_id} made this record from the history of the table."
        evidence.save(
            self.options.state,
            {
                **record,
                "run_id": run_id,
                "entity": told.get("entity", self.entity.name),
                "started": evidence.started(run_id),
                "contract": {**record["contract"], **{key: told.get(name) for key, name in contract.items()}},
                "suite": {**record["suite"], "fingerprint": told.get("suite_fingerprint")},
                "mode": earlier.receipt.mode,
                "source": ", ".join(source["path"] for source in told.get("sources", ())),
                "sources": list(told.get("sources", ())),
                "verdict": "PASSED",
                "reasons": [],
                "notices": [notice],
                "receipt": evidence.receipt(replace(earlier.receipt, already_written=False)),
                "report": self._page(run_id),
            },
        )

    def finish_written(self, done: Mapping[SourceFile, table.Written]) -> None:
        """Nothing is new: report the write of the run that wrote the last of the files."""
        earlier = max(done.values(), key=lambda one: one.receipt.version_after)
        self.receipt = earlier.receipt
        self.verdict, self.exit_code = "PASSED", 0
        self.notices.append("These files are in the table already; nothing was written again (--force would).")
        versions = {str(one.metadata.get("contract_version")) for one in done.values()} - {self.contract.version}
        if versions:
            self.notices.append(f"They were judged by version {', '.join(sorted(versions))} of the contract.")
        log.info("Contract %s version %s PASSED", self.contract.name, self.contract.version)
        log.info("Already written: version %s of %s", earlier.receipt.version_after, earlier.receipt.table)
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
        # A run of our own has held the table since before it read anything.
        with settled(spark), _turn(target) if self.landing is None else nullcontext():
            result = table.write(spark, lambda: self.watched_rows(spark, judgement), target, self.commit())
        if isinstance(result, table.Refusal):
            self.verdict, self.exit_code = "REJECTED", 1
            self.reasons = (_refusal(result, sensitive=bool(self.contract.sensitive & set(self.contract.primary_key))),)
            self.failure = RejectedError(self.reasons[0])
            return
        self.receipt = result
        log.info("Successfully processed %s records", judgement.rows)

    def watched_rows(self, spark: SparkSession, judgement: Judgement) -> tuple[DataFrame, Callable[[], str | None]]:
        """The rows for the table, read afresh and cast, and the check that they are the validated ones."""
        from sluis import landing

        fresh = self.frame if self.landing is None else landing.reread(spark, self.landing)
        assert fresh is not None
        known = {column.name: column for column in self.contract.columns}
        types = {field.name: field.dataType.simpleString() for field in fresh.schema.fields}
        texts = [name for name, kind in types.items() if kind == "string" and name != CORRUPT]
        # A frame that the caller read may hold values of the right type already.
        casts = [
            f"{lexical.typed(column) if name in texts else lexical.identifier(name)} AS {lexical.identifier(name)}"
            for name, column in known.items()
        ]
        more = [lexical.identifier(name) for name in types if name not in known and name != CORRUPT]
        extra = [f"CAST({name} AS STRING) AS {name}" for name in more]
        watched, observed = lexical.watch(fresh, texts, [*casts, *extra])

        def changed() -> str | None:
            written = observed()
            if written != judgement.checksum:
                return "The rows that were written are not the rows that were validated: the files changed in between."
            if self.landing is not None:
                landing.unchanged(spark, self.landing)
            return None

        return watched, changed

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

    def target(self, spark: SparkSession) -> table.Target:
        """The table as the contract describes it."""
        return self._target(spark, self.entity, self.contract)

    def _target(self, spark: SparkSession, entity: Entity, contract: Contract) -> table.Target:
        local = table.local_folder(self.options.state / "warehouse", entity.target)
        return table.target_of(
            contract,
            entity.target,
            mode=entity.mode,  # type: ignore[arg-type]  # the reader checked it
            merge_key=entity.merge_key,
            location=str(local) if session.is_local(spark) else None,
        )

    def related(self, spark: SparkSession) -> dict[str, list[str | None]]:
        """Where rules find what they refer to: the tables of its entities, as far as they are there.

        What refers to its own object may find it in the very rows (None), and in the table unless that is replaced.
        """
        places: dict[str, list[str | None]] = {}
        for to, names in self.workspace.related(self.entity.name).items():
            found = {self._existing(spark, name) for name in names}
            gone = {None, self.entity.target if self.entity.mode == "overwrite" else None}
            places[to] = [*([None] if self.entity.name in names else []), *sorted(found - gone, key=str)]
        return places

    def _existing(self, spark: SparkSession, entity: str) -> str | None:
        """The table of an entity, if it is there."""
        with suppress(SluisError):
            other = self.workspace.settings.entity(entity)
            target = self._target(spark, other, self.workspace.line(entity).contract)
            return target.name if table.find(spark, target) else None
        return None

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

    def _page(self, run_id: str) -> str:
        return str(site.docs_folder(self.options.state) / site.page_path({"run_id": run_id}))

    # --- how it ends -----------------------------------------------------------------------------------------------

    def fail(self, error: SluisError, cause: Exception | None = None) -> None:
        """The run could not be judged, or not written: that is its verdict."""
        self.verdict, self.exit_code, self.failure = "ERROR", error.exit_code, error
        self.reasons = (error.message, *((f"Hint: {error.hint}",) if error.hint else ()))
        log.debug("The cause", exc_info=cause or error)

    def translated(self, error: Exception) -> SluisError:
        """An error that no stage expected, as one of ours."""
        from sluis import landing

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
        for line in terminal.failure_text(record) if self.exit_code else ():
            log.error(line)
        return record

    def build_docs(self, pages: Sequence[Any]) -> None:
        """Have GX build the report of a run that ended before or without a checkpoint."""
        from sluis import gate

        gate.build_docs(self.workspace.gx, self.options.state, pages)

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
            "report": self._page(self.run_id),
        }


def _sourced(entity: Entity, options: Options) -> Entity:
    return replace(entity, source=options.source) if options.source else entity


def _turn(target: table.Target) -> AbstractContextManager[None]:
    """The table for one run alone, on this machine.

    The locks are not in the state folder: it may be a Volume, which has none.
    """
    folder = Path(tempfile.gettempdir()) / f"sluis-locks-{os.getuid()}"
    return table.lock(target.location or target.name, folder)


def _refusal(refusal: table.Refusal, *, sensitive: bool) -> str:
    shown = [", ".join(f"{name}={value}" for name, value in example.items()) for example in refusal.examples[:5]]
    more = f" (for example {'; '.join(shown)})" if shown and not sensitive else ""
    return refusal.message + more
