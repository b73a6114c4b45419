"""Who may import whom (DESIGN §3): our own modules by import-linter, others by a look at the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
SOURCE = REPO / "src"

ALLOWED = {
    "great_expectations": (
        *("sluis.suite.expectations", "sluis.suite.engine", "sluis.suite.stock"),
        *("sluis.gate", "sluis.report"),
    ),
    "pyspark": (
        *("sluis.session", "sluis.jvm", "sluis.landing", "sluis.table", "sluis.lexical", "sluis.suite"),
        "stock_last_sales",
    ),
    "delta": ("sluis.session", "sluis.jvm"),
    "yaml": ("sluis.contract", "sluis.suite.project", "sluis.config"),
    "jsonschema": ("sluis.contract.shape",),
    "click": ("sluis.cli",),
}  # fmt: skip
"""Package → the rooms that may import it."""


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(SOURCE.rglob("*.py")):
        parts = file.relative_to(SOURCE).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), ast.parse(file.read_bytes())


def _imported(tree: ast.AST) -> Iterator[str]:
    """What a module imports when it runs; what only the type checker imports is free."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from _imported(node)


def test_our_modules_import_in_one_direction() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_a_package_stays_in_its_rooms(package: str) -> None:
    users = {name for name, tree in _modules() if package in {path.partition(".")[0] for path in _imported(tree)}}
    strangers = {user for user in users if not any(f"{user}.".startswith(f"{room}.") for room in ALLOWED[package])}
    assert not strangers


def test_no_module_imports_relatively() -> None:
    found = [
        name for name, tree in _modules() for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not found
