"""One record per run: what was agreed, what was found, what was written. The shape is DESIGN §9's, versioned."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis.errors import EnvironmentFailure

if TYPE_CHECKING:
    from sluis.gate import RuleResult

VERSION = 1

Evidence = dict[str, Any]
"""A run's record, as JSON holds it."""


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def new_run_id(entity: str) -> str:
    """An id that sorts by time (`20261130T131500123456Z-customers-1a2b3c`)."""
    return f"{now():%Y%m%dT%H%M%S%f}Z-{entity}-{secrets.token_hex(3)}"


def started(run_id: str) -> str | None:
    """When a run began, as its id tells."""
    try:
        return moment(datetime.strptime(run_id.partition("-")[0], "%Y%m%dT%H%M%S%fZ").replace(tzinfo=UTC))
    except ValueError:
        return None


def moment(time: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and `Z`."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rule(result: RuleResult) -> Evidence:
    """A rule's part of the record."""
    return {
        "id": result.id,
        "kind": result.kind,
        "column": result.columns[0] if len(result.columns) == 1 else None,
        "columns": list(result.columns),
        "severity": result.severity,
        "outcome": result.outcome,
        "unexpected": result.unexpected,
        "evaluated": result.evaluated,
        "examples": [dict(example) for example in result.examples],
        "message": "; ".join(result.messages) or result.message,
        "description": result.description,
        "sensitive": result.sensitive,
        "note": result.note,
    }


def receipt(written: Any) -> Evidence | None:
    """A receipt's part of the record."""
    return None if written is None else asdict(written)


def folder(state: Path) -> Path:
    """Where the records of runs are."""
    return state / "results" / "runs"


def path(state: Path, run_id: str) -> Path:
    """The record of a run."""
    return folder(state) / f"{run_id}.json"


def save(state: Path, record: Mapping[str, Any]) -> None:
    """Keep a record; a reader sees all of it or none.

    Raises:
        EnvironmentFailure: the state folder cannot be written.
    """
    target = path(state, record["run_id"])
    text = json.dumps(record, ensure_ascii=False, indent=1)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        part.write_bytes(text.encode())
        os.replace(part, target)
    except OSError as error:
        raise _unwritable(state, error) from error


def load(state: Path, run_id: str) -> Evidence | None:
    """A run's record, if there is a whole one."""
    try:
        record = json.loads(path(state, run_id).read_bytes())
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def require_writable(state: Path) -> None:
    """Find out before anything is read whether the record can be kept.

    Raises:
        EnvironmentFailure: the state folder cannot be written.
    """
    probe = folder(state) / f".probe-{secrets.token_hex(4)}"
    try:
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"sluis")
        probe.unlink()
    except OSError as error:
        raise _unwritable(state, error) from error


def _unwritable(state: Path, error: OSError) -> EnvironmentFailure:
    return EnvironmentFailure(
        f"The state folder {state} cannot be written ({error.strerror}).",
        hint="choose another one with --state, or with `state` in contracts/environments.json.",
    )
