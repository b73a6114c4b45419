"""A project on disk: its contracts and entities read, its `gx/` folder generated, its state folder found."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from sluis import config, table
from sluis.config import ENTITIES, Entity, Settings
from sluis.contract import reading
from sluis.contract.document import listed
from sluis.contract.model import Contract
from sluis.contract.rules import Columns, Relationship
from sluis.errors import ContractError, Problem, SuiteError
from sluis.landing.dialect import check_options
from sluis.report.site import DATA_DOCS_SITES
from sluis.suite import project
from sluis.suite.compile import of_table
from sluis.suite.project import Line, Stale


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """A project whose documents hold no problem."""

    root: Path
    """The folder with `contracts/` and `gx/`."""

    settings: Settings
    """Entities and environment."""

    contracts: Mapping[str, Contract]
    """Document → contract."""

    @property
    def gx(self) -> Path:
        """The generated GX project."""
        return self.root / "gx"

    @property
    def lines(self) -> list[Line]:
        """The entities as the generated files need them."""
        return [self.line(name) for name in self.settings.raw]

    def line(self, entity: str) -> Line:
        """One of them."""
        document = self.settings.raw[entity]["contract"]
        return Line(name=entity, suite=project.suite_name(document), contract=self.contracts[document])

    def related(self, entity: str) -> dict[str, list[str]]:
        """What the rules of an entity's contract refer to → the entities that write it; its own object is among them.

        An object of the same document is named alone, one of another document with it (`contracts/x.yaml#customers`).
        """
        here = reading.split(self.settings.raw[entity]["contract"])[0]
        found: dict[str, list[str]] = {}
        for rule in self.line(entity).contract.rules:
            if isinstance(rule, Relationship):
                wanted = rule.to if "#" in rule.to else f"{here}#{rule.to}"
                found[rule.to] = [name for name in self.settings.raw if self._object(name) == wanted]
        return found

    def _object(self, entity: str) -> str:
        reference = self.settings.raw[entity]["contract"]
        return f"{reading.split(reference)[0]}#{self.contracts[reference].object}"

    @cached_property
    def _config(self) -> str:
        # Made of all entities, so made once however many of them run.
        return project.config(self.lines, DATA_DOCS_SITES)

    def generated(self) -> dict[str, str]:
        """Every file of `gx/` as the contracts compile to it."""
        return project.files(self.lines, DATA_DOCS_SITES)

    def require_fresh(self, entity: Entity) -> None:
        """Refuse a run on files that are not what the contract compiles to.

        Raises:
            SuiteError: naming the files.
        """
        wanted = {project.CONFIG: self._config, **project.line_files(self.line(entity.name))}
        if stale := project.departures(self.gx, wanted):
            names = listed(f"gx/{file.path}" for file in stale)
            raise SuiteError(
                f"The contract {entity.contract} compiles to something else than {names}.",
                hint="run `sluis generate`, review what it changes, and commit it.",
            )


def open_workspace(
    root: Path, *, environment: str | None = None, variables: Mapping[str, str] | None = None, only: Sequence[str] = ()
) -> Workspace:
    """Read a project.

    Args:
        root: The folder with `contracts/`.
        environment: The block of `environments.json`.
        variables: Values that win over the block's.
        only: The entities that are wanted; by default all. Others are still read, as `gx/` is made of all.

    Raises:
        ContractError: with every problem of every document.
    """
    settings = config.read(root, environment=environment, variables=variables)
    contracts, problems = read_contracts(root, settings)
    problems += faults(settings, contracts, only=only)
    if problems:
        raise ContractError(problems)
    return Workspace(root=root, settings=settings, contracts=contracts)


def generate(workspace: Workspace) -> list[Stale]:
    """Write `gx/`; returns what was changed."""
    return project.write(workspace.gx, workspace.generated())


def stale(workspace: Workspace) -> list[Stale]:
    """What `generate` would change."""
    return project.stale(workspace.gx, workspace.generated())


def state_folder(root: Path, settings: Settings, chosen: str | None) -> Path:
    """Where results, docs and local tables live.

    `--state`, else `SLUIS_STATE` (both as seen from here), else the environment's `state` (as seen from the
    project), else the default.
    """
    if here := chosen or os.environ.get("SLUIS_STATE"):
        return Path(here).resolve()
    configured = settings.variables.get("state")
    return (root / configured).resolve() if configured else default_state(root)


def default_state(root: Path) -> Path:
    """`.sluis` of the project; for a project that cannot be written, a folder of the user's among temporary ones."""
    if os.access(root, os.W_OK):
        return (root / ".sluis").resolve()
    return Path(tempfile.gettempdir()) / f"sluis-{os.getuid()}"


