"""What GX evaluated → the verdict, rule by rule. Fails closed: what was not evaluated as compiled is an ERROR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from great_expectations.checkpoint.checkpoint import CheckpointResult

Verdict = Literal["PASSED", "PASSED_WITH_WARNINGS", "PASSED_WITH_QUARANTINE", "REJECTED", "ERROR"]
Outcome = Literal["held", "violated", "quarantined", "not_evaluated", "error"]


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

    place: str
    """Where the contract's document demands it (`$.columns[1].nullable`)."""

    outcome: Outcome
    """Whether the data kept it, broke it, broke it in rows that are kept out, or it could not be judged."""

    unexpected: int = 0
    """Rows (or files, or columns) that break it."""

    evaluated: int = 0
    """Rows that were looked at."""

    examples: tuple[Mapping[str, Any], ...] = ()
    """Failing values with counts; for sensitive columns only the keys of rows, where these may be shown."""

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

    kept_out: int = 0
    """How many of the rows break rules and are kept out of the table."""

    @property
    def may_write(self) -> bool:
        """Whether the table may be written."""
        return self.verdict in ("PASSED", "PASSED_WITH_WARNINGS", "PASSED_WITH_QUARANTINE")

    @property
    def by_rule(self) -> dict[str, int]:
        """Rule → how many of the rows that are kept out break it."""
        return {one.id: one.unexpected for one in self.results if one.outcome == "quarantined"}


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """What the contract compiles to: the measure of what was evaluated."""

    suite: Mapping[str, Any]
    """The suite for landing text."""

    files_in_reach: bool = True
    """Whether landing read the frame, so that rules about files must be judged too."""


def judge(result: CheckpointResult, compiled: Compiled, refine: Callable[[RuleResult], RuleResult]) -> Judgement:
    """Decide from what GX evaluated; anything that was not evaluated as compiled is an ERROR.

    Args:
        result: What GX evaluated.
        compiled: What it should have been.
        refine: Looks closer at a broken rule, where the files can say more than the frame.
    """
    wanted = {expectation["id"]: expectation for expectation in compiled.suite["expectations"]}
    if len(result.run_results) != 1:
        return _broken(f"{len(result.run_results)} validation results, where one was expected")
    validation = next(iter(result.run_results.values()))
    found = {str(one.expectation_config.id): one for one in validation.results if one.expectation_config}
    if not wanted or set(found) != set(wanted) or len(validation.results) != len(wanted):
        return _broken(f"{len(validation.results)} rules were evaluated, where the contract has {len(wanted)}")
    if others := [wanted[key]["kwargs"]["rule"] for key in wanted if not _as_compiled(wanted[key], found[key])]:
        return _broken(f"{', '.join(others)} was evaluated otherwise than the contract says")
    results = tuple(_result(wanted[key], found[key]) for key in wanted)
    return _decide(results, _observed((one.result or {}).get("details") for one in found.values()), compiled, refine)


def judge_again(
    found: Mapping[str, Mapping[str, Any]], compiled: Compiled, refine: Callable[[RuleResult], RuleResult]
) -> Judgement:
    """Decide from what we evaluated ourselves, on a part of the rows that GX had evaluated.

    Args:
        found: Rule → its result.
        compiled: What must have been evaluated.
        refine: As for `judge`.
    """
    wanted = {expectation["kwargs"]["rule"]: expectation for expectation in compiled.suite["expectations"]}
    if set(found) != set(wanted):
        return _broken(f"{len(found)} rules were evaluated again, where the contract has {len(wanted)}")
    results = tuple(_told(_undecided(wanted[rule]), found[rule]) for rule in wanted)
    return _decide(results, _observed(found.values()), compiled, refine)


def rejecting(results: Sequence[RuleResult], compiled: Compiled) -> tuple[RuleResult, ...]:
    """The rules that are the reason why the data may not pass."""
    return tuple(one for one in results if one.severity == "error" and _rejects(one, compiled.files_in_reach))


def _decide(
    evaluated: Sequence[RuleResult],
    observed: Mapping[str, Any],
    compiled: Compiled,
    refine: Callable[[RuleResult], RuleResult],
) -> Judgement:
    results = tuple(refine(one) if one.outcome == "violated" else one for one in evaluated)
    broken = [one for one in results if one.outcome == "error"]
    blocking = rejecting(results, compiled)
    warned = [one for one in results if one.severity == "warning" and one.outcome != "held"]
    warned += [one for one in results if one.severity == "error" and _out_of_reach(one)]
    verdict: Verdict = "PASSED_WITH_WARNINGS" if warned else "PASSED"
    reasons: tuple[str, ...] = ()
    if blocking:
        told = tuple(line for one in blocking for line in lines(one))
        verdict, reasons = "REJECTED", told or tuple(f"Not checked: {one.description}" for one in blocking)
    if broken:
        verdict, reasons = "ERROR", tuple(sorted({one.note or one.message for one in broken}))
    if not results or ("rows" not in observed and not broken):
        return _broken("the number of rows was not counted")
    return Judgement(
        verdict=verdict,
        reasons=reasons,
        results=results,
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
    """Whether a rule is about another table or a history that nobody can look at: the rows are not to blame for it."""
    return result.outcome == "not_evaluated" and result.kind in ("relationship", "written")


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


def _undecided(wanted: Mapping[str, Any]) -> RuleResult:
    meta = wanted["meta"]
    return RuleResult(
        id=wanted["kwargs"]["rule"],
        kind=meta["kind"],
        severity=_SEVERITY[wanted["severity"]],
        columns=tuple(meta["columns"]),
        message=meta["message"],
        description=wanted["description"],
        sensitive=meta["sensitive"],
        place=meta["place"],
        outcome="error",
    )


def _result(wanted: Mapping[str, Any], found: Any) -> RuleResult:
    result = _undecided(wanted)
    details = found.result.get("details") if found.result else None
    raised = bool((found.exception_info or {}).get("raised_exception"))
    if raised or not isinstance(details, dict) or found.success != _succeeds(details):
        return replace(result, note=_exception(found.exception_info) or "the expectation gave no result")
    return _told(result, details)


def _told(result: RuleResult, details: Mapping[str, Any]) -> RuleResult:
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


def _observed(found: Iterable[Any]) -> Mapping[str, Any]:
    for details in found:
        if isinstance(details, dict) and details.get("observed"):
            observed: Mapping[str, Any] = details["observed"]
            return observed
    return {}
