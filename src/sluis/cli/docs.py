"""`sluis docs`: the report of every run, built, served, opened and published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluis.cli.options import ENV, PROJECT, STATE
from sluis.errors import EnvironmentFailure

if TYPE_CHECKING:
    from sluis.config import Settings


@click.group()
def docs() -> None:
    """Data Docs: the report of every run."""


@docs.command()
@PROJECT
@STATE
@ENV
def build(project: Path, state: str | None, environment: str | None) -> None:
    """Build all pages anew from the records of the runs that are kept."""
    from sluis import gate
    from sluis.report import retention, site

    kept, settings = _opened(project, state, environment)
    retention.apply(kept, runs=settings.keep.runs, days=settings.keep.days)
    gate.build_docs(project.resolve() / "gx", kept)
    click.echo(site.index_path(kept))


@docs.command()
@click.option("--port", default=8000, show_default=True, help="0 takes a free one.")
@PROJECT
@STATE
@ENV
def serve(port: int, project: Path, state: str | None, environment: str | None) -> None:
    """Serve the pages on this machine."""
    from sluis.report.serve import serve as start

    start(_opened(project, state, environment)[0], port=port)


@docs.command("open")
@PROJECT
@STATE
@ENV
def open_docs(project: Path, state: str | None, environment: str | None) -> None:
    """Open the pages in a browser."""
    from sluis.report.serve import open_in_browser

    open_in_browser(_opened(project, state, environment)[0])


@docs.command()
@click.option("--to", "place", metavar="VOLUME", help="The Volume (default: `docs_volume` of the environment).")
@PROJECT
@STATE
@ENV
def publish(place: str | None, project: Path, state: str | None, environment: str | None) -> None:
    """Publish the pages to a Unity Catalog Volume, beside those of others.

    Only what the Volume lacks is sent; what was cut off is taken up again.
    """
    from sluis import docs as publishing

    kept, settings = _opened(project, state, environment)
    to = place or settings.variables.get(publishing.VARIABLE)
    if not to:
        raise EnvironmentFailure(
            f"The environment {settings.environment} names no Volume for Data Docs.",
            hint=f"say --to /Volumes/CATALOG/SCHEMA/VOLUME, or set `{publishing.VARIABLE}` in "
            "contracts/environments.json.",
        )
    count = publishing.publish(project.resolve() / "gx", kept, to)
    click.echo(f"Published to {to}: {count} file{'s' if count > 1 else ''} sent.")


def _opened(project: Path, state: str | None, environment: str | None) -> tuple[Path, Settings]:
    """The state folder of a project, and its settings."""
    from sluis import config
    from sluis.workspace import state_folder

    settings = config.read(project.resolve(), environment=environment)
    return state_folder(project.resolve(), settings, state), settings
