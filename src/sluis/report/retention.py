"""Which runs are kept, and how the others leave: page and record together."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sluis.report import history, lines, records
from sluis.report.lines import Line
from sluis.report.site import docs_folder, page_path


def apply(
    state: Path, *, runs: int | None, days: int | None, entity: str | None = None, now: datetime | None = None
) -> list[str]:
    """Remove what is beyond the limits.

    Args:
        state: The state folder.
        runs: How many runs of each entity stay; None for any number.
        days: How old, in days since it began, a run may be that stays; None for any age.
        entity: Only this entity's runs; by default those of all.
        now: This moment.

    Returns:
        The ids of the removed runs.

    Raises:
        OSError: something cannot be removed.
    """
    if runs is None and days is None:
        return []
    known = history.read(state, history.ids(state)).by_entity
    gone = [
        run_id
        for name, found in known.items()
        if entity in (None, name)
        for run_id in beyond(found, runs=runs, days=days, now=now or datetime.now(UTC))
    ]
    for run_id in gone:
        _remove(state, run_id)
    return gone


def beyond(found: Sequence[Line], *, runs: int | None, days: int | None, now: datetime) -> list[str]:
    """The ids of an entity's runs that are too many or too old; never its last good and last bad one.

    Args:
        found: The entity's runs, newest first.
        runs: How many stay.
        days: How old they may be.
        now: This moment.
    """
    border = f"{now - timedelta(days=days):%Y%m%dT%H%M%S}" if days is not None else ""
    last = {next((line.run_id for line in found if line.is_good), None)}
    last |= {next((line.run_id for line in found if line.is_bad), None)}
    return [
        line.run_id
        for place, line in enumerate(found)
        if line.run_id not in last and ((runs is not None and place >= runs) or line.run_id < border)
    ]


def _remove(state: Path, run_id: str) -> None:
    """The record goes last: a removal that was cut off is done again."""
    (docs_folder(state) / page_path({"run_id": run_id})).unlink(missing_ok=True)
    (lines.folder(state) / f"{run_id}.json").unlink(missing_ok=True)
    for kept_by_gx in (state / "results" / "validations").glob(f"*/{run_id}"):
        shutil.rmtree(kept_by_gx, ignore_errors=True)
    (records.folder(state) / f"{run_id}.json").unlink(missing_ok=True)
