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


@pytest.mark.parametrize("folder", [".", "contracts"])
def test_a_revision_brings_what_its_document_refers_to(
    root: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {
        "dataContractSpecification": "1.2.1",
        "id": "i",
        "info": {"title": "t", "version": "1"},
        "models": {"m": {"fields": {"f": {"$ref": "parts/f.json#/f"}}}},
    }
    (root / "contracts/parts").mkdir()
    (root / "contracts/parts/f.json").write_text('{"f": {"type": "string", "name": "f"}}')
    (root / "contracts/shop.json").write_text(json.dumps(document))
    git(root, "add", ".")
    git(root, "commit", "-qm", "two")
    monkeypatch.chdir(root / folder)
    assert diff("HEAD:contracts/shop.json", str(root / "contracts/shop.json")).stdout.endswith("Nothing differs.\n")


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


ENTITY = {"source": "s.csv", "target": "demo.orders", "format": "csv", "mode": "overwrite", "contract": NEW}
OTHER = "contracts/other.json"


def entities(root: Path, *documents: str) -> None:
    named = {Path(document).name.partition(".")[0]: {**ENTITY, "contract": document} for document in documents}
    (root / "contracts/entities.json").write_text(json.dumps(named), "utf-8")


@pytest.fixture
def project(root: Path) -> Path:
    """A project with two contracts on `main`, and a branch that changed nothing."""
    (root / OTHER).write_text(json.dumps(changed(contract_name="other")), "utf-8")
    entities(root, NEW, OTHER)
    git(root, "add", ".")
    git(root, "commit", "-qm", "two")
    git(root, "branch", "-M", "main")
    git(root, "checkout", "-qb", "branch")
    return root


def since() -> Any:
    done = diff("--since", "main", "--json")
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_since_nothing_differs(project: Path) -> None:
    done = diff("--since", "main", "--junit", "out.xml")
    assert (done.exit_code, done.stdout) == (0, "0 of 2 contracts changed since main.\n")
    cases = ElementTree.parse(project / "out.xml").getroot()[0]
    assert [case.attrib["classname"] for case in cases] == [f"{NEW}: same", f"{OTHER}: same"]


def test_since_shows_the_contracts_that_differ(project: Path) -> None:
    write(project, changed(version="1.1", columns=WIDER))
    done = diff("--since", "main", "--junit", "out.xml")
    assert done.exit_code == 1
    assert done.stdout.startswith(f"main:{NEW} (1.0) → {NEW} (1.1)\n\nbreaking (1)\n")
    assert OTHER not in done.stdout
    assert done.stdout.endswith("\n1 of 2 contracts changed since main; 1 breaking without a new major version.\n")
    assert ElementTree.parse(project / "out.xml").getroot().attrib["failures"] == "1"
    assert [each["exit_code"] for each in since()["contracts"]] == [1, 0]
    write(project, changed(version="2.0", columns=WIDER))
    assert diff("--since", "main").exit_code == 0


def test_since_counts_from_where_the_branch_began(project: Path) -> None:
    git(project, "checkout", "-q", "main")
    write(project, changed(owner="another"))
    git(project, "commit", "-qam", "meanwhile")
    git(project, "checkout", "-q", "branch")
    assert [each["changes"] for each in since()["contracts"]] == [[], []]


def test_since_a_contract_came(project: Path) -> None:
    (project / "contracts/new.json").write_text(json.dumps(changed(contract_name="new")), "utf-8")
    entities(project, NEW, OTHER, "contracts/new.json")
    done = diff("--since", "main")
    assert done.exit_code == 0
    assert done.stdout.startswith("no contract → contracts/new.json (1.0)\n\ncompatible (1)\n  object added: new\n")


def test_since_a_contract_went(project: Path) -> None:
    (project / OTHER).unlink()
    entities(project, NEW)
    done = diff("--since", "main")
    assert done.exit_code == 1
    assert done.stdout.startswith(f"main:{OTHER} (1.0) → no contract\n\nbreaking (1)\n  object removed: other\n")
    assert "The contract is gone." in done.stdout


def test_since_a_contract_that_no_entity_names_any_more(project: Path) -> None:
    entities(project, NEW)
    assert diff("--since", "main").exit_code == 0
    (project / OTHER).write_text(json.dumps(changed(contract_name="other", columns=WIDER)), "utf-8")
    assert diff("--since", "main").exit_code == 1


def test_since_a_contract_that_moved_and_was_converted(project: Path) -> None:
    moved = "contracts/orders.odcs.yaml"
    converted = CliRunner().invoke(main, ["convert", NEW, "-o", moved])
    assert converted.exit_code == 0
    (project / NEW).unlink()
    entities(project, moved, OTHER)
    found = since()
    assert [each["new"]["document"] for each in found["contracts"]] == [moved, OTHER]
    assert found["contracts"][0]["old"] == {"document": f"main:{NEW}", "version": "1.0"}
    assert found["exit_code"] == 0


def test_since_in_a_project_below_the_repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = project / "below"
    below.mkdir()
    git(project, "mv", "contracts", "below/contracts")
    git(project, "commit", "-qm", "moved")
    git(project, "branch", "-f", "main")
    write(below, changed(columns=WIDER))
    assert diff("--since", "main", "--project", "below").exit_code == 1
    monkeypatch.chdir(below)
    assert diff("--since", "main").exit_code == 1


def test_since_before_there_was_a_project(root: Path) -> None:
    entities(root, NEW)
    assert [each["old"]["version"] for each in json.loads(diff("--since", "HEAD", "--json").stdout)["contracts"]] == [
        "1.0"
    ]


def test_since_a_contract_that_could_not_be_read(project: Path) -> None:
    write(project, changed(columns=[]))
    git(project, "commit", "-qam", "broken")
    git(project, "branch", "-f", "main")
    write(project, ORDERS)
    done = diff("--since", "main")
    assert (done.exit_code, done.stderr) == (2, f"main:{NEW}: $.columns: it is empty.\n")


def test_since_an_unknown_or_unrelated_revision(project: Path) -> None:
    assert "there is no git revision `nope`. Hint: a shallow clone" in diff("--since", "nope").stderr
    git(project, "checkout", "-q", "--orphan", "alone")
    git(project, "commit", "-qm", "alone")
    done = diff("--since", "main")
    assert (done.exit_code, "no commit in common" in done.stderr) == (2, True)


@pytest.mark.parametrize("arguments", [(), (OLD,), ("--since", "main", OLD, NEW), ("--since", "main", "--replay", "x")])
def test_what_is_compared_is_clear(project: Path, arguments: tuple[str, ...]) -> None:
    assert diff(*arguments).exit_code == 2


HOSTILE = "@team | <img src=x> [a](http://b) `c` **d**\n# e"


def test_markdown(project: Path) -> None:
    write(project, changed(version="1.1", columns=WIDER, owner=HOSTILE))
    done = diff("--since", "main", "--markdown")
    assert done.exit_code == 1
    assert (
        "| ❌ breaking | rule loosened | orders.status.enum | enum of status: open, shut | enum of status: open, shut, lost |"
        in done.stdout
    )
    assert not set("@<`*") & set(done.stdout)
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert len(rows) == 4 and {row.count("|") for row in rows} == {6}


def test_a_comment_has_room(project: Path) -> None:
    documents = [f"contracts/c{number}.json" for number in range(60)]
    for document in documents:
        columns = [{"name": f"{'|' * 70}{index}", "type": "string"} for index in range(60)]
        (project / document).write_text(
            json.dumps(changed(contract_name=Path(document).stem, columns=columns)), "utf-8"
        )
    entities(project, *documents)
    git(project, "add", ".")
    git(project, "commit", "-qm", "many")
    git(project, "branch", "-f", "main")
    for document in documents:
        columns = [{"name": f"{'*' * 70}{index}", "type": "string"} for index in range(60)]
        (project / document).write_text(
            json.dumps(changed(contract_name=Path(document).stem, columns=columns)), "utf-8"
        )
    found = diff("--since", "main", "--markdown").stdout
    assert 20_000 < len(found) < 65_536
    assert "more changes." in found and "more contracts." in found
