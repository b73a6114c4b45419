"""Publishing to a Volume, through the real SDK, to a small server that behaves as the workspace's Files API does."""

from __future__ import annotations

import http.client
import json
import os
import posixpath
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import requests
from click.testing import CliRunner

from sluis import docs
from sluis.cli import main
from sluis.config import Settings
from sluis.errors import EnvironmentFailure
from sluis.report.publish import publish
from sluis.report.volume import Volume, connect

VOLUME = "/Volumes/main/demo/sluis"
FILES, FOLDERS = "/api/2.0/fs/files", "/api/2.0/fs/directories"


class Workspace(ThreadingHTTPServer):
    """The Files API: files with the moment of their last change, folders that must exist, listings in pages."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.files: dict[str, tuple[bytes, int]] = {}
        self.folders = {VOLUME}
        self.page_size = 1000
        self.requests: list[tuple[str, str]] = []
        self.moments: dict[str, list[float]] = {}
        self.writes: Counter[str] = Counter()
        self.throttled: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.before_write: Callable[[str], None] = lambda path: None
        self.lock = threading.RLock()
        self.clock = 1_700_000_000_000

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def write(self, path: str, content: bytes) -> bool:
        with self.lock:
            if str(PurePosixPath(path).parent) not in self.folders:
                return False
            self.clock += 1
            self.files[path] = (content, self.clock)
            self.writes[path] += 1
        return True

    def make(self, folder: str) -> None:
        with self.lock:
            place = PurePosixPath(folder)
            self.folders |= {str(place), *map(str, place.parents)}

    def entries(self, folder: str) -> list[dict[str, Any]]:
        def within(paths: Any) -> list[str]:
            return sorted(path for path in paths if path.rpartition("/")[0] == folder)

        with self.lock:
            folders = [{"path": path, "is_directory": True} for path in within(self.folders)]
            files = [
                {
                    "path": path,
                    "is_directory": False,
                    "file_size": len(self.files[path][0]),
                    "last_modified": self.files[path][1],
                }
                for path in within(self.files)
            ]
        return [{**entry, "name": entry["path"].rpartition("/")[2]} for entry in [*folders, *files]]

    def text(self, path: str) -> str:
        return self.files[f"{VOLUME}/{path}"][0].decode()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no news."""


