"""Two versions of a document's keys that no rule enforces → what differs between them.

The model does not hold such keys, so the ledger tells: what stands at each of them, and why nothing enforces it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from sluis.contract.diff.changes import Change
from sluis.contract.model import Contract, LedgerEntry

_CHANGES: dict[Literal["unsupported", "documentation"], str] = {
    "unsupported": "unenforced_changed",
    "documentation": "words_changed",
}
"""Status of a key → the class of its change."""

_TOLD = re.compile(
    r"""
    .*\.(?:businessDefinition|classification|contract_name|contractCreatedTs|description|id|name|nullable|owner|pii
        |primary|primaryKey|primaryKeyPosition|partitioned|partitionKeyPosition|partitionStatus|clustered|clusterStatus
        |clusterKeyPosition|physicalName|required|sensitive|tags|title|unique|uuid|version|isNullable|isUnique)
    |\$\.(?:servicelevels|slaProperties|slaDefault|models\.[^.]+$|models\["[^"]*"\]$|(?:schema|dataset)\[\d+\]$).*
    """,
    re.VERBOSE,
)
"""Places of documentation that is told as part of columns, rules, service levels, facts and other objects."""


def keys_differ(old: Contract, new: Contract) -> Iterator[Change]:
    """Keys that came, went or say something else, and that nothing enforces in either version."""
    if old.format != new.format:
        # Then the same is said in other places.
        return
    for status, change in _CHANGES.items():
        for before, after in _paired(_entries(old, status), _entries(new, status)):
            shown = after or before
            assert shown is not None
            yield Change(
                change=change,
                subject=shown.path,
                old=_shown(before),
                new=_shown(after),
                old_path=before.path if before else None,
                new_path=after.path if after else None,
            )


_LONGEST = 300
"""Characters of a value that are shown."""


def _shown(entry: LedgerEntry | None) -> str | None:
    if entry is None:
        return None
    return entry.says if len(entry.says) <= _LONGEST else f"{entry.says[: _LONGEST - 1]}…"


def _entries(contract: Contract, status: str) -> list[LedgerEntry]:
    return [
        entry
        for entry in contract.ledger
        if entry.status == status and not (status == "documentation" and _TOLD.fullmatch(entry.path))
    ]


def _paired(
    old: Sequence[LedgerEntry], new: Sequence[LedgerEntry]
) -> Iterator[tuple[LedgerEntry | None, LedgerEntry | None]]:
    """Entries side by side, without those that are on both sides; a key may have another position in its list."""
    left, right = _without_common(old, new), _without_common(new, old)
    for entry in left:
        twin = next((other for other in right if _place(other) == _place(entry)), None)
        if twin is not None:
            right.remove(twin)
        yield entry, twin
    yield from ((None, entry) for entry in right)


def _without_common(entries: Sequence[LedgerEntry], others: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    common = Counter(map(_content, entries)) & Counter(map(_content, others))
    kept = []
    for entry in entries:
        if common[_content(entry)]:
            common[_content(entry)] -= 1
        else:
            kept.append(entry)
    return kept


def _content(entry: LedgerEntry) -> tuple[str, str]:
    return _place(entry), entry.says


def _place(entry: LedgerEntry) -> str:
    return re.sub(r"\[\d+\]", "", entry.path)
