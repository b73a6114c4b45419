"""A small project per test, run through the pipeline on either engine."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from pyspark.sql import SparkSession

import sluis
from sluis import pipeline, session, workspace
from sluis.course import Options

Record = dict[str, Any]

_SCHEMA = json.loads((Path(sluis.__file__).parent / "evidence.schema.json").read_text())
EVIDENCE = Draft202012Validator(_SCHEMA)


@dataclass(kw_only=True)
class Project:
    """A project folder with one contract and as many entities as a test asks for."""

    root: Path
    spark: SparkSession
    schema: str = field(default_factory=lambda: f"t_{uuid.uuid4().hex[:12]}")

    def __post_init__(self) -> None:
        # As in a workspace: Sluis makes schemas only where it keeps the tables itself.
        if session.is_connect(self.spark):
            self.spark.sql(f"CREATE SCHEMA {self.schema}")

    @property
    def state(self) -> Path:
        return self.root / ".sluis"

    @property
    def table(self) -> str:
        return f"spark_catalog.{self.schema}.goods"

    def contract(self, *columns: dict[str, Any], **more: Any) -> None:
        document = {"contract_name": "goods", "version": "1.0", "columns": list(columns), **more}
        (self.root / "contracts").mkdir(exist_ok=True)
        (self.root / "contracts/goods.json").write_text(json.dumps(document))

    def entity(self, name: str = "goods", **more: Any) -> None:
        path = self.root / "contracts/entities.json"
        entities = json.loads(path.read_text()) if path.exists() else {}
        defaults = {"source": f"{self.root}/goods.csv", "target": self.table, "format": "csv", "mode": "overwrite"}
        entities[name] = {**defaults, "contract": "contracts/goods.json", **more}
        path.write_text(json.dumps(entities))
        self.generate()

    def generate(self) -> None:
        workspace.generate(workspace.open_workspace(self.root))

    def land(self, *lines: str, name: str = "goods.csv") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("".join(f"{line}\n" for line in lines).encode())
        return path

    def run(self, entity: str = "goods", **options: Any) -> Record:
        opened = workspace.open_workspace(self.root)
        chosen = Options(state=options.pop("state", self.state), **options)
        return valid(pipeline.run(opened, opened.settings.entity(entity), chosen))

    def rows(self, columns: str = "*") -> list[tuple[Any, ...]]:
        return sorted((tuple(row) for row in self.spark.table(self.table).selectExpr(columns).collect()), key=repr)

    def version(self) -> int | None:
        if not self.spark.catalog.tableExists(self.table):
            return None
        history = self.spark.sql(f"DESCRIBE HISTORY {self.table}")
        return max(row["version"] for row in history.collect())


def valid(record: Record) -> Record:
    """The record, which is as the schema in the package says."""
    EVIDENCE.validate(record)
    return record


def broken(record: Record) -> dict[str, int]:
    """Rules of a record that do not hold, with the number of rows that break them."""
    return {
        rule["id"].removeprefix("goods."): rule["unexpected"] for rule in record["rules"] if rule["outcome"] != "held"
    }
