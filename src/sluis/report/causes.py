"""Why a run failed, without a value of the data: for places that fewer people guard than the report."""

from __future__ import annotations

from collections.abc import Iterator

from sluis.report import words
from sluis.report.model import Rule, Run


def causes(run: Run) -> Iterator[str]:
    """What kept the rows out of the table, a line each; nothing for a run that passed."""
    blocking = [rule for rule in run.rules if rule.severity == "error"]
    yield from (of_rule(rule) for rule in blocking if rule.outcome == "violated")
    yield from (of_rule(rule) for rule in blocking if rule.outcome == "error")
    yield from beside_rules(run)


def of_rule(rule: Rule) -> str:
    """What is wrong with a rule that does not hold, and in how many rows."""
    if rule.outcome == "error":
        # What the engine said about it may quote a row.
        return f"Could not be run: {rule.description}"
    if rule.outcome == "not_evaluated":
        return f"Not checked: {rule.description}"
    affected = words.affected(rule)
    return rule.message + (f" ({affected})" if affected else "")


def beside_rules(run: Run) -> Iterator[str]:
    """Causes that are no rule of the contract: what the table refused, what failed around the data."""
    if run.refusal:
        yield run.refusal
    elif run.verdict == "ERROR" and not any(rule.outcome == "error" for rule in run.rules):
        yield from run.reasons
    elif run.verdict == "REJECTED" and not any(rule.outcome == "violated" for rule in run.rules):
        yield from (of_rule(rule) for rule in run.unjudged)
