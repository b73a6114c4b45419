"""`sluis publish`, and the same as a task of a job."""

from __future__ import annotations

from pathlib import Path

import click

from sluis.cli.options import ENV, PROJECT, STATE, VAR, variables_of


@click.command()
@click.argument("entities", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every entity of contracts/entities.json, in its order.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write ODCS and results as files to this folder instead, for any other registry.",
)
@PROJECT
@STATE
@ENV
@VAR
def publish(
    entities: tuple[str, ...],
    every: bool,
    folder: Path | None,
    project: Path,
    state: str | None,
    environment: str | None,
    variables: tuple[str, ...],
) -> None:
    """Publish contracts, and the results of their latest runs, to the environment's registry.

    What was published before is not published again.
    """
    from sluis import registry
    from sluis.workspace import open_workspace, state_folder

    if bool(entities) == every:
        raise click.UsageError("name the entities to publish, or say --all")
    workspace = open_workspace(
        project.resolve(), environment=environment, variables=variables_of(variables), only=entities
    )
    kept = state_folder(workspace.root, workspace.settings, state)
    for line in registry.publish(workspace, entities or list(workspace.settings.raw), kept, folder):
        click.echo(line)
