"""Sluis's own JSON contract → Contract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from sluis.contract import datetimes, document, names
from sluis.contract.document import Document, did_you_mean, json_path, listed
from sluis.contract.model import (
    Boolean,
    Column,
    Columns,
    Contract,
    Date,
    Double,
    Encoding,
    Enum,
    Header,
    Integer,
    LedgerEntry,
    LogicalType,
    Long,
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
    String,
    Timestamp,
    TypeOf,
    Unique,
)
from sluis.contract.pattern import PatternError, to_java
from sluis.errors import ContractError, Problem

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
_RULES = {
    "unique": {"type": "array", "items": {"anyOf": [_TEXT, {**_NAMES, "minItems": 1}]}},
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
    problems = document.problems(raw, SCHEMA, shown) or [
        Problem(file=shown, path=path, message=f"{message}.", hint=hint) for path, message, hint in _faults(raw)
    ]
    if problems:
        raise ContractError(problems)
    rules = tuple(_rules(raw))
    return Contract(
        name=raw["contract_name"],
        version=raw["version"],
        format="native",
        path=shown,
        fingerprint=document.fingerprint(raw),
        description=raw.get("description"),
        owner=raw.get("owner"),
        allow_additional_columns=raw.get("allow_additional_columns", False),
        columns=tuple(_column(column, raw) for column in raw["columns"]),
        primary_key=tuple(raw.get("primary_key", ())),
        rules=rules,
        ledger=tuple(_ledger(raw, rules)),
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
        min=count.get("min", 1),
        max=count.get("max"),
    )
    for index, column in enumerate(raw["columns"]):
        yield from _column_rules(column, name, f"$.columns[{index}]", column["name"] in key)
    if key:
        yield PrimaryKey(id=names.safe(name, "primary_key"), path="$.primary_key", columns=key)
    for index, entry in enumerate(raw.get("rules", {}).get("unique", ())):
        unique = (entry,) if isinstance(entry, str) else tuple(entry)
        if set(unique) != set(key):
            yield Unique(id=names.safe(name, *unique, "unique"), path=f"$.rules.unique[{index}]", columns=unique)


def _column_rules(raw: Document, contract: str, path: str, in_key: bool) -> Iterator[Rule]:
    column = raw["name"]

    def place(kind: str, key: str) -> dict[str, Any]:
        return {"id": names.safe(contract, column, kind), "path": f"{path}.{key}", "column": column}

    if not raw.get("nullable", True) or in_key:
        yield Required(**place("required", "nullable"))
    if raw["type"] != String.name:
        yield TypeOf(**place("type", "type"))
    if "pattern" in raw:
        yield Pattern(**place("pattern", "pattern"), pattern=raw["pattern"])
    if "min_length" in raw:
        yield MinLength(**place("min_length", "min_length"), limit=raw["min_length"])
    if "max_length" in raw:
        yield MaxLength(**place("max_length", "max_length"), limit=raw["max_length"])
    if "minimum" in raw:
        yield Minimum(**place("minimum", "minimum"), limit=raw["minimum"])
    if "maximum" in raw:
        yield Maximum(**place("maximum", "maximum"), limit=raw["maximum"])
    if "enum" in raw:
        yield Enum(**place("enum", "enum"), values=tuple(raw["enum"]))


Fault = tuple[str, str, str]
"""Path, message and hint of something that the schema alone cannot see."""


def _faults(raw: Document) -> Iterator[Fault]:
    columns = [column["name"] for column in raw["columns"]]
    for index, reason in names.faults(columns):
        yield f"$.columns[{index}].name", reason, ""
    for index, column in enumerate(raw["columns"]):
        yield from ((f"$.columns[{index}].{key}", message, hint) for key, message, hint in _column_faults(column))
    yield from _key_faults("$.primary_key", raw.get("primary_key", []), columns)
    keys = [[entry] if isinstance(entry, str) else entry for entry in raw.get("rules", {}).get("unique", ())]
    for index, key in enumerate(keys):
        yield from _key_faults(f"$.rules.unique[{index}]", key, columns)
        if any(set(key) == set(other) for other in keys[:index]):
            yield f"$.rules.unique[{index}]", f"{listed(key)} stands in `unique` twice", ""
    count = raw.get("rules", {}).get("row_count", {})
    if count.get("min", 0) > count.get("max", count.get("min", 0)):
        yield "$.rules.row_count", "`min` is above `max`", ""


def _key_faults(path: str, key: list[str], columns: list[str]) -> Iterator[Fault]:
    for index, name in enumerate(key):
        if name not in columns:
            known = did_you_mean(name, columns) or f"the columns are {listed(columns)}."
            yield path, f"`{name}` is not one of the contract's columns", known
        elif name in key[:index]:
            yield path, f"`{name}` stands twice in it", ""


def _column_faults(column: Document) -> Iterator[Fault]:
    kind = column["type"]
    for key in ("pattern", "min_length", "max_length"):
        if key in column and kind != String.name:
            yield key, f"`{key}` is for columns of type `string`, this one is `{kind}`", _INSTEAD.get(kind, "")
    for key in ("minimum", "maximum"):
        if key in column and kind in (String.name, Boolean.name):
            yield key, f"`{key}` does not apply to a `{kind}`", "use `enum`, `pattern` or a length."
        elif key in column and (fault := _value_fault(column, column[key])):
            yield key, fault, ""
    for index, value in enumerate(column.get("enum", ())):
        if fault := _value_fault(column, value):
            yield f"enum[{index}]", fault, ""
    if column.get("min_length", 0) > column.get("max_length", column.get("min_length", 0)):
        yield "min_length", "`min_length` is above `max_length`", ""
    if fault := _format_fault(column):
        yield "format", fault, ""
    if "pattern" in column and kind == String.name:
        try:
            to_java(column["pattern"])
        except PatternError as error:
            yield "pattern", f"`{column['pattern']}`: {error}", ""


_INSTEAD = {
    "integer": "use `minimum` and `maximum`.",
    "long": "use `minimum` and `maximum`.",
    "double": "use `minimum` and `maximum`.",
    "date": "use `format`.",
    "timestamp": "use `format`.",
}


def _format_fault(column: Document) -> str | None:
    if "format" not in column:
        return None
    if column["type"] not in (Date.name, Timestamp.name):
        return f"`format` is for dates and timestamps, this column is `{column['type']}`"
    fault = datetimes.fault(column["format"], clock=column["type"] == Timestamp.name)
    return fault and f"`{column['format']}`: {fault}"


def _value_fault(column: Document, value: Scalar) -> str | None:
    kind = column["type"]
    return None if _IS_VALUE[kind](value) else f"`{value}` is not a {kind}"


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _is_date(value: Scalar) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII)) and _parses(date, value)


def _is_timestamp(value: Scalar) -> bool:
    return isinstance(value, str) and len(value) > 10 and _parses(datetime, value)


def _parses(kind: type[date] | type[datetime], value: str) -> bool:
    try:
        kind.fromisoformat(value)
    except ValueError:
        return False
    return True


_IS_VALUE = {
    "string": lambda value: isinstance(value, str),
    "integer": _is_number,
    "long": _is_number,
    "double": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "date": _is_date,
    "timestamp": _is_timestamp,
}


_INFORMS = {"contract_name", "version", "description", "owner", "sensitive"}


def _ledger(raw: Document, rules: tuple[Rule, ...]) -> Iterator[LedgerEntry]:
    enforced = {rule.path: rule.id for rule in rules}
    for path, key in _keys(raw, ()):
        if path in enforced:
            yield LedgerEntry(path=path, status="enforced", note=f"rule {enforced[path]}")
        else:
            yield LedgerEntry(path=path, **_else(path, key, raw))


def _else(path: str, key: str, raw: Document) -> dict[str, Any]:
    """What became of a key that has no rule of its own."""
    if key in _INFORMS:
        return {"status": "documentation"}
    if key == "nullable":
        return {"status": "documentation", "note": "NULL is allowed"}
    if path.startswith("$.rules.unique["):
        return {"status": "enforced", "note": "the same as the primary key"}
    if key in ("name", "allow_additional_columns"):
        return {"status": "enforced", "note": f"rule {names.safe(raw['contract_name'], 'columns')}"}
    if key == "format":
        return {"status": "enforced", "note": "by the column's type"}
    return {"status": "enforced", "note": "any text is a string" if key == "type" else "by its parts"}


def _keys(value: Any, parts: tuple[str | int, ...]) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield json_path((*parts, key)), key
            yield from _keys(inner, (*parts, key))
    elif isinstance(value, list) and parts[-1] in ("columns", "unique"):
        for index, inner in enumerate(value):
            if parts[-1] == "unique":
                yield json_path((*parts, index)), "unique"
            yield from _keys(inner, (*parts, index))
