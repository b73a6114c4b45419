"""SQL of a contract's rules: parsed, held to one SELECT over the contract's own rows, and written anew for Spark.

What was checked is what runs: the query is generated from its parsed form, so nothing hides in how another parser
would read the text. The rows stand in it as `{object}`.
"""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sluis.contract.quality.scope import NoEqual, Scope, Unsupported
from sluis.contract.quality.sql import dialects, functions, names, placeholders, rewrite
from sluis.contract.quality.sql.placeholders import NAMES, ROWS

OBJECT = "{object}"
"""How the rows stand in a prepared query."""

_LONGEST = 10_000
"""Characters of a query."""

_MOST_BRACKETS = 500
"""Brackets of a query; deeper ones take the parser minutes."""

_LAYOUT = dict.fromkeys(map(ord, "\t\r\n"), " ")
"""What may stand in a query besides characters that can be seen."""


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
        SqlError: it is several statements, or does something else than reading.
        Unsupported: it cannot be read, reads other tables, or uses what Spark does not have.
    """
    if not query.translate(_LAYOUT).isprintable() or any(name in query for name in NAMES):
        raise SqlError("holds a character that cannot be seen, or a name that Sluis keeps for itself")
    if len(query) > _LONGEST:
        raise Unsupported(f"it has {len(query)} characters; {_LONGEST} are read")
    if sum(map(query.count, "([")) > _MOST_BRACKETS:
        raise Unsupported(f"it holds more than {_MOST_BRACKETS} brackets")
    try:
        return _prepared(query, scope)
    except RecursionError:
        raise Unsupported("it is nested too deeply") from None


def _prepared(query: str, scope: Scope) -> str:
    _refuse_quoted_columns(query, scope)
    tree = _parsed(placeholders.filled(query, scope), scope.dialect)
    _refuse_effects(tree)
    placeholders.name_column(tree, scope)
    names.name_rows(tree, scope)
    names.name_columns(tree, scope)
    if len(tree.selects) != 1 or tree.is_star:
        number = "all" if tree.is_star else len(tree.selects)
        raise Unsupported(f"it gives {number} columns, where one number is expected")
    try:
        text = rewrite.adapt(tree, scope.dialect, ROWS, scope.types).sql(
            dialect="databricks", unsupported_level=sqlglot.ErrorLevel.RAISE, comments=False
        )
        functions.refuse_strangers(text)
    except (SqlglotError, NoEqual) as error:
        raise Unsupported(f"Spark has no equal of it: {_first_line(error)}") from None
    # Spark itself fills these in before it reads a query, with settings and what the environment holds.
    if "${" in text:
        raise Unsupported("it holds `${`, which Spark would fill in")
    return text.replace(ROWS, OBJECT)


def _refuse_quoted_columns(query: str, scope: Scope) -> None:
    """Refuse `"status"` for a column: for Spark that is text, and most other databases read a name."""
    if scope.dialect != "databricks" or '"' not in query:
        return
    known = {*scope.columns, *scope.columns.values()}
    for quoted in re.findall(r"""'(?:[^'\\]|\\.|'')*'|"([^"]*)\"""", query):
        if quoted in known:
            raise Unsupported(f'`"{quoted}"` is text in Databricks SQL, and the name of a column elsewhere')


def _parsed(query: str, dialect: str) -> exp.Query:
    statements = _read(query, dialect)
    if len(statements) != 1:
        raise SqlError(f"holds {len(statements)} statements; a rule is one SELECT")
    [tree] = statements
    while isinstance(tree, exp.Subquery) and not tree.alias:
        tree = tree.this
    if isinstance(tree, exp.Condition | exp.Alias):
        raise Unsupported("it is a part of a query, and no SELECT")
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise SqlError(f"is no SELECT but {tree.key.upper()}")
    return tree


def _read(query: str, dialect: str) -> list[exp.Expr]:
    try:
        return dialects.statements(query, dialect)
    except SqlglotError as error:
        if other := next((other for other in _OTHERS if _is_read(query, other)), None):
            raise Unsupported(
                f"it is read as SQL of {dialect} and looks like that of {other}; the type of a server says which"
            ) from None
        raise Unsupported(f"it is not SQL that can be read ({dialect}): {_first_line(error)}") from None


_OTHERS = ("postgres", "duckdb", "snowflake", "bigquery", "tsql", "oracle")
"""Dialects that a query may be in where its contract does not say so, the likeliest first."""


def _is_read(query: str, dialect: str) -> bool:
    try:
        return len(statements := dialects.statements(query, dialect)) == 1 and isinstance(statements[0], exp.Query)
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
        if isinstance(node, exp.Func) and functions.name_of(node) in functions.DANGEROUS:
            raise SqlError(f"calls `{functions.name_of(node)}`, which reaches beyond the rows")


def _first_line(error: Exception) -> str:
    # sqlglot underlines in the terminal's own codes.
    return re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines()[0].rstrip(".")
