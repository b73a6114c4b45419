"""Every key that an official schema of ODCS allows, and a contract that has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from sluis.contract.document import Parts, json_path
from sluis.contract.local_files import Place
from sluis.contract.notes import Notes
from sluis.contract.odcs import reader
from sluis.contract.odcs import shape as odcs_shape
from sluis.contract.source import Source

VERSIONS = ["2.2.2", "3.0.0", "3.0.1", "3.0.2", "3.1.0", "3.2.0"]

Also = tuple[tuple[Parts, Any], ...]
"""Values that must stand beside a key for it to be allowed."""


def allowed(
    schema: Any, root: Any, at: Parts = (), also: Also = (), seen: tuple[str, ...] = ()
) -> Iterator[tuple[Parts, Also, Any]]:
    """Every key that a schema allows: where, beside what, and the schema of its value."""
    if not isinstance(schema, dict):
        return
    if (reference := schema.get("$ref")) and seen.count(reference) < 2:
        part = root
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
        yield from allowed(part, root, at, also, (*seen, reference))
    for key, inner in schema.get("properties", {}).items():
        yield (*at, key), also, inner
        yield from allowed(inner, root, (*at, key), also, seen)
    if "items" in schema:
        yield from allowed(schema["items"], root, (*at, 0), also, seen)
    for part in [part for word in ("allOf", "anyOf", "oneOf") for part in schema.get(word, ())]:
        yield from allowed(part, root, at, also, seen)
    if "if" in schema:
        for condition in schema["if"].get("anyOf", [schema["if"]]):
            beside = tuple(
                ((*at, key), value["const"]) for key, value in condition["properties"].items() if "const" in value
            )
            yield from allowed(schema.get("then"), root, at, (*also, *beside), seen)


SAMPLES: dict[str, Any] = {
    "to": "o.a", "from": "o.a", "name": "x", "logicalType": "string", "physicalType": "string", "metric": "rowCount",
    "rule": "rowCount", "query": "SELECT count(*) FROM {object}", "engine": "soda", "element": "o.a", "pattern": "a",
    "slaDefaultElement": "o.a", "slaDefaultColumn": "o.a", "multipleOf": 2, "column": "a", "minimum": 1, "maximum": 2,
    "quality": [], "items": {}, "enum": [{"value": "v"}], "defaultTimezone": "Europe/Berlin", "exclusiveMinimum": 0, "exclusiveMaximum": 3, "property": "latency",
}  # fmt: skip
DATES = {"date": "2020-01-01", "timestamp": "2020-01-01T00:00:00Z", "time": "10:00:00"}
PATTERNS = {"date": "yyyy-MM-dd", "timestamp": "yyyy-MM-dd HH:mm:ss", "time": "HH:mm:ss", "integer": "i8", "number": "f32", "string": "uuid"}  # fmt: skip


def sample(at: Parts, schema: Any, also: Also) -> Any:
    """A value for a key."""
    key, beside = at[-1], {place[-1]: value for place, value in also}
    kind = beside.get("logicalType")
    if kind in DATES and key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        return DATES[kind]
    if key == "format" and kind:
        return PATTERNS[kind]
    if at[-2:-1] == ("map",):
        return {}
    if key in ("mustBeBetween", "mustNotBeBetween"):
        return [1, 2]
    if key == "required" and at[-2] == "logicalTypeOptions":
        return ["b"]
    if key in SAMPLES:
        return SAMPLES[key]
    if "enum" in schema:
        return schema["enum"][0]
    types = schema.get("type", "string")
    return {"array": [], "object": {}, "boolean": True, "integer": 1, "number": 1}.get(types, "x")


def put(document: Any, at: Parts, value: Any) -> None:
    """Set a value, with what leads to it; what is there stays."""
    for step, following in pairwise(at):
        empty: Any = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            while len(document) <= step:
                document.append({})
            document = document[step]
        else:
            if not isinstance(document.get(step), type(empty)):
                document[step] = empty
            document = document[step]
    if isinstance(document, dict):
        document.setdefault(at[-1], value)


def document(version: str, at: Parts, also: Also, value: Any) -> dict[str, Any]:
    """A contract that has the key."""
    made: dict[str, Any] = {}
    for place, beside in also:
        put(made, place, beside)
    put(made, at, value)
    v2 = version == "2.2.2"
    objects, name, columns, column = (
        ("dataset", "table", "columns", "column") if v2 else ("schema", "name", "properties", "name")
    )
    made.setdefault("version", "1")
    listed = made.setdefault(objects, [{}]) or [{}]
    made[objects] = listed
    listed[0][name] = "o"
    properties = listed[0].setdefault(columns, [{}]) or [{}]
    listed[0][columns] = properties
    properties[0][column] = "a"
    if at[-1] in ("partitioned", "partitionStatus"):
        # By all of its columns no table is divided.
        properties.append({column: "z"})
    if at[0] == "slaProperties":
        # A promise that can be measured: of a moment, and within a span.
        properties[0].setdefault("logicalType", "date" if v2 else "timestamp")
        for key, beside in {"property": "freshness", "value": 25, "unit": "h"}.items():
            put(made, (*at[:2], key), beside)
    if properties[0].get("logicalType") == "object":
        properties[0]["properties"] = properties[0].get("properties") or [{"name": "b", "logicalType": "string"}]
    for relationship in listed[0].get("relationships", []):
        relationship.setdefault("from", "o.a")
    for relationship in [*listed[0].get("relationships", []), *properties[0].get("relationships", [])]:
        relationship.setdefault("to", "o.a")
    for part in members(made, "properties"):
        part.setdefault("name", "b")
    for member in members(made, "enum"):
        member.setdefault("value", "v")
    for mapped in maps(made):
        mapped.setdefault("key", {"logicalType": "string"})
        mapped.setdefault("value", {"logicalType": "string"})
    for item in members(made, "quality"):
        if item.get("type") == "sql":
            item.setdefault("query", SAMPLES["query"])
    return made


def members(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """The objects in every list of a name."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == name and isinstance(inner, list):
            yield from (part for part in inner if isinstance(part, dict))
        yield from members(inner, name)
    for inner in value if isinstance(value, list) else ():
        yield from members(inner, name)


def maps(value: Any) -> Iterator[dict[str, Any]]:
    """Every `map` of a property."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "map" and isinstance(inner, dict):
            yield inner
        yield from maps(inner)
    for inner in value if isinstance(value, list) else ():
        yield from maps(inner)


def classified(made: dict[str, Any], at: Parts) -> tuple[str, str] | None:
    """Status and note of the ledger's entry that covers a place."""
    source = Source(document=made, shown="c.yaml")
    contract = reader._Reader(made, Notes(source), Place(file=Path("c.yaml"), shown="c.yaml"), "o").contract()
    entries = {entry.path: entry for entry in contract.ledger}
    for length in range(len(at), 0, -1):
        if (entry := entries.get(json_path(at[:length]))) is not None:
            return entry.status, entry.note
    return None


def every_key() -> list[tuple[str, Parts, Also, Any]]:
    found = {}
    for version in VERSIONS:
        schema = odcs_shape.schema(version)
        for at, also, inner in allowed(schema, schema):
            if at[:1] != ("servers",) or len(at) < 4:
                found.setdefault((at, json.dumps(also)), (version, at, also, inner))
    return list(found.values())
