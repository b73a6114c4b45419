"""One writer per table on one machine."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from sluis.errors import EnvironmentFailure

PATIENCE = 3600.0


@contextmanager
def lock(target_name: str, folder: str | Path, *, timeout: float = PATIENCE) -> Iterator[None]:
    """Hold the table for one run; other runs on this machine wait, in other threads and other processes.

    The operating system frees the lock when the process dies. Writers on other machines are Delta's to detect.

    Args:
        target_name: the table; names that differ only in case are one table.
        folder: on a local disk, the same for every run that shall take turns.
        timeout: seconds to wait.

    Raises:
        EnvironmentFailure: another run still holds the table after that time.
    """
    name = target_name.lower()
    readable = re.sub(r"[^a-z0-9_.-]", "_", name)[:100]
    Path(folder).mkdir(parents=True, exist_ok=True)
    path = Path(folder) / f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:12]}.lock"
    held = FileLock(path, timeout=timeout)
    try:
        held.acquire()
    except Timeout as error:
        raise EnvironmentFailure(f"Another run has held {target_name} for {timeout:g} seconds ({path}).") from error
    try:
        yield
    finally:
        held.release()
