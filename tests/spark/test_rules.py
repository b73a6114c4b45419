"""Every check of the native format, each alone and all at once, from the file to the verdict."""

from __future__ import annotations

from typing import Any

import pytest
from projects import Project, broken

from sluis.report import terminal
from sluis.suite import prove

pytestmark = pytest.mark.alike

ID = {"name": "id", "type": "integer", "nullable": False}


def column(kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": "x", "type": kind, **more}


CASES: list[tuple[str, dict[str, Any], list[str], list[str], str]] = [
    ("required", column(nullable=False), ["a", '" b "'], ["", '""', '"  "', "\u00a0"], "Column x cannot be NULL or empty"),
    ("required", column("integer", nullable=False), ["1"], ["", '" "'], "Column x cannot be NULL or empty"),
    ("type", column("integer"), ["1", '" 7 "', "+3", ""], ["1.5", "1e3", "٣", "2147483648", "x"], "Invalid integer values in column x"),
    ("type", column("long"), ["9223372036854775807"], ["9223372036854775808", "1L"], "Invalid long values in column x"),
    ("type", column("double"), ["1.5", "1e3", "-.5", ""], ["NaN", "Infinity", "1d", "1e999"], "Invalid double values in column x"),
    ("type", column("boolean"), ["true", "F", "yes", "0"], ["2", "ja"], "Invalid boolean values in column x"),
    ("type", column("date"), ["2025-1-5", "2024-02-29"], ["2025-02-29", "2025", "2025-01-05T10:00"], "Invalid date values in column x"),
    ("type", column("date", format="dd-MM-yyyy"), ["05-01-2025"], ["2025-01-05", "31-02-2025"], "Invalid date values in column x"),
    (
        "type",
        column("timestamp"),
        ["2025-01-05T10:00", "2025-01-05 10:00:00.123456+01:00"],
        ["2025-01-05", "10:00", "2025-01-05T10:00:00.1234567"],
        "Invalid timestamp values in column x",
    ),
    ("pattern", column(pattern="a😀b"), ["xa😀by"], ["a", "A😀b"], "Values in column x do not match the pattern a😀b"),
    ("pattern", column(pattern="^[A-Z]{2}$"), ["NL", ""], ["nl", "NLD", "N1"], "Values in column x do not match the pattern ^[A-Z]{2}$"),
    ("min_length", column(min_length=2), ["ab", ""], ["a", "😀"], "Values in column x are shorter than 2 characters"),
    ("max_length", column(max_length=2), ["ab", "😀😀"], ["abc", "😀😀😀"], "Values in column x are longer than 2 characters"),
    ("minimum", column("integer", minimum=9), ["9", "10", ""], ["8", "-10"], "Values in column x are below 9"),
    ("maximum", column("double", maximum=0.3), ["0.3", "1e-5"], ["0.30000000000000004", "1"], "Values in column x are above 0.3"),
    ("minimum", column("date", minimum="2025-01-10"), ["2025-1-10"], ["2025-1-9"], "Values in column x are below 2025-01-10"),
    (
        "maximum",
        column("timestamp", maximum="2025-01-01T12:00:00+01:00"),
        ["2025-01-01T11:00:00Z"],
        ["2025-01-01T11:00:01Z", "2025-01-01T12:00"],
        "Values in column x are above 2025-01-01T12:00:00+01:00",
    ),
    ("enum", column(enum=["a", "it's"]), ["a", "it's", ""], ["A", "b"], "Values in column x are not one of a, it's"),
    ("enum", column("double", enum=[1, 2.5]), ["1.0", "2.50"], ["2"], "Values in column x are not one of 1, 2.5"),
    ("enum", column("boolean", enum=[True]), ["yes", "1"], ["no"], "Values in column x are not one of true"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "about", "good", "bad", "message"), CASES, ids=[f"{c[0]}-{c[1]['type']}-{i}" for i, c in enumerate(CASES)]
)
def test_each_rule_alone(
    project: Project, kind: str, about: dict[str, Any], good: list[str], bad: list[str], message: str
) -> None:
    project.contract(ID, about, primary_key=["id"])
    project.entity()
    project.land("id,x", *(f"{index},{text}" for index, text in enumerate([*good, *bad])))
    record = project.run()
    assert (record["verdict"], record["exit_code"]) == ("REJECTED", 1)
    assert broken(record) == {f"x.{kind}": len(bad)}
    assert record["reasons"] == [message]
    assert project.version() is None


def test_good_values_of_every_rule_pass_together(project: Project) -> None:
    columns = [{**about, "name": f"x{index}"} for index, (_, about, *_) in enumerate(CASES)]
    project.contract(ID, *columns, primary_key=["id"])
    project.entity()
    longest = max(len(good) for _, _, good, *_ in CASES)
    rows = [[str(row), *(good[row % len(good)] for _, _, good, *_ in CASES)] for row in range(longest)]
    project.land(",".join(["id", *(column["name"] for column in columns)]), *map(",".join, rows))
    record = project.run()
    assert (record["verdict"], broken(record), len(project.rows())) == ("PASSED", {}, longest)


def test_all_rules_at_once_are_reported_together(project: Project) -> None:
    project.contract(
        {"name": "id", "type": "integer", "nullable": False},
        {"name": "n", "type": "integer", "minimum": 1},
        {"name": "t", "type": "string", "pattern": "^a", "max_length": 3, "nullable": False},
        {"name": "c", "type": "string", "enum": ["x"]},
        primary_key=["id"],
        rules={"unique": ["c"], "row_count": {"max": 4}},
    )
    project.entity()
    project.land("id,n,t,c", "1,0,b,x", "01,x,,x", ",5,aaaa,y", "4,5,abc,", "5,5,abc,", "6,1")
    record = project.run()
    assert broken(record) == {
        "row_shape": 1, "row_count": 1, "id.required": 1, "n.type": 1, "n.minimum": 1, "t.required": 1,
        "t.pattern": 1, "t.max_length": 1, "c.enum": 1, "primary_key": 2, "c.unique": 2,
    }  # fmt: skip
    lines = terminal.failure_text(record)
    assert lines[0] == "Data contract validation failed:"
    assert "Column id cannot be NULL or empty (1 of 5 rows" in "\n".join(lines)


def test_a_pattern_that_would_take_the_stack_is_an_error_of_the_run(project: Project) -> None:
    project.contract(ID, column(pattern="^(a|b)*$"), primary_key=["id"])
    project.entity()
    project.land("id,x", f"1,{'ab' * 500}", "2,abc")
    assert broken(project.run()) == {"x.pattern": 1}
    project.land("id,x", f"1,{'ab' * 10_000}")
    record = project.run()
    assert (record["verdict"], record["receipt"]) == ("ERROR", None)
    assert "repeats a group of parts that vary" in str(record["rules"])


def test_rows_that_do_not_fit_the_header_are_counted_where_nothing_else_is_wrong(project: Project) -> None:
    project.contract({"name": "a", "type": "string"}, {"name": "b", "type": "string"})
    project.entity()
    project.land("a,b", "1,2", "3,4,5", "6")
    record = project.run()
    assert (record["verdict"], broken(record)) == ("REJECTED", {"row_shape": 2})


def test_the_mission_example_names_row_and_count(project: Project) -> None:
    names = ("customer_id", "first_name", "country")
    project.contract(
        *({"name": name, "type": "string", "nullable": False} for name in names), primary_key=["customer_id"]
    )
    project.entity()
    project.land(",".join(names), "1001,Jan,NL", "1002,,BE", "1003,Anna,UK")
    lines = terminal.failure_text(project.run())
    assert lines == [
        "Data contract validation failed:",
        "Column first_name cannot be NULL or empty (1 of 3 rows; customer_id=1002)",
    ]


@pytest.mark.parametrize(
    ("header", "heading", "message"),
    [
        ("id,y,x", "Schema validation failed:", "Unexpected columns: ['y']"),
        ("id", "Schema validation failed:", "Missing columns: ['x']"),
        ("id,X", "Schema validation failed:", "Missing columns: ['x']"),
    ],
)
def test_columns(project: Project, header: str, heading: str, message: str) -> None:
    project.contract(ID, column(nullable=False), primary_key=["id"])
    project.entity()
    project.land(header, ",".join("1" for _ in header.split(",")))
    record = project.run()
    assert record["verdict"] == "REJECTED"
    text = terminal.failure_text(record)
    assert text[0] == heading
    assert message in "\n".join(text)
    outcomes = {rule["id"]: rule["outcome"] for rule in record["rules"]}
    assert outcomes["goods.x.required"] == ("not_evaluated" if "x" not in header.split(",") else "held")


def test_column_order_does_not_matter_and_additional_columns_are_carried_as_text(project: Project) -> None:
    project.contract(ID, column(), allow_additional_columns=True)
    project.entity()
    project.land("extra,x,id", "007,b,2")
    assert project.run()["verdict"] == "PASSED"
    assert project.rows("struct(id, x, extra)") == [((2, "b", "007"),)]


@pytest.mark.parametrize(
    ("kind", "values", "duplicates"),
    [
        ("integer", ["1", "01", "2"], 2),
        ("double", ["1.0", "1.00", "-1"], 2),
        ("double", ["0.0", "-0.0", "-1"], 2),
        ("date", ["2025-1-5", "2025-01-05"], 2),
        ("string", ["1", "01", " 1"], 0),
        ("string", ["", '""', '" "', "a"], 0),
        ("integer", ["", "", "1"], 0),
        ("boolean", ["yes", "1", "no"], 2),
    ],
)
def test_unique_compares_values_and_leaves_blanks_alone(
    project: Project, kind: str, values: list[str], duplicates: int
) -> None:
    project.contract({"name": "n", "type": "integer"}, column(kind), rules={"unique": ["x"]})
    project.entity()
    project.land("n,x", *(f"{index},{value}" for index, value in enumerate(values)))
    record = project.run()
    assert broken(record) == ({"x.unique": duplicates} if duplicates else {})


@pytest.mark.parametrize("in_memory", [0, prove.IN_MEMORY])
def test_a_composite_key_is_unique_together_only(
    project: Project, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr(prove, "IN_MEMORY", in_memory)
    project.contract(
        {"name": "a", "type": "integer", "nullable": False},
        {"name": "b", "type": "string", "nullable": False},
        {"name": "c", "type": "integer"},
        primary_key=["a", "b"],
        rules={"unique": ["c"]},
    )
    project.entity()
    project.land("a,b,c", "1,x,", "1,y,", "2,x,7")
    assert project.run()["verdict"] == "PASSED"
    project.land("a,b,c", "1,x,", "01,x,", "2,x,7")
    record = project.run()
    assert broken(record) == {"primary_key": 2}
    [key] = [rule for rule in record["rules"] if rule["kind"] == "primary_key"]
    assert key["examples"] == [{"value": "1, x", "count": 2}]


@pytest.mark.parametrize(("minimum", "lines", "verdict"), [(None, 0, "REJECTED"), (0, 0, "PASSED"), (2, 1, "REJECTED")])
def test_row_count(project: Project, minimum: int | None, lines: int, verdict: str) -> None:
    project.contract(
        ID, primary_key=["id"], **({"rules": {"row_count": {"min": minimum}}} if minimum is not None else {})
    )
    project.entity()
    project.land("id", *map(str, range(lines)))
    assert project.run()["verdict"] == verdict


def test_values_of_sensitive_columns_are_counted_but_never_shown(project: Project) -> None:
    project.contract(
        {"name": "id", "type": "integer", "nullable": False, "sensitive": True, "minimum": 0},
        column(sensitive=True, pattern="^ok$"),
        {"name": "y", "type": "string", "pattern": "^ok$"},
        primary_key=["id"],
    )
    project.entity()
    project.land("id,x,y", "-404242404,secret-x,shown-y", "-404242404,secret-x,ok")
    record = project.run()
    assert {rule["id"]: rule["unexpected"] for rule in record["rules"] if rule["unexpected"]} == {
        "goods.id.minimum": 2, "goods.x.pattern": 2, "goods.y.pattern": 1, "goods.primary_key": 2,
    }  # fmt: skip
    everything = "".join(path.read_text() for path in project.state.rglob("*") if path.suffix in (".json", ".html"))
    assert "shown-y" in everything
    assert "secret-x" not in everything
    assert "404242404" not in everything.replace(record["run_id"], "")
