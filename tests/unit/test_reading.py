"""Which format a document has, and which of its objects is meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sluis.contract import reading
from sluis.errors import ContractError

NATIVE = {"contract_name": "n", "version": "1", "columns": [{"name": "a", "type": "string"}]}
PROPERTIES = [{"name": "a", "logicalType": "string"}]
ODCS = {"apiVersion": "v3.1.0", "kind": "DataContract", "id": "i", "version": "1", "status": "active", "schema": [{"name": "o", "properties": PROPERTIES}]}  # fmt: skip
DCS = {"dataContractSpecification": "1.2.1", "id": "i", "info": {"title": "t", "version": "1"}, "models": {"m": {"fields": {"a": {"type": "string"}}}}}  # fmt: skip
ODCS_2 = {"kind": "DataContract", "version": "1", "uuid": "u", "type": "tables", "status": "s", "datasetName": "d", "quantumName": "q", "dataset": [{"table": "t", "columns": [{"column": "a", "logicalType": "string", "physicalType": "string"}]}]}  # fmt: skip


def write(tmp_path: Path, document: Any, name: str = "c.yaml") -> Path:
    (tmp_path / name).write_text(json.dumps(document), "utf-8")
    return tmp_path / name


@pytest.mark.parametrize(
    ("name", "document", "kind", "object_name"),
    [
        ("c.json", NATIVE, "native", "n"),
        ("c.json", ODCS, "odcs", "o"),
        ("c.yaml", ODCS, "odcs", "o"),
        ("c.yaml", ODCS_2, "odcs", "t"),
        ("c.yaml", DCS, "dcs", "m"),
        ("c.json", DCS, "dcs", "m"),
        ("contract", DCS, "dcs", "m"),
    ],
)
def test_the_format_is_recognised(tmp_path: Path, name: str, document: Any, kind: str, object_name: str) -> None:
    file = write(tmp_path, document, name)
    assert reading.objects(file, name) == [object_name]
    for wanted in (None, object_name):
        contract = reading.read(file, name, wanted)
        assert (contract.format, contract.object, contract.path) == (kind, object_name, name)
        assert [column.name for column in contract.columns] == ["a"]


@pytest.mark.parametrize("document", [{}, {"swagger": "2.0"}, {"version": 2, "models": []}])
def test_what_is_no_contract(tmp_path: Path, document: Any) -> None:
    with pytest.raises(ContractError) as broken:
        reading.read(write(tmp_path, document), "c.yaml")
    assert str(broken.value).startswith(
        "c.yaml: $: this is no contract of a format that is read here. Allowed: `apiVersion` (ODCS), "
    )


def test_a_json_file_that_says_nothing_is_a_native_contract(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="`contract_name` is missing"):
        reading.read(write(tmp_path, {}, "c.json"), "c.json")


@pytest.mark.parametrize(("name", "document"), [("c.json", NATIVE), ("c.yaml", ODCS), ("c.yaml", DCS)])
def test_an_object_that_is_not_there(tmp_path: Path, name: str, document: Any) -> None:
    with pytest.raises(ContractError, match=r"it has no object `zzz`\. Allowed: `.`\."):
        reading.read(write(tmp_path, document, name), name, "zzz")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [("c/a.yaml", ("c/a.yaml", None)), ("c/a.yaml#x", ("c/a.yaml", "x")), ("c/a.yaml#x#y", ("c/a.yaml", "x#y")), ("a#", ("a", ""))],
)  # fmt: skip
def test_references(reference: str, expected: tuple[str, str | None]) -> None:
    assert reading.split(reference) == expected


@pytest.mark.parametrize("document", [NATIVE, ODCS, DCS])
def test_layout_does_not_change_the_fingerprint(tmp_path: Path, document: Any) -> None:
    plain = reading.read(write(tmp_path, document, "c.json"), "c.json")
    (tmp_path / "d.json").write_text(json.dumps(dict(reversed(document.items())), indent=3), "utf-8")
    assert reading.read(tmp_path / "d.json", "d.json").fingerprint == plain.fingerprint
