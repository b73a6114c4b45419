"""The site in a real browser that has no network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import great_expectations as gx
import pytest
from great_expectations.data_context.types.base import DataContextConfig, InMemoryStoreBackendDefaults
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from sluis.contract import reading
from sluis.report import editions
from sluis.report.site import DATA_DOCS_SITES, index_path
from sluis.suite.compile import suites

EVIDENCE = Path(__file__).parents[1] / "data" / "evidence"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")

SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = tmp_path_factory.mktemp("state")
    runs = state / "results" / "runs"
    runs.mkdir(parents=True)
    for path in EVIDENCE.glob("*.json"):
        (runs / f"{json.loads(path.read_text())['run_id']}.json").write_text(path.read_text())
    for version, run_id in (("1.0", "20261101T000000000000Z"), ("2.0", "20261130T120000000000Z")):
        fingerprint = keep_contract(state, version, f"{run_id}-customers-aaaaaa")
    for path in runs.glob("*.json"):
        record = json.loads(path.read_text())
        record["contract"]["fingerprint"] = fingerprint
        path.write_text(json.dumps(record))
    wide = {
        **json.loads((EVIDENCE / "warnings.json").read_text()),
        "entity": "W" * 100,
        "target": "t" * 300,
        "started": None,
    }
    wide |= {"run_id": f"20261129T000000Z-{'W' * 100}-aaaaaa", "contract": {"name": "C" * 300, "version": "1" * 50}}
    (runs / f"{wide['run_id']}.json").write_text(json.dumps(wide))
    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        data_docs_sites=DATA_DOCS_SITES,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUIS_STATE", str(state))
        gx.get_context(mode="ephemeral", project_config=config).build_data_docs()
    return index_path(state)


HOSTILE = "<script>alert(1)</script> \u202e שלום \N{PILE OF POO} {{7*7}} & " + "long" * 500


def keep_contract(state: Path, version: str, run_id: str) -> str:
    """Keep a contract whose every text is of the kind that breaks pages; returns its fingerprint."""
    names = ["customer_id", "</script><b>" * 5, "x" * 250, "עמודה", "\N{ROCKET}"]
    columns = [{"name": name, "type": "string", "description": HOSTILE} for name in names]
    document = {"contract_name": HOSTILE, "version": version, "description": HOSTILE, "owner": HOSTILE}
    document |= {"columns": [{**columns[0], "enum": [HOSTILE, version]}, *columns[1:]]}
    file = state / "contracts" / "customers.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(document), "utf-8")
    contract = reading.read(file, "contracts/customers.json")
    editions.keep(state, contract, suites(contract, "customers")[0], state, run_id)
    return contract.fingerprint


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(switch)
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    driver.get("about:blank")  # the browser's own first page asks for files of its own
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def quiet(browser: webdriver.Chrome) -> Iterator[None]:
    """Whatever a test opens, the console stays empty and nothing but files is asked for."""
    read_logs(browser)
    yield
    console, requests = read_logs(browser)
    assert console == []
    assert requests and all(url.startswith(("file://", "data:")) for url in requests)


def read_logs(browser: webdriver.Chrome) -> tuple[list[Any], list[str]]:
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return browser.get_log("browser"), urls  # type: ignore[no-untyped-call]


AXE = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")

VIOLATIONS = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(
  (found) => done(found.violations.map((one) => `${one.impact} ${one.id}: ${one.nodes[0].html.slice(0, 200)}`)),
  (error) => done([String(error)]));
"""


