"""The site in a real browser that has no network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import great_expectations as gx
import pytest
from great_expectations.data_context.types.base import DataContextConfig, InMemoryStoreBackendDefaults
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from sluis.report.site import DATA_DOCS_SITES, index_path

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


def resize(browser: webdriver.Chrome, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


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


@pytest.mark.parametrize("width", [360, 600, 768, 960, 1280])
def test_no_page_is_wider_than_the_screen(browser: webdriver.Chrome, site: Path, width: int) -> None:
    resize(browser, width)
    for path in site.parent.rglob("*.html"):
        browser.get(path.as_uri())
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, path.name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_in_light_and_dark(browser: webdriver.Chrome, site: Path, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
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
