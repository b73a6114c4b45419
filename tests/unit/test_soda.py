"""SodaCL → rules: in objects and in text, with options and alerts; and what is named as not read."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sluis.contract import rules
from sluis.contract.logical import Double, Long, String
from sluis.contract.notes import Notes
from sluis.contract.quality import soda
from sluis.contract.quality.scope import Item, Scope
from sluis.contract.rules import Operator, Rule, Threshold
from sluis.contract.source import Source

TYPES = {"sku": String(), "qty": Long(), "Price": Double()}
SCOPE = Scope(id=("t",), object="t", columns={"sku": "sku", "qty": "qty", "price": "Price"}, types=TYPES)
ROOT = "$.checks"


def read(said: Any, scope: Scope = SCOPE) -> tuple[list[Rule], Notes]:
    notes = Notes(Source(document={"checks": said}, shown="c.yaml"))
    item = Item(raw={}, at=("checks",), scope=scope, severity="error", notes=notes)
    return list(soda.rules(said, item, ["other"])), notes


def one(check: Any) -> Rule:
    found, notes = read([check])
    assert not notes.problems
    [rule] = found
    return rule


def refused(check: Any) -> str:
    found, notes = read([check])
    assert not found and not notes.problems
    [note] = [entry.note for entry in notes.entries([]) if entry.status == "unsupported"]
    return note


def must_be(operator: Operator, *values: int, percent: bool = False) -> Threshold:
    return Threshold(operator=operator, values=tuple(Decimal(value) for value in values), percent=percent)


NONE = must_be("=", 0)
FEW = must_be("<", 1, percent=True)


def at(kind: str, check: str = "", *columns: str) -> dict[str, str]:
    path = f"{ROOT}[0]" + (f'["{check}"]' if check else "")
    return {"id": ".".join(["t", *columns, kind]), "path": path}


def test_checks_without_options() -> None:
    assert one("row_count > 1000") == rules.RowCountIs(**at("row_count"), allowed=must_be(">", 1000))
    assert one("missing_count(price) = 0") == rules.Filled(
        **at("null_values", "", "price"), column="Price", allowed=NONE
    )
    assert one("duplicate_percent(sku) < 1 %") == rules.Unique(
        **at("duplicate_values", "", "sku"), columns=("sku",), allowed=FEW
    )
    assert one("duplicate_count(sku, price) = 0") == rules.Unique(
        **at("duplicate_values"), columns=("sku", "Price"), allowed=NONE
    )
    assert one("values in (sku, qty) must exist in u (a, b)") == rules.Relationship(
        **at("relationship"), columns=("sku", "qty"), to="u", to_columns=("a", "b")
    )


def test_what_is_missing() -> None:
    check = "missing_percent(sku) < 1"
    assert one({check: {"missing values": ["n/a", 0, False]}}) == rules.NotMissing(
        **at("missing_values", check, "sku"), column="sku", allowed=FEW, texts=("n/a", "0", "false")
    )


@pytest.mark.parametrize(
    ("column", "options", "demands"),
    [
        ("sku", {"valid values": ["a", 1]}, [(rules.Enum, {"values": ("a", "1")})]),
        ("qty", {"valid values": ["1", 2]}, [(rules.Enum, {"values": (1, 2)})]),
        ("sku", {"valid regex": "^a$"}, [(rules.Pattern, {"pattern": "^a$"})]),
        ("sku", {"valid format": "uuid"}, [(rules.Format, {"format": "uuid"})]),
        ("sku", {"valid length": 3}, [(rules.MinLength, {"limit": 3}), (rules.MaxLength, {"limit": 3})]),
        (
            "price",
            {"valid max": Decimal("9.5"), "valid min": 1},
            [(rules.Minimum, {"limit": 1}), (rules.Maximum, {"limit": Decimal("9.5")})],
        ),
    ],
)
def test_what_is_valid(column: str, options: Any, demands: list[tuple[Any, Any]]) -> None:
    check = f"invalid_count({column}) = 0"
    place: Any = {**at("invalid_values", check, column), "column": SCOPE.columns[column]}
    assert one({check: options}) == rules.Valid(
        **place, allowed=NONE, demands=tuple(demand(**place, **fields) for demand, fields in demands)
    )


def test_alerts_and_names() -> None:
    found, _ = read([{"row_count": {"warn": "when < 10", "fail": "when = 0", "name": "Enough rows"}}])
    place = {"path": f"{ROOT}[0].row_count", "title": "Enough rows"}
    assert found == [
        rules.RowCountIs(id="t.Enough_rows-643728", **place, allowed=must_be("!=", 0)),
        rules.RowCountIs(id="t.Enough_rows-643728_2", **place, severity="warning", allowed=must_be(">=", 10)),
    ]


@pytest.mark.parametrize(
    ("check", "why"),
    [
        ("freshness(sku) < 24h", "how fresh rows are is a service level; state it in `servicelevels`"),
        ("avg(qty) > 1", "Sluis does not read the metric `avg`"),
        ("anomaly score for row_count < default", "this is not a check that Sluis reads"),
        ("row_count", "it has no threshold"),
        ("row_count(sku) > 1", "`row_count` takes no column"),
        ("missing_count(sku, qty) = 0", "`missing_count` takes one column"),
        ("duplicate_count = 0", "it names no column"),
        ("invalid_count(sku) = 0", "it does not say what is valid"),
        ({"row_count > 1": {"filter": "qty > 1"}}, "Sluis does not read `filter`"),
        ({"row_count > 1": {"warn": "when > 2"}}, "it has a threshold, and `warn` besides"),
        ({"row_count": {"fail": "> 2"}}, "an alert starts with `when`"),
        ({"row_count": {"fail": 2}}, "`fail` is a number 2"),
        ({"row_count > 1": [1]}, "found a list [1]"),
        ({"schema": {"fail": {"when forbidden column present": ["a"]}}}, "`fail` is an object "),
        ({"invalid_count(qty) = 0": {"valid min": "1"}}, '`valid min` is "1", and the column\'s type is long'),
        ({"invalid_count(qty) = 0": {"valid length": 1}}, "`valid length` is for text, and the column's type is long"),
        ({"invalid_count(sku) = 0": {"valid regex": "(?i)a"}}, "`(?i)a`: "),
        ({"invalid_count(sku) = 0": {"valid format": "money"}}, 'Sluis does not read the format "money"'),
        ({"invalid_count(qty) = 0": {"valid values": ["x"]}}, "`valid values` has members that no value "),
        ({"missing_count(sku) = 0": {"missing regex": "x"}}, "Sluis does not read `missing regex`"),
        ({"values in (sku) must exist in u (a)": {"filter": "x"}}, "Sluis does not read `filter`"),
        ({"type": "row_count", "must_be": "many"}, '`must_be` is "many"'),
        ({"type": "row_count", "must_be": 1, "must_not_be": 2}, "it has more than one threshold"),
        ({"type": "row_count", "must_be_between": [3, 1]}, "the range ends before it starts"),
        ({"type": 5, "must_be": 1}, "found a number 5"),
        (5, "found a number 5"),
        ({"a": 1, "b": 2}, "found an object "),
    ],
)
def test_what_is_not_read_is_named(check: Any, why: str) -> None:
    told = refused(check)
    assert why in told
    assert told.startswith("`")


def test_sections() -> None:
    said = {
        "checks for t": ["row_count > 1"],
        'checks for "T"': ["row_count > 2"],
        "checks for other": ["row_count > 3"],
        "checks for t [daily]": ["row_count > 4"],
        "filter t [daily]": {"where": "x"},
    }
    found, notes = read(said)
    assert [rule.path for rule in found] == [f'{ROOT}["checks for t"][0]', ROOT + '["checks for \\"T\\""][0]']
    assert [rule.id for rule in found] == ["t.row_count", "t.row_count_2"]
    fates = {entry.path: (entry.status, entry.note) for entry in notes.entries(found)}
    assert fates[f'{ROOT}["checks for other"]'] == ("documentation", "it checks `other`")
    assert fates[f'{ROOT}["checks for t [daily]"]'] == (
        "unsupported",
        "`checks for t [daily]`: it checks some of the rows only",
    )
    assert fates[f'{ROOT}["filter t [daily]"]'][0] == "unsupported"


def test_names_must_be_known() -> None:
    _, notes = read({"checks for te": [], "checks for t": ["duplicate_count(sku, skus) = 0", "missing_count(x) = 0"]})
    assert [(problem.path, problem.message, problem.hint) for problem in notes.problems] == [
        (f'{ROOT}["checks for te"]', "there is no `te`.", "did you mean `t`?"),
        (f'{ROOT}["checks for t"][0]', "`skus` is not one of the columns.", "did you mean `sku`?"),
        (f'{ROOT}["checks for t"][1]', "`x` is not one of the columns.", ""),
    ]


def test_text_is_one_key_of_the_ledger() -> None:
    found, notes = read("checks for t:\n  - row_count > 1\n  - missing_count(sku) = 0\n")
    assert [rule.path for rule in found] == [f'{ROOT}["checks for t"][0]', f'{ROOT}["checks for t"][1]']
    [entry] = notes.entries(found)
    assert (entry.status, entry.note) == ("enforced", "rule t.row_count, t.sku.null_values")
    _, notes = read("checks for t:\n  - row_count > 1\n  - avg(qty) > 1\n  - schema:\n")
    [entry] = notes.entries([])
    assert (entry.status, entry.note) == (
        "unsupported",
        "`avg(qty) > 1`: Sluis does not read the metric `avg`; `schema`: it has no threshold",
    )
    _, notes = read("a: [")
    [problem] = notes.problems
    assert problem.path == ROOT and problem.message.startswith("the text is not YAML: ")


@pytest.mark.parametrize("said", [{"type": "missing_count", "column": "sku", "must_be": 0}, "missing_count(sku) = 0"])
def test_a_check_by_itself_is_one_key_of_the_ledger(said: Any) -> None:
    found, notes = read(said)
    assert [(entry.path, entry.status) for entry in notes.entries(found)] == [(ROOT, "enforced")]


def test_the_short_form_at_a_column() -> None:
    scope = Scope(id=("t", "price"), object="t", columns=SCOPE.columns, types=TYPES, column="Price", type=Double())
    found, _ = read({"type": "missing_percent", "must_be_less_than": 1}, scope)
    assert found == [rules.Filled(id="t.price.null_values", path=ROOT, column="Price", allowed=FEW)]
    found, _ = read(
        [{"type": "no_duplicate_values", "columns": ["sku", "qty"]}, {"type": "row_count", "must_be_between": [1, 3]}]
    )
    assert found == [
        rules.Unique(**at("duplicate_values"), columns=("sku", "qty"), allowed=NONE),
        rules.RowCountIs(id="t.row_count", path=f"{ROOT}[1]", allowed=must_be("between", 1, 3)),
    ]
