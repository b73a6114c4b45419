"""Rules → expectations: none is lost, ids never move, nothing secret is left unmarked."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sluis.contract import logical, model, native, promises, rules
from sluis.contract.model import Contract
from sluis.contract.rules import Rule
from sluis.errors import ContractError
from sluis.suite import compile as compiling
from sluis.suite.compile import COMPILERS, FILE_ONLY, compiles, fingerprint, gx_id, suites, text

REPO = Path(__file__).parents[2]


def contract(*demands: Rule, **keys: Any) -> Contract:
    columns = (
        model.Column(name="a", type=logical.String()),
        model.Column(name="n", type=logical.Double(), sensitive=True),
        model.Column(name="d", type=logical.Date(format="dd-MM-yyyy")),
        model.Column(name="t", type=logical.Boolean()),
        model.Column(name="j", type=logical.Array(items=logical.Long())),
    )
    given = {
        "name": "c",
        "version": "1",
        "format": "native",
        "object": "c",
        "path": "c.json",
        "fingerprint": "sha256:0",
    }
    return Contract(**{**given, "columns": columns, "rules": demands, **keys})  # type: ignore[arg-type]


def compiled(rule: Rule) -> dict[str, Any]:
    [expectation] = suites(contract(rule), "c")[0]["expectations"]
    return dict(expectation)


def transactions() -> Contract:
    return native.read(REPO / "contracts/transactions.json", "contracts/transactions.json")


def _kinds(base: type[Rule]) -> Iterator[type[Rule]]:
    for kind in base.__subclasses__():
        if kind.__module__ in (rules.__name__, promises.__name__):
            yield from ([kind] if hasattr(kind, "kind") else [])
            yield from _kinds(kind)


def test_every_kind_of_rule_has_a_compiler() -> None:
    assert set(_kinds(Rule)) == set(COMPILERS)
    assert len({kind.kind for kind in COMPILERS}) == len(COMPILERS)


def test_a_kind_without_a_compiler_raises() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Odd(rules.Unique):
        kind = "odd"

    with pytest.raises(NotImplementedError, match=r"no compiler for rules of kind 'odd' \(c\.odd\)"):
        suites(contract(Odd(id="c.odd", path="$", columns=("a",))), "c")


def test_a_kind_has_one_compiler() -> None:
    with pytest.raises(RuntimeError, match="Required has two compilers"):
        compiles(rules.Required)(lambda rule, contract: compiling.Words(demand="", violated=""))


AT = {"id": "c.x", "path": "$.x"}
TYPED = {"column": "n", "logical_type": "double"}
LIST = {"column": "j", "logical_type": "array", "parameters": {"items": {"logical_type": "long"}}}
MANY = rules.Threshold(operator=">", values=(Decimal(10),))
TOLD = {"operator": ">", "values": ["10"]}


@pytest.mark.parametrize(
    ("rule", "kwargs", "demand", "violated"),
    [
        (rules.Header(**AT), {}, "The header of every file can be read without guessing", "The header cannot be read without guessing"),
        (rules.Columns(**AT, names=("a", "n"), allow_additional=False), None, "The columns are a, n and no others", "The columns are not those of the contract"),
        (rules.Columns(**AT, names=("a",), allow_additional=True), None, "The columns are a; others may be there too", "The columns are not those of the contract"),
        (rules.RowCount(**AT, min=1), {"min_rows": 1, "max_rows": None}, "There are at least 1 row", "The number of rows is not at least 1 row"),
        (rules.RowCount(**AT, max=5), {"min_rows": 0, "max_rows": 5}, "There are 0 to 5 rows", "The number of rows is not 0 to 5 rows"),
        (rules.Required(**AT, column="a"), {"column": "a", "logical_type": "string"}, "a is always filled in", "Column a cannot be NULL or empty"),
        (rules.TypeOf(**AT, column="d"), {"column": "d", "logical_type": "date", "format": "dd-MM-yyyy"}, "d is a date written as dd-MM-yyyy", "Invalid date values in column d"),
        (rules.Pattern(**AT, column="a", pattern="^x$"), {"column": "a", "pattern": r"^x\z"}, "a matches the pattern ^x$", "Values in column a do not match the pattern ^x$"),
        (rules.MinLength(**AT, column="a", limit=1), {"column": "a", "limit": 1}, "a has at least 1 character", "Values in column a are shorter than 1 character"),
        (rules.MaxLength(**AT, column="a", limit=2), {"column": "a", "limit": 2}, "a has at most 2 characters", "Values in column a are longer than 2 characters"),
        (rules.Minimum(**AT, column="n", limit=Decimal("0.10")), {**TYPED, "limit": "0.10"}, "n is 0.10 or more", "Values in column n are below 0.10"),
        (rules.Maximum(**AT, column="n", limit=7), {**TYPED, "limit": 7}, "n is 7 or less", "Values in column n are above 7"),
        (rules.Enum(**AT, column="n", values=(1, Decimal("2.5"))), {**TYPED, "values": [1, "2.5"]}, "n is one of 1, 2.5", "Values in column n are not one of 1, 2.5"),
        (rules.Enum(**AT, column="t", values=(True,)), {"column": "t", "logical_type": "boolean", "values": [True]}, "t is one of true", "Values in column t are not one of true"),
        (rules.Unique(**AT, columns=("a", "d")), {"columns": [{"column": "a", "logical_type": "string"}, {"column": "d", "logical_type": "date", "format": "dd-MM-yyyy"}]}, "No two rows share a, d", "Duplicate values found in a, d"),
        (rules.Minimum(**AT, column="n", limit=7, exclusive=True), {**TYPED, "limit": 7, "exclusive": True}, "n is more than 7", "Values in column n are not above 7"),
        (rules.Maximum(**AT, column="n", limit=7, exclusive=True), {**TYPED, "limit": 7, "exclusive": True}, "n is less than 7", "Values in column n are not below 7"),
        (rules.Minimum(**AT, column="j", inner=("[]",), limit=7), {**LIST, "inner": ["[]"], "limit": 7}, "j[] is 7 or more", "Values in column j[] are below 7"),
        (rules.MaxLength(**AT, column="j", inner=("[]",), limit=7), {**LIST, "inner": ["[]"], "limit": 7}, "j[] has at most 7 characters", "Values in column j[] are longer than 7 characters"),
        (rules.MultipleOf(**AT, column="n", divisor=Decimal("0.01")), {**TYPED, "divisor": "0.01"}, "n is a multiple of 0.01", "Values in column n are not multiples of 0.01"),
        (rules.Format(**AT, column="a", format="uuid"), {"column": "a", "form": "uuid"}, "a has the form uuid", "Values in column a do not have the form uuid"),
        (rules.Size(**AT, column="j", max=2), {**LIST, "least": 0, "most": 2}, "j has at most 2 members", "Values in column j do not have at most 2 members"),
        (rules.UniqueItems(**AT, column="j"), LIST, "No two items of j are equal", "Lists in column j hold an item twice"),
        (rules.Filled(**AT, column="n"), TYPED, "n is never NULL", "Column n cannot be NULL"),
        (rules.NotMissing(**AT, column="n", texts=("", "N/A")), {**TYPED, "texts": ["", "N/A"]}, 'n is not NULL or one of "", "N/A"', 'Column n cannot be NULL or one of "", "N/A"'),
        (rules.Valid(**AT, column="n", demands=(rules.Minimum(**AT, column="n", limit=7),)), {**TYPED, "demands": [{**TYPED, "kind": "minimum", "limit": 7}]}, "Where it is there, n is 7 or more", "Invalid values in column n"),
        (rules.RowCountIs(**AT, allowed=MANY), {"allowed": TOLD}, "The number of rows is more than 10", "The number of rows is not more than 10"),
        (rules.Sql(**AT, query="SELECT\n 1", expected=MANY), {"query": "SELECT\n 1", "expected": TOLD}, "The query gives more than 10: SELECT 1", "The query does not give more than 10: SELECT 1"),
        (rules.Gx(**AT, type="expect_x", kwargs=(("column", "a"),)), {"expectation": "expect_x", "arguments": {"column": "a"}}, "The expectation holds: expect_x (column a)", "The expectation does not hold: expect_x (column a)"),
        (rules.Relationship(**AT, columns=("a",), to="others", to_columns=("b",)), {"columns": [{"column": "a", "logical_type": "string"}], "to": "others", "to_columns": ["b"]}, "a, where it is there, is also in others (b)", "Values of a are not in others (b)"),
        (rules.PrimaryKey(**AT, columns=("a",)), {"columns": [{"column": "a", "logical_type": "string"}]}, "a identifies a row: no two rows share it", "Duplicate values found in a"),
    ],
)  # fmt: skip
def test_what_a_rule_compiles_to(rule: Rule, kwargs: dict[str, Any] | None, demand: str, violated: str) -> None:
    expectation = compiled(rule)
    if kwargs is not None:
        assert expectation["kwargs"] == {**kwargs, "rule": "c.x"}
    assert (expectation["description"], expectation["meta"]["message"]) == (demand, violated)
    assert expectation["type"] == f"expect_contract_{rule.kind}"
    assert (expectation["meta"]["kind"], expectation["meta"]["place"]) == (rule.kind, "$.x")


@pytest.mark.parametrize(("ours", "theirs"), [("error", "critical"), ("warning", "warning"), ("info", "info")])
def test_severities(ours: Any, theirs: str) -> None:
    assert compiled(rules.Required(**AT, column="a", severity=ours))["severity"] == theirs


@pytest.mark.parametrize(
    ("operator", "values", "percent", "words"),
    [
        ("<", ["5"], True, "fewer than 5 %"),
        ("<=", ["0.5"], True, "at most 0.5 %"),
        ("!=", ["1E+2"], False, "any number but 100"),
        ("between", ["1", "3"], False, "1 to 3"),
        ("not between", ["1", "3"], True, "fewer than 1 % or more than 3 %"),
    ],
)
def test_how_many_rows_may_break_a_rule_is_told(operator: Any, values: list[str], percent: bool, words: str) -> None:
    allowed = rules.Threshold(operator=operator, values=tuple(map(Decimal, values)), percent=percent)
    expectation = compiled(rules.Required(**AT, column="a", allowed=allowed, title="Filled"))
    assert expectation["description"] == f"Filled: a is always filled in (of the rows, {words} may break this)"
    assert expectation["meta"]["message"] == f"Column a cannot be NULL or empty (of the rows, {words} may break this)"
    told = {"operator": operator, "values": values, **({"percent": True} if percent else {})}
    assert expectation["kwargs"]["allowed"] == told


@pytest.mark.parametrize("operator", ["=", "<="])
def test_a_threshold_that_allows_none_is_none(operator: Any) -> None:
    allowed = rules.Threshold(operator=operator, values=(Decimal("0.0"),), percent=operator == "=")
    assert compiled(rules.Required(**AT, column="a", allowed=allowed)) == compiled(rules.Required(**AT, column="a"))


def test_a_query_on_a_sensitive_column_is_marked() -> None:
    for query, sensitive in (("SELECT max(`n`) FROM {object}", True), ("SELECT max(a) FROM {object}", False)):
        assert compiled(rules.Sql(**AT, query=query, expected=MANY))["meta"]["sensitive"] is sensitive
    gx = rules.Gx(**AT, type="expect_x", kwargs=(("column_list", ["a", "n"]),))
    assert compiled(gx)["meta"]["sensitive"] is True


@pytest.mark.parametrize("path", [("x",), ("[]", "x"), ("{}",), ("[]", "[]")])
def test_a_part_that_the_type_lacks_is_a_fault_of_the_reader(path: tuple[str, ...]) -> None:
    with pytest.raises(KeyError):
        compiled(rules.Required(**AT, column="j", inner=path))


def test_a_divisor_must_be_one() -> None:
    for divisor in (0, -1, Decimal("1e-30")):
        with pytest.raises(ContractError, match=r"c\.json: \$\.x: nothing can be held against a multiple of"):
            compiled(rules.MultipleOf(**AT, column="n", divisor=divisor))
    with pytest.raises(ContractError, match="a multiple of numbers only"):
        compiled(rules.MultipleOf(**AT, column="a", divisor=1))


def test_a_long_enum_is_cut_short_for_people_only() -> None:
    expectation = compiled(rules.Enum(**AT, column="a", values=tuple(str(number) for number in range(50))))
    assert expectation["description"].endswith("18, 19 … (50 in all)")
    assert len(expectation["kwargs"]["values"]) == 50


def test_rules_that_touch_a_sensitive_column_are_marked() -> None:
    demands: list[Rule] = [
        rules.Required(id="1", path="$", column="n"),
        rules.Unique(id="2", path="$", columns=("a", "n")),
        rules.Required(id="3", path="$", column="a"),
        rules.Unique(id="4", path="$", columns=("a", "d")),
        rules.Header(id="5", path="$"),
    ]
    expectations = suites(contract(*demands), "c")[0]["expectations"]
    assert [one["meta"]["sensitive"] for one in expectations] == [True, True, False, False, False]


def test_both_suites_hold_the_same_rules_under_the_same_ids() -> None:
    found = transactions()
    landing, table = suites(found, "transactions")
    assert (landing["name"], table["name"]) == ("transactions", "transactions_table")
    assert landing["id"] != table["id"]
    only_files = [kind.kind for kind in FILE_ONLY]
    columns = next(one for one in table["expectations"] if one["meta"]["kind"] == "columns")
    assert columns["kwargs"].pop("typed") is True
    assert table["expectations"] == [one for one in landing["expectations"] if one["meta"]["kind"] not in only_files]
    assert len(landing["expectations"]) == len(found.rules)
    assert landing["meta"]["contract_fingerprint"] == found.fingerprint


def test_ids_are_uuids_and_distinct() -> None:
    landing, table = suites(transactions(), "transactions")
    ids = [landing["id"], table["id"], *(one["id"] for one in landing["expectations"])]
    assert len(set(ids)) == len(ids)
    assert all(str(uuid.UUID(found)) == found for found in ids)


def test_ids_never_move() -> None:
    assert gx_id("suite", "customers") == "23d5543a-1ce2-597f-a6c4-96f48966be4b"
    assert gx_id("rule", "customers.first_name.required") == "dc79dfc1-0b6c-55a5-94e5-b30beee0d9e2"


def test_a_rule_keeps_its_id_when_others_come_and_go() -> None:
    one, other = rules.Required(id="c.a.required", path="$", column="a"), rules.Header(id="c.header", path="$")
    alone = suites(contract(one), "c")[0]["expectations"][0]
    assert suites(contract(other, one), "c")[0]["expectations"][1] == alone


def test_the_fingerprint_is_that_of_the_file() -> None:
    suite = suites(transactions(), "transactions")[0]
    assert fingerprint(suite) == fingerprint(json.loads(text(suite)))
    assert fingerprint(suite) != fingerprint({**suite, "name": "other"})


def test_compiling_imports_neither_gx_nor_spark() -> None:
    code = "import sys, sluis.suite.compile; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"great_expectations", "pyspark", "pandas", "yaml"} & set(loaded)
