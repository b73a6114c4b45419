"""SQL of a contract's rules: parsed, held to one SELECT over the contract's own rows, and written anew for Spark.

What was checked is what runs: the query is generated from its parsed form, so nothing hides in how another parser
would read the text. The rows stand in it as `{object}`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sluis.contract.document import listed
from sluis.contract.quality import spark_sql, sql_names
from sluis.contract.quality.arithmetic import NoEqual
from sluis.contract.quality.scope import Scope, Unsupported
from sluis.contract.quality.sql_names import ROWS

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


OBJECT = "{object}"
"""How the rows stand in a prepared query."""

_PLACEHOLDER = re.compile(r"""(["`']?)\$?\{\{?\s*(\w+)\s*\}?\}\1""")
_ROWS_WORDS = ("object", "table", "model", "schema", "dataset_name")
_COLUMN_WORDS = ("property", "column", "field")

_LONGEST = 10_000
"""Characters of a query."""

_MOST_BRACKETS = 500
"""Brackets of a query; deeper ones take the parser minutes."""

_LAYOUT = dict.fromkeys(map(ord, "\t\r\n"), " ")
"""What may stand in a query besides characters that can be seen."""

# What sqlglot cannot read it keeps as a command, and says so in the log; we refuse commands ourselves.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

_DANGEROUS = frozenset(
    {
        *(
            "reflect",
            "java_method",
            "try_reflect",
            "read_files",
            "remote_query",
            "http_request",
            "secret",
            "try_secret",
        ),
        *("read_kafka", "read_kinesis", "read_pubsub", "read_pulsar", "read_statestore", "read_state_metadata"),
    }
)
"""Functions of Spark and Databricks that reach beyond the rows: other code, files, services, secrets."""


_UNSTEADY = frozenset(
    {
        *("any_value", "first", "first_value", "input_file_name", "last", "last_value", "monotonically_increasing_id"),
        *("rand", "randn", "random", "randstr", "shuffle", "spark_partition_id", "uniform", "uuid"),
        *("input_file_block_length", "input_file_block_start"),
    }
)
"""Functions of Spark whose answer differs from run to run over the same rows, or depends on where the rows lie."""


class SqlError(ValueError):
    """The query is not one that a contract may run; the message says why."""


def prepare(query: str, scope: Scope) -> str:
    """A rule's query as Spark takes it.

    Args:
        query: As the document has it.
        scope: The object and column that its placeholders stand for, and the dialect it is written in.

    Returns:
        Databricks SQL in which the rows stand as `{object}`.

    Raises:
        SqlError: it is not one SELECT, or does something else than reading.
        Unsupported: it reads other tables, or uses what Spark does not have.
    """
    if len(query) > _LONGEST:
        raise SqlError(f"has {len(query)} characters; {_LONGEST} are read")
    if not query.translate(_LAYOUT).isprintable() or ROWS in query:
        raise SqlError("holds a character that cannot be seen, or a name that Sluis keeps for itself")
    if sum(map(query.count, "([")) > _MOST_BRACKETS:
        raise SqlError(f"holds more than {_MOST_BRACKETS} brackets")
    try:
        return _prepared(query, scope)
    except RecursionError:
        raise SqlError("is nested too deeply") from None


def _prepared(query: str, scope: Scope) -> str:
    _refuse_quoted_columns(query, scope)
    tree = _parsed(_filled(query, scope), scope.dialect)
    _refuse_effects(tree)
    sql_names.name_rows(tree, scope)
    sql_names.name_columns(tree, scope)
    if len(tree.selects) != 1 or tree.is_star:
        number = "all" if tree.is_star else len(tree.selects)
        raise Unsupported(f"it gives {number} columns, where one number is expected")
    try:
        text = spark_sql.adapt(tree, scope.dialect, ROWS, scope.types).sql(
            dialect="databricks", unsupported_level=sqlglot.ErrorLevel.RAISE, comments=False
        )
        _refuse_strangers(text)
    except (SqlglotError, NoEqual) as error:
        raise Unsupported(f"Spark has no equal of it: {_first_line(error)}") from None
    # Braces of the query's own would be taken for a place to fill in.
    if "{" in text or "}" in text:
        raise Unsupported("it holds a brace, which is left for placeholders")
    return text.replace(ROWS, OBJECT)


def _refuse_quoted_columns(query: str, scope: Scope) -> None:
    """Refuse `"status"` for a column: for Spark that is text, and most other databases read a name."""
    if scope.dialect != "databricks" or '"' not in query:
        return
    known = {*scope.columns, *scope.columns.values()}
    for quoted in re.findall('"([^"]*)"', query):
        if quoted in known:
            raise Unsupported(f'`"{quoted}"` is text in Databricks SQL, and the name of a column elsewhere')


def _filled(query: str, scope: Scope) -> str:
    """The query with names in the places of its placeholders."""

    def name(match: re.Match[str]) -> str:
        word = match[2]
        if word in _ROWS_WORDS:
            return ROWS
        if word in _COLUMN_WORDS:
            if scope.column is None:
                raise Unsupported(f"`{match[0]}` stands for a column, and the rule is about the object")
            if scope.inner:
                raise Unsupported("it is about a part of a column, which has no name in SQL")
            return str(exp.to_identifier(scope.column, quoted=True).sql(dialect=scope.dialect))
        raise Unsupported(f"`{match[0]}` stands for something that is not known here")

    # A template may name the object with what contains it: `${project}.${dataset}.${model}`.
    template = re.sub(r"`?\$\{\w+\}\.(?:\$\{\w+\}\.)?\$\{(object|table|model)\}`?", r"{\1}", query)
    return _PLACEHOLDER.sub(name, template)


def _parsed(query: str, dialect: str) -> exp.Query:
    try:
        statements = [found for found in sqlglot.parse(query, dialect=dialect) if found is not None]
    except SqlglotError as error:
        if other := next((other for other in _OTHERS if _is_read(query, other)), None):
            raise Unsupported(
                f"it is read as SQL of {dialect} and looks like that of {other}; the type of a server says which"
            ) from None
        raise SqlError(f"is not SQL that can be read ({dialect}): {_first_line(error)}") from None
    if len(statements) != 1:
        raise SqlError(f"holds {len(statements)} statements; a rule is one SELECT")
    [tree] = statements
    while isinstance(tree, exp.Subquery) and not tree.alias:
        tree = tree.this
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise SqlError(f"is no SELECT but {tree.key.upper()}")
    return tree


_OTHERS = ("postgres", "duckdb", "snowflake", "bigquery", "tsql", "oracle")
"""Dialects that a query may be in where its contract does not say so, the likeliest first."""


def _is_read(query: str, dialect: str) -> bool:
    try:
        return len(statements := sqlglot.parse(query, dialect=dialect)) == 1 and isinstance(statements[0], exp.Query)
    except SqlglotError:
        return False


_EFFECTS = (exp.DDL, exp.DML, exp.Command, exp.Into, exp.Drop, exp.Set, exp.Use, exp.Pragma, exp.Lock)


def _refuse_effects(tree: exp.Query) -> None:
    for node in tree.walk():
        if isinstance(node, _EFFECTS) and not isinstance(node, exp.Query):
            raise SqlError(f"does more than read ({node.key.upper()})")
        if isinstance(node, exp.Parameter | exp.SessionParameter | exp.Placeholder):
            raise Unsupported(f"`{node.sql()}` stands for something that is not known here")
        if isinstance(node, exp.TableSample):
            raise Unsupported("it takes a sample, which is another one in every run")
        if isinstance(node, exp.Stream):
            raise Unsupported("it reads a stream, and the rows are a table")
        if isinstance(node, exp.Func) and _function(node) in _DANGEROUS:
            raise SqlError(f"calls `{_function(node)}`, which reaches beyond the rows")


def _refuse_strangers(text: str) -> None:
    """Refuse functions that Spark does not have, as a run would end there, and those whose answer differs each time."""
    written = sqlglot.parse_one(text, dialect="databricks")
    names = {_function(node) for node in written.find_all(exp.Anonymous)}
    # What sqlglot knows of another database it writes as it is, also where Spark has no such thing.
    names |= {name.lower() for name in _CALL.findall(_QUOTED.sub("''", text))}
    named = {alias.name.lower() for alias in written.find_all(exp.TableAlias)}
    if unsteady := sorted(names & _UNSTEADY):
        raise Unsupported(f"{listed(unsteady)} may give another answer in every run, of the same rows")
    if unknown := sorted(names - _spark_functions() - _SYNTAX - named):
        raise Unsupported(f"Spark has no function {listed(unknown)}")


_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_]\w*)\(")

_SYNTAX = frozenset(
    ["cast", "char", "decimal", "extract", "filter", "timestampadd", "timestampdiff", "try_cast", "varchar"]
)
"""Words of Spark's syntax before a bracket, which it does not list as functions."""


def _function(node: exp.Func) -> str:
    return str(node.name if isinstance(node, exp.Anonymous) else node.sql_name()).lower()


@cache
def _spark_functions() -> frozenset[str]:
    """What `SHOW SYSTEM FUNCTIONS` lists in Spark 4.2."""
    text = resources.files("sluis.contract").joinpath("spark_functions.txt").read_text("utf-8")
    return frozenset(text.split())


def _first_line(error: Exception) -> str:
    # sqlglot underlines in the terminal's own codes.
    return re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines()[0].rstrip(".")
