"""A folder that takes files as a Unity Catalog Volume does: whole and front to back, and no renaming."""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOTSUP
from pathlib import Path
from typing import Any
from unittest import mock

_MOVES = ("os.rename", "os.link", "os.symlink", "os.truncate")
_watched: list[Path] = []
_open = io.open


@contextmanager
def volume(*folders: Path) -> Iterator[None]:
    """Let these folders refuse rename, append, reading and writing at once, and seek while writing."""
    _watched.extend(folders)
    try:
        with mock.patch.object(io, "open", _opened), mock.patch.object(builtins, "open", _opened):
            yield
    finally:
        _watched.clear()


def _is_watched(path: Any) -> bool:
    if not _watched or not isinstance(path, str | bytes | os.PathLike):
        return False
    return any(Path(os.fsdecode(path)).is_relative_to(folder) for folder in _watched)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _MOVES and any(map(_is_watched, arguments[:2])):
        raise OSError(ENOTSUP, f"{event} on a Volume")
    if event == "open" and _is_watched(arguments[0]):
        _, mode, flags = arguments
        updates = set(mode or "") & set("a+") or flags & os.O_APPEND or flags & os.O_ACCMODE == os.O_RDWR
        if updates:
            raise OSError(ENOTSUP, f"opening for {mode or flags} on a Volume")


sys.addaudithook(_hook)


class _Sequential(io.BufferedWriter):
    def seekable(self) -> bool:
        return False

    def seek(self, offset: int, whence: int = 0, /) -> int:
        raise OSError(ENOTSUP, "seek on a Volume")


def _opened(file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
    if not ("w" in mode and _is_watched(file)):
        return _open(file, mode, *args, **more)
    written = _Sequential(io.FileIO(file, mode.replace("b", "").replace("t", "")))
    texts = {key: value for key, value in more.items() if key in ("encoding", "errors", "newline")}
    return written if "b" in mode else io.TextIOWrapper(written, **texts)
