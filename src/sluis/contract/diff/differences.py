"""Two versions of a contract → what differs between them, each difference once and with both sides.

Rules are paired by their ids, what is left by kind and columns; columns by name. `changes` says what each difference
means, `strength` how two versions of a rule compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal

from sluis.contract.diff.changes import KINDS, Change
from sluis.contract.diff.columns import columns_differ, lost_and_found, null_told
from sluis.contract.diff.cover import WEIGHT, asks_nothing, is_covered
from sluis.contract.diff.keys import keys_differ
from sluis.contract.diff.levels import levels_differ
from sluis.contract.diff.strength import Strength, compare, inner_type
from sluis.contract.logical import LogicalType
from sluis.contract.model import Contract
from sluis.contract.rules import (
    ColumnRule,
    Columns,
    PrimaryKey,
    Required,
    RowCount,
    RowCountIs,
    Rule,
    Threshold,
)
from sluis.contract.telling import columns_of, told


def differ(old: Sequence[Contract], new: Sequence[Contract]) -> list[Change]:
    """Compare the objects of two documents; breaking changes first.

    Args:
        old: The contracts of the old document, one per object.
        new: Those of the new one. One against one are compared whatever they are called.
    """
    before, after = ({contract.object: contract for contract in contracts} for contracts in (old, new))
    if len(before) == len(after) == 1:
        found = list(_differ(old[0], new[0]))
    else:
        gone = [Change(change="object_removed", subject=name, old=name) for name in before if name not in after]
        come = [Change(change="object_added", subject=name, new=name) for name in after if name not in before]
        both = (_differ(before[name], after[name]) for name in before if name in after)
        found = [*gone, *come, *(change for changes in both for change in changes)]
    if not found and _says_otherwise(old, new):
        found = [Change(change="words_changed", subject="what no rule, type or service level says")]
    return sorted(dict.fromkeys(found), key=lambda change: KINDS.index(change.kind))


def _says_otherwise(old: Sequence[Contract], new: Sequence[Contract]) -> bool:
    """Whether documents of one format differ, if only in keys that the model does not hold."""
    is_one_format = len({contract.format for contract in (*old, *new)}) == 1
    before, after = ({contract.fingerprint for contract in side} for side in (old, new))
    return is_one_format and before != after


def paired(old: Sequence[Rule], new: Sequence[Rule]) -> list[tuple[Rule | None, Rule | None]]:
    """The rules of two versions side by side; None where one side lacks it.

    The two kinds of rule about the number of rows are one here: a format has either.
    """
    left, right = list(map(_counted, old)), list(map(_counted, new))
    pairs: list[tuple[Rule | None, Rule | None]] = []
    for key in (_id, _content, _place):
        waiting: dict[object, list[Rule]] = {}
        for rule in right:
            waiting.setdefault(key(rule), []).append(rule)
        found = [(rule, same.pop(0)) for rule in left if (same := waiting.get(key(rule)))]
        pairs += found
        taken = {id(rule) for pair in found for rule in pair}
        left, right = ([rule for rule in side if id(rule) not in taken] for side in (left, right))
    return [*pairs, *((rule, None) for rule in left), *((None, rule) for rule in right)]


def _id(rule: Rule) -> object:
    return rule.id, rule.kind


def _content(rule: Rule) -> object:
    return rule.kind, columns_of(rule), told(rule)


def _place(rule: Rule) -> object:
    return rule.kind, columns_of(rule)


def _counted(rule: Rule) -> Rule:
    """Bounds of the number of rows as a threshold."""
    if not isinstance(rule, RowCount):
        return rule
    low, high = Decimal(rule.min or 0), rule.max
    allowed = Threshold(operator=">=", values=(low,))
    if high is not None:
        allowed = Threshold(operator="between", values=(low, Decimal(high)))
    return RowCountIs(id=rule.id, path=rule.path, severity=rule.severity, title=rule.title, allowed=allowed)


def _differ(old: Contract, new: Contract) -> Iterator[Change]:
    yield from columns_differ(old, new)
    yield from _rules_differ(old, new)
    yield from _nullability(old, new)
    yield from levels_differ(old, new)
    yield from _layout(old, new)
    yield from _facts(old, new)
    yield from keys_differ(old, new)


def _rules_differ(old: Contract, new: Contract) -> Iterator[Change]:
    """The rules, but for those about nothing else than a column that came or went."""
    lost, found = lost_and_found(old, new)
    demanded = ([rule for rule in contract.rules if not asks_nothing(rule)] for contract in (old, new))
    for before, after in paired(*demanded):
        if before is not None and after is not None:
            yield from _rule_differs(before, after, old)
        elif after is not None and not _is_about_one_of(found, after):
            yield _change("rule_added" if _promises(after) else "advice_changed", None, after)
        elif before is not None and not _is_about_one_of(lost, before):
            removed = "rule_covered" if is_covered(before, new, _logical(before, old)) else "rule_removed"
            yield _change(removed if _promises(before) else "advice_changed", before, None)


def _is_about_one_of(names: set[str], rule: Rule) -> bool:
    about = [rule.column] if isinstance(rule, ColumnRule) else columns_of(rule)
    return len(about) == 1 and about[0] in names


def _promises(rule: Rule) -> bool:
    return rule.severity != "info"


_OF_STRENGTH: Mapping[Strength, str] = {"weaker": "rule_weaker", "stronger": "rule_stronger", "other": "rule_replaced"}


def _rule_differs(old: Rule, new: Rule, contract: Contract) -> Iterator[Change]:
    strength = compare(old, new, _logical(old, contract))
    if isinstance(old, Columns) and strength != "same":
        yield _change("additional_allowed" if strength == "weaker" else "additional_forbidden", old, new)
    elif isinstance(old, PrimaryKey) and set(columns_of(old)) != set(columns_of(new)):
        yield _change("key_changed", old, new)
    elif strength != "same":
        yield _change(_OF_STRENGTH[strength] if _promises(old) else "advice_changed", old, new)
    if old.severity != new.severity:
        lowered = WEIGHT[new.severity] < WEIGHT[old.severity]
        yield Change(
            change="severity_lowered" if lowered else "severity_raised",
            subject=new.id,
            rule=new.id,
            old=old.severity,
            new=new.severity,
            old_path=old.path,
            new_path=new.path,
        )
    if old.title != new.title:
        yield Change(change="words_changed", subject=f"title of {new.id}", rule=new.id, old=old.title, new=new.title)


def _logical(rule: Rule, contract: Contract) -> LogicalType | None:
    if not isinstance(rule, ColumnRule):
        return None
    found = next((column.type for column in contract.columns if column.name == rule.column), None)
    return found and inner_type(found, rule.inner)


def _change(change: str, old: Rule | None, new: Rule | None) -> Change:
    rule = new or old
    assert rule is not None
    return Change(
        change=change,
        subject=rule.id,
        rule=rule.id,
        old=told(old) if old else None,
        new=told(new) if new else None,
        old_path=old.path if old else None,
        new_path=new.path if new else None,
    )


def _nullability(old: Contract, new: Contract) -> Iterator[Change]:
    """Columns whose NOT NULL changes without a rule that says so."""
    known = {column.name: column for column in new.columns}
    ruled = [
        {rule.column for rule in contract.rules if isinstance(rule, Required) and not rule.inner}
        for contract in (old, new)
    ]
    for column in old.columns:
        twin = known.get(column.name)
        if twin is not None and twin.required != column.required and len({column.name in each for each in ruled}) == 1:
            yield Change(
                change="nullable" if column.required else "not_nullable",
                subject=f"{new.object}.{column.name}",
                old=null_told(column.required),
                new=null_told(twin.required),
            )


def _layout(old: Contract, new: Contract) -> Iterator[Change]:
    for what, of in _LAYOUT.items():
        if of(old) != of(new):
            yield Change(
                change="layout_changed",
                subject=f"{new.object}: {what}",
                old=", ".join(of(old)) or None,
                new=", ".join(of(new)) or None,
            )


_LAYOUT: Mapping[str, Callable[[Contract], Sequence[str]]] = {
    "partitioned by": lambda contract: contract.partition_columns,
    "clustered by": lambda contract: contract.cluster_columns,
}

_FACTS: Mapping[str, Callable[[Contract], str | None]] = {
    "name": lambda contract: contract.name,
    "object": lambda contract: contract.object,
    "id": lambda contract: contract.id,
    "owner": lambda contract: contract.owner,
    "description": lambda contract: contract.description,
    "tags": lambda contract: ", ".join(contract.tags) or None,
}
"""What a contract says about itself, which nothing is checked by."""


def _facts(old: Contract, new: Contract) -> Iterator[Change]:
    for what, of in _FACTS.items():
        if of(old) != of(new):
            yield Change(change="words_changed", subject=f"{what} of the contract", old=of(old), new=of(new))
