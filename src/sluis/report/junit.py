"""JUnit XML, which every CI system shows: one case per thing that was checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold in any form."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that was checked."""

    group: str
    """What it belongs to; CI systems group by it."""

    name: str
    """What it is."""

    text: str = ""
    """What there is to know about it."""

    failure: str | None = None
    """What is wrong, in one line; None when nothing is."""

    outcome: Literal["failure", "error", "skipped"] = "failure"
    """What kind of wrong that is: found, could not be checked because something broke, or was not checked."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """What was checked together: a suite of the document."""

    name: str
    """What they have in common."""

    cases: Sequence[Case]
    """What was checked."""

    about: Mapping[str, str] = field(default_factory=dict)
    """Attributes that the schema has besides: `timestamp` (ISO 8601 without zone), `time` (seconds)."""


def junit(name: str, cases: Sequence[Case]) -> str:
    """A JUnit document with one suite."""
    return junit_of(name, [Group(name=name, cases=cases)])


def junit_of(name: str, groups: Sequence[Group]) -> str:
    """A JUnit document with a suite per group."""
    every = [case for group in groups for case in group.cases]
    counts = _counts(every)
    counts.pop("skipped")  # which the usual schema has for suites only
    root = ElementTree.Element("testsuites", {"name": _plain(name), **counts})
    for group in groups:
        suite = ElementTree.SubElement(
            root, "testsuite", {"name": _plain(group.name), **_counts(group.cases), **group.about}
        )
        for case in group.cases:
            _add(suite, case)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    found = Counter(case.outcome for case in cases if case.failure is not None)
    numbers = {"tests": len(cases), "failures": found["failure"], "errors": found["error"], "skipped": found["skipped"]}
    return {name: str(number) for name, number in numbers.items()}


def _add(suite: ElementTree.Element, case: Case) -> None:
    element = ElementTree.SubElement(suite, "testcase", classname=_plain(case.group), name=_plain(case.name))
    if case.failure is not None:
        ElementTree.SubElement(element, case.outcome, message=_plain(case.failure)).text = _plain(case.text)
    elif case.text:
        ElementTree.SubElement(element, "system-out").text = _plain(case.text)


def _plain(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
