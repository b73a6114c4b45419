"""The table as it is against the table as the contract wants it: find, compare, create, evolve."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sluis.errors import EnvironmentFailure, SchemaError
from sluis.table import statements, translate
from sluis.table.faults import conditions
from sluis.table.model import Target, TargetColumn
from sluis.table.names import literal, quote_table, unquoted, unsupported_names

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

BUILT_IN_CATALOGS = frozenset({"spark_catalog", "hive_metastore"})
ABSENT = frozenset({"TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND"})
SAME_TYPE = {"integer": "int", "long": "bigint", "short": "smallint", "byte": "tinyint", "real": "float",
             "numeric": "decimal", "dec": "decimal", "timestamp_ltz": "timestamp"}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TableState:
    """An existing Delta table."""

    location: str
    """Where its files are."""

    columns: tuple[TargetColumn, ...]
    """Its columns, in its order."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


def find(spark: SparkSession, target: Target) -> TableState | None:
    """The target as it is now; None when there is no such table.

    Raises:
        SchemaError: the name belongs to a view or to a table that is not Delta.
        EnvironmentFailure: the name belongs to a table in another folder than the target's.
    """
    state = _describe(spark, target)
    if state is None and _has_delta_log(target.location):
        _register(spark, target)
        state = _describe(spark, target)
    return state


def check(spark: SparkSession, target: Target) -> TableState | None:
    """Compare the table with the contract, changing nothing.

    Returns:
        The table as it is; None when the first write will create it.

    Raises:
        SchemaError: they differ in a way that may not be evolved; names every difference with both sides.
    """
    with translate.environment(target):
        state = find(spark, target)
    missing(state, target)
    return state


def missing(state: TableState | None, target: Target, extra: tuple[str, ...] = ()) -> tuple[TargetColumn, ...]:
    """The columns that the table has yet to be given, once everything else is known to agree.

    Args:
        state: the table; None when there is none yet.
        target: the contract's side.
        extra: columns that the rows carry beyond the contract; text, and nullable.
    """
    wanted = (*target.columns, *(TargetColumn(name=name, type="STRING") for name in extra))
    problems = [f"column {name!r}: {reason}" for name, reason in unsupported_names(column.name for column in wanted)]
    absent: tuple[TargetColumn, ...] = wanted
    if state is not None:
        found = {column.name.lower(): column for column in state.columns}
        absent = tuple(column for column in wanted if column.name.lower() not in found)
        problems += [_difference(column, found.get(column.name.lower()), target) for column in wanted]
        problems += _unexplained(state, target, {column.name.lower() for column in wanted})
    lines = [f"- {problem}" for problem in problems if problem]
    if lines:
        raise SchemaError(f"Table {target.name} and its contract differ:\n" + "\n".join(lines))
    return absent


def create(spark: SparkSession, target: Target, columns: tuple[TargetColumn, ...]) -> None:
    """Create the empty table with these columns."""
    make_room(spark, target)
    spark.sql(statements.create(target, columns, keys=_takes_keys(spark, target)))


def make_room(spark: SparkSession, target: Target) -> None:
    """Make the schema of a table that is kept locally, and the folder free; elsewhere the catalog's owners do that."""
    if target.location:
        _create_schema(spark, target)
        _sweep(Path(_folder(target.location)))


def evolve(spark: SparkSession, target: Target, columns: tuple[TargetColumn, ...]) -> None:
    """Give the table these nullable columns."""
    for statement in statements.add_columns(target.name, columns):
        spark.sql(statement)


def normal_type(text: str) -> str:
    """One spelling per Spark type, so that contract and catalog can be compared."""
    squeezed = re.sub(r"\s+", "", unquoted(text)).lower()
    head, bracket, rest = squeezed.partition("(")
    head = SAME_TYPE.get(head, head)
    if head == "decimal":
        rest = rest or "10,0)"
        return f"decimal({rest}" if "," in rest else f"decimal({rest[:-1]},0)"
    return head + bracket + rest


