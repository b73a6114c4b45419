"""Contracts → an ODCS 3.2 document that reads back as the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from sluis.contract.confidential import is_sensitive
from sluis.contract.convert.rules import Place, place_rules
from sluis.contract.convert.types import type_keys
from sluis.contract.convert.words import Words
from sluis.contract.document import Document
from sluis.contract.durations import UNLIMITED
from sluis.contract.model import Column, Contract, ServiceLevel
from sluis.contract.odcs import OTHER_COLUMNS

VERSION = "v3.2.0"
"""The version of ODCS that is written."""


def to_odcs(contracts: Sequence[Contract], words: Words) -> Document:
    """The objects of one document as ODCS.

    Args:
        contracts: The contracts of the document, one per object; what they share is said once.
        words: What the document says besides.
    """
    first = contracts[0]
    shared = [tag for tag in first.tags if all(tag in contract.tags for contract in contracts)]
    levels = [level for level in first.service_levels if _is_shared(level, contracts)]
    document = {
        "apiVersion": VERSION,
        "kind": "DataContract",
        "id": first.id or first.name,
        "name": first.name,
        "version": first.version,
        "team": {"name": first.owner} if first.owner else None,
        "tags": shared,
        **words.top,
        "schema": [_object(contract, shared, contracts, words) for contract in contracts],
        "slaProperties": [
            *(_level(level, None) for level in levels),
            *(
                _level(level, contract)
                for contract in contracts
                for level in contract.service_levels
                if level not in levels
            ),
        ],
    }
    return _told(document)


def _told(said: Document) -> Document:
    """Without what says nothing."""
    return {key: value for key, value in said.items() if value not in (None, [], {})}


def _is_shared(level: ServiceLevel, contracts: Sequence[Contract]) -> bool:
    return not level.columns and all(level in contract.service_levels for contract in contracts)


def _object(contract: Contract, shared: Sequence[str], contracts: Sequence[Contract], words: Words) -> Document:
    properties = {column.name: _property(column, contract, words) for column in contract.columns}
    of_object: Document = {}
    place = Place(object=of_object, properties=properties, queries=words.queries, descriptions=words.descriptions)
    place_rules(contract, place, known={each.object for each in contracts})
    return _told(
        {
            "name": contract.object,
            "logicalType": "object",
            "description": contract.description,
            "tags": [tag for tag in contract.tags if tag not in shared],
            "customProperties": []
            if contract.allow_additional_columns
            else [{"property": OTHER_COLUMNS, "value": False}],
            "properties": [_ordered(each) for each in properties.values()],
            **of_object,
        }
    )


def _property(column: Column, contract: Contract, words: Words) -> Document:
    name = column.logical_name or column.name
    classification = column.classification or ("sensitive" if column.sensitive else None)
    is_told = is_sensitive(classification, column.tags)
    return _told(
        {
            "name": name,
            "physicalName": column.name if name != column.name else None,
            "description": column.description,
            "classification": classification,
            "tags": [*column.tags, *(["sensitive"] if column.sensitive and not is_told else [])],
            **words.properties.get((contract.object, name), {}),
            **type_keys(column.type),
            **_position("partitioned", "partitionKeyPosition", contract.partition_columns, column.name),
            **_position("primaryKey", "primaryKeyPosition", contract.primary_key, column.name),
        }
    )


def _position(flag: str, position: str, columns: Sequence[str], name: str) -> Document:
    return {flag: True, position: columns.index(name) + 1} if name in columns else {}


_ORDER = (
    *(
        "name",
        "physicalName",
        "businessName",
        "description",
        "logicalType",
        "physicalType",
        "logicalTypeOptions",
        "required",
    ),
    *("primaryKey", "primaryKeyPosition", "unique", "enum", "partitioned", "partitionKeyPosition", "classification"),
    *("tags", "examples", "relationships", "quality", "properties", "items", "map"),
)
"""The keys of a property as a person reads them."""


def _ordered(said: Document) -> Document:
    ordered = {key: said[key] for key in _ORDER if key in said}
    if "properties" in said:
        ordered["properties"] = [_ordered(part) for part in said["properties"]]
    if "items" in said:
        ordered["items"] = _ordered(said["items"])
    if "map" in said:
        ordered["map"] = {key: _ordered(part) for key, part in said["map"].items()}
    return ordered


_SPANS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def _level(level: ServiceLevel, contract: Contract | None) -> Document:
    value, unit = _span(level)
    return {
        "property": level.kind,
        "value": value,
        **({"unit": unit} if unit else {}),
        **({"element": ", ".join(_elements(level, contract))} if contract else {}),
        **({"description": level.description} if level.description else {}),
    }


def _span(level: ServiceLevel) -> tuple[Decimal | int | str | None, str | None]:
    value, unit = level.value if level.told is None else level.told, level.unit
    if unit == UNLIMITED:
        return unit, None
    if not isinstance(value, Decimal) or unit not in ("second", "month", "year"):
        return value, unit
    if unit != "second":
        return value, {"month": "mo", "year": "y"}[unit]
    return next((value / size, name) for size, name in _SPANS if value % size == 0 or size == 1)


def _elements(level: ServiceLevel, contract: Contract) -> Iterator[str]:
    names: dict[str, Any] = {column.name: column.logical_name or column.name for column in contract.columns}
    yield from (f"{contract.object}.{names.get(column, column)}" for column in level.columns)
    if not level.columns:
        yield contract.object
