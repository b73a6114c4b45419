"""Which entities a command line means, told before anything is started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from sluis.cli.running import run_chosen

CONTRACT = {"contract_name": "c", "version": "1.0", "columns": [{"name": "id", "type": "integer"}], "rules": {}}


def arguments(root: Path, **more: Any) -> dict[str, Any]:
    common = {"entities": (), "every": False, "source": None, "dry_run": False, "force": False}
    return {**common, "project": root, "state": None, "environment": None, "variables": (), **more}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose one entity has its rows made of tables."""
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts/c.json").write_text(json.dumps(CONTRACT))
    entity = {"source": ["a.b.c"], "target": "a.b.d", "format": "delta", "mode": "overwrite"}
    entities = {"made": {**entity, "contract": "contracts/c.json"}}
    (tmp_path / "contracts/entities.json").write_text(json.dumps(entities))
    return tmp_path


def test_all_of_no_entity_with_files_is_no_good_run(root: Path) -> None:
    with pytest.raises(click.UsageError, match="no entity reads landing files"):
        run_chosen(arguments(root, every=True), pytest.fail)


@pytest.mark.parametrize("asked", [{}, {"entities": ("made",), "every": True}])
def test_entities_are_named_or_all_meant(root: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(click.UsageError, match="name the entities to run, or say --all"):
        run_chosen(arguments(root, **asked), pytest.fail)
