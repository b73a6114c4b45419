"""Building, serving and opening the site."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast

from sluis.errors import EnvironmentFailure
from sluis.report.site import docs_folder, index_path


def serve(state: Path, host: str = "127.0.0.1", port: int = 0) -> None:
    """Serve the site until it is interrupted.

    Raises:
        EnvironmentFailure: there is no site, or the address cannot be used.
    """
    with server(state, host, port) as running:
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


def server(state: Path, host: str = "127.0.0.1", port: int = 0) -> ThreadingHTTPServer:
    """A server for the site, bound to its port and not yet serving.

    Raises:
        EnvironmentFailure: there is no site, or the address cannot be used.
    """
    _demand_site(state)
    handler = partial(_Handler, directory=str(docs_folder(state).resolve()))
    try:
        return ThreadingHTTPServer((host, port), handler)
    except OSError as error:
        raise EnvironmentFailure(
            f"Cannot serve on {host}:{port}: {error.strerror or error}.", hint="Choose another --port."
        ) from error


def _demand_site(state: Path) -> None:
    if not index_path(state).is_file():
        raise EnvironmentFailure(
            f"There are no reports in {docs_folder(state)}.", hint="Run an entity first, or `sluis docs build`."
        )


class _Handler(SimpleHTTPRequestHandler):
    """Pages of the site, and nothing else: no listing, no hidden file, no link that leads out of the folder."""

    server_version = "sluis"
    sys_version = ""

    def send_head(self) -> Any:
        if self._is_served():
            return super().send_head()
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def list_directory(self, path: Any) -> BytesIO | None:
        del path
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def end_headers(self) -> None:
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class's name
        """Say nothing: the command's output is the address alone."""

    def _is_served(self) -> bool:
        root = Path(self.directory)
        asked = Path(self.translate_path(self.path)).resolve()
        inside = asked.is_relative_to(root) and not any(part.startswith(".") for part in asked.relative_to(root).parts)
        return inside and self._is_meant()

    def _is_meant(self) -> bool:
        """Whether the request names us; a foreign name on a private address is another site reading through us."""
        if not ip_address(cast(tuple[str, int], self.server.server_address)[0]).is_loopback:
            return True
        return self.headers.get("Host", "").partition(":")[0] in ("localhost", "127.0.0.1")
