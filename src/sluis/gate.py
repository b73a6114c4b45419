"""The gate: run a checkpoint, decide the verdict from our per-rule results, act on it. Fails closed.

GX calls the two actions that the checkpoint names. What they do is bound for one run by `pipeline`, under the run's
name; a run that plain GX started has nothing bound, so the action asks for a binding for the entity it names.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from great_expectations.checkpoint.actions import ActionContext, ValidationAction
from great_expectations.checkpoint.checkpoint import CheckpointResult
from great_expectations.core.run_identifier import RunIdentifier

from sluis.errors import SuiteError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Verdict = Literal["PASSED", "PASSED_WITH_WARNINGS", "REJECTED", "ERROR"]
Outcome = Literal["held", "violated", "not_evaluated", "error"]


@dataclass(frozen=True, kw_only=True)
class RuleResult:
    """What became of one rule."""

    id: str
    """The rule."""

    kind: str
    """Its kind."""

    severity: str
    """`error`, `warning` or `info`."""

    columns: tuple[str, ...]
    """The columns it is about; empty for rules about the file."""

    message: str
    """What a violation is called."""

    description: str
    """The demand, for a business person."""

    sensitive: bool
    """Whether values of its columns may not be shown."""

    outcome: Outcome
    """Whether the data kept it, broke it, or it could not be judged."""

    unexpected: int = 0
    """Rows (or files, or columns) that break it."""

    evaluated: int = 0
    """Rows that were looked at."""

    examples: tuple[Mapping[str, Any], ...] = ()
    """Failing values with counts; none for sensitive columns."""

    messages: tuple[str, ...] = ()
    """What exactly is wrong, where the rule can say more than its message."""

    note: str | None = None
    """Why it could not be judged, or what else there is to know."""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What the gate decided about one run."""

    verdict: Verdict
    """Whether the data may pass."""

    reasons: tuple[str, ...]
    """Why not, a line each; empty when it may."""

    results: tuple[RuleResult, ...]
    """Every rule's result, in the order of the suite."""

    rows: int | None
    """Rows read; None when that is not known."""

    checksum: str | None
    """Of every text value read; None when that is not known."""

    @property
    def may_write(self) -> bool:
        """Whether the table may be written."""
        return self.verdict in ("PASSED", "PASSED_WITH_WARNINGS")


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """What the contract compiles to: the measure of what was evaluated."""

    suite: Mapping[str, Any]
    """The suite for landing text."""

    files_in_reach: bool = True
    """Whether landing read the frame, so that rules about files must be judged too."""


class Binding(Protocol):
    """What the two actions do in one run."""

    @property
    def compiled(self) -> Compiled:
        """What must have been evaluated."""

    def refine(self, result: RuleResult) -> RuleResult:
        """Look closer at a broken rule, where the files can say more than the frame."""

    def write(self, judgement: Judgement) -> None:
        """Write the table if the judgement lets it; failures are recorded, not raised."""

    def publish(self, build: Callable[[Sequence[Any]], Any]) -> None:
        """Keep the evidence and have the report built, of the pages that it names."""

    def conclude(self, *, looks_good: bool) -> Any:
        """End a run that plain GX started; raises where GX's own result looks good and the table was not written."""


_bindings: dict[str, Binding] = {}
_one_checkpoint_at_a_time = threading.RLock()
"""GX resolves stores through a process-wide current context: two contexts at once would read each other's."""

bind_for_entity: Callable[[str, Path], Binding] | None = None
"""How a run that plain GX started gets its binding; set by `sluis.gx`."""


@contextmanager
def bound(run_name: str, binding: Binding) -> Iterator[None]:
    """Let the actions of the run of this name do what `binding` says."""
    _bindings[run_name] = binding
    try:
        yield
    finally:
        _bindings.pop(run_name, None)


def run(folder: Path, state: Path, checkpoint: str, run_name: str, frame: DataFrame, binding: Binding) -> None:
    """Run a checkpoint of the project in `folder` on a frame; its actions end up in `binding`.

    Raises:
        SuiteError: the project, the checkpoint or its suite cannot be loaded.
    """
    with _one_checkpoint_at_a_time, bound(run_name, binding), _state_is(state):
        try:
            loaded = _context(folder).checkpoints.get(checkpoint)
        except Exception as error:
            raise SuiteError(
                f"The checkpoint {checkpoint} cannot be loaded: {error}", hint="run `sluis generate`."
            ) from error
        loaded.run(batch_parameters={"dataframe": frame}, run_id=RunIdentifier(run_name=run_name))


