"""Landing files under the old and under the new contract: which rules would newly fail, and on how many rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluis import landing
from sluis.contract.diff import paired
from sluis.contract.model import Contract
from sluis.suite.compile import specs, suites
from sluis.suite.judge import judge

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Results = Mapping[str, Mapping[str, Any]]
"""Rule → what became of it."""

FAILED = ("violated", "error")


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A rule that fails under the new contract, and under the old one did not or on fewer rows."""

    rule: str
    """Its id."""

    severity: str
    """What it leads to."""

    message: str
    """What is wrong."""

    unexpected: int
    """Rows (or files, or columns) that break it."""

    evaluated: int
    """Rows that were looked at."""

    is_new: bool
    """Whether the old contract has no such rule."""


@dataclass(frozen=True, kw_only=True)
class Replay:
    """One landing file under both contracts."""

    file: str
    """The file, folder or glob, as the user named it."""

    rows: int
    """Rows read."""

    passed_before: bool
    """Whether the old contract lets it through."""

    passes_now: bool
    """Whether the new contract lets it through."""

    failures: tuple[Failure, ...]
    """What newly fails."""


def replay(spark: SparkSession, file: str, old: Contract, new: Contract, options: Mapping[str, object]) -> Replay:
    """Judge a landing file twice.

    Args:
        spark: The session, settled.
        file: A file, folder or glob.
        old: The contract as it was.
        new: The contract as it is.
        options: How the file is read.

    Raises:
        SourceError: there is nothing to read.
    """
    before, after = (_judged(spark, file, contract, options) for contract in (old, new))
    twins = {now.id: was for was, now in paired(old.rules, new.rules) if now is not None}
    messages = _messages(new)
    failures = [
        Failure(
            rule=rule.id,
            severity=rule.severity,
            message="; ".join(result.get("messages") or ()) or result.get("note") or messages[rule.id],
            unexpected=result["unexpected"],
            evaluated=result["evaluated"],
            is_new=(twin := twins[rule.id]) is None,
        )
        for rule in new.rules
        if (result := after[rule.id])["outcome"] in FAILED
        and not ((twin := twins[rule.id]) is not None and _failed_as_much(before[twin.id], result))
    ]
    counted = next((result["observed"]["rows"] for result in after.values() if "observed" in result), 0)
    return Replay(
        file=file,
        rows=counted,
        passed_before=_passes(old, before),
        passes_now=_passes(new, after),
        failures=tuple(failures),
    )


def _failed_as_much(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return before["outcome"] in FAILED and before["unexpected"] >= now["unexpected"]


def _judged(spark: SparkSession, file: str, contract: Contract, options: Mapping[str, object]) -> Results:
    columns = [column.name for column in contract.columns]
    frame = landing.read(spark, file, columns=columns, options=options).frame
    return judge(frame, specs(suites(contract, contract.object)[0]))


def _messages(contract: Contract) -> dict[str, str]:
    suite, _ = suites(contract, contract.object)
    return {each["kwargs"]["rule"]: each["meta"]["message"] for each in suite["expectations"]}


def _passes(contract: Contract, results: Results) -> bool:
    return not any(results[rule.id]["outcome"] in FAILED for rule in contract.rules if rule.severity == "error")
