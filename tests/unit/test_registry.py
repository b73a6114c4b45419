"""Publishing to a registry: what is sent, again when it must be and once only, and the key goes to nobody else."""

from __future__ import annotations

import http.server
import json
import logging
import shutil
import socketserver
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from click.testing import CliRunner, Result
from urllib3 import HTTPResponse

from sluis.cli import main, task
from sluis.contract import reading, source
from sluis.errors import ContractError, EnvironmentFailure
from sluis.registry import client, documents

DATA = Path(__file__).parents[1] / "data"
KEY = "dmm_live_5ecr3t"

# As datacontract-cli's model of a run and its checks, which the registry documents its API by.
TEXT = {"type": "string"}
MAYBE = {"type": ["string", "null"]}
MOMENT = {"type": ["string", "null"], "format": "date-time"}
OUTCOMES = ["passed", "warning", "failed", "error", "info", "unknown"]
CHECK = {
    "type": "object",
    "required": ["type", "name", "result"],
    "additionalProperties": False,
    "properties": {
        **dict.fromkeys(("id", "key", "category", "name", "model", "field", "engine", "language", "reason"), MAYBE),
        "type": TEXT,
        "result": {"enum": OUTCOMES},
        "diagnostics": {"type": "object"},
    },
}
LOG = {
    "type": "object",
    "required": ["level", "message", "timestamp"],
    "additionalProperties": False,
    "properties": {"level": TEXT, "message": TEXT, "timestamp": MOMENT},
}
RESULTS = {
    "type": "object",
    "required": ["runId", "dataContractId", "timestampStart", "timestampEnd", "result", "checks", "logs"],
    "additionalProperties": False,
    "properties": {
        "runId": {"type": "string", "format": "uuid", "pattern": "^[0-9a-f-]{36}$"},
        "dataContractId": {"type": "string", "minLength": 1},
        "dataContractVersion": MAYBE,
        "server": MAYBE,
        "timestampStart": MOMENT,
        "timestampEnd": MOMENT,
        "result": {"enum": OUTCOMES},
        "checks": {"type": "array", "items": CHECK},
        "logs": {"type": "array", "items": LOG},
    },
}


@dataclass
class Registry:
    """What a registry got, and how it shall answer next."""

    url: str = ""
    contracts: dict[str, Any] = field(default_factory=dict)
    results: list[Any] = field(default_factory=list)
    requests: int = 0
    answers: list[int | Callable[[Any], None]] = field(default_factory=list)
    """Statuses, or what is done to the connection; 200 when there are no more."""

    def take(self, method: str, path: str, body: Any) -> None:
        if method == "PUT" and path.startswith("/api/datacontracts/"):
            assert body["id"] == unquote(path.removeprefix("/api/datacontracts/"))
            self.contracts[body["id"]] = body
        else:
            assert (method, path) == ("POST", "/api/test-results")
            jsonschema.validate(body, RESULTS)
            self.results.append(body)


