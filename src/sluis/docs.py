"""A project's Data Docs on the Volume that its environment names, beside those of other projects and jobs."""

from __future__ import annotations

import logging
from pathlib import Path

from sluis.config import Settings

log = logging.getLogger("sluis")

VARIABLE = "docs_volume"
"""What `contracts/environments.json` calls the Volume, or a folder in it."""


def publish(gx: Path, state: Path, place: str) -> int:
    """Bring the reports of a state folder to a Volume.

    Args:
        gx: The project's `gx/`.
        state: The state folder.
        place: The Volume's path.

    Returns:
        How many files were sent.

    Raises:
        EnvironmentFailure: there is nothing to publish, or the Volume cannot be read or written.
    """
    from sluis import gate
    from sluis.report import publish as publishing
    from sluis.report import records, volume
    from sluis.report.gx_site import key_of

    def build(twin: Path) -> None:
        # Any key will do: with one, GX writes the pages that are missing, without one, all of them.
        gate.build_docs(gx, twin, [key_of(run_id) for run_id in records.run_ids(twin)[:1]])

    return publishing.publish(state, volume.connect(place), build)


def publish_after_runs(gx: Path, state: Path, settings: Settings) -> None:
    """Publish if the environment names a Volume that is not the state folder itself.

    The runs are over and their verdicts stand, so a failure is told in the log and no more.
    """
    place = settings.variables.get(VARIABLE, "").rstrip("/")
    if not place or place == str(state):
        return
    try:
        publish(gx, state, place)
    except Exception as error:  # whatever it is, it comes after the verdict
        log.warning("The reports were not published: %s", error)
