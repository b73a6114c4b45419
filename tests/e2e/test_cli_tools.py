"""The commands about contracts, one after the other as a person would use them, on a real file and a real table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sluis.cli import main

ROWS = ["order_id,country,amount", *(f"{n},{['NL', 'DE'][n % 2]},{n}.50" for n in range(1000, 1020))]


def sluis(*arguments: str) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    return done


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "orders.csv").write_text("\n".join(ROWS) + "\n")
    (tmp_path / "more.csv").write_text("\n".join([*ROWS, "1020,BE,1.5"]) + "\n")
    (tmp_path / "broken.csv").write_text("a,b\n1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_a_file_to_a_table(root: Path) -> None:
    made = sluis("infer", "orders.csv", "-o", "contracts/orders.odcs.yaml")
    assert (made.exit_code, made.output) == (0, "")
    text = (root / "contracts/orders.odcs.yaml").read_text()
    assert text.startswith(
        "# A first contract, made by sluis infer from orders.csv (20 rows). So few rows prove little.\n"
    )
    assert "      # no two rows share it here: is it the key?\n      - name: order_id\n" in text
    assert "        enum:\n          - {value: DE}\n          - {value: NL}\n" in text

    native = sluis("infer", "orders.csv", "--format", "native")
    assert json.loads(native.stdout)["primary_key"] == ["order_id"]
    assert "amount: the native format has no exact decimals, so it is a double" in native.stderr

    refused = sluis("infer", "broken.csv")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "rows do not fit the header" in refused.stderr
    assert sluis("infer", "nope.csv").exit_code == 3
    assert sluis("infer", "orders.csv", "--option", "sepp=;").exit_code == 2

    # A country more, and the contract is another.
    (root / "wider.yaml").write_text(text.replace("{value: NL}", "{value: NL}\n          - {value: BE}"))
    wider = sluis("diff", "contracts/orders.odcs.yaml", "wider.yaml", "--replay", "more.csv", "orders.csv", "--json")
    found = json.loads(wider.stdout)
    assert (wider.exit_code, found["breaking"]) == (1, 1)
    assert [(one["passed_before"], one["passes_now"]) for one in found["replays"]] == [(False, True), (True, True)]
    back = sluis("diff", "wider.yaml", "contracts/orders.odcs.yaml", "--replay", "more.csv")
    assert back.exit_code == 0
    assert "more.csv: 21 rows; passed before, rejected now" in back.stdout

    entity = {"source": "orders.csv", "target": "spark_catalog.shop.orders", "format": "csv", "mode": "overwrite"}
    entities = {"orders": {**entity, "contract": "contracts/orders.odcs.yaml"}}
    (root / "contracts/entities.json").write_text(json.dumps(entities))
    absent = sluis("ddl", "orders", "--against-table")
    assert absent.exit_code == 0
    assert absent.stdout.startswith("-- spark_catalog.shop.orders is not there; this makes it as ")
    assert sluis("generate").exit_code == 0
    ran = sluis("run", "orders")
    assert ran.exit_code == 0, ran.output
    there = sluis("ddl", "orders", "--against-table")
    assert there.exit_code == 0
    assert [line for line in there.stdout.splitlines() if line.startswith("-- constraint")] == [
        "-- constraint sluis_country__enum"
    ]
