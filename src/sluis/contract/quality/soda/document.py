"""Checks of the Soda Checks Language (SodaCL) → rules.

What is read: `row_count`, `missing_…`, `duplicate_…` and `invalid_…` as counts and percentages with fixed thresholds
or alerts, references, and the short form of Soda's first contracts (`type: duplicate_percent`, `must_be_less_than: 1`).
Everything else is unsupported, and is named as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sluis.contract import yaml_text
from sluis.contract.document import Parts, did_you_mean, in_words, listed, shown_value
from sluis.contract.quality.scope import Item, Unsupported
from sluis.contract.quality.soda import grammar, metrics, short
from sluis.contract.quality.soda.grammar import Measure, NotRead, Reference
from sluis.contract.rules import Relationship, Rule, Severity, Threshold
from sluis.errors import ContractError

_HEADER = re.compile(r"""checks\s+for\s+(?P<quote>["`]?)(?P<table>[^\s\["`]+)(?P=quote)\s*(?P<part>\[.*\])?""")

_ALERTS: dict[str, Severity] = {"fail": "error", "warn": "warning"}

_INFORMS = {"attributes", "collect failed rows", "identity", "name", "samples columns", "samples limit", "title"}
"""Keys of a check that only inform."""


def rules(said: Any, item: Item, tables: Iterable[str] = ()) -> Iterator[Rule]:
    """The rules of a SodaCL document, of a list of checks, or of one check.

    Args:
        said: The document: text, or what its YAML says.
        item: Where it stands, and what it speaks about.
        tables: The names that sections may have besides the object's; checks of those are left out.
    """
    reader = _Reader(item, tables)
    if not isinstance(said, str):
        yield from reader.document(said, item.at)
        return
    try:
        value, _ = yaml_text.parse(said, item.notes.source.shown)
    except ContractError as error:
        item.notes.problem(item.at, f"the text {error.problems[0].message.rstrip('.')}")
        return
    found = list(reader.document(value, item.at))
    yield from found
    # The ledger shows a text as one key.
    if reader.refused:
        item.notes.unsupported(item.at, "; ".join(reader.refused))
    elif found:
        item.notes.enforced(item.at, f"rule {', '.join(rule.id for rule in found)}")
    else:
        item.notes.documentation(item.at, "it checks other tables")


def of_item(item: Item) -> Iterator[Rule]:
    """The rules of a quality item whose engine is Soda.

    Raises:
        Unsupported: none of its checks is read.
    """
    key = "implementation" if "implementation" in item.raw else "specification"
    named = {name: item.raw[name] for name in ("id", "name") if name in item.raw}
    inside = replace(item, raw=named, at=(*item.at, key))
    found = list(rules(item.raw.get(key), inside))
    if not found and not item.notes.problems:
        raise Unsupported("none of its checks is read")
    item.notes.enforced(item.at, "by its checks")
    yield from found


class _Reader:
    """One document on its way to rules."""

    def __init__(self, item: Item, tables: Iterable[str]) -> None:
        self.refused: list[str] = []
        self._item = item
        self._notes = item.notes
        self._mine = {name.lower() for name in (item.scope.object, *item.scope.also_called)}
        self._tables = list(dict.fromkeys((item.scope.object, *tables)))

    def document(self, said: Any, at: Parts) -> Iterator[Rule]:
        if isinstance(said, Mapping) and "type" not in said:
            self._notes.parts(at)
            for header, checks in said.items():
                yield from self._section(header, checks, (*at, header))
        else:
            yield from self._checks(said, at)

    def _section(self, header: str, checks: Any, at: Parts) -> Iterator[Rule]:
        found = _HEADER.fullmatch(header.strip())
        if not found:
            self._refuse(at, header, "Sluis reads `checks for` a table only")
        elif found["table"].lower() not in self._mine:
            self._other(found["table"], at)
        elif found["part"]:
            self._refuse(at, header, "it checks some of the rows only")
        else:
            yield from self._checks(checks, at)

    def _other(self, table: str, at: Parts) -> None:
        if table.lower() not in (name.lower() for name in self._tables):
            self._notes.problem(at, f"there is no `{table}`", listed(self._tables), did_you_mean(table, self._tables))
        self._notes.documentation(at, f"it checks `{table}`")

    def _checks(self, said: Any, at: Parts) -> Iterator[Rule]:
        if isinstance(said, list):
            self._notes.parts(at)
        checks = said if isinstance(said, list) else [said]
        for index, check in enumerate(checks):
            place = (*at, index) if isinstance(said, list) else at
            if isinstance(check, Mapping) and "type" in check:
                yield from self._check(place, check["type"], check)
            elif isinstance(check, Mapping) and len(check) == 1:
                [(text, options)] = check.items()
                self._notes.parts(place)
                yield from self._check((*place, text), text, {} if options is None else options)
            else:
                yield from self._check(place, check, {})

    def _check(self, at: Parts, text: Any, options: Any) -> Iterator[Rule]:
        try:
            if not isinstance(text, str) or not isinstance(options, Mapping):
                raise NotRead(f"found {in_words(text if not isinstance(text, str) else options)}")
            yield from self._read(at, text, options)
        except (NotRead, Unsupported) as error:
            self._refuse(at, text if isinstance(text, str) else shown_value(text), str(error))

    def _refuse(self, at: Parts, what: str, why: str) -> None:
        told = f"`{what}`: {why}"
        self.refused.append(told)
        self._notes.unsupported(at, told)

    def _read(self, at: Parts, text: str, options: Mapping[str, Any]) -> Iterator[Rule]:
        item = replace(self._item, at=at, raw={**self._item.raw, **options})
        if "type" in options:
            measure, options = short.parse(options, item)
            yield from _measured(measure, options, item)
            return
        check = grammar.parse(text)
        if isinstance(check, Measure):
            yield from _measured(check, options, item)
        elif isinstance(check, Reference):
            yield from _referring(check, options, item)
        else:
            raise NotRead("how fresh rows are is a service level; state it in `servicelevels`")


def _measured(measure: Measure, options: Mapping[str, Any], item: Item) -> Iterator[Rule]:
    asked = {key: value for key, value in options.items() if key not in _INFORMS and key not in _ALERTS}
    for key, expected in _thresholds(measure, options):
        one = replace(item, severity=_ALERTS[key] if key else item.severity)
        yield from metrics.rules(replace(measure, expected=expected), asked, one)


def _referring(check: Reference, options: Mapping[str, Any], item: Item) -> Iterator[Rule]:
    if asked := set(options) - _INFORMS:
        raise NotRead(f"Sluis does not read {listed(sorted(asked))}")
    if columns := metrics.columns(check.columns, item):
        place = item.place("relationship")
        yield Relationship(**place, columns=columns, to=check.to, to_columns=check.to_columns)


def _thresholds(measure: Measure, options: Mapping[str, Any]) -> Iterator[tuple[str, Threshold]]:
    """What the number must be, each with the alert that says so; the check itself is none."""
    alerts = [key for key in _ALERTS if key in options]
    if measure.expected is not None and alerts:
        raise NotRead(f"it has a threshold, and {listed(alerts)} besides")
    if measure.expected is None and not alerts:
        raise NotRead("it has no threshold")
    if measure.expected is not None:
        yield "", measure.expected
    for key in alerts:
        if not isinstance(options[key], str):
            raise NotRead(f"`{key}` is {in_words(options[key])}")
        yield key, grammar.unless(options[key], percent=measure.metric.endswith("_percent"))
