"""An object or a property of an ODCS document, under the keys of ODCS 3 whatever they were called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from sluis.contract.document import Parts
from sluis.contract.notes import Notes


class Alias(NamedTuple):
    """Another name of a key."""

    key: str
    """Its name in ODCS 3."""

    negated: bool = False
    """Whether it says the opposite."""


ALIASES = {
    "isNullable": Alias("required", negated=True),
    "nullable": Alias("required", negated=True),
    "isUnique": Alias("unique"),
    "isPrimaryKey": Alias("primaryKey"),
    "isPrimary": Alias("primaryKey"),
    "primary": Alias("primaryKey"),
}
"""Names that other tools, and ODCS 2, have for the flags of a property."""

DIGITS = ("precision", "scale")
"""What DCS calls the digits of a number, and those behind its point."""

OPTIONS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("pattern", "format"), str),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", *DIGITS), int),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (int, Decimal)),
}
"""Options of a logical type that people write straight into the property, and what their values are."""

V2_TABLE = {"table": "name", "columns": "properties", "dataGranularity": "dataGranularityDescription"}
"""Keys of a table in ODCS 2 → those of an object in ODCS 3."""

V2_COLUMN = {
    "column": "name",
    "partitionStatus": "partitioned",
    "clusterStatus": "clustered",
    "clusterKeyPosition": "clusterKeyPosition",
    "sampleValues": "examples",
    "encryptedColumnName": "encryptedName",
    "criticalDataElementStatus": "criticalDataElement",
    "transformSourceTables": "transformSourceObjects",
}
"""Keys of a column in ODCS 2 → those of a property in ODCS 3, from which `clustered` and its position were dropped."""


@dataclass(frozen=True, kw_only=True)
class Element:
    """What a document says of an object or a property."""

    at: Parts
    """Where it stands."""

    values: Mapping[str, Any]
    """Its keys, under their names in ODCS 3."""

    places: Mapping[str, Parts]
    """Where each of them stands."""

    def text(self, key: str) -> str | None:
        """The value of a key that holds text; None where it is not there."""
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def is_true(self, key: str) -> bool:
        """Whether a flag is set."""
        return self.values.get(key) is True

    def list(self, key: str) -> list[Any]:
        """The value of a key that holds a list; empty where it is not there."""
        value = self.values.get(key)
        return value if isinstance(value, list) else []


def element(raw: Any, at: Parts, notes: Notes, renamed: Mapping[str, str] | None = None) -> Element:
    """An object or a property as it stands in a document.

    Args:
        raw: What the document says.
        at: Where.
        notes: Takes the contradiction of a flag and its alias.
        renamed: Other names of keys → their names in ODCS 3.
    """
    values: dict[str, Any] = {}
    places: dict[str, Parts] = {}
    taken = {name for key, name in (renamed or {}).items() if isinstance(raw, Mapping) and key in raw and key != name}
    for key, value in raw.items() if isinstance(raw, Mapping) else ():
        if key in taken:
            # ODCS 2 has no such key, and the one that it has is there.
            continue
        name, stated = (renamed or {}).get(key, key), value
        if key in ALIASES and isinstance(value, bool):
            name, negated = ALIASES[key]
            stated = value != negated
            if name in raw and raw[name] is not stated:
                notes.problem((*at, key), f"it contradicts `{name}`")
            if name in values or name in raw:
                notes.documentation((*at, key), f"`{name}` says the same")
                continue
        values[name], places[name] = stated, (*at, key)
    return Element(at=at, values=values, places=places)


def options(of: Element, notes: Notes) -> Element:
    """The `logicalTypeOptions` of a property, with those that stand beside them."""
    place = of.places.get("logicalTypeOptions", of.at)
    stated = element(of.values.get("logicalTypeOptions"), place, notes)
    beside = [key for key in OPTIONS if key in of.values]
    values = {key: of.values[key] for key in beside}
    places = {key: of.places[key] for key in beside}
    return Element(at=place, values={**stated.values, **values}, places={**stated.places, **places})
