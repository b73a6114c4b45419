"""Serving and opening the site: whole files, read only, whether they lie in a folder or on a Volume."""

from __future__ import annotations

import mimetypes
import re
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from sluis.errors import EnvironmentFailure
from sluis.report.site import docs_folder, index_path

Read = Callable[[str], bytes | None]
"""The content of a file of the site, by its path in there; None if there is none."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    # Kept by the browser, and asked about each time: a page may be built anew.
    "Cache-Control": "no-cache",
    # What no page of the site needs; the pages themselves state less still.
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' data:; connect-src 'none'; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""Sent with every answer: nothing comes from elsewhere, nothing goes elsewhere."""

_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")


def serve(state: Path, host: str = "127.0.0.1", port: int = 0) -> None:
    """Serve the site of a state folder until it is interrupted.

    Raises:
        EnvironmentFailure: there is no site, or the address cannot be used.
    """
    _demand_site(state)
    with server(reader(docs_folder(state)), host, port) as running:
        print(f"Serving the reports at http://{host}:{running.server_address[1]}/ (stop with Ctrl-C)", flush=True)
        with suppress(KeyboardInterrupt):
            running.serve_forever()


def open_in_browser(state: Path) -> bool:
    """Open the first page in the user's browser; false when there is no browser.

    Raises:
        EnvironmentFailure: there is no site.
    """
    _demand_site(state)
    return webbrowser.open(index_path(state).resolve().as_uri())


def server(read: Read, host: str = "127.0.0.1", port: int = 0) -> ThreadingHTTPServer:
    """A server for a site, bound to its port and not yet serving.

    Raises:
        EnvironmentFailure: the address cannot be used.
    """
    try:
        return ThreadingHTTPServer((host, port), partial(_Handler, read))
    except OSError as error:
        raise EnvironmentFailure(
            f"Cannot serve on {host}:{port}: {error.strerror or error}.", hint="Choose another --port."
        ) from error


def reader(folder: Path) -> Read:
    """The files of a folder; no link is followed, within or out of it."""
    root = folder.resolve()

    def read(path: str) -> bytes | None:
        asked = root / path
        is_ours = asked.is_relative_to(root) and asked.resolve() == asked
        return asked.read_bytes() if is_ours and asked.is_file() else None

    return read


def asked_for(target: str) -> str | None:
    """The path in the site that a request's target names; None where it names a hidden file or leads elsewhere."""
    try:
        path = unquote(target.partition("?")[0], errors="strict")
    except UnicodeDecodeError:
        return None
    before, *names = path.split("/")
    if not before and names == [""]:
        return "index.html"
    plain = all(name and name.isprintable() and not name.startswith(".") and "\\" not in name for name in names)
    return "/".join(names) if names and plain and not before else None


def wanted(ranged: str | None, size: int) -> range | None:
    """The bytes that a Range header asks of so many (RFC 9110, section 14), empty if there are no such bytes.

    None, which means all, without one, and for what that section lets a server ignore: several ranges, other units.
    """
    found = _RANGE.fullmatch(ranged or "")
    if not found or found[0] == "bytes=-" or (all(found.groups()) and int(found[1]) > int(found[2])):
        return None
    first, last = found.groups()
    if not first:
        return range(max(0, size - int(last)), size)
    return range(int(first), min(int(last) + 1, size) if last else size)


def _demand_site(state: Path) -> None:
    if not index_path(state).is_file():
        raise EnvironmentFailure(
            f"There are no reports in {docs_folder(state)}.", hint="Run an entity first, or `sluis docs build`."
        )


class _Handler(BaseHTTPRequestHandler):
    """Files of the site, and nothing else."""

    server_version = "sluis"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 60

    def __init__(self, read: Read, *args: Any) -> None:
        self._read = read
        super().__init__(*args)

    def do_GET(self) -> None:
        """Answer with the file that is asked for."""
        path = asked_for(self.path)
        try:
            content = self._read(path) if path and self._is_meant() else None
        except EnvironmentFailure as error:
            # Whoever runs the server sees why; whoever asks for a page need not know our places.
            print(error, flush=True)
            self.send_error(HTTPStatus.BAD_GATEWAY)
            return
        if path is None or content is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self._send(path, content)

    do_HEAD = do_GET

    def _send(self, path: str, content: bytes) -> None:
        # Of the content, as two writes of one second and size could not be told apart by time.
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        part = self._part(tag, len(content))
        if self._has(tag):
            self._head(HTTPStatus.NOT_MODIFIED, tag)
        elif part is None:
            self._head(HTTPStatus.OK, tag, _kind(path), len(content))
            self._body(content)
        elif part:
            told = f"bytes {part.start}-{part.stop - 1}/{len(content)}"
            self._head(HTTPStatus.PARTIAL_CONTENT, tag, _kind(path), len(part), told)
            self._body(content[part.start : part.stop])
        else:
            self._head(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, tag, _kind(path), 0, f"bytes */{len(content)}")

    def _has(self, tag: str) -> bool:
        """Whether the asker has this very content already."""
        known = [each.strip().removeprefix("W/") for each in self.headers.get("If-None-Match", "").split(",")]
        return tag in known or "*" in known

    def _part(self, tag: str, size: int) -> range | None:
        is_of_this = self.headers.get("If-Range", tag) == tag
        return wanted(self.headers.get("Range"), size) if self.command == "GET" and is_of_this else None

    def _head(self, status: HTTPStatus, tag: str, kind: str = "", size: int | None = None, part: str = "") -> None:
        told = {"ETag": tag, "Accept-Ranges": "bytes", "Content-Type": kind, "Content-Range": part}
        self.send_response(status)
        for name, value in told.items():
            if value:
                self.send_header(name, value)
        if size is not None:
            self.send_header("Content-Length", str(size))
        self.end_headers()

    def _body(self, content: bytes) -> None:
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self) -> None:
        """Send what every answer has."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class's name
        """Say nothing: the command's output is the address alone."""

    def _is_meant(self) -> bool:
        """Whether the request names us; a foreign name on a private address is another site reading through us."""
        if not ip_address(cast(tuple[str, int], self.server.server_address)[0]).is_loopback:
            return True
        return self.headers.get("Host", "").partition(":")[0] in ("localhost", "127.0.0.1")


def _kind(path: str) -> str:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
