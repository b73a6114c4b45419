"""Which columns may identify a row: single ones first, then small groups, counted exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from sluis.contract.logical import Boolean, Double, LogicalType
from sluis.tools.infer.decide import is_named
from sluis.tools.infer.profile import Profile, distinct

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FEWEST = 2
"""Rows from which a column can be told to be a key: of one row, every column is."""

_FEWEST_FOR_ANY = 20
"""Rows from which a column is no key by chance, though its name does not say that it is one."""

_FEWEST_FOR_GROUPS = 10
"""Rows from which a group of columns is more than chance."""

_SINGLES = 8
_MEMBERS = 6
_LONGEST = 64
"""Characters of a key's text."""


@dataclass(frozen=True, kw_only=True)
class Keys:
    """What may identify a row."""

    primary: tuple[str, ...] = ()
    """The best key; empty when there is none."""

    others: tuple[str, ...] = ()
    """Other columns in which no value stands twice."""


def keys(frame: DataFrame, profiles: Sequence[Profile], types: Mapping[str, LogicalType]) -> Keys:
    """Look for keys.

    Args:
        frame: The file's text columns.
        profiles: What is known of them.
        types: What they are taken for: keys compare values, not text.
    """
    able = [each for each in profiles if _is_able(each, types[each.name])]
    if not able or able[0].rows < FEWEST:
        return Keys()
    rows = able[0].rows
    # The counts of the profile are approximate, by some 2 %.
    likely = [each for each in able if rows >= _FEWEST_FOR_ANY or is_named(each)]
    near = sorted((each for each in likely if each.distinct >= 0.9 * rows), key=lambda each: _merit(each, profiles))
    singles = near[:_SINGLES]
    counts = distinct(frame, [[(each.name, types[each.name])] for each in singles])
    unique = [each for each, count in zip(singles, counts, strict=True) if count == rows]
    if unique:
        return Keys(primary=(unique[0].name,), others=tuple(each.name for each in unique[1:]))
    return Keys(primary=_group(frame, able, profiles, types) if rows >= _FEWEST_FOR_GROUPS else ())


def _is_able(profile: Profile, logical: LogicalType) -> bool:
    return profile.required and profile.longest <= _LONGEST and not isinstance(logical, Double | Boolean)


def _merit(profile: Profile, profiles: Sequence[Profile]) -> tuple[bool, int]:
    """What makes a good key: its name says so, then its place."""
    return not is_named(profile), list(profiles).index(profile)


def _group(
    frame: DataFrame, able: Sequence[Profile], profiles: Sequence[Profile], types: Mapping[str, LogicalType]
) -> tuple[str, ...]:
    """The smallest group of columns that no two rows share, the best first."""
    rows = able[0].rows
    members = sorted((each for each in able if each.distinct > 1), key=lambda each: _merit(each, profiles))[:_MEMBERS]
    for size in (2, 3):
        groups = [group for group in combinations(members, size) if prod(each.distinct for each in group) >= 0.9 * rows]
        counts = distinct(frame, [[(each.name, types[each.name]) for each in group] for group in groups])
        for group, count in zip(groups, counts, strict=True):
            if count == rows:
                return tuple(each.name for each in sorted(group, key=list(profiles).index))
    return ()
