"""ODCS contracts: what each construct means, and what is said about one that is wrong."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from odcs_documents import AT, COLUMN, SHOWN, contract, demands, problems, read, said

from sluis.contract import logical, rules
from sluis.contract.logical import Array, Byte, Double, Float, LogicalType
from sluis.contract.model import Column
from sluis.contract.rules import Size, Threshold
from sluis.errors import ContractError

THIN = """
apiVersion: v3.1.0
kind: DataContract
id: shop
name: Shop
version: 1.10
status: active
description: {purpose: What was ordered}
tags: [sales]
team: {name: Sales, members: [{username: jo, role: owner}]}
schema:
  - name: orders
    physicalName: orders_tbl
    properties:
      - {name: id, logicalType: integer, required: true, primaryKey: true, primaryKeyPosition: 2, description: Its number}
      - {name: shop, physicalName: shop_code, logicalType: string, primaryKey: true, primaryKeyPosition: 1, partitioned: true}
      - {name: mail, logicalType: string, unique: true, classification: restricted, tags: [person]}
      - {name: note, logicalType: string, required: false}
"""


def test_a_whole_contract(tmp_path: Path) -> None:
    found = read(tmp_path, THIN)
    assert (found.name, found.id, found.object, found.format) == ("Shop", "shop", "orders", "odcs")
    assert (found.version, found.path, found.owner) == ("1.10", SHOWN, "Sales")
    assert (found.description, found.tags) == ("What was ordered", ("sales",))
    assert found.columns == (
        Column(name="id", type=logical.Long(), required=True, description="Its number"),
        Column(name="shop_code", type=logical.String(), required=True, logical_name="shop"),
        Column(name="mail", type=logical.String(), sensitive=True, classification="restricted", tags=("person",)),
        Column(name="note", type=logical.String()),
    )
    assert found.primary_key == ("shop_code", "id")
    assert found.partition_columns == ("shop_code",)
    assert found.allow_additional_columns
    at = "$.schema[0].properties[{}].{}".format
    assert found.rules == (
        rules.Header(id="orders.header", path="$"),
        rules.RowShape(id="orders.row_shape", path="$"),
        rules.Encoding(id="orders.encoding", path="$"),
        rules.Columns(
            id="orders.columns",
            path="$.schema[0].properties",
            names=("id", "shop_code", "mail", "note"),
            allow_additional=True,
        ),
        rules.RowCount(id="orders.row_count", path="$", min=1),
        rules.Required(id="orders.id.required", path=at(0, "required"), column="id"),
        rules.TypeOf(id="orders.id.type", path=at(0, "logicalType"), column="id"),
        rules.Required(id="orders.shop.required", path=at(1, "primaryKey"), column="shop_code"),
        # Of a composite key no part is unique.
        rules.PrimaryKey(id="orders.primary_key", path=at(0, "primaryKey"), columns=("shop_code", "id")),
        rules.Unique(id="orders.mail.unique", path=at(2, "unique"), columns=("mail",)),
    )


def test_the_ledger_of_a_whole_contract(tmp_path: Path) -> None:
    found = read(tmp_path, THIN)
    assert not [entry for entry in found.ledger if entry.status == "unsupported"]
    # A bare 1.10 is a number in YAML; the schema wants text, and its digits are kept.
    assert [entry.path for entry in found.ledger if entry.warning] == ["$.version"]
    assert said(found, "$.schema[0].properties[0].name") == "enforced: rule orders.columns"
    assert said(found, "$.schema[0].properties[0].primaryKey") == "enforced: rule orders.primary_key"
    assert said(found, "$.schema[0].properties[1].primaryKey").startswith("enforced: rule")
    assert said(found, "$.schema[0].properties[3].required") == "documentation: NULL is allowed"
    assert said(found, "$.team") == "documentation"


def test_key_and_unique_of_one_column_are_one_rule(tmp_path: Path) -> None:
    found = read(tmp_path, contract({**COLUMN, "primaryKey": True, "unique": True, "required": False}))
    assert [rule.kind for rule in demands(found)] == ["required", "primary_key"]
    assert said(found, f"{AT}.unique") == "enforced: the same as the primary key"
    assert said(found, f"{AT}.required") == "documentation: the primary key forbids NULL all the same"


OPTIONS = [
    ("string", {"minLength": 1, "maxLength": 3}, [("min_length", {"limit": 1}), ("max_length", {"limit": 3})]),
    ("string", {"minLength": 1.0, "maxLength": 3e0}, [("min_length", {"limit": 1}), ("max_length", {"limit": 3})]),
    ("string", {"pattern": "^a$"}, [("pattern", {"pattern": "^a$"})]),
    ("string", {"format": "email"}, [("format", {"format": "email"})]),
    ("string", {"format": "UUID"}, [("format", {"format": "uuid"})]),
    ("integer", {"minimum": 1, "maximum": 9}, [("minimum", {"limit": 1}), ("maximum", {"limit": 9})]),
    ("integer", {"minimum": 0.5, "exclusiveMaximum": 9.5}, [("minimum", {"limit": 1}), ("maximum", {"limit": 9})]),
    ("integer", {"exclusiveMinimum": 0, "multipleOf": 5}, [("minimum", {"limit": 0, "exclusive": True}), ("multiple_of", {"divisor": 5})]),
    ("number", {"exclusiveMaximum": 0.1}, [("maximum", {"limit": Decimal("0.1"), "exclusive": True})]),
    ("number", {"multipleOf": 0.01}, [("multiple_of", {"divisor": Decimal("0.01")})]),
    ("date", {"minimum": "2020-01-01", "exclusiveMaximum": "2021-01-01"}, [("minimum", {"limit": "2020-01-01"}), ("maximum", {"limit": "2021-01-01", "exclusive": True})]),
    ("timestamp", {"minimum": "2020-01-01T00:00:00+10:00"}, [("minimum", {"limit": "2020-01-01T00:00:00+10:00"})]),
    ("time", {"maximum": "23:59:59"}, [("maximum", {"limit": "23:59:59"})]),
    ("array", {"minItems": 1, "maxItems": 3, "uniqueItems": True}, [("size", {"min": 1, "max": None}), ("size", {"min": None, "max": 3}), ("unique_items", {})]),
    ("integer", {"format": "i8"}, []),
    ("integer", {"format": "u8"}, [("minimum", {"limit": 0}), ("maximum", {"limit": 255})]),
    ("integer", {"format": "u16"}, [("minimum", {"limit": 0}), ("maximum", {"limit": 65535})]),
    ("integer", {"format": "u32"}, [("minimum", {"limit": 0}), ("maximum", {"limit": 2**32 - 1})]),
    ("integer", {"format": "u64"}, [("minimum", {"limit": 0}), ("maximum", {"limit": 2**64 - 1})]),
    ("integer", {"format": "u128"}, [("minimum", {"limit": 0})]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "options", "expected"), OPTIONS)
def test_options(tmp_path: Path, kind: str, options: dict[str, Any], expected: list[Any]) -> None:
    found = read(tmp_path, contract({"name": "a", "logicalType": kind, "logicalTypeOptions": options}))
    made = [rule for rule in demands(found) if rule.kind != "type"]
    assert [rule.kind for rule in made] == [kind for kind, _ in expected]
    for rule, (_, fields) in zip(made, expected, strict=True):
        assert {key: getattr(rule, key) for key in fields} == fields
    assert not [entry for entry in found.ledger if entry.status == "unsupported"]


def test_whole_numbers_may_be_written_with_a_fraction(tmp_path: Path) -> None:
    second = {**COLUMN, "name": "b", "primaryKey": True, "primaryKeyPosition": 1.0, "physicalType": "varchar(3)"}
    first = {**COLUMN, "primaryKey": True, "primaryKeyPosition": 2.0}
    second["logicalTypeOptions"] = {"maxLength": 2.0}
    found = read(tmp_path, contract(first, second))
    assert found.primary_key == ("b", "a")
    assert [rule.limit for rule in demands(found) if isinstance(rule, rules.MaxLength)] == [2]
    assert not [entry for entry in found.ledger if entry.warning]


@pytest.mark.parametrize("version", ["v3.0.0", "v3.0.2"])
def test_exclusive_flags_of_3_0(tmp_path: Path, version: str) -> None:
    options = {"minimum": 0, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": False}
    found = read(
        tmp_path, contract({"name": "a", "logicalType": "integer", "logicalTypeOptions": options}, version=version)
    )
    lowest, highest = demands(found)[1:]
    assert (lowest, highest) == (
        rules.Minimum(id="o.a.exclusive_minimum", path=f"{AT}.logicalTypeOptions.minimum", column="a", limit=0, exclusive=True),
        rules.Maximum(id="o.a.maximum", path=f"{AT}.logicalTypeOptions.maximum", column="a", limit=9),
    )  # fmt: skip
    assert said(found, f"{AT}.logicalTypeOptions.exclusiveMinimum") == "enforced: by `minimum`"


NOTHING_TO_CHECK = [
    ({**COLUMN, "logicalTypeOptions": {"format": "klingon"}}, ".logicalTypeOptions.format", "unsupported"),
    ({**COLUMN, "logicalTypeOptions": {"format": "password"}}, ".logicalTypeOptions.format", "documentation"),
    ({**COLUMN, "physicalType": "bytes"}, ".physicalType", "documentation"),
    ({"name": "a", "logicalType": "integer", "physicalType": "varchar(9)"}, ".physicalType", "unsupported"),
    ({"name": "a", "logicalType": "integer", "logicalTypeOptions": {"minimum": -(10**30)}}, ".logicalTypeOptions.minimum", "documentation"),
    ({"name": "a", "logicalType": "object", "logicalTypeOptions": {"required": ["b"]}}, ".logicalTypeOptions.required", "unsupported"),
    ({"name": "a", "logicalType": "object", "properties": [{**COLUMN, "unique": True}]}, ".properties[0].unique", "unsupported"),
    ({**COLUMN, "quality": [{"type": "text", "description": "good"}]}, ".quality[0]", "documentation"),
    ({**COLUMN, "quality": [{"type": "custom", "engine": "dqx", "implementation": "x"}]}, ".quality[0]", "unsupported"),
    ({**COLUMN, "quality": [{"metric": "invalidValues", "mustBe": 0}]}, ".quality[0]", "unsupported"),
    ({**COLUMN, "quality": [{"metric": "rowCount", "mustBe": 5, "unit": "percent"}]}, ".quality[0]", "unsupported"),
    ({**COLUMN, "quality": [{"metric": "nullValues", "mustBe": "few"}]}, ".quality[0]", "unsupported"),
    ({**COLUMN, "quality": [{"metric": "nullValues", "mustBe": 0, "unit": "parsecs"}]}, ".quality[0]", "unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "path", "status"), NOTHING_TO_CHECK)
def test_what_gives_no_rule_is_told(tmp_path: Path, column: Any, path: str, status: str) -> None:
    found = read(tmp_path, contract(column))
    assert said(found, AT + path).startswith(status)
    assert not [rule for rule in demands(found) if rule.kind != "type"]


TYPES = [
    ({}, logical.String()),
    ({"logicalType": "integer"}, logical.Long()),
    ({"logicalType": "integer", "physicalType": "int"}, logical.Integer()),
    ({"logicalType": "integer", "physicalType": "number"}, logical.Long()),
    ({"logicalType": "integer", "logicalTypeOptions": {"format": "i16"}}, logical.Short()),
    ({"logicalType": "integer", "logicalTypeOptions": {"format": "u64"}}, logical.DecimalType(precision=20, scale=0)),
    ({"logicalType": "number"}, logical.Double()),
    ({"logicalType": "number", "logicalTypeOptions": {"format": "f32"}}, logical.Float()),
    ({"physicalType": "NUMBER"}, logical.Double()),
    ({"logicalType": "integer", "physicalType": "NUMBER"}, logical.Long()),
    ({"logicalType": "number", "physicalType": "DECIMAL(10, 2)"}, logical.DecimalType(precision=10, scale=2)),
    ({"logicalType": "number", "physicalType": "int4"}, logical.Integer()),
    ({"logicalType": "boolean", "physicalType": "tinyint"}, logical.Boolean()),
    ({"logicalType": "date"}, logical.Date()),
    ({"logicalType": "date", "physicalType": "timestamp"}, logical.Timestamp()),
    ({"logicalType": "date", "logicalTypeOptions": {"format": "dd-MM-yyyy"}}, logical.Date(format="dd-MM-yyyy")),
    ({"logicalType": "date", "logicalTypeOptions": {"format": "yyyy-MM-dd HH:mm:ss"}}, logical.Timestamp(format="yyyy-MM-dd HH:mm:ss")),
    ({"logicalType": "timestamp"}, logical.Timestamp()),
    ({"logicalType": "timestamp", "physicalType": "timestamp_ntz"}, logical.TimestampNtz()),
    ({"logicalType": "timestamp", "physicalType": "datetime"}, logical.Timestamp()),
    ({"logicalType": "timestamp", "logicalTypeOptions": {"timezone": False}}, logical.TimestampNtz()),
    ({"logicalType": "timestamp", "logicalTypeOptions": {"timezone": True}}, logical.Timestamp()),
    ({"logicalType": "timestamp", "logicalTypeOptions": {"defaultTimezone": "Europe/Berlin"}}, logical.Timestamp(zone="Europe/Berlin")),
    ({"logicalType": "time"}, logical.Time()),
    ({"logicalType": "string", "physicalType": "int"}, logical.Integer()),
    ({"logicalType": "string", "physicalType": "binary"}, logical.String()),
    ({"physicalType": "bigint"}, logical.Long()),
    ({"physicalType": "varchar2(20)"}, logical.String()),
    ({"physicalType": "geometry"}, logical.String()),
    ({"logicalType": "object"}, logical.Json(is_object=True)),
    ({"logicalType": "object", "physicalType": "jsonb"}, logical.Json(is_object=True)),
    ({"logicalType": "object", "physicalType": "variant"}, logical.Json()),
    ({"logicalType": "object", "physicalType": "struct<a:int,b:array<string>>"}, logical.Object(fields=(logical.Field(name="a", type=logical.Integer()), logical.Field(name="b", type=logical.Array(items=logical.String()))))),
    ({"logicalType": "array", "items": {"logicalType": "date"}}, logical.Array(items=logical.Date())),
    ({"logicalType": "array"}, logical.Array(items=logical.Json())),
    ({"logicalType": "map", "map": {"key": {"logicalType": "string"}, "value": {"logicalType": "integer"}}}, logical.Map(keys=logical.String(), values=logical.Long())),
]  # fmt: skip


@pytest.mark.parametrize(("stated", "expected"), TYPES)
def test_types(tmp_path: Path, stated: dict[str, Any], expected: logical.LogicalType) -> None:
    found = read(tmp_path, contract({"name": "a", **stated}, version="v3.2.0"))
    assert found.columns[0].type == expected


def digits(**stated: Any) -> list[dict[str, Any]]:
    return [{"property": key, "value": value} for key, value in stated.items()]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"physicalType": "decimal"}, logical.DecimalType(precision=6, scale=2)),
        ({"logicalType": "number"}, logical.DecimalType(precision=6, scale=2)),
        ({"logicalType": "number", "physicalType": "BIGNUMERIC"}, logical.DecimalType(precision=6, scale=2)),
        ({"logicalType": "number", "physicalType": "decimal(9,1)"}, logical.DecimalType(precision=9, scale=1)),
        ({"logicalType": "number", "physicalType": "double"}, logical.Double()),
        ({"logicalType": "integer"}, logical.Long()),
    ],
)
@pytest.mark.parametrize("value", [6, "6"])
def test_digits_in_custom_properties(
    tmp_path: Path, stated: dict[str, Any], expected: logical.LogicalType, value: int | str
) -> None:
    column = {"name": "a", **stated, "customProperties": digits(owner="x", precision=value, scale=2)}
    found = read(tmp_path, contract(column))
    assert found.columns[0].type == expected
    is_used = expected == logical.DecimalType(precision=6, scale=2)
    enforced = [entry.path for entry in found.ledger if "customProperties" in entry.path and entry.status == "enforced"]
    assert enforced == [f"{AT}.customProperties[{index}]" for index in (1, 2) if is_used]


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        (
            {"logicalType": "number", "logicalTypeOptions": {"precision": 6, "scale": 2}},
            logical.DecimalType(precision=6, scale=2),
        ),
        ({"logicalType": "number", "precision": 6, "scale": 2}, logical.DecimalType(precision=6, scale=2)),
        ({"logicalType": "integer", "precision": 6}, logical.Long()),
        ({"logicalType": "array", "items": "string"}, logical.Array(items=logical.String())),
    ],
)
def test_parts_of_a_type_that_the_standard_writes_otherwise(tmp_path: Path, stated: Any, kind: Any) -> None:
    found = read(tmp_path, contract({"name": "a", **stated}))
    assert found.columns[0].type == kind
    warned = [entry.status for entry in found.ledger if entry.warning]
    assert set(warned) == ({"unsupported"} if stated["logicalType"] == "integer" else {"enforced"})


@pytest.mark.parametrize("stated", [{"precision": 6.5}, {"precision": "x"}, {"precision": 40}, {"scale": 2}])
def test_custom_properties_that_say_no_digits(tmp_path: Path, stated: dict[str, Any]) -> None:
    found = read(tmp_path, contract({"name": "a", "logicalType": "number", "customProperties": digits(**stated)}))
    assert found.columns[0].type == logical.Double()


def test_a_whole_number_in_a_column_for_fractions(tmp_path: Path) -> None:
    found = read(tmp_path, contract({"name": "a", "logicalType": "integer", "physicalType": "decimal(10,2)"}))
    assert found.columns[0].type == logical.DecimalType(precision=10, scale=2)
    assert [(rule.kind, getattr(rule, "divisor", None)) for rule in demands(found)] == [
        ("type", None),
        ("multiple_of", 1),
    ]


@pytest.mark.parametrize(("options", "lengths"), [({}, [18]), ({"maxLength": 5}, [5]), ({"maxLength": 20}, [20, 18])])
def test_the_length_of_a_varchar(tmp_path: Path, options: Any, lengths: list[int]) -> None:
    found = read(tmp_path, contract({**COLUMN, "physicalType": "varchar(18)", "logicalTypeOptions": options}))
    assert sorted(rule.limit for rule in demands(found) if isinstance(rule, rules.MaxLength)) == sorted(lengths)


NESTED = {
    "name": "lines",
    "logicalType": "array",
    "items": {
        "logicalType": "object",
        "logicalTypeOptions": {"required": ["sku"], "minProperties": 1},
        "properties": [
            {"name": "sku", "logicalType": "string", "logicalTypeOptions": {"maxLength": 8}},
            {"name": "qty", "physicalName": "q", "logicalType": "integer", "required": True},
        ],
    },
}


def test_rules_inside_of_a_column(tmp_path: Path) -> None:
    found = read(tmp_path, contract(NESTED))
    item = logical.Object(
        fields=(
            logical.Field(name="sku", type=logical.String(), required=True),
            logical.Field(name="q", type=logical.Long(), required=True),
        )
    )
    assert found.columns[0].type == logical.Array(items=item)
    assert [(rule.id, getattr(rule, "inner", None)) for rule in demands(found)] == [
        ("o.lines.type", ()),
        ("o.lines.items.sku.required", ("[]", "sku")),
        ("o.lines.items.min_properties", ("[]",)),
        ("o.lines.items.sku.max_length", ("[]", "sku")),
        ("o.lines.items.qty.required", ("[]", "q")),
    ]


def test_a_service_level_of_a_column_without_its_object(tmp_path: Path) -> None:
    day = {"name": "day", "logicalType": "date"}
    promise = {"property": "retention", "value": 3, "unit": "y", "element": "day"}
    document = contract(day, slaProperties=[promise])
    document["schema"] += [{"name": "p", "properties": [day]}, {"name": "q", "properties": [COLUMN]}]
    for name in ("o", "p"):
        assert [level.columns for level in read(tmp_path, document, name).service_levels] == [("day",)]
    found = read(tmp_path, document, "q")
    assert not found.service_levels
    assert "`day` is read as `o.day`, `p.day`" in said(found, "$.slaProperties[0].element")
    promise["element"] = "gone.day"
    assert problems(tmp_path, document, "o") == [
        "$.slaProperties[0].element: `gone.day` is neither an object nor a column of one."
    ]


def test_enums_of_3_2_and_of_other_tools(tmp_path: Path) -> None:
    stated = {"name": "a", "logicalType": "integer", "enum": [{"value": 1, "label": "one"}, {"value": "2"}]}
    found = read(tmp_path, contract(stated, version="v3.2.0"))
    assert demands(found)[-1] == rules.Enum(id="o.a.enum", path=f"{AT}.enum", column="a", values=(1, 2))
    assert said(found, f"{AT}.enum[0].label") == "documentation"
    found = read(tmp_path, contract({**COLUMN, "logicalTypeOptions": {"enum": ["x", "y"]}}))
    assert demands(found)[-1].values == ("x", "y")
    assert [entry.path for entry in found.ledger if entry.warning] == [f"{AT}.logicalTypeOptions.enum"]


@pytest.mark.parametrize(
    ("version", "odd"), [("v3.0.2", [f"{AT}.enum"]), ("v3.2.0", [f"{AT}.enum[0]", f"{AT}.enum[1]"])]
)
def test_an_enum_of_bare_values(tmp_path: Path, version: str, odd: list[str]) -> None:
    found = read(tmp_path, contract({**COLUMN, "enum": ["x", "y"]}, version=version))
    assert demands(found)[-1].values == ("x", "y")
    assert [entry.path for entry in found.ledger if entry.warning] == odd


def test_options_beside_the_type(tmp_path: Path) -> None:
    stated = {"pattern": "^x$", "maxLength": 3, "logicalTypeOptions": {"minLength": 1}}
    found = read(tmp_path, contract({**COLUMN, **stated}))
    assert [(type(rule), rule.path) for rule in demands(found)] == [
        (rules.MinLength, f"{AT}.logicalTypeOptions.minLength"),
        (rules.Pattern, f"{AT}.pattern"),
        (rules.MaxLength, f"{AT}.maxLength"),
    ]
    assert said(found, f"{AT}.pattern") == "enforced: read as in `logicalTypeOptions`; rule o.a.pattern"
    found = read(tmp_path, contract({"name": "a", "logicalType": "date", "format": "dd.MM.yyyy"}))
    assert str(found.columns[0].type) == "Date(format='dd.MM.yyyy')"
    found = read(tmp_path, contract({"name": "a", "logicalType": "integer", "minLength": 1}))
    assert said(found, f"{AT}.minLength").startswith("unsupported: ")


@pytest.mark.parametrize(
    "stated",
    [{"pattern": 5}, {"minimum": "x"}, {"maxLength": 2, "logicalTypeOptions": {"maxLength": 3}}, {"required": {}}],
)
def test_options_beside_the_type_that_are_unclear(tmp_path: Path, stated: Any) -> None:
    with pytest.raises(ContractError, match=next(iter(stated))):
        read(tmp_path, contract({**COLUMN, **stated}))


@pytest.mark.parametrize("stated", ["x", [], ["x", ["y"]], [{"label": "one"}]])
def test_an_enum_that_says_no_values(tmp_path: Path, stated: Any) -> None:
    for version in ("v3.0.2", "v3.2.0"):
        with pytest.raises(ContractError, match="enum"):
            read(tmp_path, contract({**COLUMN, "enum": stated}, version=version))


def test_a_measure_is_no_column(tmp_path: Path) -> None:
    measure = {"name": "total", "logicalType": "number", "semanticType": "measure", "required": True}
    found = read(tmp_path, contract(COLUMN, measure, version="v3.2.0"))
    assert [column.name for column in found.columns] == ["a"]
    assert said(found, "$.schema[0].properties[1].required") == "unsupported: a measure is no column"


def test_what_no_table_is_laid_out_by(tmp_path: Path) -> None:
    day = {"name": "day", "logicalType": "date", "partitioned": True, "partitionKeyPosition": 2}
    whole = {"name": "o", "logicalType": "object", "partitioned": True, "partitionKeyPosition": 1}
    found = read(tmp_path, contract(COLUMN, whole, day))
    assert found.partition_columns == ("day",)
    assert said(found, "$.schema[0].properties[1].partitioned") == (
        "unsupported: Delta lays out no table by values of type `json`"
    )
    found = read(tmp_path, contract(day))
    assert found.partition_columns == ()
    assert said(found, f"{AT}.partitioned").startswith("unsupported: Delta keeps one column at least out")


# Relationships.

PARENT = {"name": "p", "id": "p1", "properties": [{"name": "k", "id": "k1", "physicalName": "key"}, {"name": "l"}]}


@pytest.mark.parametrize("to", ["p.k", "p1.k1", "schema/p1/properties/k1", "/schema/p/properties/k"])
def test_a_foreign_key_at_a_property(tmp_path: Path, to: str) -> None:
    document = contract({**COLUMN, "relationships": [{"type": "foreignKey", "to": to}]})
    document["schema"].append(PARENT)
    assert demands(read(tmp_path, document, "o"))[-1] == rules.Relationship(
        id="o.a.relationship", path=f"{AT}.relationships[0]", columns=("a",), to="p", to_columns=("key",)
    )


@pytest.mark.parametrize("to", ["schema.p.k", "#schema.p.k", "#p.k"])
def test_a_foreign_key_with_dots(tmp_path: Path, to: str) -> None:
    document = contract({**COLUMN, "relationships": [{"to": to}]})
    document["schema"].append(PARENT)
    found = read(tmp_path, document, "o")
    [rule] = [rule for rule in demands(found) if isinstance(rule, rules.Relationship)]
    assert (rule.to, rule.to_columns) == ("p", ("key",))
    [entry] = [entry for entry in found.ledger if entry.warning]
    assert (entry.path, entry.status) == (f"{AT}.relationships[0].to", "enforced")


@pytest.mark.parametrize("to", ["p", "other-file/p/k", ""])
def test_what_is_no_reference(tmp_path: Path, to: str) -> None:
    document = contract({**COLUMN, "relationships": [{"to": to}]})
    document["schema"].append(PARENT)
    assert problems(tmp_path, document, "o")


def test_a_foreign_key_of_two_columns(tmp_path: Path) -> None:
    relationship = {"from": ["o.a", "o.b"], "to": ["p.k", "p.l"]}
    document = contract(COLUMN, {**COLUMN, "name": "b"}, of={"relationships": [relationship]})
    document["schema"].append(PARENT)
    found = demands(read(tmp_path, document, "o"))[-1]
    assert (found.columns, found.to, found.to_columns) == (("a", "b"), "p", ("key", "l"))


def test_a_foreign_key_into_another_document(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(json.dumps({**contract(COLUMN), "schema": [PARENT]}), "utf-8")
    document = contract({**COLUMN, "relationships": [{"to": "p.yaml#schema/p1/properties/k1"}]})
    found = demands(read(tmp_path, document))[-1]
    assert (found.to, found.to_columns) == ("p.yaml#p", ("key",))
    document["schema"][0]["properties"][0]["relationships"][0]["to"] = (
        "https://example.com/p.yaml#schema/p1/properties/k1"
    )
    assert "downloads nothing" in said(read(tmp_path, document), f"{AT}.relationships[0]")


def test_a_document_may_refer_to_itself_by_its_name(tmp_path: Path) -> None:
    relationship = {"from": "c.odcs.yaml#schema/o/properties/a", "to": "c.odcs.yaml#schema/p/properties/k"}
    document = contract(COLUMN, of={"relationships": [relationship]})
    document["schema"].append(PARENT)
    found = demands(read(tmp_path, document, "o"))[-1]
    assert (found.columns, found.to, found.to_columns) == (("a",), "p", ("key",))


@pytest.mark.parametrize("schema", [5, {"p": PARENT}, [5]])
def test_a_foreign_key_into_a_document_of_another_shape(tmp_path: Path, schema: Any) -> None:
    (tmp_path / "p.yaml").write_text(json.dumps({"schema": schema}), "utf-8")
    document = contract({**COLUMN, "relationships": [{"to": "p.yaml#schema/p/properties/k"}]})
    with pytest.raises(ContractError, match="there is no"):
        read(tmp_path, document)


@pytest.mark.parametrize("parent", [PARENT, {"name": "p"}, {"name": "p", "properties": 5}])
def test_a_foreign_key_to_a_column_that_another_object_does_not_describe(tmp_path: Path, parent: Any) -> None:
    (tmp_path / "p.yaml").write_text(json.dumps({"schema": [parent]}), "utf-8")
    for to in ("p.street", "p.yaml#schema/p/properties/street"):
        document = contract({**COLUMN, "relationships": [{"to": to}]})
        document["schema"].append(PARENT)
        expected = "unsupported: `p` does not describe its column `street`"
        assert said(read(tmp_path, document, "o"), f"{AT}.relationships[0]") == expected


def test_a_foreign_key_to_a_column_that_the_object_itself_lacks(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="there is no property `street`"):
        read(tmp_path, contract({**COLUMN, "relationships": [{"to": "o.street"}]}))


# Service levels.

LEVELS = [
    ({"property": "retention", "value": 3, "unit": "y"}, ("retention", 3, "year", ())),
    ({"property": "retention", "value": "Unlimited"}, ("retention", None, "unlimited", ())),
    ({"property": "ly", "value": 4, "unit": "d", "element": "o.a"}, ("latency", 345600, "second", ("a",))),
    ({"property": "Freshness", "value": "PT25H"}, ("freshness", 90000, "second", ())),
    ({"property": "availability", "value": "99.9%"}, ("availability", Decimal("99.9"), "percent", ())),
    ({"property": "throughput", "value": 20, "unit": "rows/s"}, ("throughput", 20, "rows/s", ())),
    (
        {"property": "generalAvailability", "value": "2022-05-12T09:30:10-08:00"},
        ("generalAvailability", None, None, ()),
    ),
    ({"property": "latency", "value": "soon"}, ("latency", None, None, ())),
]


@pytest.mark.parametrize(("stated", "expected"), LEVELS)
def test_service_levels(tmp_path: Path, stated: dict[str, Any], expected: Any) -> None:
    [level] = read(tmp_path, contract(COLUMN, slaProperties=[stated])).service_levels
    assert (level.kind, level.value, level.unit, level.columns) == expected


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"value": True}, "`true` is not a span of time such as `25h`, `30 days`, `1 year` or `PT25H`"),
        ({"value": 3}, "`3` is not a span of time such as `25h`, `30 days`, `1 year` or `PT25H`"),
        ({"value": "3", "unit": ""}, "`` is not a unit of time such as `h`, `days`, `months` or `y`"),
    ],
)
def test_a_service_level_that_cannot_be_read_is_told_as_it_stands(
    tmp_path: Path, stated: dict[str, Any], expected: str
) -> None:
    found = read(tmp_path, contract(COLUMN, slaProperties=[{"property": "latency", **stated}]))
    assert said(found, "$.slaProperties[0]") == f"unsupported: {expected}"


def test_what_is_promised_in_words_is_kept(tmp_path: Path) -> None:
    stated = [{"property": "endOfLife", "value": "2030-01-01"}, {"property": "retention", "value": "Unlimited"}]
    levels = read(tmp_path, contract(COLUMN, slaProperties=stated)).service_levels
    assert [level.told for level in levels] == ["2030-01-01", None]


def test_a_service_level_of_several_columns(tmp_path: Path) -> None:
    columns = [{"name": name, "logicalType": "timestamp"} for name in "ab"]
    stated = [{"property": name, "value": 2, "unit": "h", "element": "o.a, o.b"} for name in ("freshness", "latency")]
    found = read(tmp_path, contract(*columns, slaProperties=stated))
    assert [(level.kind, level.columns) for level in found.service_levels] == [
        ("freshness", ("a",)),
        ("freshness", ("b",)),
        ("latency", ("a", "b")),
    ]
    assert said(found, "$.slaProperties[0]") == "enforced: `sluis test`, rule o.a.freshness, o.b.freshness"
    assert said(found, "$.slaProperties[1]").startswith("unsupported: of several columns")


def test_a_service_level_of_another_object_and_the_default_element(tmp_path: Path) -> None:
    levels = [
        {"property": "latency", "value": 1, "unit": "d", "element": "p.k"},
        {"property": "retention", "value": 1, "unit": "y"},
    ]
    document = contract(COLUMN, slaProperties=levels, slaDefaultElement="o.a")
    document["schema"].append(PARENT)
    [level] = read(tmp_path, document, "o").service_levels
    assert (level.kind, level.columns) == ("retention", ("a",))
    [level] = read(tmp_path, document, "p").service_levels
    assert (level.kind, level.columns) == ("latency", ("key",))


# Rows that may be missing.


@pytest.mark.parametrize(
    ("operator", "fewest"),
    [
        ({"mustBeGreaterOrEqualTo": 0}, 0),
        ({"mustBeGreaterThan": 0}, 1),
        ({"mustBeBetween": [0, 9]}, 0),
        ({"mustBe": 7}, 1),
    ],
)
def test_no_rows_are_allowed_only_by_the_contract(tmp_path: Path, operator: dict[str, Any], fewest: int) -> None:
    found = read(tmp_path, contract(COLUMN, of={"quality": [{"metric": "rowCount", **operator}]}))
    assert next(rule.min for rule in found.rules if isinstance(rule, rules.RowCount)) == fewest


@pytest.mark.parametrize(
    "item",
    [
        {"rule": "totallyInvalid", "mustBe": 0},
        {"metric": "not_null", "mustBe": 0},
        {"name": "small", "mustBe": 0},
        {"metric": "nullValues"},
        {"rule": "rowCount"},
        {"query": "SELECT count(*) FROM o", "mustBee": 0},
    ],
)
@pytest.mark.parametrize("version", ["v3.1.0", "v3.2.0"])
def test_an_item_without_a_type_that_is_not_clear(tmp_path: Path, item: dict[str, Any], version: str) -> None:
    assert problems(tmp_path, contract({**COLUMN, "quality": [item]}, version=version))


@pytest.mark.parametrize(
    ("options", "kind", "unsupported"),
    [
        ({}, Float(), []),
        ({"elementType": "float64", "distanceMetric": "cosine", "embeddingModel": "m"}, Double(), []),
        ({"elementType": "int8", "normalized": False}, Byte(), []),
        ({"elementType": "bfloat16", "normalized": True}, Float(), [f"{AT}.logicalTypeOptions.normalized"]),
    ],
)
def test_a_vector(tmp_path: Path, options: dict[str, Any], kind: LogicalType, unsupported: list[str]) -> None:
    stated = {"name": "a", "logicalType": "vector", "logicalTypeOptions": {"dimensions": 3, **options}}
    found = read(tmp_path, contract(stated, version="v3.2.0"))
    [type_, size] = demands(found)
    assert found.columns[0].type == Array(items=kind)
    assert isinstance(size, Size)
    assert (type_.kind, size.min, size.max) == ("type", 3, 3)
    assert [entry.path for entry in found.ledger if entry.status == "unsupported"] == unsupported


# What is off the standard, and clear.


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ("double", logical.Double()),
        ("bool", logical.Boolean()),
        ("bigint", logical.Long()),
        ("varchar(20)", logical.String()),
        ("datetime", logical.TimestampNtz()),
        ("decimal(9,2)", logical.DecimalType(precision=9, scale=2)),
        ("decimal", logical.Double()),
        ("numeric", logical.Double()),
        ("Struct", logical.Json(is_object=True)),
    ],
)
def test_a_logical_type_as_databases_name_it(tmp_path: Path, stated: str, kind: Any) -> None:
    found = read(tmp_path, contract({"name": "a", "logicalType": stated}))
    assert found.columns[0].type == kind
    assert [entry.path for entry in found.ledger if entry.warning] == [f"{AT}.logicalType"]
    longest = [rule.limit for rule in demands(found) if isinstance(rule, rules.MaxLength)]
    assert longest == ([20] if stated == "varchar(20)" else [])


@pytest.mark.parametrize(
    ("stated", "kind"), [("STRING", logical.String()), ("int", logical.Integer()), ("Number", logical.Double())]
)
def test_items_named_by_their_type_alone(tmp_path: Path, stated: str, kind: Any) -> None:
    found = read(tmp_path, contract({"name": "a", "logicalType": "list", "items": stated}))
    assert found.columns[0].type == Array(items=kind)
    assert {entry.path for entry in found.ledger if entry.warning} == {f"{AT}.logicalType", f"{AT}.items"}


@pytest.mark.parametrize("one", ["1", "1.0", "'1.00'", "10e-1"])
def test_a_number_is_the_same_demand_however_it_is_written(tmp_path: Path, one: str) -> None:
    note = f"note, logicalType: number, logicalTypeOptions: {{minimum: {one}, multipleOf: {one}}}"
    items = f"quality: [{{metric: nullValues, mustBeLessThan: {one}}}]"
    text = THIN.replace("note, logicalType: string", f"{note}, {items}")
    _, least, step, filled = [rule for rule in read(tmp_path, text).rules if getattr(rule, "column", None) == "note"]
    assert isinstance(least, rules.Minimum) and isinstance(step, rules.MultipleOf) and filled.allowed
    assert [repr(least.limit), repr(step.divisor), repr(filled.allowed.values)] == ["1", "1", "(Decimal('1'),)"]


MOMENT = {"name": "a", "logicalType": "timestamp"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"minimum": "2026-07-01"}, "2026-07-01T00:00:00"),
        ({"exclusiveMaximum": "2026-07-01"}, "2026-07-01T00:00:00"),
        ({"minimum": "2026-07-01", "defaultTimezone": "Europe/Amsterdam"}, "2026-07-01T00:00:00+02:00"),
        ({"maximum": "2026-01-01T10:00:00", "defaultTimezone": "Europe/Amsterdam"}, "2026-01-01T10:00:00+01:00"),
        ({"maximum": "2026-01-01T10:00:00Z", "defaultTimezone": "Europe/Amsterdam"}, "2026-01-01T10:00:00Z"),
    ],
)
def test_a_bound_of_moments(tmp_path: Path, options: dict[str, Any], expected: str) -> None:
    found = read(tmp_path, contract({**MOMENT, "logicalTypeOptions": options}))
    [limit] = [rule.limit for rule in demands(found) if isinstance(rule, rules.Minimum | rules.Maximum)]
    assert limit == expected


@pytest.mark.parametrize("key", ["maximum", "exclusiveMinimum"])
def test_a_day_as_a_bound_that_could_be_its_first_moment_or_its_last(tmp_path: Path, key: str) -> None:
    [problem] = problems(tmp_path, contract({**MOMENT, "logicalTypeOptions": {key: "2026-07-01"}}))
    assert "is not a value of type `timestamp`" in problem


@pytest.mark.parametrize("stated", ["uuid", "blob", "strnig"])
@pytest.mark.parametrize("version", ["v3.0.0", "v3.2.0"])
def test_a_logical_type_that_is_not_clear(tmp_path: Path, stated: str, version: str) -> None:
    [problem] = problems(tmp_path, contract({"name": "a", "logicalType": stated}, version=version))
    assert problem == f'{AT}.logicalType: found text "{stated}".'


def test_an_object_that_is_files(tmp_path: Path) -> None:
    # No released schema of the standard has this type yet; files as a whole are no rows.
    document = contract(COLUMN, of={"logicalType": "blob"}, version="v3.2.0")
    assert problems(tmp_path, document) == ['$.schema[0].logicalType: found text "blob".']


@pytest.mark.parametrize(
    ("kind", "form", "expected"),
    [
        ("timestamp", "yyyy-MM-ddTHH:mm:ssZ", logical.Timestamp()),
        ("timestamp", "yyyy-MM-ddTHH:mm:ss.SSSZ", logical.Timestamp()),
        ("timestamp", "ISO 8601", logical.Timestamp()),
        ("date", "yyyy-MM-ddTHH:mm:ssZ", logical.Timestamp()),
        ("date", "iso8601", logical.Date()),
    ],
)
def test_iso_8601_as_people_write_it(tmp_path: Path, kind: str, form: str, expected: Any) -> None:
    column = {"name": "a", "logicalType": kind, "logicalTypeOptions": {"format": form}}
    found = read(tmp_path, contract(column))
    assert found.columns[0].type == expected
    assert said(found, f"{AT}.logicalTypeOptions.format") == "enforced: read as ISO 8601; by the column's type"


@pytest.mark.parametrize(("stated", "named"), [("v3.1", "v3.1.0"), ("3.0", "v3.0.2"), ("v3.2", "v3.2.0")])
def test_a_version_without_its_last_number(tmp_path: Path, stated: str, named: str) -> None:
    assert said(read(tmp_path, contract(COLUMN, version=stated)), "$.apiVersion") == f"documentation: read as `{named}`"


def test_a_description_in_one_text(tmp_path: Path) -> None:
    found = read(tmp_path, contract(COLUMN, description="what it is for"))
    told = said(found, "$.description")
    assert (found.description, told) == ("what it is for", "documentation: read as its `purpose`")


@pytest.mark.parametrize(("kind", "form"), [("date", "date"), ("timestamp", "date-time"), ("time", "time")])
def test_the_names_that_json_schema_has_for_iso_8601(tmp_path: Path, kind: str, form: str) -> None:
    stated = {"name": "a", "logicalType": kind, "logicalTypeOptions": {"format": form}}
    told = said(read(tmp_path, contract(stated)), f"{AT}.logicalTypeOptions.format")
    assert told == "enforced: read as ISO 8601; by the column's type"
    other = {**stated, "logicalTypeOptions": {"format": "date-time" if kind == "date" else "date"}}
    with pytest.raises(ContractError, match="Spark does not read"):
        read(tmp_path, contract(other))


def test_sql_of_a_system_that_the_contract_does_not_name(tmp_path: Path) -> None:
    query = {"type": "sql", "query": "SELECT count(*) FROM o WHERE a !~ '^x'", "mustBe": 0}
    told = said(read(tmp_path, contract({**COLUMN, "quality": [query]})), f"{AT}.quality[0]")
    assert told.startswith("unsupported: it is read as SQL of databricks and looks like that of postgres")
    servers = [{"server": "s", "type": "postgres", "host": "h", "port": 1, "database": "d", "schema": "s"}]
    found = read(tmp_path, contract({**COLUMN, "quality": [query]}, servers=servers))
    assert said(found, f"{AT}.quality[0]").startswith("enforced")


def test_a_threshold_in_quotes(tmp_path: Path) -> None:
    found = read(tmp_path, contract({**COLUMN, "quality": [{"metric": "nullValues", "mustBe": "0"}]}))
    assert demands(found)[-1].allowed == Threshold(operator="=", values=(Decimal(0),))
    assert said(found, f"{AT}.quality[0].mustBe").startswith("enforced: read as a number")


# What is wrong.

WRONG = [
    (contract(), ["$.schema[0].properties: `o` has no columns, so there is nothing to hold data against."]),
    (contract({"name": "a", "logicalType": "object", "properties": [{"name": "x"}, {"name": "X"}]}), [f"{AT}.properties[1].name: `X` and `x` differ only in case, which Delta does not distinguish."]),
    (contract(COLUMN, COLUMN), ["$.schema[0].properties[1].name: `a` stands here a second time."]),
    (contract(COLUMN, {**COLUMN, "name": "b", "physicalName": "A"}), ["$.schema[0].properties[1].physicalName: `A` and `a` differ only in case, which Delta does not distinguish."]),
    (contract({**COLUMN, "requierd": True}), [f"{AT}.requierd: unknown key `requierd`."]),
    (contract({**COLUMN, "logicalTypeOptions": {"pattern": "(?i)a"}}), [f"{AT}.logicalTypeOptions.pattern: `(?i)a`: `(?i…` opens no group that ECMA-262 and Java share (flags inside a pattern are not)."]),
    (contract({**COLUMN, "logicalTypeOptions": {"minimum": 1}}), [f"{AT}.logicalTypeOptions.minimum: unknown key `minimum`."]),
    (contract({"name": "a", "logicalType": "date", "logicalTypeOptions": {"minimum": "soon"}}), [f'{AT}.logicalTypeOptions.minimum: `"soon"` is not a value of type `date`.']),
    (contract({"name": "a", "logicalType": "integer", "logicalTypeOptions": {"maximum": -(10**30)}}), [f"{AT}.logicalTypeOptions.maximum: no value of type `long` keeps -1000000000000000000000000000000."]),
    (contract({"name": "a", "logicalType": "date", "logicalTypeOptions": {"format": "YYYY-MM-dd"}}), [f"{AT}.logicalTypeOptions.format: `YYYY-MM-dd`: Spark does not read the letter `Y`."]),
    (contract({"name": "a", "logicalType": "timestamp", "logicalTypeOptions": {"defaultTimezone": "Mars/Base"}}), [f"{AT}.logicalTypeOptions.defaultTimezone: `Mars/Base` is no time zone."]),
    (contract({**COLUMN, "quality": [{"metric": "nullValues", "mustBeBetween": [5, 1]}]}), [f"{AT}.quality[0].mustBeBetween: the smaller number comes first."]),
    (contract({**COLUMN, "quality": [{"type": "sql", "query": "DROP TABLE x", "mustBe": 0}]}), [f"{AT}.quality[0].query: it is no SELECT but DROP."]),
    (contract({**COLUMN, "relationships": [{"to": "ghost.k"}]}), [f"{AT}.relationships[0].to: `ghost.k`: there is no object `ghost`."]),
    (contract(COLUMN, slaProperties=[{"property": "latency", "value": 1, "unit": "d", "element": "ghost"}]), ["$.slaProperties[0].element: `ghost` is neither an object nor a column of one."]),
    (contract(COLUMN, servers=[{"sever": "s", "type": "local"}]), ["$.servers[0]: `server` is missing.", "$.servers[0].sever: unknown key `sever`."]),
    (contract(COLUMN, team={"name": "T", "members": [{"name": "x"}]}), ["$.team.members[0]: `username` is missing."]),
    (contract({**COLUMN, "tags": {"x": "y"}}), [f'{AT}.tags: found an object {{"x": "y"}}.']),
    (contract(COLUMN, roles=[{"role": "a", "id": "r"}, {"role": "b", "id": "r"}]), ["$.roles[1].id: `r` stands in `roles` twice."]),
    ({**contract(COLUMN), "schema": []}, ["$: there is no `schema`, so there is nothing to hold data against."]),
    ({**contract(COLUMN), "apiVersion": "v4.0.0"}, ["$.apiVersion: ODCS `v4.0.0` is not a version that is read here."]),
]  # fmt: skip


@pytest.mark.parametrize(("document", "expected"), WRONG)
def test_wrong(tmp_path: Path, document: Any, expected: list[str]) -> None:
    assert problems(tmp_path, document) == expected


def test_where_rules_and_owners_belong(tmp_path: Path) -> None:
    with pytest.raises(ContractError) as broken:
        read(tmp_path, contract(COLUMN, quality=[{"rule": "unique"}], owner="me"))
    assert [problem.hint for problem in broken.value.problems] == [
        "rules stand in the object of `schema`, or in the property, that they are about.",
        "the `team` says who owns the data.",
    ]


def test_all_problems_of_a_document_at_once_with_their_lines(tmp_path: Path) -> None:
    text = THIN.replace("note,", "note, logicalTypeOptions: {pattern: '(', maxLength: -1},").replace(
        "status: active", "state: active"
    )
    with pytest.raises(ContractError) as broken:
        read(tmp_path, text)
    assert [str(problem).partition(" Allowed")[0] for problem in broken.value.problems] == [
        f"{SHOWN}: $: `status` is missing.",
        f"{SHOWN}:7:1: $.state: unknown key `state`.",
        f"{SHOWN}:18:57: $.schema[0].properties[3].logicalTypeOptions.maxLength: found a number -1.",
    ]


# What is off the standard, and clear.

CLEAR = [
    (contract({**COLUMN, "isNullable": False, "isUnique": True}, version="v3.0.0"), ["required", "unique"], {f"{AT}.isNullable", f"{AT}.isUnique"}),
    (contract({"name": "a", "logicalType": "timestamp", "physicalName": "b"}, version="v3.0.0"), ["type"], {f"{AT}.logicalType", f"{AT}.physicalName"}),
    (contract({**COLUMN, "required": "yes"}), ["required"], {f"{AT}.required"}),
    (contract({**COLUMN, "logicalType": "String", "required": True}), ["required"], {f"{AT}.logicalType"}),
    (contract({**COLUMN, "description": None, "logicalTypeOptions": {"maxLength": "3"}}), ["max_length"], {f"{AT}.description", f"{AT}.logicalTypeOptions.maxLength"}),
    (contract({"name": "a", "logicalType": "integer", "logicalTypeOptions": {"minimum": 0, "exclusiveMinimum": True}}), ["type", "minimum"], {f"{AT}.logicalTypeOptions.exclusiveMinimum"}),
    (contract({**COLUMN, "quality": [{"type": "library", "metric": "nullValues", "mustBe": 0}]}, version="v3.0.2"), ["filled"], {f"{AT}.quality[0].metric"}),
    (contract({**COLUMN, "quality": [{"type": "library", "rule": "nullCheck", "mustBe": 0}]}), ["filled"], {f"{AT}.quality[0].rule"}),
    (contract({**COLUMN, "quality": [{"type": "library", "rule": "nullValues", "mustBe": 0}]}), ["filled"], {f"{AT}.quality[0].rule"}),
    (contract({**COLUMN, "quality": [{"rule": "duplicateCount", "mustBe": 0}]}), ["unique"], {f"{AT}.quality[0]", f"{AT}.quality[0].rule"}),
    (contract({**COLUMN, "quality": [{"query": "SELECT count(*) FROM o", "mustBe": 0}]}), ["sql"], {f"{AT}.quality[0]"}),
    (contract({**COLUMN, "quality": [{"query": "SELECT count(*) FROM o", "mustBe": 0}]}, version="v3.0.2"), ["sql"], {f"{AT}.quality[0]"}),
    (contract({**COLUMN, "quality": [{"description": "good"}]}, version="v3.0.2"), [], {f"{AT}.quality[0]"}),
    (contract({"name": "a", "physicalType": "varchar(3)", "logicalTypeOptions": {"pattern": "a"}}), ["max_length", "pattern"], {f"{AT}.logicalTypeOptions.pattern"}),
    (contract({"name": "a", "physicalType": "date", "logicalTypeOptions": {"minimum": "2020-01-01"}}, version="v3.2.0"), ["type", "minimum"], {f"{AT}.logicalTypeOptions.minimum"}),
    (contract({"name": "a", "logicalType": "vector", "logicalTypeOptions": {"dimensions": 3}}), ["type", "size"], {f"{AT}.logicalType"}),
    (contract({**COLUMN, "quality": [{"metric": "invalidValues", "validValues": ["x"], "mustBe": 0}]}), ["valid"], {f"{AT}.quality[0].validValues"}),
    (contract({**COLUMN, "quality": [{"rule": "not_null"}]}), ["filled"], {f"{AT}.quality[0]", f"{AT}.quality[0].rule"}),
    (contract({**COLUMN, "quality": [{"type": "library", "rule": "validValues", "validValues": ["x"]}]}), ["valid"], {f"{AT}.quality[0]", f"{AT}.quality[0].rule", f"{AT}.quality[0].validValues"}),
    (contract({**COLUMN, "x-ours": {"a": 1}}, **{"x-build": 1}), [], {f"{AT}.x-ours", "$.x-build"}),
    (contract(COLUMN, team={"name": "T"}, version="v3.0.2"), [], {"$.team"}),
    (contract(COLUMN, support=[{"channel": "x"}], version="v3.0.2"), [], {"$.support[0]"}),
    (contract(COLUMN, team="T", roles="admin", price=3, tags={"a": "b"}, authoritativeDefinitions="x"), [], {"$.team", "$.roles", "$.price", "$.tags", "$.authoritativeDefinitions"}),
    (contract(COLUMN, support=[{"channel": "x", "kind": "y"}], customProperties={"a": "b"}), [], {"$.support[0].kind", "$.customProperties"}),
    (contract({**COLUMN, "examples": "x", "authoritativeDefinitions": "y"}), [], {f"{AT}.examples", f"{AT}.authoritativeDefinitions"}),
    (contract(COLUMN, servers=[{"server": "s", "type": "mariadb", "host": "h", "port": "${PORT}", "x": 1}]), [], {"$.servers[0].type", "$.servers[0].x"}),
    (contract(COLUMN, servers=[{"server": "s", "type": "postgres", "host": "h", "database": "d", "schema": "s", "port": "${PORT}", "x": 1}]), [], {"$.servers[0].port", "$.servers[0].x"}),
    (contract(COLUMN, version="3.0.2"), [], {"$.apiVersion"}),
    (contract(COLUMN, servers=[{"server": "s", "type": "s3", "location": "s3://x", "account": "1"}]), [], {"$.servers[0].account"}),
    (contract({**COLUMN, "quality": [{"metric": "nullValues", "mustBe": 0, "severity": "dire"}]}), ["filled"], {f"{AT}.quality[0].severity"}),
]  # fmt: skip


@pytest.mark.parametrize(("document", "kinds", "warned"), CLEAR)
def test_off_the_standard_and_clear(tmp_path: Path, document: Any, kinds: list[str], warned: set[str]) -> None:
    found = read(tmp_path, document)
    assert [rule.kind for rule in demands(found)] == kinds
    assert {entry.path for entry in found.ledger if entry.warning} == warned


def test_flags_that_contradict(tmp_path: Path) -> None:
    document = contract({**COLUMN, "required": True, "isNullable": True}, version="v3.0.0")
    assert problems(tmp_path, document) == [f"{AT}.isNullable: it contradicts `required`."]


# Objects.


def test_several_objects(tmp_path: Path) -> None:
    document = contract(COLUMN)
    document["schema"].append(PARENT)
    assert read(tmp_path, document, "p").object == "p"
    assert said(read(tmp_path, document, "p"), "$.schema[0]") == "documentation: the object `o`, a contract of its own"
    assert problems(tmp_path, document) == ["$: it holds 2 objects."]
    assert problems(tmp_path, document, "q") == ["$: it has no object `q`."]
    with pytest.raises(ContractError, match=r"Allowed: `o`, `p`. Hint: name one, as `contracts/c.odcs.yaml#o`"):
        read(tmp_path, document)


# ODCS 2.

V2 = """
kind: DataContract
version: 1.0.0
uuid: u
type: tables
status: current
datasetName: d
quantumName: q
dataset:
  - table: t
    columns:
      - {column: id, logicalType: integer, physicalType: int, isPrimaryKey: true, isNullable: false, clusterStatus: true}
      - {column: at, logicalType: Timestamp, physicalType: timestamp, partitionStatus: true, sampleValues: [2022-10-03]}
      - column: code
        logicalType: string
        physicalType: varchar(2)
        encryptedColumnName: code_x
        quality: [{templateName: NullCheck, toolName: Elevate}]
"""


def test_odcs_2_as_far_as_it_is_clear(tmp_path: Path) -> None:
    found = read(tmp_path, V2)
    assert (found.name, found.object, found.primary_key) == ("u", "t", ("id",))
    assert [column.type for column in found.columns] == [logical.Integer(), logical.Timestamp(), logical.String()]
    assert [column.sensitive for column in found.columns] == [False, False, True]
    assert (found.partition_columns, found.cluster_columns) == (("at",), ("id",))
    assert [rule.kind for rule in demands(found)] == ["required", "type", "type", "max_length", "primary_key"]
    assert said(found, "$.dataset[0].columns[2].quality[0]") == 'unsupported: the tool "Elevate" checks it'
    assert len(found.notices) == 1 and "ODCS 2" in found.notices[0]


def test_thresholds_are_exact(tmp_path: Path) -> None:
    item = {"metric": "nullValues", "mustBeLessThan": 0.1, "unit": "percent"}
    [rule] = demands(read(tmp_path, contract({**COLUMN, "quality": [item]})))
    assert rule.allowed == Threshold(operator="<", values=(Decimal("0.1"),), percent=True)
