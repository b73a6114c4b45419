"""Contract → the GX suites, as plain dicts. Needs neither GX nor Spark.

One small registered function per kind of rule says what GX's expectation of that kind is told (`kwargs`) and how a
person reads the rule (a demand, and the line that is logged when it is violated). A rule of an unregistered kind
raises: nothing that a contract demands is compiled away.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sluis.contract.model import Contract
from sluis.contract.rules import Columns, Encoding, Header, RowCountIs, RowShape, Rule
from sluis.suite import spelling
from sluis.suite.compile import columns, files, given, keys, promises  # noqa: F401  each registers its compilers
from sluis.suite.compile.registry import COMPILERS, Words, compiles
from sluis.suite.compile.wording import allowed_words

__all__ = [
    "COMPILERS",
    "FILE_ONLY",
    "Suite",
    "Words",
    "compiles",
    "fingerprint",
    "gx_id",
    "of_table",
    "specs",
    "suites",
    "text",
]

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://github.com/sluis/sluis")
"""GX wants UUIDs; ours are digests of readable names under this one, so they are the same everywhere."""

GX_VERSION = "1.24.1"
"""Written into suites as the version they were made for; pinned, so that a newer GX does not change a byte."""

SEVERITY = {"error": "critical", "warning": "warning", "info": "info"}
"""Our severities in GX's words."""

Suite = dict[str, Any]
"""A GX suite as its JSON file holds it."""


FILE_ONLY: tuple[type[Rule], ...] = (Header, RowShape, Encoding)
"""Rules that only a landing file can break; a table's suite leaves them out."""


def suites(contract: Contract, name: str) -> tuple[Suite, Suite]:
    """The suite for landing text, and the one for the real table: the same rules, the same ids, and service levels."""
    on_table = [
        replace(rule, typed=True) if isinstance(rule, Columns) else rule
        for rule in contract.rules
        if not isinstance(rule, FILE_ONLY)
    ]
    on_table += [level.rule for level in contract.service_levels if level.rule is not None]
    return _suite(contract, name, contract.rules), _suite(contract, of_table(name), on_table)


def specs(suite: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A suite's expectations as `suite.judge` takes them."""
    return [
        {**each["kwargs"], "kind": each["meta"]["kind"], "sensitive": each["meta"]["sensitive"]}
        for each in suite["expectations"]
    ]


def of_table(name: str) -> str:
    """What the suite (checkpoint, validation definition) for the real table is called beside that for its files."""
    return f"{name}_table"


def fingerprint(suite: Suite) -> str:
    """`sha256:…` of a suite, as the run compares it with the contract."""
    return "sha256:" + hashlib.sha256(text(suite).encode()).hexdigest()


def text(config: Any) -> str:
    """GX configuration as it is written to disk: the same bytes on every machine."""
    return json.dumps(config, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def gx_id(*parts: str) -> str:
    """The UUID of something that has a readable name."""
    return str(uuid.uuid5(NAMESPACE, "/".join(parts)))


def _suite(contract: Contract, name: str, rules: Any) -> Suite:
    return {
        "name": name,
        "id": gx_id("suite", name),
        "expectations": [_expectation(rule, contract) for rule in rules],
        "meta": {
            "contract": contract.name,
            "contract_version": contract.version,
            "contract_fingerprint": contract.fingerprint,
            "great_expectations_version": GX_VERSION,
        },
        "notes": None,
    }


def _expectation(rule: Rule, contract: Contract) -> dict[str, Any]:
    try:
        compiler = COMPILERS[type(rule)]
    except KeyError:
        raise NotImplementedError(f"no compiler for rules of kind {rule.kind!r} ({rule.id})") from None
    words = _with_threshold(rule, compiler(rule, contract))
    about = words.columns or ([rule.column] if hasattr(rule, "column") else list(getattr(rule, "columns", ())))
    return {
        "type": f"expect_contract_{rule.kind}",
        "id": gx_id("rule", rule.id),
        "kwargs": {**words.kwargs, "rule": rule.id},
        "description": f"{rule.title}: {words.demand}" if rule.title else words.demand,
        "severity": SEVERITY[rule.severity],
        "meta": {
            "kind": rule.kind,
            "columns": about,
            "message": words.violated,
            "place": rule.path,
            "sensitive": bool(contract.sensitive.intersection(about)),
        },
    }


def _with_threshold(rule: Rule, words: Words) -> Words:
    """Tell how many rows may break the rule, where that is another number than none."""
    if rule.allowed is None or isinstance(rule, RowCountIs) or spelling.allows_none(rule.allowed):
        return words
    may = f"of the rows, {allowed_words(rule.allowed)} may break this"
    return replace(
        words,
        demand=f"{words.demand} ({may})",
        violated=f"{words.violated} ({may})",
        kwargs={**words.kwargs, "allowed": spelling.threshold(rule.allowed)},
    )
