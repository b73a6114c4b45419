"""Quality items of ODCS and DCS → rules: the library's metrics, SQL, and what is stated for another engine.

Readers call `rules(items, at, scope, notes)` for the `quality` list of an object or a column; every key of every
item is claimed in the notes. An item that cannot be checked is `unsupported` there with the reason, and gives no rule;
one that contradicts itself is a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sluis.contract.document import Parts, shown_value
from sluis.contract.notes import Notes
from sluis.contract.quality import custom as quality_custom
from sluis.contract.quality import library as quality_library
from sluis.contract.quality import threshold
from sluis.contract.quality.scope import Item, Scope, Unsupported
from sluis.contract.quality.sql import dialects
from sluis.contract.quality.sql import rule as sql_rule
from sluis.contract.rules import RowCountIs, Rule, Severity, Sql

_COMMON = ("id", "name", "type", "severity")

_INFORMS = (
    *("authoritativeDefinitions", "businessImpact", "code", "customProperties", "description", "dimension", "method"),
    *("schedule", "scheduler", "tags", "toolName", "toolRuleName", "userConsumptionMode", "scheduleCronExpression"),
)
"""Keys of an item that only inform, whatever its type. Sluis checks with every run, so a schedule informs too."""

_SEVERITIES: dict[Severity, tuple[str, ...]] = {
    "error": ("error", "critical", "blocker", "high", "fatal"),
    "warning": ("warning", "warn", "medium", "major", "minor", "low"),
    "info": ("info", "information", "informational"),
}
"""Ours → how owners call them; the standard leaves the word open."""


def rules(items: Any, at: Parts, scope: Scope, notes: Notes) -> Iterator[Rule]:
    """The rules of a `quality` list.

    Args:
        items: The list; what is not one was refused by the schema, and gives nothing.
        at: Where it stands.
        scope: What it speaks about.
        notes: Where keys are claimed, and faults go.
    """
    notes.parts(at)
    for index, raw in enumerate(items if isinstance(items, list) else ()):
        if isinstance(raw, Mapping):
            yield from _item(raw, (*at, index), scope, notes)


def kind(raw: Mapping[str, Any]) -> str:
    """The type of an item; where it says none, the one that its keys belong to."""
    if isinstance(raw.get("type"), str):
        return str(raw["type"])
    return next((kind for key, kind in _TELLING.items() if key in raw), "text")


_TELLING = {
    **dict.fromkeys(("metric", "rule"), "library"),
    "query": "sql",
    "implementation": "custom",
    **dict.fromkeys(("templateName", "toolName"), "tool"),
}
"""Key → the type of the items that have it; before ODCS 3 a tool of the owner's checked all of them."""


def allows_none(rules: Iterable[Rule]) -> bool:
    """Whether the contract says that there may be no rows."""
    stated = [rule.allowed for rule in rules if isinstance(rule, RowCountIs)]
    return bool(stated) and all(threshold is not None and threshold.holds(0) for threshold in stated)


def _item(raw: Mapping[str, Any], at: Parts, scope: Scope, notes: Notes) -> Iterator[Rule]:
    read, keys = _BY_TYPE.get(kind(raw), (_unknown, ("templateName",)))
    notes.informs(at, raw, _INFORMS)
    for key in raw:
        if key not in (*_COMMON, *_INFORMS, *keys):
            notes.unsupported((*at, key), f"an item of type `{kind(raw)}` has no such key")
    item = Item(raw=raw, at=at, scope=scope, severity=_severity(raw, at, notes), notes=notes)
    # One claim for the item covers the keys that its rules are made of.
    notes.documentation(at, "for people" if read is _text else "it demands nothing")
    try:
        found = list(read(item))
    except Unsupported as error:
        notes.unsupported(at, str(error))
        return
    if found:
        notes.enforced(at, f"rule {', '.join(rule.id for rule in found)}")
    yield from found


def _severity(raw: Mapping[str, Any], at: Parts, notes: Notes) -> Severity:
    stated = raw.get("severity")
    if stated is None:
        return "error"
    word = str(stated).strip().lower()
    known = next((severity for severity, words in _SEVERITIES.items() if word in words), None)
    if known is None:
        notes.odd((*at, "severity"), f"{shown_value(stated)} is no severity that Sluis knows; it counts as `error`")
    return known or "error"


def _text(_: Item) -> Iterator[Rule]:
    """What people read and no machine checks."""
    yield from ()


def _unknown(item: Item) -> Iterator[Rule]:
    tool = item.raw.get("toolName")
    if tool is not None:
        raise Unsupported(f"the tool {shown_value(tool)} checks it")
    raise Unsupported(f"{shown_value(kind(item.raw))} is no type of item that Sluis knows")


def _sql(item: Item) -> Iterator[Rule]:
    expected = threshold.of(item.raw, item.at, item.notes, counts_rows=False)
    try:
        query = sql_rule.prepare(str(item.raw.get("query", "")), _in_dialect(item))
    except sql_rule.SqlError as error:
        item.notes.problem((*item.at, "query"), f"it {error}", "one SELECT that gives one number")
        return
    if expected is None:
        raise Unsupported("no operator says what its number must be")
    yield Sql(**item.place("sql"), query=query, expected=expected)


def _in_dialect(item: Item) -> Scope:
    """The scope, with the dialect that the item states (DCS 1.1 and later)."""
    stated = item.raw.get("dialect")
    if stated is None:
        return item.scope
    if str(stated).lower() not in dialects.DIALECTS:
        raise Unsupported(f"Sluis does not read the SQL of {shown_value(stated)}")
    return replace(item.scope, dialect=dialects.DIALECTS[str(stated).lower()])


_BY_TYPE: dict[str, tuple[Callable[[Item], Iterator[Rule]], tuple[str, ...]]] = {
    "text": (_text, ()),
    "library": (quality_library.rules, quality_library.KEYS),
    "sql": (_sql, ("query", "dialect", "unit", *threshold.OPERATORS)),
    "custom": (quality_custom.rules, quality_custom.KEYS),
}
"""Type of an item → what reads it, and the keys that are part of its rules."""

TYPES = tuple(_BY_TYPE)
"""The types of items."""
