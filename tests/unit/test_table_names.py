"""Identifiers, literals and column names; no Spark."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sluis.table import unsupported_names
from sluis.table.names import literal, needs_mapping, quote, quote_table
from sluis.table.schema import normal_type


def test_identifiers_are_quoted_part_by_part() -> None:
    assert quote("a`b.c") == "`a``b.c`"
    assert quote_table("main.demo.order lines") == "`main`.`demo`.`order lines`"


@pytest.mark.parametrize(
    ("text", "sql"),
    [("plain", "'plain'"), ("it's", "'it\\'s'"), ("a\\b", "'a\\\\b'"), ("${env:HOME}", "'\\u0024{env:HOME}'")],
)
def test_literals_cannot_end_early_or_be_substituted(text: str, sql: str) -> None:
    assert literal(text) == sql


def test_names_that_no_table_can_carry() -> None:
    assert unsupported_names(["id", "ID", "a b", "", "${x}", "y" * 256, "y" * 255]) == [
        ("ID", "Delta does not tell it from 'id': names are compared without case"),
        ("", "the name is empty"),
        ("${x}", "Spark replaces `${…}` in SQL text, also inside a quoted name"),
        ("y" * 256, "the name has 256 characters; catalogs take 255"),
    ]


@pytest.mark.parametrize("name", ["a b", "a,b", "a;b", "a{b", "a}b", "a(b", "a)b", "a\nb", "a\tb", "a=b"])
def test_these_characters_need_column_mapping(name: str) -> None:
    assert needs_mapping(["id", name])


def test_other_characters_do_not() -> None:
    assert not needs_mapping(["id", "a.b", "a`b", "a'b", 'a"b', "größe", "select", "-"])


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("INT", "int"), ("Integer", "int"), ("long", "bigint"), ("DECIMAL(10, 2)", "decimal(10,2)"),
        ("decimal(10)", "decimal(10,0)"), ("NUMERIC", "decimal(10,0)"), ("varchar(20)", "varchar(20)"),
        ("TIMESTAMP_LTZ", "timestamp"), ("timestamp_ntz", "timestamp_ntz"), ("ARRAY<INT>", "array<int>"),
    ],
)  # fmt: skip
def test_types_have_one_spelling(text: str, normal: str) -> None:
    assert normal_type(text) == normal


def test_importing_the_room_needs_no_pyspark() -> None:
    script = "import sys; sys.modules['pyspark'] = None; from sluis.table import unsupported_names"
    subprocess.run([sys.executable, "-c", script], check=True)