@pytest.fixture
def registry() -> Iterator[Registry]:
    told = Registry()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PUT(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            told.requests += 1
            answer = told.answers.pop(0) if told.answers else 200
            if callable(answer):
                self.close_connection = True
                return answer(self)
            if self.headers["x-api-key"] != KEY:
                answer = 401
            if answer == 200:
                try:
                    told.take(self.command, self.path, body)
                except (AssertionError, jsonschema.ValidationError) as error:
                    return self.answer(400, str(error))
            return self.answer(answer, f"you sent {self.headers['x-api-key']}")

        do_POST = do_PUT

        def answer(self, status: int, text: str) -> None:
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("location-html", "https://registry.example/here")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        told.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield told
        server.shutdown()
        thread.join()


@pytest.fixture
def project(registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two entities of one contract, and three recorded runs of the first."""
    monkeypatch.setenv("SLUIS_REGISTRY_KEY", KEY)
    monkeypatch.delenv("SLUIS_STATE", raising=False)
    monkeypatch.delenv("DATABRICKS_RUNTIME_VERSION", raising=False)
    monkeypatch.setattr(client._RETRIES, "backoff_factor", 0)
    shutil.copytree(DATA / "examples/contracts", tmp_path / "contracts")
    entity = {"source": "x.csv", "target": "main.demo.customers", "format": "csv", "contract": "contracts/customers.json"}  # fmt: skip
    entities = {name: {**entity, "mode": "overwrite"} for name in ("customers", "customers_update")}
    (tmp_path / "contracts/entities.json").write_text(json.dumps(entities))
    (tmp_path / "contracts/environments.json").write_text(json.dumps({"local": {"registry": {"url": registry.url}}}))
    for name in ("passed", "rejected", "error"):
        told = json.loads((DATA / f"evidence/{name}.json").read_bytes())
        record(tmp_path, told, run_id=told["run_id"][:22] + "-customers-3c4d5e")
    return tmp_path


def record(project: Path, told: dict[str, Any], **changes: Any) -> None:
    told = {**told, **changes}
    folder = project / ".sluis/results/runs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{told['run_id']}.json").write_text(json.dumps(told))


def publish(project: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["publish", *arguments, "--project", str(project)])


def everything(result: Result) -> str:
    trace = "".join(traceback.format_exception(result.exception)) if result.exception else ""
    return result.output + result.stderr + trace


# What is sent.


def test_the_contract_and_the_results_of_each_run(project: Path, registry: Registry) -> None:
    done = publish(project, "customers")
    assert done.exit_code == 0, everything(done)
    assert done.stdout.splitlines() == [
        "contracts/customers.json: published as customers, https://registry.example/here",
        "customers: results of 3 runs published",
    ]
    (contract,) = registry.contracts.values()
    assert contract["apiVersion"] == "v3.2.0" and contract["schema"][0]["name"] == "customers"
    assert [one["result"] for one in registry.results] == ["passed", "failed", "error"]
    assert {one["dataContractId"] for one in registry.results} == {"customers"}
    assert len({one["runId"] for one in registry.results}) == 3


def test_checks_tell_rules_and_counts_but_no_value(project: Path, registry: Registry) -> None:
    told = json.loads((DATA / "evidence/rejected.json").read_bytes())
    values = {str(example["value"]) for rule in told["rules"] for example in rule["examples"] if example["value"]}
    assert values
    publish(project, "customers")
    (rejected,) = [one for one in registry.results if one["result"] == "failed"]
    checks = {check["id"]: check for check in rejected["checks"]}
    assert set(checks) == {rule["id"] for rule in told["rules"]}
    required = checks["customers.first_name.required"]
    assert (required["result"], required["field"], required["diagnostics"]) == (
        "failed",
        "first_name",
        {"unexpected": 1, "evaluated": 3},
    )
    assert required["reason"] == "Column first_name cannot be NULL or empty (1 of 3 rows)"
    assert not [
        value for value in values if f'"{value}"' in json.dumps(rejected) or f"{value} " in json.dumps(rejected)
    ]


def test_what_the_table_refused_and_what_failed_is_a_check(project: Path, registry: Registry) -> None:
    passed = json.loads((DATA / "evidence/passed.json").read_bytes())
    refusal = {"verdict": "REJECTED", "refusal": "Rows have keys that exist in t.", "reasons": ["… (for example id=1)"]}
    record(project, passed, run_id="20261201T000000000000Z-customers-aaaaaa", **refusal)
    failed = {"verdict": "ERROR", "rules": [], "reasons": ["No space left."], "receipt": None}
    record(project, passed, run_id="20261201T000000000001Z-customers-aaaaaa", **failed)
    publish(project, "customers")
    last = [one["checks"][-1] for one in registry.results[-2:]]
    assert [(one["type"], one["result"], one["reason"]) for one in last] == [
        ("write", "failed", "Rows have keys that exist in t."),
        ("write", "error", "No space left."),
    ]


def test_dry_runs_and_broken_records_are_left_out(project: Path, registry: Registry) -> None:
    passed = json.loads((DATA / "evidence/passed.json").read_bytes())
    record(project, passed, run_id="20261201T000000000000Z-customers-aaaaaa", dry_run=True)
    (project / ".sluis/results/runs/20261201T000000000001Z-customers-aaaaaa.json").write_text("{")
    assert "results of 3 runs" in publish(project, "customers").stdout


def test_all_sends_a_shared_contract_once(project: Path, registry: Registry) -> None:
    done = publish(project, "--all")
    assert done.stdout.count("published as") == 1
    assert "customers_update: results of 0 runs published" in done.stdout
    assert registry.requests == 4


@pytest.mark.parametrize("kind", ["odcs", "dcs"])
def test_documents_of_a_standard_are_sent_as_they_are(kind: str, tmp_path: Path) -> None:
    taken = 0
    for file in sorted((DATA / "contracts" / kind).glob("*.yaml")):
        shutil.copy(file, tmp_path)
        try:
            agreed = documents.agreement(tmp_path, file.name)
        except ContractError:
            continue
        sent, wanted = agreed.as_json(), document_of(file)
        if kind == "odcs" and "schema" not in wanted:
            assert sent["apiVersion"] == "v3.2.0"
            continue
        taken += 1
        assert json.loads(json.dumps(sent, default=float)) == json.loads(json.dumps(wanted, default=float))
        assert not agreed.is_odcs or agreed.as_odcs() == file.read_text("utf-8-sig")
    assert taken > 10


def document_of(file: Path) -> dict[str, Any]:
    return source.read(file, file.name).document


# Once only, and again where it must be.


def test_a_run_is_published_once(project: Path, registry: Registry) -> None:
    publish(project, "customers")
    again = publish(project, "customers")
    assert "results of 0 runs published" in again.stdout
    assert len(registry.results) == 3
    passed = json.loads((DATA / "evidence/passed.json").read_bytes())
    record(project, passed, run_id="20261201T000000000000Z-customers-aaaaaa")
    assert "results of 1 run published" in publish(project, "customers").stdout


def test_a_run_that_is_sent_again_has_the_same_id(project: Path, registry: Registry) -> None:
    publish(project, "customers")
    shutil.rmtree(project / ".sluis/results/published")
    publish(project, "customers")
    assert [one["runId"] for one in registry.results[:3]] == [one["runId"] for one in registry.results[3:]]


def drop(handler: Any) -> None:
    """End the connection without an answer."""
    handler.connection.close()


@pytest.mark.parametrize("answers", [[429], [503, 503], [500, 502, 504], [drop], [200, drop, 429]])
def test_what_passes_is_tried_again(project: Path, registry: Registry, answers: list[Any]) -> None:
    registry.answers = list(answers)
    done = publish(project, "customers")
    assert done.exit_code == 0, everything(done)
    assert len(registry.results) == 3 and len(registry.contracts) == 1
    assert registry.requests == 4 + len([answer for answer in answers if answer != 200])


@pytest.mark.parametrize(("answer", "said"), [(503, "503"), (drop, "cannot be reached"), (302, "302"), (401, "key in")])
def test_what_stays_ends_it(project: Path, registry: Registry, answer: Any, said: str) -> None:
    registry.answers = [answer] * 6
    done = publish(project, "customers")
    assert done.exit_code == 3 and said in done.stderr
    assert registry.requests == (1 if answer in (302, 401) else 6)
    assert not registry.contracts


def test_what_is_refused_does_not_keep_the_rest_away(project: Path, registry: Registry) -> None:
    registry.answers = [200, 422]
    done = publish(project, "customers")
    assert done.exit_code == 3 and "422" in done.stderr and "results of 2 runs" in done.stdout
    assert "results of 1 run published" in publish(project, "customers").stdout


def test_a_registry_may_not_have_us_wait_for_hours() -> None:
    answer = HTTPResponse(headers={"Retry-After": "86400"})
    assert client._RETRIES.get_retry_after(answer) == client.LONGEST_WAIT


# The key.


@pytest.mark.parametrize("answer", [200, 400, 401, 403, 500, drop])
def test_the_key_is_said_nowhere(
    project: Path, registry: Registry, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    registry.answers = [answer] * 6
    told = everything(publish(project, "customers", "--all"))
    told += everything(publish(project, "customers"))
    assert KEY not in told + caplog.text
    assert not [file for file in project.rglob("*") if file.is_file() and KEY in file.read_text()]


@pytest.mark.parametrize("key", ["", "  ", "two words", "nö", "a\nb"])
def test_what_is_no_key_is_not_sent(
    project: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("SLUIS_REGISTRY_KEY", key)
    done = publish(project, "customers")
    assert done.exit_code == 3 and "{{env/SLUIS_REGISTRY_KEY}}" in done.stderr
    assert registry.requests == 0 and not (key.strip() and key in everything(done))


def test_a_wrong_key(project: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUIS_REGISTRY_KEY", "another")
    done = publish(project, "customers")
    assert done.exit_code == 3 and "still valid" in done.stderr and "another" not in everything(done)


# Elsewhere.


def test_files_for_any_other_registry(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (project / "contracts/environments.json").unlink()
    done = publish(project, "customers", "--to", str(out))
    assert done.exit_code == 0, everything(done)
    assert f"published as customers, {out}/customers.odcs.yaml" in done.stdout
    assert reading.read(out / "customers.odcs.yaml", "x").name == "customers"
    files = sorted((out / "test-results").iterdir())
    assert len(files) == 3
    for file in files:
        jsonschema.validate(json.loads(file.read_bytes()), RESULTS)
    files[1].write_text('{"runId": "cut')
    assert "results of 1 run published" in publish(project, "customers", "--to", str(out)).stdout
    jsonschema.validate(json.loads(files[1].read_bytes()), RESULTS)


def test_without_a_registry(project: Path) -> None:
    (project / "contracts/environments.json").unlink()
    done = publish(project, "customers")
    assert done.exit_code == 2 and "there is no `registry`" in done.stderr and "--to DIR" in done.stderr


def test_as_a_task(project: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["sluis-task", "publish", "customers", "--project", str(project)])
    task.main()
    assert len(registry.results) == 3
    registry.answers = [401]
    with pytest.raises(EnvironmentFailure, match="still valid"):
        task.main()
