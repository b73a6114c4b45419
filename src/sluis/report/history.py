"""All runs of a state folder, a line each, at the cost of what is new.

The lines of runs that ended a while ago are kept together in one file. Several jobs write it, the last one wins, and
what it lacks is read again from the runs' own summaries; it may be lost or cut off at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from sluis.report import lines, records
from sluis.report.files import read_json, write_json
from sluis.report.lines import Line, Summary
from sluis.report.site import page_path, pages_folder

SETTLED = timedelta(hours=1)
"""A run's record is written again only while it ends; after this long its line is taken as final."""

_VERSION = 2

LastFailed = Mapping[str, Mapping[str, str]]
"""Entity → rule id → the last run in which the rule failed."""


@dataclass(frozen=True, kw_only=True)
class History:
    """What the runs of a state folder came to."""

    lines: tuple[Line, ...]
    """The runs, newest first."""

    last_failed: LastFailed = field(default_factory=dict)
    """When each rule failed last."""

    @cached_property
    def by_entity(self) -> dict[str, tuple[Line, ...]]:
        """The runs of each entity, newest first; entities by name."""
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            found.setdefault(line.entity, []).append(line)
        return {entity: tuple(found[entity]) for entity in sorted(found)}


def ids(state: Path) -> frozenset[tuple[str, str]]:
    """What there is: (which folder, run id). Names alone; two that are equal tell that nobody added a run meanwhile."""
    found = {
        "records": records.run_ids(state),
        "summaries": records.ids_in(lines.folder(state), ".json"),
        "pages": records.ids_in(pages_folder(state), ".html"),
    }
    return frozenset((what, run_id) for what, run_ids in found.items() for run_id in run_ids)


def read(state: Path, found: Iterable[tuple[str, str]], now: datetime | None = None) -> History:
    """The history of the runs of which something was found; keeps the lines that are final."""
    listed: dict[str, set[str]] = {"records": set(), "summaries": set(), "pages": set()}
    for what, run_id in found:
        listed[what].add(run_id)
    kept = _Kept.load(state)
    border = ((now or datetime.now(UTC)) - SETTLED).isoformat()
    fresh = {one: lines.load(state, one) for one in listed["summaries"] | listed["records"] if one not in kept.lines}
    settled = {one: fresh[one] for one in listed["summaries"] & fresh.keys() if _ended(fresh[one].line) < border}
    final = kept.with_runs(settled, only=listed["summaries"])
    if final != kept:
        final.save(state)
    known = {**final.lines, **{one: summary.line for one, summary in fresh.items()}}
    shown = [
        replace(
            known.get(one) or lines.without_record(one),
            page=page_path({"run_id": one}) if one in listed["pages"] else "",
        )
        for one in sorted(set().union(*listed.values()), reverse=True)
    ]
    return History(lines=tuple(shown), last_failed=_merged(final.last_failed, fresh.values()))


def forget(state: Path) -> None:
    """Drop what is kept together, so that the next reading takes all of it from the runs themselves."""
    _path(state).unlink(missing_ok=True)


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """The file that keeps lines together."""

    lines: Mapping[str, Line] = field(default_factory=dict)
    last_failed: LastFailed = field(default_factory=dict)

    @classmethod
    def load(cls, state: Path) -> _Kept:
        content: dict[str, Any] = read_json(_path(state)) or {}
        try:
            if content["version"] != _VERSION:
                return cls()
            known = {run_id: lines.read(line) for run_id, line in content["lines"].items()}
            return cls(lines=known, last_failed={entity: dict(at) for entity, at in content["last_failed"].items()})
        except (KeyError, TypeError, ValueError, AttributeError):
            return cls()

    def with_runs(self, summaries: Mapping[str, Summary], only: set[str]) -> _Kept:
        known = {**self.lines, **{run_id: summary.line for run_id, summary in summaries.items()}}
        return _Kept(
            lines={run_id: line for run_id, line in known.items() if run_id in only},
            last_failed=_merged(self.last_failed, summaries.values()),
        )

    def save(self, state: Path) -> None:
        known = {run_id: asdict(line) for run_id, line in sorted(self.lines.items())}
        write_json(_path(state), {"version": _VERSION, "lines": known, "last_failed": self.last_failed})


def _path(state: Path) -> Path:
    return state / "results" / "history.json"


def _ended(line: Line) -> str:
    """When a run ended, as text that compares; a run that does not tell is as old as its id."""
    stamp = line.run_id
    from_id = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:11]}:{stamp[11:13]}:{stamp[13:15]}"
    return line.finished or from_id


def _merged(before: LastFailed, summaries: Iterable[Summary]) -> LastFailed:
    merged = {entity: dict(at) for entity, at in before.items()}
    for summary in summaries:
        at = merged.setdefault(summary.line.entity, {})
        for rule in summary.failed:
            at[rule] = max(at.get(rule, ""), summary.line.run_id)
    return merged
