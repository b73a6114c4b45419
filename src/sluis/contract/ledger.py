"""What becomes of every key of a native contract: a rule enforces it, or it only informs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from sluis.contract import names
from sluis.contract.document import Document, as_text, json_path
from sluis.contract.model import LedgerEntry
from sluis.contract.rules import Rule

Fate = tuple[Literal["enforced", "documentation", "unsupported"], str]
"""Status and note of an entry."""

Parts = tuple[str | int, ...]

_INFORMS = {"contract_name", "version", "description", "owner"}


def entries(raw: Document, rules: tuple[Rule, ...]) -> Iterator[LedgerEntry]:
    """One entry for every key, in the order of the document."""
    enforced = {rule.path: rule.id for rule in rules}
    for parts, value in _keys(raw, ()):
        path = json_path(parts)
        fate: Fate = ("enforced", f"rule {enforced[path]}") if path in enforced else _else(parts, value, raw)
        says = "" if fate[0] == "enforced" else as_text(value)
        yield LedgerEntry(path=path, status=fate[0], note=fate[1], says=says)


def _else(parts: Parts, value: Any, raw: Document) -> Fate:
    """What became of a key that has no rule of its own."""
    key = parts[-1]
    if key in _INFORMS:
        return "documentation", ""
    if value in ([], {}):
        return "documentation", "it is empty"
    if key == "sensitive":
        return ("enforced", "its values are never shown") if value else ("documentation", "its values may be shown")
    if key == "nullable":
        in_key = raw["columns"][parts[1]]["name"] in raw.get("primary_key", ())
        return "documentation", "the primary key forbids NULL all the same" if in_key else "NULL is allowed"
    return "enforced", _by(parts, raw)


def _by(parts: Parts, raw: Document) -> str:
    """What enforces a key that shares a rule."""
    key, contract = parts[-1], raw["contract_name"]
    if parts[:2] == ("rules", "unique") and len(parts) == 3:
        return "the same as the primary key"
    if key in ("name", "allow_additional_columns"):
        return f"rule {names.safe(contract, 'columns')}"
    if parts[:2] == ("rules", "row_count"):
        return f"rule {names.safe(contract, 'row_count')}"
    if key == "format":
        return "by the column's type"
    return "any text is a string" if key == "type" else "by its parts"


def _keys(value: Any, parts: Parts) -> Iterator[tuple[Parts, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*parts, key), inner
            yield from _keys(inner, (*parts, key))
    elif isinstance(value, list) and parts[-1] in ("columns", "unique"):
        for index, inner in enumerate(value):
            if parts[-1] == "unique":
                yield (*parts, index), inner
            yield from _keys(inner, (*parts, index))
