"""Identifiers and literals in SQL, and which column names a table can carry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

NEEDS_MAPPING = frozenset(" ,;{}()\n\t=")
"""Characters that Delta takes in a column name only with column mapping."""

LONGEST = 255


def quote(identifier: str) -> str:
    """One part of a name, safe in SQL and in `col()`."""
    return "`" + identifier.replace("`", "``") + "`"


def quote_table(name: str) -> str:
    """A dotted table name with every part quoted."""
    return ".".join(quote(part) for part in name.split("."))


def local_folder(warehouse: Path, name: str) -> Path:
    """Where a local session keeps a table, whatever its catalog is called."""
    schema, table = name.split(".")[-2:]
    return warehouse / f"{schema}.db" / table


def literal(text: str) -> str:
    """A string literal. `$` is escaped too: Spark replaces `${name}` in SQL text before it parses it."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\u0024")
    return f"'{escaped}'"


def needs_mapping(columns: Iterable[str]) -> bool:
    """Whether any of these names asks for Delta's column mapping."""
    return any(NEEDS_MAPPING & set(name) for name in columns)


QUOTED = re.compile("`((?:[^`]|``)*)`")
"""A quoted name; in the text of a type, that of a field."""


def unquoted(text: str) -> str:
    """The text of a type without the quotes around its names, as catalogs show it."""
    return QUOTED.sub(lambda found: found[1].replace("``", "`"), text)


def unsupported_names(columns: Iterable[str]) -> list[tuple[str, str]]:
    """The names that no target table can carry, each with the reason."""
    found: list[tuple[str, str]] = []
    seen: dict[str, str] = {}
    for name in columns:
        reason = _reason(name) or _clash(name, seen.get(name.lower()))
        seen.setdefault(name.lower(), name)
        if reason:
            found.append((name, reason))
    return found


def _reason(name: str) -> str:
    if not name:
        return "the name is empty"
    if len(name) > LONGEST:
        return f"the name has {len(name)} characters; catalogs take {LONGEST}"
    if "${" in name:
        return "Spark replaces `${…}` in SQL text, also inside a quoted name"
    return ""


def _clash(name: str, earlier: str | None) -> str:
    if earlier is None:
        return ""
    return f"Delta does not tell it from {earlier!r}: names are compared without case"
