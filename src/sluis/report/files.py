"""Files of the state folder: written whole, front to back, under their final name.

A Unity Catalog Volume knows no rename, no append and no seek, so nothing here needs them. What a writer leaves behind
that was cut off is no JSON; to a reader it is as if the file were not there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, and the folders that lead to it.

    Raises:
        OSError: it cannot be written; what is left of it is no whole file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write an object as JSON.

    Raises:
        OSError: it cannot be written.
    """
    # A lone surrogate, which JSON can hold, has no UTF-8.
    write_whole(path, json.dumps(content, ensure_ascii=False).encode(errors="backslashreplace"))


def read_json(path: Path) -> dict[str, Any] | None:
    """The object that a file holds; None where there is no whole one."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def names(folder: Path, suffix: str) -> list[str]:
    """Names of the files with a suffix, without it, in order; none where there is no folder."""
    try:
        found = os.listdir(folder)
    except FileNotFoundError:
        return []
    return sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix) and not name.startswith("."))
