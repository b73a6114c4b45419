"""The Data Contract Specification: what every key becomes, and what is said about documents that are wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluis.contract import dcs, logical, odcs, reading, rules
from sluis.contract.dcs import shape as dcs_shape
from sluis.contract.local_files import Place
from sluis.contract.logical import LogicalType
from sluis.contract.model import Column, Contract
from sluis.contract.rules import Rule, Threshold
from sluis.contract.source import Source
from sluis.errors import ContractError

DATA = Path(__file__).parents[1] / "data"
SHOWN = "contracts/c.yaml"
FIELD = "$.models.m.fields.{}".format


def document(fields: dict[str, Any], model: dict[str, Any] | None = None, **keys: Any) -> dict[str, Any]:
    return {
        "dataContractSpecification": "1.2.1",
        "id": "urn:c",
        "info": {"title": "C", "version": "2.0"},
        "models": {"m": {"fields": fields, **(model or {})}},
        **keys,
    }


def read(raw: dict[str, Any], folder: Path = Path("p"), model: str = "m") -> Contract:
    return opened(raw, folder).read(model)


def opened(raw: dict[str, Any], folder: Path = Path("p")) -> dcs.Opened:
    return dcs.Opened(Source(document=raw, shown=SHOWN), Place(file=folder / SHOWN, shown=SHOWN))


def column_rules(name: str, field: dict[str, Any], **keys: Any) -> tuple[Rule, ...]:
    """The rules of one column, without those that every contract has."""
    return read(document({name: field}, **keys)).rules[5:]


def problems(raw: dict[str, Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(ContractError) as broken:
        read(raw)
    return [(problem.path, problem.message, problem.allowed) for problem in broken.value.problems]


def fates(contract: Contract) -> dict[str, tuple[str, str]]:
    return {entry.path: (entry.status, entry.note) for entry in contract.ledger}


def at(kind: str, key: str = "", column: str = "a") -> dict[str, str]:
    return {"id": f"m.{column}.{kind}", "path": FIELD(f"{column}.{key or kind}"), "column": column}


def test_the_missions_contract() -> None:
    found = reading.read(DATA / "examples/contracts/stock_last_sales.yaml", "contracts/stock_last_sales.yaml")
    assert (found.format, found.name, found.version, found.object) == ("dcs", "Last Sales", "1.0.0", "articles")
    assert (found.id, found.owner) == ("urn:datacontract:fulfillment:stock-last-sales", "Fulfillment")
    assert found.description == "One record per article that is currently in stock"
    assert [(column.name, column.type, column.required) for column in found.columns] == [
        ("sku", logical.String(), True),
        ("quantity", logical.Long(), True),
        ("last_sale_timestamp", logical.Timestamp(), False),
        ("processing_timestamp", logical.Timestamp(), True),
    ]
    assert found.primary_key == ("sku",)
    assert [(rule.id, rule.path.removeprefix("$.models.articles.")) for rule in found.rules[3:]] == [
        ("articles.columns", "fields"),
        ("articles.row_count_2", "$"),
        ("articles.sku.required", "fields.sku.primary"),
        ("articles.sku.pattern", "fields.sku.pattern"),
        ("articles.sku.min_length", "fields.sku.minLength"),
        ("articles.sku.max_length", "fields.sku.maxLength"),
        ("articles.quantity.required", "fields.quantity.required"),
        ("articles.quantity.type", "fields.quantity.type"),
        ("articles.quantity.minimum", "fields.quantity.minimum"),
        ("articles.last_sale_timestamp.type", "fields.last_sale_timestamp.type"),
        ("articles.processing_timestamp.required", "fields.processing_timestamp.required"),
        ("articles.processing_timestamp.type", "fields.processing_timestamp.type"),
        ("articles.primary_key", "fields.sku.primary"),
        ("articles.row_count", '$.quality.specification["checks for articles"][0]'),
    ]
    assert found.rules[-1].allowed == Threshold(operator=">", values=(Decimal(1000),))
    assert [(level.kind, level.value, level.unit, level.columns) for level in found.service_levels] == [
        ("availability", Decimal("99.9"), "percent", ()),
        ("retention", Decimal(1), "year", ()),
        ("freshness", Decimal(90000), "second", ("processing_timestamp",)),
        ("frequency", None, None, ()),
    ]
    assert found.notices == (dcs.NOTICE,)
    assert not [entry for entry in found.ledger if entry.status == "unsupported" or entry.warning]


TYPES: list[tuple[dict[str, Any], LogicalType]] = [
    *[({"type": name}, logical.String()) for name in ("string", "text", "varchar", "null")],
    *[({"type": name}, logical.DecimalType(precision=38, scale=0)) for name in ("number", "decimal", "numeric")],
    *[({"type": name}, logical.Integer()) for name in ("int", "integer")],
    *[({"type": name}, logical.Long()) for name in ("long", "bigint")],
    *[({"type": name}, logical.Timestamp()) for name in ("timestamp", "timestamp_tz")],
    *[({"type": name}, logical.Json()) for name in ("variant", "json")],
    *[({"type": name}, logical.Json(is_object=True)) for name in ("object", "record", "struct")],
    ({"type": "float"}, logical.Float()),
    ({"type": "double"}, logical.Double()),
    ({"type": "boolean"}, logical.Boolean()),
    ({"type": "timestamp_ntz"}, logical.TimestampNtz()),
    ({"type": "date"}, logical.Date()),
    ({"type": "time"}, logical.Time()),
    ({"type": "bytes"}, logical.Binary()),
    ({"type": "decimal", "precision": 10, "scale": 2}, logical.DecimalType(precision=10, scale=2)),
    ({"type": "decimal", "config": {"databricksType": "decimal(9,3)"}}, logical.DecimalType(precision=9, scale=3)),
    ({"type": "int", "config": {"databricksType": "TINYINT"}}, logical.Byte()),
    ({"type": "int", "config": {"databricksType": "double"}}, logical.Integer()),
    ({"type": "string", "config": {"databricksType": "BIGINT"}}, logical.Long()),
    ({"type": "timestamp", "config": {"databricksType": "timestamp_ntz"}}, logical.TimestampNtz()),
    ({"type": "date", "format": "dd.MM.yyyy"}, logical.Date(format="dd.MM.yyyy")),
    ({"type": "array"}, logical.Array(items=logical.Json())),
    ({"type": "array", "items": {"type": "long"}}, logical.Array(items=logical.Long())),
    ({"items": {"type": "long"}}, logical.Array(items=logical.Long())),
    ({"type": "map"}, logical.Map(keys=logical.String(), values=logical.Json())),
    (
        {"type": "map", "keys": {"type": "date"}, "values": {"type": "long"}},
        logical.Map(keys=logical.Date(), values=logical.Long()),
    ),
    (
        {"fields": {"x": {"type": "long", "required": True, "description": "X"}, "y": {}}},
        logical.Object(
            fields=(
                logical.Field(name="x", type=logical.Long(), required=True, description="X"),
                logical.Field(name="y", type=logical.String()),
            )
        ),
    ),
    ({}, logical.String()),
]


@pytest.mark.parametrize(("field", "kind"), TYPES)
def test_types(field: dict[str, Any], kind: LogicalType) -> None:
    contract = read(document({"a": field}))
    assert contract.column("a").type == kind
    judged = [rule for rule in contract.rules if isinstance(rule, rules.TypeOf)]
    assert bool(judged) == (kind != logical.String())


def test_every_key_of_a_field_means_something() -> None:
    text = {
        "type": "text",
        "required": True,
        "unique": True,
        "pattern": "^a",
        "minLength": 1,
        "maxLength": 9,
        "enum": ["a", "ab"],
        "format": "Email",
        "references": "other.b",
    }
    assert column_rules("a", text) == (
        rules.Required(**at("required")),
        rules.Pattern(**at("pattern"), pattern="^a"),
        rules.MinLength(**at("min_length", "minLength"), limit=1),
        rules.MaxLength(**at("max_length", "maxLength"), limit=9),
        rules.Enum(**at("enum"), values=("a", "ab")),
        rules.Format(**at("format"), format="email"),
        rules.Unique(id="m.a.unique", path=FIELD("a.unique"), columns=("a",)),
        rules.Relationship(
            id="m.a.relationship", path=FIELD("a.references"), columns=("a",), to="other", to_columns=("b",)
        ),
    )
    number = {
        "type": "decimal",
        "scale": 2,
        "minimum": 1,
        "exclusiveMinimum": Decimal("0.5"),
        "maximum": 10,
        "exclusiveMaximum": 11,
        "enum": ["1", "2.50"],
    }
    assert column_rules("a", number) == (
        rules.TypeOf(**at("type")),
        rules.Minimum(**at("minimum"), limit=1),
        rules.Minimum(**at("exclusive_minimum", "exclusiveMinimum"), limit=Decimal("0.5"), exclusive=True),
        rules.Maximum(**at("maximum"), limit=10),
        rules.Maximum(**at("exclusive_maximum", "exclusiveMaximum"), limit=11, exclusive=True),
        rules.Enum(**at("enum"), values=(1, Decimal("2.50"))),
    )


def test_parts_of_a_column_have_rules_of_their_own() -> None:
    line = {"type": "record", "fields": {"sku": {"type": "text", "required": True, "maxLength": 3}}}
    field = {
        "type": "object",
        "fields": {
            "lines": {"type": "array", "items": line},
            "by_day": {
                "type": "map",
                "keys": {"type": "text", "minLength": 2},
                "values": {"type": "long", "minimum": 0},
            },
        },
    }
    sku, by_day = "a.fields.lines.items.fields.sku", "a.fields.by_day"
    assert column_rules("a", field) == (
        rules.TypeOf(**at("type")),
        rules.Required(
            id="m.a.lines.items.sku.required", path=FIELD(f"{sku}.required"), column="a", inner=("lines", "[]", "sku")
        ),
        rules.MaxLength(
            id="m.a.lines.items.sku.max_length",
            path=FIELD(f"{sku}.maxLength"),
            column="a",
            inner=("lines", "[]", "sku"),
            limit=3,
        ),
        rules.MinLength(
            id="m.a.by_day.keys.min_length",
            path=FIELD(f"{by_day}.keys.minLength"),
            column="a",
            inner=("by_day", "{k}"),
            limit=2,
        ),
        rules.Minimum(
            id="m.a.by_day.values.minimum",
            path=FIELD(f"{by_day}.values.minimum"),
            column="a",
            inner=("by_day", "{}"),
            limit=0,
        ),
    )


@pytest.mark.parametrize(
    ("fields", "model", "key", "path"),
    [
        ({"a": {"primary": True}, "b": {}}, {}, ("a",), FIELD("a.primary")),
        ({"a": {"primaryKey": True, "unique": True}, "b": {}}, {}, ("a",), FIELD("a.primaryKey")),
        ({"b": {"primaryKey": True}, "a": {"primaryKey": True}}, {}, ("b", "a"), FIELD("b.primaryKey")),
        ({"a": {}, "b": {"primaryKey": True}}, {"primaryKey": ["b", "a"]}, ("b", "a"), "$.models.m.primaryKey"),
        ({"a": {}, "b": {"required": False}}, {"primaryKey": ["a"]}, ("a",), "$.models.m.primaryKey"),
    ],
)
def test_a_primary_key_is_unique_together(fields: Any, model: Any, key: tuple[str, ...], path: str) -> None:
    found = read(document(fields, model))
    assert found.primary_key == key
    assert [column.name for column in found.columns if column.required] == [name for name in fields if name in key]
    demanded = [rule for rule in found.rules if isinstance(rule, rules.PrimaryKey | rules.Unique | rules.Required)]
    assert demanded[-1] == rules.PrimaryKey(id="m.primary_key", path=path, columns=key)
    assert [rule.id for rule in demanded[:-1]] == [f"m.{name}.required" for name in fields if name in key]
    assert not [entry for entry in found.ledger if entry.status == "unsupported"]


def test_definitions_lend_their_rules_and_their_place() -> None:
    sku = {
        "type": "text",
        "name": "sku",
        "pattern": "^[0-9]+$",
        "title": "SKU",
        "maxLength": 9,
        "classification": "restricted",
    }
    raw = document(
        {"a": {"$ref": "#/definitions/sku", "maxLength": 5}}, definitions={"sku": sku, "idle": {"type": "text"}}
    )
    found = read(raw)
    assert found.columns == (Column(name="a", type=logical.String(), sensitive=True, classification="restricted"),)
    assert [(rule.id, rule.path) for rule in found.rules[5:]] == [
        ("m.a.pattern", "$.definitions.sku.pattern"),
        ("m.a.max_length", FIELD("a.maxLength")),
    ]
    said = fates(found)
    assert said["$.definitions.sku.maxLength"] == ("documentation", "the fields that refer to it say it themselves")
    assert said["$.definitions.idle"] == ("documentation", "no field of `m` refers to it")


def test_what_nobody_checks_of_another_file_is_told_at_the_reference(tmp_path: Path) -> None:
    quality = [{"type": "custom", "engine": "x", "implementation": {}}]
    sku = {"type": "long", "minimum": 1, "pattern": "x", "minLenght": 3, "quality": quality}
    (tmp_path / "sku.json").write_text(json.dumps(sku), "utf-8")
    (tmp_path / "c.json").write_text(json.dumps(document({"a": {"$ref": "sku.json"}})), "utf-8")
    found = reading.read(tmp_path / "c.json", "c.json")
    [entry] = [entry for entry in found.ledger if entry.path == FIELD("a") + '["$ref"]']
    assert entry.status == "unsupported"
    for part in ("`pattern`: patterns are for text", "`minLenght`: Sluis does not know", 'the engine "x"'):
        assert part in entry.note
    assert "m.a.minimum" in [rule.id for rule in found.rules]


def test_a_definition_may_refer_to_another() -> None:
    definitions = {"a": {"type": "text", "$ref": "#/definitions/b"}, "b": {"type": "text", "maxLength": 9}}
    said = fates(read(document({"a": {"$ref": "#/definitions/a"}}, definitions=definitions)))
    assert said['$.definitions.a["$ref"]'] == ("enforced", "what that definition demands is demanded too")
    assert said["$.definitions.b.maxLength"] == ("enforced", "rule m.a.max_length")


def test_what_columns_carry_besides() -> None:
    fields = {
        "a": {"pii": True, "tags": ["x"], "description": "A"},
        "b": {"type": "object", "fields": {"c": {"classification": "secret"}}},
        "d": {"pii": False, "classification": "public"},
    }
    found = read(document(fields, {"additionalFields": True}, tags=["t"]))
    assert [(column.name, column.sensitive) for column in found.columns] == [("a", True), ("b", True), ("d", False)]
    assert (found.column("a").tags, found.column("a").description, found.tags) == (("x",), "A", ("t",))
    assert found.allow_additional_columns
    assert isinstance(found.rules[3], rules.Columns) and found.rules[3].allow_additional
    assert fates(found)["$.models.m.additionalFields"] == ("enforced", "rule m.columns")


def test_quality_of_models_and_fields() -> None:
    model = {"quality": [{"type": "sql", "query": "SELECT COUNT(*) FROM {model}", "mustBeGreaterThanOrEqualTo": 5}]}
    fields = {
        "a": {
            "type": "long",
            "quality": [
                {"type": "library", "metric": "nullValues", "mustBe": 0},
                {
                    "type": "custom",
                    "engine": "soda",
                    "implementation": {"type": "duplicate_percent", "must_be_less_than": 1},
                },
                {"type": "custom", "engine": "monte-carlo", "implementation": "x"},
                {"type": "text", "description": "Nothing to run"},
            ],
        }
    }
    found = read(document(fields, model))
    quality = FIELD("a.quality[{}]").format
    assert [(rule.kind, rule.id, rule.path) for rule in found.rules[6:]] == [
        ("filled", "m.a.null_values", quality(0)),
        ("unique", "m.a.duplicate_values", quality(1) + ".implementation"),
        ("sql", "m.sql", "$.models.m.quality[0]"),
    ]
    assert fates(found)[quality(2)] == ("unsupported", 'Sluis does not run the engine "monte-carlo"')


def test_every_key_of_a_server_is_classified() -> None:
    servers = {"s": {"type": "local", "path": "p", "format": "csv", "x": {"y": 1}}, "t": {"type": "kafka", "roles": []}}
    ledger = {entry.path: (entry.status, entry.note) for entry in read(document({"a": {}}, servers=servers)).ledger}
    elsewhere = "where the producer's data lives; an entity names source and target"
    assert {path: fate for path, fate in ledger.items() if path.startswith("$.servers")} == {
        "$.servers": ("enforced", "by its parts"),
        "$.servers.s": ("enforced", "by its parts"),
        "$.servers.s.type": ("documentation", "the queries of SQL rules are read in its SQL"),
        "$.servers.s.path": ("documentation", elsewhere),
        "$.servers.s.format": ("documentation", "an entity's `format` and `options` say how its files are read"),
        "$.servers.s.x": ("documentation", elsewhere),
        "$.servers.t": ("enforced", "by its parts"),
        "$.servers.t.type": ("documentation", "the queries of SQL rules are read in its SQL"),
        "$.servers.t.roles": ("documentation", ""),
    }


@pytest.mark.parametrize(
    ("servers", "dialect"),
    [
        ({"p": {"type": "local", "path": "x", "format": "csv"}}, "duckdb"),
        ({"p": {"type": "postgres", "host": "h", "port": 1, "database": "d", "schema": "s"}}, "postgres"),
        (
            {
                "p": {"type": "local", "path": "x", "format": "csv"},
                "q": {"type": "databricks", "catalog": "c", "schema": "s"},
            },
            "databricks",
        ),
    ],
)
def test_queries_are_in_the_servers_sql(servers: Any, dialect: str) -> None:
    model = {"quality": [{"type": "sql", "query": 'SELECT COUNT("z") FROM m', "mustBe": 1}]}
    found = read(document({"a": {}}, model, servers=servers)).rules[-1]
    assert isinstance(found, rules.Sql)
    quoted = "'z'" if dialect == "databricks" else "`z`"
    assert found.query == f"SELECT COUNT({quoted}) FROM {{object}} AS `m`"


def test_old_quality_in_files_and_for_other_tools(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "checks.yaml").write_text("checks for m:\n  - duplicate_count(a) = 0\n")
    (tmp_path / "gx.json").write_text(
        '[{"expectation_type": "expect_table_row_count_to_be_between", "kwargs": {"min_value": 1}}]'
    )

    def old(quality: Any) -> Contract:
        return read(document({"a": {}}, dataContractSpecification="0.9.3", quality=quality), tmp_path)

    for reference in ({"$ref": "checks.yaml"}, "$ref: ./checks.yaml"):
        found = old({"type": "SodaCL", "specification": reference})
        assert found.rules[-1].path == '$.quality.specification["checks for m"][0]'
        assert fates(found)["$.quality.specification"] == ("enforced", "rule m.a.duplicate_values")
    for stated in ({"$ref": "../gx.json"}, (tmp_path / "gx.json").read_text()):
        found = old({"type": "great-expectations", "specification": {"m": stated}})
        [rule] = [rule for rule in found.rules if isinstance(rule, rules.Gx)]
        assert (rule.type, rule.kwargs) == ("expect_table_row_count_to_be_between", (("min_value", 1),))
        assert fates(found)["$.quality.specification.m"] == ("enforced", "by its expectations")
    assert fates(old({"type": "montecarlo", "specification": "x"}))["$.quality"][0] == "unsupported"


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ({"metric": "nullValues", "mustBe": 0}, "filled"),
        ({"rule": "duplicateCount", "mustBe": 0}, "unique"),
        ({"type": "library", "rule": "nullValues", "mustBe": 0}, "filled"),
        ({"query": "SELECT count(*) FROM m", "mustBe": 0}, "sql"),
    ],
)
def test_an_item_of_quality_as_another_version_writes_it(tmp_path: Path, item: dict[str, Any], kind: str) -> None:
    found = read(document({"a": {"quality": [item]}}), tmp_path)
    assert found.rules[-1].kind == kind
    assert any(entry.warning for entry in found.ledger if entry.path.startswith(FIELD("a.quality[0]")))


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (document({"a": {"type": "strin"}}), (FIELD("a.type"), 'found text "strin".')),
        (document({"a": {"minLength": "x"}}), (FIELD("a.minLength"), 'found text "x".')),
        (document({"a": {"minLength": "x"}}, dataContractSpecification="0.9.1"), (FIELD("a.minLength"), 'found text "x".')),
        (document({"a": {}}, dataContractSpecification="0.8"), ("$.dataContractSpecification", 'found "0.8", which is no version of the standard that Sluis reads.')),
        (document({"a": {"type": "text", "pattern": "(a"}}), (FIELD("a.pattern"), "`(a`: a `(` has no `)`.")),
        (document({"a": {"type": "long", "enum": ["1", "x"]}}), (FIELD("a.enum[1]"), '`"x"` is not a value of type `long`.')),
        (document({"a": {"type": "decimal", "precision": 39}}), (FIELD("a.precision"), "found 39.")),
        (document({"a": {"type": "decimal", "precision": 2, "scale": 3}}), (FIELD("a.scale"), "found 3.")),
        (document({"a": {}}, {"primaryKey": ["b"]}), ("$.models.m.primaryKey[0]", "`b` is not a field.")),
        (document({"a": {}}, {"primaryKey": ["a", "a"]}), ("$.models.m.primaryKey[1]", "`a` stands twice in it.")),
        (document({"a": {}, "b": {"primaryKey": True}}, {"primaryKey": ["a"]}), (FIELD("b.primaryKey"), "the model's `primaryKey` is `a`, without this field.")),
        (document({"a": {"references": "m.b"}}), (FIELD("a.references"), "`m` has no field `b`.")),
        (document({"o": {"type": "object", "fields": {"a": {}, "A": {}}}}), (FIELD("o.fields.A"), "`A` and `a` differ only in case, which Delta does not distinguish.")),
        (document({"a": {}, "A": {}}), (FIELD("A"), "`A` and `a` differ only in case, which Delta does not distinguish.")),
        (document({}), ("$.models.m", "the model has no fields, so there is nothing to hold data against.")),
        (document({"a": {"quality": [{"type": "sql", "query": "DROP TABLE m", "mustBe": 0}]}}), (FIELD("a.quality[0].query"), "it is no SELECT but DROP.")),
        (document({"a": {"quality": [{"metric": "nulls", "mustBe": 0}]}}), (FIELD("a.quality[0]"), "`type` is missing.")),
        (document({"a": {"$ref": "#"}}), (FIELD("a")+'["$ref"]', "`#` is not defined.")),
        (document({"a": {"$ref": "#/models"}}), (FIELD("a")+'["$ref"]', "`#/models` is not defined.")),
        (document({"a": {}}, quality={"type": "SodaCL", "specification": {"checks for n": []}}), ('$.quality.specification["checks for n"]', "there is no `n`.")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(raw: dict[str, Any], found: tuple[str, str]) -> None:
    assert [problem[:2] for problem in problems(raw)] == [found]


def test_all_problems_come_at_once() -> None:
    raw = document(
        {"a": {"type": "text", "pattern": "("}, "b": {"type": "long", "enum": ["1", "y"], "$ref": "#/definitions/x"}}
    )
    assert [path for path, _, _ in problems(raw)] == [FIELD('b["$ref"]')]
    raw["definitions"] = {"x": {"type": "long"}}
    assert [path for path, _, _ in problems(raw)] == [FIELD("a.pattern"), FIELD("b.enum[1]")]


def test_without_models_there_is_nothing_to_check() -> None:
    raw = {**document({}), "schema": {"type": "dbt", "specification": "x"}, "dataContractSpecification": "0.9.0"}
    del raw["models"]
    with pytest.raises(ContractError) as broken:
        opened(raw)
    [problem] = broken.value.problems
    assert problem.message == "there are no `models`, so there is nothing to hold data against."
    assert problem.hint == "Sluis does not read a `schema` of type `dbt`; describe the data in `models`."


def test_what_later_versions_added_is_clear_in_older_ones() -> None:
    raw = document({"a": {"type": "variant"}}, dataContractSpecification="0.9.3")
    [entry] = [entry for entry in read(raw).ledger if entry.warning]
    assert (entry.path, entry.note) == (
        FIELD("a.type"),
        "not in its version of the standard; read as later ones have it; rule m.a.type",
    )


def test_what_is_off_but_clear_is_read_with_a_warning() -> None:
    raw = document({"a": {"type": "Text", "minLength": "2", "required": "yes", "description": None}}, tags="x, y")
    raw["info"]["version"] = Decimal("1.0")
    found = read(raw)
    assert (found.version, found.tags) == ("1.0", ("x", "y"))
    assert [(rule.kind, rule.path) for rule in found.rules[5:]] == [
        ("required", FIELD("a.required")),
        ("min_length", FIELD("a.minLength")),
    ]
    assert {entry.path: entry.note.partition(";")[0] for entry in found.ledger if entry.warning} == {
        "$.info.version": "read as text",
        FIELD("a.type"): "read as `text`",
        FIELD("a.minLength"): "read as a whole number",
        FIELD("a.required"): "read as true or false",
        FIELD("a.description"): "null counts as not there",
        "$.tags": "read as a list",
    }


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ("bool", logical.Boolean()),
        ("INT64", logical.Long()),
        ("int4", logical.Integer()),
        ("double precision", logical.Double()),
        ("timestamptz", logical.Timestamp()),
        ("jsonb", logical.Json()),
        ("decimal(9,2)", logical.DecimalType(precision=9, scale=2)),
        ("smallint", logical.Short()),
        ("varchar(20)", logical.String()),
        ("array<int>", logical.Array(items=logical.Integer())),
    ],
)
def test_a_type_as_databases_name_it(stated: str, kind: LogicalType) -> None:
    found = read(document({"a": {"type": stated}}))
    assert found.column("a").type == kind
    [entry] = [entry for entry in found.ledger if entry.warning]
    assert entry.path == FIELD("a.type") and entry.note.startswith("read as ")
    longest = [rule.limit for rule in found.rules if isinstance(rule, rules.MaxLength)]
    assert longest == ([20] if stated == "varchar(20)" else [])


@pytest.mark.parametrize("stated", ["uuid", "decimal(40,2)", "strnig"])
def test_a_type_that_no_type_of_the_standard_says(stated: str) -> None:
    [(path, message, _)] = problems(document({"a": {"type": stated}}))
    assert (path, message) == (FIELD("a.type"), f'found text "{stated}".')


def test_an_example_that_is_no_text(tmp_path: Path) -> None:
    found = read(document({"a": {"type": "array", "items": {"type": "text"}, "example": ["x", "y"]}}), tmp_path)
    [entry] = [entry for entry in found.ledger if entry.warning]
    assert (entry.path, entry.status) == (FIELD("a.example"), "documentation")


@pytest.mark.parametrize(("stated", "named"), [("v1.1.0", "1.1.0"), (Decimal("1.2"), "1.2.1"), ("0.9", "0.9.3")])
def test_a_version_as_people_write_it(stated: Any, named: str) -> None:
    found = read(document({"a": {}}, dataContractSpecification=stated))
    [entry] = [entry for entry in found.ledger if entry.warning]
    assert (entry.path, entry.note) == ("$.dataContractSpecification", f"read as `{named}`")


def test_what_demands_nothing_here_is_named() -> None:
    fields = {
        "a": {"type": "long", "pattern": "^1", "minLength": 1, "format": "email"},
        "b": {"type": "text", "minimum": 1, "format": "phone", "const": 5},
        "c": {"type": "array", "enum": ["x"], "items": {"type": "text", "unique": True}},
        "d": {"type": "date", "format": "whatever"},
        "e": {"type": "null", "references": "m"},
    }
    unsupported = [entry.path for entry in read(document(fields)).ledger if entry.status == "unsupported"]
    assert unsupported == [
        FIELD(path)
        for path in (
            "a.pattern", "a.minLength", "a.format", "b.minimum", "b.format", "b.const", "c.enum", "c.items.unique",
            "d.format", "e.type", "e.references",
        )
    ]  # fmt: skip


def test_a_document_says_which_models_it_has() -> None:
    raw = document({"a": {}})
    raw["models"]["n"] = {"fields": {"b": {"references": "m.a"}}}
    assert opened(raw).names == ["m", "n"]
    found = read(raw, model="n")
    assert found.object == "n" and [column.name for column in found.columns] == ["b"]
    assert fates(found)["$.models.m"] == ("documentation", "another model; `#m` names it")


def test_the_same_demands_give_the_same_rules_as_in_odcs() -> None:
    inner = {"type": "object", "fields": {"n": {"type": "long", "minimum": 0, "required": True}}}
    fields = {
        "id": {"type": "long", "primaryKey": True},
        "code": {"type": "string", "required": True, "unique": True, "pattern": "^a", "maxLength": 9, "format": "uuid"},
        "rows": {"type": "array", "items": inner},
        "state": {
            "type": "string",
            "references": "m.code",
            "quality": [{"type": "library", "metric": "nullValues", "mustBe": 0}],
        },
    }
    query = {"type": "sql", "query": "SELECT COUNT(*) FROM {model}", "mustBeGreaterThan": 1}
    soda = {"type": "custom", "engine": "soda", "implementation": "- missing_percent(code) < 5"}
    model = {"additionalFields": True, "quality": [query, soda, {"type": "library", "metric": "rowCount", "mustBe": 3}]}
    properties = [
        {"name": "id", "logicalType": "integer", "primaryKey": True},
        {
            "name": "code",
            "logicalType": "string",
            "required": True,
            "unique": True,
            "logicalTypeOptions": {"pattern": "^a", "maxLength": 9, "format": "uuid"},
        },
        {
            "name": "rows",
            "logicalType": "array",
            "items": {
                "logicalType": "object",
                "properties": [
                    {"name": "n", "logicalType": "integer", "required": True, "logicalTypeOptions": {"minimum": 0}}
                ],
            },
        },
        {
            "name": "state",
            "logicalType": "string",
            "relationships": [{"to": "m.code"}],
            "quality": [{"type": "library", "metric": "nullValues", "mustBe": 0}],
        },
    ]
    quality = [{**query, "query": "SELECT COUNT(*) FROM {object}"}, *model["quality"][1:]]
    other = {
        "apiVersion": "v3.1.0",
        "kind": "DataContract",
        "id": "c",
        "version": "2.0",
        "status": "active",
        "schema": [{"name": "m", "properties": properties, "quality": quality}],
    }
    source = Source(document=other, shown=SHOWN)
    odcs_rules = odcs.Opened(source, Place(file=Path(SHOWN), shown=SHOWN)).read("m").rules

    def bare(found: tuple[Rule, ...]) -> list[Rule]:
        return sorted((replace(rule, path="") for rule in found), key=lambda rule: rule.id)

    assert bare(read(document(fields, model)).rules) == bare(odcs_rules)


RICH = document(
    {
        "a": {"$ref": "#/definitions/d", "primaryKey": True, "enum": ["a"], "config": {"databricksType": "varchar(9)"}},
        "b": {"type": "decimal", "precision": 9, "scale": 2, "minimum": 1, "exclusiveMaximum": 9, "references": "n.x"},
        "c": {"type": "array", "items": {"type": "object", "fields": {"d": {"type": "date", "required": True}}}},
        "e": {"type": "map", "keys": {"type": "text"}, "values": {"type": "long", "maximum": 3}, "pii": True},
    },
    {
        "primaryKey": ["a"],
        "quality": [
            {"type": "sql", "query": "SELECT COUNT(*) FROM {model}", "mustBeBetween": [1, 2]},
            {"type": "library", "metric": "rowCount", "mustBe": 5},
            {"type": "custom", "engine": "soda", "implementation": [{"type": "row_count", "must_be": 1}]},
            {"type": "custom", "engine": "great-expectations", "implementation": {"expectation_type": "x", "kwargs": {}}},
        ],
    },
    definitions={"d": {"type": "text", "format": "uuid", "pattern": "^a", "minLength": 1, "maxLength": 9}},
    servicelevels={"freshness": {"threshold": "25h", "timestampField": "m.c"}, "availability": {"percentage": "99%"}},
    quality={"type": "SodaCL", "specification": {"checks for m": ["row_count > 1", {"invalid_count(a) = 0": {"valid min": 1}}]}},
    servers={"s": {"type": "local", "path": "p", "format": "csv"}},
    tags=["t"],
)  # fmt: skip

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**40), 10**40),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
    st.sampled_from(
        ["", "a", "(", "1", "9%", "#/definitions/d", "x.yaml", "https://e.com/x", "row_count > 5", "$ref: x"]
    ),
    st.sampled_from(
        [[], {}, [None], {"": 1}, {"type": "array"}, {"$ref": "#/models"}, {"fields": {"x": 1}}, ["a", "a"]]
    ),
    st.text(max_size=5),
)


@pytest.mark.parametrize("servers", [False, 7, "s"])
def test_servers_that_are_no_servers_only_inform(servers: Any) -> None:
    told = fates(read(document({"a": {"type": "string"}}, servers=servers)))
    assert told["$.servers"][0] == "documentation"


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the parts of a document stand."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(inner, (*at, key))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_document_is_read_or_refused(data: st.DataObject) -> None:
    raw = copy.deepcopy(RICH)
    raw["dataContractSpecification"] = data.draw(st.sampled_from(dcs_shape.VERSIONS))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, key = data.draw(st.sampled_from(list(places(raw))))
        holder: Any = raw
        for step in way:
            holder = holder[step]
        if isinstance(holder, dict) and data.draw(st.booleans()):
            key = data.draw(st.sampled_from([at[-1] for at in places(RICH) if isinstance(at[-1], str)]))
        # A list that the strategy keeps must not be changed by the next step.
        holder[key] = copy.deepcopy(data.draw(VALUES))
    try:
        document_read = opened(raw)
        for name in document_read.names:
            document_read.read(name)
    except ContractError as refused:
        assert refused.problems