class _Request(BaseHTTPRequestHandler):
    server: Workspace
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def answer(self) -> None:
        asked = urlsplit(self.path)
        path = unquote(asked.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        name = path.rpartition("/")[2]
        with self.server.lock:
            self.server.requests.append((self.command, path))
            self.server.moments.setdefault(path, []).append(time.monotonic())
            throttle, drop = self.server.throttled[name] > 0, self.server.dropped[name] > 0
            self.server.throttled[name] -= throttle
            self.server.dropped[name] -= drop and not throttle
        if throttle:
            self.tell(429, b'{"error_code": "REQUEST_LIMIT_EXCEEDED", "message": "slower"}', {"Retry-After": "1"})
        elif drop:
            self.close_connection = True
        elif path.startswith(FILES):
            self.file(path.removeprefix(FILES), body)
        elif path.startswith(FOLDERS):
            self.folder(path.removeprefix(FOLDERS), parse_qs(asked.query))
        else:
            self.missing()

    do_GET = do_PUT = do_HEAD = do_POST = answer

    def file(self, path: str, body: bytes) -> None:
        if self.command == "PUT":
            self.server.before_write(path)
            self.tell(204) if self.server.write(path, body) else self.missing()
        elif path in self.server.files:
            self.tell(200, self.server.files[path][0])
        else:
            self.missing()

    def folder(self, path: str, query: dict[str, list[str]]) -> None:
        path = path.rstrip("/")
        if self.command == "PUT":
            self.server.make(path)
            self.tell(204)
        elif path in self.server.folders:
            entries, start = self.server.entries(path), int(query.get("page_token", ["0"])[0])
            end = start + self.server.page_size
            more = {"next_page_token": str(end)} if end < len(entries) else {}
            self.tell(200, json.dumps({"contents": entries[start:end], **more}).encode())
        else:
            self.missing()

    def missing(self) -> None:
        self.tell(404, b'{"error_code": "NOT_FOUND", "message": "there is none"}')

    def tell(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Workspace]:
    for name in [name for name in os.environ if name.startswith("DATABRICKS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with Workspace() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("DATABRICKS_HOST", running.address)
        monkeypatch.setenv("DATABRICKS_TOKEN", "a token")
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def volume(workspace: Workspace) -> Volume:
    return connect(VOLUME)


def state_of(folder: Path, runs: int, entity: str) -> Path:
    """A state folder with so many runs of an entity."""
    for place in ("docs/runs", "results/runs"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    for number in range(runs):
        run_id = f"20261130T{number:06d}Z-{entity}-abcdef"
        (folder / "docs/runs" / f"{run_id}.html").write_text(f"page of {run_id}")
        (folder / "results/runs" / f"{run_id}.json").write_text(json.dumps({"run_id": run_id}))
    return folder


def build(state: Path) -> None:
    """An index of a state folder: a line for each record; and a page about an entity, and pages that are missing."""
    lines = []
    for record in sorted((state / "results/runs").glob("*.json")):
        run_id = json.loads(record.read_text())["run_id"]
        page = state / "docs/runs" / f"{run_id}.html"
        if not page.exists():
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f"page of {run_id}")
        lines.append(f"runs/{run_id}.html")
    (state / "docs/entities").mkdir(exist_ok=True)
    (state / "docs/entities/a.html").write_text("an entity")
    (state / "docs/index.html").write_text("\n".join(lines))


def require_whole(workspace: Workspace, runs: int) -> None:
    """The index names every run that was published, and no page that is not there."""
    named = workspace.text("docs/index.html").splitlines()
    assert len(named) == runs
    assert [page for page in named if f"{VOLUME}/docs/{page}" not in workspace.files] == []
    assert all(workspace.text(f"docs/{page}") == f"page of {Path(page).stem}" for page in named)


def test_a_site_is_published_pages_first_and_index_last(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    workspace.page_size = 7
    assert publish(state_of(tmp_path, 20, "a"), volume, build) == 42
    require_whole(workspace, 20)
    written = [path.removeprefix(f"{FILES}{VOLUME}/") for method, path in workspace.requests if method == "PUT"]
    order = [path.rpartition("/")[0] for path in written if not path.startswith("/api")]
    assert order == ["docs/runs"] * 20 + ["results/runs"] * 20 + ["docs/entities", "docs"]


def test_only_what_differs_is_sent_again(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    state = state_of(tmp_path, 5, "a")
    publish(state, volume, build)
    changed, removed = sorted((state / "docs/runs").iterdir())[:2]
    changed.write_text(changed.read_text().upper())
    del workspace.files[f"{VOLUME}/docs/runs/{removed.name}"]
    workspace.writes.clear()
    publish(state, volume, build)
    sent = {path.removeprefix(f"{VOLUME}/docs/") for path in workspace.writes}
    assert sent == {f"runs/{changed.name}", f"runs/{removed.name}", "entities/a.html", "index.html"}
    assert workspace.text(f"docs/runs/{changed.name}") == changed.read_text()


def test_caches_hidden_files_and_what_gx_keeps_stay(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    state = state_of(tmp_path, 1, "a")
    for path in (
        "results/validations/x/y.json",
        "results/history.json",
        "results/runs/.probe",
        "warehouse/t/1.parquet",
    ):
        (state / path).parent.mkdir(parents=True, exist_ok=True)
        (state / path).write_text("{}")
    publish(state, volume, build)
    assert len(workspace.files) == 4


def test_what_several_publish_stays_and_the_index_names_it_all(
    workspace: Workspace, volume: Volume, tmp_path: Path
) -> None:
    publish(state_of(tmp_path / "a", 3, "a"), volume, build)
    publish(state_of(tmp_path / "b", 4, "b"), volume, build)
    require_whole(workspace, 7)
    workspace.requests.clear()
    publish(tmp_path / "b", volume, build)
    assert [path for method, path in workspace.requests if method == "GET" and path.startswith(FILES)] == []


def test_a_run_without_a_page_gets_one(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    state = state_of(tmp_path, 3, "a")
    for page in (state / "docs/runs").iterdir():
        page.unlink()
    publish(state, volume, build)
    require_whole(workspace, 3)


def test_two_publishers_at_once_leave_a_true_index(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    """The first is held back when it is about to write an index that does not know the other's runs."""
    first, second = (state_of(tmp_path / name, 40, name) for name in "ab")
    other = threading.Thread(target=publish, args=(second, connect(VOLUME), build))
    met = []

    def hold(path: str) -> None:
        if path.endswith("index.html") and not met:
            met.append(path)
            other.start()
            other.join(30)

    workspace.before_write = hold
    publish(first, volume, build)
    assert met and not other.is_alive()
    require_whole(workspace, 80)
    assert workspace.writes[f"{VOLUME}/docs/index.html"] == 3


def test_many_publishers_in_each_others_way(workspace: Workspace, tmp_path: Path) -> None:
    states = [state_of(tmp_path / name, 10, name) for name in "abcd"]
    publishers = [
        threading.Thread(target=publish, args=(state, connect(VOLUME), build)) for state in [*states, states[0]]
    ]
    for each in publishers:
        each.start()
    for each in publishers:
        each.join(60)
    require_whole(workspace, 40)


def test_throttling_and_dropped_connections_are_waited_out(
    workspace: Workspace, volume: Volume, tmp_path: Path
) -> None:
    state = state_of(tmp_path, 10, "a")
    pages = sorted(page.name for page in (state / "docs/runs").iterdir())
    workspace.throttled.update({pages[0]: 1, pages[1]: 1, "runs": 1, "index.html": 1})
    workspace.dropped.update({pages[2]: 1, pages[3]: 1})
    publish(state, volume, build)
    require_whole(workspace, 10)
    asked, again = workspace.moments[f"{FILES}{VOLUME}/docs/runs/{pages[0]}"]
    assert again - asked >= 1, "Retry-After is a second"
    assert len(workspace.moments[f"{FILES}{VOLUME}/docs/runs/{pages[2]}"]) == 2


KILLED = """
import sys
from pathlib import Path
from sluis.report.publish import publish
from sluis.report.volume import connect
publish(Path(sys.argv[1]), connect(sys.argv[2]), lambda state: None)
"""


def test_a_killed_publisher_is_resumed(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    state = state_of(tmp_path / "state", 200, "a")
    half = threading.Event()

    def stop(_: str) -> None:
        if len(workspace.files) >= 100:
            half.set()
            time.sleep(30)

    workspace.before_write = stop
    publisher = subprocess.Popen([sys.executable, "-c", KILLED, str(state), VOLUME])
    assert half.wait(30)
    publisher.kill()
    publisher.wait(10)
    assert f"{VOLUME}/docs/index.html" not in workspace.files, "a site that is not whole has no index"
    workspace.before_write = lambda path: None
    sent = len(workspace.files)
    workspace.writes.clear()
    publish(state, volume, build)
    require_whole(workspace, 200)
    again = sum(workspace.writes.values())
    assert 402 - sent <= again <= 402 - sent + 16, "what was noted before the kill is not sent again"


def test_a_cut_off_note_is_no_note(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    state = state_of(tmp_path, 3, "a")
    publish(state, volume, build)
    notes = state / "published" / VOLUME.lstrip("/") / "sent"
    notes.write_bytes(notes.read_bytes()[:-4])
    workspace.writes.clear()
    publish(state, volume, build)
    assert sum(workspace.writes.values()) == 3


@pytest.mark.slow
def test_five_thousand_files(workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    state = state_of(tmp_path, 2500, "a")
    workspace.throttled.update({page.name: 1 for page in list((state / "docs/runs").iterdir())[::250]})
    workspace.dropped.update({record.name: 1 for record in list((state / "results/runs").iterdir())[::250]})
    assert publish(state, volume, build) == 5002
    require_whole(workspace, 2500)
    workspace.writes.clear()
    assert publish(state, volume, build) == 2


@pytest.mark.parametrize("path", ["/tmp/x", "/Volumes/main/demo", "/Volumes/main/demo/../x", "/Volumes/a/b/c/./d"])
def test_only_volumes_are_published_to(path: str) -> None:
    with pytest.raises(EnvironmentFailure, match="is no folder of a Volume"):
        connect(path)


def test_without_credentials_the_error_says_what_to_set(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABRICKS_TOKEN")
    monkeypatch.setenv("DATABRICKS_AUTH_TYPE", "pat")
    with pytest.raises(EnvironmentFailure, match="no workspace to look for") as caught:
        connect(VOLUME)
    assert "DATABRICKS_HOST" in caught.value.hint


def test_nothing_to_publish(volume: Volume, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailure, match="There are no reports"):
        publish(tmp_path, volume, build)


def test_a_refusal_names_the_volume_and_the_privileges(
    workspace: Workspace, volume: Volume, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(this: _Request) -> None:
        this.rfile.read(int(this.headers.get("Content-Length", 0)))
        this.tell(403, b'{"error_code": "PERMISSION_DENIED", "message": "no WRITE VOLUME"}')

    monkeypatch.setattr(_Request, "do_PUT", refuse)
    with pytest.raises(EnvironmentFailure, match=f"{VOLUME} cannot be written: .*no WRITE VOLUME") as caught:
        publish(state_of(tmp_path, 3, "a"), volume, build)
    assert "USE SCHEMA" in caught.value.hint


@pytest.fixture
def app(volume: Volume, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The address of the app, started as the platform starts it: from the source folder, with a port in its environment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    source = Path(__file__).parents[2] / "src"
    command = [sys.executable, "-m", "sluis.report.app", VOLUME]
    env = {**os.environ, "DATABRICKS_APP_PORT": port}
    with subprocess.Popen(command, cwd=source, env=env, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout and started.stdout.readline() == f"Serving {VOLUME}/docs\n"
        yield f"http://127.0.0.1:{port}"
        started.terminate()


def fetch(address: str, method: str = "GET", **headers: str) -> requests.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.request(method, address, headers=named, timeout=30)


def test_the_app_serves_the_site_of_its_volume(app: str, workspace: Workspace, volume: Volume, tmp_path: Path) -> None:
    publish(state_of(tmp_path, 2, "a"), volume, build)
    workspace.make("/Volumes/main/demo/other/docs")
    workspace.write("/Volumes/main/demo/other/docs/index.html", b"secret")
    first = fetch(f"{app}/")
    assert first.text == workspace.text("docs/index.html")
    assert fetch(f"{app}/{first.text.splitlines()[0]}").text.startswith("page of")
    assert fetch(f"{app}/", If_None_Match=first.headers["ETag"]).status_code == 304
    assert fetch(f"{app}/", Range="bytes=0-3").text == "runs"
    assert fetch(f"{app}/", "HEAD").headers["Content-Length"] == str(len(first.content))
    workspace.requests.clear()
    for path in ("../results/runs", "%2e%2e/results/history.json", "..%2f..%2fother/docs/index.html", ".x", "a//b"):
        with closing(http.client.HTTPConnection(app.removeprefix("http://"), timeout=30)) as connection:
            connection.request("GET", f"/{path}")
            with connection.getresponse() as response:
                assert response.status == 404 and response.read()
    assert workspace.requests == [], "what leads elsewhere is not even asked for"
    assert fetch(f"{app}/nothing.html").status_code == 404
    assert fetch(f"{app}/", "PUT").status_code == 501
    assert {method for method, _ in workspace.requests} <= {"GET", "POST"}


def test_the_app_tells_no_one_why_the_volume_cannot_be_read(
    app: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(this: _Request) -> None:
        this.tell(403, b'{"error_code": "PERMISSION_DENIED", "message": "no READ VOLUME"}')

    monkeypatch.setattr(_Request, "do_GET", refuse)
    monkeypatch.setattr(_Request, "do_POST", refuse)
    refused = fetch(f"{app}/")
    assert refused.status_code == 502 and "VOLUME" not in refused.text.upper()


ROOT = Path(__file__).parents[2]


def project_with(folder: Path, *evidence: str) -> Path:
    """A project with the records of some runs and no pages."""
    for name in ("contracts", "gx"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / ".sluis/results/runs").mkdir(parents=True)
    for name in evidence:
        record = (ROOT / f"tests/data/evidence/{name}.json").read_text()
        (folder / f".sluis/results/runs/{json.loads(record)['run_id']}.json").write_text(record)
    return folder


def test_the_command_publishes_what_several_projects_ran(workspace: Workspace, tmp_path: Path) -> None:
    first, second = project_with(tmp_path / "a", "passed", "rejected"), project_with(tmp_path / "b", "warnings")
    done = []
    for project, arguments in (
        (first, ["build"]),
        (first, ["publish", "--to", VOLUME]),
        (second, ["publish", "--to", VOLUME]),
    ):
        ended = CliRunner().invoke(main, ["docs", *arguments, "--project", str(project)])
        assert ended.exit_code == 0, ended.output
        done.append(ended.output)
    assert re.fullmatch(rf"Published to {VOLUME}: \d+ files sent\.\n", done[-1])
    records = [path.stem for project in (first, second) for path in project.glob(".sluis/results/runs/*.json")]
    index = workspace.text("docs/index.html")
    assert len(records) == 3 and [run_id for run_id in records if f"{run_id}.html" not in index] == []
    site = {path: content.decode() for path, (content, _) in workspace.files.items() if path.endswith(".html")}
    links = {
        posixpath.normpath(posixpath.join(posixpath.dirname(page), link.partition("#")[0]))
        for page, content in site.items()
        for link in re.findall(r'href="([^"#:]+)["#]', content)
    }
    assert links and links <= site.keys(), "no page leads nowhere"


def test_without_a_volume_the_command_says_how_to_name_one(workspace: Workspace, tmp_path: Path) -> None:
    ended = CliRunner().invoke(main, ["docs", "publish", "--project", str(project_with(tmp_path, "passed"))])
    assert ended.exit_code == 3 and "`docs_volume` in contracts/environments.json" in ended.output


def settings(volume: str | None) -> Settings:
    return Settings(environment="x", variables={"docs_volume": volume} if volume else {}, raw={})


def test_runs_publish_where_their_environment_says(workspace: Workspace, tmp_path: Path) -> None:
    project = project_with(tmp_path, "passed")
    for place in (None, str(project / ".sluis")):
        docs.publish_after_runs(project / "gx", project / ".sluis", settings(place))
    assert workspace.files == {}
    docs.publish_after_runs(project / "gx", project / ".sluis", settings(f"{VOLUME}/"))
    assert f"{VOLUME}/docs/index.html" in workspace.files


def test_a_run_is_published_whatever_came_of_it(workspace: Workspace, tmp_path: Path) -> None:
    """One that is refused before it needs Spark: its suite is not what the contract compiles to."""
    project = project_with(tmp_path)
    suite = project / "gx/expectations/customers.json"
    suite.write_text(suite.read_text().replace("customers", "clients", 1))
    environments = project / "contracts/environments.json"
    known = json.loads(environments.read_text())
    environments.write_text(json.dumps(known | {"local": known["local"] | {"docs_volume": VOLUME}}))
    ended = CliRunner().invoke(main, ["run", "customers", "--env", "local", "--project", str(project)])
    assert ended.exit_code == 2, ended.output
    [record] = [json.loads(content) for path, (content, _) in workspace.files.items() if "/results/runs/" in path]
    assert record["verdict"] == "ERROR"
    assert f"runs/{record['run_id']}.html" in workspace.text("docs/index.html")
    assert f"{VOLUME}/docs/runs/{record['run_id']}.html" in workspace.files


def test_runs_that_cannot_be_published_are_runs_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    docs.publish_after_runs(tmp_path / "gx", tmp_path, settings("/Volumes/nowhere"))
    assert "The reports were not published: /Volumes/nowhere is no folder of a Volume." in caplog.text


def test_a_state_folder_that_cannot_be_written_fails_no_run(
    workspace: Workspace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state = project_with(tmp_path, "passed") / ".sluis"
    (state / "published").write_text("in the way")
    docs.publish_after_runs(tmp_path / "gx", state, settings(VOLUME))
    assert "The reports were not published" in caplog.text
