"""Every key that an official schema of DCS allows, and a contract that has it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from sluis.contract import dcs
from sluis.contract.dcs import shape as dcs_shape
from sluis.contract.document import Document, Parts, json_path
from sluis.contract.local_files import Place
from sluis.contract.source import Source

FIELD: Parts = ("models", "m", "fields", "f")
NAMES = {
    "models": "m",
    "fields": "f",
    "definitions": "d",
    "servers": "s",
    "links": "l",
    "config": "c",
    "arguments": "a",
}
"""Key of a map → the name of its one member."""


def allowed(schema: Any, root: Document, at: Parts, kind: str = "", depth: int = 0) -> Iterator[tuple[Parts, str, Any]]:
    """Every key that a schema allows: where, the `type` that it must stand beside, and the schema of its value."""
    if not isinstance(schema, dict) or depth > 12:
        return
    if reference := schema.get("$ref"):
        part: Any = root
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
        yield from allowed(part, root, at, kind, depth + 3)
    for key, inner in schema.get("properties", {}).items():
        yield (*at, key), kind, inner
        yield from allowed(inner, root, (*at, key), "", depth + 1)
    if at and at[-1] in NAMES:
        yield from allowed(schema.get("additionalProperties"), root, (*at, NAMES[str(at[-1])]), "", depth + 1)
    yield from allowed(schema.get("items"), root, (*at, 0), "", depth + 1)
    for part in schema.get("allOf", ()):
        yield from allowed(part, root, at, kind, depth)
    if "if" in schema:
        yield from allowed(schema.get("then"), root, at, schema["if"]["properties"]["type"]["const"], depth)


SAMPLES: dict[str, Any] = {
    "$ref": "#/definitions/e", "type": "text", "references": "m.f", "primaryKey": True, "percentage": "9.5%", "pattern": "a",
    "period": "1 year", "threshold": "25h", "responseTime": "1h", "interval": "daily", "recoveryTime": "1h", "recoveryPoint": "1 d",
    "timestampField": "m.f", "sourceTimestampField": "m.f", "processedTimestampField": "f", "format": "email", "enum": ["1"],
    "query": "SELECT 1 FROM {model}", "dialect": "postgres", "metric": "rowCount", "rule": "rowCount", "engine": "soda",
    "fields": {"f": {"type": "text"}}, "items": {"type": "text"}, "keys": {"type": "text"}, "values": {"type": "text"},
    "mustBeBetween": [1, 2], "mustNotBeBetween": [1, 2], "implementation": {"type": "row_count", "must_be": 1}, "specification": {},
    "schema": {"type": "dbt", "specification": "x"}, "links": {"l": "x"}, "lineage": {"inputFields": []},
    "inputFields": [{"namespace": "n", "name": "n", "field": "f"}],
    "transformations": [{"type": "DIRECT"}],
    "databricksType": "string", "scale": 0,
}  # fmt: skip


def sample(version: str, at: Parts, schema: Any) -> Any:
    """A value for a key."""
    key = at[-1]
    if key == "dataContractSpecification":
        return version
    if key == "primaryKey" and len(at) == 3:
        return ["f"]
    if key == "type" and at[0] == "models" and len(at) == 3:
        return "table"
    if key == "type" and at[0] != "models":
        return schema.get("enum", ["text"])[0]
    if key in SAMPLES:
        return SAMPLES[str(key)]
    types = schema.get("type", "string")
    kind = types[0] if isinstance(types, list) else types
    return {"array": [], "object": {}, "boolean": True, "integer": 1, "number": 1}.get(kind, "x")


def put(document: Any, at: Parts, value: Any) -> None:
    """Set a value, with what leads to it."""
    for step, following in pairwise(at):
        empty: Any = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            document += [{}] if step == len(document) else []
            document = document[step]
        else:
            document = document.setdefault(step, empty)
    if value or not isinstance(document.get(at[-1]), list | dict):
        document[at[-1]] = value


BESIDE = {"text": {"description": "x"}, "sql": {"query": "SELECT 1 FROM {model}"}, "library": {"metric": "rowCount"}, "custom": {"engine": "soda"}}  # fmt: skip
TYPED = {**dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), "long"), "precision": "decimal", "scale": "decimal", "keys": "map", "values": "map", "items": "array", "fields": "object"}  # fmt: skip


def document(version: str, at: Parts, kind: str, value: Any) -> Document:
    """A contract that has the key."""
    made: Document = {"dataContractSpecification": version, "id": "i", "info": {"title": "t", "version": "1"}}
    put(made, FIELD, {})
    put(made, ("definitions", "d"), {"type": "text", "name": "d"})
    put(made, ("definitions", "e"), {"type": "text", "name": "e"})
    put(made, ("models", "m", "fields", "other"), {"$ref": "#/definitions/d"})
    if kind or "quality" in at[1:-1]:
        item = at[: at.index("quality") + 2]
        for key, beside in {"type": kind or "text", **BESIDE[kind or "text"]}.items():
            put(made, (*item, key), beside)
    if at[:1] == ("quality",):
        put(made, ("quality",), {"type": "SodaCL", "specification": {}})
    # What leads to a part of a field, and what only some types have, needs the type.
    for length, step in enumerate(at):
        if step in TYPED and length > {"models": 3, "definitions": 1}.get(str(at[0]), 99):
            put(made, (*at[:length], "type"), TYPED[str(step)])
    put(made, at, value)
    if at[0] == "servicelevels" and str(at[-1]).lower().endswith("timestampfield"):
        # A promise that can be measured: of a moment, and within a span.
        put(made, (*FIELD, "type"), "timestamp")
        put(made, (*at[:2], "period" if at[1] == "retention" else "threshold"), "25h")
    if "lineage" in at:
        inputs = (*at[: at.index("lineage") + 1], "inputFields", 0)
        for key in ("namespace", "name", "field"):
            put(made, (*inputs, key), "x")
    if "transformations" in at:
        put(made, (*at[: at.index("transformations") + 1], 0, "type"), "DIRECT")
    return made


def keys(version: str) -> list[tuple[Parts, str, Any]]:
    """Every key of a version; of servers, of which nothing is read, only that they are there."""
    schema = dcs_shape.schema(version)
    return [
        found for found in allowed(schema, schema, ()) if found[0][0] not in ("servers", "schema") or len(found[0]) == 1
    ]


def classified(made: Document, at: Parts) -> tuple[str, str]:
    """Status and note of the ledger's entry that covers a place."""
    source = Source(document=made, shown="c.yaml")
    contract = dcs.Opened(source, Place(file=Path("c.yaml"), shown="c.yaml")).read("m")
    entries = {entry.path: entry for entry in contract.ledger}
    ways = (entries.get(json_path(at[:length])) for length in range(len(at), 0, -1))
    entry = next(entry for entry in ways if entry is not None)
    return entry.status, entry.note
