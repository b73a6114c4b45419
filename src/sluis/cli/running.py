"""What commands about entities share: which of them, of which project; and running and testing them."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sluis.cli.options import ENV, PROJECT, STATE, VAR, from_here, variables_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from sluis.workspace import Workspace

F = TypeVar("F", bound=Callable[..., Any])


Done = Callable[[dict[str, Any]], None]
"""Gets each entity's record when it has ended."""

CHOICE = (
    click.argument("entities", nargs=-1),
    click.option("--all", "every", is_flag=True, help="Every entity of contracts/entities.json, in its order."),
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
WHERE = (PROJECT, STATE, ENV, VAR)


def all_of(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Give a command these arguments and options, in this order."""

    def declare(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return declare


choosing = all_of(
    *CHOICE,
    click.option("--source", help="Read this file, folder or glob instead of the entity's."),
    _DRY_RUN,
    click.option("--force", is_flag=True, help="Write files again that are already in the table."),
    *WHERE,
)
"""Give a command the arguments of `run_chosen`."""

making = all_of(_DRY_RUN, *WHERE)
"""Give a command the arguments of `run_made`."""

asking = all_of(
    *CHOICE,
    click.option(
        "--where", metavar="SQL", help="Look only at these rows (day >= '2026-11-01'); keys are looked at whole."
    ),
    click.option("--where-for-all", is_flag=True, help="Look for keys and count rows among the rows of --where, too."),
    *WHERE,
)
"""Give a command the arguments of `test_chosen`."""


def run_chosen(arguments: dict[str, Any], done: Done) -> int:
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

    source = arguments["source"]
    if source and len(arguments["entities"]) != 1:
        raise click.UsageError("--source goes with one entity")
    workspace, names, state = opened(arguments, "run")
    chosen = [workspace.settings.entity(name) for name in names]
    if arguments["every"]:
        # What code makes of tables has a task of its own.
        chosen = [entity for entity in chosen if not entity.tables]
        if not chosen:
            raise click.UsageError("no entity reads landing files: those of tables have tasks of their own")
    options = Options(
        state=state, dry_run=arguments["dry_run"], force=arguments["force"], source=source and from_here(source)
    )
    worst = pipeline.run_all(workspace, chosen, options, done)
    docs.publish_after_runs(workspace.gx, state, workspace.settings)
    return worst


def run_made(entity: str, make: Callable[..., DataFrame], arguments: dict[str, Any], done: Done) -> int:
    """Run one entity whose rows code makes of tables.

    Args:
        entity: its name.
        make: gives the rows, as `pipeline.run_frame` calls it.
        arguments: by name, as `making` declares them.
        done: gets the record when it has ended.

    Returns:
        The exit code.

    Raises:
        SluisError: the project cannot be used as it is.
    """
    from sluis import docs, pipeline
    from sluis.course import Options

    workspace, _, state = opened({**arguments, "entities": (entity,), "every": False}, "run")
    chosen = workspace.settings.entity(entity)
    record = pipeline.run_frame(workspace, chosen, make, Options(state=state, dry_run=arguments["dry_run"]))
    done(record)
    docs.publish_after_runs(workspace.gx, state, workspace.settings)
    return int(record["exit_code"])


def test_chosen(arguments: dict[str, Any], done: Done) -> int:
    """Hold the tables of the entities that the arguments name against their contracts.

    Args:
        arguments: by name, as `asking` declares them.
        done: gets each entity's record when it has ended.

    Returns:
        The worst exit code.

    Raises:
        SluisError: the project cannot be used as it is.
        click.UsageError: the arguments do not go together.
    """
    from sluis import docs, pipeline
    from sluis.tabletest import Questions

    if arguments["where_for_all"] and arguments["where"] is None:
        raise click.UsageError("--where-for-all goes with --where")
    workspace, names, state = opened(arguments, "test")
    chosen = [workspace.settings.entity(name) for name in names]
    questions = Questions(state=state, where=arguments["where"], where_for_all=arguments["where_for_all"])
    worst = pipeline.test_all(workspace, chosen, questions, done)
    docs.publish_after_runs(workspace.gx, state, workspace.settings)
    return worst


def opened(arguments: dict[str, Any], what: str) -> tuple[Workspace, list[str], Path]:
    """The project, the names of the entities that are chosen, and the state folder.

    Args:
        arguments: by name, as `CHOICE` and `WHERE` declare them.
        what: what is done with the entities, as a verb.

    Raises:
        SluisError: the project cannot be used as it is.
        click.UsageError: entities are neither named nor all meant, or both.
    """
    from sluis.workspace import open_workspace, state_folder

    entities = arguments["entities"]
    if bool(entities) == arguments["every"]:
        raise click.UsageError(f"name the entities to {what}, or say --all")
    workspace = open_workspace(
        arguments["project"].resolve(),
        environment=arguments["environment"],
        variables=variables_of(arguments["variables"]),
        only=entities,
    )
    state = state_folder(workspace.root, workspace.settings, arguments["state"])
    return workspace, list(entities or workspace.settings.raw), state


class _Stderr(logging.StreamHandler[Any]):
    """Whatever stderr is at the time: beside a moving line, what prints above it."""

    @property
    def stream(self) -> Any:
        """Where lines go."""
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None:
        pass


def log_to_stderr(*, debug: bool = False) -> None:
    """Log lines go to stderr, always."""
    logging.basicConfig(handlers=[_Stderr()], level=logging.WARNING, format="%(message)s")
    logging.getLogger("sluis").setLevel(logging.DEBUG if debug else logging.INFO)
