"""The runs of a state folder: which there are, and one line about each.

The lines are kept in a file beside the records, so that an index of many runs reads only what is new.
That file may be lost or broken at any time: it is made again from the records.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from sluis.report.model import Run
from sluis.report.parse import BrokenRecord, parse
from sluis.report.site import RUN_ID, entity_of

_CACHE_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Line:
    """One run, as the index shows it."""

    run_id: str
    """The run's id."""

    entity: str
    """The line of work."""

    verdict: str = ""
    """As in the evidence; empty when there is no readable evidence."""

    contract: str = ""
    """The contract's name."""

    version: str = ""
    """The contract's version."""

    started: str | None = None
    """When the run began (ISO 8601, UTC)."""

    source: str = ""
    """What was read."""

    rows: int | None = None
    """How many rows were read."""

    failed: int = 0
    """How many rules failed, of any severity."""

    dry_run: bool = False
    """Whether writing was left out on purpose."""

    problem: str = ""
    """Why there is no verdict to show."""

    page: str = ""
    """The run's page, relative to the site's folder; empty when there is none."""


def folder(state: Path) -> Path:
    """Where the records are."""
    return state / "results" / "runs"


def read(path: Path) -> Run:
    """The run that a record tells about.

    Raises:
        BrokenRecord: the file is no record of the run it is named after.
        FileNotFoundError: there is none.
    """
    try:
        run = parse(json.loads(path.read_bytes()))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BrokenRecord(f"not readable as JSON ({type(error).__name__})") from error
    if run.run_id != path.stem:
        raise BrokenRecord("it is the record of another run")
    return run


def run_ids(state: Path) -> list[str]:
    """Ids of all recorded runs, newest first."""
    return ids_in(folder(state), ".json")


def ids_in(place: Path, suffix: str) -> list[str]:
    """Run ids that have a file in a folder, newest first (ids sort by time)."""
    try:
        names = os.listdir(place)
    except FileNotFoundError:
        return []
    stems = (name.removesuffix(suffix) for name in names if name.endswith(suffix))
    return sorted((stem for stem in stems if RUN_ID.fullmatch(stem)), reverse=True)


def newest(ids: list[str], limit: int) -> list[str]:
    """The newest runs, and in any case the newest one of each entity."""
    seen: set[str] = set()
    chosen = []
    for place, run_id in enumerate(ids):
        entity = entity_of(run_id)
        if place < limit or entity not in seen:
            chosen.append(run_id)
        seen.add(entity)
    return chosen


def lines(state: Path, ids: list[str]) -> list[Line]:
    """One line for each of these runs, in their order; a record that is gone gets none."""
    known = _cached(state)
    shown: list[Line] = []
    kept: dict[str, dict[str, Any]] = {}
    for run_id in ids:
        try:
            seen = (folder(state) / f"{run_id}.json").stat()
        except FileNotFoundError:
            continue
        stamp = [seen.st_size, seen.st_mtime_ns]
        entry = known.get(run_id, {})
        line = _cached_line(entry, stamp) or _line(state, run_id)
        kept[run_id] = entry if entry.get("stamp") == stamp else {"stamp": stamp, "line": asdict(line)}
        shown.append(line)
    if kept != known:
        write_whole(_cache(state), json.dumps({"version": _CACHE_VERSION, "runs": kept}).encode())
    return shown


def without_record(run_id: str) -> Line:
    """The line of a run that has a page and no record."""
    return Line(run_id=run_id, entity=entity_of(run_id), problem="There is no record of this run.")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{uuid4().hex}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _line(state: Path, run_id: str) -> Line:
    try:
        run = read(folder(state) / f"{run_id}.json")
    except (BrokenRecord, FileNotFoundError) as error:
        problem = str(error) if isinstance(error, BrokenRecord) else "it is gone"
        return Line(run_id=run_id, entity=entity_of(run_id), problem=f"The record of this run is broken: {problem}.")
    return Line(
        run_id=run.run_id,
        entity=run.entity,
        verdict=run.verdict,
        contract=run.contract,
        version=run.version,
        started=run.started,
        source=run.source or (run.sources[0].path if run.sources else ""),
        rows=run.rows,
        failed=len(run.failed),
        dry_run=run.dry_run,
    )


def _cache(state: Path) -> Path:
    return state / "results" / "runs-index.json"


def _cached(state: Path) -> dict[str, dict[str, Any]]:
    try:
        content = json.loads(_cache(state).read_bytes())
        runs = content["runs"] if content["version"] == _CACHE_VERSION else {}
        return {run_id: entry for run_id, entry in runs.items() if isinstance(entry, dict)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _cached_line(entry: dict[str, Any], stamp: list[int]) -> Line | None:
    try:
        return Line(**entry["line"]) if entry["stamp"] == stamp else None
    except (KeyError, TypeError):
        return None