def resize(browser: webdriver.Chrome, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def prefer(browser: webdriver.Chrome, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def text_of(browser: webdriver.Chrome, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def shown(browser: webdriver.Chrome, list_id: str) -> list[str]:
    items = browser.find_elements(By.CSS_SELECTOR, f"#{list_id} [data-item]")
    return [item.text for item in items if item.is_displayed()]


def test_the_overview_shows_how_each_entity_stands_and_every_verdict(browser: webdriver.Chrome, site: Path) -> None:
    browser.get(site.as_uri())
    assert browser.title == "Overview · Sluis"
    verdicts = [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "#runs td.verdict")]
    assert verdicts == ["Error", "Rejected", "Passed with warnings", "Passed", "Passed with warnings"]
    standing = browser.find_element(By.XPATH, "//*[@id='standings']//tr[contains(., 'customers')]")
    assert standing.text.startswith("Rejected") and "version 2" in standing.text
    plot = standing.find_element(By.CSS_SELECTOR, "svg[role=img]")
    label = "Last 3 runs: 1 passed, 1 passed with warnings, 1 rejected"
    assert plot.get_attribute("aria-label") == label  # type: ignore[no-untyped-call]


def test_from_the_overview_to_a_rejected_run_and_back(browser: webdriver.Chrome, site: Path) -> None:
    browser.get(site.as_uri())
    browser.find_element(By.XPATH, "//*[@id='runs']//tr[contains(., 'Rejected')]//a").click()
    assert browser.title == "customers: Rejected · Sluis"
    assert text_of(browser, "h1") == "customers"
    failed = text_of(browser, "section[aria-labelledby=failed]")
    assert failed.startswith("3 rules failed\nColumn customer_id\nInvalid integer values in column customer_id\nBroken")
    assert "<script>alert(1)</script>" in failed and "{{7*7}}" in failed
    assert "Nothing. The table is as it was before this run." in text_of(browser, "main")
    assert browser.find_elements(By.CSS_SELECTOR, "main script, img") == []
    browser.find_element(By.LINK_TEXT, "customers").click()
    assert browser.title == "customers · Sluis"
    browser.find_element(By.LINK_TEXT, "November 2026").click()
    assert len(shown(browser, "runs")) == 3
    browser.find_element(By.LINK_TEXT, "Overview").click()
    assert browser.title == "Overview · Sluis"


def test_from_a_run_to_its_contract_and_what_changed_in_it(browser: webdriver.Chrome, site: Path) -> None:
    browser.get((site.parent / "runs" / "20261130T140000000000Z-customers-3c4d5e.html").as_uri())
    browser.find_element(By.LINK_TEXT, "what changed in it").click()
    changes = text_of(browser, "section[aria-labelledby=changes]")
    assert changes.startswith("What changed\nSince version 1.0") and "breaking" in changes
    assert "<script>alert(1)</script> \\u202e שלום" in text_of(browser, "p.lead")
    browser.find_element(By.LINK_TEXT, "Contract changes").click()
    versions = [row.text for row in browser.find_elements(By.CSS_SELECTOR, "tbody th")]
    assert versions == ["2.0", "1.0"]
    browser.find_element(By.LINK_TEXT, "1.0").click()
    assert "This is the first edition" in text_of(browser, "section[aria-labelledby=changes]")


def test_lists_are_filtered_as_one_types(browser: webdriver.Chrome, site: Path) -> None:
    browser.get(site.as_uri())
    form = browser.find_element(By.CSS_SELECTOR, "form[data-list=runs]")
    form.find_element(By.NAME, "text").send_keys("CUSTOMERS passed")
    assert [text.split("\n")[0] for text in shown(browser, "runs")] == [
        "Passed with warnings",
        "Passed",
        "Passed with warnings",
    ]
    assert form.find_element(By.CSS_SELECTOR, "[role=status]").text == "3 of 5 shown"
    Select(form.find_element(By.NAME, "tone")).select_by_visible_text("Passed")
    assert len(shown(browser, "runs")) == 1
    form.find_element(By.NAME, "text").send_keys(Keys.ENTER)
    assert browser.current_url == site.as_uri()


def test_the_keyboard_reaches_the_content_first(browser: webdriver.Chrome, site: Path) -> None:
    browser.get(site.as_uri())
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to content"


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing_serious(browser: webdriver.Chrome, site: Path, width: int, scheme: str) -> None:
    resize(browser, width)
    prefer(browser, scheme)
    for path in site.parent.rglob("*.html"):
        browser.get(path.as_uri())
        browser.execute_script(AXE)
        found = browser.execute_async_script(VIOLATIONS)
        assert [one for one in found if not one.startswith(("minor", "moderate"))] == [], path.name


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_page_is_wider_than_the_screen(browser: webdriver.Chrome, site: Path, width: int) -> None:
    resize(browser, width)
    for path in site.parent.rglob("*.html"):
        browser.get(path.as_uri())
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, path.name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_in_light_and_dark(browser: webdriver.Chrome, site: Path, scheme: str) -> None:
    prefer(browser, scheme)
    for path in site.parent.rglob("*.html"):
        browser.get(path.as_uri())
        assert browser.execute_script(LOWEST_CONTRAST) >= 4.5, path.name


LOWEST_CONTRAST = """
const channel = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(channel);
  return .2126*r + .7152*g + .0722*b; };
const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
let lowest = 21;
for (const e of document.body.querySelectorAll('*')) {
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
  lowest = Math.min(lowest, (a + .05) / (b + .05));
}
return lowest;
"""
