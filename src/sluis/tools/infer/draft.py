"""Profiles, decisions, keys and values of a file → a first contract, with remarks on what a person should decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sluis.contract.logical import Integer, LogicalType, String
from sluis.contract.model import Column, Contract
from sluis.contract.rules import Enum, MaxLength, MinLength, PrimaryKey, Required, Rule
from sluis.tools.infer.decide import Decision, decide, personal
from sluis.tools.infer.keys import Keys
from sluis.tools.infer.profile import Profile

MOST_VALUES = 12
"""Different values up to which a column is taken for a list of them."""

_TIMES = 5
"""How often each value must occur on average, so that the list is no chance."""

_LONGEST_VALUE = 40

_CODES = 10
"""Different numbers up to which they may be codes."""

_SIZES = (1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 255)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A first contract."""

    contract: Contract
    """The contract."""

    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Column → what a person should decide about it, a line each."""


def may_list(profile: Profile, logical: LogicalType) -> bool:
    """Whether a column may hold one of a few values; those of people do not belong into a contract."""
    return (
        isinstance(logical, String)
        and not personal(profile)
        and 0 < profile.distinct <= MOST_VALUES
        and profile.filled >= _TIMES * profile.distinct
        and profile.longest <= _LONGEST_VALUE
    )


def draft(
    name: str,
    profiles: Sequence[Profile],
    decisions: Mapping[str, Decision],
    values: Mapping[str, list[str]],
    keys: Keys,
) -> Draft:
    """Write the contract.

    Args:
        name: What it is called.
        profiles: Every column, in the file's order.
        decisions: What each is taken for.
        values: All values of the columns that have few.
        keys: What may identify a row.
    """
    columns = tuple(
        Column(name=each.name, type=decisions[each.name].logical, required=each.required) for each in profiles
    )
    rules = [rule for each in profiles for rule in _rules(each, decisions[each.name], values.get(each.name), name)]
    if keys.primary:
        rules.append(PrimaryKey(id=f"{name}.primary_key", path="$", columns=keys.primary))
    contract = Contract(
        name=name,
        version="0.1.0",
        format="odcs",
        path="",
        object=name,
        fingerprint="",
        columns=columns,
        primary_key=keys.primary,
        rules=tuple(rules),
    )
    remarks = {each.name: tuple(_remarks(each, decisions[each.name], values.get(each.name), keys)) for each in profiles}
    return Draft(contract=contract, remarks=remarks)


def _rules(profile: Profile, decision: Decision, values: list[str] | None, name: str) -> Iterator[Rule]:
    def place(kind: str) -> dict[str, Any]:
        return {"id": f"{name}.{profile.name}.{kind}", "path": "$", "column": profile.name}

    if profile.required:
        yield Required(**place("required"))
    if values:
        yield Enum(**place("enum"), values=tuple(values))
    elif isinstance(decision.logical, String) and profile.filled:
        if _is_fixed(profile):
            yield MinLength(**place("min_length"), limit=profile.shortest)
        yield MaxLength(**place("max_length"), limit=profile.longest if _is_fixed(profile) else _size(profile.longest))


def _is_fixed(profile: Profile) -> bool:
    """Whether all texts are of one length, and it is no chance."""
    return profile.shortest == profile.longest > 1 and profile.distinct > 1


def _size(longest: int) -> int:
    """A round number of characters, with room above what was seen."""
    return next((size for size in _SIZES if size >= longest), -(-longest // 500) * 500)


def _remarks(profile: Profile, decision: Decision, values: list[str] | None, keys: Keys) -> Iterator[str]:
    yield from decision.remarks
    if personal(profile):
        yield "about a person? `classification: restricted` (native: `sensitive`) keeps its values out of reports"
    if keys.primary == (profile.name,):
        yield "no two rows share it here: is it the key?"
    elif profile.name in keys.primary:
        yield f"{' and '.join(keys.primary)} together are different in every row here: are they the key?"
    elif profile.name in keys.others:
        yield "no two rows share it here: say `unique` if that is always so"
    if isinstance(decision.logical, Integer) and 0 < profile.distinct <= _CODES <= profile.filled / profile.distinct:
        yield f"{profile.distinct} different numbers here: a code? Then list them in `enum`"
    if values:
        yield "these are all the values of this file: add what else may come, or drop the list"
    elif isinstance(decision.logical, String) and profile.filled:
        if _is_fixed(profile):
            yield f"always {profile.longest} characters here"
        else:
            yield f"at most {profile.longest} characters here"
    if not profile.required and profile.filled:
        missing = profile.rows - profile.filled
        yield f"{missing:,} of {profile.rows:,} rows have no value: may that be?"


def decisions(profiles: Sequence[Profile]) -> dict[str, Decision]:
    """What every column is taken for."""
    return {profile.name: decide(profile) for profile in profiles}
