"""What a query's placeholders stand for: `{object}`, `{property}` and their other names, also as `${…}` and `{{…}}`.

A name stands in their place while the query is read. Other braces are the query's own: those of a regular expression
(`[a-z]{2,3}`, `\\p{L}`), of JSON.
"""

from __future__ import annotations

import re

from sqlglot import exp

from sluis.contract.quality.scope import Scope, Unsupported

ROWS = "__sluis_rows__"
"""How the rows stand in a query until it is written anew."""

_COLUMN = "__sluis_column__"
"""How the column stands in a query until it is read."""

NAMES = (ROWS, _COLUMN)
"""Names that no query may use itself."""

_WORDS = {
    **dict.fromkeys(("object", "table", "model", "schema", "dataset_name"), ROWS),
    **dict.fromkeys(("property", "column", "field"), _COLUMN),
}

# After a backslash and a letter, braces are a regular expression's.
_PLACEHOLDER = re.compile(r"""(["`]?)(?<!\\[A-Za-z])\$?\{\{?\s*([A-Za-z_]\w*)\s*\}?\}\1""")

# A template may name the object with what contains it: `${project}.${dataset}.${model}`.
_WHOLE_NAME = re.compile(r"`?\$\{\w+\}\.(?:\$\{\w+\}\.)?\$\{(object|table|model)\}`?")


def filled(query: str, scope: Scope) -> str:
    """The query with names in the places of its placeholders.

    Raises:
        Unsupported: one of them stands for nothing here.
    """

    def name(match: re.Match[str]) -> str:
        found = _WORDS.get(match[2])
        if found is None:
            raise Unsupported(f"`{match[0]}` stands for something that is not known here")
        if found == _COLUMN and scope.column is None:
            raise Unsupported(f"`{match[0]}` stands for a column, and the rule is about the object")
        if found == _COLUMN and scope.inner:
            raise Unsupported("it is about a part of a column, which has no name in SQL")
        return found

    return _PLACEHOLDER.sub(name, _WHOLE_NAME.sub(r"{\1}", query))


def name_column(tree: exp.Query, scope: Scope) -> None:
    """Put the column's name where it stands, also as a part of another (`{column}_count`).

    Raises:
        Unsupported: a placeholder stands in a text, where a name means nothing.
    """
    for name in tree.find_all(exp.Identifier):
        if _COLUMN in name.this:
            name.replace(exp.to_identifier(name.this.replace(_COLUMN, str(scope.column)), quoted=True))
    if any(held in text.name for text in tree.find_all(exp.Literal) for held in NAMES):
        raise Unsupported("a placeholder stands in a text")
