"""Faults of an ODCS document that its JSON Schema cannot express: names and ids that stand twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluis.contract.document import Document, Parts
from sluis.contract.notes import Notes

_KEYS = {"schema": ("name", "id"), "servers": ("server", "id"), "properties": ("id",), "quality": ("id",)}
"""List → the keys by which its members are told apart; of other lists `id` alone. Names of columns are checked where
the table's are."""


def note_twins(document: Document, notes: Notes) -> None:
    """Note every name and id that a list has twice."""
    _walk(document, (), notes)


def _walk(value: Any, at: Parts, notes: Notes) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _walk(inner, (*at, key), notes)
    elif isinstance(value, list):
        for key in _KEYS.get(str(at[-1]) if at else "", ("id",)):
            _twins(value, key, at, notes)
        for index, inner in enumerate(value):
            _walk(inner, (*at, index), notes)


def _twins(members: list[Any], key: str, at: Parts, notes: Notes) -> None:
    seen: set[str] = set()
    for index, member in enumerate(members):
        name = member.get(key) if isinstance(member, Mapping) else None
        if not isinstance(name, str):
            continue
        if name in seen:
            notes.problem((*at, index, key), f"`{name}` stands in `{at[-1]}` twice")
        seen.add(name)
