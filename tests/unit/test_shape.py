"""Departures from a JSON Schema in words, as the standards' schemas are written: branches, conditions, references."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sluis.contract.shape import faults

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2019-09/schema",
    "type": "object",
    "properties": {
        "kind": {"enum": ["sql", "text"]},
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "count": {"type": "integer", "minimum": 1, "maximum": 9, "exclusiveMinimum": 0},
        "tags": {"type": "array", "minItems": 2, "maxItems": 3, "uniqueItems": True},
        "team": {"oneOf": [{"$ref": "#/$defs/Team"}, {"type": "array", "items": {"type": "string"}}]},
        "ends": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
        "to": {
            "oneOf": [
                {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
                {
                    "type": "array",
                    "items": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
                },
            ]
        },
        "forbidden": {"type": "object", "not": {"required": ["from"]}, "properties": {"from": {}}},
    },
    "allOf": [
        {"if": {"properties": {"kind": {"const": "sql"}}, "required": ["kind"]}, "then": {"$ref": "#/$defs/Sql"}},
    ],
    "required": ["name"],
    "unevaluatedProperties": False,
    "$defs": {
        "Team": {"type": "object", "properties": {"lead": {"type": "string"}}, "additionalProperties": False},
        "Sql": {
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
            "oneOf": [
                {"properties": {"is": {}}, "required": ["is"]},
                {"properties": {"between": {"type": "array", "minItems": 2}}, "required": ["between"]},
            ],
        },
    },
}
KEYS = "`kind`, `name`, `count`, `tags`, `team`, `ends`, `to`, `forbidden`"

CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["/: `name` is missing"]),
    ({"name": "a", "kind": "sq"}, ["/kind: found text \"sq\" [`sql`, `text`] did you mean `sql`?"]),
    ({"name": "A"}, ["/name: found text \"A\" [text that matches `^[a-z]+$`]"]),
    ({"name": 1}, ["/name: found a number 1 [text] put it in quotes."]),
    ({"name": "a", "count": "3"}, ["/count: found text \"3\" [a whole number] write it without quotes."]),
    ({"name": "a", "count": Decimal("3.0")}, []),
    ({"name": "a", "count": Decimal("3.5")}, ["/count: found a number 3.5 [a whole number]"]),
    ({"name": "a", "count": True}, ["/count: found a boolean true [a whole number]"]),
    ({"name": "a", "count": 0}, ["/count: found a number 0 [1 or more]", "/count: found a number 0 [more than 0]"]),
    ({"name": "a", "count": 10}, ["/count: found a number 10 [9 or less]"]),
    ({"name": "a", "tags": "x"}, ["/tags: found text \"x\" [a list] put it in square brackets."]),
    ({"name": "a", "tags": [1]}, ["/tags: found a list [1] [2 or more of them]"]),
    ({"name": "a", "tags": [1, 1, 2, 3]}, ["/tags: found a list [1, 1, 2, 3] [3 of them at most]", "/tags: found a list [1, 1, 2, 3] [each value once]"]),
    # Of several branches, the one that was meant is told about.
    ({"name": "a", "team": {"led": "x"}}, ["/team/led: unknown key `led` [`lead`] did you mean `lead`?"]),
    ({"name": "a", "team": ["x", 1]}, ["/team/1: found a number 1 [text] put it in quotes."]),
    ({"name": "a", "team": 5}, ["/team: found a number 5 [an object or a list]"]),
    ({"name": "a", "ends": "c"}, ["/ends: found text \"c\" [text that matches `^a` or `^b`]"]),
    ({"name": "a", "to": ["ab", "cd"]}, ["/to/1: found text \"cd\" [text that matches `^a` or `^b`]"]),
    ({"name": "a", "forbidden": {"from": 1}}, ["/forbidden/from: `from` has no place here"]),
    ({"name": "a", "forbidden": 5}, ["/forbidden: found a number 5 [an object]"]),
    # Conditions: which keys there are depends on others.
    ({"name": "a", "kind": "sql", "query": "x", "is": 1}, []),
    ({"name": "a", "kind": "text", "query": "x"}, [f"/query: `query` has no place here [{KEYS}]"]),
    ({"name": "a", "nmae": 1}, [f"/nmae: unknown key `nmae` [{KEYS}] did you mean `name`?"]),
    ({"name": "a", "kind": "sql", "query": "x"}, ["/: a key is missing [one of `is`, `between`]"]),
    ({"name": "a", "kind": "sql", "query": "x", "between": [1]}, ["/between: found a list [1] [2 or more of them]"]),
    ({"name": "a", "kind": "sql", "query": "x", "between": [1, 2], "is": 1}, ["/: `is`, `between` exclude one another"]),
]  # fmt: skip


@pytest.mark.parametrize(("document", "expected"), CASES)
def test_faults_in_words(document: dict[str, Any], expected: list[str]) -> None:
    found = [
        f"/{'/'.join(map(str, fault.at))}: {fault.message}"
        + (f" [{fault.allowed}]" if fault.allowed else "")
        + (f" {fault.hint}" if fault.hint else "")
        for fault in faults(document, SCHEMA)
    ]
    assert found == expected
