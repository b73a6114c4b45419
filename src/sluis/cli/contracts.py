"""Commands about contracts themselves: compare, convert, infer, prepare tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sluis.cli.options import OPTION, options_of


@click.command()
@click.argument("old")
@click.argument("new")
@click.argument("more", nargs=-1, metavar="")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write a JUnit file too.")
@click.option(
    "--replay", multiple=True, metavar="FILE…", help="Judge these landing files with both; show what newly fails."
)
@OPTION
def diff(
    old: str,
    new: str,
    more: tuple[str, ...],
    as_json: bool,
    junit: Path | None,
    replay: tuple[str, ...],
    options: tuple[str, ...],
) -> None:
    """Compare two versions of a contract, from the consumer's side.

    OLD and NEW are files or git revisions (HEAD~1:contracts/orders.yaml); #OBJECT chooses one of several objects.
    Exit code 1 when a change is breaking and the major version was not raised.
    """
    from sluis.contract.diff import differ
    from sluis.tools import versions
    from sluis.tools.comparison import Comparison

    if more and not replay:
        raise click.UsageError(f"unexpected: {' '.join(more)} (landing files go with --replay)")
    before, after = (versions.contracts(given, Path.cwd()) for given in (old, new))
    files = (*replay, *more)
    compared = Comparison(
        old=old,
        new=new,
        old_version=before[0].version,
        new_version=after[0].version,
        changes=tuple(differ(before, after)),
        replays=versions.replayed(files, before, after, options_of(options)) if files else (),
    )
    if junit is not None:
        junit.write_text(compared.as_junit(), "utf-8")
    click.echo(compared.as_json() if as_json else compared.as_text())
    sys.exit(compared.exit_code)
