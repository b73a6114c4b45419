"""One contract per construct → its expectations, byte for byte; the native format says those that it can.

To accept a change: `SLUIS_UPDATE_GOLDEN=1 pytest tests/golden`, then review the diff and commit it.
"""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sluis.contract import native, reading
from sluis.contract.logical import (
    Array,
    Boolean,
    Date,
    DecimalType,
    Double,
    Field,
    Integer,
    LogicalType,
    Map,
    Object,
    String,
    Timestamp,
)
from sluis.contract.model import Column, Contract
from sluis.contract.rules import (
    Enum,
    Filled,
    Format,
    Gx,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    NotMissing,
    Pattern,
    PrimaryKey,
    Relationship,
    Required,
    RowCount,
    RowCountIs,
    Rule,
    Size,
    Sql,
    Threshold,
    TypeOf,
    Unique,
    UniqueItems,
    Valid,
)
from sluis.suite.compile import suites, text

GOLDEN = Path(__file__).parent / "constructs"

ORDER = Object(
    fields=(
        Field(name="lines", type=Array(items=DecimalType(precision=5, scale=2)), required=True),
        Field(name="prices", type=Map(keys=String(), values=Double())),
    )
)


def x(kind: str, key: str = "", **more: Any) -> dict[str, Any]:
    """What every rule about the column has, as the native format places it."""
    return {"id": f"c.x.{kind}", "path": f"$.columns[0].{key or kind}", "column": "x", **more}


def part(kind: str, *inner: str, **more: Any) -> dict[str, Any]:
    return x(kind, inner=inner, **more)


FEW = Threshold(operator="<=", values=(Decimal("0.5"),), percent=True)
MORE = Threshold(operator="between", values=(Decimal(1), Decimal(9)))

CONSTRUCTS: dict[str, tuple[LogicalType, list[Rule], dict[str, Any] | None]] = {
    # name → the column's type, the rules, and what the native format says of the column (`rules` of the contract)
    "required": (String(), [Required(**x("required", "nullable"))], {"nullable": False}),
    "type-date": (Date(format="dd-MM-yyyy"), [TypeOf(**x("type"))], {"format": "dd-MM-yyyy"}),
    "type-boolean": (Boolean(), [TypeOf(**x("type"))], {}),
    "type-timestamp-zone": (Timestamp(zone="Asia/Tokyo"), [TypeOf(**x("type"))], None),
    "type-object": (ORDER, [TypeOf(**x("type"))], None),
    "pattern": (String(), [Pattern(**x("pattern"), pattern="^a$")], {"pattern": "^a$"}),
    "length": (String(), [MinLength(**x("min_length"), limit=1), MaxLength(**x("max_length"), limit=2)], {"min_length": 1, "max_length": 2}),
    "bounds": (Double(), [TypeOf(**x("type")), Minimum(**x("minimum"), limit=0), Maximum(**x("maximum"), limit=Decimal("0.3"))], {"minimum": 0, "maximum": 0.3}),
    "bounds-exclusive": (Integer(), [Minimum(**x("minimum"), limit=0, exclusive=True), Maximum(**x("maximum"), limit=9, exclusive=True)], None),
    "enum": (Integer(), [TypeOf(**x("type")), Enum(**x("enum"), values=(1, 2))], {"enum": [1, 2]}),
    "multiple-of": (Double(), [MultipleOf(**x("multiple_of"), divisor=Decimal("0.01"))], None),
    "format": (String(), [Format(**x("format"), format="email")], None),
    "unique": (String(), [Unique(id="c.x.unique", path="$.rules.unique[0]", columns=("x",))], {"rules": {"unique": ["x"]}}),
    "primary-key": (String(), [Required(**{**x("required"), "path": "$.primary_key"}), PrimaryKey(id="c.primary_key", path="$.primary_key", columns=("x",))], {"primary_key": ["x"]}),
    "row-count": (String(), [RowCount(id="c.row_count", path="$.rules.row_count", min=1, max=9)], {"rules": {"row_count": {"min": 1, "max": 9}}}),
    "row-count-is": (String(), [RowCountIs(id="c.row_count_is", path="$", allowed=MORE)], None),
    "duplicates-percent": (String(), [Unique(id="c.x.unique", path="$", columns=("x",), allowed=FEW)], None),
    "null-values": (Integer(), [Filled(**x("filled"), allowed=FEW, severity="warning", title="Filled enough")], None),
    "missing-values": (String(), [NotMissing(**x("not_missing"), texts=("", "N/A"), allowed=MORE)], None),
    "invalid-values": (String(), [Valid(**x("valid"), demands=(Enum(**x("enum"), values=("a", "b")), Pattern(**x("pattern"), pattern="^.$")), allowed=FEW)], None),
    "sql": (String(), [Sql(id="c.sql", path="$", query="SELECT COUNT(*) FROM {object}", expected=MORE)], None),
    "great-expectations": (String(), [Gx(id="c.gx", path="$", type="expect_column_values_to_be_in_set", kwargs=(("column", "x"), ("value_set", ["a", 1.5])))], None),
    "relationship": (String(), [Relationship(id="c.x.relationship", path="$", columns=("x",), to="others", to_columns=("id",))], None),
    "nested": (
        ORDER,
        [
            Minimum(**part("minimum", "lines", "[]"), limit=0),
            MaxLength(**part("max_length", "prices", "{k}"), limit=3),
            Maximum(**part("maximum", "prices", "{}"), limit=Decimal("9.5")),
            Size(**part("size", "lines"), min=1),
            UniqueItems(**part("unique_items", "lines")),
        ],
        None,
    ),
}  # fmt: skip


