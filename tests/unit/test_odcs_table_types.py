"""What a property's `physicalType` means beside its `logicalType`, and in which database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from odcs_documents import AT, contract, read, said

from sluis.contract.logical import (
    Array,
    DecimalType,
    Double,
    Field,
    Float,
    Integer,
    LogicalType,
    Long,
    Map,
    Object,
    String,
    Timestamp,
)


def held(tmp_path: Path, stated: dict[str, Any], *server_types: str) -> LogicalType:
    servers = [{"server": f"s{index}", "type": kind} for index, kind in enumerate(server_types)]
    [column] = read(tmp_path, contract({"name": "a", **stated}, servers=servers)).columns
    return column.type


BARE = DecimalType(precision=10, scale=0)


@pytest.mark.parametrize(
    ("logical", "physical", "servers", "expected"),
    [
        ("number", "decimal", (), Double()),
        ("number", "DECIMAL", ("postgres",), Double()),
        ("number", "decimal", ("snowflake", "databricks"), Double()),
        ("number", "decimal", ("databricks",), BARE),
        ("number", "dec", ("databricks", "hive"), BARE),
        ("number", "decimal(12,2)", ("postgres",), DecimalType(precision=12, scale=2)),
        ("integer", "decimal", ("oracle",), Long()),
        (None, "decimal", (), Double()),
        ("number", "float", (), Float()),
        ("number", "float", ("databricks",), Float()),
        ("number", "float", ("s3",), Float()),
        ("number", "FLOAT", ("snowflake",), Double()),
        (None, "real", ("sqlserver", "databricks"), Double()),
        ("date", "TIMESTAMP(6) WITH TIME ZONE", ("oracle",), Timestamp()),
    ],
)
def test_what_databases_mean_by_a_name(
    tmp_path: Path, logical: str | None, physical: str, servers: tuple[str, ...], expected: LogicalType
) -> None:
    stated = {"physicalType": physical, **({"logicalType": logical} if logical else {})}
    assert held(tmp_path, stated, *servers) == expected


def test_a_decimal_without_digits_is_told(tmp_path: Path) -> None:
    found = read(tmp_path, contract({"name": "a", "logicalType": "number", "physicalType": "decimal"}))
    assert said(found, f"{AT}.physicalType") == (
        "documentation: databases differ in the digits that it has; read as double"
    )


WHOLE = {"logicalType": "integer"}
OF_INT = {"name": "x", **WHOLE}


ENTRY = {"key": {"logicalType": "string"}, "value": WHOLE}


def struct(kind: LogicalType) -> Object:
    return Object(fields=(Field(name="x", type=kind),))


@pytest.mark.parametrize(
    ("stated", "expected", "status"),
    [
        ({"physicalType": "array<int>", "items": WHOLE}, Array(items=Integer()), "enforced"),
        (
            {"physicalType": "array<int>", "items": {**WHOLE, "physicalType": "bigint"}},
            Array(items=Long()),
            "unsupported",
        ),
        ({"physicalType": "array<date>", "items": WHOLE}, Array(items=Long()), "unsupported"),
        ({"physicalType": "map<string,int>", "map": ENTRY}, Map(keys=String(), values=Integer()), "enforced"),
        ({"physicalType": "struct<x: int>", "properties": [OF_INT]}, struct(Integer()), "enforced"),
        ({"physicalType": "struct<y: int>", "properties": [OF_INT]}, struct(Long()), "unsupported"),
        ({"physicalType": "struct<x: int, y: int>", "properties": [OF_INT]}, struct(Integer()), "unsupported"),
    ],
)
def test_what_the_parts_of_a_value_are(
    tmp_path: Path, stated: dict[str, Any], expected: LogicalType, status: str
) -> None:
    kind = {"items": "array", "map": "map", "properties": "object"}[next(reversed(stated))]
    found = read(tmp_path, contract({"name": "a", "logicalType": kind, **stated}, version="v3.2.0"))
    assert found.columns[0].type == expected
    assert said(found, f"{AT}.physicalType").startswith(status)
