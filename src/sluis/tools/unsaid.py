"""What of a document its conversion does not say: keys that only inform, or that nothing enforced before either."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sluis.contract.document import Document, Parts, json_path
from sluis.contract.model import Contract


def unsaid(document: Document, contracts: Sequence[Contract], said: Collection[Parts]) -> list[str]:
    """A line per key, or per group of keys that all are left out.

    Args:
        document: The old document.
        contracts: Its objects that were converted.
        said: Places that the new document says besides the contracts.
    """
    clustered = [f"clustering by {', '.join(each.cluster_columns)}" for each in contracts if each.cluster_columns]
    walk = _Walk(said={json_path(place) for place in said}, enforced=dict(_enforced(contracts)))
    return [*(f"{what}: ODCS 3 has no key for it" for what in clustered), *walk.left(document, (), enforced=True)]


def _enforced(contracts: Sequence[Contract]) -> Iterator[tuple[str, bool]]:
    """Place → whether some contract enforces it; what is no part of one object may be of another."""
    entries = [entry for contract in contracts for entry in contract.ledger]
    for entry in sorted(entries, key=lambda entry: entry.status == "enforced"):
        yield entry.path, entry.status == "enforced"


@dataclass(frozen=True, kw_only=True)
class _Walk:
    """A walk over a document."""

    said: Collection[str]
    """Places that the new document says, with all that is in them."""

    enforced: Mapping[str, bool]
    """Place → whether a rule enforces it; what is not among them is as what it is in."""

    def left(self, value: Any, at: Parts, *, enforced: bool) -> Iterator[str]:
        """What is not said, below a place."""
        for key, inner in _members(value):
            place = (*at, key)
            path = json_path(place)
            if path in self.said or inner in (None, False, "", [], {}):
                continue
            own = self.enforced.get(path, enforced)
            if own or _is_kept(place) or self._has_said(inner, place):
                yield from self.left(inner, place, enforced=own)
            else:
                yield path

    def _has_said(self, value: Any, at: Parts) -> bool:
        """Whether something below a place is said."""
        return any(
            (path := json_path((*at, key))) in self.said
            or (path.startswith(_GROUPS) and _is_kept((*at, key)))
            or self.enforced.get(path, False)
            or self._has_said(inner, (*at, key))
            for key, inner in _members(value)
        )


def _members(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


_GROUPS = ("$.info.", "$.description.", "$.team.", "$.servicelevels", "$.slaProperties")
"""Where keys that the result has stand among others; elsewhere each key is accounted for by itself."""


def _is_kept(at: Parts) -> bool:
    """Whether the result has the words at a place, or these say no more than their absence would."""
    match at:
        case ("models", _, "description" | "tags" | "type", *_):
            return True
        case ("models", _, "fields", _, "classification" | "pii" | "tags", *_):
            return True
        case ("models", *_, "fields", _, "description") | ("models", *_, "quality", int(), "description"):
            return True
        case ("models", *_):
            return False
    return _KEPT.fullmatch(json_path(at)) is not None


_COLUMN = r"\$\.(?:columns|dataset)\b.*"

_KEPT = re.compile(
    rf"""
    \$\.(?:apiVersion|kind|dataContractSpecification|standardVersion|id|uuid|name|contract_name|version|owner
        |tags(?:\[\d+\])?|description|info\.(?:title|version|owner|description)|quality\.type|definitions
        |slaProperties\[\d+\](?:\.(?:property|value|unit|element|column|description|id))?
        |servicelevels\.\w+(?:\.(?:description|percentage|unlimited|\w*[pP]eriod|threshold|interval|\w+Time|\w+Point|\w+Field))?)
    |{_COLUMN}\.(?:name|description|classification|pii|sensitive|tags(?:\[\d+\])?|type|nullable|required|unique
        |primary|primaryKey|primaryKeyPosition|partitioned|partitionKeyPosition|isNullable|isUnique|physicalName|logicalType)
    """,
    re.VERBOSE,
)
"""Places whose words the result has, or that say no more than their absence would."""
