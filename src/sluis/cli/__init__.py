"""Arguments → pipeline → exit code."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Any

import click

from sluis.cli import contracts
from sluis.cli.docs import docs
from sluis.cli.options import ENV, PROJECT, VAR, variables_of
from sluis.cli.publishing import publish
from sluis.cli.quarantine import quarantine
from sluis.cli.running import asking, choosing, log_to_stderr, run_chosen, test_chosen
from sluis.cli.telling import saying, told
from sluis.errors import SluisError


class _Commands(click.Group):
    """Commands whose expected errors end in a message and an exit code, never in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SluisError as error:
            for line in str(error).splitlines():
                click.echo(line, err=True)
            ctx.exit(error.exit_code)
        except OSError as error:
            click.echo(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), err=True)
            ctx.exit(3)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            click.echo(_unexpected(error, debug=ctx.params["debug"]), err=True)
            ctx.exit(3)


def _unexpected(error: Exception, *, debug: bool) -> str:
    """A fault of ours, or of what is below. What Spark says may quote a row, and no contract is known here."""
    from sluis.report import discreet

    is_spark = type(error).__module__.partition(".")[0] in ("pyspark", "py4j", "grpc")
    if debug:
        return discreet.trace(error) if is_spark else "".join(traceback.format_exception(error)).rstrip()
    said = discreet.cause(error) if is_spark else f"{type(error).__name__}: {error}".splitlines()[0]
    return f"Unexpected {said}\nHint: this is a fault in Sluis; please report it with what `sluis --debug` shows."


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sluis")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
def main(debug: bool) -> None:
    """Let data flow into Delta only when its contract holds."""
    log_to_stderr(debug=debug)


@main.command()
@saying
@choosing
def run(**asked: Any) -> None:
    """Validate landing files and write them to Delta if their contract holds."""
    sys.exit(told(run_chosen, asked))


@main.command()
@saying
@asking
def test(**asked: Any) -> None:
    """Hold the real tables against their contracts; nothing is written to them.

    Every rule about rows, the columns and their types, and the service levels that the contract promises.
    """
    sys.exit(told(test_chosen, asked))


@main.command()
@click.option("--check", is_flag=True, help="Change nothing; show what is stale and exit with 2.")
@PROJECT
def generate(check: bool, project: Path) -> None:
    """Compile the contracts to the Great Expectations project in gx/."""
    from sluis import workspace as workspaces

    workspace = workspaces.open_workspace(project.resolve())
    if not check:
        for file in workspaces.generate(workspace):
            click.echo(f"{'removed' if file.wanted is None else 'written'} gx/{file.path}")
        return
    stale = workspaces.stale(workspace)
    for file in stale:
        click.echo("\n".join(file.diff()))
    if stale:
        click.echo(f"gx/ is stale in {len(stale)} file(s). Hint: run `sluis generate`.", err=True)
        sys.exit(2)
    click.echo("gx/ is what the contracts compile to.")


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH…]")
@click.option("--strict", is_flag=True, help="Unsupported keys are errors.")
@click.option("--json", "as_json", is_flag=True, help="Print problems and ledger as one JSON object.")
@PROJECT
@ENV
@VAR
def lint(
    paths: tuple[str, ...],
    strict: bool,
    as_json: bool,
    project: Path,
    environment: str | None,
    variables: tuple[str, ...],
) -> None:
    """Check contracts, entities and environments; list what becomes of every key.

    By default the whole project; with PATHs only these contracts (files, FILE#OBJECT, or all of a folder).
    """
    from sluis.tools.lint import lint as check
    from sluis.tools.lint import lint_files

    if paths:
        checked = lint_files(paths, strict=strict)
    else:
        given = variables_of(variables)
        checked = check(project.resolve(), environment=environment, variables=given, strict=strict)
    click.echo(checked.as_json() if as_json else checked.as_text())
    sys.exit(2 if checked.problems else 0)


for command in (docs, contracts.diff, contracts.convert, contracts.infer, contracts.ddl, publish, quarantine):
    main.add_command(command)
