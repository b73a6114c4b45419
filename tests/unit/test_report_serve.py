from __future__ import annotations

import http.client
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sluis.errors import EnvironmentFailure
from sluis.report import serve


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "runs").mkdir(parents=True)
    (tmp_path / "docs" / "index.html").write_text("the index")
    (tmp_path / "docs" / "runs" / "a.html").write_text("a run")
    (tmp_path / "docs" / ".hidden").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "docs" / "way-out.txt").symlink_to(tmp_path / "secret.txt")
    return tmp_path


@pytest.fixture
def port(state: Path) -> Iterator[int]:
    with serve.server(state) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running.server_address[1]
        running.shutdown()
        thread.join()


def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    return response.status, response.read().decode()


@pytest.mark.parametrize(
    ("path", "text"), [("/", "the index"), ("/index.html", "the index"), ("/runs/a.html", "a run")]
)
def test_pages_are_served(port: int, path: str, text: str) -> None:
    assert get(port, path) == (200, text)


@pytest.mark.parametrize(
    "path",
    [
        "/runs/",
        "/nothing.html",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/runs/..%2f..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "//../secret.txt",
        "/way-out.txt",
        "/.hidden",
    ],
)
def test_nothing_else_is_served(port: int, path: str) -> None:
    status, body = get(port, path)
    assert status == 404
    assert "secret" not in body.replace("secret.txt", "")


def test_only_reading_is_possible(port: int) -> None:
    assert get(port, "/index.html", "POST")[0] == 501
    assert get(port, "/index.html", "HEAD") == (200, "")


def test_a_foreign_name_for_this_machine_is_refused(port: int) -> None:
    assert get(port, "/", Host=f"evil.example:{port}")[0] == 404
    assert get(port, "/", Host=f"localhost:{port}")[0] == 200


def test_without_a_site_the_error_says_what_to_do(tmp_path: Path) -> None:
    for act in (serve.serve, serve.open_in_browser):
        with pytest.raises(EnvironmentFailure, match="Run an entity first, or `sluis docs build`"):
            act(tmp_path)


def test_a_port_that_is_taken_is_named(state: Path, port: int) -> None:
    with pytest.raises(EnvironmentFailure, match=f"Cannot serve on 127.0.0.1:{port}"):
        serve.server(state, port=port)


def test_serving_prints_the_address(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", interrupt)
    serve.serve(state)
    assert capsys.readouterr().out.startswith("Serving the reports at http://127.0.0.1:")


def test_site_terminal_and_server_do_not_import_gx() -> None:
    modules = "sys, sluis.report.site, sluis.report.terminal, sluis.report.serve"
    check = f"import {modules}; print('great_expectations' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
