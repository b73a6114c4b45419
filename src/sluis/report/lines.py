"""One run in a line: what overviews show of it, and the small file beside its record that holds it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sluis.report import records, words
from sluis.report.files import read_json, write_json
from sluis.report.model import Run
from sluis.report.site import entity_of


@dataclass(frozen=True, kw_only=True)
class Line:
    """One run, as overviews show it."""

    run_id: str
    """The run's id."""

    entity: str
    """The line of work."""

    kind: str = "run"
    """As in the evidence."""

    verdict: str = ""
    """As in the evidence; empty when there is no readable evidence."""

    contract: str = ""
    """The contract's name."""

    version: str = ""
    """The contract's version."""

    edition: str = ""
    """What the contract is kept under (`Run.edition`)."""

    started: str | None = None
    """When the run began (ISO 8601, UTC)."""

    finished: str | None = None
    """When it ended."""

    source: str = ""
    """What was read."""

    rows: int | None = None
    """How many rows were read."""

    failed: int = 0
    """How many rules failed, of any severity."""

    dry_run: bool = False
    """Whether writing was left out on purpose."""

    table: str = ""
    """The table that was written; empty where nothing was."""

    table_version: int | None = None
    """Its Delta version after the write."""

    problem: str = ""
    """Why there is no verdict to show."""

    page: str = ""
    """The run's page, relative to the site's folder; empty when there is none."""

    @property
    def is_good(self) -> bool:
        """Whether this run let its rows into the table."""
        return self.kind == "run" and not self.dry_run and words.verdict(self.verdict).passes

    @property
    def is_bad(self) -> bool:
        """Whether this run kept its rows out, or failed."""
        return bool(self.verdict) and not words.verdict(self.verdict).passes


_KNOWN = {field.name for field in fields(Line)}


def line_of(run: Run) -> Line:
    """A run in a line."""
    written = run.receipt
    return Line(
        run_id=run.run_id,
        entity=run.entity,
        kind=run.kind,
        verdict=run.verdict,
        contract=run.title or run.contract,
        version=run.version,
        edition=run.edition,
        started=run.started,
        finished=run.finished,
        source=run.source or (run.sources[0].path if run.sources else ""),
        rows=run.rows,
        failed=len(run.failed),
        dry_run=run.dry_run,
        table=written.table if written else "",
        table_version=written.version_after if written else None,
    )


def without_record(run_id: str) -> Line:
    """The line of a run of which there is no whole record."""
    return Line(run_id=run_id, entity=entity_of(run_id), problem="There is no readable record of this run.")


def read(content: object) -> Line:
    """A line from its JSON; what a later version added is left out.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(content, dict):
        raise TypeError("no object")
    return Line(**{key: value for key, value in content.items() if key in _KNOWN})


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A run's line and which of its rules failed."""

    line: Line
    """The line."""

    failed: tuple[str, ...]
    """The ids of the rules that failed."""


def folder(state: Path) -> Path:
    """Where the summaries are."""
    return state / "results" / "summaries"


def save(state: Path, run: Run) -> None:
    """Keep a run's summary: the sign that its page is whole, so it is written after that."""
    failed = sorted(rule.id for rule in run.failed)
    write_json(folder(state) / f"{run.run_id}.json", {"line": asdict(line_of(run)), "failed": failed})


def load(state: Path, run_id: str) -> Summary:
    """A run's summary; of one that was cut off, what its record tells."""
    content: dict[str, Any] = read_json(folder(state) / f"{run_id}.json") or {}
    try:
        return Summary(line=read(content.get("line")), failed=tuple(map(str, content["failed"])))
    except (TypeError, KeyError):
        run = records.find(state, run_id)
        if run is None:
            return Summary(line=without_record(run_id), failed=())
        return Summary(line=line_of(run), failed=tuple(rule.id for rule in run.failed))
