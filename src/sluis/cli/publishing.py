"""`sluis publish`, and the same as a task of a job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sluis.cli.running import CHOICE, WHERE, all_of, opened


@click.command()
@all_of(
    *CHOICE,
    click.option(
        "--to",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        help="Write ODCS and results as files to this folder instead, for any other registry.",
    ),
    *WHERE,
)
def publish(folder: Path | None, **chosen: Any) -> None:
    """Publish contracts, and the results of their latest runs, to the environment's registry.

    What was published before is not published again.
    """
    from sluis import registry

    workspace, names, state = opened(chosen, "publish")
    for line in registry.publish(workspace, names, state, folder):
        click.echo(line)
