"""Publishing the site to a Volume that several jobs share, laid out there like a state folder.

What belongs to one run (its page, its record and what is kept beside that) is sent as it is, pages before records:
publishers cannot wipe each other's. What tells of several runs, as the index does, is made of all that lies on the
Volume and sent last, and again whenever others have published meanwhile: of several publishers, the one that
writes it last has seen them all.

Whether the Volume has a file is decided by its size there and by what our journal says we sent: its own size and time
of change. The clocks of two machines are never compared, and no content is read to find out. A file that is sent is
noted at once, so a publisher that was killed goes on where it stopped; a lost journal costs time only.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path, PurePosixPath

from filelock import FileLock

from sluis.errors import EnvironmentFailure
from sluis.report.journal import Journal, Stamp
from sluis.report.volume import Volume

log = logging.getLogger("sluis")

PARALLEL = 16
"""Transfers under way at once; the SDK keeps 20 connections."""

_INDEX = "docs/index.html"

_PAGES = ("docs/runs/", "docs/validations/")
"""Where the pages of runs are: of ours, and of those that plain GX named."""

_OF_RUNS = (*_PAGES, "results/contracts/", "results/runs/", "results/summaries/")
"""Where files are that belong to one run, and that the site is made of; nothing else of the results is published."""


def publish(state: Path, volume: Volume, build: Callable[[Path], None]) -> int:
    """Bring the runs of a state folder to a Volume, beside those of others.

    Args:
        state: whose runs are published.
        volume: where to.
        build: makes the index of a state folder, other pages that tell of several runs, and the page of each run that
            has a record but no page.

    Returns:
        How many files were sent.

    Raises:
        EnvironmentFailure: there is nothing to publish, or the Volume cannot be read or written.
    """
    own = _files(state, _OF_RUNS)
    if not own:
        raise EnvironmentFailure(f"There are no reports in {state}.", hint="Run an entity first.")
    desk = _desk(state, volume)
    desk.mkdir(parents=True, exist_ok=True)
    with FileLock(desk / "lock"):
        return _send(state, own, volume, desk) + _send_index(state, volume, desk, build)


def _send(state: Path, own: Sequence[str], volume: Volume, desk: Path) -> int:
    """Send the files that the Volume lacks; returns how many."""
    there = _there(volume)
    stamps = {path: _stamp(state / path) for path in own}
    with Journal(desk / "sent") as sent:
        missing = [
            path
            for path, stamp in stamps.items()
            if path not in there or there[path][0] != stamp[0] or not sent.has(path, stamp)
        ]
        _upload(state, missing, volume, lambda path: sent.note(path, stamps[path]))
    return len(missing)


def _send_index(state: Path, volume: Volume, desk: Path, build: Callable[[Path], None]) -> int:
    """Send what tells of several runs until it tells of all that are there; returns how many files that took."""
    twin, count, told = desk / "twin", 0, set[object]()
    with Journal(desk / "fetched") as fetched:
        while told != _facts(found := _there(volume)):
            _mirror(state, twin, volume, found, fetched)
            build(twin)
            made = [path for path in _files(twin, ["docs/"]) if path not in found]
            _upload(twin, made, volume)
            told = _facts(found) | {path for path in made if path.startswith(_PAGES)}
            count += len(made)
    return count


def _mirror(state: Path, twin: Path, volume: Volume, found: dict[str, Stamp], fetched: Journal) -> None:
    """Make a state folder like the one on the Volume: its results, and the pages of runs as empty files."""

    def fetch(path: str) -> None:
        own = state / path
        content = own.read_bytes() if own.is_file() and _stamp(own)[0] == found[path][0] else volume.read(path)
        if content is not None:
            (twin / path).write_bytes(content)
            fetched.note(path, found[path])

    shutil.rmtree(twin / "docs", ignore_errors=True)
    kept = set(_files(twin, _OF_RUNS))
    for path in kept - found.keys():
        (twin / path).unlink()
    for folder in {PurePosixPath(path).parent for path in found}:
        (twin / folder).mkdir(parents=True, exist_ok=True)
    pages = {path for path in found if path.startswith(_PAGES)}
    known = {path for path in kept if fetched.has(path, found.get(path))}
    _each(fetch, sorted(found.keys() - pages - known), f"Reading {volume.folder}")
    # After the records, so that no page is older than its record and would be made anew.
    for path in pages:
        (twin / path).touch()


def _facts(found: dict[str, Stamp]) -> set[object]:
    """What the index depends on: which pages of runs there are, and everything else as it is."""
    return {path if path.startswith(_PAGES) else (path, stamp) for path, stamp in found.items()}


def _there(volume: Volume) -> dict[str, Stamp]:
    """What the Volume has of runs."""
    return {path: stamp for folder in _OF_RUNS for path, stamp in volume.files(folder.rstrip("/")).items()}


def _files(root: Path, folders: Iterable[str]) -> list[str]:
    """Every file at any depth of some folders of a state folder, relative to it."""
    found = (path for folder in folders for path in (root / folder).rglob("*") if path.is_file())
    return [path.relative_to(root).as_posix() for path in found if not path.name.startswith(".")]


def _upload(root: Path, paths: Iterable[str], volume: Volume, done: Callable[[str], None] = lambda _: None) -> None:
    """Send files: what leads somewhere comes after where it leads."""

    def upload(path: str) -> None:
        volume.write(path, (root / path).read_bytes())
        done(path)

    def turn(path: str) -> tuple[int, str]:
        order = (path.startswith(_PAGES), path.startswith("results/"), path != _INDEX, True)
        return order.index(True), str(PurePosixPath(path).parent)

    for (_, folder), members in groupby(sorted(paths, key=turn), key=turn):
        volume.make_folder(folder)
        _each(upload, list(members), f"Publishing to {volume.folder}/{folder}")


def _each(do: Callable[[str], None], paths: Sequence[str], told: str) -> None:
    """Do something for each path, several at a time; the first that fails ends it."""
    from rich.console import Console
    from rich.progress import track

    is_long, is_watched = len(paths) > 2 * PARALLEL, sys.stderr.isatty()
    if is_long and not is_watched:
        log.info("%s: %s files", told, len(paths))
    with ThreadPoolExecutor(PARALLEL) as pool:
        futures = [pool.submit(do, path) for path in paths]
        shown = track(
            as_completed(futures), told, len(paths), console=Console(stderr=True), disable=not (is_long and is_watched)
        )
        try:
            for future in shown:
                future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _stamp(path: Path) -> Stamp:
    told = path.stat()
    return told.st_size, told.st_mtime_ns


def _desk(state: Path, volume: Volume) -> Path:
    """Where this machine keeps what it knows of a Volume: on a disk of its own, as a Volume knows no locks."""
    on_volume = state.parts[1:2] == ("Volumes",)
    kept = Path(tempfile.gettempdir()) / f"sluis-{os.getuid()}" if on_volume else state
    return kept / "published" / volume.folder.lstrip("/")
