from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sluis.report import words
from sluis.report.parse import BrokenRecord, parse

EVIDENCE = Path(__file__).parents[1] / "data" / "evidence"


def evidence(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EVIDENCE / f"{name}.json").read_text())
    return found


def test_rules_that_failed_come_first_and_the_blocking_ones_before_warnings() -> None:
    run = parse(evidence("rejected"))
    assert [(rule.outcome, rule.severity) for rule in run.rules[:4]] == [
        ("violated", "error"),
        ("violated", "error"),
        ("violated", "warning"),
        ("not_evaluated", "error"),
    ]
    assert (len(run.failed), len(run.unjudged), len(run.held)) == (3, 1, 5)


def test_values_of_a_sensitive_column_are_dropped_even_if_the_evidence_has_them() -> None:
    record = evidence("rejected")
    email = next(rule for rule in record["rules"] if rule["column"] == "email")
    email["examples"] = [{"value": "secret@example.com", "count": 1}]
    assert "secret@example.com" not in repr(parse(record))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"run_id": None}, "`run_id` is missing"),
        ({"verdict": ""}, "`verdict` is missing"),
        ({"rules": "none"}, "`rules` is not a list"),
        ({"rules": ["a"]}, "a rule is not an object"),
        ({"rules": [{"id": "a", "outcome": "held", "unexpected": "3"}]}, "`unexpected` is not a whole number"),
        ({"rows": True}, "`rows` is not a whole number"),
        ({"contract": []}, None),
        ({"contract": ["customers"]}, "`contract` is not an object"),
        ({"receipt": {}}, "`table` is missing"),
        ({"owner": {"name": "crm"}}, "`owner` is not text"),
    ],
)
def test_a_record_of_another_shape_is_broken_and_says_why(change: dict[str, Any], problem: str | None) -> None:
    record = {**evidence("passed"), **change}
    if problem is None:
        parse(record)
        return
    with pytest.raises(BrokenRecord) as raised:
        parse(record)
    assert str(raised.value) == problem


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 4, "0%"),
        (1, 3, "33.33%"),
        (1, 2, "50%"),
        (4, 4, "100%"),
        (1, 1_000_000, "under 0.01%"),
        (999_999, 1_000_000, "over 99.99%"),
        (0, 0, ""),
        (None, 4, ""),
    ],
)
def test_a_share_is_none_or_all_only_if_it_is_so(part: int | None, whole: int, text: str) -> None:
    assert words.share(part, whole) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb\nc", "a\\tb\\nc"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("ab\u200dc", "ab\\u200dc"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("\ud800", "\\ud800"),
        ("שלום", "שלום"),
    ],
)
def test_nothing_in_a_text_is_invisible(text: str, shown: str) -> None:
    assert words.visible(text) == shown


def test_moments_durations_and_sizes_are_readable() -> None:
    assert words.moment("2026-11-30T13:15:00.123Z") == "30 Nov 2026, 13:15:00 UTC"
    assert words.moment("2026-11-30T14:15:00+01:00") == "30 Nov 2026, 13:15:00 UTC"
    assert words.moment("yesterday") == "yesterday"
    assert words.duration("2026-11-30T13:15:00Z", "2026-11-30T13:16:12Z") == "1 min 12 s"
    assert words.duration(None, "2026-11-30T13:16:12Z") == ""
    assert [words.size(size) for size in (1, 999, 1234, 98_765_432, None)] == [
        "1 byte",
        "999 bytes",
        "1.23 KB",
        "98.8 MB",
        "unknown",
    ]


def test_verdicts_differ_in_word_sign_and_style_and_an_unknown_one_is_shown_as_it_is() -> None:
    verdicts = list(words.VERDICTS.values())
    assert len({verdict.mark for verdict in verdicts}) == len({verdict.tone for verdict in verdicts}) == 4
    assert words.verdict("PASSED_WITH_QUARANTINE").word == "Passed with quarantine"
    assert words.verdict("") is words.UNKNOWN
