"""Contract → suite, byte for byte.

To accept a change: `SLUIS_UPDATE_GOLDEN=1 pytest tests/golden`, then review the diff and commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sluis.contract import native
from sluis.suite.compile import suites, text

REPO = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent


@pytest.mark.parametrize("name", ["customers", "transactions"])
def test_a_contract_compiles_to_these_bytes(name: str) -> None:
    contract = native.read(REPO / f"contracts/{name}.json", f"contracts/{name}.json")
    for suite in suites(contract, name):
        file = GOLDEN / f"{suite['name']}.json"
        if os.environ.get("SLUIS_UPDATE_GOLDEN"):
            file.write_bytes(text(suite).encode())
        assert text(suite).encode() == file.read_bytes()
