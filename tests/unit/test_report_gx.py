"""The site, built by GX itself from a hand-made project."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import great_expectations as gx
import pytest
import yaml
from great_expectations.core.expectation_validation_result import (
    ExpectationSuiteValidationResult,
    ExpectationValidationResult,
)
from great_expectations.core.run_identifier import RunIdentifier
from great_expectations.data_context.data_context.file_data_context import FileDataContext
from great_expectations.data_context.types.resource_identifiers import (
    ExpectationSuiteIdentifier,
    ValidationResultIdentifier,
)
from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

from sluis.report import gx_site, lines, records
from sluis.report.site import DATA_DOCS_SITES, docs_folder, index_path, page_path

EVIDENCE = Path(__file__).parents[1] / "data" / "evidence"
REJECTED = "20261130T140000000000Z-customers-3c4d5e"
UNRECORDED = "20261130T160000000000Z-customers-5e6f7a"


def evidence(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EVIDENCE / f"{name}.json").read_text())
    return found


def put(state: Path, record: dict[str, Any]) -> None:
    path = records.folder(state) / f"{record['run_id']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record))


def store(kind: str, where: str) -> dict[str, Any]:
    backend = {"class_name": "TupleFilesystemStoreBackend", "base_directory": where, "suppress_store_backend_id": True}
    return {"class_name": kind, "store_backend": backend}


def open_project(root: Path) -> FileDataContext:
    config = {
        "config_version": 4.0,
        "expectations_store_name": "suites",
        "validation_results_store_name": "results",
        "checkpoint_store_name": "checkpoints",
        "stores": {
            "suites": store("ExpectationsStore", "expectations/"),
            "results": store("ValidationResultsStore", "${SLUIS_STATE}/results/validations"),
            "checkpoints": store("CheckpointStore", "checkpoints/"),
            "validation_definition_store": store("ValidationDefinitionStore", "validation_definitions/"),
        },
        "data_docs_sites": DATA_DOCS_SITES,
    }
    folder = root / "gx"
    folder.mkdir()
    (folder / "great_expectations.yml").write_text(yaml.safe_dump(config, sort_keys=False))
    context: FileDataContext = gx.get_context(context_root_dir=str(folder), mode="file")
    return context


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("SLUIS_STATE", str(folder))
    for name in ("passed", "warnings", "rejected", "error"):
        put(folder, evidence(name))
    return folder


@pytest.fixture
def context(state: Path, tmp_path: Path) -> FileDataContext:
    return open_project(tmp_path)


def key(run_name: str, suite: str = "customers") -> ValidationResultIdentifier:
    run_id = RunIdentifier(run_name=run_name, run_time="2026-11-30T16:00:00Z")
    return ValidationResultIdentifier(ExpectationSuiteIdentifier(name=suite), run_id, "landing")


def keep_result(context: FileDataContext, run_name: str) -> ValidationResultIdentifier:
    """Store a result as a plain GX checkpoint would."""
    identifier = key(run_name)
    results = [
        ExpectationValidationResult(
            success=success,
            expectation_config=ExpectationConfiguration(type=name, kwargs=kwargs, description=description),
            result={"element_count": 3, "unexpected_count": 0 if success else 2, "partial_unexpected_list": ["leak"]},
            exception_info=exception,
        )
        for success, name, kwargs, description, exception in (
            (True, "expect_column_to_exist", {"column": "a<b"}, None, None),
            (False, "expect_column_values_to_be_in_set", {"column": "c", "value_set": ["NL", "<b>"]}, None, None),
            (False, "expect_sluis_thing", {}, "Things are <i>in order</i>", {"m": {"raised_exception": True}}),
        )
    ]
    whole = ExpectationSuiteValidationResult(
        success=False, results=results, suite_name="customers", meta={"run_id": identifier.run_id}
    )
    context.validation_results_store.set(identifier, whole)
    return identifier


def page(state: Path, run_id: str) -> str:
    return (docs_folder(state) / page_path({"run_id": run_id})).read_text()


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class Outline(HTMLParser):
    """What a browser would make of a page: its elements, their addresses, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.text += " " if tag in ("dt", "dd", "div", "td", "th", "tr", "span") else ""
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_site_is_an_index_and_a_page_per_run_and_nothing_of_gx(context: FileDataContext, state: Path) -> None:
    built = context.build_data_docs()
    assert built == {"local_site": f"file://{index_path(state)}"}
    run_ids = sorted(records.run_ids(state))
    entities = [f"entities/{entity}/{page}.html" for entity in ("customers", "orders") for page in ("2026-11", "index")]
    runs = [f"runs/{run_id}.html" for run_id in run_ids]
    assert files(docs_folder(state)) == ["contracts/index.html", *entities, "index.html", *runs]


def test_building_writes_nothing_in_the_project_folder(context: FileDataContext, tmp_path: Path) -> None:
    before = files(tmp_path / "gx")
    context.build_data_docs()
    assert files(tmp_path / "gx") == before


