"""`sluis convert` from the command line; what it writes is tested in tests/unit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sluis.cli import main

CONTRACTS = Path(__file__).parents[1] / "data/examples/contracts"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(CONTRACTS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def convert(*arguments: str) -> Result:
    done = CliRunner().invoke(main, ["convert", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_a_native_contract() -> None:
    done = convert("customers.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:6] == [
        "# Converted from customers.json (native) by sluis convert.",
        "apiVersion: v3.2.0",
        "kind: DataContract",
        "id: customers",
        "name: customers",
        'version: "1.0"',
    ]


def test_what_is_lost_is_listed(root: Path) -> None:
    done = convert("stock_last_sales.yaml", "--object", "articles", "-o", "out.yaml")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "Not carried over:",
        "  $.terms.billing",
        "  $.terms.noticePeriod",
        "  $.servicelevels.frequency.type",
        "  $.servicelevels.frequency.cron",
        "  $.examples",
    ]
    again = CliRunner().invoke(main, ["diff", "stock_last_sales.yaml", "out.yaml"])
    assert again.stdout.endswith("\nNothing differs.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope.json"], "nope.json: $: cannot be read (No such file or directory)."),
        (["stock_last_sales.yaml", "--object", "x"], "it has no object `x`. Allowed: `articles`."),
        (["HEAD:x.yaml"], "is in no git repository"),
    ],
)
def test_what_cannot_be_converted(arguments: list[str], message: str) -> None:
    done = convert(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_file_that_cannot_be_written() -> None:
    done = convert("customers.json", "-o", "no/such/folder.yaml")
    assert done.exit_code == 3
    assert "No such file or directory" in done.stderr
