"""Quality items for another engine: expectations of Great Expectations, SodaCL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sluis.contract import yaml_text
from sluis.contract.document import listed, shown_value
from sluis.contract.quality import soda
from sluis.contract.quality.gx_table import EXPECTATIONS, understood
from sluis.contract.quality.scope import Item, Unsupported
from sluis.contract.rules import Gx, Rule, Severity
from sluis.errors import ContractError

KEYS = ("engine", "implementation", "specification")
"""Keys of an item that are part of its rules."""


def rules(item: Item) -> Iterator[Rule]:
    """The rules of an item.

    Raises:
        Unsupported: its engine is not read here, or it states nothing that can be checked.
    """
    engine = "".join(char for char in str(item.raw.get("engine", "")).lower() if char.isalnum())
    if engine in ("greatexpectations", "greatexpectation", "gx", "ge"):
        yield from _gx(item)
    elif engine in ("soda", "sodacl"):
        yield from soda.of_item(item)
    else:
        raise Unsupported(f"Sluis does not run the engine {shown_value(item.raw.get('engine'))}")


def _gx(item: Item) -> Iterator[Rule]:
    """The expectations that can be run; the others are noted at the implementation."""
    item.notes.informs((*item.at, "implementation"), item.raw.get("implementation"), _INFORMS)
    refused: list[str] = []
    found = 0
    for expectation in _expectations(_implementation(item)):
        try:
            yield _rule(item, expectation)
            found += 1
        except Unsupported as error:
            refused.append(str(error))
    if refused and not found:
        raise Unsupported("; ".join(refused))
    if refused:
        item.notes.unsupported((*item.at, "implementation"), "; ".join(refused))


def _implementation(item: Item) -> Any:
    """What is stated, as plain values; text is YAML (or JSON, which is YAML too)."""
    stated = item.raw.get("implementation", item.raw.get("specification"))
    if not isinstance(stated, str):
        return stated
    try:
        return yaml_text.parse(stated, item.notes.source.shown)[0]
    except ContractError as error:
        raise Unsupported(f"its text cannot be read: {error.problems[0].message.rstrip('.')}") from None


def _expectations(stated: Any) -> list[Any]:
    """One expectation, a list of them, or a suite that holds the list."""
    if isinstance(stated, Mapping) and isinstance(stated.get("expectations"), list):
        return list(stated["expectations"])
    return stated if isinstance(stated, list) and stated else [stated]


def _rule(item: Item, stated: Any) -> Gx:
    named = (stated.get("type") or stated.get("expectation_type")) if isinstance(stated, Mapping) else None
    kwargs = (stated.get("kwargs") or {}) if isinstance(stated, Mapping) else None
    if not isinstance(named, str) or not isinstance(kwargs, Mapping):
        raise Unsupported(f"{shown_value(stated)} is no expectation")
    if unknown := [key for key in stated if key not in (*_PARTS, *_INFORMS)]:
        raise Unsupported(f"Sluis does not read {listed(unknown)} of an expectation")
    severity = _severity(stated.get("severity"), item)
    arguments = {str(key): _plain(value) for key, value in kwargs.items()}
    if item.scope.column is not None and named in EXPECTATIONS and "column" in EXPECTATIONS[named]:
        arguments.setdefault("column", item.scope.column)
    try:
        arguments = understood(named, arguments)
    except ValueError as error:
        raise Unsupported(str(error)) from None
    arguments |= {key: _columns(arguments[key], item) for key in _NAMES if key in arguments}
    place = replace(item, severity=severity).place(named.removeprefix("expect_"))
    return Gx(**place, type=named, kwargs=tuple(sorted(arguments.items())))


_PARTS = ("type", "expectation_type", "kwargs", "severity")
"""Keys of an expectation that are part of its rule."""

_INFORMS = ("description", "expectation_context", "ge_cloud_id", "id", "meta", "notes", "rendered_content")
"""Keys of an expectation that only inform."""

_SEVERITIES: dict[str, Severity] = {"critical": "error", "warning": "warning", "info": "info"}
"""How Great Expectations calls ours."""


def _severity(stated: object, item: Item) -> Severity:
    """The severity of an expectation; the item's own wins."""
    if stated is None or "severity" in item.raw:
        return item.severity
    if stated not in _SEVERITIES:
        raise Unsupported(f"{shown_value(stated)} is none of the severities {listed(_SEVERITIES)}")
    return _SEVERITIES[str(stated)]


_NAMES = ("column", "column_A", "column_B", "column_list", "column_set")
"""Arguments that name columns."""


def _columns(named: Any, item: Item) -> Any:
    """Columns by their names in file and table."""
    if isinstance(named, list):
        return [_columns(name, item) for name in named]
    return item.scope.columns.get(named, named) if isinstance(named, str) else named


def _plain(value: Any) -> Any:
    """As JSON has it: numbers with a fraction as doubles, which is how GX compares them."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
