"""The native contract: what it means, and what is said about one that is wrong."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.contract import logical, model, names, native, rules
from sluis.contract.model import Contract
from sluis.errors import ContractError, Problem

DATA = Path(__file__).parents[1] / "data"
SHOWN = "contracts/c.json"
COLUMN = {"name": "a", "type": "string"}


def contract(*columns: Any, **keys: Any) -> dict[str, Any]:
    return {"contract_name": "c", "version": "1", "columns": list(columns or [COLUMN]), **keys}


def read(tmp_path: Path, document: Any) -> Contract:
    file = tmp_path / "c.json"
    file.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
    return native.read(file, SHOWN)


def problems(tmp_path: Path, document: Any) -> list[tuple[str, str, str, str]]:
    with pytest.raises(ContractError) as broken:
        read(tmp_path, document)
    assert {problem.file for problem in broken.value.problems} == {SHOWN}
    return [(found.path, found.message, found.allowed, found.hint) for found in broken.value.problems]


def only_problem(tmp_path: Path, document: Any) -> tuple[str, str, str, str]:
    [problem] = problems(tmp_path, document)
    return problem


def test_the_missions_contract() -> None:
    found = native.read(DATA / "examples/contracts/customers.json", "contracts/customers.json")
    assert (found.name, found.version, found.owner) == ("customers", "1.0", "Data Engineering")
    assert found.description == "Contract for customer master data"
    assert [column.name for column in found.columns] == ["customer_id", "first_name", "last_name", "country"]
    assert all(column.required for column in found.columns)
    assert found.primary_key == ("customer_id",)
    assert [rule.id for rule in found.rules] == [
        "customers.header",
        "customers.row_shape",
        "customers.encoding",
        "customers.columns",
        "customers.row_count",
        "customers.customer_id.required",
        "customers.first_name.required",
        "customers.last_name.required",
        "customers.country.required",
        "customers.primary_key",
    ]


EVERY_KEY = contract(
    {"name": "id", "type": "long", "nullable": False, "minimum": 1, "maximum": 1e3, "description": "Its number"},
    {"name": "code", "type": "string", "pattern": "^[a-z]+$", "min_length": 1, "max_length": 9, "enum": ["a", "b"]},
    {"name": "day", "type": "date", "format": "dd-MM-yyyy", "minimum": "2020-01-01", "sensitive": True},
    description="All keys",
    owner="We",
    allow_additional_columns=True,
    primary_key=["id", "code"],
    rules={"unique": ["code", ["id", "day"], ["code", "id"]], "row_count": {"min": 0, "max": 5}},
)


def test_every_key_means_something(tmp_path: Path) -> None:
    found = read(tmp_path, EVERY_KEY)
    assert found.columns == (
        model.Column(name="id", type=logical.Long(), required=True, description="Its number"),
        model.Column(name="code", type=logical.String(), required=True),
        model.Column(name="day", type=logical.Date(format="dd-MM-yyyy"), sensitive=True),
    )
    assert found.sensitive == {"day"}
    at = "$.columns[{}].{}".format
    assert found.rules[3:] == (
        rules.Columns(id="c.columns", path="$.columns", names=("id", "code", "day"), allow_additional=True),
        rules.RowCount(id="c.row_count", path="$.rules.row_count", min=0, max=5),
        rules.Required(id="c.id.required", path=at(0, "nullable"), column="id"),
        rules.TypeOf(id="c.id.type", path=at(0, "type"), column="id"),
        rules.Minimum(id="c.id.minimum", path=at(0, "minimum"), column="id", limit=1),
        rules.Maximum(id="c.id.maximum", path=at(0, "maximum"), column="id", limit=1000),
        rules.Required(id="c.code.required", path="$.primary_key", column="code"),
        rules.Pattern(id="c.code.pattern", path=at(1, "pattern"), column="code", pattern="^[a-z]+$"),
        rules.MinLength(id="c.code.min_length", path=at(1, "min_length"), column="code", limit=1),
        rules.MaxLength(id="c.code.max_length", path=at(1, "max_length"), column="code", limit=9),
        rules.Enum(id="c.code.enum", path=at(1, "enum"), column="code", values=("a", "b")),
        rules.TypeOf(id="c.day.type", path=at(2, "type"), column="day"),
        rules.Minimum(id="c.day.minimum", path=at(2, "minimum"), column="day", limit="2020-01-01"),
        rules.PrimaryKey(id="c.primary_key", path="$.primary_key", columns=("id", "code")),
        rules.Unique(id="c.code.unique", path="$.rules.unique[0]", columns=("code",)),
        rules.Unique(id="c.id.day.unique", path="$.rules.unique[1]", columns=("id", "day")),
    )


def test_what_is_not_said_has_a_meaning_too(tmp_path: Path) -> None:
    found = read(tmp_path, contract())
    assert found.columns == (model.Column(name="a", type=logical.String()),)
    assert not found.allow_additional_columns
    assert found.rules[3:] == (
        rules.Columns(id="c.columns", path="$.columns", names=("a",), allow_additional=False),
        rules.RowCount(id="c.row_count", path="$", min=1),
    )


def test_bounds_are_exact(tmp_path: Path) -> None:
    column = b'{"name": "a", "type": "double", "minimum": 0.1000000000000000055, "enum": [1, 2.50]}'
    found = read(tmp_path, b'{"contract_name": "c", "version": "1", "columns": [' + column + b"]}")
    assert [rule.limit for rule in found.rules if isinstance(rule, rules.Minimum)] == [Decimal("0.1000000000000000055")]
    assert [rule.values for rule in found.rules if isinstance(rule, rules.Enum)] == [(1, Decimal("2.50"))]


def test_the_fingerprint_ignores_layout_and_nothing_else(tmp_path: Path) -> None:
    first = read(tmp_path, contract(owner="x")).fingerprint
    shuffled = dict(reversed(contract(owner="x").items()))
    assert read(tmp_path, json.dumps(shuffled, indent=7).encode()).fingerprint == first
    assert read(tmp_path, contract(owner="y")).fingerprint != first


# What became of each key.


def test_the_ledger_says_what_became_of_every_key(tmp_path: Path) -> None:
    assert [(entry.path, entry.status, entry.note) for entry in read(tmp_path, EVERY_KEY).ledger] == [
        ("$.contract_name", "documentation", ""),
        ("$.version", "documentation", ""),
        ("$.columns", "enforced", "rule c.columns"),
        ("$.columns[0].name", "enforced", "rule c.columns"),
        ("$.columns[0].type", "enforced", "rule c.id.type"),
        ("$.columns[0].nullable", "enforced", "rule c.id.required"),
        ("$.columns[0].minimum", "enforced", "rule c.id.minimum"),
        ("$.columns[0].maximum", "enforced", "rule c.id.maximum"),
        ("$.columns[0].description", "documentation", ""),
        ("$.columns[1].name", "enforced", "rule c.columns"),
        ("$.columns[1].type", "enforced", "any text is a string"),
        ("$.columns[1].pattern", "enforced", "rule c.code.pattern"),
        ("$.columns[1].min_length", "enforced", "rule c.code.min_length"),
        ("$.columns[1].max_length", "enforced", "rule c.code.max_length"),
        ("$.columns[1].enum", "enforced", "rule c.code.enum"),
        ("$.columns[2].name", "enforced", "rule c.columns"),
        ("$.columns[2].type", "enforced", "rule c.day.type"),
        ("$.columns[2].format", "enforced", "by the column's type"),
        ("$.columns[2].minimum", "enforced", "rule c.day.minimum"),
        ("$.columns[2].sensitive", "enforced", "its values are never shown"),
        ("$.description", "documentation", ""),
        ("$.owner", "documentation", ""),
        ("$.allow_additional_columns", "enforced", "rule c.columns"),
        ("$.primary_key", "enforced", "rule c.primary_key"),
        ("$.rules", "enforced", "by its parts"),
        ("$.rules.unique", "enforced", "by its parts"),
        ("$.rules.unique[0]", "enforced", "rule c.code.unique"),
        ("$.rules.unique[1]", "enforced", "rule c.id.day.unique"),
        ("$.rules.unique[2]", "enforced", "the same as the primary key"),
        ("$.rules.row_count", "enforced", "rule c.row_count"),
        ("$.rules.row_count.min", "enforced", "rule c.row_count"),
        ("$.rules.row_count.max", "enforced", "rule c.row_count"),
    ]


def test_keys_that_demand_nothing_are_not_called_enforced(tmp_path: Path) -> None:
    columns = [{**COLUMN, "nullable": True, "sensitive": False}, {"name": "b", "type": "string", "nullable": True}]
    found = read(tmp_path, contract(*columns, primary_key=["b"], rules={"unique": []}))
    notes = {entry.path: entry.note for entry in found.ledger if entry.status == "documentation"}
    assert {path: note for path, note in notes.items() if note} == {
        "$.columns[0].nullable": "NULL is allowed",
        "$.columns[0].sensitive": "its values may be shown",
        "$.columns[1].nullable": "the primary key forbids NULL all the same",
        "$.rules.unique": "it is empty",
    }


def _schema_keys(schema: dict[str, Any]) -> Iterator[str]:
    for key, inner in schema.get("properties", {}).items():
        yield key
        yield from _schema_keys(inner)
    yield from _schema_keys(schema["items"]) if "items" in schema else ()


def test_every_key_of_the_schema_has_a_place_in_the_ledger(tmp_path: Path) -> None:
    classified = {entry.path.rpartition(".")[2].partition("[")[0] for entry in read(tmp_path, EVERY_KEY).ledger}
    assert set(_schema_keys(native.SCHEMA)) == classified


# Documents that cannot be read.


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON: Expecting value (line 1, column 1)."),
        (b'{"a": 1,\n }', "is not JSON: Expecting property name enclosed in double quotes (line 2, column 2)."),
        (b'{"a": 1} x', "is not JSON: Extra data (line 1, column 10)."),
        (b"[1]", "holds a list [1] where an object was expected."),
        (b"null", "holds null where an object was expected."),
        (b'"text"', 'holds text "text" where an object was expected.'),
        (b"{\xff}", "is not UTF-8 (byte 1)."),
        ('{"a": 1}'.encode("utf-16"), "is not UTF-8 (byte 0)."),
        (b'{"a": NaN}', "says NaN, which is not JSON."),
        (b'{"a": -Infinity}', "says -Infinity, which is not JSON."),
        (b'{"a": 1e999999999}', "says 1e999999999, which is out of range."),
        (b'{"a": 1e99999999999999999999}', "says 1e99999999999999999999, which is out of range."),
        (b'{"a": 1e-5000}', "says 1e-5000, which is out of range."),
        (b'{"a": ' + b"9" * 5000 + b"}", "says 99999999999999999999…, a number of 5000 digits."),
        (b'{"a": "\\ud800"}', "holds half of a character (`\\ud800`)."),
        (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000, "is nested too deeply."),
        (b'{"x": {"b": 1, "a": 1, "b": 2, "a": 2}}', "says `a`, `b` twice in one object."),
    ],
)
def test_a_file_that_holds_no_document(tmp_path: Path, content: bytes, message: str) -> None:
    assert only_problem(tmp_path, content) == ("$", message, "", "")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for file, reason in [(tmp_path / "none.json", "No such file or directory"), (tmp_path, "Is a directory")]:
        with pytest.raises(ContractError, match=rf"^{SHOWN}: \$: cannot be read \({reason}\)\.$"):
            native.read(file, SHOWN)


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xef\xbb\xbf" + json.dumps(contract()).encode()).name == "c"


def test_an_unknown_key_may_hold_anything(tmp_path: Path) -> None:
    nested = b'{"x": ' * 40 + b"1" + b"}" * 40
    text = json.dumps(contract())[:-1].encode() + b', "deep": ' + nested + b"}"
    assert only_problem(tmp_path, text)[:2] == ("$.deep", "unknown key `deep`.")


# Documents of the wrong shape.

TOP = (
    "`contract_name`, `version`, `description`, `owner`, `allow_additional_columns`, `columns`, `primary_key`, `rules`"
)
KEYS = (
    "`name`, `type`, `nullable`, `description`, `sensitive`, `format`, `pattern`, `min_length`, `max_length`, "
    "`minimum`, `maximum`, `enum`"
)
TYPES = "`string`, `integer`, `long`, `double`, `boolean`, `date`, `timestamp`"


def test_whole_numbers_may_be_written_with_a_fraction(tmp_path: Path) -> None:
    columns = [{"name": "a", "type": "string", "min_length": 1.0, "max_length": 2e0}]
    found = read(tmp_path, contract(columns=columns, rules={"row_count": {"min": 0.0, "max": 9.0}}))
    count = next(rule for rule in found.rules if isinstance(rule, rules.RowCount))
    limits = [rule.limit for rule in found.rules if isinstance(rule, rules.MinLength | rules.MaxLength)]
    assert [(number, type(number)) for number in (*limits, count.min, count.max)] == [(n, int) for n in (1, 2, 0, 9)]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (contract(ownr="x"), ("$.ownr", "unknown key `ownr`.", TOP, "did you mean `owner`?")),
        (contract(xyz="x"), ("$.xyz", "unknown key `xyz`.", TOP, "")),
        (contract(**{"my key": 1}), ('$["my key"]', "unknown key `my key`.", TOP, "")),
        (contract(version=1.0), ("$.version", "found a number 1.0.", "text", "put it in quotes.")),
        (contract(version=None), ("$.version", "found null.", "text", "")),
        (contract(version=""), ("$.version", "it is empty.", "", "")),
        (contract(owner={"a": 1}), ("$.owner", 'found an object {"a": 1}.', "text", "")),
        (
            contract(allow_additional_columns="true"),
            ("$.allow_additional_columns", 'found text "true".', "true or false", "write it without quotes."),
        ),
        (
            contract(primary_key="a"),
            ("$.primary_key", 'found text "a".', "a list", "put it in square brackets."),
        ),
        (contract(primary_key=[1]), ("$.primary_key[0]", "found a number 1.", "text", "put it in quotes.")),
        (contract(rules=[]), ("$.rules", "found a list [].", "an object", "")),
        (
            contract(rules={"uniqe": []}),
            ("$.rules.uniqe", "unknown key `uniqe`.", "`unique`, `row_count`", "did you mean `unique`?"),
        ),
        (
            contract(rules={"unique": [1]}),
            ("$.rules.unique[0]", "found a number 1.", "a column, or a list of columns", ""),
        ),
        (
            contract(rules={"unique": [[]]}),
            ("$.rules.unique[0]", "found a list [].", "a column, or a list of columns", ""),
        ),
        (contract(rules={"row_count": {}}), ("$.rules.row_count", "it is empty.", "", "")),
        (contract(rules={"row_count": {"min": -1}}), ("$.rules.row_count.min", "found a number -1.", "0 or more", "")),
        (
            contract(rules={"row_count": {"max": 1.5}}),
            ("$.rules.row_count.max", "found a number 1.5.", "a whole number", ""),
        ),
        ({"contract_name": "c", "version": "1"}, ("$", "`columns` is missing.", "", "")),
        ({"contract_name": "c", "version": "1", "columns": []}, ("$.columns", "it is empty.", "", "")),
        (contract("a"), ("$.columns[0]", 'found text "a".', "an object", "")),
        (contract({"name": "a"}), ("$.columns[0]", "`type` is missing.", "", "")),
        (contract({**COLUMN, "nulable": True}), ("$.columns[0].nulable", "unknown key `nulable`.", KEYS, "did you mean `nullable`?")),
        (contract({"name": "a", "type": "strng"}), ("$.columns[0].type", 'found text "strng".', TYPES, "did you mean `string`?")),
        (contract({"name": "a", "type": "String"}), ("$.columns[0].type", 'found text "String".', TYPES, "did you mean `string`?")),
        (contract({"name": "a", "type": 5}), ("$.columns[0].type", "found a number 5.", TYPES, "")),
        (contract({"name": "a", "type": ["string"]}), ("$.columns[0].type", 'found a list ["string"].', TYPES, "did you mean `string`?")),
        (contract({**COLUMN, "nullable": "false"}), ("$.columns[0].nullable", 'found text "false".', "true or false", "write it without quotes.")),
        (contract({**COLUMN, "nullable": "no"}), ("$.columns[0].nullable", 'found text "no".', "true or false", "")),
        (contract({**COLUMN, "min_length": "5"}), ("$.columns[0].min_length", 'found text "5".', "a whole number", "write it without quotes.")),
        (contract({**COLUMN, "enum": "a"}), ("$.columns[0].enum", 'found text "a".', "a list", "put it in square brackets.")),
        (contract({**COLUMN, "enum": []}), ("$.columns[0].enum", "it is empty.", "", "")),
        (contract({**COLUMN, "enum": [None]}), ("$.columns[0].enum[0]", "found null.", "text, a number, true or false", "")),
        (contract({**COLUMN, "minimum": True}), ("$.columns[0].minimum", "found a boolean true.", "a number, text", "")),
        (contract({**COLUMN, "description": "x" * 99, "sensitive": "y" * 99}), ("$.columns[0].sensitive", f'found text "{"y" * 56}….', "true or false", "")),
    ],
)  # fmt: skip
def test_shape(tmp_path: Path, document: Any, problem: tuple[str, str, str, str]) -> None:
    assert only_problem(tmp_path, document) == problem


# Documents of the right shape that make no sense.

ROW = "$.columns[0]"
WHOLE = "a whole number of 32 bits"


def typed(kind: str, **keys: Any) -> dict[str, Any]:
    return contract({"name": "a", "type": kind, **keys})


def for_strings(key: str, kind: str, hint: str) -> tuple[str, str, str, str]:
    return f"{ROW}.{key}", f"`{key}` is for columns of type `string`, this one is `{kind}`.", "", hint


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (typed("integer", pattern="a"), for_strings("pattern", "integer", "use `minimum` and `maximum`.")),
        (typed("long", min_length=1), for_strings("min_length", "long", "use `minimum` and `maximum`.")),
        (typed("date", max_length=1), for_strings("max_length", "date", "use `format`.")),
        (typed("boolean", pattern="a"), for_strings("pattern", "boolean", "")),
        (typed("string", minimum="a"), (f"{ROW}.minimum", "`minimum` does not apply to a `string`.", "", "use `enum`, `pattern` or a length.")),
        (typed("boolean", maximum=1), (f"{ROW}.maximum", "`maximum` does not apply to a `boolean`.", "", "use `enum`.")),
        (typed("integer", minimum="1"), (f"{ROW}.minimum", '`"1"` is not a value of type `integer`.', WHOLE, "")),
        (typed("integer", minimum=1.5), (f"{ROW}.minimum", "`1.5` is not a value of type `integer`.", WHOLE, "")),
        (typed("integer", maximum=2**31), (f"{ROW}.maximum", "`2147483648` is not a value of type `integer`.", WHOLE, "")),
        (typed("long", minimum=-(2**63) - 1), (f"{ROW}.minimum", "`-9223372036854775809` is not a value of type `long`.", "a whole number of 64 bits", "")),
        (typed("double", maximum=10**309), (f"{ROW}.maximum", f"`1{'0' * 56}…` is not a value of type `double`.", "a number that a double can hold", "")),
        (typed("integer", enum=[1, "2"]), (f"{ROW}.enum[1]", '`"2"` is not a value of type `integer`.', WHOLE, "")),
        (typed("integer", enum=[True]), (f"{ROW}.enum[0]", "`true` is not a value of type `integer`.", WHOLE, "")),
        (typed("string", enum=[1]), (f"{ROW}.enum[0]", "`1` is not a value of type `string`.", "text", "")),
        (typed("boolean", enum=["true"]), (f"{ROW}.enum[0]", '`"true"` is not a value of type `boolean`.', "true or false", "")),
        (typed("date", minimum=20200101), (f"{ROW}.minimum", "`20200101` is not a value of type `date`.", "a day, as text (yyyy-MM-dd)", "")),
        (typed("date", minimum="2021-02-29"), (f"{ROW}.minimum", '`"2021-02-29"` is not a value of type `date`.', "a day, as text (yyyy-MM-dd)", "")),
        (typed("date", minimum="2021-W01-1"), (f"{ROW}.minimum", '`"2021-W01-1"` is not a value of type `date`.', "a day, as text (yyyy-MM-dd)", "")),
        (typed("timestamp", minimum="2021-01-01"), (f"{ROW}.minimum", '`"2021-01-01"` is not a value of type `timestamp`.', "a moment, as text (yyyy-MM-ddTHH:mm:ssZ)", "")),
        (typed("timestamp", minimum="2021-01-01x00:00"), (f"{ROW}.minimum", '`"2021-01-01x00:00"` is not a value of type `timestamp`.', "a moment, as text (yyyy-MM-ddTHH:mm:ssZ)", "")),
        (typed("timestamp", minimum="0001-01-01T00:00+01:00"), (f"{ROW}.minimum", '`"0001-01-01T00:00+01:00"` is not a value of type `timestamp`.', "a moment, as text (yyyy-MM-ddTHH:mm:ssZ)", "")),
        (typed("integer", minimum=2, maximum=1), (f"{ROW}.maximum", "`maximum` is below `minimum`.", "", "")),
        (typed("double", minimum=0, maximum=-0.5), (f"{ROW}.maximum", "`maximum` is below `minimum`.", "", "")),
        (typed("timestamp", minimum="2020-01-01T00:00", maximum="2020-01-01T00:00+01:00"), (f"{ROW}.maximum", "`maximum` is below `minimum`.", "", "")),
        (typed("string", min_length=2, max_length=1), (f"{ROW}.max_length", "`max_length` is below `min_length`.", "", "")),
        (typed("string", pattern="(?i)a"), (f"{ROW}.pattern", "`(?i)a`: `(?i…` opens no group that ECMA-262 and Java share (flags inside a pattern are not).", "", "")),
        (typed("string", format="email"), (f"{ROW}.format", "`format` is for dates and timestamps, this column is `string`.", "", "")),
        (typed("date", format="yyyy-MM-dd HH"), (f"{ROW}.format", "`yyyy-MM-dd HH`: it has a time of day, which a date would lose; use the type timestamp.", "", "")),
        (contract(primary_key=["b"]), ("$.primary_key", "`b` is not one of the contract's columns.", "`a`", "")),
        (contract(primary_key=["A"]), ("$.primary_key", "`A` is not one of the contract's columns.", "`a`", "did you mean `a`?")),
        (contract(primary_key=["a", "a"]), ("$.primary_key", "`a` stands twice in it.", "", "")),
        (contract(rules={"unique": ["x"]}), ("$.rules.unique[0]", "`x` is not one of the contract's columns.", "`a`", "")),
        (contract(rules={"unique": [["a", "a"]]}), ("$.rules.unique[0]", "`a` stands twice in it.", "", "")),
        (contract(rules={"unique": ["a", ["a"]]}), ("$.rules.unique[1]", "`a` stands in `unique` twice.", "", "")),
        (contract(rules={"row_count": {"min": 2, "max": 1}}), ("$.rules.row_count.max", "`max` is below `min`.", "", "")),
        (contract(rules={"row_count": {"max": 0}}), ("$.rules.row_count.max", "`max` is below `min`.", "", "`min` is 1 unless the contract says otherwise.")),
    ],
)  # fmt: skip
def test_sense(tmp_path: Path, document: Any, problem: tuple[str, str, str, str]) -> None:
    assert only_problem(tmp_path, document) == problem


def test_all_problems_come_at_once_in_the_order_of_the_document(tmp_path: Path) -> None:
    columns = [{"name": f"c{index}", "type": "string"} for index in range(11)]
    columns[2] = {"name": "c2", "type": "strng", "nullable": "no", "min_length": 2, "max_length": 1, "pattern": "("}
    columns[10] = {"name": "C1", "type": "integer", "pattern": "a", "enum": [None, "x", 1], "colour": "red"}
    document = {
        "columns": columns,
        "version": 1,
        "primary_key": [7, "nowhere"],
        "rules": {"unique": [5, "elsewhere"], "row_count": {"min": "1"}},
    }
    assert [problem[:2] for problem in problems(tmp_path, document)] == [
        ("$", "`contract_name` is missing."),
        ("$.columns[2].type", 'found text "strng".'),
        ("$.columns[2].nullable", 'found text "no".'),
        ("$.columns[10].enum[0]", "found null."),
        ("$.columns[10].colour", "unknown key `colour`."),
        ("$.version", "found a number 1."),
        ("$.primary_key[0]", "found a number 7."),
        ("$.rules.unique[0]", "found a number 5."),
        ("$.rules.row_count.min", 'found text "1".'),
        ("$.columns[10].name", "`C1` and `c1` differ only in case, which Delta does not distinguish."),
        ("$.columns[2].max_length", "`max_length` is below `min_length`."),
        ("$.columns[2].pattern", "`(`: a `(` has no `)`."),
        ("$.columns[10].pattern", "`pattern` is for columns of type `string`, this one is `integer`."),
        ("$.columns[10].enum[1]", '`"x"` is not a value of type `integer`.'),
        ("$.primary_key", "`nowhere` is not one of the contract's columns."),
        ("$.rules.unique[1]", "`elsewhere` is not one of the contract's columns."),
    ]


def test_a_problem_does_not_bring_others_with_it(tmp_path: Path) -> None:
    document = contract({"nam": "b", "type": "string"}, primary_key=["b"])
    assert [problem[1] for problem in problems(tmp_path, document)] == ["`name` is missing.", "unknown key `nam`."]


def test_a_problem_reads_as_one_line() -> None:
    problem = Problem(file="f", path="$.a", message="found x.", allowed="`y`", hint="did you mean `y`?")
    assert str(problem) == "f: $.a: found x. Allowed: `y`. Hint: did you mean `y`?"


# Names.


@pytest.mark.parametrize(
    "name",
    [
        *("first name", "a.b.c", "`quoted`", "it's", '"', "select", "SELECT", "*", "a;b", "a,b", "{}", "a\\b", "a=b"),
        *("año", "名前", "имя", "😀", "e\u0301", "1", "-", "--", "value", "count", "type", "row_count", "x" * 200),
        *("sluis", "_sluis", "__value_0", "metadata", "$a", "#", "null", "%s", "{name}", "<b>"),
    ],
)
def test_names_that_a_column_may_have(tmp_path: Path, name: str) -> None:
    column = {"name": name, "type": "integer", "nullable": False, "minimum": 0}
    found = read(tmp_path, contract(column, primary_key=[name], rules={"unique": [name]}))
    assert found.columns[0].name == name
    assert found.primary_key == (name,)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (" ", "a column needs a name."),
        (" a", "` a` starts or ends with a space, which a header cannot show."),
        ("a\u00a0", "`a\u00a0` starts or ends with a space, which a header cannot show."),
        ("a\nb", "'a\\nb' holds a character that cannot be seen."),
        ("a\tb", "'a\\tb' holds a character that cannot be seen."),
        ("a\x00b", "'a\\x00b' holds a character that cannot be seen."),
        ("a\x7fb", "'a\\x7fb' holds a character that cannot be seen."),
        ("a\x85b", "'a\\x85b' holds a character that cannot be seen."),
        ("a\u2028b", "'a\\u2028b' holds a character that cannot be seen."),
        ("\ufeffa", "'\\ufeffa' holds a character that cannot be seen."),
        ("__sluis_corrupt_record", "`__sluis_corrupt_record` starts with `__sluis`, which Sluis keeps for itself."),
        ("__SLUIS", "`__SLUIS` starts with `__sluis`, which Sluis keeps for itself."),
        ("_Metadata", "`_Metadata` is the column by which Spark tells the file of a row."),
        ("x" * 256, "the name has 256 characters; catalogs take 255."),
    ],
)
def test_names_that_a_column_may_not_have(tmp_path: Path, name: str, reason: str) -> None:
    assert only_problem(tmp_path, contract({"name": name, "type": "string"})) == (f"{ROW}.name", reason, "", "")


def test_names_that_are_taken(tmp_path: Path) -> None:
    columns = [{"name": name, "type": "string"} for name in ("a", "b", "A", "b")]
    assert [problem[:2] for problem in problems(tmp_path, contract(*columns))] == [
        ("$.columns[2].name", "`A` and `a` differ only in case, which Delta does not distinguish."),
        ("$.columns[3].name", "`b` stands here a second time."),
    ]


PARTS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=3)


@given(PARTS, PARTS)
def test_ids_are_readable_and_distinct(one: list[str], other: list[str]) -> None:
    first, second = names.safe(*one), names.safe(*other)
    assert re.fullmatch(r"[\w-]+(\.[\w-]+)*", first)
    assert len(first.split(".")) == len(one)
    assert (first == second) == (one == other)


@given(st.text(min_size=1, max_size=400))
def test_a_part_of_an_id_fits_into_the_name_of_a_file(part: str) -> None:
    assert len(names.safe(part).encode()) <= 100


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PLACES: list[tuple[str | int, ...]] = [
    *(("contract_name",), ("version",), ("columns",), ("columns", 0), ("primary_key",), ("rules",)),
    *(("rules", "unique"), ("rules", "row_count")),
    *(("columns", 0, key) for key in ("name", "type", "enum", "minimum", "maximum", "pattern", "format")),
]


@given(JSON, st.sampled_from(PLACES))
def test_any_json_is_read_or_refused_with_reasons(value: Any, place: tuple[str | int, ...]) -> None:
    *way, last = place
    document: Any = json.loads(json.dumps(EVERY_KEY))
    holder = document
    for step in way:
        holder = holder[step]
    holder[last] = value
    with tempfile.TemporaryDirectory() as folder:
        try:
            read(Path(folder), document)
        except ContractError as refused:
            assert refused.problems
