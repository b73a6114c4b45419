"""The `gx/` folder: the same bytes everywhere, no leftovers, nobody else's files touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from sluis import workspace
from sluis.cli import main

ENTITY = {"source": "in.csv", "target": "main.demo.t", "format": "csv", "mode": "overwrite"}


def contract(name: str = "c", **keys: Any) -> dict[str, Any]:
    columns = [
        {"name": "id", "type": "long", "minimum": 0.0},
        {"name": "naïve 名", "type": "string", "enum": ["é", "😀"]},
    ]
    return {"contract_name": name, "version": "1", "columns": columns, **keys}


def project(root: Path, *entities: str, **contracts: dict[str, Any]) -> Path:
    """A project whose entity `x` or `x-more` has the contract `x`."""
    folder = root / "contracts"
    folder.mkdir(exist_ok=True)
    lines = {name: {**ENTITY, "contract": f"contracts/{name.partition('-')[0]}.json"} for name in entities}
    (folder / "entities.json").write_text(json.dumps(lines), "utf-8")
    for name in entities:
        stem = name.partition("-")[0]
        (folder / f"{stem}.json").write_text(json.dumps(contracts.get(stem, contract(stem))), "utf-8")
    return root


def generate(root: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["generate", "--project", str(root), *options])
    return done.exit_code, done.output


def content(root: Path) -> dict[str, bytes]:
    gx = root / "gx"
    return {str(file.relative_to(gx)): file.read_bytes() for file in sorted(gx.rglob("*")) if file.is_file()}


def test_what_is_generated(tmp_path: Path) -> None:
    assert generate(project(tmp_path, "a", "a-daily"))[0] == 0
    assert list(content(tmp_path)) == [
        "checkpoints/a-daily.json",
        "checkpoints/a-daily_table.json",
        "checkpoints/a.json",
        "checkpoints/a_table.json",
        "expectations/a.json",
        "expectations/a_table.json",
        "great_expectations.yml",
        "validation_definitions/a-daily.json",
        "validation_definitions/a-daily_table.json",
        "validation_definitions/a.json",
        "validation_definitions/a_table.json",
    ]


def test_the_order_of_entities_and_keys_does_not_matter(tmp_path: Path) -> None:
    generate(project(tmp_path, "a", "b", "b-2"))
    first = content(tmp_path)
    project(tmp_path, "b-2", "b", "a", a=dict(reversed(contract("a").items())))
    assert generate(tmp_path) == (0, "")
    assert content(tmp_path) == first


def test_the_machine_does_not_matter(tmp_path: Path) -> None:
    generate(project(tmp_path, "a", "b"))
    first = content(tmp_path)
    for seed, language, zone in [("1", "tr_TR.UTF-8", "Asia/Kathmandu"), ("2", "C", "America/New_York")]:
        for file in (tmp_path / "gx").rglob("*.*"):
            file.unlink()
        settings = {"PYTHONHASHSEED": seed, "LANG": language, "LC_ALL": language, "TZ": zone, "PYTHONUTF8": "0"}
        command = [sys.executable, "-c", "from sluis.cli import main; main()", "generate", "--project", str(tmp_path)]
        subprocess.run(command, env={**os.environ, **settings}, check=True, capture_output=True)
        assert content(tmp_path) == first


def test_no_path_of_the_machine_is_written(tmp_path: Path) -> None:
    generate(project(tmp_path, "a"))
    assert not [name for name, written in content(tmp_path).items() if str(tmp_path).encode() in written]


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    generate(project(tmp_path, "a"))
    times = {file: file.stat().st_mtime_ns for file in (tmp_path / "gx").rglob("*")}
    assert generate(tmp_path) == (0, "")
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "gx").rglob("*")} == times


def test_files_of_what_vanished_go_too(tmp_path: Path) -> None:
    generate(project(tmp_path, "a", "b"))
    code, output = generate(project(tmp_path, "a"))
    assert code == 0
    assert output.splitlines() == [
        "removed gx/checkpoints/b.json",
        "removed gx/checkpoints/b_table.json",
        "removed gx/expectations/b.json",
        "removed gx/expectations/b_table.json",
        "written gx/great_expectations.yml",
        "removed gx/validation_definitions/b.json",
        "removed gx/validation_definitions/b_table.json",
    ]
    assert not [name for name in content(tmp_path) if "b" in Path(name).stem.split("_")]


def test_the_files_of_a_person_stay(tmp_path: Path) -> None:
    generate(project(tmp_path, "a"))
    theirs = {
        "expectations/mine.json": b'{"name": "mine", "id": "5b8f0f51-0000-4000-8000-000000000000"}',
        "expectations/broken.json": b"{",
        "expectations/latin.json": b'{"name": "\xe9"}',
        "expectations/list.json": b"[]",
        "checkpoints/copy.json": (tmp_path / "gx/checkpoints/a.json").read_bytes(),
        "plugins/code.py": b"",
        "README.md": b"mine",
    }
    for name, written in theirs.items():
        (tmp_path / "gx" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "gx" / name).write_bytes(written)
    assert generate(tmp_path, "--check") == (0, "gx/ is what the contracts compile to.\n")
    assert generate(tmp_path) == (0, "")
    assert {name: written for name, written in content(tmp_path).items() if name in theirs} == theirs


# --check.


def test_check_shows_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    generate(project(tmp_path, "a"))
    before = content(tmp_path)
    project(tmp_path, "a", a=contract("a", version="2"))
    done = CliRunner().invoke(main, ["generate", "--check", "--project", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr == "gx/ is stale in 2 file(s). Hint: run `sluis generate`.\n"
    lines = done.stdout.splitlines()
    assert lines[:2] == ["--- gx/expectations/a.json", "+++ gx/expectations/a.json (from the contract)"]
    assert '-    "contract_version": "1",' in lines
    assert '+    "contract_version": "2",' in lines
    assert content(tmp_path) == before


def test_check_of_an_empty_project_shows_every_file_as_new_but_not_endlessly(tmp_path: Path) -> None:
    code, output = generate(project(tmp_path, "a"), "--check")
    assert code == 2
    assert "--- /dev/null\n+++ gx/checkpoints/a.json (from the contract)\n" in output
    assert " more lines\n" in output
    assert not (tmp_path / "gx").exists()


def test_check_shows_what_would_be_removed(tmp_path: Path) -> None:
    generate(project(tmp_path, "a", "b"))
    code, output = generate(project(tmp_path, "a"), "--check")
    assert code == 2
    assert "--- gx/checkpoints/b.json\n+++ /dev/null\n" in output


@pytest.mark.parametrize("spoil", [lambda text: text.replace(b"\n", b"\r\n"), lambda text: b"\xff" + text])
def test_check_says_so_when_no_line_shows_the_difference(tmp_path: Path, spoil: Any) -> None:
    generate(project(tmp_path, "a"))
    file = tmp_path / "gx/checkpoints/a.json"
    file.write_bytes(spoil(file.read_bytes()))
    code, output = generate(tmp_path, "--check")
    assert code == 2
    assert "gx/checkpoints/a.json" in output
    assert generate(tmp_path) == (0, "written gx/checkpoints/a.json\n")


# What is in it.


@pytest.mark.parametrize("name", ["1e3", "0o7", "0x1F", "1_000", "null", "true", "no", "-", "---", "12", "2020-01-01"])
def test_gx_reads_an_entitys_name_as_text(tmp_path: Path, name: str) -> None:
    from ruamel.yaml import YAML

    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts/c.json").write_text(json.dumps(contract()), "utf-8")
    (tmp_path / "contracts/entities.json").write_text(json.dumps({name: {**ENTITY, "contract": "contracts/c.json"}}))
    assert generate(tmp_path)[0] == 0
    written = (tmp_path / "gx/great_expectations.yml").read_text("utf-8")
    for read in (yaml.safe_load, YAML(typ="safe").load):
        assert list(read(written)["fluent_datasources"]["landing"]["assets"]) == [name, f"{name}_table"]


def test_everything_that_is_named_is_there(tmp_path: Path) -> None:
    generate(project(tmp_path, "a"))
    files = {name: json.loads(written) for name, written in content(tmp_path).items() if name.endswith(".json")}
    config = yaml.safe_load(content(tmp_path)["great_expectations.yml"])
    validation, checkpoint = files["validation_definitions/a.json"], files["checkpoints/a.json"]
    suite = files["expectations/a.json"]
    assert validation["suite"] == {"name": suite["name"], "id": suite["id"]}
    assert checkpoint["validation_definitions"] == [{"name": validation["name"], "id": validation["id"]}]
    source = config["fluent_datasources"]["landing"]
    asset = source["assets"]["a"]
    batch = asset["batch_definitions"]["whole_frame"]
    assert validation["data"] == {
        "datasource": {"name": "landing", "id": source["id"]},
        "asset": {"name": "a", "id": asset["id"]},
        "batch_definition": {"name": "whole_frame", "id": batch["id"]},
    }
    assert [action["type"] for action in checkpoint["actions"]] == ["sluis_delta_write", "sluis_publish_docs"]
    assert config["config_version"] == 4.0
    assert not config["analytics_enabled"]


def test_entities_of_one_contract_share_its_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = workspace.open_workspace(project(tmp_path, "a", "a-1", "a-2", "b"))
    calls: list[str] = []
    real = workspace.project.suites

    def counted(contract: Any, name: str) -> Any:
        calls.append(name)
        return real(contract, name)

    monkeypatch.setattr(workspace.project, "suites", counted)
    opened.generated()
    assert calls == ["a", "b"]


# Cheap to start.

HEAVY = ("great_expectations", "pyspark", "delta", "pandas", "numpy", "databricks", "jinja2", "rich")


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["--help"], ("jsonschema", "yaml", "sluis.workspace")),
        (["generate"], ()),
        (["generate", "--check"], ()),
        (["lint"], ()),
    ],
)
def test_what_a_command_does_not_import(tmp_path: Path, arguments: list[str], more: tuple[str, ...]) -> None:
    root = project(tmp_path, "a")
    generate(root)
    options = [] if arguments == ["--help"] else ["--project", str(root)]
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
        "from sluis.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments, *options], capture_output=True, text=True, check=True
    )
    assert not {*HEAVY, *more} & set(done.stderr.split())
