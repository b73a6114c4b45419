"""`sluis lint` on projects that people may have: exit codes, one line per problem, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sluis.cli import main

EXAMPLES = Path(__file__).parents[1] / "data/examples"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mission's own project."""
    monkeypatch.delenv("DATABRICKS_RUNTIME_VERSION", raising=False)
    shutil.copytree(EXAMPLES / "contracts", tmp_path / "contracts")
    shutil.copy(EXAMPLES / "entities.json", tmp_path / "contracts")
    return tmp_path


def sluis(command: str, root: Path, *options: str) -> Result:
    """A command; anything but a deliberate exit is a failure of the test."""
    done = CliRunner().invoke(main, [command, "--project", str(root), *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    return done


def problems(done: Result) -> list[str]:
    """The problems of a listing, without what they allow."""
    lines = done.stdout.splitlines()
    return [line.partition(" Allowed")[0] for line in lines if not line.startswith("  ") and not line.endswith(":")]


def edit(file: Path, **keys: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **keys}), "utf-8")


def test_the_missions_project_is_sound(root: Path) -> None:
    done = sluis("lint", root, "--strict")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("contracts/customers.json:\n  documentation $.contract_name\n")
    assert "  enforced      $.columns[0].nullable  (rule customers.customer_id.required)\n" in done.stdout
    assert done.stdout.endswith("No problems.\n")


def test_json_is_one_object(root: Path) -> None:
    done = sluis("lint", root, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found["problems"] == []
    assert {entry["status"] for entry in found["ledger"]["contracts/customers.json"]} == {"documentation", "enforced"}


def test_problems_go_to_the_listing_and_end_in_2(root: Path) -> None:
    edit(root / "contracts/customers.json", colums=[], version=1)
    done = sluis("lint", root)
    assert done.exit_code == 2
    assert problems(done) == [
        "contracts/customers.json: $.version: found a number 1.",
        "contracts/customers.json: $.colums: unknown key `colums`.",
    ]
    found = json.loads(sluis("lint", root, "--json").stdout)
    assert [problem["path"] for problem in found["problems"]] == ["$.version", "$.colums"]


def edit_contract(root: Path, contract: str) -> None:
    entities = json.loads((root / "contracts/entities.json").read_bytes())
    edit(root / "contracts/entities.json", customers={**entities["customers"], "contract": contract})


BAD_PROJECTS = {
    "missing folder": lambda root: shutil.rmtree(root),
    "empty folder": lambda root: shutil.rmtree(root / "contracts"),
    "no entities": lambda root: (root / "contracts/entities.json").unlink(),
    "entities is a folder": lambda root: ((root / "contracts/entities.json").unlink(), (root / "contracts/entities.json").mkdir()),
    "entities is a loop": lambda root: ((root / "contracts/entities.json").unlink(), os.symlink("entities.json", root / "contracts/entities.json")),
    "contract is a folder": lambda root: ((root / "contracts/customers.json").unlink(), (root / "contracts/customers.json").mkdir()),
    "malformed entities": lambda root: (root / "contracts/entities.json").write_text("{"),
    "malformed contract": lambda root: (root / "contracts/customers.json").write_text("{]"),
    "entities is a list": lambda root: (root / "contracts/entities.json").write_text("[]"),
    "no entity": lambda root: (root / "contracts/entities.json").write_text("{}"),
    "binary contract": lambda root: (root / "contracts/customers.json").write_bytes(bytes(range(256))),
    "empty contract": lambda root: (root / "contracts/customers.json").write_text(""),
    "deep contract": lambda root: (root / "contracts/customers.json").write_text("[" * 100_000),
    "malformed environments": lambda root: (root / "contracts/environments.json").write_text("nope"),
    "a name with NUL": lambda root: (root / "contracts/entities.json").write_text(json.dumps({"a": {"source": "x", "target": "a.b.c", "format": "csv", "mode": "append", "contract": "a\0b"}})),
    "a YAML file that is no contract": lambda root: ((root / "contracts/x.yaml").write_text("swagger: '2.0'"), edit_contract(root, "contracts/x.yaml")),
    "YAML that is broken": lambda root: ((root / "contracts/x.yaml").write_text("a: [\n\tb"), edit_contract(root, "contracts/x.yaml")),
    "an object that is not there": lambda root: edit_contract(root, "contracts/customers.json#x"),
    "a YAML contract that is not there": lambda root: edit_contract(root, "contracts/x.odcs.yaml#o"),
}  # fmt: skip


@pytest.mark.parametrize("spoil", BAD_PROJECTS.values(), ids=BAD_PROJECTS)
@pytest.mark.parametrize("command", ["lint", "generate"])
def test_a_project_that_cannot_be_read(root: Path, spoil: Any, command: str) -> None:
    spoil(root)
    done = sluis(command, root)
    assert done.exit_code == 2
    said, silent = (done.stdout, done.stderr) if command == "lint" else (done.stderr, done.stdout)
    assert said.startswith(("contracts/", "$"))
    assert not [
        line for line in said.splitlines() if ": $" not in line and not line.startswith("  ") and line[-1] != ":"
    ]
    assert silent == ""
    assert not (root / "gx").exists()


def test_a_variable_without_value(root: Path) -> None:
    entities = json.loads((root / "contracts/entities.json").read_bytes())
    edit(root / "contracts/entities.json", customers={**entities["customers"], "source": "${raw}/c.csv"})
    assert "`raw` has no value in the environment `local`" in sluis("lint", root).stdout
    assert sluis("lint", root, "--var", "raw=/data").exit_code == 0
    (root / "contracts/environments.json").write_text(json.dumps({"prod": {"raw": "/x"}}), "utf-8")
    assert sluis("lint", root, "--env", "prod").exit_code == 0
    unknown = sluis("lint", root, "--env", "test")
    assert unknown.exit_code == 2
    assert "there is no environment `test`. Allowed: `prod`." in unknown.stdout


@pytest.mark.parametrize("given", ["raw", "=x", ""])
def test_a_var_that_is_no_pair(root: Path, given: str) -> None:
    done = sluis("lint", root, "--var", given)
    assert done.exit_code == 2
    assert "is not NAME=VALUE" in done.stderr


def test_a_var_may_hold_anything(root: Path) -> None:
    assert sluis("lint", root, "--var", "raw=a=b ${c}", "--var", "x=").exit_code == 0


def test_a_project_that_is_a_file(root: Path) -> None:
    done = sluis("lint", root / "contracts/customers.json")
    assert done.exit_code == 2
    assert "is a file" in done.stderr


@pytest.mark.parametrize("arguments", [["nope"], ["lint", "--nope"], ["generate", "surplus"], []])
def test_a_command_line_that_makes_no_sense(arguments: list[str]) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("Usage: ")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["lint", "-h"], ["generate", "--help"], ["--version"]])
def test_help(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, arguments).exit_code == 0