def read_contracts(root: Path, settings: Settings) -> tuple[dict[str, Contract], list[Problem]]:
    """Every contract that an entity names, by the reference that names it; a document is opened once."""
    contracts: dict[str, Contract] = {}
    problems: list[Problem] = []
    references = sorted({raw["contract"] for raw in settings.raw.values()})
    for document, members in groupby(references, key=lambda reference: reading.split(reference)[0]):
        try:
            opened = reading.open_document(root / document, document)
        except ContractError as error:
            problems += error.problems
            continue
        for reference in members:
            try:
                contracts[reference] = opened.read(reading.split(reference)[1])
                problems += name_faults(contracts[reference])
            except ContractError as error:
                problems += error.problems
    # Objects of one document share what is wrong with it as a whole.
    return contracts, list(dict.fromkeys(problems))


def name_faults(contract: Contract) -> Iterator[Problem]:
    """Names of columns that no table can have."""
    names = [column.name for column in contract.columns]
    path = next(rule.path for rule in contract.rules if isinstance(rule, Columns))
    for name, reason in table.unsupported_names(names):
        place = f"{path}[{names.index(name)}].name" if contract.format == "native" else path
        yield Problem(file=contract.path, path=place, message=f"`{name}`: {reason}.")


def faults(settings: Settings, contracts: Mapping[str, Contract], *, only: Sequence[str]) -> list[Problem]:
    """What is wrong with entities, seen beside the contracts that could be read.

    Args:
        settings: The entities.
        contracts: Document → contract.
        only: The entities whose source and target are looked at too.
    """
    return [
        *_clashes(settings),
        *(problem for name in settings.raw for problem in _entity_faults(settings, name, contracts)),
        *(problem for name in only for problem in _resolving_faults(settings, name)),
    ]


def _resolving_faults(settings: Settings, entity: str) -> Sequence[Problem]:
    try:
        settings.entity(entity)
    except ContractError as error:
        return error.problems
    return ()


def _clashes(settings: Settings) -> Iterator[Problem]:
    """Two documents whose suites would be one file, and two entities whose checkpoints would."""
    yield from _twin_entities(settings)
    owners: dict[str, str] = {}
    for name, raw in settings.raw.items():
        document = raw["contract"]
        for suite in (project.suite_name(document), of_table(project.suite_name(document))):
            if (owner := owners.setdefault(suite.lower(), document)) != document:
                yield Problem(
                    file=ENTITIES,
                    path=f"$.{name}.contract",
                    message=f"the suites of `{document}` and `{owner}` would both be called `{suite}`.",
                    hint="rename one of the two files.",
                )
                break


def _twin_entities(settings: Settings) -> Iterator[Problem]:
    lowered = {name.lower() for name in settings.raw}
    for name in settings.raw:
        if (tested := of_table(name)).lower() in lowered:
            yield Problem(
                file=ENTITIES,
                path=f"$.{name}",
                message=f"the test of its table and another entity would both be called `{tested}`.",
                hint="rename one of the two.",
            )


def _entity_faults(settings: Settings, name: str, contracts: Mapping[str, Contract]) -> Iterator[Problem]:
    raw = settings.raw[name]
    for fault in check_options(raw.get("options", {})):
        yield Problem(file=ENTITIES, path=f"$.{name}.options", message=fault)
    contract = contracts.get(raw["contract"])
    if contract is None:
        return
    taken = table.quarantine.taken(column.name for column in contract.columns)
    if taken and raw.get("on_violation") == "quarantine":
        yield Problem(
            file=ENTITIES,
            path=f"$.{name}.on_violation",
            message=f"{contract.path} has columns that are called {listed(taken)}, as the quarantine's own.",
            hint="rename them, or reject the whole file.",
        )
    key = raw.get("merge_key")
    names = [key] if isinstance(key, str) else key
    if names is not None and set(names) != set(contract.primary_key):
        yield Problem(
            file=ENTITIES,
            path=f"$.{name}.merge_key",
            message=f"found {listed(names)}, which is not the primary key of {contract.path}.",
            allowed=listed(contract.primary_key) or "nothing: the contract has no primary key",
            hint="a part of the key would let duplicate rows through; another column need not be unique.",
        )
