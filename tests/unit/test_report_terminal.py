from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from sluis.report.terminal import failure_text, summary

EVIDENCE = Path(__file__).parents[1] / "data" / "evidence"
NAMES = ("passed", "warnings", "rejected", "error")


def evidence(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EVIDENCE / f"{name}.json").read_text())
    return found


def violated(message: str, **more: Any) -> dict[str, Any]:
    rule = {"id": "r", "kind": "required", "severity": "error", "outcome": "violated", "message": message}
    return {**rule, "unexpected": 1, "evaluated": 3, "examples": [], **more}


def test_the_summary_of_a_good_run() -> None:
    assert summary(evidence("passed")).splitlines() == [
        "✓ customers: PASSED",
        "  Contract  customers version 1.0",
        "  Rows      4",
        "  Written   spark_catalog.demo.customers, merge, version 0 → 1",
        "            2 written, 1 inserted, 1 updated",
        "  Rules     0 failed, 0 not checked, 9 hold",
        "  Report    runs/20261130T131500123456Z-customers-1a2b3c.html",
    ]


def test_the_summary_of_a_rejected_run_shows_at_most_five_values_of_a_rule() -> None:
    text = summary(evidence("rejected"))
    assert text.startswith("✕ customers: REJECTED\n")
    assert "  Written   nothing\n" in text
    assert "    error: Column first_name cannot be NULL or empty (1 of 3 rows)\n      customer_id=1002\n" in text
    assert "      and 6 more values\n" in text
    assert "{{7*7}}" not in text


def test_an_error_says_why() -> None:
    assert "? orders: ERROR" in summary(evidence("error"))
    assert failure_text(evidence("error")) == [
        "Run failed:",
        "The landing file contracts/samples/orders.csv changed after it was validated.",
        "Hint: deliver it again and rerun.",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_summary_fits_80_columns_and_cannot_steer_the_terminal(name: str) -> None:
    record = evidence(name)
    record["reasons"] = ["漢字 " * 60, "x" * 300, "\x1b[2J\u202e bell \x07"]
    for line in summary(record).splitlines():
        assert cell_len(line) <= 80
        assert all(char.isprintable() or char == "\u200d" for char in line)


def test_the_summary_loses_no_text_when_it_wraps() -> None:
    record = {**evidence("error"), "reasons": ["a" * 100 + " " + "b c " * 50]}
    joined = "".join(summary(record).split())
    assert "a" * 100 + "bc" * 50 in joined


def test_a_violated_rule_is_one_line_with_counts_and_examples() -> None:
    rules = [
        violated("Column first_name cannot be NULL or empty", examples=[{"value": "customer_id=1002", "count": 1}])
    ]
    record = {**evidence("rejected"), "rules": rules}
    assert failure_text(record) == [
        "Data contract validation failed:",
        "Column first_name cannot be NULL or empty (1 of 3 rows; customer_id=1002)",
    ]


def test_examples_are_counted_quoted_where_needed_and_cut() -> None:
    values = [("abc", 3), ("a b", 1), ("a, b", 1), ('say "hi"', 1), ("", 1), ("never shown", 1)]
    examples = [{"value": value, "count": count} for value, count in values]
    record = {**evidence("rejected"), "rules": [violated("Invalid values", examples=examples)]}
    assert failure_text(record)[1] == r'Invalid values (1 of 3 rows; abc ×3, a b, "a, b", "say \"hi\"", "", …)'
    long = {**evidence("rejected"), "rules": [violated("Long", examples=[{"value": "x" * 5000, "count": 1}])]}
    assert failure_text(long)[1] == f"Long (1 of 3 rows; {'x' * 39}…)"


@pytest.mark.parametrize("kind", ["columns", "header"])
def test_wrong_columns_alone_are_a_schema_failure(kind: str) -> None:
    missing = violated("Missing columns: ['country']", kind=kind, unexpected=None, evaluated=None)
    warning = violated("Odd values", severity="warning")
    record = {**evidence("rejected"), "rules": [missing, warning]}
    assert failure_text(record) == ["Schema validation failed:", "Missing columns: ['country']"]
    both = {**record, "rules": [missing, violated("Invalid values")]}
    assert failure_text(both)[0] == "Data contract validation failed:"


def test_a_refusal_by_the_table_is_told_by_its_reason() -> None:
    record = {**evidence("passed"), "verdict": "REJECTED", "receipt": None, "reasons": ["2 keys exist already: 7, 9"]}
    assert failure_text(record) == ["Data contract validation failed:", "2 keys exist already: 7, 9"]


@pytest.mark.parametrize("name", ["passed", "warnings"])
def test_a_good_run_has_no_failure_text(name: str) -> None:
    assert failure_text(evidence(name)) == []
