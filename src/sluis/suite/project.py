"""The `gx/` folder: everything in it is generated, committed, and read-only at run time."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sluis.contract.model import Contract
from sluis.suite.compile import gx_id, suites, text

CONFIG = "great_expectations.yml"
DATASOURCE = "landing"
BATCH = "whole_frame"

RESULT_FORMAT = {"result_format": "BASIC", "partial_unexpected_count": 0, "include_unexpected_rows": False}
"""Counts without GX's own sampling of values, which would read the file again for every rule."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """An entity, as the generated files need it."""

    name: str
    """The entity, and its checkpoint and validation definition."""

    suite: str
    """The suite that its contract compiles to."""

    contract: Contract
    """Its contract."""


@dataclass(frozen=True, kw_only=True)
class Stale:
    """A generated file that is not what the contracts compile to."""

    path: str
    """Relative to `gx/`."""

    found: str | None
    """What the file says; None when it is missing."""

    wanted: str | None
    """What it should say; None when it should not be there."""

    def diff(self, longest: int = 60) -> list[str]:
        """What `generate` would change, as lines of a unified diff."""
        lines = list(
            difflib.unified_diff(
                (self.found or "").splitlines(),
                (self.wanted or "").splitlines(),
                f"gx/{self.path}" if self.found is not None else "/dev/null",
                f"gx/{self.path} (from the contract)" if self.wanted is not None else "/dev/null",
                lineterm="",
                n=1,
            )
        )
        more = len(lines) - longest
        return lines if more <= 0 else [*lines[:longest], f"… {more} more lines"]


def suite_name(contract: str) -> str:
    """The suite of a contract's document (`contracts/customers.json` → `customers`)."""
    from sluis.contract.names import safe

    stem = Path(contract).name.removesuffix(".json")
    return safe(stem).replace(".", "_")


def files(lines: Sequence[Line], site: Mapping[str, Any]) -> dict[str, str]:
    """Every generated file, relative to `gx/`, with what it says.

    Args:
        lines: The project's entities.
        site: The value of `data_docs_sites`.
    """
    made = {CONFIG: _config(lines, site)}
    for line in lines:
        landing, table = suites(line.contract, line.suite)
        made[f"expectations/{line.suite}.json"] = text(landing)
        made[f"expectations/{line.suite}_table.json"] = text(table)
        made[f"validation_definitions/{line.name}.json"] = text(_validation(line))
        made[f"checkpoints/{line.name}.json"] = text(_checkpoint(line))
    return made


def stale(folder: Path, wanted: Mapping[str, str]) -> list[Stale]:
    """Where the folder departs from what the contracts compile to; files that a person added do not count."""
    ours = [*wanted, *(path for path in _generated(folder) if path not in wanted)]
    found = [Stale(path=path, found=_read(folder / path), wanted=wanted.get(path)) for path in sorted(ours)]
    return [file for file in found if file.found != file.wanted]


def write(folder: Path, wanted: Mapping[str, str]) -> list[Stale]:
    """Make the folder what the contracts compile to; returns what was changed."""
    changed = stale(folder, wanted)
    for file in changed:
        path = folder / file.path
        if file.wanted is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.wanted.encode())
    return changed


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        return ""


_STORES = {"expectations": "suite", "validation_definitions": "validation", "checkpoints": "checkpoint"}
"""Folder → what its files are, as their ids were made."""


def _generated(folder: Path) -> Iterator[str]:
    """Files that we made: their ids are ours."""
    for store, what in _STORES.items():
        for path in sorted((folder / store).glob("*.json")):
            try:
                config = json.loads(path.read_bytes())
            except ValueError:
                continue
            if isinstance(config, dict) and config.get("id") == gx_id(what, path.stem):
                yield f"{store}/{path.name}"


def _config(lines: Sequence[Line], site: Mapping[str, Any]) -> str:
    config = {
        "config_version": 4.0,
        "config_variables_file_path": None,
        "plugins_directory": None,
        "stores": {
            "expectations_store": _store("ExpectationsStore", "expectations/"),
            "validation_results_store": _store("ValidationResultsStore", "${SLUIS_STATE}/results/validations"),
            "checkpoint_store": _store("CheckpointStore", "checkpoints/"),
            "validation_definition_store": _store("ValidationDefinitionStore", "validation_definitions/"),
        },
        "expectations_store_name": "expectations_store",
        "validation_results_store_name": "validation_results_store",
        "checkpoint_store_name": "checkpoint_store",
        "data_docs_sites": dict(site),
        "progress_bars": {"globally": False, "metric_calculations": False},
        "analytics_enabled": False,
        "data_context_id": gx_id("context", "sluis"),
        "fluent_datasources": {DATASOURCE: _datasource(lines)},
    }
    return "# Generated by `sluis generate` from contracts/; edit the contracts instead.\n" + yaml.safe_dump(
        config, sort_keys=False, allow_unicode=True, width=120
    )


def _store(kind: str, folder: str) -> dict[str, Any]:
    backend = {"class_name": "TupleFilesystemStoreBackend", "base_directory": folder, "suppress_store_backend_id": True}
    return {"class_name": kind, "store_backend": backend}


def _datasource(lines: Sequence[Line]) -> dict[str, Any]:
    """One asset per entity: GX keeps one frame per asset, so two entities never see each other's."""
    return {
        "type": "sluis_spark",
        "id": gx_id("datasource", DATASOURCE),
        "persist": False,
        "assets": {
            name: {
                "type": "dataframe",
                "id": gx_id("asset", name),
                "batch_metadata": {},
                "batch_definitions": {BATCH: {"id": gx_id("batch", name), "partitioner": None}},
            }
            for name in sorted(line.name for line in lines)
        },
    }


def _named(name: str, what: str, key: str) -> dict[str, str]:
    return {"name": name, "id": gx_id(what, key)}


def _validation(line: Line) -> dict[str, Any]:
    return {
        **_named(line.name, "validation", line.name),
        "data": {
            "datasource": _named(DATASOURCE, "datasource", DATASOURCE),
            "asset": _named(line.name, "asset", line.name),
            "batch_definition": _named(BATCH, "batch", line.name),
        },
        "suite": _named(line.suite, "suite", line.suite),
    }


def _checkpoint(line: Line) -> dict[str, Any]:
    return {
        **_named(line.name, "checkpoint", line.name),
        "validation_definitions": [_named(line.name, "validation", line.name)],
        "actions": [
            {"type": "sluis_delta_write", "name": "write", "entity": line.name},
            {"type": "sluis_publish_docs", "name": "publish", "entity": line.name},
        ],
        "result_format": RESULT_FORMAT,
    }
