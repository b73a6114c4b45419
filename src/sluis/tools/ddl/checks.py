"""Rules → CHECK constraints, for those that speak of a single row and let no row break them."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from sluis.contract.model import Contract
from sluis.contract.rules import (
    ColumnRule,
    Columns,
    Encoding,
    Enum,
    Filled,
    Format,
    Header,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    MultipleOf,
    NotMissing,
    Pattern,
    PrimaryKey,
    Relationship,
    Required,
    RowCount,
    RowShape,
    Rule,
    TypeOf,
    Valid,
)
from sluis.contract.spans import NONE, held
from sluis.lexical import identifier
from sluis.suite.compile import suites
from sluis.suite.predicates import PREDICATES, View, logical_type

OURS = "sluis_"
"""Constraints that Sluis made start with this; others are never touched."""

CHECKED: tuple[type[ColumnRule], ...] = (
    *(Minimum, Maximum, Enum, Pattern, MinLength, MaxLength),
    *(MultipleOf, Format, Filled, NotMissing, Valid),
)
"""Rules about the value of one row."""

_SAID = (Header, RowShape, Encoding, Columns, RowCount, TypeOf, PrimaryKey, Relationship)
"""Rules about files, and those that the table's columns and keys say."""

_LAMBDA = re.compile(r"->(?=(?:[^']*'[^']*')*[^']*\Z)")
"""An arrow outside of texts: Delta keeps conditions word by word and would split it (no text of ours has a quote)."""

_LONGEST = 100

_PLAIN = re.compile(rf"[a-z0-9_.]{{1,{_LONGEST}}}")


def checks_of(contract: Contract) -> tuple[dict[str, str], list[str]]:
    """The constraints by name; and the ids of rules that neither a constraint nor the table's columns can say.

    The condition is the rule's own predicate, the one by which `sluis run` counts the rows that break it.
    """
    specs = _specs(contract)
    checks, unchecked = {}, []
    for rule in contract.rules:
        if isinstance(rule, _SAID) or (isinstance(rule, Required) and not rule.inner):
            continue
        is_for_all = isinstance(rule, CHECKED) and not rule.inner and rule.severity == "error"
        broken = _broken(specs[rule.id]) if is_for_all and held(rule.allowed, NONE) else None
        if broken is None or _LAMBDA.search(broken):
            unchecked.append(rule.id)
        else:
            checks[constraint_name(rule, contract)] = f"NOT ({broken})"
    return checks, unchecked


def constraint_name(rule: Rule, contract: Contract) -> str:
    """A rule's id as the name of a constraint: lower case, which Delta does not tell from upper, and without dots."""
    short = rule.id.removeprefix(f"{contract.object}.")
    if _PLAIN.fullmatch(short) and "__" not in short:
        return OURS + short.replace(".", "__")
    readable = re.sub(r"\W+", "_", short, flags=re.ASCII).lower()[:_LONGEST]
    return f"{OURS}{readable}_{hashlib.sha256(rule.id.encode()).hexdigest()[:6]}"


def _specs(contract: Contract) -> dict[str, dict[str, Any]]:
    _, suite = suites(contract, contract.object)
    return {each["kwargs"]["rule"]: {**each["kwargs"], "kind": each["meta"]["kind"]} for each in suite["expectations"]}


def _broken(spec: dict[str, Any]) -> str:
    name = identifier(spec["column"])
    return PREDICATES[spec["kind"]](spec, View(logical=logical_type(spec), text=name, value=name, is_text=False))
