"""What a table has that a contract may want otherwise: columns, layout, properties, constraints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sluis.table import Target, TargetColumn, schema, translate
from sluis.table.names import quote_table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CHECK = "delta.constraints."
_KEY = re.compile(r"(PRIMARY|FOREIGN) KEY\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Existing:
    """A Delta table as it is."""

    columns: tuple[TargetColumn, ...]
    """Its columns, in its order."""

    comment: str = ""
    """Its comment."""

    properties: Mapping[str, str] = field(default_factory=dict)
    """Its properties, constraints left out."""

    checks: Mapping[str, str] = field(default_factory=dict)
    """Name of a CHECK constraint → its condition, as Delta keeps it."""

    keys: Mapping[str, str] = field(default_factory=dict)
    """Name of a primary or foreign key → its text, as Unity Catalog shows it."""

    partition_columns: tuple[str, ...] = ()
    """What it is partitioned by."""

    cluster_columns: tuple[str, ...] = ()
    """What it is clustered by."""


def existing(spark: SparkSession, target: Target) -> Existing | None:
    """Look at the table; None when there is none.

    Raises:
        SchemaError: the name belongs to something else than a Delta table.
        EnvironmentFailure: the catalog cannot be asked.
    """
    with translate.environment(target):
        state = schema.find(spark, target)
        if state is None:
            return None
        detail = spark.sql(f"DESCRIBE DETAIL {quote_table(target.name)}").collect()[0].asDict()
        shown = spark.sql(f"DESCRIBE TABLE EXTENDED {quote_table(target.name)}").collect()
    properties = dict(detail.get("properties") or {})
    return Existing(
        columns=state.columns,
        comment=detail.get("description") or "",
        properties={key: value for key, value in properties.items() if not key.startswith(_CHECK)},
        checks={key.removeprefix(_CHECK): value for key, value in properties.items() if key.startswith(_CHECK)},
        keys={line.col_name: line.data_type for line in shown if _KEY.match(line.data_type or "")},
        partition_columns=tuple(detail.get("partitionColumns") or ()),
        cluster_columns=tuple(detail.get("clusteringColumns") or ()),
    )
