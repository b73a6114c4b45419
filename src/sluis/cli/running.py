"""What `sluis run` and the wheel task share: which entities of which project, and running them."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from sluis.cli.options import ENV, PROJECT, STATE, VAR, from_here, variables_of

F = TypeVar("F", bound=Callable[..., Any])


def choosing(command: F) -> F:
    """Give a command the arguments of `run_chosen`."""
    for option in reversed(
        (
            click.argument("entities", nargs=-1),
            click.option("--all", "every", is_flag=True, help="Every entity of contracts/entities.json, in its order."),
            click.option("--source", help="Read this file, folder or glob instead of the entity's."),
            click.option("--dry-run", is_flag=True, help="Judge, but write nothing."),
            click.option("--force", is_flag=True, help="Write files again that are already in the table."),
            PROJECT,
            STATE,
            ENV,
            VAR,
        )
    ):
        command = option(command)
    return command


def run_chosen(arguments: dict[str, Any], done: Callable[[dict[str, Any]], None]) -> int:
    """Run the entities that the arguments name.

    Args:
        arguments: by name, as `choosing` declares them.
        done: gets each entity's record when it has ended.

    Returns:
        The worst exit code.

    Raises:
        SluisError: the project cannot be used as it is.
        click.UsageError: the arguments do not go together.
    """
    from sluis import docs, pipeline
    from sluis.course import Options
    from sluis.workspace import open_workspace, state_folder

    entities, source = arguments["entities"], arguments["source"]
    if bool(entities) == arguments["every"]:
        raise click.UsageError("name the entities to run, or say --all")
    if source and len(entities) != 1:
        raise click.UsageError("--source goes with one entity")
    workspace = open_workspace(
        arguments["project"].resolve(),
        environment=arguments["environment"],
        variables=variables_of(arguments["variables"]),
        only=entities,
    )
    options = Options(
        state=state_folder(workspace.root, workspace.settings, arguments["state"]),
        dry_run=arguments["dry_run"],
        force=arguments["force"],
        source=source and from_here(source),
    )
    chosen = [workspace.settings.entity(name) for name in entities or workspace.settings.raw]
    worst = pipeline.run_all(workspace, chosen, options, done)
    docs.publish_after_runs(workspace.gx, options.state, workspace.settings)
    return worst


def log_to_stderr(*, debug: bool = False) -> None:
    """Log lines go to stderr, always."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    logging.getLogger("sluis").setLevel(logging.DEBUG if debug else logging.INFO)
