"""Pages as HTML. Everything that goes in is escaped; nothing is loaded from anywhere."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from sluis.report import site, words
from sluis.report.edition import Edition
from sluis.report.lines import Line
from sluis.report.model import Run
from sluis.report.overview import EntityPage, Overview

LONGEST_VALUE = 300
"""Characters of a failing value that a page shows."""


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """What a run's page shows."""

    run: Run
    """The run."""

    edition: str = ""
    """The page of the contract that judged it, relative to the site's folder; empty when that is not known."""

    has_changes: bool = False
    """Whether there was an edition of the contract before that one."""

    is_recorded: bool = True
    """Whether the run is one of Sluis, so that its entity has a page."""

    detailed: int = 100
    """Failed rules that are shown with their values; the rest is told by counts."""


class About(Protocol):
    """A rule, in any of the shapes that pages show."""

    @property
    def about(self) -> str:
        """The columns it is about; empty for the whole file."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Rules about the same columns."""

    heading: str
    """The columns; empty for rules about the whole file."""

    rules: tuple[About, ...]
    """The rules, in the order given."""


def run_page(page: RunPage, root: str) -> str:
    """A run's page; `root` leads from it to the site's folder."""
    failed = page.run.failed
    return _rendered(
        "run.html",
        root,
        page=page,
        run=page.run,
        failed=by_column(failed[: page.detailed]),
        further=by_column(failed[page.detailed :]),
        unjudged=by_column(page.run.unjudged),
        held=by_column(page.run.held),
    )


def overview_page(overview: Overview) -> str:
    """The first page."""
    return _rendered("overview.html", "", overview=overview)


def entity_page(page: EntityPage) -> str:
    """An entity's page."""
    return _rendered("entity.html", "../../", page=page, edition=page.edition, groups=by_column(page.rules))


def month_page(entity: str, month: str, runs: Sequence[Line]) -> str:
    """The page of an entity's runs in a month (`2026-11`)."""
    return _rendered("month.html", "../../", entity=entity, month=month, runs=runs)


def edition_page(edition: Edition | None) -> str:
    """The page of an edition of a contract, or of one whose file was cut off."""
    return _rendered("edition.html", "../", edition=edition, groups=by_column(edition.rules) if edition else [])


def changes_page(editions: Sequence[Edition]) -> str:
    """What changed in the contracts; editions come oldest first."""
    by_contract: dict[str, list[Edition]] = {}
    for edition in reversed(editions):
        by_contract.setdefault(f"{edition.path}#{edition.object}", []).append(edition)
    return _rendered("changes.html", "../", contracts=[by_contract[name] for name in sorted(by_contract)])


def by_column(rules: Iterable[About]) -> list[Group]:
    """Rules grouped by their columns, in the order in which these come up."""
    found: dict[str, list[About]] = {}
    for rule in rules:
        found.setdefault(rule.about, []).append(rule)
    return [Group(heading=about, rules=tuple(of_column)) for about, of_column in found.items()]


def seen(text: str) -> Markup:
    """A text in which invisible characters are spelt out and marked."""
    if text.isprintable():
        return escape(text)
    return Markup("").join(
        Markup('<span class="escape">{}</span>').format(part) if hidden else part for hidden, part in words.pieces(text)
    )


def shortened(text: str) -> str:
    """The part of a long value that a page shows."""
    return text[:LONGEST_VALUE] + "…" if len(text) > LONGEST_VALUE else text


def _rendered(template: str, root: str, **shown: Any) -> str:
    return _environment().get_template(template).render(root=root, **shown)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("sluis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = files("sluis.report").joinpath("templates", "script.js").read_text("utf-8")
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment.filters.update(seen=seen, shortened=shortened, visible=words.visible)
    environment.globals.update(words=words, site=site, script=Markup(script), script_digest=digest)
    return environment
