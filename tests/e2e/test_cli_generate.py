"""`sluis generate` as a command: what it prints, how it ends, and that it can be run from anywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "data/examples"
SLUIS = Path(sys.executable).with_name("sluis")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The mission's own project."""
    shutil.copytree(EXAMPLES / "contracts", tmp_path / "contracts")
    shutil.copy(EXAMPLES / "entities.json", tmp_path / "contracts")
    return tmp_path


def generate(*options: str, here: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([SLUIS, "generate", *options], cwd=here, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done


def test_a_project_is_generated_checked_and_changed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = generate(here=root)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines() == [
        "written gx/checkpoints/customers.json",
        "written gx/checkpoints/customers_table.json",
        "written gx/checkpoints/customers_update.json",
        "written gx/checkpoints/customers_update_table.json",
        "written gx/expectations/customers.json",
        "written gx/expectations/customers_table.json",
        "written gx/great_expectations.yml",
        "written gx/validation_definitions/customers.json",
        "written gx/validation_definitions/customers_table.json",
        "written gx/validation_definitions/customers_update.json",
        "written gx/validation_definitions/customers_update_table.json",
    ]
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    fresh = generate("--check", "--project", str(root), here=elsewhere)
    assert (fresh.returncode, fresh.stdout, fresh.stderr) == (0, "gx/ is what the contracts compile to.\n", "")
    contract = root / "contracts/customers.json"
    contract.write_text(contract.read_text("utf-8").replace('"1.0"', '"1.1"'), "utf-8")
    stale = generate("--check", here=root)
    assert stale.returncode == 2
    assert '+    "contract_version": "1.1",\n' in stale.stdout
    assert stale.stderr == "gx/ is stale in 2 file(s). Hint: run `sluis generate`.\n"
    assert generate(here=root).returncode == 0
    assert generate("--check", here=root).returncode == 0


def test_a_broken_contract_leaves_what_was_generated(root: Path) -> None:
    generate(here=root)
    before = {file: file.read_bytes() for file in (root / "gx").rglob("*.json")}
    contract = root / "contracts/customers.json"
    document = json.loads(contract.read_bytes())
    contract.write_text(json.dumps({**document, "primary_key": ["customer"], "ownr": "x"}), "utf-8")
    for options in ([], ["--check"]):
        done = generate(*options, here=root)
        assert (done.returncode, done.stdout) == (2, "")
        assert [line.split(": ")[1] for line in done.stderr.splitlines()] == ["$.ownr", "$.primary_key"]
    assert {file: file.read_bytes() for file in (root / "gx").rglob("*.json")} == before


def test_a_gx_folder_that_cannot_be_written(root: Path) -> None:
    (root / "gx").write_text("a file, not a folder", "utf-8")
    done = generate(here=root)
    assert done.returncode == 3
    assert done.stderr.endswith(": Not a directory\n")
