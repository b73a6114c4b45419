"""Values that a contract hides are in no output: they are planted wherever values can be, and all of it is searched."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from projects import EVIDENCE, Project

from sluis import alerts, table
from sluis.cli import main
from sluis.contract import reading
from sluis.registry.results import results
from sluis.report import terminal
from sluis.report.parse import parse
from sluis.settings import settled

NUMBER = "7770007771"
"""Planted where a query or a type wants a number."""

SECRET = "s3cret"

WORDS = (SECRET.encode(), NUMBER.encode())

TYPES = ("integer", "number", "boolean", "date", "timestamp", "time")


def hidden(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": name, "logicalType": kind, "classification": "restricted", **more}


PART = hidden("part", "integer")
VALID = {"metric": "invalidValues", "arguments": {"validValues": ["a"]}, "mustBe": 0}

COLUMNS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"name": "id", "logicalType": "integer", "required": True, "primaryKey": True}, "1"),
    *((hidden(f"of_{kind}", kind), text) for kind, text in zip(TYPES, ("1", "1.5", "true", "2026-01-01", "2026-01-01T00:00:00", "10:00:00"), strict=True)),
    (hidden("by_pattern", logicalTypeOptions={"pattern": "^a+$"}), "a"),
    (hidden("by_enum", quality=[VALID]), "a"),
    (hidden("by_length", logicalTypeOptions={"maxLength": 3}), "a"),
    (hidden("by_unique", unique=True), "u"),
    ({"name": "by_tag", "logicalType": "integer", "tags": ["pii"]}, "1"),
    ({"name": "by_encryption", "logicalType": "integer", "encryptedName": "x"}, "1"),
    ({"name": "by_custom", "logicalType": "integer", "customProperties": [{"property": "pii", "value": "true"}]}, "1"),
    ({"name": "by_part", "logicalType": "object", "properties": [PART]}, '{"part": 1}'),
    (hidden("by_query"), "0"),
)  # fmt: skip
"""Columns and what they hold in a good row."""

NAMES = [column["name"] for column, _ in COLUMNS]
HEADER, GOOD = ",".join(NAMES), ",".join(text for _, text in COLUMNS)

# As Spark reads names: whatever their case.
QUERY = {"id": "greatest", "type": "sql", "query": "SELECT max(BY_QUERY) FROM {object}", "mustBe": 0}


def row(key: int) -> str:
    """A row in which every column but the key holds what must not be shown."""
    planted = {name: f"s3cret {name}" for name in NAMES}
    planted |= {"id": str(key), "by_part": '{"part": "s3cret part"}', "by_query": NUMBER}
    return ",".join(planted.values())


class Outputs:
    """All that comes out of commands, and of what records are made into."""

    def __init__(self, project: Project, caplog: pytest.LogCaptureFixture) -> None:
        self.project, self.caplog = project, caplog
        self.texts: dict[str, str] = {}
        self.records: list[dict[str, Any]] = []

    def of(self, case: str, *command: str) -> dict[str, Any]:
        """Run a command as a workflow of GitHub would, with all the detail that can be asked for; gives its record."""
        root = self.project.root
        summary, junit = root / "summary.md", root / "junit.xml"
        env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(root)}
        where = ["--project", str(root), "--state", str(self.project.state)]
        with self.caplog.at_level(logging.DEBUG, "sluis"):
            asked = [["--json", "--junit", str(junit)], *([] if self.records else [["--verbose"]])]
            for told in asked if command[0] != "quarantine" else ([],):
                done = CliRunner().invoke(main, ["--debug", *command, *told, *where], env=env)
                self.texts[f"{case} {told[:1]}"] = done.output
                if told[:1] == ["--json"]:
                    self.records.append(json.loads(done.stdout))
        self.texts |= {f"{case} log": self.caplog.text, f"{case} summary": summary.read_text()}
        self.texts[f"{case} junit"] = junit.read_text()
        self.caplog.clear()
        record = EVIDENCE.validate(self.records[-1]) or self.records[-1]
        opened = reading.open_document(root / record["contract"]["path"], record["contract"]["path"])
        contract = opened.read(record["entity"] if len(opened.names) > 1 else None)
        told = results(parse(record), contract, contract_id="goods", server="local")
        self.texts |= {f"{case} registry": json.dumps(told), f"{case} alert": alerts.text(record, None)}
        self.texts[f"{case} terminal"] = terminal.summary(record, every_rule=True)
        return record

    def found(self) -> dict[str, bytes]:
        """Each output in which something stands that was planted, with what is around it."""
        files = [path for path in self.project.state.rglob("*") if path.is_file() and "warehouse" not in path.parts]
        assert len(files) > 20
        texts = {name: text.encode() for name, text in self.texts.items()} | {
            str(path): path.read_bytes() for path in files
        }
        places = {name: [at for word in WORDS if (at := text.find(word)) >= 0] for name, text in texts.items()}
        return {name: texts[name][max(0, at[0] - 200) : at[0] + 80] for name, at in places.items() if at}


@pytest.fixture
def goods(classic: Project) -> Project:
    """The same contract for three entities, and one with a key that is hidden itself."""
    document = {"apiVersion": "v3.0.2", "kind": "DataContract", "id": "goods", "version": "1.0.0", "status": "active"}
    objects = [{"name": "goods", "properties": [column for column, _ in COLUMNS], "quality": [QUERY]}]
    (classic.root / "contracts").mkdir()
    (classic.root / "contracts/goods.json").write_text(json.dumps({**document, "schema": objects}))
    columns = [{"name": "key", "type": "string", "sensitive": True}, {"name": "n", "type": "integer"}]
    people = {"contract_name": "people", "version": "1", "columns": columns, "primary_key": ["key"]}
    (classic.root / "contracts/people.json").write_text(json.dumps(people))
    options = {"quote": "'"}
    classic.entity(options=options)
    classic.entity("headless", options={**options, "header": False})
    classic.entity("lenient", options=options, on_violation="quarantine", target=f"{classic.table}_lenient")
    classic.entity("people", contract="contracts/people.json", target=f"{classic.table}_people", mode="append")
    return classic


def test_no_output_shows_what_the_contract_hides(
    goods: Project, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = Outputs(goods, caplog)

    def land(case: str, entity: str, *lines: str) -> dict[str, Any]:
        goods.land(*lines)
        return outputs.of(case, "run", entity)

    record = land("values", "goods", HEADER, GOOD, row(2), row(3))
    broken = {rule["column"]: rule for rule in record["rules"] if rule["outcome"] == "violated" and rule["column"]}
    assert broken.keys() >= {f"of_{kind}" for kind in TYPES} | {"by_pattern", "by_enum", "by_length", "by_part"}
    assert broken["by_tag"]["examples"] == [{"value": None, "count": 1, "key": {"id": key}} for key in "23"]

    assert land("ragged", "goods", HEADER, GOOD, f"4,s3cret,{NUMBER}")["verdict"] == "REJECTED"
    assert land("first line", "goods", row(2), row(3))["verdict"] == "REJECTED"
    assert land("no header", "headless", row(2))["verdict"] == "REJECTED"
    assert land("more", "goods", f"{HEADER},more", f"{row(2)},s3cret")["verdict"] == "REJECTED"
    (goods.root / "goods.csv").write_bytes(
        f"{HEADER}\n".encode() + row(2).replace("s3cret", "s3cret\xff").encode("latin-1")
    )
    assert outputs.of("bytes", "run", "goods")["verdict"] == "REJECTED"

    assert land("key", "people", "key,n", "s3cret,1", "s3cret,x", ",2")["verdict"] == "REJECTED"
    assert land("key alone", "people", "key,n", "s3cret,1")["verdict"] == "PASSED"
    assert land("key again", "people", "key,n", "s3cret,1", "other,2")["verdict"] == "REJECTED"

    held_back = row(2).replace(NUMBER, "0")
    assert land("quarantine", "lenient", HEADER, GOOD, held_back)["verdict"] == "PASSED_WITH_QUARANTINE"
    outputs.of("listing", "quarantine", "lenient")

    assert land("good", "goods", HEADER, GOOD)["verdict"] == "PASSED", outputs.records[-1]["reasons"]
    values = {"by_pattern": "s3cret", "by_enum": "s3cret", "by_length": "s3cret", "by_query": NUMBER}
    with settled(goods.spark):
        texts = [f"'{values[name]}' AS {name}" if name in values else name for name in NAMES]
        goods.spark.table(goods.table).selectExpr(*texts).write.format("delta").mode("append").saveAsTable(goods.table)
    assert outputs.of("table", "test", "goods")["verdict"] == "REJECTED"
    outputs.of("part of the table", "test", "goods", "--where", "by_enum = 's3cret'")

    fail(monkeypatch, lambda: goods.spark.sql(f"SELECT CAST('{SECRET}' AS INT)").collect())
    record = outputs.of("cast", "run", "goods", "--force")
    assert record["verdict"] == "ERROR"
    fail(monkeypatch, lambda: goods.spark.sql(f"SELECT raise_error('{SECRET}')").collect())
    [reason, _] = outputs.of("in Spark", "run", "goods", "--force")["reasons"]
    assert "USER_RAISED_EXCEPTION" in reason
    fail(monkeypatch, lambda: {}[SECRET])
    assert "KeyError" in outputs.of("in Python", "run", "goods", "--force")["reasons"][0]

    assert outputs.found() == {}


HIDDEN: dict[str, Any] = {"type": "string", "pii": True}
FIELDS = {
    "id": {"type": "integer", "primary": True},
    "customer": {**HIDDEN, "references": "customers.id"},
    "list": {"type": "array", "items": {**HIDDEN, "maxLength": 3}},
    "numbers": {"type": "array", "items": {"type": "integer", "classification": "sensitive"}},
    "map": {"type": "map", "values": {**HIDDEN, "pattern": "^a$"}},
    "record": {"type": "object", "fields": {"name": {**HIDDEN, "enum": ["a"]}, "tagged": {"type": "date", "tags": ["pii"]}}},
    "code": {"type": "string", "classification": "confidential", "unique": True, "format": "uuid"},
    "query": {**HIDDEN, "quality": [{"type": "sql", "query": "SELECT count(1) FROM {model} WHERE {column} > 'b'", "mustBe": 0}]},
}  # fmt: skip
"""Fields of a DCS model, which may hide parts of values too."""

KEPT = {"id": "1", "customer": "c", "list": '["a"]', "numbers": "[1]", "map": '{"k": "a"}', "query": "a"}
KEPT |= {"record": '{"name": "a", "tagged": "2026-01-01"}', "code": "6f1ed002-ab55-4eb2-9d5c-6b1d4f3f8f52"}
PLANTED = {"id": "2", "customer": SECRET, "list": f'["{SECRET}"]', "numbers": f'["{SECRET}"]', "query": SECRET}
PLANTED |= {
    "map": f'{{"{SECRET}": "{SECRET}"}}',
    "record": f'{{"name": "{SECRET}", "tagged": "{SECRET}"}}',
    "code": SECRET,
}


def test_parts_orphans_and_what_only_looks_show_nothing_either(
    classic: Project, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {"orders": {"fields": FIELDS}, "customers": {"fields": {"id": {**HIDDEN, "primary": True}}}}
    head = {"dataContractSpecification": "1.2.1", "id": "goods", "info": {"title": "Goods", "version": "1.0.0"}}
    (classic.root / "contracts").mkdir()
    (classic.root / "contracts/goods.json").write_text(json.dumps({**head, "models": models}))
    open_fields = {name: {"type": field["type"]} for name, field in FIELDS.items()}
    (classic.root / "before.json").write_text(json.dumps({**head, "models": {"orders": {"fields": open_fields}}}))
    options = {"quote": "'"}
    place = f"{classic.root}/customers.csv"
    target = f"{classic.table}_customers"
    classic.entity("customers", contract="contracts/goods.json#customers", source=place, target=target)
    classic.entity("orders", contract="contracts/goods.json#orders", options=options)
    outputs = Outputs(classic, caplog)

    classic.land("id", "c", name="customers.csv")
    assert outputs.of("customers", "run", "customers")["verdict"] == "PASSED"
    lines = [",".join(f"'{values[name]}'" for name in FIELDS) for values in (KEPT, PLANTED, {**PLANTED, "id": "3"})]
    landed = classic.land(",".join(FIELDS), *lines)
    record = outputs.of("orders", "run", "orders")
    broken = {rule["id"].removeprefix("orders.") for rule in record["rules"] if rule["outcome"] == "violated"}
    assert broken >= {
        "customer.relationship", "list.items.max_length", "numbers.type", "map.values.pattern",
        "record.name.enum", "record.type", "code.unique", "code.format",
    }  # fmt: skip

    contracts = [str(classic.root / name) for name in ("before.json", "contracts/goods.json")]
    for told in ([], ["--json"]):
        command = ["diff", *(f"{path}#orders" for path in contracts), "--replay", str(landed), *told]
        done = CliRunner().invoke(main, command)
        assert "code.unique" in done.output
        outputs.texts[f"replay {told}"] = done.output

    import great_expectations as gx

    import sluis.gx  # noqa: F401

    monkeypatch.setenv("SLUIS_STATE", str(classic.state))
    frame = classic.spark.createDataFrame([tuple(PLANTED.values())], ", ".join(f"`{name}` string" for name in PLANTED))
    checkpoint = gx.get_context(context_root_dir=str(classic.root / "gx")).checkpoints.get("orders")
    with caplog.at_level(logging.DEBUG):
        result = checkpoint.run(batch_parameters={"dataframe": frame})
    assert not result.success
    outputs.texts |= {"plain": f"{result.describe()}{result.dict()}", "plain log": caplog.text}
    assert outputs.found() == {}


def fail(monkeypatch: pytest.MonkeyPatch, how: Any) -> None:
    """Let the next write fail in this way, which nothing foresees."""

    def write(*_: Any) -> Sequence[Path]:
        how()
        raise AssertionError

    monkeypatch.setattr(table, "write", write)
