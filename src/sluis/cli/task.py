"""The entry point of the wheel task on Databricks: returns after a good run, raises the reasons of any other.

A task that ends in `sys.exit(0)` may be reported as failed, and of one that failed the exception's text is shown.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from sluis.cli.contracts import ddl
from sluis.cli.publishing import publish
from sluis.cli.running import Done, asking, choosing, log_to_stderr, making, run_chosen, run_made, test_chosen
from sluis.config import default_environment
from sluis.errors import RejectedError, SluisError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

log = logging.getLogger("sluis")


def main() -> None:
    """Run what the task's parameters name as `sluis run` would; after `test`, `ddl` or `publish`, do as that would.

    Raises:
        RejectedError: data broke its contract; the text is that of DESIGN §9.
        SluisError: contract, project or environment are wrong.
        click.UsageError: the parameters are.
    """
    log_to_stderr()
    asked, rest = chosen(sys.argv[1:])
    asked.main(rest, standalone_mode=False)


def chosen(parameters: list[str]) -> tuple[click.Command, list[str]]:
    """What the task's parameters ask for, and the arguments for that."""
    first, *rest = parameters or [""]
    return (_OTHERS[first], rest) if first in _OTHERS else (command, parameters)


@click.command()
@choosing
def command(**arguments: Any) -> None:
    """Run entities as a task of a Databricks job."""
    _end_as_task(run_chosen, arguments)


@click.command()
@asking
def test(**asked: Any) -> None:
    """Test the tables of entities as a task of a Databricks job."""
    _end_as_task(test_chosen, asked)


_OTHERS: dict[str, click.Command] = {"test": test, "ddl": ddl, "publish": publish}
"""First parameter → what the task does instead of a run."""


def frame_task(entity: str, make: Callable[..., DataFrame]) -> click.Command:
    """A wheel task of its own for an entity whose rows code makes of tables.

    Args:
        entity: The entity, of the format `delta`.
        make: Gives the rows, as `pipeline.run_frame` calls it.

    Returns:
        The command: its parameters are the project and where it runs; it ends as `main` does.
    """

    @click.command(entity)
    @making
    def task(**arguments: Any) -> None:
        _end_as_task(partial(run_made, entity, make), arguments)

    return task


def _end_as_task(do: Callable[[dict[str, Any], Done], int], arguments: dict[str, Any]) -> None:
    """Do it, print the summaries, tell later tasks, and raise the reasons of whatever did not end well."""
    from sluis.report import terminal

    records: list[dict[str, Any]] = []
    worst = do(arguments, records.append)
    for record in records:
        click.echo(terminal.summary(record))
    _tell_later_tasks(records)
    if not worst:
        return
    failed = [record for record in records if record["exit_code"]]
    texts = ["\n".join(terminal.failure_text(record)) for record in failed]
    if len(records) > 1:
        texts = [f"{record['entity']}: {text}" for record, text in zip(failed, texts, strict=True)]
    raise (RejectedError if worst == RejectedError.exit_code else SluisError)("\n\n".join(texts))


def _tell_later_tasks(records: Sequence[dict[str, Any]]) -> None:
    """Set the task values `verdict`, `rows` and `report`: of the worst run, with the rows of all."""
    if default_environment() != "databricks":
        return
    worst = max(records, key=lambda record: record["exit_code"])
    values = {
        "verdict": worst["verdict"],
        "rows": sum(record["rows"] or 0 for record in records),
        "report": worst["report"],
    }
    try:
        from databricks.sdk.runtime import dbutils

        for key, value in values.items():
            dbutils.jobs.taskValues.set(key, value)
    except Exception as error:  # what a later task would have liked to know changes no verdict
        log.warning("The task values could not be set: %s", error)
