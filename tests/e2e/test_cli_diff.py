"""`sluis diff` on files and git revisions: exit codes, text, JSON, JUnit, and friendly errors."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from sluis.cli import main

ORDERS = {
    "contract_name": "orders",
    "version": "1.0",
    "columns": [
        {"name": "id", "type": "string", "nullable": False},
        {"name": "status", "type": "string", "enum": ["open", "shut"]},
    ],
}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@x", *arguments], cwd=root, check=True, capture_output=True
    )


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one version committed; the working tree is the same."""
    (tmp_path / "contracts").mkdir()
    write(tmp_path, ORDERS)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, document: Any) -> None:
    (root / "contracts/orders.json").write_text(json.dumps(document), "utf-8")


def changed(**keys: Any) -> Any:
    return {**ORDERS, **keys}


WIDER = [ORDERS["columns"][0], {"name": "status", "type": "string", "enum": ["open", "shut", "lost"]}]


def diff(*arguments: str) -> Result:
    done = CliRunner().invoke(main, ["diff", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    return done


OLD, NEW = "HEAD:contracts/orders.json", "contracts/orders.json"


def test_nothing_differs(root: Path) -> None:
    done = diff(OLD, NEW)
    assert (done.exit_code, done.stdout) == (0, f"{OLD} (1.0) → {NEW} (1.0)\n\nNothing differs.\n")


def test_breaking_without_a_new_major_version(root: Path) -> None:
    write(root, changed(version="1.1", columns=WIDER))
    done = diff(OLD, NEW)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{OLD} (1.0) → {NEW} (1.1)",
        "",
        "breaking (1)",
        "  rule loosened: orders.status.enum",
        "    was  enum of status: open, shut",
        "    is   enum of status: open, shut, lost",
        "    why  rows come through that it used to keep out",
        "",
        "1 breaking, 0 compatible, 0 documentation. The major version was not raised (1.0 → 1.1).",
    ]
    assert diff(NEW, OLD).exit_code == 0


def test_a_new_major_version_announces_it(root: Path) -> None:
    write(root, changed(version="2.0", columns=WIDER))
    done = diff(OLD, NEW, "--junit", "out.xml")
    assert done.exit_code == 0
    assert done.stdout.endswith("The version announces it (1.0 → 2.0).\n")
    assert ElementTree.parse(root / "out.xml").getroot().attrib["failures"] == "0"


def test_json(root: Path) -> None:
    write(root, changed(columns=WIDER, owner="me"))
    found = json.loads(diff(OLD, NEW, "--json").stdout)
    assert found["old"] == {"document": OLD, "version": "1.0"}
    counts = [found[key] for key in ("breaking", "compatible", "documentation", "major_raised", "exit_code")]
    assert counts == [1, 0, 1, False, 1]
    assert found["changes"][0] == {
        "kind": "breaking",
        "change": "rule_weaker",
        "subject": "orders.status.enum",
        "rule": "orders.status.enum",
        "old": "enum of status: open, shut",
        "new": "enum of status: open, shut, lost",
        "old_path": "$.columns[1].enum",
        "new_path": "$.columns[1].enum",
        "words": "rule loosened",
        "reason": "rows come through that it used to keep out",
    }


def test_junit(root: Path) -> None:
    write(root, changed(columns=WIDER, owner="\x08 & <b>"))
    diff(OLD, NEW, "--junit", "out.xml")
    suite = ElementTree.parse(root / "out.xml").getroot()[0]
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("2", "1")
    assert [(case.attrib["classname"], case[0].tag) for case in suite] == [
        ("breaking", "failure"),
        ("documentation", "system-out"),
    ]
    assert "is   \ufffd & <b>" in (suite[1][0].text or "")


@pytest.mark.parametrize(
    ("folder", "old"),
    [
        (".", "HEAD:./contracts/orders.json"),
        ("contracts", "HEAD:orders.json"),
        ("contracts", "HEAD:../contracts/orders.json"),
        ("contracts", OLD),
        (".", "@:contracts/orders.json"),
    ],
)
def test_paths_of_a_revision(root: Path, folder: str, old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / folder)
    assert diff(old, str(root / NEW)).exit_code == 0


def test_an_older_revision(root: Path) -> None:
    write(root, changed(columns=WIDER))
    git(root, "commit", "-qam", "two")
    assert diff("HEAD~1:contracts/orders.json", OLD).exit_code == 1


ERRORS = [
    ("nope.json", "nope.json: $: cannot be read (No such file or directory)."),
    ("HEAD~9:contracts/orders.json", "neither a file of this name nor a git revision `HEAD~9`"),
    ("HEAD:contracts/order.json", "the revision has no file `contracts/order.json`. Hint: did you mean `contracts/orders.json`?"),
    ("HEAD:contracts", "the revision has no file `contracts`."),
    ("HEAD:", "the revision has no file ``."),
    (":contracts/orders.json", "neither a file of this name nor a git revision ``"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "message"), ERRORS)
def test_what_cannot_be_found(root: Path, old: str, message: str) -> None:
    done = diff(old, NEW)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_an_unreadable_contract(root: Path) -> None:
    write(root, changed(columns=[]))
    done = diff(OLD, NEW)
    assert (done.exit_code, done.stderr) == (2, f"{NEW}: $.columns: it is empty.\n")


def test_outside_of_a_repository(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("bare"))
    assert "is in no git repository" in diff(OLD, str(root / NEW)).stderr


def test_without_git(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "and git, which could look it up, is not here" in diff(OLD, NEW).stderr


def test_files_without_replay(root: Path) -> None:
    done = diff(OLD, NEW, "x.csv")
    assert done.exit_code == 2
    assert "landing files go with --replay" in done.stderr
