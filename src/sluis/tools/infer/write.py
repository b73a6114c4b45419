"""A drafted contract as text: ODCS 3.2 with comments, or the native format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sluis.contract.convert import to_odcs, yaml_writer
from sluis.contract.convert.words import Words
from sluis.contract.document import Parts
from sluis.contract.logical import DecimalType, LogicalType
from sluis.contract.model import Column, Contract
from sluis.contract.native import TYPES
from sluis.contract.rules import ColumnRule, Enum, MaxLength, MinLength, Required
from sluis.tools.infer.draft import Draft

Written = tuple[str, list[str]]
"""A document, and the remarks that it has no room for."""


def as_odcs(made: Draft, heading: Sequence[str]) -> Written:
    """The contract as ODCS, with every remark above what it is about."""
    comments: dict[Parts, Sequence[str]] = {
        (): heading,
        ("version",): ["Raise the first number when consumers may break on a change."],
        ("schema", 0, "customProperties"): ["Other columns are refused; drop this to let them through."],
    }
    for place, column in enumerate(made.contract.columns):
        if remarks := made.remarks.get(column.name):
            comments["schema", 0, "properties", place] = remarks
    return yaml_writer.write(to_odcs([made.contract], Words()), comments), []


def as_native(made: Draft, heading: Sequence[str]) -> Written:
    """The contract as native JSON, which has no comments."""
    contract = made.contract
    document: dict[str, Any] = {
        "contract_name": contract.name,
        "version": contract.version,
        "allow_additional_columns": contract.allow_additional_columns,
        "columns": [_column(column, contract) for column in contract.columns],
    }
    if contract.primary_key:
        document["primary_key"] = list(contract.primary_key)
    remarks = [f"{column}: {remark}" for column, lines in made.remarks.items() for remark in lines]
    widened = [column.name for column in contract.columns if isinstance(column.type, DecimalType)]
    remarks += [f"{name}: the native format has no exact decimals, so it is a double" for name in widened]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n", [*heading, *remarks]


def _column(column: Column, contract: Contract) -> dict[str, Any]:
    said: dict[str, Any] = {"name": column.name, "type": _type(column.type)}
    if pattern := getattr(column.type, "format", None):
        said["format"] = pattern
    for rule in contract.rules:
        if isinstance(rule, ColumnRule) and rule.column == column.name:
            said |= _key(rule)
    return said


def _type(logical: LogicalType) -> str:
    if logical.name in TYPES:
        return logical.name
    return "double" if isinstance(logical, DecimalType) else "string"


def _key(rule: ColumnRule) -> dict[str, Any]:
    if isinstance(rule, Required):
        return {"nullable": False}
    if isinstance(rule, Enum):
        return {"enum": list(rule.values)}
    if isinstance(rule, MinLength):
        return {"min_length": rule.limit}
    return {"max_length": rule.limit} if isinstance(rule, MaxLength) else {}
