"""Custom properties of an ODCS property that say what another standard has a key for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from odcs_documents import AT, contract, demands, problems, read, said

from sluis.contract.rules import Enum


def column(name: str, value: Any, kind: str = "string") -> dict[str, Any]:
    return {"name": "a", "logicalType": kind, "customProperties": [{"property": name, "value": value}]}


@pytest.mark.parametrize(
    ("name", "value", "is_hidden"),
    [
        *[("pii", value, True) for value in (True, "true", "True", "yes", "email")],
        *[("pii", value, False) for value in (False, "false", "None", None, "")],
        *[(name, "yes", True) for name in ("piiCategory", "is_sensitive", "maskingStrategy", "anonymization_strategy")],
        *[("anonymizationStrategy", "none", False), ("opinion", "yes", False)],
        *[("Sensitive", True, True), ("classification", "restricted", True), ("classification", "public", False)],
        *[("tags", "PII", True), ("tags", ["x", "gdpr"], True), ("tags", ["x"], False), ("owner", "pii", False)],
    ],
)
def test_values_that_are_not_to_be_shown(tmp_path: Path, name: str, value: Any, is_hidden: bool) -> None:
    stated = column(name, value)
    for held in (stated, {"name": "a", "logicalType": "object", "properties": [stated]}):
        [found] = read(tmp_path, contract(held)).columns
        assert found.sensitive is is_hidden
    assert ("never shown" in said_of(tmp_path, stated)) is is_hidden


def said_of(tmp_path: Path, stated: dict[str, Any]) -> str:
    ledger = read(tmp_path, contract(stated)).ledger
    return " ".join(entry.note for entry in ledger if entry.path.startswith(f"{AT}.customProperties"))


@pytest.mark.parametrize(
    "map_",
    [{"key": column("pii", True), "value": {}}, {"key": {"logicalType": "string"}, "value": column("pii", True)}],
)
def test_a_part_of_a_map_that_is_not_to_be_shown(tmp_path: Path, map_: Any) -> None:
    parts = {name: {key: value for key, value in part.items() if key != "name"} for name, part in map_.items()}
    parts["value"] = {"logicalType": "string", **parts["value"]}
    [found] = read(tmp_path, contract({"name": "a", "logicalType": "map", "map": parts}, version="v3.2.0")).columns
    assert found.sensitive


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("string", ["x", "y"], ("x", "y")),
        ("string", '["x", "y"]', ("x", "y")),
        ("integer", "[1, 2.0]", (1, 2)),
    ],
)
def test_values_that_are_allowed(tmp_path: Path, kind: str, value: Any, expected: Any) -> None:
    found = read(tmp_path, contract(column("enum", value, kind)))
    [rule] = [rule for rule in demands(found) if isinstance(rule, Enum)]
    assert (rule.id, rule.values) == ("o.a.enum", expected)
    assert said(found, f"{AT}.customProperties[0].value") == "enforced: rule o.a.enum"


def test_values_that_the_type_cannot_have(tmp_path: Path) -> None:
    [found] = problems(tmp_path, contract(column("enum", [1, "x"], "integer")))
    assert found.startswith(f'{AT}.customProperties[0].value[1]: `"x"` is not')


def test_an_object_of_them(tmp_path: Path) -> None:
    stated = {"name": "a", "logicalType": "string", "customProperties": {"pii": True, "enum": ["x"], "unique": True}}
    found = read(tmp_path, contract(stated))
    assert found.columns[0].sensitive
    assert [rule.id for rule in demands(found)] == ["o.a.enum"]
    assert said(found, f"{AT}.customProperties.enum") == "enforced: rule o.a.enum"
    assert said(found, f"{AT}.customProperties.unique").startswith("unsupported")
    assert [entry.path for entry in found.ledger if entry.warning] == [f"{AT}.customProperties"]


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        *[("enum", "a, b", "unsupported"), ("references", "o.b", "unsupported"), ("unique", "true", "unsupported")],
        *[("pattern", "^a$", "unsupported"), ("unique", False, None), ("anything", 1, None)],
    ],
)
def test_demands_that_are_not_checked_from_there(tmp_path: Path, name: str, value: Any, status: str | None) -> None:
    found = read(tmp_path, contract(column(name, value)))
    told = [entry.status for entry in found.ledger if entry.path == f"{AT}.customProperties[0]"]
    assert told == ([status] if status else [])
    assert not demands(found)