def build_docs(folder: Path, state: Path, keys: Sequence[Any] = ()) -> None:
    """Build the pages of these validation results and the index; without any, all pages."""
    with _one_checkpoint_at_a_time, _state_is(state):
        _context(folder).build_data_docs(resource_identifiers=list(keys) or None)


@contextmanager
def _state_is(state: Path) -> Iterator[None]:
    """Let GX's configuration find the state folder; the next project in this process may have another."""
    before = os.environ.get("SLUIS_STATE")
    os.environ["SLUIS_STATE"] = str(state)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("SLUIS_STATE", None)
        else:
            os.environ["SLUIS_STATE"] = before


def _context(folder: Path) -> Any:
    import great_expectations as gx

    import sluis.suite.expectations  # noqa: F401  registers our expectations and datasource

    return gx.get_context(context_root_dir=str(folder))


def judge(result: CheckpointResult, binding: Binding) -> Judgement:
    """Decide from what GX evaluated; anything that was not evaluated as compiled is an ERROR."""
    wanted = {expectation["id"]: expectation for expectation in binding.compiled.suite["expectations"]}
    if len(result.run_results) != 1:
        return _broken(f"{len(result.run_results)} validation results, where one was expected")
    validation = next(iter(result.run_results.values()))
    found = {str(one.expectation_config.id): one for one in validation.results if one.expectation_config}
    if not wanted or set(found) != set(wanted) or len(validation.results) != len(wanted):
        return _broken(f"{len(validation.results)} rules were evaluated, where the contract has {len(wanted)}")
    if others := [wanted[key]["kwargs"]["rule"] for key in wanted if not _as_compiled(wanted[key], found[key])]:
        return _broken(f"{', '.join(others)} was evaluated otherwise than the contract says")
    results = tuple(_result(wanted[key], found[key]) for key in wanted)
    results = tuple(binding.refine(one) if one.outcome == "violated" else one for one in results)
    observed = _observed(found.values())
    return _decide(results, observed, binding.compiled.files_in_reach)


def _decide(results: Sequence[RuleResult], observed: Mapping[str, Any], files_in_reach: bool) -> Judgement:
    broken = [one for one in results if one.outcome == "error"]
    rejecting = [one for one in results if one.severity == "error" and _rejects(one, files_in_reach)]
    warned = [one for one in results if one.severity == "warning" and one.outcome != "held"]
    warned += [one for one in results if one.severity == "error" and _out_of_reach(one)]
    verdict: Verdict = "PASSED_WITH_WARNINGS" if warned else "PASSED"
    reasons: tuple[str, ...] = ()
    if rejecting:
        told = tuple(line for one in rejecting for line in lines(one))
        verdict, reasons = "REJECTED", told or tuple(f"Not checked: {one.description}" for one in rejecting)
    if broken:
        verdict, reasons = "ERROR", tuple(sorted({one.note or one.message for one in broken}))
    if not results or ("rows" not in observed and not broken):
        return _broken("the number of rows was not counted")
    return Judgement(
        verdict=verdict,
        reasons=reasons,
        results=tuple(results),
        rows=observed.get("rows"),
        checksum=observed.get("checksum"),
    )


def lines(result: RuleResult) -> tuple[str, ...]:
    """What a broken rule is called, a line each."""
    if result.outcome == "not_evaluated":
        return ()
    return result.messages or (result.message,)


_FILE_KINDS = frozenset({"header", "row_shape", "encoding"})


def _out_of_reach(result: RuleResult) -> bool:
    """Whether a rule is about another table that nobody can look at: the rows are not to blame for that."""
    return result.outcome == "not_evaluated" and result.kind == "relationship"


def _rejects(result: RuleResult, files_in_reach: bool) -> bool:
    if _out_of_reach(result):
        return False
    if result.outcome == "not_evaluated" and result.kind in _FILE_KINDS:
        return files_in_reach
    return result.outcome != "held"


def _broken(reason: str) -> Judgement:
    return Judgement(verdict="ERROR", reasons=(reason,), results=(), rows=None, checksum=None)


