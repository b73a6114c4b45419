"""References to secrets: the process's environment, and a workspace's scopes through the real SDK."""

from __future__ import annotations

import base64
import http.server
import json
import socketserver
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sluis import config, secret
from sluis.errors import ContractError, EnvironmentFailure


class Workspace(http.server.BaseHTTPRequestHandler):
    """What a workspace answers about secrets."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path != "/api/2.0/secrets/get":
            status, answer = 404, {}
        elif parse_qs(asked.query) == {"scope": ["sluis"], "key": ["registry-key"]}:
            status, answer = 200, {"key": "registry-key", "value": base64.b64encode(b"of-the-scope\n").decode()}
        else:
            status, answer = 404, {"error_code": "RESOURCE_DOES_NOT_EXIST", "message": "Scope nope does not exist!"}
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def _workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Workspace) as server:
        server.daemon_threads = True
        monkeypatch.setenv("DATABRICKS_HOST", f"http://127.0.0.1:{server.server_address[1]}")
        monkeypatch.setenv("DATABRICKS_TOKEN", "token")
        monkeypatch.setenv("DATABRICKS_AUTH_TYPE", "pat")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield
        server.shutdown()
        thread.join()


def test_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A", " one ")
    monkeypatch.setenv("B", "two")
    assert secret.revealed("slack://{{env/A}}/x/{{env/B}}") == "slack://one/x/two"
    assert secret.references("slack://{{env/A}}/x/{{env/B}}") == ["{{env/A}}", "{{env/B}}"]


@pytest.mark.usefixtures("_workspace")
def test_of_a_scope() -> None:
    assert secret.revealed("{{secrets/sluis/registry-key}}") == "of-the-scope"


@pytest.mark.usefixtures("_workspace")
def test_a_scope_that_is_not_there() -> None:
    with pytest.raises(
        EnvironmentFailure, match=r"\{\{secrets/nope/key\}\} cannot be read: .*: Scope nope does not exist!"
    ):
        secret.revealed("{{secrets/nope/key}}")


def environments(tmp_path: Any, block: dict[str, Any]) -> config.Settings:
    (tmp_path / "contracts").mkdir()
    entity = {"source": "x", "target": "a.b.c", "format": "csv", "mode": "overwrite", "contract": "contracts/c.json"}
    (tmp_path / config.ENTITIES).write_text(json.dumps({"a": entity}))
    (tmp_path / config.ENVIRONMENTS).write_text(json.dumps({"here": block}))
    return config.read(tmp_path, environment="here")


def test_environments_name_registry_and_alerts(tmp_path: Any) -> None:
    found = environments(
        tmp_path,
        {"raw": "x", "registry": {"url": "https://r", "key": "{{secrets/a/b}}"}, "alerts": ["{{env/HOOK}}"]},
    )
    assert found.registry == config.Registry(url="https://r", key="{{secrets/a/b}}")
    assert found.alerts == ("{{env/HOOK}}",) and found.variables == {"raw": "x"}


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({"registry": {"url": "https://r", "key": "dmm_live_1"}}, "$.here.registry.key"),
        ({"registry": {"url": "http://r"}}, "an address that starts with https://"),
        ({"registry": {"url": "http://localhost.evil.com"}}, "an address that starts with https://"),
        ({"registry": {"key": "{{env/A}}"}}, "`url` is missing"),
        ({"alerts": ["slack://T/B/C"]}, "an address in which what is secret is a reference"),
        ({"alerts": "{{env/A}}"}, "$.here.alerts"),
    ],
)
def test_what_may_not_stand_in_a_file(tmp_path: Any, block: dict[str, Any], said: str) -> None:
    with pytest.raises(ContractError) as error:
        environments(tmp_path, block)
    assert said in str(error.value)
