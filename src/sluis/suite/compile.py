"""Contract → the GX suites, as plain dicts. Needs neither GX nor Spark.

One small registered function per kind of rule says what GX's expectation of that kind is told (`kwargs`) and how a
person reads the rule (a demand, and the line that is logged when it is violated). A rule of an unregistered kind
raises: nothing that a contract demands is compiled away.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from sluis.contract.model import Column, Contract
from sluis.contract.pattern import to_java
from sluis.contract.rules import (
    Columns,
    Encoding,
    Enum,
    Header,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    Pattern,
    PrimaryKey,
    Required,
    RowCount,
    RowShape,
    Rule,
    Scalar,
    TypeOf,
    Unique,
)

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://github.com/sluis/sluis")
"""GX wants UUIDs; ours are digests of readable names under this one, so they are the same everywhere."""

GX_VERSION = "1.24.1"
"""Written into suites as the version they were made for; pinned, so that a newer GX does not change a byte."""

SEVERITY = {"error": "critical", "warning": "warning", "info": "info"}
"""Our severities in GX's words."""

Suite = dict[str, Any]
"""A GX suite as its JSON file holds it."""


@dataclass(frozen=True, kw_only=True)
class Words:
    """What GX is told about a rule, and how a person reads it."""

    demand: str
    """A sentence for a business person."""

    violated: str
    """The line that is logged and reported when the data breaks the rule."""

    kwargs: dict[str, Any] = field(default_factory=dict)
    """The expectation's own arguments."""


Compiler = Callable[[Any, Contract], Words]

COMPILERS: dict[type[Rule], Compiler] = {}
"""Kind of rule → its compiler."""

FILE_ONLY: tuple[type[Rule], ...] = (Header, RowShape, Encoding)
"""Rules that only a landing file can break; a table's suite leaves them out."""


def compiles(kind: type[Rule]) -> Callable[[Compiler], Compiler]:
    """Register the compiler of a kind of rule."""

    def register(compiler: Compiler) -> Compiler:
        if kind in COMPILERS:
            raise RuntimeError(f"{kind.__name__} has two compilers")
        COMPILERS[kind] = compiler
        return compiler

    return register


def suites(contract: Contract, name: str) -> tuple[Suite, Suite]:
    """The suite for landing text, and the one for the real table: the same rules under the same ids."""
    on_table = [rule for rule in contract.rules if not isinstance(rule, FILE_ONLY)]
    return _suite(contract, name, contract.rules), _suite(contract, f"{name}_table", on_table)


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
    words = compiler(rule, contract)
    columns = [rule.column] if hasattr(rule, "column") else list(getattr(rule, "columns", ()))
    return {
        "type": f"expect_contract_{rule.kind}",
        "id": gx_id("rule", rule.id),
        "kwargs": {**words.kwargs, "rule": rule.id},
        "description": words.demand,
        "severity": SEVERITY[rule.severity],
        "meta": {
            "kind": rule.kind,
            "columns": columns,
            "message": words.violated,
            "place": rule.path,
            "sensitive": bool(contract.sensitive.intersection(columns)),
        },
    }


def _typed(column: Column) -> dict[str, Any]:
    pattern = getattr(column.type, "format", None)
    return {"column": column.name, "logical_type": column.type.name, **({"format": pattern} if pattern else {})}


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(columns)


def _plain(value: Scalar) -> str | int | bool:
    """A bound or enum member as JSON keeps it exactly: decimals as text."""
    return str(value) if isinstance(value, Decimal) else value