def made(kind: LogicalType, demands: list[Rule]) -> Contract:
    return Contract(
        name="c", version="1", format="native", path="c.json", object="c", fingerprint="sha256:0",
        columns=(Column(name="x", type=kind),), rules=tuple(demands),
    )  # fmt: skip


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_compiles_to_these_bytes(name: str) -> None:
    kind, demands, _ = CONSTRUCTS[name]
    compiled = text(suites(made(kind, demands), "c")[0]["expectations"])
    file = GOLDEN / f"{name}.json"
    if os.environ.get("SLUIS_UPDATE_GOLDEN"):
        file.write_bytes(compiled.encode())
    assert compiled.encode() == file.read_bytes()


def test_every_golden_file_is_of_a_construct() -> None:
    assert {file.stem for file in GOLDEN.glob("*.json")} == set(CONSTRUCTS)


@pytest.mark.parametrize("name", [name for name, (_, _, said) in CONSTRUCTS.items() if said is not None])
def test_the_native_format_says_the_same(name: str, tmp_path: Path) -> None:
    kind, _, said = CONSTRUCTS[name]
    of_contract = {key: said[key] for key in said or {} if key in ("rules", "primary_key")}
    of_column = {key: value for key, value in (said or {}).items() if key not in of_contract}
    document = {
        "contract_name": "c",
        "version": "1",
        "columns": [{"name": "x", "type": kind.name, **of_column}],
        **of_contract,
    }
    (tmp_path / "c.json").write_text(json.dumps(document))
    compiled = suites(native.read(tmp_path / "c.json", "c.json"), "c")[0]["expectations"]
    golden = json.loads((GOLDEN / f"{name}.json").read_bytes())
    assert [one for one in compiled if one["id"] in {other["id"] for other in golden}] == golden


OPTIONS = "logicalTypeOptions"


def item(metric: str, **more: Any) -> dict[str, Any]:
    return {"quality": [{"type": "library", "metric": metric, **more}]}


GX_ITEM = {
    "type": "custom",
    "engine": "great-expectations",
    "implementation": {"type": "expect_column_values_to_be_in_set", "kwargs": {"value_set": ["a", 1.5]}},
}
VALIDITY = item(
    "invalidValues", arguments={"validValues": ["a", "b"], "pattern": "^.$"}, mustBeLessOrEqualTo=0.5, unit="percent"
)
MISSING = item("missingValues", arguments={"missingValues": ["", "N/A"]}, mustBeBetween=[1, 9])
FILLED = {
    "quality": [
        {
            "type": "library",
            "name": "Filled enough",
            "metric": "nullValues",
            "mustBeLessOrEqualTo": 0.5,
            "unit": "percent",
            "severity": "warning",
        }
    ]
}
DUPLICATES = item("duplicateValues", mustBeLessOrEqualTo=0.5, unit="percent")

