"""Data Docs of 500 columns with 3,000 rules and 1,000 runs: what a run adds to itself for them, and how pages open.

    uv run --all-extras python tests/bench/report_scale.py [RUNS, an even number]

A run's record, its page and what is made anew after it are what Sluis makes in a job; no Spark is needed. The pages
are opened in a headless Chromium without network, when there is one.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import great_expectations as gx
from great_expectations.data_context.types.base import DataContextConfig, InMemoryStoreBackendDefaults

from sluis.contract import reading
from sluis.report import editions, lines, records
from sluis.report.gx_site import key_of
from sluis.report.parse import parse
from sluis.report.site import DATA_DOCS_SITES, entity_path, index_path, pages_folder
from sluis.suite.compile import suites

RUNS = 1000
COLUMNS = 500
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
EVIDENCE = Path(__file__).parents[1] / "data" / "evidence" / "rejected.json"


def contract(state: Path) -> Any:
    """A contract of 500 columns of which each has six rules."""
    stated = {"logicalType": "integer", "required": True, "unique": True}
    stated["logicalTypeOptions"] = {"minimum": 1, "maximum": 90, "multipleOf": 3}
    columns = [{"name": f"c{number}", **stated} for number in range(COLUMNS)]
    document = {"apiVersion": "v3.1.0", "kind": "DataContract", "id": "wide", "version": "1.0.0", "status": "active"}
    path = state / "contracts" / "wide.odcs.json"
    path.parent.mkdir()
    path.write_text(json.dumps(document | {"schema": [{"name": "wide", "properties": columns}]}))
    return reading.read(path, "contracts/wide.odcs.json")


def record(rules: list[dict[str, Any]], fingerprint: str, number: int) -> dict[str, Any]:
    """What a run found: in every other one each tenth rule is broken."""
    started = BEGAN + timedelta(hours=number)
    found: dict[str, Any] = json.loads(EVIDENCE.read_text())
    found |= {"run_id": f"{started:%Y%m%dT%H%M%S}000000Z-wide-{number:06x}", "entity": "wide"}
    found |= {"started": f"{started:%Y-%m-%dT%H:%M:%S}.000Z", "finished": f"{started:%Y-%m-%dT%H:%M:%S}.900Z"}
    found["contract"] |= {"fingerprint": fingerprint, "path": "contracts/wide.odcs.json", "name": "wide"}
    if number % 2 == 0:
        return {**found, "rules": rules}
    return {**found, "verdict": "PASSED", "reasons": [], "rules": [{**rule, "outcome": "held"} for rule in rules]}


def rules_of(suite: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules as evidence tells them."""
    template = next(rule for rule in json.loads(EVIDENCE.read_text())["rules"] if rule["outcome"] == "violated")
    found = []
    for number, expectation in enumerate(suite["expectations"]):
        rule = copy.deepcopy(template) | {"id": expectation["kwargs"]["rule"], "column": f"c{number % COLUMNS}"}
        found.append(rule if number % 10 == 0 else rule | {"outcome": "held", "unexpected": 0, "examples": []})
    return found


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def keep(state: Path, found: dict[str, Any], *, is_new: bool = False) -> str:
    """Put a run's record where runs put it; of those before, a page (which nobody reads) and the summary too."""
    path = records.folder(state) / f"{found['run_id']}.json"
    path.write_text(json.dumps(found))
    if not is_new:
        (pages_folder(state) / f"{found['run_id']}.html").touch()
        lines.save(state, parse(found))
    return str(found["run_id"])


def opened(pages: dict[str, Path]) -> dict[str, float]:
    """Seconds from asking for each page to the end of its load, in a browser that is up."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(switch)
    with webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver")))) as browser:
        browser.get("about:blank")
        return {name: timed(lambda page=page: browser.get(page.as_uri())) for name, page in pages.items()}  # type: ignore[misc]


def measure(state: Path, runs: int) -> None:
    """Print what the last run's pages cost with none and with all others before it, and how they open."""
    read = contract(state)
    suite = suites(read, "wide")[0]
    rules = rules_of(suite)
    print(f"{COLUMNS} columns, {len(rules)} rules")
    records.folder(state).mkdir(parents=True)
    lines.folder(state).mkdir(parents=True)
    os.environ["SLUIS_STATE"] = str(state)
    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False), data_docs_sites=DATA_DOCS_SITES
    )
    context = gx.get_context(mode="ephemeral", project_config=config)

    def add(number: int) -> tuple[str, float]:
        run_id = keep(state, record(rules, read.fingerprint, number), is_new=True)
        editions.keep(state, read, suite, state, run_id)
        return run_id, timed(lambda: context.build_data_docs(resource_identifiers=[key_of(run_id)]))

    print(f"pages of the first run       {add(0)[1]:6.2f} s")
    for number in range(1, runs - 1):
        keep(state, record(rules, read.fingerprint, number))
    print(
        f"pages of the run after       {add(runs - 1)[1]:6.2f} s   (nothing of the {runs - 2} others was read before)"
    )
    last, seconds = add(runs)
    print(f"pages of the one after that  {seconds:6.2f} s")
    if shutil.which("chromium") and shutil.which("chromedriver"):
        docs = index_path(state).parent
        entity = docs / entity_path("wide")
        pages = {"index": index_path(state), "run, failed": docs / "runs" / f"{last}.html", "entity": entity}
        for name, opening in opened(pages).items():
            print(f"open {name:<23} {opening:6.2f} s   {pages[name].stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
