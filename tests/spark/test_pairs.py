"""Contracts and files that were published together: the expected verdict, by exactly the rules that must fail.

`EXPECT.tsv` says what upstream expects of each (`expected`, `failing_checks`), by which of our rules that shows
(`violated`), and where the two come from. `options` are the entity's: a file without a header needs telling.

Of `spec-orders-latest-orders` upstream expects the query alone to fail, as its tool does not look at `format`; but the
standard has it, and the ids of that file are no UUIDs.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from judging import judged
from pyspark.sql import SparkSession

from sluis import landing
from sluis.contract import reading, source

FOLDER = Path(__file__).parents[1] / "data" / "pairs"
with (FOLDER / "EXPECT.tsv").open(newline="") as lines:
    PAIRS = {row["pair"]: row for row in csv.DictReader(lines, delimiter="\t")}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair(classic_spark: SparkSession, pair: str) -> None:
    row = PAIRS[pair]
    contract = reading.read(FOLDER / f"{pair}.yaml", f"{pair}.yaml", row["object"])
    names = [column.name for column in contract.columns]
    options = json.loads(row["options"] or "{}")
    found = landing.read(classic_spark, str(FOLDER / f"{pair}.csv"), columns=names, options=options)
    results = judged(found.frame, contract)
    violated = [rule for rule in contract.rules if results[rule.id]["outcome"] == "violated"]
    assert [rule.id for rule in violated] == row["violated"].split()
    assert not [rule.id for rule in contract.rules if results[rule.id]["outcome"] == "error"]
    severities = {rule.severity for rule in violated}
    assert row["expected"] == ("fail" if "error" in severities else "warning" if severities else "pass")


STOCK = FOLDER.parent / "examples" / "contracts" / "stock_last_sales.yaml"
GOOD = "1234567890123,5,2024-02-25T16:16:30.171798,2024-03-25T16:16:30.171807"


def broken(spark: SparkSession, file: Path, *lines: str) -> list[tuple[str, int]]:
    """The rules that rows of the mission's DCS contract break, and how often."""
    contract = reading.read(STOCK, STOCK.name)
    names = [column.name for column in contract.columns]
    file.write_text("\n".join([",".join(names), *lines]) + "\n")
    results = judged(landing.read(spark, str(file), columns=names).frame, contract)
    return [
        (rule.id, results[rule.id]["unexpected"]) for rule in contract.rules if results[rule.id]["outcome"] != "held"
    ]


def test_the_missions_own_examples_are_only_too_few(classic_spark: SparkSession, tmp_path: Path) -> None:
    [example] = source.read(STOCK, STOCK.name).document["examples"]
    _, *lines = example["data"].split()
    assert len(lines) == 10
    assert broken(classic_spark, tmp_path / "stock.csv", *lines) == [("articles.row_count", 1)]


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        (",5,2024-02-25T16:16:30,2024-03-25T16:16:30", {"articles.sku.required"}),
        ("1234567,5,,2024-03-25T16:16:30", {"articles.sku.pattern", "articles.sku.min_length"}),
        ("123456789012345,5,,2024-03-25T16:16:30", {"articles.sku.pattern", "articles.sku.max_length"}),
        ("ABC-12345,5,,2024-03-25T16:16:30", {"articles.sku.pattern"}),
        ("ABC12345,,,2024-03-25T16:16:30", {"articles.quantity.required"}),
        ("ABC12345,1.5,,2024-03-25T16:16:30", {"articles.quantity.type"}),
        ("ABC12345,0,,2024-03-25T16:16:30", {"articles.quantity.minimum"}),
        ("ABC12345,5,yesterday,2024-03-25T16:16:30", {"articles.last_sale_timestamp.type"}),
        ("ABC12345,5,,", {"articles.processing_timestamp.required"}),
        ("ABC12345,5,,2024-02-30T00:00:00", {"articles.processing_timestamp.type"}),
    ],
)
def test_each_violation_is_named_once(classic_spark: SparkSession, tmp_path: Path, line: str, rules: set[str]) -> None:
    found = broken(classic_spark, tmp_path / "stock.csv", GOOD, line)
    assert found == [(rule, 1) for rule, _ in found]
    assert {rule for rule, _ in found} == {*rules, "articles.row_count"}


def test_a_key_that_stands_twice_is_named_once(classic_spark: SparkSession, tmp_path: Path) -> None:
    assert broken(classic_spark, tmp_path / "stock.csv", GOOD, GOOD) == [
        ("articles.primary_key", 2),
        ("articles.row_count", 1),
    ]