# Contracts in the open standards.

SHOP = """
apiVersion: v3.0.2
kind: DataContract
id: shop
version: 1.0.0
status: active
team: {name: Sales}
schema:
  - name: orders
    properties:
      - {name: id, logicalType: integer, primaryKey: true}
      - {name: at, logicalType: date, quality: [{type: custom, engine: dqx, implementation: x}]}
  - name: line items
    properties:
      - {name: id, logicalType: integer, primaryKey: true}
"""


@pytest.fixture
def shop(root: Path) -> Path:
    """A project whose contract has two objects."""
    (root / "contracts/shop.odcs.yaml").write_text(SHOP, "utf-8")
    entity = {"source": "o.csv", "target": "main.demo.orders", "format": "csv", "mode": "overwrite"}
    entities = {
        "orders": {**entity, "contract": "contracts/shop.odcs.yaml#orders"},
        "items": {**entity, "target": "main.demo.items", "contract": "contracts/shop.odcs.yaml#line items"},
    }
    (root / "contracts/entities.json").write_text(json.dumps(entities), "utf-8")
    return root


def test_an_odcs_contract_lints_with_its_warnings(shop: Path) -> None:
    done = sluis("lint", shop)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "contracts/shop.odcs.yaml#orders:\n" in done.stdout
    assert (
        "  enforced      $.schema[0].properties[0].primaryKey  (rules orders.id.required, orders.primary_key)\n"
        in done.stdout
    )
    assert "  documentation $.team  (warning: of a later version of ODCS than the contract names; " in done.stdout
    found = json.loads(sluis("lint", shop, "--json").stdout)
    assert [entry["path"] for entry in found["ledger"]["contracts/shop.odcs.yaml#orders"] if entry["warning"]] == [
        "$.team"
    ]
    assert [name for name in found["notices"] if "shop" in name] == [
        "contracts/shop.odcs.yaml#line items",
        "contracts/shop.odcs.yaml#orders",
    ]


