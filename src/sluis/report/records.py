"""The records of a state folder: which runs there are, and what each record tells."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from sluis.report.files import names
from sluis.report.model import Run
from sluis.report.parse import BrokenRecord, parse
from sluis.report.site import RUN_ID

logger = logging.getLogger(__name__)


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


def find(state: Path, run_id: str) -> Run | None:
    """The run of an id, if there is a whole record of it."""
    if not RUN_ID.fullmatch(run_id):
        return None
    try:
        return read(folder(state) / f"{run_id}.json")
    except FileNotFoundError:
        return None
    except BrokenRecord as error:
        logger.warning("The record of run %s is broken: %s", run_id, error)
        return None


def run_ids(state: Path) -> list[str]:
    """Ids of all recorded runs, newest first."""
    return ids_in(folder(state), ".json")


def ids_in(place: Path, suffix: str) -> list[str]:
    """Run ids that have a file in a folder, newest first (ids sort by time)."""
    return [name for name in reversed(names(place, suffix)) if RUN_ID.fullmatch(name)]
