"""The site through GX's own extension points: what `site.SITE` names in `great_expectations.yml`.

GX calls a section builder for the runs' pages and an index builder for the first page. Each asks a renderer
for what is to be shown and a view for the HTML. Ours take both from the evidence in the state folder.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from great_expectations.core.expectation_validation_result import ExpectationSuiteValidationResult
from great_expectations.core.run_identifier import RunIdentifier
from great_expectations.data_context.store.html_site_store import HtmlSiteStore
from great_expectations.data_context.store.tuple_store_backend import TupleFilesystemStoreBackend
from great_expectations.data_context.types.resource_identifiers import (
    ExpectationSuiteIdentifier,
    SiteSectionIdentifier,
    ValidationResultIdentifier,
)
from great_expectations.exceptions.exceptions import InvalidKeyError
from great_expectations.render.renderer.site_builder import DefaultSiteIndexBuilder, DefaultSiteSectionBuilder

from sluis.report import pages, records
from sluis.report.fallback import run_of_result
from sluis.report.model import Run
from sluis.report.pages import Index
from sluis.report.parse import BrokenRecord
from sluis.report.site import RUN_ID, docs_folder, entity_of

logger = logging.getLogger(__name__)

SHOWN = 500
"""How many runs the index lists; older pages stay where they are."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class PageStoreBackend(TupleFilesystemStoreBackend):
    """Files of the site: a short path for a run's page, whole files only, and none of GX's fonts and scripts."""

    def _convert_key_to_filepath(self, key: tuple[str, ...]) -> str:
        if self.filepath_prefix == "validations" and len(key) > 3 and RUN_ID.fullmatch(key[-3]):
            self._validate_key(key)
            return f"runs/{key[-3]}.html"
        return str(super()._convert_key_to_filepath(key))  # type: ignore[no-untyped-call]

    def _set(self, key: tuple[str, ...], value: str | bytes, **kwargs: Any) -> str:  # type: ignore[override]
        path = Path(self.full_base_directory) / self._convert_key_to_filepath(key)
        is_asset_of_gx = not (self.filepath_prefix or self.filepath_template)
        if not is_asset_of_gx:
            # A lone surrogate, which JSON can hold, must not cost us the page.
            records.write_whole(path, value.encode(errors="backslashreplace") if isinstance(value, str) else value)
        return str(path)


class RunRenderer:
    """What a run's page shows."""

    def render(self, result: Run | ExpectationSuiteValidationResult) -> Run:
        """The run, from its evidence or, where there is none, from what GX kept."""
        return result if isinstance(result, Run) else run_of_result(result.to_json_dict())  # type: ignore[no-untyped-call]


class RunView:
    """A run's page."""

    def render(self, document: Run, root: str = "../", **_: Any) -> str:
        """The page as HTML; `root` leads from the page to the site's folder."""
        return pages.run_page(document, root)


class IndexRenderer:
    """What the first page shows."""

    def render(self, lines: list[records.Line], total: int) -> Index:
        """The runs, and the newest one of each entity."""
        newest: dict[str, records.Line] = {}
        for line in lines:
            newest.setdefault(line.entity, line)
        return Index(lines=tuple(lines), newest=tuple(newest[entity] for entity in sorted(newest)), total=total)


class IndexView:
    """The first page."""

    def render(self, document: Index, **_: Any) -> str:
        """The page as HTML."""
        return pages.index_page(document)


class RunSectionBuilder(DefaultSiteSectionBuilder):
    """Writes the runs' pages.

    Asked for some results, it also writes the page of every recent run that has none or an old one: a run that
    failed before GX had a result, or whose record was finished later.
    """

    def build(self, resource_identifiers: Iterable[object] | None = None) -> None:
        """Write the pages of these results, or of all runs."""
        state = _state(self.target_store)
        run_ids = records.run_ids(state)
        if resource_identifiers:
            keys = [key for key in resource_identifiers if isinstance(key, ValidationResultIdentifier)]
            run_ids = [run_id for run_id in records.newest(run_ids, SHOWN) if _is_behind(state, run_id)]
        else:
            keys = self.source_store.list_keys()
        named = {key.run_id.run_name for key in keys}
        for key in [*keys, *(key_of(run_id) for run_id in run_ids if run_id not in named)]:
            self._write(state, key)

    def _write(self, state: Path, key: ValidationResultIdentifier) -> None:
        shown = _record(state, key.run_id.run_name or "") or self._result(key)
        if shown is None:
            return
        backend = self.target_store.store_backends[ValidationResultIdentifier]
        root = "../" * _path_in_site(backend, key).count("/")
        content = self.view_class.render(self.renderer_class.render(shown), root=root)
        self.target_store.set(SiteSectionIdentifier(site_section_name=self.name, resource_identifier=key), content)

    def _result(self, key: ValidationResultIdentifier) -> ExpectationSuiteValidationResult | None:
        try:
            result: ExpectationSuiteValidationResult = self.source_store.get(key)
            return result
        except InvalidKeyError:
            logger.warning("Run %s has neither a readable record nor a validation result", key.run_id.run_name)
            return None


