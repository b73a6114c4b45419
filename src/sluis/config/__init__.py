"""`contracts/entities.json` and `contracts/environments.json` → entities with every name resolved."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from sluis.config import faults
from sluis.config.faults import ENTITIES, ENVIRONMENTS
from sluis.contract import document
from sluis.contract.document import Document, did_you_mean, json_path, listed
from sluis.errors import ContractError, Problem

__all__ = [
    "ENTITIES", "ENVIRONMENTS", "Entity", "Keep", "Limit", "Registry", "Settings", "default_environment", "read",
]  # fmt: skip

_VARIABLE = re.compile(r"\$\{([^}]*)\}")


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How many rows of a file may be kept out of the table."""

    stated: str
    """A number of rows, or with a percent sign a share of them."""

    def allows(self, number: int, rows: int) -> bool:
        """Whether so many of these rows may be kept out; exact."""
        most = Fraction(self.stated.removesuffix("%"))
        return number <= (most * rows / 100 if self.stated.endswith("%") else most)


@dataclass(frozen=True, kw_only=True)
class Entity:
    """One line of work: a source, a contract, a target table, a load mode."""

    name: str
    """Its key in `entities.json`."""

    source: str
    """The landing file, folder or glob, or the names of the tables, with `${…}` resolved."""

    tables: tuple[str, ...] = ()
    """The tables of the format `delta`, of which code of the project's own makes the rows; none for landing files."""

    target: str
    """The table (`catalog.schema.table`), with `${…}` resolved."""

    mode: str
    """`overwrite`, `append` or `merge`."""

    merge_key: tuple[str, ...] = ()
    """The columns that `merge` matches rows on."""

    contract: str
    """The contract's document, relative to the project; after a `#` which of its objects, where it has several."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Departures from the default CSV dialect."""

    on_violation: str = "reject"
    """What happens to rows that break a rule: `reject` the whole file, or `quarantine` them and write the rest."""

    max_rejected: Limit | None = None
    """How many rows may go to the quarantine; beyond, the whole file is rejected. None: any number."""


@dataclass(frozen=True, kw_only=True)
class Registry:
    """Where contracts and results are published."""

    url: str
    """The address that `/api/…` follows."""

    key: str = "{{env/SLUIS_REGISTRY_KEY}}"
    """A reference to the API key, never the key."""


@dataclass(frozen=True, kw_only=True)
class Keep:
    """Which runs' records and pages stay; the last good and the last bad run of an entity always do."""

    runs: int | None = None
    """How many of each entity; None for any number."""

    days: int | None = None
    """How old they may be; None for any age."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A project's entities, and what its environment says."""

    environment: str
    """The block of `environments.json` in force."""

    variables: Mapping[str, str]
    """Its values, with `--var` over them."""

    raw: Mapping[str, Document]
    """`entities.json` as it stands, in its order."""

    registry: Registry | None = None
    """The environment's registry, if it names one."""

    alerts: tuple[str, ...] = ()
    """Who is told of runs that fail: addresses of Apprise, with references to what is secret in them."""

    keep: Keep = field(default_factory=Keep)
    """Which runs' records and pages stay."""

    def entity(self, name: str) -> Entity:
        """An entity with its names resolved.

        Raises:
            ContractError: unknown, or it names a variable that has no value here, or its target is no table's name.
        """
        if name not in self.raw:
            hint = did_you_mean(name, self.raw) or "add it, or check the spelling."
            problem = Problem(
                file=ENTITIES, path="$", message=f"there is no entity `{name}`.", allowed=listed(self.raw), hint=hint
            )
            raise ContractError([problem])
        raw = self.raw[name]
        problems = [problem for place in ("source", "target") for problem in self._unresolved(name, place)]
        target = self._resolved(raw["target"])
        sources = tuple(self._resolved(text) for text in faults.texts(raw["source"]))
        tables = sources if raw["format"] == "delta" else ()
        problems = problems or list(faults.of_table(name, "target", target))
        problems = problems or [fault for table in tables for fault in faults.of_table(name, "source", table)]
        if problems:
            raise ContractError(problems)
        return Entity(
            name=name,
            source=", ".join(sources),
            tables=tables,
            target=target,
            mode=raw["mode"],
            merge_key=faults.texts(raw.get("merge_key", ())),
            contract=raw["contract"],
            options=raw.get("options", {}),
            on_violation=raw.get("on_violation", "reject"),
            max_rejected=Limit(stated=str(raw["max_rejected"])) if "max_rejected" in raw else None,
        )

    def _resolved(self, text: str) -> str:
        return _VARIABLE.sub(lambda match: self.variables.get(match[1], match[0]), text)

    def _unresolved(self, entity: str, key: str) -> Iterator[Problem]:
        """What stands in the way of resolving a text of an entity."""
        text = ", ".join(faults.texts(self.raw[entity][key]))
        unknown = [name for name in _VARIABLE.findall(text) if name not in self.variables]
        path = json_path((entity, key))
        if unknown:
            yield Problem(
                file=ENTITIES,
                path=path,
                message=f"{listed(unknown)} has no value in the environment `{self.environment}`.",
                allowed=listed(self.variables) or "nothing is defined there",
                hint=did_you_mean(unknown[0], self.variables)
                or f"add it to {ENVIRONMENTS} or give --var {unknown[0]}=VALUE.",
            )
        elif "${" in (result := self._resolved(text)):
            hint = "close it with `}`; values do not refer to others."
            yield Problem(file=ENTITIES, path=path, message=f"`{result}` still holds a `${{`.", hint=hint)


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
    problems = faults.of_entities(entities)
    environments: Document = {}
    if (project / ENVIRONMENTS).exists():
        environments = document.read(project / ENVIRONMENTS, ENVIRONMENTS)
        problems += faults.of_environments(environments)
    if environment and environment not in environments:
        known = listed(environments) or "nothing is defined there"
        problems.append(
            Problem(file=ENVIRONMENTS, path="$", message=f"there is no environment `{environment}`.", allowed=known)
        )
    if problems:
        raise ContractError(problems)
    block = dict(environments.get(name, {}))
    registry, alerts, keep = block.pop("registry", None), block.pop("alerts", ()), block.pop("keep", {})
    return Settings(
        environment=name,
        variables={**block, **(variables or {})},
        raw=entities,
        registry=Registry(**registry) if registry else None,
        alerts=tuple(alerts),
        keep=Keep(**keep),
    )
