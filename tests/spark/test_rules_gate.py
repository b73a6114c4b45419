"""Contracts of the open standards from file to table: what the table holds, and which verdicts rules come to."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from projects import Project, broken

from sluis.report import terminal


class Shop(Project):
    """A project with one ODCS document."""

    def odcs(self, **objects: dict[str, Any]) -> None:
        document = {
            "apiVersion": "v3.1.0", "kind": "DataContract", "id": "shop", "version": "1.0.0", "status": "active",
            "schema": [{"name": name, "logicalType": "object", **stated} for name, stated in objects.items()],
        }  # fmt: skip
        path = self.root / "contracts/shop.odcs.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True))

    def reads(self, name: str, **more: Any) -> None:
        target = f"spark_catalog.{self.schema}.{name}"
        self.entity(
            name, source=f"{self.root}/{name}.csv", target=target, contract=f"contracts/shop.odcs.yaml#{name}", **more
        )

    def held(self, name: str, columns: str = "*") -> list[tuple[Any, ...]]:
        rows = self.spark.table(f"{self.schema}.{name}").selectExpr(columns).collect()
        return sorted((tuple(row) for row in rows), key=repr)


@pytest.fixture
def shop(spark: Any, tmp_path: Path) -> Shop:
    return Shop(root=tmp_path, spark=spark)


ID = {"name": "id", "logicalType": "integer", "required": True, "primaryKey": True, "primaryKeyPosition": 1}


TYPES = [
    ("b", "tinyint", "-128", -128),
    ("s", "smallint", "255", 255),
    ("d", "decimal(20,0)", "18446744073709551615", Decimal(2**64 - 1)),
    ("f", "float", "0.1", pytest.approx(0.1, rel=1e-6)),
    ("n", "timestamp_ntz", "2025-03-30T02:30", datetime.datetime(2025, 3, 30, 2, 30)),
    ("x", "binary", "QQ==", bytearray(b"A")),
    ("t", "time", "09:30", "09:30:00"),
]


def test_every_type_is_written_as_what_it_says(shop: Shop) -> None:
    columns = [{"name": name, "physicalType": physical} for name, physical, *_ in TYPES]
    shop.odcs(goods={"properties": [ID, *columns]})
    shop.reads("goods", mode="merge", merge_key="id")
    shop.land(
        ",".join(["id", *(name for name, *_ in TYPES)]),
        ",".join(["1", *(told for _, _, told, _ in TYPES)]),
        "2" + "," * len(TYPES),
    )
    record = shop.run()
    assert (record["verdict"], record["reasons"]) == ("PASSED", [])
    first, second = shop.held("goods")
    assert first == (1, *(held for *_, held in TYPES))
    assert second == (2, *[None] * len(TYPES))


LINES = {
    "name": "lines",
    "logicalType": "array",
    "items": {
        "logicalType": "object",
        "properties": [
            {"name": "qty", "logicalType": "integer", "required": True, "logicalTypeOptions": {"minimum": 1}},
            {"name": "unit price, net", "logicalType": "number", "physicalType": "decimal(9,2)"},
        ],
    },
}


@pytest.mark.parametrize("mode", ["overwrite", "append", "merge"])
def test_nested_columns_are_written_and_written_again(shop: Shop, mode: str) -> None:
    shop.odcs(orders={"properties": [ID, LINES]})
    shop.reads("orders", mode=mode, **({"merge_key": "id"} if mode == "merge" else {}))
    shop.land(
        "id,lines", '1,"[{""qty"":2,""unit price, net"":1.50},{""qty"":1}]"', "2,", "3,null", "4,[]", name="orders.csv"
    )
    record = shop.run("orders")
    assert (record["verdict"], record["reasons"]) == ("PASSED", [])
    expected = [(1, [(2, Decimal("1.50")), (1, None)]), (2, None), (3, None), (4, [])]
    assert [(key, lines and [tuple(line) for line in lines]) for key, lines in shop.held("orders")] == expected
    shop.land("id,lines", '5,"[{""qty"":7}]"', name="orders.csv")
    assert shop.run("orders")["verdict"] == "PASSED"
    assert shop.held("orders")[-1] == (5, [(7, None)])
    shop.land("id,lines", '6,"[{""qty"":0}]"', '7,"[{""quantity"":1}]"', '8,"[{""qty"":1}"', name="orders.csv")
    record = shop.run("orders")
    assert record["verdict"] == "REJECTED"
    by_kind = {
        rule["kind"]: [str(one["value"]).split(":")[0] for one in rule["examples"]]
        for rule in record["rules"]
        if rule["outcome"] == "violated"
    }
    assert by_kind == {
        "minimum": ["0"],
        "required": ["None"],
        "type": ["[].quantity is not a field of the contract", "it is not JSON, or says a key twice"],
    }
    assert len(shop.held("orders")) == (1 if mode == "overwrite" else 5)


def test_columns_of_new_kinds_are_added_to_a_table(shop: Shop) -> None:
    shop.odcs(goods={"properties": [ID]})
    shop.reads("goods", mode="append")
    shop.land("id", "1")
    assert shop.run()["verdict"] == "PASSED"
    shop.odcs(
        goods={"properties": [ID, LINES, {"name": "at", "logicalType": "timestamp", "physicalType": "timestamp_ntz"}]}
    )
    shop.generate()
    shop.land("id,lines,at", '2,"[{""qty"":2}]",2025-01-01 10:00')
    record = shop.run()
    assert (record["verdict"], record["reasons"]) == ("PASSED", [])
    assert shop.held("goods", "struct(id, at)") == [((1, None),), ((2, datetime.datetime(2025, 1, 1, 10)),)]


def quality(**more: Any) -> dict[str, Any]:
    return {"type": "library", **more}


def query(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "sql", "query": text, **more}


KEPT = {
    "some null": quality(metric="nullValues", mustBeLessThan=50, unit="percent"),
    "some twice": quality(metric="duplicateValues", mustBeLessOrEqualTo=2),
    "two": query("SELECT count(*) FROM {object} WHERE {property} = 'a'", mustBe=2),
    "unique": {"type": "custom", "engine": "greatExpectations", "implementation": {"expectation_type": "expect_column_values_to_be_unique", "kwargs": {"column": "id"}}},
}  # fmt: skip
NOTED = {
    "null": quality(metric="nullValues", mustBe=0, severity="warning"),
    "none": query("SELECT count(*) FROM {object} WHERE x = 'a'", mustBe=0, severity="info"),
}
BROKEN = {
    "few null": quality(metric="nullValues", mustBeLessThan=25, unit="percent"),
    "none": query("SELECT count(*) FROM {object} WHERE {property} = 'a'", mustBe=0),
    "three": {"type": "custom", "engine": "greatExpectations", "implementation": "type: expect_table_row_count_to_be_between\nkwargs:\n  min_value: 1\n  max_value: 3\n"},
}  # fmt: skip


def items(some: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": name.replace(" ", "-"), **item} for name, item in some.items()]


def test_what_quality_comes_to(shop: Shop) -> None:
    x = {"name": "x", "logicalType": "string"}
    shop.odcs(goods={"properties": [ID, {**x, "quality": items(KEPT)}]})
    shop.reads("goods")
    shop.land("id,x", "1,a", "2,a", "3,", "4,b")
    record = shop.run(dry_run=True)
    assert (record["verdict"], broken(record)) == ("PASSED", {})
    shop.odcs(goods={"properties": [ID, {**x, "quality": items(NOTED)}]})
    shop.generate()
    record = shop.run()
    assert (record["verdict"], record["receipt"]["rows_written"]) == ("PASSED_WITH_WARNINGS", 4)
    assert broken(record) == {"x.null": 1, "x.none": 1}
    rows = quality(metric="rowCount", mustBeGreaterThan=4)
    shop.odcs(goods={"properties": [ID, {**x, "quality": items(BROKEN)}], "quality": [rows]})
    shop.generate()
    record = shop.run()
    assert (record["verdict"], record["receipt"]) == ("REJECTED", None)
    assert "Found 4 rows, the contract wants more than 4" in terminal.failure_text(record)
    query_gives = "The query gives 2, the contract wants exactly 0: SELECT COUNT(*) FROM {object} WHERE `x` = 'a'"
    assert sorted(record["reasons"]) == [
        "Column x cannot be NULL (of the rows, fewer than 25 % may break this)",
        "Found 4 rows, the contract wants more than 4",
        query_gives,
        "expect_table_row_count_to_be_between found 4",
    ]


def test_a_query_that_fails_is_an_error_of_the_run(shop: Shop) -> None:
    shop.odcs(goods={"properties": [ID], "quality": [query("SELECT 1 / (count(id) - 1) FROM {object}", mustBe=0)]})
    shop.reads("goods")
    shop.land("id", "1")
    record = shop.run()
    assert (record["verdict"], record["exit_code"], record["receipt"]) == ("ERROR", 3, None)
    assert "[DIVIDE_BY_ZERO]" in record["reasons"][0]
    assert "goods.sql" in record["reasons"][0]
    assert terminal.failure_text(record)[0] == "Run failed:"


def test_a_query_sees_only_rows_that_fit_the_header(shop: Shop) -> None:
    shop.odcs(goods={"properties": [ID], "quality": [query("SELECT count(*) FROM {object}", mustBe=1)]})
    shop.reads("goods")
    shop.land("id", "1", "2,3")
    assert list(broken(shop.run())) == ["row_shape"]


CUSTOMERS = {"properties": [ID]}
ORDERS = {
    "properties": [
        ID,
        {"name": "customer", "logicalType": "integer", "relationships": [{"type": "foreignKey", "to": "customers.id"}]},
        {"name": "parent", "logicalType": "integer", "relationships": [{"type": "foreignKey", "to": "orders.id"}]},
    ]
}


def test_relationships_between_the_tables_of_a_project(shop: Shop) -> None:
    shop.odcs(customers=CUSTOMERS, orders=ORDERS)
    shop.reads("customers")
    shop.reads("orders", mode="append")
    shop.land("id,customer,parent", "1,7,", "2,,1", name="orders.csv")
    record = shop.run("orders")
    outcomes = {
        rule["id"]: (rule["outcome"], rule["note"]) for rule in record["rules"] if rule["kind"] == "relationship"
    }
    assert (record["verdict"], record["exit_code"]) == ("PASSED_WITH_WARNINGS", 0)
    assert outcomes == {
        "orders.customer.relationship": ("not_evaluated", "customers is no table that this project knows, or it is not there yet"),
        "orders.parent.relationship": ("held", None),
    }  # fmt: skip
    shop.land("id", "7", "8", name="customers.csv")
    assert shop.run("customers")["verdict"] == "PASSED"
    shop.land("id,customer,parent", "3,8,1", "4,8,3", name="orders.csv")
    assert shop.run("orders")["verdict"] == "PASSED"
    shop.land("id,customer,parent", "5,9,1", "6,8,99", name="orders.csv")
    record = shop.run("orders")
    assert record["verdict"] == "REJECTED"
    assert record["reasons"] == [
        "Values of customer are not in customers (id)",
        "Values of parent are not in orders (id)",
    ]
    assert len(shop.held("orders")) == 4
