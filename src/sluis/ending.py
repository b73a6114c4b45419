"""How a run, or the test of a table, ends: its verdict, its record, its report."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from sluis import alerts, evidence, table
from sluis.config import Entity
from sluis.contract.document import listed
from sluis.contract.model import Contract
from sluis.errors import EnvironmentFailure, SluisError, SuiteError, UnforeseenFailure
from sluis.evidence import Evidence, Kind
from sluis.report import discreet, editions, retention, site, terminal
from sluis.suite.compile import Suite, suites
from sluis.verdict import Judgement, RuleResult
from sluis.workspace import Workspace

log = logging.getLogger("sluis")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a run or a test is asked for."""

    state: Path
    """Where results, docs and local tables live."""


@dataclass(kw_only=True)
class Ending:
    """What runs and tests have in common once there is something to tell of them."""

    kind: ClassVar[Kind]

    workspace: Workspace
    entity: Entity
    options: Asked
    started: datetime = field(default_factory=evidence.now)
    run_id: str = ""
    judgement: Judgement | None = None
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
        self.words, of_table = suites(self.contract, self.workspace.line(self.entity.name).suite)
        self.suite = self.suite_of(self.words, of_table)
        if unsupported := [entry.path for entry in self.contract.ledger if entry.status == "unsupported"]:
            self.notices.append(f"Not enforced, as `sluis lint` explains: {listed(unsupported)}.")

    def suite_of(self, landing: Suite, table: Suite) -> Suite:
        """Which of the contract's suites is judged."""
        raise NotImplementedError

    def judged(self, judgement: Judgement) -> None:
        """Take over what the gate decided."""
        self.judgement = judgement
        self.verdict, self.reasons = judgement.verdict, judgement.reasons
        self.exit_code = {"REJECTED": 1, "ERROR": 3}.get(judgement.verdict, 0)
        if judgement.may_write:
            log.info("Contract %s version %s %s", self.contract.name, self.contract.version, judgement.verdict)
            log.info("Validated records: %s", judgement.rows)

    def refine(self, result: RuleResult) -> RuleResult:
        """Nothing knows more of a broken rule than what was evaluated."""
        return result

    def require_judged(self) -> None:
        """Refuse to end well without a verdict.

        Raises:
            SuiteError: the checkpoint's actions did not decide.
        """
        if self.judgement is None:
            raise SuiteError(f"The checkpoint of {self.entity.name} came to no verdict: its actions did not this.")

    def fail(self, error: SluisError, cause: Exception | None = None) -> None:
        """It could not be judged, or not written: that is its verdict."""
        error = self.discreet(error, cause)
        self.verdict, self.exit_code, self.failure = "ERROR", error.exit_code, error
        self.reasons = (error.message, *((f"Hint: {error.hint}",) if error.hint else ()))
        if self.contract.sensitive:
            log.debug("The cause, without what it says: the contract hides values\n%s", discreet.trace(cause or error))
        else:
            log.debug("The cause", exc_info=cause or error)

    def translated(self, error: Exception) -> SluisError:
        """An error that no stage expected, as one of ours."""
        if not table.faults.is_spark(error):
            told = next(iter(str(error).splitlines()), "")
            return UnforeseenFailure(
                f"Unexpected {type(error).__name__}: {told}",
                hint=f"this is a fault in Sluis; please report it with what `sluis --debug {self.kind}` shows.",
            )
        return table.translate.failure(error, table.Target(name=self.entity.target, mode="append", columns=()))

    def discreet(self, error: SluisError, cause: Exception | None = None) -> SluisError:
        """The error without a text that may quote a row, where the contract hides values."""
        if not self.contract.sensitive or not isinstance(error, UnforeseenFailure):
            return error
        return EnvironmentFailure(
            f"{self.entity.target} failed: {discreet.cause(cause or error.__cause__ or error)}.",
            hint=f"the contract hides values, so no more is told; `sluis --debug {self.kind}` shows where it was.",
        )

    def publish(self, build: Callable[[Sequence[Any]], Any]) -> None:
        """Keep the record and have the report built; a report that fails does not undo a write."""
        from sluis.report.gx_site import key_of

        self._save()
        try:
            self._keep()
            build([key_of(self.run_id)])
        except Exception as error:
            told = discreet.cause(error) if self.contract.sensitive else error
            self.notices.append(f"The report could not be built: {told}")
            log.warning("The report could not be built: %s", told)
            self._save()

    def _keep(self) -> None:
        """Keep the contract as it stood, and drop the entity's runs that need not be kept."""
        state, keep = self.options.state, self.workspace.settings.keep
        editions.keep(state, self.contract, self.words, self.workspace.root, self.run_id)
        retention.apply(state, runs=keep.runs, days=keep.days, entity=self.entity.name)

    def _save(self) -> None:
        self.saved = self._record()
        evidence.save(self.options.state, self.saved)

    def conclude(self, *, looks_good: bool) -> None:
        """End what plain GX started; raises where GX's own result looks good and the verdict is another."""
        self.record()
        if looks_good and self.exit_code:
            raise self.failure or SuiteError("\n".join(self.reasons))

    def record(self) -> Evidence:
        """Its record; what has not been kept and reported yet is now."""
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
        """Have GX build the report of what ended before or without a checkpoint."""
        from sluis import gate

        gate.build_docs(self.workspace.gx, self.options.state, pages)

    def _record(self) -> Evidence:
        judgement = self.judgement
        return {
            **self.opened(),
            "rows": judgement.rows if judgement else None,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "notices": list(self.notices),
            "rules": [evidence.rule(result) for result in judgement.results] if judgement else [],
        }

    def opened(self) -> Evidence:
        """The record of what it set out to do."""
        return evidence.opened(
            kind=self.kind,
            run_id=self.run_id,
            started=self.started,
            entity=self.entity,
            contract=self.contract,
            suite=self.suite,
            sources=self.sources(),
            environment=self.workspace.settings.environment,
            report=self.page(self.run_id),
        )

    def sources(self) -> list[Evidence]:
        """What the rows were read from."""
        raise NotImplementedError

    def page(self, run_id: str) -> str:
        """Where the page of a run of this state folder is."""
        return str(site.docs_folder(self.options.state) / site.page_path({"run_id": run_id}))
