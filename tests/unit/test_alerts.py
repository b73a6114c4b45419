"""Alerts: what a person reads on a phone, who gets it, and that nothing secret or personal is in it."""

from __future__ import annotations

import http.server
import json
import logging
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sluis import alerts
from sluis.config import Settings

EVIDENCE = Path(__file__).parents[1] / "data/evidence"
SECRET = "T0K3N5ecr3t"


def evidence(name: str, **changes: Any) -> dict[str, Any]:
    told = json.loads((EVIDENCE / f"{name}.json").read_bytes())
    return {**told, "report": f"/Volumes/main/demo/sluis/docs/runs/{told['run_id']}.html", **changes}


def settings(*addresses: str, **variables: str) -> Settings:
    return Settings(environment="local", variables=variables, raw={}, alerts=addresses)


class Hook(socketserver.ThreadingTCPServer):
    """A webhook that keeps what it gets."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.status = 200
        super().__init__(("127.0.0.1", 0), _Handler)
        self.daemon_threads = True

    @property
    def address(self) -> str:
        return f"json://127.0.0.1:{self.server_address[1]}/{SECRET}"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        hook: Any = self.server
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == f"/{SECRET}":
            hook.got.append(body)
        self.send_response(hook.status)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    with Hook() as server:
        monkeypatch.setenv("HOOK", server.address)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_rejected_run_as_a_phone_shows_it(hook: Hook) -> None:
    record = evidence("rejected", sources=[{"path": "/Volumes/main/demo/raw/customers.csv"}])
    alerts.send(record, settings("{{env/HOOK}}", docs_url="https://docs.example.com/"))
    (got,) = hook.got
    assert got["title"] == "✕ customers: rejected"
    assert got["message"].splitlines() == [
        "The data breaks its contract. The table was not changed.",
        "Contract customers 1.0, table spark_catalog.demo.customers",
        "File /Volumes/main/demo/raw/customers.csv",
        "3 rows read",
        "• Invalid integer values in column customer_id (3 of 3 rows)",
        "• Column first_name cannot be NULL or empty (1 of 3 rows)",
        "https://docs.example.com/runs/20261130T140000000000Z-customers-3c4d5e.html",
    ]


def test_a_run_that_failed(hook: Hook) -> None:
    alerts.send(evidence("error"), settings("{{env/HOOK}}"))
    (got,) = hook.got
    assert got["title"] == "? orders: error" and got["type"] == "failure"
    assert f"• {evidence('error')['reasons'][0]}" in got["message"].splitlines()
    assert got["message"].endswith("/docs/runs/20261130T150000000000Z-orders-4d5e6f.html")


def test_no_value_is_told() -> None:
    record = evidence("rejected", refusal="Rows have keys that exist in t.", reasons=["Rows … (for example id=4711)"])
    rule = next(rule for rule in record["rules"] if rule["outcome"] == "violated")
    record["rules"].append({**rule, "id": "x", "outcome": "error", "note": "cannot cast '4711'"})
    told = alerts.text(record, None)
    assert "Rows have keys that exist in t." in told and f"Could not be run: {rule['description']}" in told
    values = [example["value"] for rule in record["rules"] for example in rule["examples"] if example["value"]]
    assert values and not [value for value in ("4711", *values) if value in told]


def test_many_causes_and_files_are_cut_short() -> None:
    record = evidence("rejected", sources=[{"path": f"f{number}.csv"} for number in range(9)])
    rule = next(rule for rule in record["rules"] if rule["outcome"] == "violated")
    record["rules"] = [{**rule, "message": f"{number} is wrong " * 50} for number in range(12)]
    lines = alerts.text(record, None).splitlines()
    assert [line for line in lines if line.startswith("and ")] == ["and 4 more", "and 7 more"]
    assert max(map(len, lines)) < 220


def test_what_steers_a_terminal_is_spelt_out() -> None:
    assert "\x1b" not in alerts.text(evidence("rejected", source="\x1b[2J", sources=[]), None)


def test_a_dry_run_is_told_to_nobody(hook: Hook) -> None:
    alerts.send(evidence("rejected", dry_run=True), settings("{{env/HOOK}}"))
    assert hook.got == []


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("{{env/HOOK}}", 500, "{{env/HOOK}} could not be sent: it did not get through"),
        ("{{env/DEAD}}", 200, "{{env/DEAD}} could not be sent: it did not get through"),
        ("{{env/WRONG}}", 200, "{{env/WRONG}} could not be sent: it did not get through"),
        ("slack://{{env/PART}}/B/C", 200, "{{env/PART}} could not be sent: it did not get through"),
        ("{{env/NOWHERE}}", 200, "{{env/NOWHERE}} could not be sent: {{env/NOWHERE}} has no value."),
    ],
)
def test_one_that_fails_is_a_warning_without_its_secret(
    hook: Hook,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    address: str,
    status: int,
    said: str,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setenv("DEAD", f"json://127.0.0.1:9/{SECRET}")
    monkeypatch.setenv("WRONG", f"nothing://{SECRET}")
    monkeypatch.setenv("PART", SECRET)
    hook.status = status
    alerts.send(evidence("rejected"), settings(address))
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        f"The alert to {said}"
    ]
    captured = capfd.readouterr()
    assert SECRET not in caplog.text + captured.out + captured.err


def test_one_that_fails_keeps_no_other_away(hook: Hook) -> None:
    alerts.send(evidence("rejected"), settings("{{env/NOWHERE}}", "{{env/HOOK}}"))
    assert len(hook.got) == 1