def _describe(spark: SparkSession, target: Target) -> TableState | None:
    from pyspark.errors import AnalysisException

    table = quote_table(target.name)
    try:
        lines = spark.sql(f"DESCRIBE TABLE EXTENDED {table}").collect()
    except AnalysisException as error:
        if ABSENT & set(conditions(error)):
            return None
        raise
    facts, types = _facts(lines)
    _require_delta(target, facts)
    _require_location(target, facts.get("Location", ""))
    fields = spark.table(table).schema.fields
    columns = tuple(
        TargetColumn(
            name=field.name,
            type=types.get(field.name, field.dataType.simpleString()),
            nullable=field.nullable,
            comment=field.metadata.get("comment"),
        )
        for field in fields
    )
    return TableState(location=facts.get("Location", target.location or ""), columns=columns)


def _facts(lines: list[Row]) -> tuple[dict[str, str], dict[str, str]]:
    """DESCRIBE prints the columns, then a headline without a type, then facts by name."""
    facts: dict[str, str] = {}
    types: dict[str, str] = {}
    below = False
    for line in lines:
        below = below or (not line.data_type and line.col_name.startswith("#"))
        if line.data_type:
            (facts if below else types).setdefault(line.col_name, line.data_type)
    return facts, types


def _require_delta(target: Target, facts: dict[str, str]) -> None:
    if "VIEW" in facts.get("Type", "").upper():
        raise SchemaError(f"{target.name} is a view; Sluis writes tables.")
    provider = facts.get("Provider", "").lower()
    if provider != "delta":
        raise SchemaError(f"{target.name} is a table of format {provider or 'unknown'!r}; Sluis writes Delta tables.")


def _require_location(target: Target, actual: str) -> None:
    if target.location and _folder(actual) != _folder(target.location):
        raise EnvironmentFailure(f"{target.name} is at {actual} in this session, and not at {target.location}.")


def _folder(location: str) -> str:
    return str(Path(re.sub(r"^file:/+", "/", location)).resolve())


def _has_delta_log(location: str | None) -> bool:
    # A process that died before its first commit leaves an empty log: that is no table yet.
    return location is not None and any(Path(_folder(location), "_delta_log").glob("*.json"))


def _sweep(folder: Path) -> None:
    """Remove the empty log that a process left when it died in `CREATE TABLE`; Delta refuses such a folder."""
    log = folder / "_delta_log"
    if not log.is_dir() or [entry for entry in folder.iterdir() if entry != log]:
        return
    if not any(entry.suffix in {".json", ".parquet"} for entry in log.rglob("*")):
        shutil.rmtree(log)


def _register(spark: SparkSession, target: Target) -> None:
    # Without Hive the catalog of a local session is lost with its process; the folder is the table.
    _create_schema(spark, target)
    location = literal(target.location or "")
    spark.sql(f"CREATE TABLE IF NOT EXISTS {quote_table(target.name)} USING delta LOCATION {location}")


def _create_schema(spark: SparkSession, target: Target) -> None:
    spark.sql(f"CREATE SCHEMA IF NOT EXISTS {quote_table(target.name.rpartition('.')[0])}")


def _takes_keys(spark: SparkSession, target: Target) -> bool:
    """Only Unity Catalog takes informational keys; its metastore function tells it apart."""
    catalog = target.name.split(".")[0] if target.name.count(".") == 2 else "spark_catalog"
    return catalog not in BUILT_IN_CATALOGS and spark.catalog.functionExists("current_metastore")


def _difference(wanted: TargetColumn, found: TargetColumn | None, target: Target) -> str:
    side = "contract" if wanted in target.columns else "rows"
    if found is None:
        return "" if wanted.nullable else f"required column {wanted.name!r} of the contract is not in the table"
    if found.name != wanted.name:
        return f"column {wanted.name!r} of the {side} is {found.name!r} in the table; names must match exactly"
    if normal_type(wanted.type) != normal_type(found.type):
        return f"column {wanted.name!r} is {wanted.type} in the {side} and {found.type.upper()} in the table"
    if wanted.nullable != found.nullable:
        return f"column {wanted.name!r} is {_word(wanted)} in the {side} and {_word(found)} in the table"
    return ""


def _word(column: TargetColumn) -> str:
    return "nullable" if column.nullable else "required"


def _unexplained(state: TableState, target: Target, wanted: set[str]) -> list[str]:
    rest = [column for column in state.columns if column.name.lower() not in wanted]
    if target.allow_additional:
        rest = [column for column in rest if not column.nullable]
    return [f"{_word(column)} column {column.name!r} of the table is not in the contract" for column in rest]
