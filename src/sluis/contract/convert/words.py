"""What a document says besides rules, in the words of ODCS 3.2: servers, terms, contacts, examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sluis.contract.document import Document, Parts, json_path
from sluis.contract.odcs.shape import schema
from sluis.contract.shape import faults


@dataclass(frozen=True, kw_only=True)
class Words:
    """What a document says besides its contracts."""

    top: Document = field(default_factory=dict)
    """Keys of the new document, all of which the official schema accepts."""

    properties: Mapping[tuple[str, str], Document] = field(default_factory=dict)
    """Object and column → keys of its property."""

    queries: Mapping[str, str] = field(default_factory=dict)
    """Place of a SQL rule → its query as the owner wrote it."""

    descriptions: Mapping[str, str] = field(default_factory=dict)
    """Place of a quality item → what its owner says of it."""

    places: frozenset[Parts] = frozenset()
    """The places of the old document that all this says."""


def words(raw: Mapping[str, Any], kind: str) -> Words:
    """Find the words of a document of this format; what is not DCS has none that need a translation."""
    if kind != "dcs":
        return Words()
    top, places = _top(raw)
    properties: dict[tuple[str, str], Document] = {}
    for model, of_model in _object(raw.get("models")).items():
        for name, stated in _object(_object(of_model).get("fields")).items():
            said, told = _of_field(_object(stated), ("models", model, "fields", name))
            properties[model, name] = said
            places += told
    items = list(_items(raw, ()))
    queries = [(at, item) for at, item in items if _has_text(item, "query") and "dialect" not in item]
    return Words(
        top=top,
        properties=properties,
        queries={json_path(at): item["query"] for at, item in queries},
        descriptions={json_path(at): item["description"] for at, item in items if _has_text(item, "description")},
        places=frozenset(places),
    )


def _items(value: Any, at: Parts) -> Iterator[tuple[Parts, Mapping[str, Any]]]:
    """The items of every `quality` list, and where they stand."""
    members = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        if at[-1:] == ("quality",) and isinstance(inner, Mapping):
            yield (*at, key), inner
        yield from _items(inner, (*at, key))


def _has_text(item: Mapping[str, Any], key: str) -> bool:
    return isinstance(item.get(key), str)


def _top(raw: Mapping[str, Any]) -> tuple[Document, list[Parts]]:
    said: Document = {}
    places: list[Parts] = []
    for place, key, value in _of_dcs(raw):
        if _is_accepted(key, value):
            places.append(place)
            if isinstance(value, list):
                said.setdefault(key, []).extend(value)
            elif isinstance(value, dict):
                said.setdefault(key, {}).update(value)
            else:
                said[key] = value
    return said, places


def _is_accepted(key: str, value: Any) -> bool:
    stub = {"apiVersion": "v3.2.0", "kind": "DataContract", "id": "x", "version": "1", key: value}
    return not faults(stub, schema("3.2.0"))


def _of_dcs(raw: Mapping[str, Any]) -> Iterator[tuple[Parts, str, Any]]:
    """Place, and what the new document says for it under which key."""
    info, terms = _object(raw.get("info")), _object(raw.get("terms"))
    if isinstance(info.get("description"), str):
        yield ("info", "description"), "description", {"purpose": info["description"]}
    if isinstance(info.get("status"), str):
        yield ("info", "status"), "status", info["status"]
    for key in ("usage", "limitations"):
        if isinstance(terms.get(key), str):
            yield ("terms", key), "description", {key: terms[key]}
    contact = _object(info.get("contact"))
    if contact.get("name"):
        yield ("info", "contact", "name"), "support", [_channel(contact)]
        yield ("info", "contact", "url" if contact.get("url") else "email"), "support", []
    for name, server in _object(raw.get("servers")).items():
        yield ("servers", name), "servers", [{"server": name, **_object(server)}]


def _channel(contact: Mapping[str, Any]) -> Document:
    address = contact.get("url") or (f"mailto:{contact['email']}" if contact.get("email") else None)
    return {"channel": contact["name"], **({"url": address} if address else {})}


def _of_field(stated: Mapping[str, Any], at: Parts) -> tuple[Document, list[Parts]]:
    """Title and examples of a field."""
    said: Document = {}
    if isinstance(stated.get("title"), str):
        said["businessName"] = stated["title"]
    examples = [*_list(stated.get("examples")), *([stated["example"]] if "example" in stated else [])]
    if examples:
        said["examples"] = examples
    return said, [(*at, key) for key in ("title", "example", "examples") if key in stated]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
