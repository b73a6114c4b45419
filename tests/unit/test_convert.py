"""Contracts written as ODCS 3.2: the official schema accepts them, and they read back as the same rules."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import dcs_keys
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sluis.contract import reading, yaml_text
from sluis.contract.convert import yaml_writer
from sluis.contract.convert.types import _TYPES
from sluis.contract.diff import differ
from sluis.contract.document import json_path
from sluis.contract.logical import LogicalType
from sluis.contract.odcs.shape import schema
from sluis.contract.shape import faults
from sluis.errors import ContractError
from sluis.tools.convert import convert

DATA = Path(__file__).parents[1] / "data"


def written(tmp_path: Path, document: Any, name: str = "c.json") -> str:
    (tmp_path / name).write_text(json.dumps(document), "utf-8")
    return name


def read_back(tmp_path: Path, text: str) -> list[Any]:
    file = tmp_path / "out.odcs.yaml"
    file.write_text(text, "utf-8")
    opened = reading.open_document(file, file.name)
    assert not faults(opened.source.document, schema("3.2.0"))
    return [opened.read(name) for name in opened.names]


NATIVE = {
    "contract_name": "goods",
    "version": "1.0",
    "description": "All goods",
    "owner": "me",
    "columns": [
        {"name": "id", "type": "long", "nullable": False, "minimum": 1, "maximum": 9},
        {"name": "a b", "type": "string", "pattern": "^[a-z]+$", "min_length": 1, "max_length": 3, "enum": ["a", "no"]},
        {"name": "day", "type": "date", "format": "dd/MM/yyyy", "minimum": "2024-01-01"},
        {"name": "at", "type": "timestamp", "sensitive": True},
        {"name": "n", "type": "double", "enum": [1, 2.5]},
        {"name": "i", "type": "integer"},
        {"name": "b", "type": "boolean", "nullable": False, "enum": [True]},
    ],
    "primary_key": ["id", "i"],
    "rules": {"unique": ["id", ["day", "i"]], "row_count": {"min": 2, "max": 9}},
}


def test_native(tmp_path: Path) -> None:
    found = convert(written(tmp_path, NATIVE), tmp_path)
    assert found.lost == ("rule goods.day.i.unique: it is called goods.day_i_unique now",)
    [contract] = read_back(tmp_path, found.text)
    native = reading.read(tmp_path / "c.json", "c.json")
    assert {rule.id for rule in native.rules} - {rule.id for rule in contract.rules} == {"goods.day.i.unique"}
    assert [column.name for column in contract.columns if column.sensitive] == ["at"]
    assert (contract.owner, contract.allow_additional_columns, contract.primary_key) == ("me", False, ("id", "i"))
    assert not [change for change in differ([native], [contract]) if change.kind == "breaking"]


FIELDS: dict[str, Any] = {
    "id": {"type": "string", "required": True, "title": "The id", "example": "x"},
    "u8": {"type": "int", "minimum": 0, "exclusiveMaximum": 256},
    "d": {"type": "decimal", "precision": 9, "scale": 2},
    "f": {"type": "float"},
    "t": {"type": "timestamp_ntz"},
    "b": {"type": "bytes"},
    "v": {"type": "variant"},
    "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}},
    "m": {"type": "map", "keys": {"type": "string"}, "values": {"type": "long"}},
    "o": {
        "type": "object",
        "fields": {"p": {"type": "int", "required": True, "minimum": 1}, "q": {"type": "string", "format": "email"}},
    },
    "other": {"type": "string", "references": "others.id", "pii": True},
}
DCS = {
    "dataContractSpecification": "1.2.1",
    "id": "urn:x:y",
    "info": {"title": "Things", "version": "2.1.0", "owner": "us", "status": "active", "contact": {"name": "n", "email": "a@b.c"}},
    "servers": {"s": {"type": "local", "path": "x.csv", "format": "csv"}, "odd": {"type": "nope"}},
    "terms": {"usage": "freely", "billing": "none"},
    "models": {
        "things": {
            "primaryKey": ["id"],
            "fields": FIELDS,
            "quality": [
                {"type": "sql", "query": "SELECT count(*) FROM things WHERE u8 > 3", "mustBeGreaterThan": 0},
                {"type": "library", "metric": "rowCount", "mustBeBetween": [1, 9], "name": "few"},
            ],
        },
        "others": {"additionalFields": True, "fields": {"id": {"type": "string", "unique": True}}},
    },
    "servicelevels": {
        "freshness": {"threshold": "25h", "timestampField": "things.t"}, "availability": {"percentage": "99.9%"}, "support": {"responseTime": "1h"},
        "backup": {"interval": "weekly", "recoveryTime": "24 hours", "recoveryPoint": "1 week"},
    },
}  # fmt: skip


def test_dcs(tmp_path: Path) -> None:
    found = convert(written(tmp_path, DCS), tmp_path)
    assert [line for line in found.lost if line.startswith("rule")] == []
    contracts = read_back(tmp_path, found.text)
    opened = reading.open_document(tmp_path / "c.json", "c.json")
    assert differ([opened.read(name) for name in opened.names], contracts) == [
        change
        for change in differ([opened.read(name) for name in opened.names], contracts)
        if change.kind == "documentation"
    ]
    document = yaml_text.parse(found.text, "x")[0]
    assert (document["id"], document["status"], document["description"]) == ("urn:x:y", "active", {"usage": "freely"})
    assert [server["server"] for server in document["servers"]] == ["s"]
    assert document["support"] == [{"channel": "n", "url": "mailto:a@b.c"}]
    first = document["schema"][0]["properties"][0]
    assert (first["businessName"], first["examples"]) == ("The id", ["x"])


def test_what_is_not_said_is_listed(tmp_path: Path) -> None:
    found = convert(written(tmp_path, DCS), tmp_path)
    assert set(found.lost) == {"$.servers.odd.type", "$.terms.billing"}


MARK = "Zq7"
FREE_TEXT = [(at, kind) for at, kind, schema in dcs_keys.keys("1.2.1") if dcs_keys.sample("1.2.1", at, schema) == "x"]


@pytest.mark.parametrize(
    ("at", "kind"), FREE_TEXT, ids=lambda value: json_path(value) if isinstance(value, tuple) else value
)
def test_every_text_of_the_dcs_is_said_or_listed(at: tuple[Any, ...], kind: str, tmp_path: Path) -> None:
    file = written(tmp_path, dcs_keys.document("1.2.1", at, kind, MARK))
    try:
        found = convert(file, tmp_path)
    except ContractError:
        return
    is_listed = any(json_path(at).startswith(lost) for lost in found.lost)
    # What hides a part hides the column; definitions are filled in where a field refers to them, here to none.
    is_said = MARK in found.text or (at[-1] == "classification" and "classification: sensitive" in found.text)
    assert is_listed or is_said or at[0] == "definitions"


def test_what_a_field_says_beyond_the_standard_is_listed(tmp_path: Path) -> None:
    inner = {"type": "string", "unique": True, "tags": ["a"], "title": "T"}
    fields = {
        "a": {"type": "string", "isUnique": True, "physicalName": "A", "logicalType": "string", "nullable": False},
        "n": {"type": "null"},
        "o": {"type": "object", "fields": {"x": inner}},
        "l": {"type": "array", "items": {"type": "string", "unique": True}},
    }
    found = convert(written(tmp_path, {**DCS, "models": {"m": {"fields": fields}}, "servicelevels": {}}), tmp_path)
    assert [line for line in found.lost if line.startswith("$.models")] == [
        *(f"$.models.m.fields.a.{key}" for key in ("isUnique", "physicalName", "logicalType")),
        "$.models.m.fields.n.type",
        *(f"$.models.m.fields.o.fields.x.{key}" for key in ("unique", "tags", "title")),
        "$.models.m.fields.l.items.unique",
    ]


def test_tags_and_what_they_hide(tmp_path: Path) -> None:
    field = {"type": "string", "pii": True, "classification": "public", "tags": ["a"]}
    model = {"tags": ["m"], "fields": {"a": field, "b": {**field, "pii": False}, "c": {**field, "tags": ["pii"]}}}
    found = convert(written(tmp_path, {**DCS, "tags": ["x"], "models": {"t": model}, "servicelevels": {}}), tmp_path)
    assert set(found.lost) == {"$.servers.odd.type", "$.terms.billing"}
    [read] = read_back(tmp_path, found.text)
    assert (read.tags, [column.sensitive for column in read.columns]) == (("x", "m"), [True, False, True])


def test_queries_in_the_servers_sql(tmp_path: Path) -> None:
    postgres = {"type": "postgres", "host": "h", "port": 1, "database": "d", "schema": "s"}
    query = {"type": "sql", "query": "SELECT count(*) FROM {model} WHERE {field} = ''", "mustBe": 0}
    fields = {"a": {"type": "string", "quality": [query]}}
    document = {**DCS, "servers": {"s": postgres}, "models": {"t": {"fields": fields}}, "servicelevels": {}}
    found = convert(written(tmp_path, document), tmp_path)
    assert query["query"] in found.text and found.lost == ("$.terms.billing",)


def test_one_object_of_several(tmp_path: Path) -> None:
    found = convert(f"{written(tmp_path, DCS)}#things", tmp_path)
    # The other end of the reference is not in the new document.
    assert "$.models.others" in found.lost
    assert [line for line in found.lost if "relationship" in line] == [
        "rule things.other.relationship: relationship of other: to others; to_columns id"
    ]


def test_odcs_is_odcs(tmp_path: Path) -> None:
    text = convert(written(tmp_path, NATIVE), tmp_path).text
    (tmp_path / "again.yaml").write_text(text, "utf-8")
    with pytest.raises(ContractError, match="this is ODCS 3 already"):
        convert("again.yaml", tmp_path)


@pytest.mark.parametrize("file", sorted((DATA / "contracts").rglob("*.yaml")), ids=lambda file: file.name)
def test_published_contracts(file: Path, tmp_path: Path) -> None:
    try:
        opened = reading.open_document(file, file.name)
        [opened.read(name) for name in opened.names]
    except ContractError:
        return
    if "schema" in opened.source.document:
        return
    found = convert(str(file), tmp_path)
    read_back(tmp_path, found.text)
    assert [line for line in found.lost if line.startswith("rule") and "relationship" not in line] == []


def kinds(base: type) -> set[type]:
    return {each for kind in base.__subclasses__() for each in (kind, *kinds(kind))}


def test_every_type_has_its_keys() -> None:
    assert set(_TYPES) == kinds(LogicalType)


TEXTS = st.text() | st.sampled_from(["no", "1e3", "012", "a: b", "- x", "#c", "a #b", " a", "a ", "", "|", "a\nb", "a\n\nb\n", "\n", "é", "\u2028", "2024-01-01", "null", "~", "=", "<<", "!x", "&a", "*a", "%", "@", "`", "\ufeff", "🐟"])  # fmt: skip
SCALARS = (
    TEXTS | st.integers() | st.booleans() | st.none() | st.decimals(allow_nan=False, allow_infinity=False, places=3)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_what_is_written_reads_back(document: dict[str, Any]) -> None:
    found, _ = yaml_text.parse(yaml_writer.write(document), "x")
    assert found == document


def test_comments_stand_above_what_they_are_about() -> None:
    document = {"a": {"b": [{"c": 1, "d": Decimal("2.50")}, {"c": "x\ny"}]}, "e": ["f", "g"], "h": {"value": True}}
    comments = {(): ["top"], ("a", "b", 0): ["one"], ("a", "b", 1, "c"): ["two\nlines"], ("e",): ["three"]}
    assert yaml_writer.write(document, comments).splitlines() == [
        "# top",
        "a:",
        "  b:",
        "    # one",
        "    - c: 1",
        "      d: 2.50",
        "    # two lines",
        "    - c: |-",
        "        x",
        "        y",
        "# three",
        "e: [f, g]",
        "h: {value: true}",
    ]
    assert yaml_text.parse(yaml_writer.write(document, comments), "x")[0] == document
