"""What was done with files, noted one by one, so that work that was killed goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Self

Stamp = tuple[int, int]
"""What a file was like: its size in bytes, and when it was last written."""


class Journal:
    """Paths with their stamps, in a file of one line each; the last line about a path holds.

    A line that was cut off is as good as none. Threads may share a journal, processes may not.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self._stamps: dict[str, Stamp] = {}

    def __enter__(self) -> Self:
        """Read what was noted before, and open the file for more."""
        if self._file.exists():
            for line in self._file.read_bytes().splitlines():
                self._take(line)
        self._notes = self._file.open("a", encoding="ascii")
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._notes.close()

    def note(self, path: str, stamp: Stamp) -> None:
        """Say that a file was dealt with as it was then."""
        with self._lock:
            self._stamps[path] = stamp
            self._notes.write(json.dumps([path, *stamp]) + "\n")
            self._notes.flush()

    def has(self, path: str, stamp: Stamp | None) -> bool:
        """Whether a file was dealt with and is what it was then."""
        return stamp is not None and self._stamps.get(path) == stamp

    def _take(self, line: bytes) -> None:
        try:
            path, size, modified = json.loads(line)
            self._stamps[path] = (size, modified)
        except (ValueError, TypeError):
            return
