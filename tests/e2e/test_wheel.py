"""The wheel in an environment of its own: what a workspace installs, and the oldest libraries that it may meet."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv") or str(ROOT / ".tools/bin/uv")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path(UV).exists(), reason="needs uv"),
]


def uv(*arguments: str | Path) -> str:
    done = subprocess.run([UV, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--wheel", "--quiet", "--out-dir", folder)
    [built] = folder.glob("*.whl")
    return built


def installed(wheel: Path, requirements: str, folder: Path) -> Path:
    """The `bin` of a new environment with these requirements and the wheel."""
    pins = folder / "pins.txt"
    pins.write_text(requirements)
    uv("venv", "--quiet", folder / "venv")
    python = folder / "venv/bin/python"
    uv("pip", "install", "--quiet", "--python", python, "-r", pins)
    uv("pip", "install", "--quiet", "--python", python, "--no-deps", wheel)
    return python.parent


def test_both_packages_are_in_it(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"sluis", "stock_last_sales"}
    assert "sluis/report/templates/run.html" in names and "sluis/contract/schemas/odcs-3.2.0.json" in names


def test_its_entry_points_run_a_sample(wheel: Path, tmp_path: Path) -> None:
    locked = uv("export", "--frozen", "--extra", "spark", "--no-dev", "--no-emit-project", "--no-hashes", "--quiet")
    programs = installed(wheel, locked, tmp_path)
    for folder in ("contracts", "gx"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    run = [programs / "sluis-task", "customers", "--project", tmp_path, "--state", tmp_path / "state"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Successfully processed 4 records" in done.stderr
    product = subprocess.run([programs / "stock-last-sales", "--help"], capture_output=True, text=True)
    assert product.returncode == 0 and "--dry-run" in product.stdout


def test_it_imports_beside_the_oldest_libraries_that_it_asks_for(wheel: Path, tmp_path: Path) -> None:
    oldest = uv("pip", "compile", "pyproject.toml", "--resolution", "lowest-direct", "--quiet", "--no-header")
    programs = installed(wheel, oldest, tmp_path)
    names = "sluis.gx, sluis.cli, sluis.cli.task, stock_last_sales.task"
    done = subprocess.run([programs / "python", "-c", f"import {names}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
