"""A folder of a Unity Catalog Volume through the workspace's Files API, so that no `/Volumes` need be mounted.

Throttling (429 with Retry-After), dropped connections and servers that are briefly away are the SDK's to retry: it
does so for every call below, for five minutes unless its `retry_timeout_seconds` says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from sluis.errors import EnvironmentFailure
from sluis.report.journal import Stamp

if TYPE_CHECKING:
    from databricks.sdk import WorkspaceClient

_PATH = re.compile(r"/Volumes(/(?!\.{1,2}(/|$))[^/]+){3,}")
"""Catalog, schema, Volume, and any folders in it."""


@dataclass(frozen=True, kw_only=True)
class Volume:
    """A folder of a Volume; paths of its files are relative to it."""

    folder: str
    """`/Volumes/CATALOG/SCHEMA/VOLUME`, or a folder in there."""

    client: WorkspaceClient
    """Whoever reads and writes."""

    def files(self, under: str) -> dict[str, Stamp]:
        """Every file at any depth below a folder, when written in milliseconds of the workspace's clock.

        None where there is no such folder.

        Raises:
            EnvironmentFailure: the workspace does not answer, or lets us not read there.
        """
        from databricks.sdk.errors import NotFound

        found: dict[str, Stamp] = {}
        folders = [under]
        with self._telling("listed"):
            while folders:
                folder = folders.pop()
                try:
                    for entry in self.client.files.list_directory_contents(f"{self.folder}/{folder}"):
                        path = f"{folder}/{entry.name}"
                        if entry.is_directory:
                            folders.append(path)
                        elif not path.rpartition("/")[2].startswith("."):
                            found[path] = (entry.file_size or 0, entry.last_modified or 0)
                except NotFound:
                    continue
        return found

    def read(self, path: str) -> bytes | None:
        """A file's content; None if there is none.

        Raises:
            EnvironmentFailure: the workspace does not answer, or lets us not read there.
        """
        from databricks.sdk.errors import NotFound

        with self._telling("read"):
            try:
                contents = self.client.files.download(f"{self.folder}/{path}").contents
            except NotFound:
                return None
            if contents is None:
                return None
            with contents:
                return contents.read()

    def write(self, path: str, content: bytes) -> None:
        """Write a file whole, over one that is there; its folder must exist.

        Raises:
            EnvironmentFailure: the workspace does not answer, or lets us not write there.
        """
        with self._telling("written"):
            self.client.files.upload(f"{self.folder}/{path}", BytesIO(content), overwrite=True)

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, unless they are there.

        Raises:
            EnvironmentFailure: the workspace does not answer, or lets us not write there.
        """
        with self._telling("written"):
            self.client.files.create_directory(f"{self.folder}/{path}")

    @contextmanager
    def _telling(self, done: str) -> Iterator[None]:
        from databricks.sdk.errors.base import DatabricksError

        try:
            yield
        # The second is how the SDK and the libraries below it say that nobody answered, however often asked.
        except (DatabricksError, OSError) as error:
            raise EnvironmentFailure(
                f"{self.folder} cannot be {done}: {error}",
                hint="the Volume must exist; reading takes USE CATALOG, USE SCHEMA and READ VOLUME, publishing also "
                "WRITE VOLUME.",
            ) from error


def is_volume(path: str) -> bool:
    """Whether that is the path of a Volume, or of a folder in one."""
    return bool(_PATH.fullmatch(path.rstrip("/")))


def connect(path: str) -> Volume:
    """The folder at a path of the workspace that the environment or `~/.databrickscfg` names.

    Raises:
        EnvironmentFailure: that is no path of a Volume, or there are no credentials.
    """
    folder = path.rstrip("/")
    if not is_volume(folder):
        raise EnvironmentFailure(f"{path} is no folder of a Volume.", hint="/Volumes/CATALOG/SCHEMA/VOLUME is one.")
    from databricks.sdk import WorkspaceClient

    try:
        return Volume(folder=folder, client=WorkspaceClient())
    except ValueError as error:
        raise EnvironmentFailure(
            f"There is no workspace to look for {folder} in: {error}",
            hint="`databricks auth login`, or set DATABRICKS_HOST and what it takes to log in there.",
        ) from error
