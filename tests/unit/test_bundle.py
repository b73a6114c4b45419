"""The Databricks bundle: what it says is known there, and whatever it names exists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from databricks.bundles.apps import App
from databricks.bundles.jobs import Job, Task

from sluis import config
from sluis.cli import task
from sluis.cli.options import variables_of
from sluis.report import volume
from stock_last_sales import task as product

ROOT = Path(__file__).parents[2]
BUNDLE = yaml.safe_load((ROOT / "databricks.yml").read_text())
FILES = sorted(file for pattern in BUNDLE["include"] for file in ROOT.glob(pattern))


def resources(kind: str) -> dict[str, tuple[Path, dict[str, Any]]]:
    read = {file: yaml.safe_load(file.read_text())["resources"] for file in FILES}
    return {name: (file, one) for file, found in read.items() for name, one in found.get(kind, {}).items()}


JOBS, APPS = resources("jobs"), resources("apps")
DOCUMENTS = {"bundle": BUNDLE, **{name: one for name, (_, one) in {**JOBS, **APPS}.items()}}
KNOWN = {"workspace.file_path", "bundle.name", "bundle.target", *(f"var.{name}" for name in BUNDLE["variables"])}


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value


def test_there_are_jobs_and_the_app() -> None:
    assert set(JOBS) >= {"gate", "gate_on_cluster", "gate_on_arrival", "stock_last_sales"}
    assert set(APPS) == {"data_docs"}


@pytest.mark.parametrize("name", JOBS)
def test_databricks_own_model_knows_every_field(name: str) -> None:
    job = Job.from_dict(JOBS[name][1])
    assert job.tasks
    assert job.max_concurrent_runs == 1 and job.queue, "runs on one table wait for each other"


def test_a_field_that_databricks_does_not_know_would_be_found() -> None:
    with pytest.raises(ValueError, match="Unexpected field"):
        Task.from_dict({"task_key": "a", "nope": 1})


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_every_variable_exists_and_is_used(document: dict[str, Any]) -> None:
    assert {name for text in texts(document) for name in re.findall(r"\$\{([^}]+)\}", text)} <= KNOWN
    everywhere = " ".join(text for each in DOCUMENTS.values() for text in texts(each))
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


def commands() -> dict[str, Callable[[list[str]], tuple[click.Command, list[str]]]]:
    """Entry point → what finds the command for its parameters."""
    return {"sluis-task": task.chosen, "stock-last-sales": lambda given: (product.command, given)}


@pytest.mark.parametrize("name", JOBS)
def test_the_tasks_parameters_are_understood(name: str) -> None:
    job = JOBS[name][1]
    given = {each["name"]: each["default"] for each in job.get("parameters", [])}
    for one in job["tasks"]:
        arguments = [
            re.sub(r"\{\{job\.parameters\.(\w+)\}\}", lambda found: given[found[1]], text)
            for text in one["python_wheel_task"]["parameters"]
        ]
        command, rest = commands()[one["python_wheel_task"]["entry_point"]](arguments)
        params = command.make_context("task", rest).params
        assert params["state"] == "${var.docs_volume}"
        settings = config.read(ROOT, environment=params["environment"], variables=variables_of(params["variables"]))
        named = params.get("entities") or [params.get("name", command.name)]
        assert params.get("every") or set(named) <= set(settings.raw)
        # Each variable is one that the entities need; what they need and is not given has a value in the environment.
        needed = {found for raw in settings.raw.values() for found in re.findall(r"\$\{(\w+)\}", str(raw))}
        assert {text.partition("=")[0] for text in params["variables"]} <= needed


def test_the_product_is_made_once_a_day_step_by_step() -> None:
    job = JOBS["stock_last_sales"][1]
    assert job["schedule"] == {"quartz_cron_expression": "0 0 0 * * ?", "timezone_id": "Europe/Amsterdam"}
    keys = [one["task_key"] for one in job["tasks"]]
    assert keys == ["create_table", "transform", "contract_test", "publish_metadata"]
    waits = [[each["task_key"] for each in one.get("depends_on", [])] for one in job["tasks"]]
    assert waits == [[], *([key] for key in keys[:-1])]


def values(target: str) -> dict[str, str]:
    """The variables of a target, by the names that documents call them."""
    stated = {name: variable.get("default") for name, variable in BUNDLE["variables"].items()}
    stated |= (BUNDLE["targets"][target] or {}).get("variables", {})
    return {"bundle.target": target, **{f"var.{name}": value for name, value in stated.items()}}


@pytest.mark.parametrize("target", BUNDLE["targets"])
def test_the_app_runs_on_what_exists_and_may_only_read_its_volume(target: str) -> None:
    file, written = APPS["data_docs"]
    known = values(target)
    filled = re.sub(r"\$\{([^}]+)\}", lambda found: known[found[1]], yaml.safe_dump(written))
    app = App.from_dict(yaml.safe_load(filled))
    assert re.fullmatch(r"[a-z0-9-]{2,30}", str(app.name))
    source = (file.parent / str(app.source_code_path)).resolve()
    assert not [name for name in ("requirements.txt", "pyproject.toml") if (source / name).exists()]
    assert app.config is not None and not isinstance(app.config, str)
    python, as_module, module, *arguments = app.config.command
    assert (python, as_module) == ("python", "-m")
    assert (source / f"{str(module).replace('.', '/')}.py").is_file()
    [place] = arguments
    [resource] = app.as_dict()["resources"]
    assert volume.is_volume(place)
    assert resource["uc_securable"] == {
        "securable_type": "VOLUME",
        "securable_full_name": ".".join(place.split("/")[2:5]),
        "permission": "READ_VOLUME",
    }


def test_the_jobs_keep_their_reports_where_the_app_looks() -> None:
    given = [one["python_wheel_task"]["parameters"] for _, job in JOBS.values() for one in job["tasks"]]
    kept = {parameters[parameters.index("--state") + 1] for parameters in given if "--state" in parameters}
    assert kept == {APPS["data_docs"][1]["config"]["command"][-1]}
