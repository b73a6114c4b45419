"""The bundle's jobs as Databricks would start them: parameters resolved, tasks by their entry points, one by one."""

from __future__ import annotations

import importlib
import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from projects import Project

from sluis import session
from sluis.table.names import local_folder

ROOT = Path(__file__).parents[2]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


@dataclass(frozen=True, kw_only=True)
class Deployed:
    """This repository's contracts and jobs, deployed to a folder; its tables are in a schema of the test's."""

    project: Project
    patch: pytest.MonkeyPatch
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in ("contracts", "gx"):
            shutil.copytree(ROOT / folder, self.files / folder)
        bundle = yaml.safe_load((ROOT / "databricks.yml").read_text())
        self.variables.update({name: variable.get("default", "") for name, variable in bundle["variables"].items()})
        self.variables.update(
            catalog="spark_catalog",
            schema=self.project.schema,
            landing_volume=str(self.project.root / "raw"),
            docs_volume=str(self.project.state),
        )

    @property
    def files(self) -> Path:
        """Where the bundle's files are."""
        return self.project.root / "files"

    def table(self, name: str) -> str:
        return f"spark_catalog.{self.project.schema}.{name}"

    def fill(self, name: str, rows: str) -> None:
        """Replace a table that others write by the rows of a query."""
        spark = self.project.spark
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {self.project.schema}")
        place = local_folder(self.project.state / "warehouse", self.table(name))
        location = "" if session.is_connect(spark) else f"LOCATION '{place}'"
        spark.sql(f"CREATE OR REPLACE TABLE {self.table(name)} USING delta {location} AS {rows}")

    def run(self, job: str, task: str, parameters: Mapping[str, str] | None = None) -> None:
        """Start a task of a job as the bundle says; it returns, or raises what Databricks would show."""
        stated = self._job(job)
        given = {each["name"]: each["default"] for each in stated.get("parameters", [])} | dict(parameters or {})
        [one] = [each for each in stated["tasks"] if each["task_key"] == task]
        wheel = one["python_wheel_task"]
        module, _, function = SCRIPTS[wheel["entry_point"]].partition(":")
        arguments = [self._resolved(text, given) for text in wheel["parameters"]]
        self.patch.setattr("sys.argv", [wheel["entry_point"], *arguments])
        getattr(importlib.import_module(module), function)()

    def tasks(self, job: str) -> list[str]:
        return [each["task_key"] for each in self._job(job)["tasks"]]

    def _job(self, job: str) -> dict[str, Any]:
        jobs = [yaml.safe_load(file.read_text())["resources"].get("jobs", {}) for file in ROOT.glob("jobs/*.yml")]
        found: dict[str, Any] = next(each[job] for each in jobs if job in each)
        return found

    def _resolved(self, text: str, given: Mapping[str, str]) -> str:
        known = {f"var.{name}": value for name, value in self.variables.items()}
        known["workspace.file_path"] = str(self.files)
        text = re.sub(r"\$\{([^}]+)\}", lambda found: known[found[1]], text)
        return re.sub(r"\{\{job\.parameters\.(\w+)\}\}", lambda found: given[found[1]], text)
