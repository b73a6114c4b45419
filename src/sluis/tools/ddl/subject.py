"""What a person types after `sluis ddl` → a contract and the table that it describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sluis import config, table
from sluis.config import ENTITIES
from sluis.contract.document import json_path, listed
from sluis.contract.model import Contract
from sluis.errors import ContractError, Problem
from sluis.tools import versions
from sluis.workspace import open_workspace


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A contract and its table."""

    contract: Contract
    """The contract."""

    table: str
    """The table's dotted name, not quoted."""

    tables: Mapping[str, str] = field(default_factory=dict)
    """Object → table, for every contract of the project."""


def subject(
    name: str,
    root: Path,
    *,
    table_name: str | None = None,
    environment: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Subject:
    """Find the contract and the table.

    Args:
        name: An entity of the project, or the path of a contract (`#OBJECT` chooses one of several).
        root: The project.
        table_name: The table, where it is not the entity's.
        environment: The block of `environments.json`.
        variables: Values that win over the block's.

    Raises:
        ContractError: there is no such entity or contract, or it cannot be used.
    """
    entities = (root / ENTITIES).is_file()
    if entities and name in config.read(root, environment=environment, variables=variables).raw:
        return _of_entity(name, root, table_name, environment, variables)
    if not (Path(name.rpartition("#")[0] or name).is_file() or Path(name).is_file() or ":" in name):
        known = config.read(root, environment=environment, variables=variables).raw if entities else {}
        message = "this is neither an entity of the project nor the file of a contract."
        raise ContractError([Problem(file=name, path="$", message=message, allowed=listed(known))])
    found = versions.contracts(name, Path.cwd())
    if len(found) > 1:
        message = f"the document has several objects: {listed(contract.object for contract in found)}."
        raise ContractError([Problem(file=name, path="$", message=message, hint="name one of them: FILE#OBJECT.")])
    _require_names(found[0])
    return Subject(contract=found[0], table=table_name or found[0].object.replace(".", "_"))


def _of_entity(
    name: str, root: Path, table_name: str | None, environment: str | None, variables: Mapping[str, str] | None
) -> Subject:
    workspace = open_workspace(root, environment=environment, variables=variables, only=[name])
    tables: dict[str, str] = {}
    for other in workspace.settings.raw:
        try:
            tables.setdefault(workspace.line(other).contract.object, workspace.settings.entity(other).target)
        except ContractError:
            # An entity whose names have no value here: nothing refers to its table by a name that is known.
            continue
    entity = workspace.settings.entity(name)
    contract = workspace.line(name).contract
    return Subject(contract=contract, table=table_name or entity.target, tables=tables)


def _require_names(contract: Contract) -> None:
    names = [column.name for column in contract.columns]
    problems = [
        Problem(file=contract.path, path=json_path(("columns", names.index(name))), message=f"`{name}`: {reason}.")
        for name, reason in table.unsupported_names(names)
    ]
    if problems:
        raise ContractError(problems)
