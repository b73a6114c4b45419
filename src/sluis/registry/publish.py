"""The story of publishing: each contract once, then the results of the runs that the registry does not have yet."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from sluis.config import ENVIRONMENTS, Registry, Settings
from sluis.contract import reading
from sluis.errors import ContractError, EnvironmentFailure, Problem
from sluis.registry.client import Refused
from sluis.registry.documents import Agreement, agreement
from sluis.registry.places import ByRequest, InFolder, Place
from sluis.registry.results import Results, results
from sluis.report import records
from sluis.report.model import Run
from sluis.report.parse import BrokenRecord
from sluis.report.site import entity_of
from sluis.report.words import counted
from sluis.workspace import Workspace

log = logging.getLogger("sluis")

LATEST = 100
"""Runs of an entity that are looked at, from the newest; what is older and was never published stays unpublished."""


def publish(workspace: Workspace, entities: Sequence[str], state: Path, folder: Path | None = None) -> Iterator[str]:
    """Publish contracts of entities, and the results of their runs; what was published before is not again.

    Args:
        workspace: The project.
        entities: Their names.
        state: The folder that holds the records of runs.
        folder: Where to write files, instead of asking the environment's registry.

    Yields:
        What was done, in a line.

    Raises:
        ContractError: the environment names no registry.
        EnvironmentFailure: the registry cannot be reached, or did not want something; the rest is published.
    """
    place = InFolder(folder) if folder else ByRequest(_registry(workspace.settings), state)
    refused: list[str] = []
    agreed: dict[str, Agreement] = {}
    for entity in entities:
        path = reading.split(workspace.settings.raw[entity]["contract"])[0]
        if path not in agreed:
            agreed[path] = agreement(workspace.root, path)
            with _collected(refused):
                yield f"{path}: published as {agreed[path].id}, {place.take_contract(agreed[path])}"
        published = 0
        for run in _unpublished(place, state, entity):
            with _collected(refused):
                place.take_results(run.run_id, _results(run, workspace, entity, agreed[path]))
                published += 1
        yield f"{entity}: results of {counted(published, 'run')} published"
    if refused:
        raise EnvironmentFailure("\n".join(refused), hint="all else is published; mend this, and publish again.")


def _unpublished(place: Place, state: Path, entity: str) -> Iterator[Run]:
    """The runs that the place has not, oldest first; dry runs judged what nobody meant to load."""
    of_entity = (run_id for run_id in records.run_ids(state) if entity_of(run_id) == entity)
    missing = [run_id for run_id in islice(of_entity, LATEST) if not place.has_results(run_id)]
    for run_id in reversed(missing):
        try:
            run = records.read(records.folder(state) / f"{run_id}.json")
        except (BrokenRecord, FileNotFoundError) as error:
            log.warning("The record of %s cannot be read, so it is not published: %s", run_id, error)
            continue
        if not run.dry_run:
            yield run


def _results(run: Run, workspace: Workspace, entity: str, agreed: Agreement) -> Results:
    contract = workspace.contracts[workspace.settings.raw[entity]["contract"]]
    return results(run, contract, contract_id=agreed.id, server=workspace.settings.environment)


@contextmanager
def _collected(refused: list[str]) -> Iterator[None]:
    """Go on after what the registry did not want."""
    try:
        yield
    except Refused as error:
        refused.append(error.message)


def _registry(settings: Settings) -> Registry:
    if settings.registry is None:
        raise ContractError(
            [
                Problem(
                    file=ENVIRONMENTS,
                    path=f"$.{settings.environment}",
                    message="there is no `registry`.",
                    hint='add "registry": {"url": "https://…"}, or write files with --to DIR.',
                )
            ]
        )
    return settings.registry
