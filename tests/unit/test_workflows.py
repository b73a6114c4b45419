"""The workflows of GitHub Actions: they are well formed, may do no more than they need, and name what exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import click
import yaml

from sluis.cli import main

ROOT = Path(__file__).parents[2]
FILES = {file.stem: file for file in sorted((ROOT / ".github/workflows").glob("*.yml"))}
WORKFLOWS: dict[str, dict[str, Any]] = {name: yaml.safe_load(file.read_text()) for name, file in FILES.items()}
BUNDLE = yaml.safe_load((ROOT / "databricks.yml").read_text())

GRANTED = {"contracts.diff": {"pull-requests": "write"}, "deploy.deploy": {"id-token": "write"}}
"""What a job may do beside reading the repository."""


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, workflow in WORKFLOWS.items():
        for job, content in workflow["jobs"].items():
            yield f"{name}.{job}", content


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in jobs():
        yield from ((name, step) for step in job.get("steps", ()))


def commands() -> Iterator[list[str]]:
    """The commands that steps and the script of every push run, as words."""
    scripts = [step["run"] for _, step in steps() if "run" in step]
    scripts.append((ROOT / ".ci/run").read_text())
    for script in scripts:
        for line in script.splitlines():
            if not line.startswith("#"):
                yield shlex.split(line.partition(" | ")[0].partition(" 2>")[0]) if "'" not in line else []


def of(*first: str) -> list[list[str]]:
    """Those that start so, without it."""
    found = [words[len(first) :] for words in commands() if tuple(words[: len(first)]) == first]
    assert found, first
    return found


def test_github_accepts_them() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, *FILES.values()], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert set(FILES) >= {"ci", "contracts", "slow", "deploy"}


def test_they_may_do_no_more_than_they_need() -> None:
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in WORKFLOWS.values())
    granted = {name: job["permissions"] for name, job in jobs() if "permissions" in job}
    assert granted == {name: {"contents": "read", **more} for name, more in GRANTED.items()}


def test_actions_are_pinned_and_of_few_makers() -> None:
    used = {step["uses"] for _, step in steps() if "uses" in step}
    pinned = re.compile(r"(actions/[a-z-]+|astral-sh/setup-uv|databricks/setup-cli)@v\d+(\.\d+)*")
    assert used and [action for action in used if not pinned.fullmatch(action)] == []


def test_called_workflows_can_be_called() -> None:
    called = [job["uses"] for _, job in jobs() if "uses" in job]
    assert called == ["./.github/workflows/ci.yml"]
    # YAML 1.1 reads the key `on` as true.
    assert "workflow_call" in WORKFLOWS["ci"][True]  # type: ignore[index]


def test_no_text_of_others_becomes_a_command() -> None:
    assert [step["run"] for _, step in steps() if "${{" in step.get("run", "")] == []


def test_every_job_ends() -> None:
    assert [name for name, job in jobs() if "uses" not in job and "timeout-minutes" not in job] == []
    assert dict(jobs())["ci.test"]["timeout-minutes"] <= 25


def test_pythons_are_those_that_the_libraries_know() -> None:
    versions = dict(jobs())["ci.test"]["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13"]
    for library in ("pyspark", "great_expectations"):
        known = metadata(library).get_all("Classifier") or []
        assert [each for each in versions if f"Programming Language :: Python :: {each}" not in known] == []


def test_scripts_and_habits_exist() -> None:
    habits = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {habit for words in of("make") for habit in words} <= habits
    assert [words for words in of("bash") if not (ROOT / words[0]).is_file()] == []


def test_commands_of_ours_are_understood() -> None:
    for words in of("sluis"):
        group = click.Context(main, help_option_names=["-h", "--help"])
        name, command, rest = main.resolve_command(group, words)
        assert command is not None
        command.make_context(name, list(rest), parent=group)


def test_the_bundle_has_what_is_deployed() -> None:
    job = dict(jobs())["deploy.deploy"]
    chosen = set(re.findall(r"'([a-z]+)'", job["env"]["TARGET"])) - {"release"}
    assert chosen == {"staging", "prod"} <= set(BUNDLE["targets"])
    assert job["environment"] == job["env"]["TARGET"] == job["concurrency"].removeprefix("deploy-")
    variables = [name.removeprefix("BUNDLE_VAR_") for name in job["env"] if name.startswith("BUNDLE_VAR_")]
    unset = {name for name, variable in BUNDLE["variables"].items() if "default" not in variable}
    assert set(variables) >= unset and set(variables) <= set(BUNDLE["variables"])
    files = [yaml.safe_load(file.read_text()) for pattern in BUNDLE["include"] for file in ROOT.glob(pattern)]
    names = {name for file in files for name in file["resources"].get("jobs", {})}
    assert {words[0] for words in of("databricks", "bundle", "run")} <= names
    assert [words[0] for words in of("databricks", "bundle")] == ["validate", "deploy", "run"]


def test_what_is_uploaded_is_written() -> None:
    for name, step in steps():
        if "upload-artifact" in step.get("uses", ""):
            job = dict(jobs())[name]
            makers = [job.get("env", {}).get("PYTEST_ADDOPTS", ""), *(each.get("run", "") for each in job["steps"])]
            assert any(step["with"]["path"] in maker for maker in makers), name


def test_the_comment_of_a_pull_request(tmp_path: Path) -> None:
    (step,) = [step for _, step in steps() if step.get("id") == "diff"]
    (tmp_path / "contracts").mkdir()
    for file in (file for file in (ROOT / "contracts").iterdir() if file.suffix in (".json", ".yaml")):
        (tmp_path / "contracts" / file.name).write_bytes(file.read_bytes())
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@x"]
    for words in (["init", "-qb", "main"], ["add", "."], ["commit", "-qm", "one"], ["branch", "origin/main"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    contract = tmp_path / "contracts/customers.json"
    contract.write_text(contract.read_text().replace('"nullable": false', '"nullable": true'))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "BASE": "origin/main", "GITHUB_STEP_SUMMARY": "summary.md"},
        check=False,
        capture_output=True,
        text=True,
    )
    comment = (tmp_path / "contracts.md").read_text()
    assert (done.returncode, done.stderr) == (1, "")
    assert comment.startswith("## Contracts\n\n1 of 3 contracts changed since origin/main; 1 breaking")
    assert "| ❌ breaking | rule removed | customers.country.required |" in comment
    assert (tmp_path / "summary.md").read_text() == comment
    assert "<failure" in (tmp_path / "contracts.xml").read_text()
