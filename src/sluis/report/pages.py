"""Pages as HTML. Everything that goes in is escaped; nothing is loaded from anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sluis.report import words
from sluis.report.model import Run
from sluis.report.records import Line

LONGEST_VALUE = 300
"""Characters of a failing value that a page shows."""


@dataclass(frozen=True, kw_only=True)
class Index:
    """What the first page shows."""

    lines: tuple[Line, ...]
    """The runs, newest first."""

    newest: tuple[Line, ...]
    """The newest run of each entity, by name."""

    total: int
    """How many runs there are, shown or not."""


def run_page(run: Run, root: str) -> str:
    """A run's page; `root` leads from it to the site's folder."""
    return _environment().get_template("run.html").render(run=run, root=root)


def index_page(index: Index) -> str:
    """The first page."""
    return _environment().get_template("index.html").render(index=index, root="")


def seen(text: str) -> Markup:
    """A text in which invisible characters are spelt out and marked."""
    return Markup("").join(
        Markup('<span class="escape">{}</span>').format(part) if hidden else part for hidden, part in words.pieces(text)
    )


def shortened(text: str) -> str:
    """The part of a long value that a page shows."""
    return text[:LONGEST_VALUE] + "…" if len(text) > LONGEST_VALUE else text


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("sluis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(seen=seen, shortened=shortened)
    environment.globals.update(words=words)
    return environment
