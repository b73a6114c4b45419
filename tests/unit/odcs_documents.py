"""Small ODCS documents, and what comes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sluis.contract import reading, rules
from sluis.contract.model import Contract
from sluis.contract.rules import Rule
from sluis.errors import ContractError

SHOWN = "contracts/c.odcs.yaml"


def contract(
    *properties: Any, version: str = "v3.1.0", of: dict[str, Any] | None = None, **keys: Any
) -> dict[str, Any]:
    """A contract of one object `o`."""
    head = {"apiVersion": version, "kind": "DataContract", "id": "i", "version": "1.0.0", "status": "active"}
    return {**head, "schema": [{"name": "o", "properties": list(properties), **(of or {})}], **keys}


def read(tmp_path: Path, document: Any, name: str | None = None) -> Contract:
    file = tmp_path / "c.odcs.yaml"
    # JSON is YAML.
    file.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return reading.read(file, SHOWN, name)


def problems(tmp_path: Path, document: Any, name: str | None = None) -> list[str]:
    with pytest.raises(ContractError) as broken:
        read(tmp_path, document, name)
    return [f"{problem.path}: {problem.message}" for problem in broken.value.problems]


def demands(found: Contract) -> list[Rule]:
    """The rules beyond those that every contract has."""
    return [rule for rule in found.rules if rule.path != "$" and not isinstance(rule, rules.Columns)]


def said(found: Contract, path: str) -> str:
    """What the ledger says of a key."""
    [entry] = [entry for entry in found.ledger if entry.path == path]
    return f"{entry.status}: {entry.note}" if entry.note else entry.status


COLUMN = {"name": "a", "logicalType": "string"}
AT = "$.schema[0].properties[0]"
