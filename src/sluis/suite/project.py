"""The `gx/` folder: everything in it is generated, committed, and read-only at run time."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sluis.contract.model import Contract
from sluis.suite.compile import gx_id, of_table, suites, text

CONFIG = "great_expectations.yml"
DATASOURCE = "landing"
BATCH = "whole_frame"

RESULT_FORMAT = {"result_format": "BASIC", "partial_unexpected_count": 0, "include_unexpected_rows": False}
"""Counts without GX's own sampling of values, which would read the file again for every rule."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """An entity, as the generated files need it."""

    name: str
    """The entity, and its checkpoint and validation definition; those of its table are called `of_table(name)`."""

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
        if not lines:
            return [f"gx/{self.path}: only its line ends are others (or it is not UTF-8)"]
        more = len(lines) - longest
        return lines if more <= 0 else [*lines[:longest], f"… {more} more lines"]


def suite_name(contract: str) -> str:
    """The suite of an entity's contract: `contracts/customers.json` → `customers`, `c/shop.odcs.yaml#orders` →
    `shop-orders`.
    """
    from sluis.contract.names import safe

    document, _, name = contract.partition("#")
    stem = re.sub(r"(\.(odcs|dcs|datacontract))?\.(json|ya?ml)$", "", Path(document).name, flags=re.IGNORECASE)
    # A dot would be a folder in GX's stores.
    return f"{safe(stem)}-{safe(name)}" if name else safe(stem)


def files(lines: Sequence[Line], site: Mapping[str, Any]) -> dict[str, str]:
    """Every generated file, relative to `gx/`, with what it says.

    Args:
        lines: The project's entities.
        site: The value of `data_docs_sites`.
    """
    made = {CONFIG: config(lines, site)}
    for line in lines:
        if f"expectations/{line.suite}.json" not in made:
            made |= _suite_files(line)
        made |= _entity_files(line)
    return made


def line_files(line: Line) -> dict[str, str]:
    """The files that concern one entity."""
    return _suite_files(line) | _entity_files(line)


def _suite_files(line: Line) -> dict[str, str]:
    landing, table = suites(line.contract, line.suite)
    return {
        f"expectations/{line.suite}.json": text(landing),
        f"expectations/{of_table(line.suite)}.json": text(table),
    }


def _entity_files(line: Line) -> dict[str, str]:
    tested = of_table(line.name)
    return {
        f"validation_definitions/{line.name}.json": text(_validation(line.name, line.suite)),
        f"validation_definitions/{tested}.json": text(_validation(tested, of_table(line.suite))),
        f"checkpoints/{line.name}.json": text(_checkpoint(line.name, line.name, "sluis_delta_write", "write")),
        f"checkpoints/{tested}.json": text(_checkpoint(tested, line.name, "sluis_table_test", "test")),
    }


def stale(folder: Path, wanted: Mapping[str, str]) -> list[Stale]:
    """Where the folder departs from what the contracts compile to; files that a person added do not count."""
    vanished = dict.fromkeys(path for path in _generated(folder) if path not in wanted)
    return departures(folder, {**wanted, **vanished})


def departures(folder: Path, wanted: Mapping[str, str | None]) -> list[Stale]:
    """Which of these files are not what is wanted of them."""
    found = [Stale(path=path, found=_read(folder / path), wanted=wanted[path]) for path in sorted(wanted)]
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


def config(lines: Sequence[Line], site: Mapping[str, Any]) -> str:
    """`great_expectations.yml`."""
    settings = {
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
    return "# Generated by `sluis generate` from contracts/; edit the contracts instead.\n" + yaml.dump(
        settings, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120
    )


class _Dumper(yaml.SafeDumper):
    """Quotes text that GX's YAML 1.2 would read as a number, such as an entity `1e3`; PyYAML speaks 1.1."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "'" if value[:1] in tuple("+-.0123456789") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def _store(kind: str, folder: str) -> dict[str, Any]:
    backend = {"class_name": "TupleFilesystemStoreBackend", "base_directory": folder, "suppress_store_backend_id": True}
    return {"class_name": kind, "store_backend": backend}


def _datasource(lines: Sequence[Line]) -> dict[str, Any]:
    """Two assets per entity, its files and its table: GX keeps one frame per asset, which nobody else must see."""
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
            for name in sorted(name for line in lines for name in (line.name, of_table(line.name)))
        },
    }


def _named(name: str, what: str, key: str) -> dict[str, str]:
    return {"name": name, "id": gx_id(what, key)}


def _validation(name: str, suite: str) -> dict[str, Any]:
    return {
        **_named(name, "validation", name),
        "data": {
            "datasource": _named(DATASOURCE, "datasource", DATASOURCE),
            "asset": _named(name, "asset", name),
            "batch_definition": _named(BATCH, "batch", name),
        },
        "suite": _named(suite, "suite", suite),
    }


def _checkpoint(name: str, entity: str, action: str, what: str) -> dict[str, Any]:
    """A checkpoint whose first action decides, and whose second reports what came of it."""
    return {
        **_named(name, "checkpoint", name),
        "validation_definitions": [_named(name, "validation", name)],
        "actions": [
            {"type": action, "name": what, "entity": entity},
            {"type": "sluis_publish_docs", "name": "publish", "entity": entity},
        ],
        "result_format": RESULT_FORMAT,
    }
