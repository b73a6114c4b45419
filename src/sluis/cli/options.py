"""Options that several commands share, and how their text is read."""

from __future__ import annotations

from pathlib import Path

import click

PROJECT = click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The folder with contracts/ and gx/.",
)
STATE = click.option("--state", help="Where results, docs and local tables live (default: .sluis of the project).")
ENV = click.option("--env", "environment", help="The block of contracts/environments.json to use.")
VAR = click.option(
    "--var", "variables", multiple=True, metavar="NAME=VALUE", help="A value that wins over the block's."
)
OPTION = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="How landing files are read, as an entity's options (sep=;).",
)

OUT = click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file, which is replaced."
)


def give(text: str, out: Path | None) -> None:
    """Write what a command made to its file, or else to stdout."""
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, "utf-8")


def options_of(given: tuple[str, ...]) -> dict[str, str]:
    """Reader options as an entity states them; `\\t` is a tab, which no shell types easily."""
    return {name: value.replace("\\t", "\t") for name, value in variables_of(given, "--option").items()}


def variables_of(given: tuple[str, ...], option: str = "--var") -> dict[str, str]:
    """`NAME=VALUE` texts as a mapping.

    Raises:
        click.BadParameter: one is no pair.
    """
    pairs = [text.partition("=") for text in given]
    if wrong := [name for name, equals, _ in pairs if not equals or not name]:
        raise click.BadParameter(f"{wrong[0]!r} is not NAME=VALUE", param_hint=option)
    return {name: value for name, _, value in pairs}


def from_here(source: str) -> str:
    """A path as seen from where the command was typed; addresses stay."""
    return source if "://" in source or source.startswith("/") else str(Path.cwd() / source)
