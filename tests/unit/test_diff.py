"""Two versions of a contract: every difference once, classed from the consumer's side."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from sluis.contract.diff import differ
from sluis.contract.diff.changes import CLASSES, KINDS, major_raised
from sluis.contract.diff.strength import COMPARERS, compare
from sluis.contract.logical import Array, Date, DecimalType, Field, Integer, Long, Map, Object, String, Timestamp
from sluis.contract.model import Column, Contract, LedgerEntry, ServiceLevel
from sluis.contract.promises import Promise
from sluis.contract.rules import (
    ColumnRule,
    Columns,
    Enum,
    Filled,
    Format,
    Gx,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    NotMissing,
    Pattern,
    PrimaryKey,
    Relationship,
    Required,
    RowCount,
    RowCountIs,
    Rule,
    Size,
    Sql,
    Threshold,
    TypeOf,
    Unique,
    UniqueItems,
    Valid,
)


def contract(*rules: Rule, columns: tuple[Column, ...] | None = None, **more: Any) -> Contract:
    known = columns or tuple(Column(name=name, type=Integer()) for name in "abc")
    facts = {"name": "t", "version": "1.0", "format": "native", "path": "t.json", "object": "t", "fingerprint": ""}
    return Contract(**{**facts, "columns": known, "rules": rules, **more})


def made(kind: type[Rule], *parts: Any, **more: Any) -> Rule:
    """A rule about column `a`, or about the table, with an id that says which."""
    own = [
        name
        for name in kind.__dataclass_fields__
        if name not in Rule.__dataclass_fields__ and name not in ("column", "inner")
    ]
    place = {"column": "a"} if issubclass(kind, ColumnRule) else {}
    parameters = {**place, **dict(zip(own, parts, strict=False)), **more}
    return kind(**{"id": f"t.{kind.kind}", "path": "$", **parameters})


def limit(operator: str, *numbers: float | str, percent: bool = False) -> Threshold:
    return Threshold(operator=operator, values=tuple(Decimal(str(n)) for n in numbers), percent=percent)  # type: ignore[arg-type]


def changes(old: Contract, new: Contract) -> list[tuple[str, str, str | None, str | None]]:
    return [(change.change, change.subject, change.old, change.new) for change in differ([old], [new])]


STRENGTHS = [
    (made(Minimum, 5), made(Minimum, 6), "stronger"),
    (made(Minimum, 5), made(Minimum, Decimal("4.5")), "weaker"),
    (made(Minimum, Decimal(5)), made(Minimum, Decimal("5.0")), "same"),
    (made(Minimum, 5), made(Minimum, 5, True), "stronger"),
    (made(Minimum, 4, True), made(Minimum, 5), "same"),  # of whole numbers
    (made(Maximum, 6, True), made(Maximum, 5), "same"),
    (made(Maximum, 5), made(Maximum, 6), "weaker"),
    (made(Maximum, 5, True), made(Maximum, 5), "weaker"),
    (made(MinLength, 2), made(MinLength, 1), "weaker"),
    (made(MaxLength, 2), made(MaxLength, 1), "stronger"),
    (made(Enum, (1, 2)), made(Enum, (2, 1)), "same"),
    (made(Enum, (1, 2)), made(Enum, (2,)), "stronger"),
    (made(Enum, (1, 2)), made(Enum, (2, 3)), "other"),
    (made(Pattern, "^a"), made(Pattern, "^a$"), "other"),
    (made(Format, "uuid"), made(Format, "email"), "other"),
    (made(MultipleOf, 2), made(MultipleOf, 4), "stronger"),
    (made(MultipleOf, Decimal("0.1")), made(MultipleOf, Decimal("0.05")), "weaker"),
    (made(RowCount, 1, None), made(RowCount, 0, None), "weaker"),
    (made(RowCount, 1, None), made(RowCount, 1, 9), "stronger"),
    (made(RowCount, 1, 9), made(RowCount, 2, 10), "other"),
    (made(Size, 1, 2), made(Size, None, 2), "weaker"),
    (made(UniqueItems), made(UniqueItems), "same"),
    (made(Columns, ("a",), False), made(Columns, ("a",), True), "weaker"),
    (made(Unique, ("a", "b")), made(Unique, ("b",)), "stronger"),
    (made(Unique, ("a", "b")), made(Unique, ("c",)), "other"),
    (made(PrimaryKey, ("a", "b")), made(PrimaryKey, ("b", "a")), "same"),
    (made(PrimaryKey, ("a", "b")), made(PrimaryKey, ("a",)), "other"),
    (made(NotMissing, ("-",)), made(NotMissing, ("-", "?")), "stronger"),
    (made(Sql, "SELECT  1", limit(">", 0)), made(Sql, "SELECT 1", limit(">=", 0)), "weaker"),
    (made(Sql, "SELECT 1", limit(">", 0)), made(Sql, "SELECT 2", limit(">", 0)), "other"),
    (made(Gx, "expect_x", ()), made(Gx, "expect_y", ()), "other"),
    (made(Relationship, ("a",), "o", ("x",)), made(Relationship, ("a",), "p", ("x",)), "other"),
    (made(Valid, (made(Enum, (1, 2)),)), made(Valid, (made(Enum, (1,)), made(Minimum, 0))), "stronger"),
    (made(Valid, (made(Enum, (1, 2)), made(Minimum, 0))), made(Valid, (made(Enum, (1,)),)), "other"),
    (made(Filled), made(Filled, allowed=limit("<", 5)), "weaker"),
    (made(Filled, allowed=limit("<", 1)), made(Filled), "same"),  # rows are whole numbers
    (made(Filled, allowed=limit("<", 1, percent=True)), made(Filled), "stronger"),
    (made(Filled, allowed=limit("<=", 5, percent=True)), made(Filled, allowed=limit("<=", 5)), "other"),
    (made(Filled, allowed=limit("<=", 5, percent=True)), made(Filled, allowed=limit("<", 5, percent=True)), "stronger"),
    (made(Filled, allowed=limit("between", 0, 5)), made(Filled, allowed=limit("<=", 5)), "same"),
    # Where rows must break it, those that ask more of a row let through more files.
    (made(NotMissing, ("-",), allowed=limit("<", 9)), made(NotMissing, ("-", "?"), allowed=limit("<", 8)), "stronger"),
    (made(NotMissing, ("-",), allowed=limit(">", 1)), made(NotMissing, ("-", "?"), allowed=limit(">", 1)), "other"),
    (made(Unique, ("a", "b"), allowed=limit("between", 1, 5)), made(Unique, ("b",), allowed=limit("=", 3)), "other"),
    (made(Unique, ("a", "b"), allowed=limit("<=", 5)), made(Unique, ("b",), allowed=limit("=", 3)), "stronger"),
    (made(RowCountIs, allowed=limit("!=", 0)), made(RowCountIs, allowed=limit(">", 0)), "same"),
    (made(RowCountIs, allowed=limit("not between", 2, 3)), made(RowCountIs, allowed=limit("!=", 2)), "weaker"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), STRENGTHS)
def test_strength(old: Rule, new: Rule, expected: str) -> None:
    opposite = {"stronger": "weaker", "weaker": "stronger"}
    assert compare(old, new, Integer()) == expected
    assert compare(new, old, Integer()) == opposite.get(expected, expected)
    assert compare(old, old, Integer()) == "same"


def kinds(base: type) -> list[type]:
    return [each for kind in base.__subclasses__() for each in (kind, *kinds(kind))]


def test_every_kind_of_rule_can_be_compared() -> None:
    ours = {kind for kind in kinds(Rule) if kind.__module__.startswith("sluis.")}
    of_rows = {kind for kind in ours if "kind" in vars(kind) and not issubclass(kind, Promise)}
    assert of_rows == set(COMPARERS)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [(("2024-01-31", "2024-02-01"), "stronger"), (("2024-01-31T01:00+01:00", "2024-01-31T00:00Z"), "same")],
)
def test_limits_compare_as_values(limits: tuple[str, str], expected: str) -> None:
    kind = Timestamp() if "T" in limits[0] else Date()
    assert compare(made(Minimum, limits[0]), made(Minimum, limits[1]), kind) == expected


A, B, C = (Column(name=name, type=Integer()) for name in "abc")


def nested(*fields: Field) -> Column:
    return Column(name="a", type=Array(items=Object(fields=fields)))


DIFFERENCES = [
    (contract(columns=(A, B)), contract(columns=(A,)), [("column_removed", "t.b", "b (integer)", None)]),
    (contract(columns=(A,)), contract(columns=(A, B)), [("column_added", "t.b", None, "b (integer)")]),
    (contract(columns=(A, B)), contract(columns=(A, C)), [("column_renamed", "t.b", "b (integer)", "c (integer)")]),
    (contract(columns=(A, B)), contract(columns=(B, A)), [("column_moved", "t", "a, b", "b, a")]),
    (contract(columns=(A,)), contract(columns=(replace(A, type=Long()),)), [("type_changed", "t.a", "integer", "long")]),
    (contract(columns=(replace(A, type=Long()),)), contract(columns=(A,)), [("type_changed", "t.a", "long", "integer")]),
    (contract(columns=(replace(A, type=DecimalType(precision=9, scale=2)),)), contract(columns=(replace(A, type=DecimalType(precision=9, scale=3)),)),
     [("type_changed", "t.a", "decimal(9,2)", "decimal(9,3)")]),
    (contract(columns=(replace(A, type=Date()),)), contract(columns=(replace(A, type=Date(format="dd-MM-yyyy")),)),
     [("text_changed", "t.a", "date", "date (written as dd-MM-yyyy)")]),
    (contract(columns=(replace(A, required=True),)), contract(columns=(A,)), [("nullable", "t.a", "never NULL", "may be NULL")]),
    (contract(columns=(A,)), contract(columns=(replace(A, required=True),)), [("not_nullable", "t.a", "may be NULL", "never NULL")]),
    (contract(columns=(A,)), contract(columns=(replace(A, description="x"),)), [("words_changed", "description of t.a", None, "x")]),
    (contract(columns=(A,)), contract(columns=(replace(A, sensitive=True),)), [("privacy_changed", "t.a", "values may be shown", "values are never shown")]),
    (contract(columns=(nested(Field(name="x", type=String(), required=True), Field(name="y", type=String())),)),
     contract(columns=(nested(Field(name="x", type=Long()), Field(name="z", type=Map(keys=String(), values=Long()))),)),
     [("type_changed", "t.a.[].x", "string", "long"), ("nullable", "t.a.[].x", "never NULL", "may be NULL"),
      ("column_removed", "t.a.[].y", "y (string)", None), ("column_added", "t.a.[].z", None, "z (map of string to long)")]),
    # The flag follows the rule, which tells it with its id.
    (contract(made(Required), columns=(replace(A, required=True),)), contract(columns=(A,)), [("rule_removed", "t.required", "required of a", None)]),
    (contract(), contract(made(Required)), [("rule_added", "t.required", None, "required of a")]),
    (contract(made(Required, severity="info")), contract(), [("advice_changed", "t.required", "required of a", None)]),
    (contract(made(Required)), contract(made(Required, severity="warning")), [("severity_lowered", "t.required", "error", "warning")]),
    (contract(made(Required, severity="info")), contract(made(Required)), [("severity_raised", "t.required", "info", "error")]),
    (contract(made(Enum, (1,))), contract(made(Enum, (1, 2))), [("rule_weaker", "t.enum", "enum of a: 1", "enum of a: 1, 2")]),
    (contract(made(Enum, (1, 2), severity="info")), contract(made(Enum, (1, 3))), [("severity_raised", "t.enum", "info", "error"), ("advice_changed", "t.enum", "enum of a: 1, 2", "enum of a: 1, 3")]),
    (contract(made(Pattern, "x")), contract(made(Pattern, "y")), [("rule_replaced", "t.pattern", "pattern of a: x", "pattern of a: y")]),
    (contract(made(MaxLength, 9)), contract(made(MaxLength, 8)), [("rule_stronger", "t.max_length", "max length of a: 9", "max length of a: 8")]),
    (contract(made(PrimaryKey, ("a",))), contract(made(PrimaryKey, ("a", "b"))), [("key_changed", "t.primary_key", "primary key of a", "primary key of a, b")]),
    (contract(made(Columns, ("a",), False)), contract(made(Columns, ("a",), True)), [("additional_allowed", "t.columns", "columns", "columns: allow additional")]),
    (contract(made(Columns, ("a",), True)), contract(made(Columns, ("a", "b"), False)), [("additional_forbidden", "t.columns", "columns: allow additional", "columns")]),
    (contract(made(Filled, title="x", allowed=limit("<", 2, percent=True))), contract(made(Filled, title="y", allowed=limit("<", 3, percent=True))),
     [("rule_weaker", "t.filled", "filled of a: rows that may break it < 2 %", "filled of a: rows that may break it < 3 %"), ("words_changed", "title of t.filled", "x", "y")]),
    # What another rule of the new contract guarantees is still so.
    (contract(made(Unique, ("a", "b"))), contract(made(PrimaryKey, ("a",))),
     [("rule_covered", "t.unique", "unique of a, b", None), ("rule_added", "t.primary_key", None, "primary key of a")]),
    (contract(made(Unique, ("a",))), contract(made(PrimaryKey, ("a", "b"))),
     [("rule_removed", "t.unique", "unique of a", None), ("rule_added", "t.primary_key", None, "primary key of a, b")]),
    (contract(made(Filled, allowed=limit("=", 0))), contract(made(Required)),
     [("rule_covered", "t.filled", "filled of a: rows that may break it = 0", None), ("rule_added", "t.required", None, "required of a")]),
    (contract(made(Filled)), contract(made(Required, severity="warning")),
     [("rule_removed", "t.filled", "filled of a", None), ("rule_added", "t.required", None, "required of a")]),
    (contract(made(RowCount, 1, None)), contract(made(RowCount, 0, 5)), [("rule_replaced", "t.row_count", "number of rows >= 1", "number of rows between 0 and 5")]),
    (contract(made(RowCount, 1, 5)), contract(made(RowCountIs, id="t.row_count", allowed=limit("between", 1, 5))), []),
    (contract(made(Minimum, 1), made(Maximum, 9, True)), contract(made(Enum, (1, 3))),
     [("rule_covered", "t.minimum", "minimum of a: 1", None), ("rule_covered", "t.maximum", "maximum of a: 9; exclusive", None), ("rule_added", "t.enum", None, "enum of a: 1, 3")]),
    (contract(made(Minimum, 1), made(MultipleOf, 2)), contract(made(Enum, (0, 3))),
     [("rule_removed", "t.minimum", "minimum of a: 1", None), ("rule_removed", "t.multiple_of", "multiple of of a: 2", None), ("rule_added", "t.enum", None, "enum of a: 0, 3")]),
    (contract(made(MinLength, 2), made(MaxLength, 3)), contract(made(Enum, ("ab", "🙂🙂🙂")), columns=(replace(A, type=Integer()), B, C)),
     [("rule_covered", "t.min_length", "min length of a: 2", None), ("rule_covered", "t.max_length", "max length of a: 3", None), ("rule_added", "t.enum", None, "enum of a: ab, 🙂🙂🙂")]),
    (contract(made(Minimum, 1)), contract(made(Enum, (1,), allowed=limit("<", 2))),
     [("rule_removed", "t.minimum", "minimum of a: 1", None), ("rule_added", "t.enum", None, "enum of a: 1; rows that may break it < 2")]),
    # What asks for nothing is not missed, and not noticed.
    (contract(made(MinLength, 0), made(Size, 0), made(Filled, allowed=limit(">=", 0)), made(Enum, (1,), allowed=limit("<=", 100, percent=True))), contract(), []),
    (contract(made(MinLength, 0)), contract(made(MinLength, 2)), [("rule_added", "t.min_length", None, "min length of a: 2")]),
    (contract(made(MinLength, 2)), contract(made(MinLength, 0)), [("rule_removed", "t.min_length", "min length of a: 2", None)]),
    # The type tells itself.
    (contract(made(TypeOf), columns=(A,)), contract(columns=(replace(A, type=String()),)), [("type_changed", "t.a", "integer", "string")]),
    # Rules about nothing else than a column that came or went are not told beside it.
    (contract(made(Required), made(Unique, ("a",)), columns=(A, B)), contract(columns=(B,)), [("column_removed", "t.a", "a (integer)", None)]),
    (contract(columns=(B,)), contract(made(Required), made(Unique, ("a", "b")), columns=(B, A)),
     [("column_added", "t.a", None, "a (integer)"), ("rule_added", "t.unique", None, "unique of a, b")]),
    (contract(), contract(version="2.0", owner="me", partition_columns=("a",)),
     [("layout_changed", "t: partitioned by", None, "a"), ("words_changed", "owner of the contract", None, "me")]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), DIFFERENCES)
def test_differences(old: Contract, new: Contract, expected: list[Any]) -> None:
    assert sorted(changes(old, new)) == sorted(expected)
    assert changes(old, old) == []


def test_breaking_changes_come_first() -> None:
    found = differ([contract(columns=(A, B), owner="x")], [contract(columns=(B, C), owner="y")])
    assert [change.kind for change in found] == sorted((change.kind for change in found), key=KINDS.index)


def test_rules_with_other_ids_are_paired_by_kind_and_columns() -> None:
    old = contract(made(Pattern, "x", id="t.p1"), made(Pattern, "y", id="t.p2"), made(Minimum, 1))
    new = contract(made(Pattern, "z", id="u.p1"), made(Pattern, "x", id="u.p2"), made(Minimum, 2, id="u.m"))
    assert changes(old, new) == [
        ("rule_replaced", "u.p1", "pattern of a: y", "pattern of a: z"),
        ("rule_stronger", "u.m", "minimum of a: 1", "minimum of a: 2"),
    ]


def level(value: int | None, unit: str | None = "second", kind: str = "freshness", **more: Any) -> ServiceLevel:
    return ServiceLevel(kind=kind, value=None if value is None else Decimal(value), unit=unit, path="$", **more)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (level(3600), level(7200), "level_weaker"),
        (level(3600), level(60), "level_stronger"),
        (level(1, "year", "retention"), level(11, "month", "retention"), "level_weaker"),
        (level(12, "month", "retention"), level(1, "year", "retention"), None),
        (level(99, "percent", "availability"), level(100, "percent", "availability"), "level_stronger"),
        (level(9, "%", "colour"), level(8, "%", "colour"), "level_changed"),
        (level(60, kind="responseTime"), level(30, kind="responseTime"), "level_stronger"),
        (level(60, kind="recoveryPoint"), level(90, kind="recoveryPoint"), "level_weaker"),
        (level(9), None, "level_removed"),
        (level(7, "year", "retention"), level(None, "unlimited", "retention"), "level_stronger"),
        (level(None, "unlimited", "retention"), level(7, "year", "retention"), "level_weaker"),
        (None, level(9), "level_added"),
        (level(9), level(9, columns=("a",)), "level_removed"),
        (level(None, description="daily"), level(None, description="hourly"), "words_changed"),
        (level(None, None, "endOfLife", told="2030"), level(None, None, "endOfLife", told="2029"), "level_changed"),
        (level(None, None, "endOfLife", told="2030"), level(None, None, "endOfLife", told="2030"), None),
    ],
)
def test_service_levels(old: ServiceLevel | None, new: ServiceLevel | None, expected: str | None) -> None:
    before, after = (contract(service_levels=(each,) if each else ()) for each in (old, new))
    assert [change.change for change in differ([before], [after])][:1] == ([expected] if expected else [])


def test_words_that_the_model_does_not_hold() -> None:
    old, new = contract(fingerprint="sha256:1"), contract(fingerprint="sha256:2")
    assert [(change.kind, change.change) for change in differ([old], [new])] == [("documentation", "words_changed")]
    assert differ([old], [replace(new, format="odcs")]) == []
    # Where something else differs, that is told alone.
    assert [change.change for change in differ([old], [replace(new, owner="x")])] == ["words_changed"]


def entry(path: str, says: str, status: Any = "unsupported") -> LedgerEntry:
    return LedgerEntry(path=path, says=says, status=status)


KEYS = [
    # Always, whatever else differs, and wherever in its list it stands.
    ([entry("$.x[0].q", "1")], [entry("$.x[0].q", "2")], [("unenforced_changed", "$.x[0].q", "1", "2")]),
    ([entry("$.x[0].q", "1")], [], [("unenforced_changed", "$.x[0].q", "1", None)]),
    ([], [entry("$.x[0].q", "1")], [("unenforced_changed", "$.x[0].q", None, "1")]),
    ([entry("$.x[0].q", "1")], [entry("$.x[1].q", "1")], []),
    ([entry("$.x[0].q", "1"), entry("$.x[1].q", "1")], [entry("$.x[0].q", "1")], [("unenforced_changed", "$.x[1].q", "1", None)]),
    ([entry("$.terms", "1", "documentation")], [entry("$.terms", "2", "documentation")], [("words_changed", "$.terms", "1", "2")]),
    # What the model holds is told from there.
    ([entry("$.version", "1", "documentation")], [entry("$.version", "2", "documentation")], []),
    ([entry("$.schema[1]", "1", "documentation")], [entry("$.schema[1]", "2", "documentation")], []),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), KEYS)
def test_keys_that_nothing_enforces(old: list[LedgerEntry], new: list[LedgerEntry], expected: list[Any]) -> None:
    before, after = contract(ledger=tuple(old)), contract(ledger=tuple(new), owner="x")
    assert changes(before, after) == [("words_changed", "owner of the contract", None, "x"), *expected]
    assert changes(before, replace(after, format="odcs")) == [("words_changed", "owner of the contract", None, "x")]


def test_a_long_value_is_cut_short_where_it_is_shown() -> None:
    old, new = (contract(ledger=(entry("$.q", "a" * 500 + end),)) for end in "xy")
    [(_, _, before, after)] = changes(old, new)
    assert (before, after) == ("a" * 299 + "…",) * 2


def test_objects_of_a_document() -> None:
    one, two, three = (contract(object=name) for name in ("one", "two", "three"))
    found = [(change.change, change.subject) for change in differ([one, two], [two, three])]
    assert found == [("object_removed", "one"), ("object_added", "three")]
    assert [change.change for change in differ([one], [two])] == ["words_changed"]


@pytest.mark.parametrize(
    ("old", "new", "raised"),
    [
        ("1.9", "2.0", True),
        ("v1", "v2.0.0", True),
        ("2.0", "1.0", False),
        ("1.0", "1.1", False),
        ("1", "x", False),
        ("9", "10", True),
        ("²", "3", False),
    ],
)
def test_major_version(old: str, new: str, raised: bool) -> None:
    assert major_raised(old, new) is raised


def test_every_class_says_why() -> None:
    assert {meaning.kind for meaning in CLASSES.values()} == set(KINDS)
    assert all(meaning.reason and meaning.words for meaning in CLASSES.values())
