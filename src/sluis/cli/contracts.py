"""Commands about contracts themselves: compare, convert, infer, prepare tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from sluis.cli.options import ENV, OPTION, OUT, PROJECT, STATE, VAR, from_here, give, options_of, variables_of

if TYPE_CHECKING:
    from sluis.tools.comparison import Comparison
    from sluis.tools.since import Since


@click.command()
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.argument("more", nargs=-1, metavar="")
@click.option(
    "--since", "revision", metavar="REVISION", help="Compare all contracts of the project with what they were."
)
@PROJECT
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, for a comment on a pull request.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write a JUnit file too.")
@click.option(
    "--replay", multiple=True, metavar="FILE…", help="Judge these landing files with both; show what newly fails."
)
@OPTION
def diff(
    old: str | None,
    new: str | None,
    more: tuple[str, ...],
    revision: str | None,
    project: Path,
    as_json: bool,
    as_markdown: bool,
    junit: Path | None,
    replay: tuple[str, ...],
    options: tuple[str, ...],
) -> None:
    """Compare two versions of a contract, or all contracts with a revision, from the consumer's side.

    OLD and NEW are files or git revisions (HEAD~1:contracts/orders.yaml); #OBJECT chooses one of several objects.
    With --since, what counts is where the present branch left the revision. Exit code 1 when a change is breaking and
    the major version was not raised.
    """
    if revision is not None:
        if old or replay:
            raise click.UsageError("--since compares all contracts: it goes without OLD, NEW and --replay")
        found: Comparison | Since = _since(revision, project)
    elif old is None or new is None:
        raise click.UsageError("what is compared? Give OLD and NEW, or --since REVISION")
    elif more and not replay:
        raise click.UsageError(f"unexpected: {' '.join(more)} (landing files go with --replay)")
    else:
        found = _pair(old, new, (*replay, *more), options)
    if junit is not None:
        junit.write_text(found.as_junit(), "utf-8")
    click.echo(found.as_json() if as_json else found.as_markdown() if as_markdown else found.as_text())
    sys.exit(found.exit_code)


def _since(revision: str, project: Path) -> Since:
    from sluis.tools.since import since

    return since(revision, project.resolve())


def _pair(old: str, new: str, files: tuple[str, ...], options: tuple[str, ...]) -> Comparison:
    from sluis.contract.diff import differ
    from sluis.tools import versions
    from sluis.tools.comparison import Comparison

    before, after = (versions.contracts(given, Path.cwd()) for given in (old, new))
    return Comparison(
        old=old,
        new=new,
        old_version=before[0].version,
        new_version=after[0].version,
        changes=tuple(differ(before, after)),
        replays=versions.replayed(files, before, after, options_of(options)) if files else (),
    )


@click.command()
@click.argument("file")
@click.option("--object", "name", metavar="NAME", help="One object (table) of the contract; by default all.")
@OUT
def convert(file: str, name: str | None, out: Path | None) -> None:
    """Write a native or DCS contract as ODCS 3.2.

    FILE is a file or a git revision (HEAD~1:contracts/orders.yaml). What could not be carried over is listed on
    stderr.
    """
    from sluis.tools.convert import convert as write

    converted = write(file if name is None else f"{file}#{name}", Path.cwd())
    if converted.lost:
        click.echo("Not carried over:", err=True)
    for line in converted.lost:
        click.echo(f"  {line}", err=True)
    give(converted.text, out)


@click.command()
@click.argument("csv")
@click.option("--format", "form", type=click.Choice(["odcs", "native"]), default="odcs", show_default=True)
@OUT
@OPTION
def infer(csv: str, form: Literal["odcs", "native"], out: Path | None, options: tuple[str, ...]) -> None:
    """Make a first contract from a real file (or folder, or glob).

    The contract passes on that file. Comments mark what a person should decide; JSON has none, so they go to stderr.
    Exit code 1 when the file is no CSV.
    """
    from sluis.tools.infer import infer as make

    text, remarks = make(from_here(csv), form, options_of(options))
    for remark in remarks:
        click.echo(remark, err=True)
    give(text, out)


@click.command()
@click.argument("name", metavar="ENTITY|CONTRACT")
@click.option("--dialect", type=click.Choice(["unity", "delta"]), help="Default: by the table's name.")
@click.option("--table", "table_name", metavar="NAME", help="The table, where it is not the entity's.")
@click.option("--against-table", is_flag=True, help="Compare with the real table; only what differs.")
@click.option("--apply", "run", is_flag=True, help="Run it, where it only adds to the table.")
@PROJECT
@STATE
@ENV
@VAR
def ddl(
    name: str,
    dialect: Literal["unity", "delta"] | None,
    table_name: str | None,
    against_table: bool,
    run: bool,
    project: Path,
    state: str | None,
    environment: str | None,
    variables: tuple[str, ...],
) -> None:
    """Print the SQL that makes the table, or takes an existing one to its contract.

    Nothing in it replaces or drops a table, and nothing is run unless --apply is given: that runs what adds to the
    table (columns, comments, properties, tags, keys, constraints) and refuses all of it where more would have to
    change. Exit code 2 when table and contract differ in a way that no statement changes, or that --apply refuses.
    """
    from sluis.tools.ddl import apply
    from sluis.tools.ddl import ddl as write
    from sluis.tools.ddl.subject import subject

    root = project.resolve()
    chosen = subject(name, root, table_name=table_name, environment=environment, variables=variables_of(variables))
    if (against_table or run) and chosen.table.count(".") not in (1, 2):
        raise click.UsageError(f"which table is {chosen.table!r}? Say --table SCHEMA.TABLE")
    folder = _state_folder(root, state, environment) if against_table or run else None
    if run and folder:
        click.echo(apply(chosen, dialect, state=folder))
        return
    script = write(chosen, dialect, against=folder)
    click.echo(script.text)
    if script.exit_code:
        sys.exit(script.exit_code)


def _state_folder(root: Path, state: str | None, environment: str | None) -> Path:
    """The project's state folder; a contract's file needs no project around it."""
    from sluis import config
    from sluis.workspace import default_state, state_folder

    if not (root / config.ENTITIES).is_file():
        return Path(state).resolve() if state else default_state(root)
    return state_folder(root, config.read(root, environment=environment), state)
