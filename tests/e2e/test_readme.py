"""Every command and output in the README, and in the pages that it leads to, is what a newcomer gets."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from sluis.cli import main

ROOT = Path(__file__).parents[2]
PAGES = {page: (ROOT / page).read_text() for page in ("README.md", "contracts/README.md", "jobs/README.md")}
README = PAGES["README.md"]


def matches(found: list[str], wanted: list[str]) -> bool:
    """Whether lines are as shown; `…` stands for any text in a line, and alone at its end of a block for any lines."""
    if not wanted:
        return not found
    if wanted[0] == "…":
        return any(matches(found[skip:], wanted[1:]) for skip in range(len(found) + 1))
    return bool(found) and fnmatch.fnmatchcase(found[0], _glob(wanted[0])) and matches(found[1:], wanted[1:])


def _glob(line: str) -> str:
    return re.sub(r"([\[\]*?])", r"[\1]", line).replace("…", "*")


def sessions(page: str) -> list[tuple[str, str]]:
    """The commands of a page and what it shows of their output."""
    return re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGES[page], re.DOTALL)


def test_there_are_sessions() -> None:
    assert {page: len(sessions(page)) for page in PAGES} == {
        page: text.count("$ sluis") for page, text in PAGES.items()
    }
    assert len(sessions("README.md")) > 3


@pytest.mark.parametrize("page", [page for page in PAGES if sessions(page)])
def test_the_sessions_run_as_shown(page: str, tmp_path: Path) -> None:
    for folder in ("contracts", "gx"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, shown in sessions(page):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        found = by_entity(done.stderr, done.stdout) if command.startswith("sluis run") else done.stdout.splitlines()
        found = [line for line in found if not line.startswith("Downloading ")]
        if done.returncode:
            found.append(f"[exit code {done.returncode}]")
        wanted = shown.splitlines()
        assert matches(found, wanted), f"$ {command}\n" + "\n".join(found)


def by_entity(log: str, summaries: str) -> list[str]:
    """Log and summary of each entity together, as a terminal shows them."""
    logs = re.split(r"(?=^Reading source)", log, flags=re.MULTILINE)
    said = re.split(r"(?=^[✓✕!?] )", summaries, flags=re.MULTILINE)
    pairs = zip([part for part in logs if part.strip()], [part for part in said if part.strip()], strict=True)
    return [line for pair in pairs for part in pair for line in part.splitlines()]


def test_the_demo_is_the_first_session() -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    told = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.strip().splitlines()[-1].endswith(sessions("README.md")[0][0])


def test_make_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    habits = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"^make ([a-z]+)$", README, re.MULTILINE)) | set(
        re.findall(r"`([a-z]+)`", README.split("`make` lists the habits:")[1].split(".")[0])
    )
    assert named <= habits


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", PAGES[page])
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


def test_every_page_can_be_reached() -> None:
    assert [page for page in PAGES if page != "README.md" and f"]({page})" not in README] == []


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_exist(page: str) -> None:
    """Whatever stands in code as `sluis …`, however short."""
    for words in re.findall(r"(?:`|^\$ |^)sluis ([a-z][^`\n]*)", PAGES[page], re.MULTILINE):
        command: click.Command = main
        for word in words.split():
            if isinstance(command, click.Group):
                # `docs build|serve` names several of one group.
                found = [command.commands[name] for name in word.split("|")]
                command = found[0]
            elif word.strip("[]").startswith("--"):
                known = {option for given in command.params for option in given.opts}
                assert word.strip("[]") in known, words
