"""contracts/KEYS.md: what becomes of every key of every format, as the readers say of a contract that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import dcs_keys
import odcs_keys

from sluis.contract import ledger, native
from sluis.contract.dcs import shape as dcs_shape
from sluis.contract.document import Document, Parts
from sluis.contract.odcs import shape as odcs_shape
from sluis.contract.quality.threshold import OPERATORS

Fate = tuple[str, str]
"""Status and note."""

Found = Iterable[tuple[Parts, set[str], Fate]]
"""A key, the versions that have it, and what becomes of it there."""

Fates = Mapping[str, set[Fate]]
"""Key → what becomes of it: it may depend on what stands beside it."""

PART = "…"
"""In a key: any property, item, key or value inside of a column."""

HEAD = """# What becomes of every key

*Enforced*: a rule sees to it (of the kind that is named), or the table, or the run. *Documentation*: it only informs.
*Unsupported*: nothing is done with it, and every report says so. Where several are named, it depends on what stands
beside the key: `sluis lint` tells what becomes of the keys of your own contracts.

Made from the readers by `make golden`; a test keeps it true. What is below a key of which nothing is enforced shares its
fate, and is left out. `*` is a name of the owner's choice. `…` is what is inside of a column (properties, items, values),
as far as it differs from columns.
"""


def page() -> str:
    """The whole page."""
    return "\n".join(
        [
            HEAD,
            *_section("Native", [], _native()),
            *_section("Open Data Contract Standard", odcs_keys.VERSIONS, _odcs()),
            *_section("Data Contract Specification", dcs_shape.VERSIONS, _dcs()),
        ]
    )


def _section(title: str, versions: Sequence[str], found: Found) -> Iterator[str]:
    fates: dict[str, set[Fate]] = {}
    known: dict[str, set[str]] = {}
    for at, had, (status, note) in found:
        fates.setdefault(shown(at), set()).add((status, plain(note)))
        known.setdefault(shown(at), set()).update(had)
    rows: dict[tuple[str, str], dict[str, list[str]]] = {}
    for key in sorted(fates):
        if not _said(key, fates):
            above, _, name = key.rpartition(".")
            told = "; ".join(f"{status}: {note}" if note else status for status, note in sorted(fates[key]))
            names = rows.setdefault((above, told), {})
            names.setdefault(_when(known[key], versions), []).append(f"`{name}`")
    yield f"## {title}\n"
    yield "| in | keys | what becomes of them |\n|---|---|---|"
    for (above, told), names in sorted(rows.items()):
        cell = "; ".join(f"{when}{', '.join(names[when])}" for when in sorted(names))
        yield f"| {f'`{above}`' if above else 'the document'} | {cell} | {told} |"
    yield ""


def shown(at: Parts) -> str:
    """A key as the table names it: names that owners choose as `*`, positions as `[]`, parts of columns as one."""
    text = ""
    for before, part in zip((None, *at), at, strict=False):
        chosen = before in dcs_keys.NAMES and part == dcs_keys.NAMES[str(before)]
        text += "[]" if isinstance(part, int) else f".{'*' if chosen else part}"
    for column in (r"schema\[\]\.properties\[\]", r"models\.\*\.fields\.\*", r"definitions\.\*"):
        inner = r"(\.properties\[\]|\.items|\.map\.(key|value)|\.fields\.\*|\.keys|\.values)+(?=\.)"
        text = re.sub(rf"({column}){inner}", rf"\1.{PART}", text)
    return text.removeprefix(".")


def plain(note: str) -> str:
    """A note without what only the example has: ids of rules become their kinds."""
    if "its version of the standard" in note:
        note = note.rpartition("; ")[2]
    rules = re.fullmatch(r"rules? (\w+(?:\.\w+)+(?:, \w+(?:\.\w+)+)*)", note)
    if rules is None:
        return note
    kinds = dict.fromkeys(re.sub(r"_\d+$", "", rule.rpartition(".")[2]) for rule in rules[1].split(", "))
    return ", ".join(f"`{kind}`" for kind in kinds)


def _when(had: set[str], versions: Sequence[str]) -> str:
    """Which versions have a key, where it is not all of them."""
    own = [version for version in versions if version in had]
    if len(own) == len(versions):
        return ""
    if own[-1] == versions[-1]:
        return f"from {own[0]} on: "
    return f"only {own[0]}: " if len(own) == 1 else f"{own[0]} to {own[-1]}: "


def _said(key: str, fates: Fates) -> bool:
    """Whether a row has nothing to tell: its parts have rows, or what stands above it, or is like it, says the same."""
    above = re.sub(r"(\[\])?\.[^.]*$", "", key)
    like = re.sub(r"\.(properties\[\]|columns\[\]|fields\.\*)(\.….*)?(?=\.quality)", "", key).replace(f".{PART}", "")
    if fates[key] == {("enforced", "by its parts")} or key.startswith("definitions."):
        return True
    if like != key and fates.get(like) == fates[key]:
        return True
    told = fates.get(above, set())
    return above != key and told == fates[key] and "enforced" not in {status for status, _ in told}


_RULE: Document = {"type": "library", "metric": "rowCount"}
_ZERO: Document = {"type": "library", "mustBe": 0, "unit": "percent"}
_GX: Document = {"type": "expect_table_row_count_to_equal", "kwargs": {"value": 1}}
_MEANT: dict[str, Document] = {
    **{name: {**_RULE, name: [1, 2] if name.endswith("Between") else 1} for name in OPERATORS},
    "type": {**_RULE, "mustBe": 1},
    "metric": {**_RULE, "mustBe": 1},
    "severity": {**_RULE, "mustBe": 1, "severity": "warning"},
    "rule": {"type": "library", "rule": "rowCount", "mustBe": 1},
    "query": {"type": "sql", "mustBe": 1},
    "dialect": {"type": "sql", "mustBe": 1},
    "engine": {"type": "custom", "engine": "greatExpectations", "implementation": _GX},
    "implementation": {"type": "custom", "engine": "greatExpectations", "implementation": _GX},
}
"""Key of a quality item → the item in which it means something."""

_COLUMN: Document = {"logicalType": "integer", "type": "long", "isNullable": False}
_PART: Document = {"name": "b", "logicalType": "string"}
_LEVEL: Document = {"property": "latency", "value": 1, "unit": "d"}


def _sensible(made: Document, at: Parts, column: str) -> Document:
    """The example with what its key needs beside it to mean something; `column` is a column's name."""
    item = _of(made, at[:-1])
    key = str(at[-1])
    if at[-3:-2] == ("quality",):
        item.update(_MEANT.get(key, {}))
        on_columns = {**_ZERO, "metric": "duplicateValues", "arguments": {"properties": [column]}}
        on_values = {**_ZERO, "metric": "missingValues", "arguments": {"missingValues": ["-"]}}
        if key in ("unit", "arguments"):
            item.update(on_columns if len(at) == 5 else on_values)
    elif at[0] == "slaProperties" and len(at) == 3:
        item.update({**_LEVEL, **({} if key in _LEVEL else item)})
    elif key in _COLUMN and len(at) == 5:
        item[key] = _COLUMN[key]
    elif key == "properties":
        item[key] = [_PART]
    elif key in ("required", "minProperties", "maxProperties") and at[-2] == "logicalTypeOptions":
        _of(made, at[:-2]).setdefault("properties", [_PART])
    return made


