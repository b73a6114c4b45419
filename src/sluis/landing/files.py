"""Which files a source is: listed by Spark, so that what is pinned is what Spark would read."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sluis.errors import SourceError
from sluis.landing.content import local_path
from sluis.landing.model import SourceFile

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATH_OF_ROW = r"regexp_replace(url_decode(replace(_metadata.file_path, '+', '%2B')), '^(file|dbfs):/+', '$1:/')"
"""SQL of the path of a row's file, as in `SourceFile.path`."""

GLOB = "\\*?[]{}"


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A file and the spelling of its path that Spark's `_metadata.file_path` has."""

    file: SourceFile
    """The file."""

    uri: str
    """Its path with spaces and the like as `%20`."""


def escaped(path: str) -> str:
    """A path that Spark's globbing takes for exactly this file."""
    return "".join(f"\\{char}" if char in GLOB else char for char in path)


def absolute(source: str) -> str:
    """The source as Spark should be asked for it: the driver's own folder is not always Spark's."""
    scheme, colon, _ = source.partition(":")
    if (colon and "/" not in scheme and len(scheme) > 1) or os.path.isabs(source):
        return escaped(source) if os.path.exists(source) else source
    path = os.path.abspath(source)
    return escaped(path) if os.path.exists(path) else path


def size(source: str) -> int | None:
    """Bytes of the source, before there is a Spark to ask; None where this process cannot see it."""
    path = local_path(source)
    if path is None:
        return None
    matches = [path] if path.exists() else [Path(name) for name in glob.glob(str(path))]
    files = [file for match in matches for file in (match.iterdir() if match.is_dir() else [match])]
    return sum(file.stat().st_size for file in files if file.is_file()) if files else None


def listing(spark: SparkSession, source: str) -> tuple[Listed, ...]:
    """The files of a file, folder or glob, in the order of their paths; hidden ones are none.

    Raises:
        SourceError: there is no such path, or no file in it.
    """
    from pyspark.errors import PySparkException

    if not source.strip():
        raise SourceError("The source is an empty path")
    frame = spark.read.format("binaryFile")
    try:
        found = frame.load(absolute(source))
        uris = sorted(found.inputFiles())
        files = _here(uris)
        if files is None:
            rows = found.selectExpr("path", "length", "unix_millis(modificationTime)", "_metadata.file_path").collect()
            files = [Listed(file=_file(row[0], row[1], row[2]), uri=row[3]) for row in rows]
    except PySparkException as error:
        raise missing(source, error) from error
    if not files:
        raise SourceError(
            f"No files in {source}", hint=_hint(source, "files whose names begin with _ or . are skipped")
        )
    return tuple(sorted(files, key=lambda listed: listed.file.path))


def _here(uris: list[str]) -> list[Listed] | None:
    """The listing without a Spark job, where Spark's file system is this machine's own."""
    if not all(uri.startswith("file:") for uri in uris):
        return None
    files = []
    for uri in uris:
        path = local_path(unquote(uri))
        try:
            status = os.stat(path or "")
        except OSError:
            return None
        file = _file(unquote(uri), status.st_size, status.st_mtime_ns // 1_000_000)
        files.append(Listed(file=file, uri=f"file:/{uri.removeprefix('file:').lstrip('/')}"))
    return files


def _file(path: str, size: int, millis: int) -> SourceFile:
    scheme, _, rest = path.partition(":")
    modified = datetime.fromtimestamp(millis // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return SourceFile(
        path=f"{scheme}:/{rest.lstrip('/')}" if scheme in ("file", "dbfs") else path,
        size=size,
        modified=f"{modified}.{millis % 1000:03d}Z",
    )


def missing(source: str, error: Exception) -> SourceError:
    """The error for a source that cannot be listed."""
    condition = getattr(error, "getCondition", lambda: None)() or ""
    if condition == "PATH_NOT_FOUND":
        return SourceError(
            f"No such file or folder: {source}", hint=_hint(source, "check the path and the environment")
        )
    return SourceError(f"Cannot list {source}: {str(error).splitlines()[0]}")


def _hint(source: str, otherwise: str) -> str:
    """Names what lies beside a path that is not there."""
    folder = os.path.dirname(source)
    try:
        beside = sorted(name for name in os.listdir(folder or ".") if not name.startswith((".", "_")))[:5]
    except OSError:
        return otherwise
    return f"{folder or '.'} holds {', '.join(beside)}" if beside else f"{folder or '.'} is empty"
