"""What the table tests share: one fresh table, written and read in few words."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from sluis import table
from sluis.table import Commit, Receipt, Refusal, Target, TargetColumn

ID = TargetColumn(name="id", type="INT", nullable=False, comment="the customer's number")
NAME = TargetColumn(name="name", type="STRING")
DDL = "id int, name string"


@dataclass(frozen=True)
class File:
    path: str
    size: int = 10
    modified: str = "2026-11-30T13:00:00.000Z"


@dataclass
class Bench:
    """One target table of its own."""

    spark: SparkSession
    folder: Path
    columns: tuple[TargetColumn, ...] = (ID, NAME)
    name: str = field(default_factory=lambda: f"spark_catalog.table_tests.t{uuid.uuid4().hex[:10]}")

    @property
    def location(self) -> str:
        return str(self.folder / self.name)

    def target(self, mode: str, **more: Any) -> Target:
        given: dict[str, Any] = {"name": self.name, "columns": self.columns, "location": self.location, **more}
        if mode == "merge":
            given.setdefault("merge_key", ("id",))
        return Target(mode=mode, **given)  # type: ignore[arg-type]

    def rows(self, *rows: tuple[Any, ...], ddl: str = DDL) -> DataFrame:
        return self.spark.createDataFrame(list(rows), ddl)

    def write(
        self,
        mode: str,
        *rows: tuple[Any, ...],
        frame: DataFrame | None = None,
        files: tuple[File, ...] = (),
        confirm: Callable[[], str | None] = lambda: None,
        run_id: str | None = None,
        **more: Any,
    ) -> Receipt | Refusal:
        sources = [vars(file) for file in files]
        commit = Commit(run_id=run_id or uuid.uuid4().hex, metadata={"sources": sources})
        given = self.rows(*rows) if frame is None else frame
        return table.write(self.spark, lambda: (given, confirm), self.target(mode, **more), commit)

    def sql(self, statement: str) -> list[Any]:
        return self.spark.sql(statement.format(t=self.name)).collect()

    def content(self) -> list[tuple[Any, ...]]:
        return sorted(tuple(row) for row in self.spark.table(self.name).collect())

    def version(self) -> int:
        return int(self.sql("DESCRIBE HISTORY {t} LIMIT 1")[0].version)

    def receipt(
        self, mode: str, before: int | None, after: int, inserted: int, updated: int = 0, **more: Any
    ) -> Receipt:
        return Receipt(
            table=self.name,
            location=f"file:{self.location}",
            mode=mode,  # type: ignore[arg-type]
            version_before=before,
            version_after=after,
            rows_written=inserted + updated,
            rows_inserted=inserted,
            rows_updated=updated,
            **more,
        )
