"""Where contracts and results go: a registry's API, or files for any other registry. Each knows what it has."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePath
from typing import Protocol

from sluis.config import Registry
from sluis.contract.names import safe
from sluis.errors import EnvironmentFailure
from sluis.registry.client import Client
from sluis.registry.documents import Agreement
from sluis.registry.results import Results


class Place(Protocol):
    """Takes contracts and results."""

    def take_contract(self, agreement: Agreement) -> str:
        """Take a contract; returns where it is now."""

    def has_results(self, run_id: str) -> bool:
        """Whether the results of a run were taken."""

    def take_results(self, run_id: str, results: Results) -> None:
        """Take the results of a run."""


class ByRequest:
    """A registry's API. What it has taken is remembered in the state folder, by an empty file a run."""

    def __init__(self, registry: Registry, state: Path) -> None:
        self._url = registry.url
        self._client = Client(registry)
        self._taken = state / "results" / "published" / hashlib.sha256(registry.url.encode()).hexdigest()[:12]

    def take_contract(self, agreement: Agreement) -> str:
        return self._client.put_contract(agreement.id, agreement.as_json()) or self._url

    def has_results(self, run_id: str) -> bool:
        return (self._taken / run_id).exists()

    def take_results(self, run_id: str, results: Results) -> None:
        self._client.post_results(results)
        _write(self._taken / run_id, "")


class InFolder:
    """Files: `ID.odcs.yaml` a contract, `test-results/RUN.json` a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take_contract(self, agreement: Agreement) -> str:
        ending = PurePath(agreement.path).suffix if agreement.is_odcs else ".yaml"
        path = self._folder / f"{safe(agreement.id)}.odcs{ending}"
        _write(path, agreement.as_odcs())
        return str(path)

    def has_results(self, run_id: str) -> bool:
        try:
            return bool(json.loads(self._results(run_id).read_bytes()))
        except (OSError, ValueError):  # what a writer left that was cut off is written again
            return False

    def take_results(self, run_id: str, results: Results) -> None:
        _write(self._results(run_id), json.dumps(results, indent=1))

    def _results(self, run_id: str) -> Path:
        return self._folder / "test-results" / f"{run_id}.json"


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise EnvironmentFailure(f"{path} cannot be written ({error.strerror}).") from error
