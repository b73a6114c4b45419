"""`sluis ddl` from the command line; what the statements do is tested in tests/spark."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sluis.cli import main

EXAMPLES = Path(__file__).parents[1] / "data/examples"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(EXAMPLES / "contracts", tmp_path / "contracts")
    shutil.copy(EXAMPLES / "entities.json", tmp_path / "contracts")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ddl(*arguments: str) -> Result:
    done = CliRunner().invoke(main, ["ddl", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_an_entity(root: Path) -> None:
    entities = json.loads((root / "contracts/entities.json").read_bytes())
    done = ddl("customers")
    assert done.exit_code == 0
    assert (
        f"-- {entities['customers']['target']}, made as contracts/customers.json (version 1.0) wants it" in done.stdout
    )
    assert done.stdout.count("CREATE TABLE IF NOT EXISTS") == 1
    assert "OR REPLACE" not in done.stdout


def test_a_contract() -> None:
    assert "CREATE TABLE IF NOT EXISTS `customers` (" in ddl("contracts/customers.json").stdout
    assert "`main`.`s`.`t` (" in ddl("contracts/customers.json", "--table", "main.s.t").stdout


def test_the_dialect() -> None:
    assert "  PRIMARY KEY (`customer_id`)\n) USING delta" in ddl("customers", "--dialect", "unity").stdout
    plain = ddl("customers", "--dialect", "delta").stdout
    assert "-- left out: primary key (customer_id): only Unity Catalog takes it" in plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["nope"],
            "nope: $: this is neither an entity of the project nor the file of a contract. Allowed: `customers`",
        ),
        (["nope.json#x"], "this is neither an entity"),
        (["contracts/entities.json"], "contracts/entities.json: $"),
        (["customers", "--var", "x"], "is not NAME=VALUE"),
        (["contracts/customers.json", "--against-table"], "Say --table SCHEMA.TABLE"),
        (["contracts/stock_last_sales.yaml#x"], "it has no object `x`"),
    ],
)
def test_what_cannot_be_made(arguments: list[str], message: str) -> None:
    done = ddl(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
