"""What `sluis run` and `sluis test` say: summaries or records, a JUnit file, what GitHub Actions shows, progress."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sluis.cli.running import Done

if TYPE_CHECKING:
    from rich.progress import Progress

F = TypeVar("F", bound=Callable[..., Any])

_COLOURS = {"good": "green", "warn": "yellow", "bad": "red", "fault": "magenta"}
"""How a verdict is shown → its colour on a terminal."""


def saying(command: F) -> F:
    """Give a command the options of `Teller`."""
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Name the rules that hold, too."),
        click.option("-q", "--quiet", is_flag=True, help="Say only what went wrong."),
        click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write a JUnit file too."),
        click.option("--json", "as_json", is_flag=True, help="Print one evidence object per entity, one per line."),
    ):
        command = option(command)
    return command


def told(do: Callable[[dict[str, Any], Done], int], asked: dict[str, Any]) -> int:
    """Do it, and tell of each entity as it ends.

    Args:
        do: Takes the other arguments, and what gets each record.
        asked: Arguments by name, those of `saying` among them.

    Returns:
        What `do` returns: the exit code.

    Raises:
        click.UsageError: the arguments do not go together.
    """
    how = {name: asked.pop(name) for name in ("as_json", "junit", "quiet", "verbose")}
    with Teller(project=asked["project"], **how).watching() as done:
        return do(asked, done)


@dataclass(kw_only=True)
class Teller:
    """Tells what becomes of the entities."""

    project: Path
    as_json: bool = False
    junit: Path | None = None
    quiet: bool = False
    verbose: bool = False
    records: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse what cannot be done before anything is read."""
        if self.quiet and self.verbose:
            raise click.UsageError("--quiet does not go with --verbose")
        if self.junit is not None and not self.junit.absolute().parent.is_dir():
            raise click.BadParameter(f"there is no folder {self.junit.parent}", param_hint="--junit")

    @contextmanager
    def watching(self) -> Iterator[Done]:
        """Gives what takes each record; tells of all of them at the end."""
        with _log_from(logging.WARNING if self.quiet else logging.NOTSET), _progress(shown=not self.quiet) as bar:

            def done(record: dict[str, Any]) -> None:
                with _aside(bar):
                    self._tell(record)

            yield done
        self._end()

    def _tell(self, record: dict[str, Any]) -> None:
        from sluis.report import github, terminal, words

        self.records.append(record)
        if self.as_json:
            click.echo(json.dumps(record, ensure_ascii=False))
        elif not self.quiet:
            first, *rest = terminal.summary(record, every_rule=self.verbose).split("\n")
            tone = words.verdict(record["verdict"]).tone
            # NO_COLOR (no-color.org): set and not empty.
            colour = False if os.environ.get("NO_COLOR") else None
            click.echo("\n".join((click.style(first, fg=_COLOURS.get(tone), bold=True), *rest)), color=colour)
        if _in_actions():
            # The runner reads commands from either stream; stdout is for the records alone.
            for line in github.commands(record, self._document(record)):
                click.echo(line, err=True)

    def _end(self) -> None:
        from sluis.report import checks, github, terminal

        if len(self.records) > 1 and not self.as_json and not self.quiet:
            click.echo(terminal.table(self.records))
        if self.junit is not None:
            self.junit.write_text(checks.as_junit(self.records), "utf-8")
        if _in_actions() and (summary := os.environ.get("GITHUB_STEP_SUMMARY")):
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(github.summary(self.records))

    def _document(self, record: dict[str, Any]) -> str:
        """The contract's document as the repository names it."""
        document = self.project.resolve() / str(record["contract"]["path"])
        repository = Path(os.environ.get("GITHUB_WORKSPACE") or self.project).resolve()
        is_inside = document.is_relative_to(repository)
        return (document.relative_to(repository) if is_inside else document).as_posix()


def _in_actions() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


@contextmanager
def _log_from(level: int) -> Iterator[None]:
    """Log nothing that matters less."""
    logger = logging.getLogger("sluis")
    before = logger.level
    logger.setLevel(max(before, level))
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _progress(*, shown: bool) -> Iterator[Progress | None]:
    """A line that moves while the log scrolls by above it, on a terminal; elsewhere the log is enough."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("working", markup=False), TimeElapsedColumn())
    console = Console(stderr=True, soft_wrap=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        bar.add_task("", total=None)
        yield bar


@contextmanager
def _aside(bar: Progress | None) -> Iterator[None]:
    """Take the moving line away while something else is printed."""
    if bar is None:
        yield
        return
    bar.stop()
    try:
        yield
    finally:
        bar.start()
