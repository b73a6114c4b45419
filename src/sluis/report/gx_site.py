"""The site through GX's own extension points: what `site.SITE` names in `great_expectations.yml`.

GX calls a section builder for the runs' pages and an index builder for the first page. Each asks a renderer
for what is to be shown and a view for the HTML. Ours take both from the evidence in the state folder.
"""

from __future__ import annotations

import logging
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

from sluis.report import derived, editions, history, lines, pages, records
from sluis.report.fallback import run_of_result
from sluis.report.files import write_whole
from sluis.report.history import History
from sluis.report.lines import Line
from sluis.report.model import Run
from sluis.report.overview import LATEST, Overview, overview
from sluis.report.pages import RunPage
from sluis.report.site import RUN_ID, edition_path, entity_of, pages_folder

logger = logging.getLogger(__name__)

MADE_UP = 20
"""Runs whose pages a run writes besides its own, where theirs were not finished."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class PageStoreBackend(TupleFilesystemStoreBackend):
    """Files of the site: a short path for a run's page, and none of GX's fonts and scripts."""

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
            write_whole(path, value.encode(errors="backslashreplace") if isinstance(value, str) else value)
        return str(path)


class RunRenderer:
    """What a run's page shows."""

    def render(self, result: Run | ExpectationSuiteValidationResult, state: Path) -> RunPage:
        """The run, from its evidence or, where there is none, from what GX kept."""
        if not isinstance(result, Run):
            return RunPage(run=run_of_result(result.to_json_dict()), is_recorded=False)  # type: ignore[no-untyped-call]
        known = editions.ids(state)
        edition = editions.of_run(known, result.edition, result.run_id)
        if edition is None:
            return RunPage(run=result)
        kept = editions.load(state, edition)
        return RunPage(run=result, edition=edition_path(edition), has_changes=bool(kept and kept.previous))


class RunView:
    """A run's page."""

    def render(self, document: RunPage, root: str = "../", **_: Any) -> str:
        """The page as HTML; `root` leads from the page to the site's folder."""
        return pages.run_page(document, root)


class IndexRenderer:
    """What the first page shows."""

    def render(self, found: History, foreign: list[Line], kept: int) -> Overview:
        """How the entities stand, and the newest runs of all."""
        return overview(found, foreign, kept)


class IndexView:
    """The first page."""

    def render(self, document: Overview, **_: Any) -> str:
        """The page as HTML."""
        return pages.overview_page(document)


class RunSectionBuilder(DefaultSiteSectionBuilder):
    """Writes the runs' pages.

    Asked for some results, it also writes the pages of the newest runs that have no summary, which is written after
    the page: those that failed before GX had a result, or were cut off.
    """

    def build(self, resource_identifiers: Iterable[object] | None = None) -> None:
        """Write the pages of these results, or of all runs, and then everything anew that is made of them."""
        state = _state(self.target_store)
        run_ids = records.run_ids(state)
        if resource_identifiers:
            keys = [key for key in resource_identifiers if isinstance(key, ValidationResultIdentifier)]
            summarised = set(records.ids_in(lines.folder(state), ".json"))
            finished = summarised.intersection(records.ids_in(pages_folder(state), ".html"))
            run_ids = [run_id for run_id in run_ids if run_id not in finished][:MADE_UP]
        else:
            keys = self.source_store.list_keys()
            history.forget(state)
            derived.forget(state)
        named = {key.run_id.run_name for key in keys}
        for key in [*keys, *(key_of(run_id) for run_id in run_ids if run_id not in named)]:
            self._write(state, key)

    def _write(self, state: Path, key: ValidationResultIdentifier) -> None:
        recorded = records.find(state, key.run_id.run_name or "")
        shown = recorded or self._result(key)
        if shown is None:
            return
        backend = self.target_store.store_backends[ValidationResultIdentifier]
        root = "../" * _path_in_site(backend, key).count("/")
        content = self.view_class.render(self.renderer_class.render(shown, state), root=root)
        self.target_store.set(SiteSectionIdentifier(site_section_name=self.name, resource_identifier=key), content)
        if recorded:
            lines.save(state, recorded)

    def _result(self, key: ValidationResultIdentifier) -> ExpectationSuiteValidationResult | None:
        try:
            result: ExpectationSuiteValidationResult = self.source_store.get(key)
            return result
        except InvalidKeyError:
            logger.warning("Run %s has neither a readable record nor a validation result", key.run_id.run_name)
            return None


class RunIndexBuilder(DefaultSiteIndexBuilder):
    """Writes the first page and those of entities and contracts; reads no validation result, removes no run's page."""

    def build(self, skip_and_clean_missing: bool = True, build_index: bool = True) -> tuple[Any, None]:
        """Write the pages, again if another run finished meanwhile: the last writer then lists them all."""
        del skip_and_clean_missing  # the stores of other contexts hold the results of their pages
        if not build_index:
            return None, None
        state = _state(self.target_store)
        path, listed = None, None
        for _ in range(5):
            found = history.ids(state)
            if found == listed:
                break
            listed = found
            known = history.read(state, found)
            derived.write(state, known)
            shown = self.renderer_class.render(known, self._foreign_lines(), len(editions.ids(state)))
            path = self.target_store.write_index_page(self.view_class.render(shown))
        return path, None

    def _foreign_lines(self) -> list[Line]:
        """Results whose run was not named by Sluis: they keep GX's own path."""
        backend = self.target_store.store_backends[ValidationResultIdentifier]
        found = backend.list_keys(("validations",))
        keys = [ValidationResultIdentifier.from_tuple(key) for key in found if len(key) > 3]  # type: ignore[no-untyped-call]
        return [
            replace(
                lines.without_record(key.run_id.run_name),
                entity=key.expectation_suite_identifier.name,
                started=key.run_id.run_time.isoformat(),
                page=quote(_path_in_site(backend, key)),
            )
            for key in keys[:LATEST]
        ]


def _state(target_store: HtmlSiteStore) -> Path:
    return Path(target_store.store_backends["index_page"].full_base_directory).parent


def key_of(run_id: str) -> ValidationResultIdentifier:
    """A key for a run that GX may know nothing of; only the run's name decides its page."""
    suite = ExpectationSuiteIdentifier(name=entity_of(run_id))
    return ValidationResultIdentifier(suite, RunIdentifier(run_name=run_id, run_time=EPOCH), None)


def _path_in_site(backend: PageStoreBackend, key: ValidationResultIdentifier) -> str:
    return backend._convert_key_to_filepath(key.to_tuple())  # type: ignore[no-untyped-call]
