"""The Databricks bundle: what it says is known there, and whatever it names exists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from databricks.bundles.jobs import Job, Task

from sluis import config
from sluis.cli import task

ROOT = Path(__file__).parents[2]
BUNDLE = yaml.safe_load((ROOT / "databricks.yml").read_text())
FILES = sorted(file for pattern in BUNDLE["include"] for file in ROOT.glob(pattern))
JOBS = {
    name: (file, job) for file in FILES for name, job in yaml.safe_load(file.read_text())["resources"]["jobs"].items()
}
KNOWN = {"workspace.file_path", "bundle.name", "bundle.target", *(f"var.{name}" for name in BUNDLE["variables"])}


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value


def test_there_are_jobs() -> None:
    assert set(JOBS) >= {"gate", "gate_on_cluster", "gate_on_arrival"}


@pytest.mark.parametrize("name", JOBS)
def test_databricks_own_model_knows_every_field(name: str) -> None:
    job = Job.from_dict(JOBS[name][1])
    assert job.tasks
    assert job.max_concurrent_runs == 1 and job.queue, "runs on one table wait for each other"


def test_a_field_that_databricks_does_not_know_would_be_found() -> None:
    with pytest.raises(ValueError, match="Unexpected field"):
        Task.from_dict({"task_key": "a", "nope": 1})


@pytest.mark.parametrize("document", [BUNDLE, *(job for _, job in JOBS.values())], ids=["bundle", *JOBS])
def test_every_variable_exists_and_is_used(document: dict[str, Any]) -> None:
    assert {name for text in texts(document) for name in re.findall(r"\$\{([^}]+)\}", text)} <= KNOWN
    everywhere = " ".join(text for each in (BUNDLE, *(job for _, job in JOBS.values())) for text in texts(each))
    assert [name for name in BUNDLE["variables"] if f"${{var.{name}}}" not in everywhere] == []


@pytest.mark.parametrize("name", JOBS)
def test_tasks_name_what_exists(name: str) -> None:
    file, job = JOBS[name]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    environments = {each["environment_key"]: each["spec"]["dependencies"] for each in job.get("environments", [])}
    clusters = {each["job_cluster_key"] for each in job.get("job_clusters", [])}
    for one in job["tasks"]:
        wheel = one["python_wheel_task"]
        assert wheel["package_name"] == "sluis" and wheel["entry_point"] in scripts
        installed = environments.get(one.get("environment_key")) or [each["whl"] for each in one["libraries"]]
        assert [(file.parent / path).resolve() for path in installed] == [ROOT / "dist/*.whl"]
        assert "environment_key" in one or one["job_cluster_key"] in clusters


@pytest.mark.parametrize("name", JOBS)
def test_the_tasks_parameters_are_understood(name: str) -> None:
    job = JOBS[name][1]
    given = {each["name"]: each["default"] for each in job["parameters"]}
    for one in job["tasks"]:
        arguments = [
            re.sub(r"\{\{job\.parameters\.(\w+)\}\}", lambda found: given[found[1]], text)
            for text in one["python_wheel_task"]["parameters"]
        ]
        context = task.command.make_context("task", arguments)
        assert isinstance(context, click.Context)
        entities, every = context.params["entities"], context.params["every"]
        assert bool(entities) != every
        settings = config.read(ROOT, environment=context.params["environment"])
        assert set(entities) <= set(settings.raw)
        assert {text.partition("=")[0] for text in context.params["variables"]} <= {"catalog", "raw"}
