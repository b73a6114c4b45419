"""The properties of an ODCS document that stand inside of other properties, taken out of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sluis.contract.document import Document, Parts

Part = tuple[Parts, str, Document]
"""Where a property stands, the definition in the standard's schema that it follows, and it without what it holds."""

_MEMBER, _ITEM = "SchemaProperty", "SchemaItemProperty"

_PLAIN = {"name": "x", "logicalType": "string"}
"""A property that every version accepts, in the place of one that was taken out."""


def apart(document: Document) -> tuple[Document, list[Part]]:
    """A document with the outermost properties only, and those that were in them."""
    stated = document.get("schema")
    if not isinstance(stated, list):
        return document, []
    inner: list[Part] = []
    objects = [_object(member, ("schema", index), inner) for index, member in enumerate(stated)]
    return {**document, "schema": objects}, inner


def _object(of: Any, at: Parts, inner: list[Part]) -> Any:
    properties = of.get("properties") if isinstance(of, Mapping) else None
    if not isinstance(properties, list):
        return of
    place = (*at, "properties")
    shallow = [_emptied(member, (*place, index), inner) for index, member in enumerate(properties)]
    return {**of, "properties": shallow}


def _emptied(of: Any, at: Parts, inner: list[Part]) -> Any:
    """A property without those in it, which go to the list, emptied too."""
    if not isinstance(of, Mapping):
        return of
    emptied = dict(of)
    for path, kind, part in _held(of):
        inner.append(((*at, *path), kind, _emptied(part, (*at, *path), inner)))
        _exchange(emptied, path)
    return emptied


def _held(of: Mapping[str, Any]) -> Iterator[Part]:
    """The properties that a property holds itself."""
    properties, items, mapped = of.get("properties"), of.get("items"), of.get("map")
    for index, member in enumerate(properties if isinstance(properties, list) else ()):
        if isinstance(member, dict):
            yield ("properties", index), _MEMBER, member
    if isinstance(items, dict):
        yield ("items",), _ITEM, items
    for key in ("key", "value"):
        if isinstance(mapped, dict) and isinstance(mapped.get(key), dict):
            yield ("map", key), _ITEM, mapped[key]


def _exchange(emptied: dict[str, Any], path: Parts) -> None:
    """Put a plain property in the place of one that was taken out."""
    key = str(path[0])
    if key == "items":
        emptied[key] = _PLAIN
        return
    held = emptied[key]
    emptied[key] = [*held] if isinstance(held, list) else {**held}
    emptied[key][path[1]] = _PLAIN
