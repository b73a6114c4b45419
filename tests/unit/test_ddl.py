"""The SQL of `sluis ddl` as text, for what only Unity Catalog takes; plain Delta's is run in tests/spark."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlglot

from sluis.contract import reading
from sluis.contract.logical import Array, Double, Integer, Long, String
from sluis.contract.model import Column, Contract
from sluis.contract.rules import Enum, Filled, MaxLength, Minimum, MultipleOf, Relationship, Rule, Threshold
from sluis.table import TargetColumn
from sluis.tools.ddl import dialect_of
from sluis.tools.ddl.checks import checks_of, constraint_name
from sluis.tools.ddl.columns import mentions, widens
from sluis.tools.ddl.design import design
from sluis.tools.ddl.existing import Existing
from sluis.tools.ddl.plan import change, make
from sluis.tools.ddl.step import Step, remark, script

ID = Column(name="id", type=Long(), required=True, classification="restricted")
CUSTOMER = Column(name="customer", type=String(), tags=("a.b", "pii"))
OF_CUSTOMER = Relationship(
    id="o.customer.relationship", path="$", columns=("customer",), to="customers", to_columns=("id",)
)


def contract(*rules: Rule, columns: tuple[Column, ...] = (ID, CUSTOMER), **more: Any) -> Contract:
    facts = {"name": "o", "version": "1", "format": "odcs", "path": "o.yaml", "object": "o", "fingerprint": ""}
    return Contract(**{**facts, "columns": columns, "rules": rules, **more})


def statements(steps: Any) -> list[str]:
    return [step.sql.removeprefix("ALTER TABLE `main`.`s`.`o` ") for step in steps if step.sql]


def test_unity_has_keys_and_tags() -> None:
    wanted = contract(OF_CUSTOMER, primary_key=("id",), tags=("gold",))
    create, *more = statements(make(design(wanted, "main.s.o", "unity")))
    assert create.startswith(
        "CREATE TABLE IF NOT EXISTS `main`.`s`.`o` (\n  `id` BIGINT NOT NULL,\n  `customer` STRING,\n  PRIMARY KEY (`id`)\n) USING delta"
    )
    assert more == [
        "DROP CONSTRAINT IF EXISTS `sluis_customer__relationship`",
        "ADD CONSTRAINT `sluis_customer__relationship` FOREIGN KEY (`customer`) REFERENCES `main`.`s`.`customers` (`id`)",
        "SET TAGS ('gold' = '')",
        "ALTER COLUMN `id` SET TAGS ('classification' = 'restricted')",
        "ALTER COLUMN `customer` SET TAGS ('a_b' = '', 'pii' = '')",
    ]


def test_delta_tells_what_it_leaves_out() -> None:
    wanted = design(contract(OF_CUSTOMER, primary_key=("id",), tags=("gold",)), "s.o", "delta")
    assert len(statements(make(wanted))) == 1
    assert wanted.left_out == (
        "primary key (id): only Unity Catalog takes it",
        "foreign key o.customer.relationship: only Unity Catalog takes it",
    )


def test_what_neither_columns_nor_constraints_say_is_told(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(
        """{apiVersion: v3.1.0, kind: DataContract, id: i, version: 1.0.0, status: active, schema: [{name: o, properties: [
        {name: u, logicalType: string, unique: true, required: true, quality: [{metric: duplicateValues, mustBe: 0}]},
        {name: l, logicalType: array, logicalTypeOptions: {minItems: 1}, items: {logicalType: string, required: true}},
        {name: s, logicalType: object, properties: [{name: x, logicalType: string, description: in words}]}],
        quality: [{metric: rowCount, mustBeGreaterThan: 1}]}]}""",
        "utf-8",
    )
    told = design(reading.read(file, "c.yaml"), "s.o", "delta").left_out
    assert [line.partition(":")[0] for line in told] == [
        *("o.u.duplicate_values", "o.l.min_items", "o.l.items.required", "o.u.unique", "o.row_count"),
        "descriptions of what is in s",
    ]


def test_delta_keeps_tags_as_properties() -> None:
    wanted = design(contract(tags=("gold", "eu")), "s.o", "delta")
    assert {key: value for key, value in wanted.target.properties.items() if "tags" in key} == {
        "sluis.tags": "gold, eu",
        "sluis.tags.id": "classification=restricted",
        "sluis.tags.customer": "a_b, pii",
    }
    assert "sluis.tags" not in design(contract(tags=("gold",)), "main.s.o", "unity").target.properties


def test_databricks_parses_every_statement() -> None:
    wanted = design(
        contract(OF_CUSTOMER, primary_key=("id",), tags=("gold",), id="urn:o", owner="it's"), "main.s.o", "unity"
    )
    nothing = Existing(columns=(), properties={"sluis.gone": "x"})
    steps = [*make(wanted), *make(wanted, again=False), *change(wanted, nothing)]
    for sql in statements(steps):
        text = sql if sql.startswith(("CREATE", "COMMENT")) else f"ALTER TABLE `main`.`s`.`o` {sql}"
        # What sqlglot does not know it takes for a command without grammar: tests/spark runs one of the two, and the
        # other is as Databricks documents it.
        known = re.search(r"UNSET TBLPROPERTIES|ALTER COLUMN `\w+` SET TAGS", text) is None
        assert isinstance(sqlglot.parse_one(text, dialect="databricks"), sqlglot.exp.Command) is not known, text


def test_a_person_decides_on_what_readers_rely_on() -> None:
    columns = (TargetColumn(name="id", type="int"), TargetColumn(name="old", type="string", nullable=False))
    wanted = design(contract(primary_key=("id",)), "main.s.o", "unity")
    steps = list(change(wanted, as_is(columns=columns, keys={"pk": "PRIMARY KEY (old)"})))
    assert [step.about.partition(";")[0] for step in steps if step.by_hand] == [
        "column id: INT → BIGINT",
        "column id: NOT NULL (fails while a row holds NULL)",
        "column old (string) is in the table and not in the contract: rows come without it",
        "PRIMARY KEY (old): the contract has another key",
    ]
    assert {step.about for step in make(wanted) if step.privilege} == {"tags of column id", "tags of column customer"}


def test_a_foreign_key_finds_the_table_of_another_entity() -> None:
    wanted = design(contract(OF_CUSTOMER), "main.s.o", "unity", tables={"customers": "other.x.y"})
    assert wanted.foreign_keys["sluis_customer__relationship"].table == "`other`.`x`.`y`"


def as_is(**more: Any) -> Existing:
    columns = (TargetColumn(name="id", type="bigint", nullable=False), TargetColumn(name="customer", type="string"))
    properties = {"sluis.contract": "o", "sluis.contract_version": "1", "sluis.contract_path": "o.yaml"}
    return Existing(**{"columns": columns, "properties": properties, **more})


PLAIN = tuple(replace(column, classification=None, tags=()) for column in (ID, CUSTOMER))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"pk": "PRIMARY KEY (`id`)"}, []),
        ({"pk": "PRIMARY KEY (id)", "sluis_customer__relationship": "FOREIGN KEY (customer) REFERENCES x"}, []),
        ({"pk": "PRIMARY KEY (`id`, `x``y`)"}, ["DROP CONSTRAINT `pk`", "ADD PRIMARY KEY (`id`)"]),
        ({}, ["ADD PRIMARY KEY (`id`)"]),
    ],
)
def test_keys_of_a_table_that_is_there(keys: dict[str, str], expected: list[str]) -> None:
    wanted = design(contract(columns=PLAIN, primary_key=("id",)), "main.s.o", "unity")
    assert statements(change(wanted, as_is(keys=keys))) == expected


def test_unity_sets_not_null() -> None:
    nullable = (TargetColumn(name="id", type="bigint"), TargetColumn(name="customer", type="string"))
    wanted = design(contract(columns=PLAIN), "main.s.o", "unity")
    assert statements(change(wanted, as_is(columns=nullable))) == ["ALTER COLUMN `id` SET NOT NULL"]
    steps = list(change(wanted, as_is(columns=nullable[1:])))
    assert statements(steps) == ["ADD COLUMNS (`id` BIGINT)"]
    assert [step.about for step in steps if step.blocked] == [
        "column id: when every row has a value, run ALTER TABLE `main`.`s`.`o` ALTER COLUMN `id` SET NOT NULL"
    ]


def test_only_rules_about_every_row_become_checks() -> None:
    some = Threshold(operator="<", values=(Decimal(5),), percent=True)
    rules = (
        Minimum(id="o.n.minimum", path="$", column="n", limit=1),
        MaxLength(id="o.n.max_length", path="$", column="n", limit=1, allowed=some),
        MaxLength(id="o.n.advice", path="$", column="n", limit=1, severity="warning"),
        Filled(id="o.l.x", path="$", column="l", inner=("[]",)),
        Filled(id="o.n.none", path="$", column="n", allowed=Threshold(operator="<", values=(Decimal(1),))),
        # Its predicate needs a lambda, which Delta cannot keep.
        MultipleOf(id="o.d.multiple_of", path="$", column="d", divisor=Decimal("0.1")),
        Enum(id="o.s.enum", path="$", column="s", values=("a -> b", "it's")),
    )
    kinds = {"n": Integer(), "d": Double(), "s": String(), "l": Array(items=Integer())}
    columns = tuple(Column(name=name, type=kind) for name, kind in kinds.items())
    checks, unchecked = checks_of(contract(*rules, columns=columns))
    assert list(checks) == ["sluis_n__minimum", "sluis_n__none", "sluis_s__enum"]
    assert checks["sluis_n__minimum"] == "NOT (coalesce(`n` < 1, false))"
    assert unchecked == ["o.n.max_length", "o.n.advice", "o.l.x", "o.d.multiple_of"]


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("o.qty.minimum", "sluis_qty__minimum"),
        ("x.qty.minimum", "sluis_x__qty__minimum"),
        ("o.Qty.minimum", "sluis_qty_minimum_9cf8a7"),
        ("o.größe.minimum", "sluis_gr_e_minimum_2d6d7c"),
        ("o." + "x" * 300, "sluis_" + "x" * 100 + "_2d30d3"),
    ],
)
def test_names_of_constraints(rule: str, name: str) -> None:
    found = constraint_name(Filled(id=rule, path="$", column="c"), contract())
    assert found[:-6] == name[:-6]
    assert found.isascii()


@pytest.mark.parametrize(
    ("before", "after", "can"),
    [
        ("int", "bigint", True),
        ("bigint", "int", False),
        ("int", "int", False),
        ("decimal(10,2)", "decimal(10,2)", False),
        ("bigint", "double", False),
        ("float", "double", True),
        ("int", "decimal(12,2)", True),
        ("int", "decimal(11,2)", False),
        ("bigint", "decimal(20,0)", True),
        ("decimal(10,2)", "decimal(12,4)", True),
        ("decimal(10,2)", "decimal(12,5)", False),
        ("string", "int", False),
    ],
)
def test_widening(before: str, after: str, can: bool) -> None:
    assert widens(before, after) is can


@pytest.mark.parametrize(
    ("condition", "found"),
    [("a > 0", True), ("`A` > 0", True), ("ab > 0", False), ("`a b` > 0", False), ("f(b, a)", True)],
)
def test_a_condition_mentions_a_column(condition: str, found: bool) -> None:
    assert mentions(condition, frozenset({"a"})) is found


@pytest.mark.parametrize("text", ["a\nDROP TABLE x", "a\r\u2028\x85\x0bb", "ends with \\", "\\\\", "a\0b"])
def test_a_remark_stays_one_line(text: str) -> None:
    line = remark(text)
    assert line.startswith("-- ")
    assert len(line.splitlines()) == 1
    assert not line.endswith("\\")


def test_script() -> None:
    steps = [Step(about="x", sql="A"), Step(sql="B"), Step(about="no", blocked=True)]
    assert script(["head"], steps) == "-- head\n\n-- x\nA;\nB;\n\n-- no"


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("main.s.t", "unity"),
        ("spark_catalog.s.t", "delta"),
        ("hive_metastore.s.t", "delta"),
        ("s.t", "delta"),
        ("t", "delta"),
    ],
)
def test_the_dialect_by_the_name(name: str, dialect: str) -> None:
    assert dialect_of(name) == dialect
