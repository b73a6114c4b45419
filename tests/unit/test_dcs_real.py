"""DCS documents that people have published (`SOURCES.tsv`: where from, under which licence, and what becomes of them).

The column `refused` gives the reason for those that are not read. Where the official schema calls one of these valid,
the reason is that the contract holds nothing that data could be held against: no `models`, or checks in a file that
was not published with it.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sluis.contract import reading
from sluis.contract.model import Contract
from sluis.errors import ContractError

FOLDER = Path(__file__).parents[1] / "data" / "contracts" / "dcs"
with (FOLDER / "SOURCES.tsv").open(newline="") as lines:
    SOURCES = {row["file"]: row for row in csv.DictReader(lines, delimiter="\t")}

REASONS = (
    "$: there are no `models`, so there is nothing to hold data against.",
    "is not there (",
)


def test_every_document_is_listed() -> None:
    assert set(SOURCES) == {path.name for path in FOLDER.glob("*.yaml")}


@pytest.mark.parametrize("file", SOURCES)
def test_a_document_is_read_or_refused_for_a_reason(file: str) -> None:
    row = SOURCES[file]
    try:
        contracts = read(file)
    except ContractError as broken:
        problems = [f"{problem.path}: {problem.message}" for problem in broken.problems]
        assert "; ".join(problems) == row["refused"]
        assert row["official_schema"] != "valid" or any(reason in row["refused"] for reason in REASONS)
        return
    assert not row["refused"]
    unsupported = [entry.path for contract in contracts for entry in contract.ledger if entry.status == "unsupported"]
    assert " ".join(dict.fromkeys(unsupported)) == row["unsupported"]
    for contract in contracts:
        assert len({rule.id for rule in contract.rules}) == len(contract.rules)
        assert (row["official_schema"] == "valid") == (
            not any(entry.warning for entry in contract.ledger)
        ) or old_quality(contract)


def old_quality(contract: Contract) -> bool:
    """Whether the document has a `quality` that its version of the standard no longer has, and does not forbid."""
    return any(entry.path == "$.quality" and entry.warning for entry in contract.ledger)


def read(file: str) -> list[Contract]:
    opened = reading.open_document(FOLDER / file, file)
    return [opened.read(name) for name in opened.names]
