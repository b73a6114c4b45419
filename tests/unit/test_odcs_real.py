"""ODCS documents that people have published (`SOURCES.tsv`: where from, under which licence, and what becomes of them).

The column `refused` gives the reason for those that are not read; files that start with `invalid-` are wrong according
to those who published them. The official schema calls some of the others valid all the same: then there is nothing
that data could be held against, or a reference that leads nowhere, which a schema cannot see.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest

from sluis.contract import reading
from sluis.contract.model import Contract
from sluis.errors import ContractError
from sluis.suite.compile import suites

FOLDER = Path(__file__).parents[1] / "data" / "contracts" / "odcs"
with (FOLDER / "SOURCES.tsv").open(newline="") as lines:
    SOURCES = {row["file"]: row for row in csv.DictReader(lines, delimiter="\t")}

REASONS = (
    "$: there is no `schema`, so there is nothing to hold data against.",
    "has no columns, so there is nothing to hold data against.",
)


def contracts(file: str) -> list[Contract]:
    opened = reading.open_document(FOLDER / file, file)
    return [opened.read(name) for name in opened.names]


def test_every_document_is_listed() -> None:
    assert set(SOURCES) == {path.name for path in FOLDER.glob("*.yaml")}


@pytest.mark.parametrize("file", SOURCES)
def test_a_document_is_read_or_refused_for_a_reason(file: str) -> None:
    row = SOURCES[file]
    try:
        read = contracts(file)
    except ContractError as broken:
        problems = [f"{problem.path}: {problem.message}" for problem in broken.problems]
        assert "; ".join(problems) == row["refused"]
        is_wrong = file.startswith("invalid-") or row["official_schema"] != "valid"
        assert is_wrong or any(reason in row["refused"] for reason in REASONS)
        return
    assert not row["refused"]
    assert not file.startswith("invalid-")
    unsupported = [entry.path for contract in read for entry in contract.ledger if entry.status == "unsupported"]
    assert " ".join(dict.fromkeys(unsupported)) == row["unsupported"]
    for contract in read:
        suites(contract, "real")
        assert len({rule.id for rule in contract.rules}) == len(contract.rules)
        # What departs from its schema and is read all the same is warned of.
        assert row["official_schema"] != "invalid" or any(entry.warning for entry in contract.ledger)


def test_a_long_contract_is_read_fast() -> None:
    [file] = [file for file in SOURCES if "adventureworks" in file]
    assert (FOLDER / file).read_text("utf-8").count("\n") > 5000
    start = time.process_time()
    read = contracts(file)
    for contract in read:
        suites(contract, contract.object)
    assert len(read) == 68
    assert time.process_time() - start < 3
