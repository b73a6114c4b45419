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
from sluis.contract import reading

FOLDER = Path(__file__).parents[1] / "data" / "pairs"
with (FOLDER / "EXPECT.tsv").open(newline="") as lines:
    PAIRS = {row["pair"]: row for row in csv.DictReader(lines, delimiter="\t")}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair(spark: SparkSession, pair: str) -> None:
    row = PAIRS[pair]
    contract = reading.read(FOLDER / f"{pair}.yaml", f"{pair}.yaml", row["object"])
    names = [column.name for column in contract.columns]
    options = json.loads(row["options"] or "{}")
    found = landing.read(spark, str(FOLDER / f"{pair}.csv"), columns=names, options=options)
    results = judged(found.frame, contract)
    violated = [rule for rule in contract.rules if results[rule.id]["outcome"] == "violated"]
    assert [rule.id for rule in violated] == row["violated"].split()
    assert not [rule.id for rule in contract.rules if results[rule.id]["outcome"] == "error"]
    severities = {rule.severity for rule in violated}
    assert row["expected"] == ("fail" if "error" in severities else "warning" if severities else "pass")
