"""JUnit XML, which every CI system shows: one case per thing that was checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
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


def junit(name: str, cases: Sequence[Case]) -> str:
    """A JUnit document with one suite."""
    failures = sum(case.failure is not None for case in cases)
    counts = {"name": _plain(name), "tests": str(len(cases)), "failures": str(failures), "errors": "0"}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", counts)
    for case in cases:
        element = ElementTree.SubElement(suite, "testcase", classname=_plain(case.group), name=_plain(case.name))
        if case.failure is not None:
            ElementTree.SubElement(element, "failure", message=_plain(case.failure)).text = _plain(case.text)
        elif case.text:
            ElementTree.SubElement(element, "system-out").text = _plain(case.text)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _plain(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
