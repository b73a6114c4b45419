"""A run's record → test results, as Entropy Data (once Data Mesh Manager) takes them at `/api/test-results`.

The shape is that of the model `Run` of datacontract-cli, the registry's own publisher. No value of the data is in it:
rules, counts and messages only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

from sluis.contract.model import Contract
from sluis.report import causes
from sluis.report.model import Rule, Run

Results = dict[str, Any]
"""The body of a request."""

_RUNS = UUID("6f0c7f2e-5c39-4b0e-9f0b-0f1d5a0f7a3e")
"""Under which the ids of runs become UUIDs, always the same: what is sent twice can be told to be one."""

_VERDICTS = {
    "PASSED": "passed",
    "PASSED_WITH_WARNINGS": "warning",
    "PASSED_WITH_QUARANTINE": "warning",
    "REJECTED": "failed",
    "ERROR": "error",
}

_OUTCOMES = {"held": "passed", "quarantined": "warning", "error": "error", "not_evaluated": "unknown"}

_VIOLATED = {"error": "failed", "warning": "warning", "info": "info"}

_OF_THE_FILE = frozenset({"header", "columns", "row_shape", "encoding", "type", "required"})
"""Kinds of rules that a registry shows under the schema; the others are its quality."""


def results(run: Run, contract: Contract, *, contract_id: str, server: str) -> Results:
    """The results of a run.

    Args:
        run: What its record tells.
        contract: The contract that its entity has now; the version that is told is the one that judged the run.
        contract_id: The id under which the registry knows it.
        server: Where it ran, as the environments are called.
    """
    return {
        "runId": str(uuid5(_RUNS, run.run_id)),
        "dataContractId": contract_id,
        "dataContractVersion": run.version or contract.version,
        "server": server,
        "timestampStart": run.started,
        "timestampEnd": run.finished,
        "result": _VERDICTS.get(run.verdict, "unknown"),
        "checks": [*(_check(rule, contract) for rule in run.rules), *_beside_rules(run, contract)],
        "logs": [{"level": "INFO", "message": notice, "timestamp": run.finished} for notice in run.notices],
    }


def _check(rule: Rule, contract: Contract) -> Results:
    return {
        "id": rule.id,
        "category": "schema" if rule.kind in _OF_THE_FILE else "quality",
        "type": rule.kind,
        "name": rule.description,
        "model": contract.object,
        "field": rule.column,
        "engine": "sluis",
        "result": _VIOLATED.get(rule.severity, "failed") if rule.outcome == "violated" else _OUTCOMES[rule.outcome],
        "reason": None if rule.outcome == "held" else causes.of_rule(rule),
        "diagnostics": {"unexpected": rule.unexpected, "evaluated": rule.evaluated},
    }


def _beside_rules(run: Run, contract: Contract) -> Iterator[Results]:
    """What kept the rows out and is no rule of the contract, as a check: a registry looks at nothing else."""
    if reasons := list(causes.beside_rules(run)):
        yield {
            "id": f"{contract.object}.write",
            "category": "general",
            "type": "write",
            "name": "The rows could be judged, and the table takes them",
            "model": contract.object,
            "engine": "sluis",
            "result": "error" if run.verdict == "ERROR" else "failed",
            "reason": "; ".join(reasons),
        }