def test_gx_itself_knows_the_short_address_of_a_run(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    [site] = context.get_docs_sites_urls(resource_identifier=key(REJECTED))
    assert site["site_url"] == f"file://{docs_folder(state)}/runs/{REJECTED}.html"


def test_nothing_from_a_contract_or_a_file_becomes_markup(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    for path in docs_folder(state).rglob("*.html"):
        outline = Outline(path.read_text())
        assert not {"img", "b", "iframe", "object"} & set(outline.tags)
        assert outline.tags.count("script") == 1
        assert not outline.handlers
    outline = Outline(page(state, REJECTED))
    for text in ("<script>alert(1)</script>", "{{7*7}}", "\"quoted\" & 'single'", "שלום"):
        assert text in outline.text
    assert "5,000 characters, cut" in outline.text
    assert "\\u202e" in outline.text and "\u202e" not in outline.text


def test_pages_load_nothing(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    for path in docs_folder(state).rglob("*.html"):
        for address in Outline(path.read_text()).addresses:
            assert address.startswith(("data:", "#")) or (path.parent / address).is_file()


def test_a_page_tells_the_rules_in_words_the_broken_ones_first(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    text = Outline(page(state, REJECTED)).text
    order = [
        "Invalid integer values in column customer_id",
        "Column first_name cannot be NULL",
        "The run",
        "Other rules",
    ]
    assert sorted(order, key=text.index) == order
    assert "expect_" not in text
    assert "1 of 3 rows (33.33%)" in " ".join(text.split())


@pytest.mark.parametrize("name", ["passed", "warnings", "rejected", "error"])
def test_a_page_tells_the_verdict_and_the_receipt_or_the_reason(
    context: FileDataContext, state: Path, name: str
) -> None:
    context.build_data_docs()
    text = " ".join(Outline(page(state, evidence(name)["run_id"])).text.split())
    expected = {
        "passed": [
            "Passed",
            "Delta version 0 → 1",
            "Rows inserted 1",
            "crm-team@example.com",
            "sha256:3f9a",
            "1.23 KB",
        ],
        "warnings": ["Passed with warnings", "1 → 2", "41 of 1,250,000 rows (under 0.01%)", "Please note"],
        "rejected": ["Rejected", "The table is as it was before this run.", "Values of this column are sensitive"],
        "error": ["Error", "changed after it was validated", "No rule was checked.", "No write is recorded."],
    }[name]
    for part in expected:
        assert part in text


def test_values_of_sensitive_columns_are_on_no_page(context: FileDataContext, state: Path) -> None:
    record = evidence("warnings")
    for rule in record["rules"]:
        if rule["sensitive"]:
            rule["examples"] = [{"value": "jan@example.org", "count": 3}]
    put(state, record)
    context.build_data_docs()
    assert all("jan@example.org" not in path.read_text() for path in state.joinpath("docs").rglob("*.html"))


def test_building_one_run_also_makes_up_for_runs_that_were_cut_off(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    older, newer = evidence("passed"), evidence("warnings")
    (docs_folder(state) / page_path(older)).unlink()
    put(state, {**newer, "owner": "somebody new"})
    (lines.folder(state) / f"{newer['run_id']}.json").unlink()  # written last, it is the sign that the page is whole
    untouched = docs_folder(state) / page_path(evidence("error"))
    before = untouched.stat().st_mtime_ns
    context.build_data_docs(resource_identifiers=[key(REJECTED)])
    assert (docs_folder(state) / page_path(older)).exists()
    assert "somebody new" in page(state, newer["run_id"])
    assert untouched.stat().st_mtime_ns == before


def test_pages_of_other_contexts_and_pruned_records_stay(context: FileDataContext, state: Path, tmp_path: Path) -> None:
    context.build_data_docs()
    (records.folder(state) / f"{REJECTED}.json").unlink()
    (lines.folder(state) / f"{REJECTED}.json").unlink()
    (tmp_path / "other").mkdir()
    other = open_project(tmp_path / "other")
    other.build_data_docs()
    assert "Rejected" in page(state, REJECTED)
    index = " ".join(Outline(index_path(state).read_text()).text.split())
    assert "No record customers There is no readable record of this run." in index


def test_a_broken_record_is_a_line_of_the_index_and_stops_nothing(context: FileDataContext, state: Path) -> None:
    (records.folder(state) / f"{REJECTED}.json").write_text('{"run_id": ')
    context.build_data_docs()
    index = Outline(index_path(state).read_text())
    assert "There is no readable record of this run." in index.text
    assert len({address for address in index.addresses if address.startswith("runs/")}) == 3
    context.build_data_docs(resource_identifiers=[key(REJECTED)])


def test_one_run_writes_the_pages_of_its_entity_and_no_other(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    before = {path: path.stat().st_mtime_ns for path in docs_folder(state).rglob("*.html")}
    new = {**evidence("passed"), "run_id": "20261130T170000000000Z-customers-aaaaaa"}
    put(state, new)
    context.build_data_docs(resource_identifiers=[gx_site.key_of(new["run_id"])])
    written = {path for path in docs_folder(state).rglob("*.html") if before.get(path) != path.stat().st_mtime_ns}
    entity = ["entities/customers/2026-11.html", "entities/customers/index.html"]
    assert sorted(str(path.relative_to(docs_folder(state))) for path in written) == [
        *entity,
        "index.html",
        page_path(new),
    ]


def test_an_entity_whose_runs_are_gone_has_no_page(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    gone = evidence("error")["run_id"]
    for path in (
        records.folder(state) / f"{gone}.json",
        lines.folder(state) / f"{gone}.json",
        docs_folder(state) / page_path({"run_id": gone}),
    ):
        path.unlink()
    context.build_data_docs(resource_identifiers=[key(REJECTED)])
    assert [path for path in files(docs_folder(state)) if "orders" in path] == []


def test_a_page_that_a_job_with_an_older_view_wrote_is_written_again(context: FileDataContext, state: Path) -> None:
    """Two jobs end at once: one of them lists the runs, the other one writes all pages, and the first one then its own."""
    context.build_data_docs()
    older = {path: path.read_bytes() for path in (state / "docs" / "entities").rglob("*.html")}
    older[state / "results" / "pages.json"] = (state / "results" / "pages.json").read_bytes()
    new = {**evidence("passed"), "run_id": "20261130T170000000000Z-customers-aaaaaa"}
    put(state, new)
    context.build_data_docs(resource_identifiers=[gx_site.key_of(new["run_id"])])
    for path, content in older.items():
        path.write_bytes(content)
    context.build_data_docs(resource_identifiers=[key(REJECTED)])
    assert new["run_id"] in (state / "docs" / "entities" / "customers" / "index.html").read_text()


def test_an_empty_state_has_an_index_that_says_so(context: FileDataContext, state: Path) -> None:
    shutil.rmtree(state / "results")
    context.build_data_docs()
    assert "No run has been recorded yet." in index_path(state).read_text()


@pytest.mark.parametrize("run_name", [UNRECORDED, "nightly"])
def test_a_result_without_a_record_is_told_in_words(context: FileDataContext, state: Path, run_name: str) -> None:
    identifier = keep_result(context, run_name)
    context.build_data_docs(resource_identifiers=[identifier])
    [site] = context.get_docs_sites_urls(resource_identifier=identifier)
    path = Path(str(site["site_url"]).removeprefix("file://"))
    outline = Outline(path.read_text())
    text = " ".join(outline.text.split())
    assert "There is no Sluis record of this run." in text
    assert "Column to exist (column a<b)" in text
    assert "Column values to be in set (column c, value set NL, <b>)" in text
    assert "Could not be run" in text and "Things are <i>in order</i>" in text
    assert "expect_" not in text and "leak" not in text
    assert all((path.parent / link).is_file() for link in outline.addresses if link.endswith("index.html"))
    links = [link for link in Outline(index_path(state).read_text()).addresses if link.endswith(".html")]
    assert path in [docs_folder(state) / link for link in links]


def test_the_index_reads_no_validation_result(
    context: FileDataContext, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_result(context, UNRECORDED)
    keep_result(context, "nightly")
    context.build_data_docs()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a validation result was read")

    monkeypatch.setattr(context.validation_results_store, "get", refuse)
    context.build_data_docs(resource_identifiers=[key(REJECTED)])


def test_the_last_writer_of_the_index_lists_a_run_that_finished_meanwhile(
    context: FileDataContext, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = {**evidence("passed"), "run_id": "20261130T170000000000Z-late-aaaaaa", "entity": "late"}
    real: Callable[..., Any] = gx_site.IndexView.render

    def render(*args: Any, **kwargs: Any) -> Any:
        put(state, late)
        return real(*args, **kwargs)

    monkeypatch.setattr(gx_site.IndexView, "render", render)
    context.build_data_docs()
    assert "late" in index_path(state).read_text()


def test_a_site_can_be_cleaned_and_built_again(context: FileDataContext, state: Path) -> None:
    context.build_data_docs()
    context.clean_data_docs()
    assert files(docs_folder(state)) == []
    context.build_data_docs()
    assert index_path(state).is_file()


def test_pages_follow_the_umask(context: FileDataContext, state: Path, private: None) -> None:
    context.build_data_docs()
    assert index_path(state).stat().st_mode & 0o077 == 0


@pytest.fixture
def private() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_a_run_that_gx_knows_nothing_of_is_built_alone(context: FileDataContext, state: Path) -> None:
    context.build_data_docs(resource_identifiers=[gx_site.key_of(evidence("error")["run_id"])])
    assert "No write is recorded." in page(state, evidence("error")["run_id"])
