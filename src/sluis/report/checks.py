"""Runs as JUnit XML: a suite per entity, a case per rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from sluis.report.causes import beside_rules, of_rule
from sluis.report.junit import Case, Group, junit_of
from sluis.report.model import Rule, Run
from sluis.report.parse import parse

_OUTCOMES: dict[str, Literal["failure", "error", "skipped"]] = {
    "violated": "failure",
    "error": "error",
    "not_evaluated": "skipped",
}


def as_junit(records: Sequence[Mapping[str, Any]]) -> str:
    """The document of several runs. No value of the data is in it.

    Raises:
        BrokenRecord: one is no evidence object.
    """
    return junit_of("sluis", [_group(parse(record)) for record in records])


def _group(run: Run) -> Group:
    return Group(name=run.entity, cases=[*(_case(rule, run) for rule in run.rules), *_beside(run)], about=_times(run))


def _case(rule: Rule, run: Run) -> Case:
    group, note = f"{run.entity}.{rule.about or rule.kind}", rule.note or ""
    # A broken rule that rejects nothing is told, and fails no build.
    if rule.outcome not in _OUTCOMES or (rule.outcome == "violated" and rule.severity != "error"):
        told = "" if rule.outcome == "held" else f"{rule.severity}: {of_rule(rule)}"
        return Case(group=group, name=rule.id, text=told)
    text = "\n".join(filter(None, (rule.description, "" if rule.outcome == "error" else note)))
    return Case(group=group, name=rule.id, text=text, failure=of_rule(rule), outcome=_OUTCOMES[rule.outcome])


def _beside(run: Run) -> Iterator[Case]:
    """What kept the rows out and is no rule of the contract, so that a run that did not end well never looks green."""
    if reasons := list(beside_rules(run)):
        yield Case(
            group=run.entity,
            name=f"{run.entity}.{run.kind}",
            text="\n".join(reasons),
            failure=reasons[0],
            outcome="failure" if run.verdict == "REJECTED" else "error",
        )


def _times(run: Run) -> dict[str, str]:
    try:
        begun, ended = (datetime.fromisoformat(moment or "") for moment in (run.started, run.finished))
    except ValueError:
        return {}
    took = max(0.0, (ended - begun).total_seconds())
    return {"timestamp": begun.replace(tzinfo=None).isoformat(timespec="seconds"), "time": f"{took:.3f}"}
