"""A condition on single rows in SQL, as a person types it: parsed, held to one, and written anew for Spark."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.errors import SqlglotError

from sluis.contract.document import did_you_mean, listed
from sluis.contract.quality.scope import NoEqual, Scope, Unsupported
from sluis.contract.quality.sql import rewrite
from sluis.contract.quality.sql.dialects import statements
from sluis.contract.quality.sql.placeholders import ROWS
from sluis.contract.quality.sql.rule import OBJECT, SqlError, prepare

_OF_SEVERAL_ROWS = (exp.Query, exp.AggFunc, exp.Window)
"""What needs more than the row itself."""


def prepared(condition: str, columns: Sequence[str]) -> str:
    """A condition as Spark takes it, every name quoted.

    Args:
        condition: Databricks SQL that is true or false of a row (`country = 'NL' AND day >= '2026-11-01'`).
        columns: The columns that it may name.

    Raises:
        SqlError: it is no such condition; the message says why.
    """
    tree = _parsed(condition)
    for node in tree.walk():
        if isinstance(node, _OF_SEVERAL_ROWS):
            raise SqlError(f"`{node.sql('databricks')}` needs more than the row itself")
    _refuse_unknown(tree, columns)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", True)
    text = tree.sql("databricks", comments=False)
    try:
        # It may call what a rule's query may call, and no more.
        prepare(f"SELECT count(*) FROM {OBJECT} WHERE {text}", Scope(id=(), object="rows"))
    except Unsupported as error:
        raise SqlError(str(error)) from None
    return text


def _parsed(condition: str) -> exp.Expression:
    try:
        [tree] = statements(f"SELECT 1 WHERE {condition}", "databricks")
    except (SqlglotError, ValueError):
        tree = None
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    # Whatever stands behind the condition would be another clause of the query.
    alone = exp.select("1").where(where.this) if where is not None else None
    if alone is None or alone != tree:
        raise SqlError(f"`{condition}` is no condition on a row in Databricks SQL")
    try:
        condition_of: exp.Expression = rewrite.adapt(alone, "databricks", ROWS, {}).args["where"].this
    except NoEqual as error:
        raise SqlError(f"Spark has no equal of it: {error}") from None
    return condition_of


def _refuse_unknown(tree: exp.Expression, columns: Sequence[str]) -> None:
    """Refuse names that are no column; of `a.b`, where `a` is a column, `b` is a field of it."""
    own = {name.name for function in tree.find_all(exp.Lambda) for name in function.expressions}
    for column in tree.find_all(exp.Column):
        first = column.parts[0].name
        if first not in columns and first not in own:
            hint = did_you_mean(first, columns)
            raise SqlError(f"`{first}` is no column; there are {listed(columns)}" + (f" ({hint})" if hint else ""))
