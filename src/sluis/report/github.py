"""What GitHub Actions shows of runs: annotations (workflow commands) and the summary of the step.

No value of the data is in either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sluis.report import words
from sluis.report.causes import beside_rules, of_rule
from sluis.report.markdown import escaped
from sluis.report.model import Rule, Run
from sluis.report.parse import parse

MOST = 10
"""Annotations of one kind that GitHub keeps of a step."""

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def commands(record: Mapping[str, Any], file: str) -> list[str]:
    """A workflow command per rule that does not hold, at the contract's document.

    Args:
        record: The run's evidence.
        file: The contract's document, relative to the repository.

    Raises:
        BrokenRecord: it is none.
    """
    return list(_commands(parse(record), file))[:MOST]


def _commands(run: Run, file: str) -> Iterator[str]:
    for rule in run.failed:
        level = "warning" if rule.outcome == "quarantined" else _LEVELS.get(rule.severity, "error")
        at = f"\n{rule.place}" if rule.place else ""
        yield _command(level, file, f"{run.entity}: {rule.id}", of_rule(rule) + at)
    yield from (_command("error", file, run.entity, reason) for reason in beside_rules(run))


def _command(level: str, file: str, title: str, message: str) -> str:
    return f"::{level} file={_property(file)},title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    """As the runner reads a message: these three alone are encoded."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(records: Sequence[Mapping[str, Any]]) -> str:
    """The runs as Markdown: a table, then what is wrong. No text of a contract is read as Markdown or HTML.

    Raises:
        BrokenRecord: one is no evidence object.
    """
    return "\n".join(_lines([parse(record) for record in records])) + "\n"


def _lines(runs: Sequence[Run]) -> Iterator[str]:
    yield "### Sluis"
    yield ""
    yield "| | entity | verdict | rows | failed rules |"
    yield "|---|---|---|---:|---:|"
    for run in runs:
        verdict = words.verdict(run.verdict)
        rows = words.number(run.rows) if run.rows is not None else "–"
        yield f"| {verdict.mark} | {escaped(run.entity)} | {escaped(verdict.word)} | {rows} | {len(run.failed)} |"
    for run in runs:
        told = [_told(rule) for rule in run.failed] + [escaped(reason) for reason in beside_rules(run)]
        if told:
            yield f"\n**{escaped(run.entity)}**\n"
            yield from (f"- {line}" for line in told[:50])
            if len(told) > 50:
                yield f"- … and {len(told) - 50:,} more"


def _told(rule: Rule) -> str:
    return f"{rule.severity}: {escaped(of_rule(rule))} ({escaped(rule.id)})"