def _read(value: Scalar) -> str:
    """A value as a person reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _few(texts: list[str], most: int = 20) -> str:
    return ", ".join(texts[:most]) + (f" … ({len(texts)} in all)" if len(texts) > most else "")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@compiles(Header)
def _header(rule: Header, contract: Contract) -> Words:
    return Words(
        demand="The header of every file can be read without guessing",
        violated="The header cannot be read without guessing",
    )


@compiles(RowShape)
def _row_shape(rule: RowShape, contract: Contract) -> Words:
    return Words(
        demand="Every row has as many fields as the header, with balanced quotes",
        violated="Rows do not fit the header (too few or too many fields, or unbalanced quotes)",
    )


@compiles(Encoding)
def _encoding(rule: Encoding, contract: Contract) -> Words:
    return Words(
        demand="Every byte of the files is valid in the declared encoding",
        violated="Bytes are not valid in the declared encoding",
    )


@compiles(Columns)
def _columns(rule: Columns, contract: Contract) -> Words:
    more = "; others may be there too" if rule.allow_additional else " and no others"
    return Words(
        demand=f"The columns are {_listed(rule.names)}{more}",
        violated="The columns are not those of the contract",
        kwargs={
            "allow_additional": rule.allow_additional,
            "columns": [{"name": column.name, "logical_type": column.type.name} for column in contract.columns],
        },
    )


@compiles(RowCount)
def _row_count(rule: RowCount, contract: Contract) -> Words:
    low, high = rule.min or 0, rule.max
    bounds = f"at least {_count(low, 'row')}" if high is None else f"{low} to {_count(high, 'row')}"
    return Words(
        demand=f"There are {bounds}",
        violated=f"The number of rows is not {bounds}",
        kwargs={"min_rows": low, "max_rows": high},
    )


@compiles(Required)
def _required(rule: Required, contract: Contract) -> Words:
    return Words(
        demand=f"{rule.column} is always filled in",
        violated=f"Column {rule.column} cannot be NULL or empty",
        kwargs=_typed(contract.column(rule.column)),
    )


@compiles(TypeOf)
def _type(rule: TypeOf, contract: Contract) -> Words:
    column = contract.column(rule.column)
    pattern = getattr(column.type, "format", None)
    written = f" written as {pattern}" if pattern else ""
    article = "an" if column.type.name[0] in "aeiou" else "a"
    return Words(
        demand=f"{rule.column} is {article} {column.type.name}{written}",
        violated=f"Invalid {column.type.name} values in column {rule.column}",
        kwargs=_typed(column),
    )


@compiles(Pattern)
def _pattern(rule: Pattern, contract: Contract) -> Words:
    return Words(
        demand=f"{rule.column} matches the pattern {rule.pattern}",
        violated=f"Values in column {rule.column} do not match the pattern {rule.pattern}",
        kwargs={"column": rule.column, "pattern": to_java(rule.pattern)},
    )


@compiles(MinLength)
def _min_length(rule: MinLength, contract: Contract) -> Words:
    least = _count(rule.limit, "character")
    return Words(
        demand=f"{rule.column} has at least {least}",
        violated=f"Values in column {rule.column} are shorter than {least}",
        kwargs={"column": rule.column, "limit": rule.limit},
    )


@compiles(MaxLength)
def _max_length(rule: MaxLength, contract: Contract) -> Words:
    most = _count(rule.limit, "character")
    return Words(
        demand=f"{rule.column} has at most {most}",
        violated=f"Values in column {rule.column} are longer than {most}",
        kwargs={"column": rule.column, "limit": rule.limit},
    )


@compiles(Minimum)
def _minimum(rule: Minimum, contract: Contract) -> Words:
    return Words(
        demand=f"{rule.column} is {rule.limit} or more",
        violated=f"Values in column {rule.column} are below {rule.limit}",
        kwargs={**_typed(contract.column(rule.column)), "limit": _plain(rule.limit)},
    )


@compiles(Maximum)
def _maximum(rule: Maximum, contract: Contract) -> Words:
    return Words(
        demand=f"{rule.column} is {rule.limit} or less",
        violated=f"Values in column {rule.column} are above {rule.limit}",
        kwargs={**_typed(contract.column(rule.column)), "limit": _plain(rule.limit)},
    )


@compiles(Enum)
def _enum(rule: Enum, contract: Contract) -> Words:
    values = _few([_read(value) for value in rule.values])
    return Words(
        demand=f"{rule.column} is one of {values}",
        violated=f"Values in column {rule.column} are not one of {values}",
        kwargs={**_typed(contract.column(rule.column)), "values": [_plain(value) for value in rule.values]},
    )


def _key(columns: tuple[str, ...], contract: Contract) -> dict[str, Any]:
    return {"columns": [_typed(contract.column(column)) for column in columns]}


@compiles(Unique)
def _unique(rule: Unique, contract: Contract) -> Words:
    return Words(
        demand=f"No two rows share {_listed(rule.columns)}",
        violated=f"Duplicate values found in {_listed(rule.columns)}",
        kwargs=_key(rule.columns, contract),
    )


@compiles(PrimaryKey)
def _primary_key(rule: PrimaryKey, contract: Contract) -> Words:
    return Words(
        demand=f"{_listed(rule.columns)} identifies a row: no two rows share it",
        violated=f"Duplicate values found in {_listed(rule.columns)}",
        kwargs=_key(rule.columns, contract),
    )