STANDARDS: dict[str, tuple[dict[str, Any] | None, dict[str, Any] | None]] = {
    # name → what ODCS says of the property, and DCS of the field; None where the standard has no word for it
    "required": ({"required": True}, {"required": True}),
    "type-date": ({"logicalType": "date", OPTIONS: {"format": "dd-MM-yyyy"}}, {"type": "date", "format": "dd-MM-yyyy"}),
    "type-boolean": ({"logicalType": "boolean"}, {"type": "boolean"}),
    "type-timestamp-zone": ({"logicalType": "timestamp", OPTIONS: {"defaultTimezone": "Asia/Tokyo"}}, None),
    "pattern": ({OPTIONS: {"pattern": "^a$"}}, {"pattern": "^a$"}),
    "length": ({OPTIONS: {"minLength": 1, "maxLength": 2}}, {"minLength": 1, "maxLength": 2}),
    "bounds": ({"logicalType": "number", OPTIONS: {"minimum": 0, "maximum": 0.3}}, {"type": "double", "minimum": 0, "maximum": 0.3}),
    "bounds-exclusive": ({"logicalType": "integer", OPTIONS: {"format": "i32", "exclusiveMinimum": 0, "exclusiveMaximum": 9}}, {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9}),
    "enum": ({"logicalType": "integer", OPTIONS: {"format": "i32"}, "enum": [{"value": 1}, {"value": 2}]}, {"type": "integer", "enum": [1, 2]}),
    "multiple-of": ({"logicalType": "number", OPTIONS: {"multipleOf": 0.01}}, None),
    "format": ({OPTIONS: {"format": "email"}}, {"format": "email"}),
    "unique": ({"unique": True}, {"unique": True}),
    "primary-key": ({"primaryKey": True}, {"primaryKey": True}),
    "duplicates-percent": (DUPLICATES, DUPLICATES),
    "null-values": ({"logicalType": "integer", OPTIONS: {"format": "i32"}, **FILLED}, {"type": "integer", **FILLED}),
    "missing-values": (MISSING, MISSING),
    "invalid-values": (VALIDITY, VALIDITY),
    "great-expectations": ({"quality": [GX_ITEM]}, {"quality": [GX_ITEM]}),
    "relationship": ({"relationships": [{"to": "others.id"}]}, {"references": "others.id"}),
}  # fmt: skip


def documents(name: str) -> list[dict[str, Any]]:
    """The construct in each standard that can say it."""
    of_property, of_field = STANDARDS[name]
    head = {"apiVersion": "v3.2.0", "kind": "DataContract", "id": "c", "version": "1", "status": "active"}
    objects = [{"name": "c", "properties": [{"name": "x", "logicalType": "string", **(of_property or {})}]}]
    objects += [{"name": "others", "properties": [{"name": "id", "logicalType": "string"}]}]
    models = {
        "c": {"fields": {"x": {"type": "string", **(of_field or {})}}},
        "others": {"fields": {"id": {"type": "string"}}},
    }
    dcs = {"dataContractSpecification": "1.2.1", "id": "c", "info": {"title": "c", "version": "1"}, "models": models}
    made = [(of_property, {**head, "schema": objects}), (of_field, dcs)]
    return [document for said, document in made if said is not None]


def meaning(expectation: dict[str, Any]) -> dict[str, Any]:
    """An expectation without what it is called and where it stands, which each format has its own words for."""
    kwargs = {key: value for key, value in expectation["kwargs"].items() if key != "rule"}
    meta = {key: value for key, value in expectation["meta"].items() if key != "place"}
    return {**expectation, "id": "", "kwargs": kwargs, "meta": meta}


@pytest.mark.parametrize("name", STANDARDS)
def test_the_standards_say_the_same(name: str, tmp_path: Path) -> None:
    golden = [meaning(one) for one in json.loads((GOLDEN / f"{name}.json").read_bytes())]
    for document in documents(name):
        (tmp_path / "c.yaml").write_text(json.dumps(document))
        compiled = json.loads(text(suites(reading.read(tmp_path / "c.yaml", "c.yaml", "c"), "c")[0]["expectations"]))
        found = [meaning(one) for one in compiled]
        assert [one for one in golden if one not in found] == []
