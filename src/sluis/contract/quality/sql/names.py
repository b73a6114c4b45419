"""The names in a rule's query: tables that are the contract's rows, and columns as file and table call them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sluis.contract.document import listed
from sluis.contract.quality.scope import Scope, Unsupported
from sluis.contract.quality.sql.placeholders import ROWS


def name_rows(tree: exp.Query, scope: Scope) -> None:
    """Put the placeholder in the place of the object's tables, which keep the names that columns are qualified with."""
    known = {name.lower() for name in (scope.object, *scope.also_called)}
    others: list[str] = []
    homes: dict[str, str] = {}
    for select in tree.find_all(exp.Select):
        # Hints name tables, and change nothing but speed.
        select.set("hint", None)
    for table in list(tree.find_all(exp.Table)):
        if not isinstance(table.this, exp.Identifier):
            raise Unsupported(f"it reads `{table.sql()}`, which is not the contract's rows")
        if table.args.get("version") or table.args.get("when"):
            raise Unsupported(f"it reads `{table.sql()}`, an earlier version of the rows")
        is_rows = table.name == ROWS
        if not table.db and table.name.lower() in _common_names(table):
            continue
        if not is_rows and table.name.lower() not in known and table.sql().lower() not in known:
            others.append(table.sql())
            continue
        name = table.name
        # What contains the object may stand before its name, but one name in two places is two tables.
        home = "" if table.sql().lower() in known else f"{table.catalog}.{table.db}".lower().strip(".")
        homes.setdefault(home, table.sql())
        table.set("db", None)
        table.set("catalog", None)
        table.set("this", exp.to_identifier(ROWS))
        if not table.alias and not is_rows:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
    if len(homes) > 1:
        others += [shown for home, shown in homes.items() if home]
    if others:
        raise Unsupported(f"it reads {listed(dict.fromkeys(others))} too, which are not the contract's rows")


def _common_names(table: exp.Table) -> Iterator[str]:
    """Names that the `WITH` clauses around a table define, where they may be used."""
    child: exp.Expr = table
    node = table.parent
    while node is not None:
        if isinstance(node, exp.With):
            # A common table sees those above it, and itself only where it says so.
            own = len(node.expressions) if node.recursive else node.expressions.index(child)
            yield from (common.alias.lower() for common in node.expressions[:own])
        elif (clause := node.args.get("with_")) is not None and clause is not child:
            yield from (common.alias.lower() for common in clause.expressions)
        child, node = node, node.parent


def name_columns(tree: exp.Query, scope: Scope) -> None:
    """Give columns that are called by the contract's own names those of file and table, where these differ.

    A name that the query itself gives to something is left alone.
    """
    there = {name.lower() for name in scope.columns.values()}
    given = {node.alias_or_name.lower() for node in tree.find_all(exp.Alias, exp.TableAlias, exp.CTE)}
    given |= {column.name.lower() for alias in tree.find_all(exp.TableAlias) for column in alias.columns}
    called = {name.lower(): held for name, held in scope.columns.items() if name.lower() not in there | given}
    for column in tree.find_all(exp.Column):
        if held := called.get(column.name.lower()):
            column.set("this", exp.to_identifier(held, quoted=True))
