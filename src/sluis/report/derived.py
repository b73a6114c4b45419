"""The pages that are made of many runs, each written when what it shows has changed.

What each page showed when it was last written is kept as a digest in a file of the state folder. Several jobs write
that file and the last one wins: a page whose digest is another one, or is not there, is written again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from sluis.report import editions, pages
from sluis.report.edition import Edition
from sluis.report.files import read_json, write_json, write_whole
from sluis.report.history import History
from sluis.report.lines import Line
from sluis.report.overview import entity_page
from sluis.report.site import CHANGES_PATH, docs_folder, edition_path, entity_path, index_path, month_of


def write(state: Path, history: History) -> None:
    """Write the pages of entities, months and contracts that are not up to date, and remove those of nothing.

    Raises:
        OSError: a page cannot be written.
    """
    wanted = {page.path: page for page in (*_entities(state, history), *_contracts(state))}
    before = _written(state)
    after = {path: page.digest for path, page in wanted.items()}
    for path, page in wanted.items():
        if before.get(path) != page.digest:
            write_whole(docs_folder(state) / path, page.render().encode(errors="backslashreplace"))
    for path in before.keys() - wanted.keys():
        (docs_folder(state) / path).unlink(missing_ok=True)
    if after != before:
        write_json(_path(state), after)


def forget(state: Path) -> None:
    """Take every page for one that is not written."""
    _path(state).unlink(missing_ok=True)


class _Page:
    """A page that should be there."""

    def __init__(self, path: str, render: Callable[[], str], *shown: object) -> None:
        self.path = path
        self.render = render
        self.digest = hashlib.sha256(repr((version("sluis"), shown)).encode(errors="backslashreplace")).hexdigest()


def _entities(state: Path, history: History) -> Iterator[_Page]:
    known = editions.ids(state)
    for entity, found in history.by_entity.items():
        edition = editions.of_run(known, found[0].edition, found[0].run_id)
        failed = history.last_failed.get(entity)
        yield _Page(entity_path(entity), _entity(state, history, entity, edition), found, edition, failed)
        for month, of_month in groupby(found, key=lambda line: month_of(line.run_id)):
            yield _month(entity, month, tuple(of_month))


def _entity(state: Path, history: History, entity: str, edition: str | None) -> Callable[[], str]:
    return lambda: pages.entity_page(entity_page(history, entity, editions.load(state, edition) if edition else None))


def _month(entity: str, month: str, found: Sequence[Line]) -> _Page:
    return _Page(entity_path(entity, month), lambda: pages.month_page(entity, month, found), found)


def _contracts(state: Path) -> Iterator[_Page]:
    known = editions.ids(state)
    for edition in known:
        yield _Page(edition_path(edition), _edition(state, edition), edition)
    yield _Page(CHANGES_PATH, lambda: pages.changes_page(_loaded(state, known)), known)


def _edition(state: Path, edition: str) -> Callable[[], str]:
    return lambda: pages.edition_page(editions.load(state, edition))


def _loaded(state: Path, known: Sequence[str]) -> list[Edition]:
    return [found for edition in known if (found := editions.load(state, edition))]


def _written(state: Path) -> Mapping[str, str]:
    # Who cleans the site takes its first page as well.
    return (read_json(_path(state)) or {}) if index_path(state).exists() else {}


def _path(state: Path) -> Path:
    return state / "results" / "pages.json"
