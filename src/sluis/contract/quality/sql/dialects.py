"""The SQL that the queries of contracts are written in, and how it is read."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.dialects.databricks import Databricks
from sqlglot.parsers.databricks import DatabricksParser

DIALECTS = {
    **{name: name for name in ("athena", "bigquery", "clickhouse", "databricks", "duckdb", "hive", "mysql", "oracle")},
    **{name: name for name in ("presto", "redshift", "snowflake", "trino", "dremio", "teradata", "exasol")},
    "postgres": "postgres",
    "postgresql": "postgres",
    "sqlserver": "tsql",
    "synapse": "tsql",
    "glue": "athena",
    "impala": "hive",
}
"""Type of server → the SQL that its queries are written in, as sqlglot calls it."""


def dialect(servers: Iterable[str]) -> str:
    """The SQL of a contract's servers, of which each type is given; Databricks' where they do not agree on one."""
    known = {DIALECTS[server] for server in servers if server in DIALECTS}
    return known.pop() if len(known) == 1 else "databricks"


# What sqlglot cannot read it keeps as a command, and says so in the log; who reads refuses commands.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


def _days_between(args: list[exp.Expr]) -> exp.Expr:
    """`DATEDIFF` of two days, which with a unit would count whole days between moments."""
    if len(args) == 2:
        return exp.Anonymous(this="DATEDIFF", expressions=args)
    built: exp.Expr = DatabricksParser.FUNCTIONS["DATEDIFF"](args)
    return built


class SparkFour(Databricks):
    """Databricks' SQL as Spark 4 reads it."""

    class Tokenizer(Databricks.Tokenizer):
        """A quote that stands twice is one of the text."""

        STRING_ESCAPES: ClassVar[list[str]] = [*Databricks.Tokenizer.STRING_ESCAPES, "'", '"']

    class Parser(DatabricksParser):
        """Functions that sqlglot reads as others."""

        FUNCTIONS: ClassVar = {
            **DatabricksParser.FUNCTIONS,
            **dict.fromkeys(("DATEDIFF", "DATE_DIFF"), _days_between),
        }


def statements(query: str, dialect: str) -> list[exp.Expr]:
    """The statements of a query.

    Raises:
        SqlglotError: it cannot be read.
    """
    read = SparkFour if dialect == "databricks" else dialect
    return [found for found in sqlglot.parse(query, dialect=read) if found is not None]
