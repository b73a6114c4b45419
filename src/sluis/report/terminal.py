"""A run in plain text: the summary on stdout and the lines that end a rejected run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from sluis.report import words
from sluis.report.model import Example, Run
from sluis.report.parse import parse

WIDTH = 80
SHOWN_EXAMPLES = 5
LONGEST_VALUE = 40

_SCHEMA_KINDS = {"columns", "header"}


def summary(evidence: Mapping[str, Any], *, every_rule: bool = False) -> str:
    """The run in a few lines of at most 80 columns.

    Args:
        evidence: The run's record.
        every_rule: Whether rules that hold, or were not checked, are named too.

    Raises:
        BrokenRecord: this is no evidence object.
    """
    run = parse(evidence)
    told = _summary(run, evidence.get("report"), every_rule)
    return "\n".join(line for text, indent in told for line in _wrapped(text, indent))


def table(records: Sequence[Mapping[str, Any]]) -> str:
    """Several runs, a line of at most 80 columns each.

    Raises:
        BrokenRecord: one is no evidence object.
    """
    runs = [parse(record) for record in records]
    widest = min(WIDTH - 47, max(cell_len(words.visible(run.entity)) for run in runs))
    return "\n".join(_row(run, widest) for run in runs)


def _row(run: Run, widest: int) -> str:
    name = words.visible(run.entity)
    name = name if cell_len(name) <= widest else _cut(name, widest - 1)[0] + "…"
    rows = f"{words.counted(run.rows, 'row') if run.rows is not None else '':>18}"
    padded = name + " " * (widest - cell_len(name))
    return f"  {words.verdict(run.verdict).mark} {padded}  {run.verdict:<22} {rows}".rstrip()


def failure_text(evidence: Mapping[str, Any]) -> list[str]:
    """What ends a run that wrote nothing: a heading, then one line per reason; empty for a good run.

    Raises:
        BrokenRecord: this is no evidence object.
    """
    run = parse(evidence)
    if run.verdict not in ("REJECTED", "ERROR"):
        return []
    broken = [rule for rule in run.failed if rule.severity == "error" and rule.outcome == "violated"]
    lines = [words.visible(rule.message) + _details(words.affected(rule), rule.examples) for rule in broken]
    if run.verdict == "ERROR" or not broken:
        lines += [words.visible(reason) for reason in run.reasons]
    return [_heading(run), *lines]


def _heading(run: Run) -> str:
    if run.verdict == "ERROR":
        return "Run failed:"
    kinds = {rule.kind for rule in run.failed if rule.severity == "error"}
    return "Schema validation failed:" if kinds and kinds <= _SCHEMA_KINDS else "Data contract validation failed:"


def _details(affected: str, examples: tuple[Example, ...]) -> str:
    shown = [_example(example) for example in examples[:SHOWN_EXAMPLES]]
    if len(examples) > SHOWN_EXAMPLES:
        shown.append("…")
    found = "; ".join(part for part in (affected, ", ".join(shown)) if part)
    return f" ({found})" if found else ""


def _example(example: Example) -> str:
    times = f" ×{example.count:,}" if example.count > 1 else ""
    if example.row is None:
        return _value(example.value) + times
    row = _clipped(words.visible(example.row))
    return row + times if example.value is None else f"{_value(example.value)}{times} in {row}"


def _value(value: str | None) -> str:
    if value is None:
        return "NULL"
    text = _clipped(words.visible(value))
    is_plain = bool(text) and text == text.strip() and not set(text) & set(',;"()')
    return text if is_plain else '"' + text.replace('"', '\\"') + '"'


def _clipped(text: str) -> str:
    return text if cell_len(text) <= LONGEST_VALUE else _cut(text, LONGEST_VALUE - 1)[0] + "…"


def _summary(run: Run, report: object, every_rule: bool) -> Iterator[tuple[str, int | None]]:
    """Lines of the summary, each with the indentation of what does not fit; None for paths, which stay whole."""
    verdict = words.verdict(run.verdict)
    dry = " (dry run)" if run.dry_run else ""
    version = f" version {run.version}" if run.version else ""
    yield f"{verdict.mark} {run.entity}: {run.verdict}{dry}", 2
    if run.contract:
        yield f"  Contract  {run.contract}{version}", 12
    if run.rows is not None:
        yield f"  Rows      {run.rows:,}", 12
    label = "Tested" if run.kind == "test" else "Written"
    for text in _tested(run) if run.kind == "test" else _written(run):
        yield f"  {label:<10}{text}", 12
        label = ""
    if run.kept_out:
        yield f"  Kept out  {words.counted(run.kept_out, 'row')}, in {run.quarantine}", 12
    if run.receipt and run.receipt.location:
        yield f"  Table     {run.receipt.location}", None
    yield from ((f"  Why       {reason}", 12) for reason in run.reasons)
    yield from ((f"  Note      {notice}", 12) for notice in run.notices)
    yield f"  Rules     {len(run.failed)} failed, {len(run.unjudged)} not checked, {len(run.held)} hold", 12
    for rule in run.failed:
        affected = words.affected(rule)
        yield f"    {rule.severity}: {rule.message}" + (f" ({affected})" if affected else ""), 6
        yield from ((f"      {_example(example)}", 8) for example in rule.examples[:SHOWN_EXAMPLES])
        if len(rule.examples) > SHOWN_EXAMPLES:
            yield f"      and {words.counted(len(rule.examples) - SHOWN_EXAMPLES, 'more value')}", 8
    if every_rule:
        yield from ((f"    not checked: {rule.description}", 6) for rule in run.unjudged)
        yield from ((f"    holds: {rule.description}", 6) for rule in run.held)
    if isinstance(report, str) and report:
        yield f"  Report    {report}", None


def _tested(run: Run) -> Iterator[str]:
    for source in run.sources:
        yield source.path if source.version is None else f"{source.path}, version {source.version}"


def _written(run: Run) -> Iterator[str]:
    receipt = run.receipt
    if receipt is None:
        yield "nothing"
        return
    before = "new table" if receipt.version_before is None else f"version {receipt.version_before}"
    again = " (already there, not written again)" if receipt.already_written else ""
    yield f"{receipt.table}, {receipt.mode}, {before} → {words.number(receipt.version_after)}{again}"
    parts = ((receipt.rows_written, "written"), (receipt.rows_inserted, "inserted"), (receipt.rows_updated, "updated"))
    yield ", ".join(f"{count:,} {what}" for count, what in parts if count is not None)


def _wrapped(text: str, indent: int | None) -> Iterator[str]:
    """A text in lines of at most WIDTH cells; a single word that is longer is cut where the line ends."""
    line = words.visible(text)
    if indent is None:
        yield line
        return
    while cell_len(line) > WIDTH:
        head, tail = _cut(line, WIDTH)
        space = head.rstrip().rfind(" ")
        if not tail.startswith(" ") and space > indent and head[:space].strip():
            head, tail = head[:space], head[space:] + tail
        yield head.rstrip()
        line = " " * indent + tail.lstrip()
    yield line.rstrip()


def _cut(text: str, cells: int) -> tuple[str, str]:
    """The part of a text that fits in so many cells, and the rest."""
    used = 0
    for place, char in enumerate(text):
        used += cell_len(char)
        if used > cells:
            return text[:place], text[place:]
    return text, ""
