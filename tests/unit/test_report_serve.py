from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
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
    (tmp_path / "docs" / "way-out").symlink_to(tmp_path)
    (tmp_path / "docs" / "unveiled.txt").symlink_to(tmp_path / "docs" / ".hidden")
    return tmp_path


@pytest.fixture
def port(state: Path) -> Iterator[int]:
    with serve.server(serve.reader(state / "docs")) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running.server_address[1]
        running.shutdown()
        thread.join()


@dataclass(frozen=True, kw_only=True)
class Answer:
    status: int
    text: str
    headers: Message


def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        with connection.getresponse() as response:
            return Answer(status=response.status, text=response.read().decode(), headers=response.headers)


def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    answer = ask(port, path, method, **headers)
    return answer.status, answer.text


@pytest.mark.parametrize(
    ("path", "text"), [("/", "the index"), ("/index.html", "the index"), ("/runs/a.html", "a run")]
)
def test_pages_are_served(port: int, path: str, text: str) -> None:
    assert get(port, path) == (200, text)


@pytest.mark.parametrize(
    "path",
    [
        "*",
        "index.html",
        "/runs",
        "/runs/",
        "/runs//a.html",
        "/./runs/a.html",
        "/nothing.html",
        "/%2findex.html",
        "http://127.0.0.1/index.html",
        "/%ff.html",
        "/index.html%00",
        "/a%0d%0aX-Told:secret.txt",
        "/../secret.txt",
        "/runs/../../secret.txt",
        "/%252e%252e/secret.txt",
        "/..%c0%afsecret.txt",
        "/..;/secret.txt",
        "/runs%5c..%5c..%5csecret.txt",
        "/way-out/secret.txt",
        "/unveiled.txt",
        "/%2ehidden",
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
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        # As it stands: a client's library would tidy the path up.
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b"")).decode()
    status, _, body = answer.partition("\r\n")
    assert status.split()[1] in ("400", "404")
    assert "secret" not in body.replace("secret.txt", "")


def test_only_reading_is_possible(port: int) -> None:
    assert get(port, "/index.html", "POST")[0] == 501
    assert get(port, "/index.html", "HEAD") == (200, "")


def test_an_absolute_path_is_one_in_the_site(port: int, state: Path) -> None:
    assert get(port, f"/{state / 'secret.txt'}")[0] == 404
    assert serve.reader(state / "docs")(str(state / "secret.txt")) is None


def test_answers_say_what_they_are_and_that_nothing_comes_from_elsewhere(port: int) -> None:
    for path in ("/", "/nothing.html"):
        headers = ask(port, path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Type"].startswith("text/html;")
        policy = dict(part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";"))
        sources = " ".join(policy.values()).split()
        assert set(sources) <= {"'none'", "'self'", "'unsafe-inline'", "data:"}
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["connect-src"] == "'none'"


def test_what_a_browser_has_is_not_sent_again(port: int, state: Path) -> None:
    first = ask(port, "/runs/a.html")
    assert first.text == "a run"
    tag = first.headers["ETag"]
    for known in (tag, f'"other", W/{tag}', "*"):
        again = ask(port, "/runs/a.html", If_None_Match=known)
        assert (again.status, again.text, again.headers["ETag"]) == (304, "", tag)
    (state / "docs" / "runs" / "a.html").write_text("A RUN")
    assert get(port, "/runs/a.html", If_None_Match=tag) == (200, "A RUN")


@pytest.mark.parametrize(
    ("asked", "status", "text", "told"),
    [
        ("bytes=0-2", 206, "the", "bytes 0-2/9"),
        ("bytes=4-", 206, "index", "bytes 4-8/9"),
        ("bytes=4-100", 206, "index", "bytes 4-8/9"),
        ("bytes=-3", 206, "dex", "bytes 6-8/9"),
        ("bytes=-100", 206, "the index", "bytes 0-8/9"),
        ("bytes=9-", 416, "", "bytes */9"),
        ("bytes=-0", 416, "", "bytes */9"),
        ("bytes=5-4", 200, "the index", None),
        ("bytes=-", 200, "the index", None),
        ("bytes=0-1,3-4", 200, "the index", None),
        ("lines=0-1", 200, "the index", None),
        ("bytes=" + "9" * 5000 + "-", 200, "the index", None),
    ],
)
def test_a_part_is_served(port: int, asked: str, status: int, text: str, told: str | None) -> None:
    answer = ask(port, "/", Range=asked)
    assert (answer.status, answer.text, answer.headers["Content-Range"]) == (status, text, told)


def test_a_part_of_what_has_changed_is_all_of_it(port: int) -> None:
    tag = ask(port, "/").headers["ETag"]
    assert get(port, "/", Range="bytes=0-2", If_Range=tag) == (206, "the")
    assert get(port, "/", Range="bytes=0-2", If_Range='"old"') == (200, "the index")


def test_the_head_alone_tells_what_the_whole_would(port: int) -> None:
    told, whole = ask(port, "/", "HEAD", Range="bytes=0-2"), ask(port, "/")
    assert (told.status, told.text, whole.text) == (200, "", "the index")
    for name in ("Content-Length", "Content-Type", "ETag"):
        assert told.headers[name] == whole.headers[name]


def test_a_connection_serves_several_requests(port: int) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.connect()
        used = connection.sock
        for path in ("/", "/runs/a.html", "/"):
            connection.request("GET", path)
            with connection.getresponse() as response:
                assert response.status == 200 and response.read()
            assert connection.sock is used


def test_a_foreign_name_for_this_machine_is_refused(port: int) -> None:
    assert get(port, "/", Host=f"evil.example:{port}")[0] == 404
    assert get(port, "/", Host=f"localhost:{port}")[0] == 200


def test_without_a_site_the_error_says_what_to_do(tmp_path: Path) -> None:
    for act in (serve.serve, serve.open_in_browser):
        with pytest.raises(EnvironmentFailure, match="Run an entity first, or `sluis docs build`"):
            act(tmp_path)


def test_a_port_that_is_taken_is_named(state: Path, port: int) -> None:
    with pytest.raises(EnvironmentFailure, match=f"Cannot serve on 127.0.0.1:{port}"):
        serve.server(serve.reader(state), port=port)


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
