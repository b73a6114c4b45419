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

from sluis.contract import native
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
