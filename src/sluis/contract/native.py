"""Sluis's own JSON contract → Contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sluis.contract import document, ledger, names, shape
from sluis.contract.document import Document
from sluis.contract.faults import faults
from sluis.contract.logical import Boolean, Date, Double, Integer, LogicalType, Long, String, Timestamp
from sluis.contract.model import Column, Contract
from sluis.contract.rules import (
    Columns,
    Encoding,
    Enum,
    Header,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    Pattern,
    PrimaryKey,
    Required,
    RowCount,
    RowShape,
    Rule,
    Scalar,
    TypeOf,
    Unique,
)
from sluis.errors import ContractError

TYPES: dict[str, type[LogicalType]] = {
    cls.name: cls for cls in (String, Integer, Long, Double, Boolean, Date, Timestamp)
}

_TEXT = {"type": "string", "minLength": 1}
_COUNT = {"type": "integer", "minimum": 0}
_SCALAR = {"type": ["string", "number", "boolean"]}
_COLUMN = {
    "name": _TEXT,
    "type": {"enum": list(TYPES)},
    "nullable": {"type": "boolean"},
    "description": {"type": "string"},
    "sensitive": {"type": "boolean"},
    "format": _TEXT,
    "pattern": _TEXT,
    "min_length": _COUNT,
    "max_length": _COUNT,
    "minimum": {"type": ["number", "string"]},
    "maximum": {"type": ["number", "string"]},
    "enum": {"type": "array", "items": _SCALAR, "minItems": 1},
}
_NAMES = {"type": "array", "items": _TEXT}
_ROW_COUNT = {"min": _COUNT, "max": _COUNT}
_UNIQUE = {"anyOf": [_TEXT, {**_NAMES, "minItems": 1}], "description": "a column, or a list of columns"}
_RULES = {
    "unique": {"type": "array", "items": _UNIQUE},
    "row_count": {"type": "object", "properties": _ROW_COUNT, "additionalProperties": False, "minProperties": 1},
}
SCHEMA: Document = {
    "type": "object",
    "properties": {
        "contract_name": _TEXT,
        "version": _TEXT,
        "description": {"type": "string"},
        "owner": {"type": "string"},
        "allow_additional_columns": {"type": "boolean"},
        "columns": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": _COLUMN,
                "required": ["name", "type"],
                "additionalProperties": False,
            },
        },
        "primary_key": _NAMES,
        "rules": {"type": "object", "properties": _RULES, "additionalProperties": False},
    },
    "required": ["contract_name", "version", "columns"],
    "additionalProperties": False,
}
"""The native contract's shape (DESIGN §4) as a JSON Schema."""


def read(file: Path, shown: str) -> Contract:
    """Read a native contract.

    Args:
        file: The document.
        shown: Its path as messages and evidence name it.

    Raises:
        ContractError: with every problem of the document.
    """
    raw = document.read(file, shown)
    problems, rest = shape.check(raw, SCHEMA, shown)
    problems += [fault.problem(shown) for fault in faults(rest)]
    if problems:
        raise ContractError(problems)
    rules = tuple(_rules(raw))
    return Contract(
        name=raw["contract_name"],
        version=raw["version"],
        format="native",
        object=raw["contract_name"],
        path=shown,
        fingerprint=document.fingerprint(raw),
        description=raw.get("description"),
        owner=raw.get("owner"),
        allow_additional_columns=raw.get("allow_additional_columns", False),
        columns=tuple(_column(column, raw) for column in raw["columns"]),
        primary_key=tuple(raw.get("primary_key", ())),
        rules=rules,
        ledger=tuple(ledger.entries(raw, rules)),
    )


def _column(raw: Document, contract: Document) -> Column:
    return Column(
        name=raw["name"],
        type=_type(raw),
        required=not raw.get("nullable", True) or raw["name"] in contract.get("primary_key", ()),
        description=raw.get("description"),
        sensitive=raw.get("sensitive", False),
    )


def _type(raw: Document) -> LogicalType:
    kind = TYPES[raw["type"]]
    if kind is Date or kind is Timestamp:
        return kind(format=raw.get("format"))
    return kind()


def _rules(raw: Document) -> Iterator[Rule]:
    name = raw["contract_name"]
    key = tuple(raw.get("primary_key", ()))
    allowed = raw.get("allow_additional_columns", False)
    count = raw.get("rules", {}).get("row_count", {})
    yield Header(id=names.safe(name, "header"), path="$")
    yield RowShape(id=names.safe(name, "row_shape"), path="$")
    yield Encoding(id=names.safe(name, "encoding"), path="$")
    columns = tuple(column["name"] for column in raw["columns"])
    yield Columns(id=names.safe(name, "columns"), path="$.columns", names=columns, allow_additional=allowed)
    yield RowCount(
        id=names.safe(name, "row_count"),
        path="$.rules.row_count" if count else "$",
        min=int(count.get("min", 1)),
        max=int(count["max"]) if "max" in count else None,
    )
    for index, column in enumerate(raw["columns"]):
        yield from _column_rules(column, name, f"$.columns[{index}]", in_key=column["name"] in key)
    if key:
        yield PrimaryKey(id=names.safe(name, "primary_key"), path="$.primary_key", columns=key)
    for index, entry in enumerate(raw.get("rules", {}).get("unique", ())):
        unique = (entry,) if isinstance(entry, str) else tuple(entry)
        if set(unique) != set(key):
            yield Unique(id=names.safe(name, *unique, "unique"), path=f"$.rules.unique[{index}]", columns=unique)


def _column_rules(raw: Document, contract: str, path: str, *, in_key: bool) -> Iterator[Rule]:
    column = raw["name"]

    def place(kind: str, key: str) -> dict[str, Any]:
        return {"id": names.safe(contract, column, kind), "path": f"{path}.{key}", "column": column}

    if not raw.get("nullable", True):
        yield Required(**place("required", "nullable"))
    elif in_key:
        yield Required(**{**place("required", "nullable"), "path": "$.primary_key"})
    if raw["type"] != String.name:
        yield TypeOf(**place("type", "type"))
    if "pattern" in raw:
        yield Pattern(**place("pattern", "pattern"), pattern=raw["pattern"])
    if "min_length" in raw:
        yield MinLength(**place("min_length", "min_length"), limit=int(raw["min_length"]))
    if "max_length" in raw:
        yield MaxLength(**place("max_length", "max_length"), limit=int(raw["max_length"]))
    if "minimum" in raw:
        yield Minimum(**place("minimum", "minimum"), limit=_exact(raw["type"], raw["minimum"]))
    if "maximum" in raw:
        yield Maximum(**place("maximum", "maximum"), limit=_exact(raw["type"], raw["maximum"]))
    if "enum" in raw:
        members = tuple(_exact(raw["type"], value) for value in raw["enum"])
        yield Enum(**place("enum", "enum"), values=members)


def _exact(kind: str, value: Scalar) -> Scalar:
    """A whole number as such, however it is written (`1e3`); other values as they stand."""
    return int(value) if kind in (Integer.name, Long.name) else value
