"""`sluis quarantine`: which rows are kept out of the tables, and by which rules."""

from __future__ import annotations

import json
from typing import Any

import click

from sluis.cli.running import WHERE, all_of, opened


@click.command()
@click.argument("entities", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every entity that has a quarantine.")
@click.option("--json", "as_json", is_flag=True, help="Print one object per entity, one per line.")
@all_of(*WHERE)
def quarantine(as_json: bool, **chosen: Any) -> None:
    """Count the rows that are kept out of the tables, by file and by rule.

    Rows of a run that was cut off after its write are marked first.
    """
    from sluis.tools.quarantine import quarantined

    workspace, names, state = opened(chosen, "count")
    if chosen["every"]:
        names = [name for name in names if "on_violation" in workspace.settings.raw[name]]
    for name in names:
        found = quarantined(workspace, workspace.settings.entity(name), state)
        click.echo(json.dumps(found, ensure_ascii=False) if as_json else "\n".join(_lines(found)))


def _lines(found: dict[str, Any]) -> list[str]:
    from sluis.report.words import counted, visible

    lines = [f"{found['entity']}: {counted(found['rows'], 'row')} in {found['table']}"]
    for source in found["sources"]:
        lines.append(f"  {visible(source['path'] or 'a frame that the caller read')}: {counted(source['rows'], 'row')}")
        lines += [f"    {visible(rule)}: {number:,}" for rule, number in source["by_rule"].items()]
    return lines
