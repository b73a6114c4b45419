"""`contracts/entities.json` and `contracts/environments.json` → entities with every name resolved."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sluis.contract import document
from sluis.contract.document import Document, did_you_mean, listed
from sluis.errors import ContractError, Problem

ENTITIES = "contracts/entities.json"
ENVIRONMENTS = "contracts/environments.json"

FORMATS = ("csv",)
MODES = ("overwrite", "append", "merge")

_TEXT = {"type": "string", "minLength": 1}
_ENTITY: Document = {
    "type": "object",
    "properties": {
        "source": _TEXT,
        "target": _TEXT,
        "format": {"enum": list(FORMATS)},
        "mode": {"enum": list(MODES)},
        "merge_key": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]},
        "contract": _TEXT,
        "options": {"type": "object"},
    },
    "required": ["source", "target", "format", "mode", "contract"],
    "additionalProperties": False,
}
_ENTITIES: Document = {"type": "object", "additionalProperties": _ENTITY, "properties": {}}
_ENVIRONMENTS: Document = {
    "type": "object",
    "properties": {},
    "additionalProperties": {"type": "object", "properties": {}, "additionalProperties": _TEXT},
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
_VARIABLE = re.compile(r"\$\{([^}]*)\}")


@dataclass(frozen=True, kw_only=True)
class Entity:
    """One line of work: a source, a contract, a target table, a load mode."""

    name: str
    """Its key in `entities.json`."""

    source: str
    """The landing file, folder or glob, with `${…}` resolved."""

    target: str
    """The table (`catalog.schema.table`), with `${…}` resolved."""

    mode: str
    """`overwrite`, `append` or `merge`."""

    merge_key: tuple[str, ...] = ()
    """The columns that `merge` matches rows on."""

    contract: str
    """The contract's document, relative to the project."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Departures from the default CSV dialect."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A project's entities, and what its environment says."""

    environment: str
    """The block of `environments.json` in force."""

    variables: Mapping[str, str]
    """Its values, with `--var` over them."""

    raw: Mapping[str, Document]
    """`entities.json` as it stands, in its order."""

    def entity(self, name: str) -> Entity:
        """An entity with its names resolved.

        Raises:
            ContractError: unknown, or it names a variable that has no value here.
        """
        if name not in self.raw:
            hint = did_you_mean(name, self.raw) or "add it, or check the spelling."
            problem = Problem(
                file=ENTITIES, path="$", message=f"there is no entity `{name}`.", allowed=listed(self.raw), hint=hint
            )
            raise ContractError([problem])
        raw = self.raw[name]
        key = raw.get("merge_key", [])
        return Entity(
            name=name,
            source=self._resolved(raw["source"], f"$.{name}.source"),
            target=self._resolved(raw["target"], f"$.{name}.target"),
            mode=raw["mode"],
            merge_key=(key,) if isinstance(key, str) else tuple(key),
            contract=raw["contract"],
            options=raw.get("options", {}),
        )

    def _resolved(self, text: str, path: str) -> str:
        unknown = [name for name in _VARIABLE.findall(text) if name not in self.variables]
        if unknown:
            problem = Problem(
                file=ENTITIES,
                path=path,
                message=f"{listed(unknown)} has no value in the environment `{self.environment}`.",
                allowed=listed(self.variables) or "nothing is defined there",
                hint=f"add it to {ENVIRONMENTS} or give --var {unknown[0]}=VALUE.",
            )
            raise ContractError([problem])
        return _VARIABLE.sub(lambda match: self.variables[match[1]], text)


def default_environment() -> str:
    """`databricks` when running there, else `local`."""
    return "databricks" if "DATABRICKS_RUNTIME_VERSION" in os.environ else "local"


def read(project: Path, *, environment: str | None = None, variables: Mapping[str, str] | None = None) -> Settings:
    """Read a project's entities and environment.

    Args:
        project: The folder that holds `contracts/`.
        environment: The block of `environments.json`; by default the one of where this runs.
        variables: Values that win over the block's.

    Raises:
        ContractError: with every problem of both documents.
    """
    name = environment or default_environment()
    entities = document.read(project / ENTITIES, ENTITIES)
    problems = document.problems(entities, _ENTITIES, ENTITIES) or list(_faults(entities))
    environments: Document = {}
    if (project / ENVIRONMENTS).exists():
        environments = document.read(project / ENVIRONMENTS, ENVIRONMENTS)
        problems += document.problems(environments, _ENVIRONMENTS, ENVIRONMENTS)
    if environment and environment not in environments:
        known = listed(environments) or "nothing is defined there"
        problems.append(
            Problem(file=ENVIRONMENTS, path="$", message=f"there is no environment `{environment}`.", allowed=known)
        )
    if problems:
        raise ContractError(problems)
    values = {**environments.get(name, {}), **(variables or {})}
    return Settings(environment=name, variables=values, raw=entities)


def _faults(entities: Document) -> Iterator[Problem]:
    def problem(path: str, message: str, hint: str = "") -> Problem:
        return Problem(file=ENTITIES, path=path, message=message, hint=hint)

    if not entities:
        yield problem("$", "there is no entity.")
    lowered: dict[str, str] = {}
    for name, raw in entities.items():
        if not _NAME.fullmatch(name):
            yield problem(
                f"$.{name}", f"`{name}` is no name for an entity.", "use letters, digits, `_` and `-` (1 to 100)."
            )
        if (twin := lowered.setdefault(name.lower(), name)) != name:
            yield problem(f"$.{name}", f"`{name}` and `{twin}` differ only in case, which some file systems do not.")
        if raw["mode"] == "merge" and "merge_key" not in raw:
            yield problem(
                f"$.{name}", "`merge_key` is missing.", "mode `merge` needs the contract's primary key there."
            )
        if raw["mode"] != "merge" and "merge_key" in raw:
            yield problem(
                f"$.{name}.merge_key", f"mode `{raw['mode']}` has no use for it.", "remove it, or use mode `merge`."
            )
        parts = raw["target"].split(".")
        if not 2 <= len(parts) <= 3 or not all(parts):
            yield problem(f"$.{name}.target", f"`{raw['target']}` is not `catalog.schema.table`.")
        if Path(raw["contract"]).is_absolute() or ".." in Path(raw["contract"]).parts:
            yield problem(f"$.{name}.contract", f"`{raw['contract']}` leads out of the project.")
