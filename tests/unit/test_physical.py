"""Types as databases write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.contract import physical
from sluis.contract.logical import (
    Array,
    Boolean,
    Byte,
    Date,
    DecimalType,
    Double,
    Field,
    Float,
    Integer,
    LogicalType,
    Long,
    Map,
    Object,
    Short,
    String,
    Time,
    Timestamp,
    TimestampNtz,
)

PLAIN: dict[str, LogicalType] = {
    "int": Integer(),
    "INTEGER": Integer(),
    " bigint ": Long(),
    "int(11)": Integer(),
    "int unsigned": Long(),
    "tinyint unsigned": Short(),
    "bigint unsigned": DecimalType(precision=20, scale=0),
    "double unsigned": Double(),
    "int(11) signed": Integer(),
    "tinyint": Byte(),
    "int2": Short(),
    "double  precision": Double(),
    "float": Float(),
    "decimal": DecimalType(precision=10, scale=0),
    "decimal(5)": DecimalType(precision=5, scale=0),
    "NUMERIC( 10 , 2 )": DecimalType(precision=10, scale=2),
    "number(38,0)": DecimalType(precision=38, scale=0),
    "bool": Boolean(),
    "date": Date(),
    "timestamp(6)": Timestamp(),
    "timestamp without time zone": TimestampNtz(),
    "timestamptz": Timestamp(),
    "TIMESTAMP(6) WITH TIME ZONE": Timestamp(),
    "timestamp (3) without time zone": TimestampNtz(),
    "time(3) without time zone": Time(),
    "time": Time(),
    "text": String(),
    "uuid": String(),
    "array<int>": Array(items=Integer()),
    "ARRAY<STRUCT<a: INT, `b``c`: map<string,decimal(4,1)>>>": Array(
        items=Object(
            fields=(
                Field(name="a", type=Integer()),
                Field(name="b`c", type=Map(keys=String(), values=DecimalType(precision=4, scale=1))),
            )
        )
    ),
}
UNKNOWN = [
    *("", "geometry", "name", "number", "numeric_x", "9", "varchar[50]", "decimal(39,1)", "decimal(5,6)", "decimal(0,0)"),
    *("array<", "array<>", "array<geometry>", "map<int>", "struct<>", "struct<a>", "struct<a:int,A:int>", "int; drop table x"),
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_types(text: str) -> None:
    found = physical.parse(text)
    assert found is not None
    assert found.kind == PLAIN[text]


@pytest.mark.parametrize("text", UNKNOWN)
def test_names_that_mean_nothing_here(text: str) -> None:
    assert physical.parse(text) is None


@pytest.mark.parametrize(("text", "longest"), [("varchar(18)", 18), ("CHAR(2)", 2), ("varchar2(9 char)", 9), ("string", None), ("text(9)", None)])  # fmt: skip
def test_lengths(text: str, longest: int | None) -> None:
    found = physical.parse(text)
    assert found is not None
    assert (found.kind, found.longest) == (String(), longest)


def test_which_names_are_sparks() -> None:
    assert {name for name in ("int", "int4", "string", "text", "timestamp", "datetime", "varchar(3)") if physical.parse(name).is_spark} == {"int", "string", "timestamp", "varchar(3)"}  # type: ignore[union-attr] # fmt: skip


@given(st.text(alphabet="abint<>:,()` 0123", max_size=40))
def test_any_text_is_a_type_or_none(text: str) -> None:
    physical.parse(text)
