"""What is wrong with `contracts/entities.json` and `contracts/environments.json` as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from sluis import secret
from sluis.contract import shape
from sluis.contract.document import Document, json_path
from sluis.errors import Problem

ENTITIES = "contracts/entities.json"
ENVIRONMENTS = "contracts/environments.json"

FORMATS = ("csv", "delta")
MODES = ("overwrite", "append", "merge")
ON_VIOLATION = ("reject", "quarantine")

_PERCENT = r"^(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%$"
_TEXT = {"type": "string", "minLength": 1}
_KEY = {
    "anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}],
    "description": "a column, or a list of columns",
}
_SOURCE = {
    "anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}],
    "description": "a file, folder or glob; for the format `delta` a table, or a list of tables",
}
_ENTITY: Document = {
    "type": "object",
    "properties": {
        "source": _SOURCE,
        "target": _TEXT,
        "format": {"enum": list(FORMATS)},
        "mode": {"enum": list(MODES)},
        "merge_key": _KEY,
        "contract": _TEXT,
        "options": {"type": "object"},
        "on_violation": {"enum": list(ON_VIOLATION)},
        "max_rejected": {
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": _PERCENT}],
            "description": 'a number of rows, or a share of them such as "1%"',
        },
    },
    "required": ["source", "target", "format", "mode", "contract"],
    "additionalProperties": False,
}
_ENTITIES: Document = {"type": "object", "additionalProperties": _ENTITY, "properties": {}}
_REFERENCE = "{{env/NAME}} or {{secrets/SCOPE/KEY}}"
_REGISTRY: Document = {
    "type": "object",
    "properties": {
        # A key sent in the clear would be anyone's; only this machine itself is trusted so far.
        "url": {
            "anyOf": [{"type": "string", "pattern": r"^(https://|http://(localhost|127\.0\.0\.1)(:|/|$))"}],
            "description": "an address that starts with https://",
        },
        "key": {
            "anyOf": [{"type": "string", "pattern": f"^{secret.PATTERN}$"}],
            "description": f"a reference to a secret: {_REFERENCE}",
        },
    },
    "required": ["url"],
    "additionalProperties": False,
}
_ALERT: Document = {
    # The address of a webhook is a secret itself.
    "anyOf": [{"type": "string", "pattern": secret.PATTERN}],
    "description": f"an address in which what is secret is a reference: {_REFERENCE}",
}
_LIMIT = {"type": "integer", "minimum": 1}
_KEEP: Document = {
    "type": "object",
    "properties": {"runs": _LIMIT, "days": _LIMIT},
    "additionalProperties": False,
    "minProperties": 1,
}
_ENVIRONMENTS: Document = {
    "type": "object",
    "properties": {},
    "additionalProperties": {
        "type": "object",
        "properties": {"registry": _REGISTRY, "alerts": {"type": "array", "items": _ALERT}, "keep": _KEEP},
        "additionalProperties": _TEXT,
    },
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")


def of_entities(stated: Document) -> list[Problem]:
    """Every fault of `entities.json`."""
    if not stated:
        return [_problem((), "there is no entity.")]
    problems, rest = shape.check(stated, _ENTITIES, ENTITIES)
    return [*problems, *_beyond_shape(rest, stated)]


def of_environments(stated: Document) -> list[Problem]:
    """Every fault of `environments.json`."""
    return shape.check(stated, _ENVIRONMENTS, ENVIRONMENTS)[0]


def of_table(name: str, key: str, table: str) -> Iterator[Problem]:
    """Why a text of an entity is no table's name."""
    parts = table.split(".")
    if not 2 <= len(parts) <= 3 or not all(part and part == part.strip() for part in parts):
        yield _problem((name, key), f"`{table}` is not `catalog.schema.table`.")


def texts(value: str | Sequence[str]) -> tuple[str, ...]:
    """What may be one text or a list of them."""
    return (value,) if isinstance(value, str) else tuple(value)


def _beyond_shape(entities: Document, stated: Document) -> Iterator[Problem]:
    """Faults that the schema cannot express, in what it left of the entities as they are stated."""
    lowered: dict[str, str] = {}
    for name, raw in entities.items():
        if not _NAME.fullmatch(name):
            hint = "use letters, digits, `_` and `-` (1 to 100)."
            yield _problem((name,), f"`{name}` is no name for an entity.", hint)
        if (twin := lowered.setdefault(name.lower(), name)) != name:
            yield _problem((name,), f"`{name}` and `{twin}` differ only in case, which some file systems do not.")
        yield from _entity_faults(name, raw, stated[name])


def _entity_faults(name: str, raw: Document, stated: Document) -> Iterator[Problem]:
    mode = raw.get("mode")
    if mode == "merge" and "merge_key" not in stated:
        yield _problem((name,), "`merge_key` is missing.", "mode `merge` needs the contract's primary key there.")
    if mode not in (None, "merge") and "merge_key" in raw:
        yield _problem((name, "merge_key"), f"mode `{mode}` has no use for it.", "remove it, or use mode `merge`.")
    if "max_rejected" in raw and raw.get("on_violation") != "quarantine":
        hint = 'add `"on_violation": "quarantine"`, or remove it.'
        yield _problem((name, "max_rejected"), "without a quarantine, no row may break a rule.", hint)
    if "${" not in raw.get("target", "${"):
        yield from of_table(name, "target", raw["target"])
    if raw.get("format") == "csv" and isinstance(raw.get("source"), list):
        yield _problem((name, "source"), "landing files are one file, folder or glob.", "only tables are a list.")
    if raw.get("format") == "delta" and raw.get("options"):
        yield _problem((name, "options"), "a table is not read as text, so it has no options.", "remove them.")
    contract = PurePosixPath(raw.get("contract", "").partition("#")[0])
    if contract.is_absolute() or ".." in contract.parts:
        yield _problem((name, "contract"), f"`{contract}` leads out of the project.")
    if not str(contract).isprintable():
        yield _problem((name, "contract"), f"{str(contract)!a} is no path.")


def _problem(at: tuple[str, ...], message: str, hint: str = "") -> Problem:
    return Problem(file=ENTITIES, path=json_path(at), message=message, hint=hint)
