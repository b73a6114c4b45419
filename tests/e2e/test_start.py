"""What the README tells a new team to do, done in an empty folder; and what else it shows besides sessions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def section(title: str) -> str:
    return README.split(f"\n{title}\n")[1].split("\n## ")[0]


def blocks(text: str, language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(block) for _, block in found]


def test_a_new_team_starts_in_three_steps(tmp_path: Path) -> None:
    told = section("## Start with your own contracts")
    (tmp_path / "orders.csv").write_text("order_id,amount,ordered\n1,9.50,2026-01-05\n2,12.00,2026-01-06\n")
    first, last = blocks(told, "sh")
    (entities,) = blocks(told, "json")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def done(commands: str) -> str:
        ran = subprocess.run(
            ["bash", "-ec", commands],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    done(first)
    (tmp_path / "contracts/entities.json").write_text(entities)
    assert "✓ orders: PASSED" in done(last)


def test_the_ten_minutes_use_what_exists() -> None:
    told = section("## On Databricks")
    commands = "".join(blocks(told, "sh"))
    bundle = yaml.safe_load((ROOT / "databricks.yml").read_text())
    variables = {name: variable.get("default", "") for name, variable in bundle["variables"].items()}
    roots = (variables["landing_volume"], variables["docs_volume"])
    for volume in re.findall(r"/Volumes/[\w/.]+", told):
        assert volume.startswith(roots), volume
    for catalog, schema, volume in re.findall(r"volumes create (\w+) (\w+) (\w+) MANAGED", commands):
        assert f"/Volumes/{catalog}/{schema}/{volume}" in roots
    samples = re.findall(r"contracts/samples[\w./]*", commands)
    assert samples and all((ROOT / sample).exists() for sample in samples)
    assert all(name in variables for name in re.findall(r"BUNDLE_VAR_(\w+)", commands))
    targets = set(re.findall(r"-t (\w+)", told))
    assert targets and targets <= set(bundle["targets"])
    entities = (ROOT / "contracts/entities.json").read_text()
    assert all(f'"{name}"' in entities for name in re.findall(r"entity=(\w+)", told))
    resources = [yaml.safe_load(file.read_text())["resources"] for file in (ROOT / "jobs").glob("*.yml")]
    names = {name for each in resources for kind in each.values() for name in kind}
    assert set(re.findall(r"bundle run (\w+)", told)) <= names


def test_the_rejection_is_told_as_the_session_shows_it() -> None:
    (shown,) = re.findall(r"its page says why: `(.*?)`", section("## On Databricks"))
    assert f"\n{shown}\n" in section("## Try it")


def test_the_picture_shows_the_house_as_it_is_linted() -> None:
    (picture,) = re.findall(r"```\n(.*?)```", section("## How it is built"), re.DOTALL)
    shown = [set(re.split(r"  +", line)[0].split(" · ")) for line in picture.splitlines()]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert shown == [{name.removeprefix("sluis.") for name in layer.split(" | ")} for layer in layers]
    for name in set().union(*shown):
        places = (f"src/sluis/{name}.py", f"src/sluis/{name}", f"src/{name}")
        assert any((ROOT / place).exists() for place in places), name