def _of(made: Document, at: Parts) -> Any:
    return reduce(lambda inside, part: inside[part], at, made)


def _native() -> Found:
    column: Document = {"name": "c", "type": "string", "nullable": False, "description": "d", "sensitive": True}
    text = {**column, "pattern": "a", "min_length": 1, "max_length": 2, "enum": ["a"]}
    number = {"name": "n", "type": "integer", "minimum": 1, "maximum": 2}
    day = {"name": "d", "type": "date", "format": "yyyy"}
    head = {"contract_name": "o", "version": "1", "description": "d", "owner": "o", "allow_additional_columns": True}
    rules = {"unique": [["n"]], "row_count": {"min": 1, "max": 2}}
    made = {**head, "columns": [text, number, day], "primary_key": ["d"], "rules": rules}
    for entry in ledger.entries(made, tuple(native._rules(made))):
        at = tuple(0 if part.isdigit() else part for part in re.findall(r"\w+", entry.path))
        yield at, set(), (entry.status, entry.note)


def _odcs() -> Found:
    last: dict[tuple[Parts, odcs_keys.Also], tuple[str, Any]] = {}
    had: dict[Parts, set[str]] = {}
    for version in odcs_keys.VERSIONS:
        schema = odcs_shape.schema(version)
        for at, also, inner in odcs_keys.allowed(schema, schema):
            # Servers only tell where they are; the key of a map is text and has no parts.
            if (at[0] != "servers" or len(at) < 4) and ("map", "key") not in pairwise(at[:-1]):
                last[at, also] = version, inner
                had.setdefault(at, set()).add(version)
    for (at, also), (version, inner) in last.items():
        made = odcs_keys.document(version, at, also, odcs_keys.sample(at, inner, also))
        yield at, had[at], odcs_keys.classified(_sensible(made, at, "a"), at) or ("unsupported", "")


def _dcs() -> Found:
    last: dict[tuple[Parts, str], tuple[str, Any]] = {}
    had: dict[Parts, set[str]] = {}
    for version in dcs_shape.VERSIONS:
        for at, kind, schema in dcs_keys.keys(version):
            last[at, kind] = version, schema
            had.setdefault(at, set()).add(version)
    for (at, kind), (version, schema) in last.items():
        made = dcs_keys.document(version, at, kind, dcs_keys.sample(version, at, schema))
        yield at, had[at], dcs_keys.classified(_sensible(made, at, "f"), at)
