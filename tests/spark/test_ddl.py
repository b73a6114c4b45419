"""The SQL of `sluis ddl`, run on plain Delta."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest
from projects import Project

from sluis.contract import native, reading
from sluis.contract.logical import Array, Field, Integer, Object, String
from sluis.contract.model import Column, Contract
from sluis.settings import settled
from sluis.table import target_of
from sluis.tools.ddl.design import Design, design
from sluis.tools.ddl.existing import Existing, existing
from sluis.tools.ddl.plan import change, make

ID = {"name": "id", "type": "integer", "nullable": False}
ODD_TEXT = "it's\n\\ ; \"-- ${spark.master} /* ü"


def contract(project: Project, *columns: dict[str, Any], **more: Any) -> Contract:
    project.contract(*columns, **more)
    return native.read(project.root / "contracts/goods.json", "contracts/goods.json")


class Bench:
    """A table made and changed by statements alone."""

    def __init__(self, project: Project) -> None:
        self.spark, self.table = project.spark, f"spark_catalog.{project.schema}.goods"
        self.spark.sql(f"CREATE SCHEMA IF NOT EXISTS {project.schema}")

    def design(self, wanted: Contract) -> Design:
        with settled(self.spark):
            return design(wanted, self.table, "delta")

    def make(self, wanted: Contract) -> None:
        for step in make(self.design(wanted)):
            self.spark.sql(step.sql)

    def look(self, wanted: Contract) -> Existing:
        found = existing(self.spark, target_of(wanted, self.table))
        assert found is not None
        return found

    def change(self, wanted: Contract) -> list[str]:
        """Take the table there; what could not be changed."""
        steps = list(change(self.design(wanted), self.look(wanted)))
        for step in steps:
            if step.sql:
                self.spark.sql(step.sql)
        return [step.about for step in steps if step.blocked]

    def left(self, wanted: Contract) -> list[str | None]:
        return [step.sql or step.about for step in change(self.design(wanted), self.look(wanted))]


@pytest.fixture
def bench(classic: Project) -> Bench:
    return Bench(classic)


def option(name: str, kind: str, **options: Any) -> dict[str, Any]:
    return {"name": name, "logicalType": kind, "logicalTypeOptions": options}


def metric(name: str, **more: Any) -> dict[str, Any]:
    return {"metric": name, "mustBe": 0, **more}


PROPERTIES = [
    {
        **option("d", "number", multipleOf=0.5, exclusiveMaximum=100.5),
        "physicalType": "decimal(10,2)",
        "description": ODD_TEXT,
    },
    option("f", "number", format="f32", maximum=1.5),
    option("u", "integer", format="u64"),
    option("n", "timestamp", timezone=False, minimum="2024-01-01T00:00:00"),
    option("z", "timestamp", defaultTimezone="Europe/Amsterdam", minimum="2024-01-01T00:00:00"),
    {**option("t", "time"), "enum": [{"value": "08:00:00"}, {"value": "09:00"}]},
    {**option("s", "string", format="email"), "enum": [{"value": "a'@b.nl"}, {"value": "b\\"}, {"value": "${x}"}]},
    {"name": "m", "logicalType": "string", "quality": [metric("missingValues", arguments={"missingValues": ["-"]})]},
    {"name": "o", "logicalType": "object", "properties": [option("x", "integer", minimum=1)]},
    {"name": "a", "logicalType": "array", "items": {"logicalType": "string"}},
]
NESTED = {"name": "t", "properties": PROPERTIES, "description": ODD_TEXT}
DOCUMENT = {"apiVersion": "v3.2.0", "kind": "DataContract", "id": "t", "version": "1.0", "schema": [NESTED]}
GOOD = (
    "1.5, 0.5, 3, TIMESTAMP_NTZ'2024-02-01 00:00:00', TIMESTAMP'2024-02-01 00:00:00', '08:00:00', "
    "'a\\'@b.nl', 'a', named_struct('x', 1L), array('a')"
)


def test_a_new_table_is_as_the_contract_wants_it(classic: Project, bench: Bench) -> None:
    (classic.root / "t.odcs.json").write_text(json.dumps(DOCUMENT), "utf-8")
    wanted = replace(reading.read(classic.root / "t.odcs.json", "t.odcs.json"), cluster_columns=("d", "u"))
    assert existing(bench.spark, target_of(wanted, bench.table)) is None
    bench.make(wanted)
    assert bench.left(wanted) == []
    found = bench.look(wanted)
    assert (found.comment, found.columns[0].comment, found.cluster_columns) == (ODD_TEXT, ODD_TEXT, ("d", "u"))
    assert found.properties["sluis.contract_version"] == "1.0"
    assert len(found.checks) == 11
    for row in (GOOD, "NULL, " * 7 + "'a', NULL, NULL"):
        bench.spark.sql(f"INSERT INTO {bench.table} VALUES ({row})")


ROWS = [
    ("1, 'a'", None),
    ("NULL, NULL", None),
    ("0, 'a'", "sluis_n__minimum"),
    ("1, 'b'", "sluis_s__enum"),
    ("1, 'a\\n'", "sluis_s__pattern"),
    ("1, 'é😀a'", None),
    ("1, 'é😀ab'", "sluis_s__max_length"),
]


def test_checks_hold_rows_back(classic: Project, bench: Bench) -> None:
    values = ["a", "a\n", "é😀a", "é😀ab"]
    text = {"name": "s", "type": "string", "pattern": "^[aé😀b]+$", "max_length": 3, "enum": values}
    wanted = contract(classic, {"name": "n", "type": "integer", "minimum": 1}, text)
    bench.make(wanted)
    bench.make(wanted)  # once more changes nothing
    for row, constraint in ROWS:
        with pytest.raises(Exception) if constraint else nullcontext() as caught:
            bench.spark.sql(f"INSERT INTO {bench.table} VALUES ({row})")
        if constraint:
            assert constraint in str(getattr(caught.value, "java_exception", caught.value))


ODD_NAMES = ("a.b'\"`c", "größe 価格,;{}()=", "select")


def test_odd_names(classic: Project, bench: Bench) -> None:
    odd = [{"name": name, "type": "string", "max_length": 3, "description": ODD_TEXT} for name in ODD_NAMES]
    bench.make(contract(classic, ID, odd[0]))
    wanted = contract(classic, ID, *odd)
    assert bench.change(wanted) == []
    assert bench.left(wanted) == []
    assert len(bench.look(wanted).checks) == len(odd)


def test_a_table_is_taken_to_another_version(classic: Project, bench: Bench) -> None:
    first = contract(
        classic,
        ID,
        {"name": "n", "type": "integer", "minimum": 1, "maximum": 5},
        {"name": "s", "type": "string", "nullable": False, "description": "old"},
        {"name": "gone", "type": "string"},
        description="old",
    )
    bench.make(first)
    bench.spark.sql(f"INSERT INTO {bench.table} VALUES (1, 2, 'x', NULL)")
    bench.spark.sql(f"ALTER TABLE {bench.table} ADD CONSTRAINT theirs CHECK (id > 0)")
    second = contract(
        classic,
        {**ID, "type": "long"},
        {"name": "n", "type": "double", "minimum": 2},
        {"name": "s", "type": "string"},
        {"name": "a b", "type": "date", "description": "new"},
        version="2.0",
        allow_additional_columns=True,
    )
    theirs = "constraint theirs, which is not of Sluis, has to be dropped first"
    assert bench.change(second) == [f"column id: id INT → id BIGINT; {theirs}"]
    bench.spark.sql(f"ALTER TABLE {bench.table} DROP CONSTRAINT theirs")
    assert bench.change(second) == []
    assert bench.left(second) == []
    found = bench.look(second)
    assert [(column.name, column.type, column.nullable) for column in found.columns] == [
        ("id", "bigint", False),
        ("n", "double", True),
        ("s", "string", True),
        ("gone", "string", True),
        ("a b", "date", True),
    ]
    assert list(found.checks) == ["sluis_n__minimum"]
    assert bench.spark.table(bench.table).collect()[0][:3] == (1, 2.0, "x")


def test_fields_are_added_to_nested_columns(classic: Project, bench: Bench) -> None:
    def nested(*fields: Field) -> Contract:
        kind = Object(
            fields=(Field(name="a", type=Integer()), Field(name="l", type=Array(items=Object(fields=fields))))
        )
        return replace(contract(classic, ID), columns=(Column(name="o", type=kind),), rules=())

    bench.make(nested(Field(name="x", type=Integer())))
    wider = nested(
        *(Field(name=name, type=String()) if name != "x" else Field(name="x", type=Integer()) for name in "wxyz")
    )
    assert bench.change(wider) == []
    assert bench.left(wider) == []
    other = nested(Field(name="x", type=String()))
    assert len(bench.change(other)) == 1


def test_what_no_statement_changes_is_told(classic: Project, bench: Bench) -> None:
    bench.make(
        contract(
            classic, {"name": "id", "type": "long"}, {"name": "Name", "type": "string"}, {"name": "x", "type": "date"}
        )
    )
    wanted = contract(
        classic,
        {**ID, "description": "d"},
        {"name": "name", "type": "string"},
        {"name": "k", "type": "string", "nullable": False},
    )
    wanted = replace(wanted, partition_columns=("name",))
    assert bench.change(wanted) == [
        "column k: NOT NULL in the contract, which plain Delta cannot add to a table that is there",
        "column id: BIGINT in the table, INT in the contract; only writing the table anew changes that",
        "column id: NOT NULL in the contract, which plain Delta cannot add to a table that is there",
        "column Name: the contract writes it name; renaming needs column mapping, which every reader must know",
        "column x (date) is in the table and not in the contract; it is kept, and `sluis run` refuses the table",
        "partitions: none in the table, `name` in the contract; only writing the table anew changes that",
    ]
    assert bench.look(wanted).columns[0].comment == "d"


def test_a_partitioned_table(classic: Project, bench: Bench) -> None:
    wanted = replace(contract(classic, ID, {"name": "a b", "type": "date"}), partition_columns=("a b",))
    bench.make(wanted)
    assert bench.left(wanted) == []
