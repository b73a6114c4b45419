"""What the pages beside the runs' own ones show: the overview, an entity, a month of it, the contracts' changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sluis.report.edition import Edition
from sluis.report.history import History
from sluis.report.lines import Line
from sluis.report.site import entity_path, month_of
from sluis.report.trend import Trend, trend

LATEST, LATEST_OF_ENTITY = 25, 50
"""Runs that the overview and an entity's page list; the months' pages list all."""

BARS_IN_A_ROW, BARS_ALONE = 20, 60
"""Runs that a plot shows: in a row of the overview, and on an entity's page."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How an entity stands."""

    entity: str
    """The line of work."""

    newest: Line
    """Its newest run."""

    last_good: Line | None
    """Its newest run that let rows into the table."""

    trend: Trend
    """Its last runs."""

    page: str
    """Its page, relative to the site's folder."""


@dataclass(frozen=True, kw_only=True)
class Overview:
    """What the first page shows."""

    standings: tuple[Standing, ...]
    """The entities, by name."""

    latest: tuple[Line, ...]
    """The newest runs of all."""

    total: int
    """How many runs there are, shown or not."""

    editions: int
    """How many editions of contracts are kept."""


@dataclass(frozen=True, kw_only=True)
class RuleStanding:
    """A rule, and when it last failed."""

    id: str
    """Its stable id."""

    about: str
    """The columns that it is about, as text."""

    severity: str
    """`error`, `warning` or `info`."""

    description: str
    """What it demands."""

    last_failed: str | None
    """The run in which it failed last, as far as is known."""

    page: str
    """That run's page; empty when it is gone."""

    failed_now: bool
    """Whether that is the newest run."""


@dataclass(frozen=True, kw_only=True)
class Month:
    """A month that has a page."""

    name: str
    """`2026-11`."""

    runs: int
    """How many runs began in it."""


@dataclass(frozen=True, kw_only=True)
class EntityPage:
    """What an entity's page shows."""

    standing: Standing
    """How it stands."""

    edition: Edition | None
    """The contract that its newest run was judged by."""

    rules: tuple[RuleStanding, ...]
    """The contract's rules, those that failed in the newest run first."""

    runs: tuple[Line, ...]
    """Its newest runs."""

    months: tuple[Month, ...]
    """The months in which it ran, newest first."""


def overview(history: History, foreign: Sequence[Line], editions: int) -> Overview:
    """The first page.

    Args:
        history: The runs.
        foreign: Lines of results that plain GX named.
        editions: How many editions of contracts are kept.
    """
    latest = sorted([*history.lines[:LATEST], *foreign], key=_moment, reverse=True)[:LATEST]
    standings = tuple(standing(entity, found, BARS_IN_A_ROW) for entity, found in history.by_entity.items())
    total = len(history.lines) + len(foreign)
    return Overview(standings=standings, latest=tuple(latest), total=total, editions=editions)


def standing(entity: str, found: Sequence[Line], bars: int) -> Standing:
    """How an entity stands, by its runs, newest first."""
    return Standing(
        entity=entity,
        newest=found[0],
        last_good=next((line for line in found if line.is_good), None),
        trend=trend(found, bars),
        page=entity_path(entity),
    )


def entity_page(history: History, entity: str, edition: Edition | None) -> EntityPage:
    """The page of one entity."""
    found = history.by_entity[entity]
    pages = {line.run_id: line.page for line in found}
    failed = history.last_failed.get(entity, {})
    rules = [
        RuleStanding(
            id=rule.id,
            about=rule.about,
            severity=rule.severity,
            description=rule.description,
            last_failed=failed.get(rule.id),
            page=pages.get(failed.get(rule.id, ""), ""),
            failed_now=failed.get(rule.id) == found[0].run_id,
        )
        for rule in (edition.rules if edition else ())
    ]
    months: dict[str, int] = {}
    for line in found:
        months[month_of(line.run_id)] = months.get(month_of(line.run_id), 0) + 1
    return EntityPage(
        standing=standing(entity, found, BARS_ALONE),
        edition=edition,
        rules=tuple(sorted(rules, key=lambda rule: (not rule.failed_now, _reversed(rule.last_failed)))),
        runs=found[:LATEST_OF_ENTITY],
        months=tuple(Month(name=name, runs=count) for name, count in months.items()),
    )


def _moment(line: Line) -> str:
    """When a run began, as digits; ids of Sluis and times of GX compare."""
    return "".join(filter(str.isdigit, (line.started or line.run_id)))[:17]


def _reversed(run_id: str | None) -> int:
    """Sorts the latest run first, and never last."""
    return -int("".join(filter(str.isdigit, (run_id or "").partition("Z")[0])) or 0)