def test_strict_refuses_what_nothing_enforces(shop: Path) -> None:
    done = sluis("lint", shop, "--strict")
    assert done.exit_code == 2
    assert done.stdout.splitlines()[-1] == (
        "contracts/shop.odcs.yaml: $.schema[0].properties[1].quality[0]: "
        'nothing enforces this: Sluis does not run the engine "dqx".'
    )


def test_each_object_has_suites_of_its_own(shop: Path) -> None:
    assert sluis("generate", shop).exit_code == 0
    made = {path.name for path in (shop / "gx/expectations").glob("*.json")}
    assert {"shop-orders.json", "shop-orders_table.json"} < made
    assert len(made) == 4
    assert sluis("generate", shop, "--check").exit_code == 0


def test_an_entity_that_does_not_say_which_object(shop: Path) -> None:
    entities = json.loads((shop / "contracts/entities.json").read_bytes())
    edit(shop / "contracts/entities.json", orders={**entities["orders"], "contract": "contracts/shop.odcs.yaml"})
    done = sluis("lint", shop)
    assert done.exit_code == 2
    assert done.stdout.splitlines()[-1] == (
        "contracts/shop.odcs.yaml: $: it holds 2 objects. Allowed: `orders`, `line items`. "
        "Hint: name one, as `contracts/shop.odcs.yaml#orders`."
    )


def test_what_is_wrong_with_a_document_is_told_once(shop: Path) -> None:
    file = shop / "contracts/shop.odcs.yaml"
    file.write_text(SHOP.replace("status: active", "state: active"), "utf-8")
    done = sluis("lint", shop)
    assert done.exit_code == 2
    assert problems(done) == [
        "contracts/shop.odcs.yaml: $: `status` is missing.",
        "contracts/shop.odcs.yaml:6:1: $.state: unknown key `state`.",
    ]


# Contracts that no entity names.


def test_contracts_that_no_entity_names_are_linted_too(shop: Path) -> None:
    entities = json.loads((shop / "contracts/entities.json").read_bytes())
    (shop / "contracts/entities.json").write_text(json.dumps({"orders": entities["orders"]}), "utf-8")
    (shop / "contracts/old").mkdir()
    (shop / "contracts/old/x.yml").write_text(SHOP.replace("logicalType: date", "logicalType: day"), "utf-8")
    (shop / "contracts/old/y.json").write_text(json.dumps({"checks": []}), "utf-8")
    (shop / "contracts/z.yaml").write_text("- [", "utf-8")
    done = sluis("lint", shop)
    assert done.exit_code == 2
    assert "contracts/shop.odcs.yaml#line items:\n" in done.stdout
    assert "contracts/old/y.json:\n  no contract; it was left alone\n" in done.stdout
    assert [line.partition(": ")[0] for line in problems(done)] == [
        "contracts/old/x.yml:12:20",
        "contracts/z.yaml:2:1",
    ]
    assert json.loads(sluis("lint", shop, "--json").stdout)["others"] == ["contracts/old/y.json"]


def test_without_entities_contracts_are_linted_all_the_same(root: Path) -> None:
    (root / "contracts/entities.json").unlink()
    done = sluis("lint", root)
    assert done.exit_code == 2
    assert "contracts/customers.json:\n" in done.stdout
    assert [line.partition(": ")[0] for line in problems(done)] == ["contracts/entities.json"]


def lint(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["lint", *arguments])


def test_single_contracts(shop: Path, tmp_path: Path) -> None:
    file = str(shop / "contracts/shop.odcs.yaml")
    both, one = lint(file), lint(f"{file}#orders")
    assert [line for line in both.stdout.splitlines() if line.endswith(":")] == [
        f"{file}#orders:",
        f"{file}#line items:",
    ]
    assert [line for line in one.stdout.splitlines() if line.endswith(":")] == [f"{file}#orders:"]
    assert (both.exit_code, one.exit_code, lint("--strict", file).exit_code) == (0, 0, 2)
    assert "it has no object `ordres`" in lint(f"{file}#ordres").stdout
    assert lint(str(tmp_path / "nope.yaml")).exit_code == 2


def test_the_contracts_of_a_folder(shop: Path) -> None:
    done = lint(str(shop / "contracts"))
    assert done.exit_code == 0
    assert f"{shop}/contracts/entities.json:\n  no contract; it was left alone\n" in done.stdout
    assert f"{shop}/contracts/customers.json:\n" in done.stdout