def _as_compiled(wanted: Mapping[str, Any], found: Any) -> bool:
    """Whether what was evaluated is what was compiled; GX adds the batch, and may leave out what is None."""
    config = found.expectation_config
    evaluated = {key: value for key, value in config.kwargs.items() if key != "batch_id" and value is not None}
    compiled = {key: value for key, value in wanted["kwargs"].items() if value is not None}
    return bool(config.type == wanted["type"] and evaluated == compiled)


_SEVERITY: dict[str, str] = {"critical": "error", "warning": "warning", "info": "info"}


def _result(wanted: Mapping[str, Any], found: Any) -> RuleResult:
    meta = wanted["meta"]
    result = RuleResult(
        id=wanted["kwargs"]["rule"],
        kind=meta["kind"],
        severity=_SEVERITY[wanted["severity"]],
        columns=tuple(meta["columns"]),
        message=meta["message"],
        description=wanted["description"],
        sensitive=meta["sensitive"],
        outcome="error",
    )
    details = found.result.get("details") if found.result else None
    raised = bool((found.exception_info or {}).get("raised_exception"))
    if raised or not isinstance(details, dict) or found.success != _succeeds(details):
        return replace(result, note=_exception(found.exception_info) or "the expectation gave no result")
    return replace(
        result,
        outcome=details["outcome"],
        unexpected=details["unexpected"],
        evaluated=details["evaluated"],
        examples=tuple(details["examples"]),
        messages=tuple(details.get("messages", ())),
        note=details.get("note"),
    )


def _succeeds(details: Mapping[str, Any]) -> bool:
    """What GX must have made of a result: of a caller's own frame it is no failure that its files are unknown."""
    return details["outcome"] == "held" or bool(details.get("out_of_reach"))


def _exception(info: Any) -> str | None:
    """The message of an exception that GX recorded; it keeps one, or one per metric."""
    if not isinstance(info, dict):
        return None
    shapes = [info, *(inner for inner in info.values() if isinstance(inner, dict))]
    return next((str(one["exception_message"]) for one in shapes if one.get("exception_message")), None)


def _observed(found: Any) -> Mapping[str, Any]:
    for one in found:
        details = (one.result or {}).get("details")
        if isinstance(details, dict) and details.get("observed"):
            observed: Mapping[str, Any] = details["observed"]
            return observed
    return {}


class DeltaWriteAction(ValidationAction):
    """Write the target if, and only if, the contract held."""

    type: Literal["sluis_delta_write"] = "sluis_delta_write"
    entity: str

    def run(self, checkpoint_result: CheckpointResult, action_context: ActionContext | None = None) -> dict[str, Any]:
        """Judge and write; a failure of the write is recorded, so that the report shows it."""
        binding = self._binding(checkpoint_result)
        judgement = judge(checkpoint_result, binding)
        binding.write(judgement)
        return {"binding": binding}

    def _binding(self, result: CheckpointResult) -> Binding:
        if bound_here := _bindings.get(result.run_id.run_name or ""):
            return bound_here
        if bind_for_entity is None:
            raise SuiteError("Nothing is bound for this run.", hint="`import sluis.gx` before running a checkpoint.")
        return bind_for_entity(self.entity, Path(str(self._resolve_context().context.root_directory)))


class PublishDocsAction(ValidationAction):
    """Keep the evidence and build the report; runs after the write, so that it shows the receipt."""

    type: Literal["sluis_publish_docs"] = "sluis_publish_docs"
    entity: str

    def run(self, checkpoint_result: CheckpointResult, action_context: ActionContext | None = None) -> dict[str, Any]:
        """Publish what happened."""
        earlier = action_context.data if action_context else []
        bindings = [told["binding"] for action, told in earlier if isinstance(action, DeltaWriteAction)]
        if not bindings:
            raise SuiteError("Nothing was decided before the report.", hint="run `sluis generate`.")
        binding: Binding = bindings[0]
        context = self._resolve_context().context
        binding.publish(lambda pages: context.build_data_docs(resource_identifiers=list(pages)))
        if (checkpoint_result.run_id.run_name or "") not in _bindings:
            binding.conclude(looks_good=bool(checkpoint_result.success))
        return {}
