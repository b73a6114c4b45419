"""One record per run: what was agreed, what was found, what was written. The shape is DESIGN §9's, versioned."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sluis.errors import EnvironmentFailure
from sluis.report import files
from sluis.suite.compile import Suite, fingerprint

if TYPE_CHECKING:
    from sluis.config import Entity
    from sluis.contract.model import Contract
    from sluis.verdict import RuleResult

VERSION = 1
"""Of the record's shape, which `evidence.schema.json` tells: raised when a key goes or changes its meaning."""

Kind = Literal["run", "test"]
"""What a record tells of: rows that came to a table, or a table that was held against its contract."""

Evidence = dict[str, Any]
"""A run's record, as JSON holds it."""


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def new_run_id(entity: str, begun: datetime) -> str:
    """An id that sorts by time and tells it (`20261130T131500123456Z-customers-1a2b3c`)."""
    return f"{begun.astimezone(UTC):%Y%m%dT%H%M%S%f}Z-{entity}-{secrets.token_hex(3)}"


def started(run_id: str) -> str | None:
    """When a run began, as its id tells."""
    try:
        return moment(datetime.strptime(run_id.partition("-")[0], "%Y%m%dT%H%M%S%fZ").replace(tzinfo=UTC))
    except ValueError:
        return None


def moment(time: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and `Z`."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def opened(
    *,
    kind: Kind,
    run_id: str,
    started: datetime,
    entity: Entity,
    contract: Contract,
    suite: Suite,
    sources: Sequence[Mapping[str, Any]],
    environment: str,
    report: str,
) -> Evidence:
    """A record of what a run set out to do; what became of it is added when that is known."""
    return {
        "evidence_version": VERSION,
        "kind": kind,
        "run_id": run_id,
        "entity": entity.name,
        "started": moment(started),
        "finished": moment(now()),
        "environment": environment,
        "dry_run": False,
        "contract": {
            "name": contract.name,
            "version": contract.version,
            "format": contract.format,
            "path": contract.path,
            "fingerprint": contract.fingerprint,
        },
        "owner": contract.owner,
        "description": contract.description,
        "suite": {"name": suite["name"], "fingerprint": fingerprint(suite), "rules": len(suite["expectations"])},
        "source": entity.source,
        "target": entity.target,
        "mode": entity.mode,
        "sources": list(sources),
        "rows": None,
        "verdict": "ERROR",
        "reasons": [],
        "refusal": None,
        "notices": [],
        "rules": [],
        "receipt": None,
        "report": report,
    }


_COMMITTED = {"name": "contract", "version": "contract_version", "fingerprint": "contract_fingerprint"}
"""A record's facts of the contract → their names in the history of the table."""


def verdict_of(told: Mapping[str, Any]) -> str:
    """The verdict of a run, as far as what its commit carries tells it."""
    return "PASSED_WITH_QUARANTINE" if told.get("quarantine") else "PASSED"


def recovered(opened: Evidence, told: Mapping[str, Any], receipt: Any, report: str) -> Evidence:
    """The record of a run that ended between its commit and its record, from what its commit carries.

    Args:
        opened: The record of the run that found it, of the same entity's table.
        told: What the commit carries.
        receipt: What the commit did.
        report: Where its page will be.
    """
    sources = list(told.get("sources", ()))
    return {
        **opened,
        "run_id": told["run_id"],
        "entity": told.get("entity", opened["entity"]),
        "started": started(told["run_id"]),
        "contract": {**opened["contract"], **{key: told.get(name) for key, name in _COMMITTED.items()}},
        "suite": {**opened["suite"], "fingerprint": told.get("suite_fingerprint")},
        "mode": receipt.mode,
        "source": ", ".join(source["path"] for source in sources),
        "sources": sources,
        "verdict": verdict_of(told),
        "quarantine": told.get("quarantine"),
        "notices": [
            f"Cut off after it had written; {opened['run_id']} made this record from the history of the table."
        ],
        "receipt": {**asdict(receipt), "already_written": False},
        "report": report,
    }


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
        "place": result.place,
        "note": result.note,
    }


def quarantine(table: str, version: int | None, rows: int, by_rule: Mapping[str, int]) -> Evidence:
    """What was kept out of the target: where it is, in which version, and how many rows break which rule."""
    return {"table": table, "version": version, "rows": rows, "by_rule": dict(by_rule)}


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
    """Keep a record; one that was cut off while it was written counts as none.

    Raises:
        EnvironmentFailure: the state folder cannot be written.
    """
    try:
        files.write_json(path(state, record["run_id"]), record)
    except OSError as error:
        raise _unwritable(state, error) from error


def load(state: Path, run_id: str) -> Evidence | None:
    """A run's record, if there is a whole one."""
    return files.read_json(path(state, run_id))


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
