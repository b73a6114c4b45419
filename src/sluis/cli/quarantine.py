"""`sluis quarantine`: which rows are kept out of the tables, and by which rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from sluis.cli.options import ENV, PROJECT, STATE, VAR, variables_of


@click.command()
@click.argument("entities", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every entity that has a quarantine.")
@click.option("--json", "as_json", is_flag=True, help="Print one object per entity, one per line.")
@PROJECT
@STATE
@ENV
@VAR
def quarantine(
    entities: tuple[str, ...],
    every: bool,
    as_json: bool,
    project: Path,
    state: str | None,
    environment: str | None,
    variables: tuple[str, ...],
) -> None:
    """Count the rows that are kept out of the tables, by file and by rule.

    Rows of a run that was cut off after its write are marked first.
    """
    from sluis.tools.quarantine import quarantined
    from sluis.workspace import open_workspace, state_folder

    if bool(entities) == every:
        raise click.UsageError("name the entities, or say --all")
    workspace = open_workspace(
        project.resolve(), environment=environment, variables=variables_of(variables), only=entities
    )
    kept = state_folder(workspace.root, workspace.settings, state)
    named = entities or [name for name, raw in workspace.settings.raw.items() if "on_violation" in raw]
    for name in named:
        found = quarantined(workspace, workspace.settings.entity(name), kept)
        click.echo(json.dumps(found, ensure_ascii=False) if as_json else "\n".join(_lines(found)))


def _lines(found: dict[str, Any]) -> list[str]:
    from sluis.report.words import counted, visible

    lines = [f"{found['entity']}: {counted(found['rows'], 'row')} in {found['table']}"]
    for source in found["sources"]:
        lines.append(f"  {visible(source['path'] or 'a frame that the caller read')}: {counted(source['rows'], 'row')}")
        lines += [f"    {visible(rule)}: {number:,}" for rule, number in source["by_rule"].items()]
    return lines