class RunIndexBuilder(DefaultSiteIndexBuilder):
    """Writes the first page from one line per run; reads no validation result and removes no page."""

    def build(self, skip_and_clean_missing: bool = True, build_index: bool = True) -> tuple[Any, None]:
        """Write the first page, again if another run finished meanwhile: the last writer then lists them all."""
        del skip_and_clean_missing  # the stores of other contexts hold the results of their pages
        if not build_index:
            return None, None
        state = _state(self.target_store)
        path, listed = None, None
        for _ in range(5):
            found = records.run_ids(state)
            if found == listed:
                break
            listed = found
            content = self.view_class.render(self.renderer_class.render(*self._lines(state, found)))
            path = self.target_store.write_index_page(content)
        return path, None

    def _lines(self, state: Path, recorded: list[str]) -> tuple[list[records.Line], int]:
        """The lines to show, newest first, and how many runs there are."""
        paged = records.ids_in(_pages(state), ".html")
        has_page, has_record = set(paged), set(recorded)
        every = sorted(has_page | has_record, reverse=True)
        chosen = records.newest(every, SHOWN)
        lines = {line.run_id: line for line in records.lines(state, [one for one in chosen if one in has_record])}
        shown = [lines.get(one) or records.without_record(one) for one in chosen]
        shown = [replace(line, page=f"runs/{line.run_id}.html") if line.run_id in has_page else line for line in shown]
        foreign = self._foreign_lines()
        return sorted([*shown, *foreign], key=_time, reverse=True), len(every) + len(foreign)

    def _foreign_lines(self) -> list[records.Line]:
        """Results whose run was not named by Sluis: they keep GX's own path."""
        backend = self.target_store.store_backends[ValidationResultIdentifier]
        found = backend.list_keys(("validations",))
        keys = [ValidationResultIdentifier.from_tuple(key) for key in found if len(key) > 3]  # type: ignore[no-untyped-call]
        return [
            replace(
                records.without_record(key.run_id.run_name),
                entity=key.expectation_suite_identifier.name,
                started=key.run_id.run_time.isoformat(),
                page=quote(_path_in_site(backend, key)),
            )
            for key in keys[:SHOWN]
        ]


def _state(target_store: HtmlSiteStore) -> Path:
    return Path(target_store.store_backends["index_page"].full_base_directory).parent


def _pages(state: Path) -> Path:
    return docs_folder(state) / "runs"


def _is_behind(state: Path, run_id: str) -> bool:
    try:
        page = (_pages(state) / f"{run_id}.html").stat()
        return page.st_mtime_ns < (records.folder(state) / f"{run_id}.json").stat().st_mtime_ns
    except FileNotFoundError:
        return True


def _record(state: Path, run_id: str) -> Run | None:
    if not RUN_ID.fullmatch(run_id):
        return None
    try:
        return records.read(records.folder(state) / f"{run_id}.json")
    except FileNotFoundError:
        return None
    except BrokenRecord as error:
        logger.warning("The record of run %s is broken: %s", run_id, error)
        return None


def key_of(run_id: str) -> ValidationResultIdentifier:
    """A key for a run that GX may know nothing of; only the run's name decides its page."""
    suite = ExpectationSuiteIdentifier(name=entity_of(run_id))
    return ValidationResultIdentifier(suite, RunIdentifier(run_name=run_id, run_time=EPOCH), None)


def _path_in_site(backend: PageStoreBackend, key: ValidationResultIdentifier) -> str:
    return backend._convert_key_to_filepath(key.to_tuple())  # type: ignore[no-untyped-call]


def _time(line: records.Line) -> str:
    return re.sub(r"\D", "", line.started or line.run_id)[:17]
