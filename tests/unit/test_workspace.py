"""A project as a whole: every problem of every document, the state folder, suites that are fresh."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from sluis import config, workspace
from sluis.errors import ContractError, SuiteError
from sluis.tools.lint import lint
from sluis.workspace import default_state, open_workspace, state_folder

REPO = Path(__file__).parents[2]
EXAMPLES = REPO / "tests/data/examples"
ENTITY = {"source": "in.csv", "target": "main.demo.t", "format": "csv", "mode": "overwrite", "contract": "contracts/c.json"}  # fmt: skip


def contract(*columns: str, **keys: Any) -> dict[str, Any]:
    named = [{"name": column, "type": "string"} for column in columns or ("a", "b")]
    return {"contract_name": "c", "version": "1", "columns": named, **keys}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DATABRICKS_RUNTIME_VERSION", raising=False)
    monkeypatch.delenv("SLUIS_STATE", raising=False)
    (tmp_path / "contracts").mkdir()
    return tmp_path


def project(root: Path, entities: dict[str, Any], **contracts: Any) -> Path:
    (root / config.ENTITIES).write_text(json.dumps(entities), "utf-8")
    for name, document in contracts.items():
        (root / f"contracts/{name}.json").write_text(json.dumps(document), "utf-8")
    return root


def problems(root: Path, **options: Any) -> list[str]:
    with pytest.raises(ContractError) as broken:
        open_workspace(root, **options)
    found = [str(problem) for problem in broken.value.problems]
    if not options:
        assert [str(problem) for problem in lint(root).problems] == found
    return found


def test_the_missions_project_opens_and_lints(root: Path) -> None:
    shutil.copytree(EXAMPLES / "contracts", root / "contracts", dirs_exist_ok=True)
    shutil.copy(EXAMPLES / "entities.json", root / "contracts")
    opened = open_workspace(root, only=["customers", "customers_update"])
    assert opened.settings.entity("customers").target == "main.demo.customers"
    checked = lint(root, strict=True)
    assert checked.problems == ()
    assert checked.as_text().splitlines()[:3] == [
        "contracts/customers.json:",
        "  documentation $.contract_name",
        "  documentation $.version",
    ]
    assert checked.as_text().splitlines()[-1] == "No problems."


def test_our_own_project_is_sound_and_fresh() -> None:
    opened = open_workspace(REPO)
    assert workspace.stale(opened) == []
    for name in opened.settings.raw:
        opened.require_fresh(opened.settings.entity(name))


def test_all_problems_of_all_contracts_come_at_once(root: Path) -> None:
    entities = {
        "one": ENTITY,
        "two": {**ENTITY, "contract": "contracts/none.json"},
        "three": {**ENTITY, "contract": "contracts/d.json", "options": {"separator": ";", "sepp": ";"}},
    }
    project(root, entities, c=contract(owner=1), d={**contract(), "colums": []})
    found = problems(root)
    assert found[:3] == [
        "contracts/c.json: $.owner: found a number 1. Allowed: text. Hint: put it in quotes.",
        "contracts/d.json: $.colums: unknown key `colums`. Allowed: `contract_name`, `version`, `description`, `owner`, "
        "`allow_additional_columns`, `columns`, `primary_key`, `rules`. Hint: did you mean `columns`?",
        "contracts/none.json: $: cannot be read (No such file or directory).",
    ]
    assert found[3:] == ["contracts/entities.json: $.three.options: unknown option 'sepp'; did you mean 'sep'?"]


@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        ("b", "`a`"),
        (["a", "b"], "`a`"),
        ("A", "`a`"),
    ],
)
def test_a_merge_key_that_is_not_the_primary_key(root: Path, key: Any, allowed: str) -> None:
    project(root, {"e": {**ENTITY, "mode": "merge", "merge_key": key}}, c=contract(primary_key=["a"]))
    listed = ", ".join(f"`{name}`" for name in ([key] if isinstance(key, str) else key))
    assert problems(root) == [
        f"contracts/entities.json: $.e.merge_key: found {listed}, which is not the primary key of contracts/c.json. "
        f"Allowed: {allowed}. Hint: a part of the key would let duplicate rows through; another column need not be unique."
    ]


def test_a_part_of_the_primary_key_is_no_merge_key(root: Path) -> None:
    project(root, {"e": {**ENTITY, "mode": "merge", "merge_key": "a"}}, c=contract(primary_key=["a", "b"]))
    assert "found `a`, which is not the primary key of contracts/c.json. Allowed: `a`, `b`." in problems(root)[0]


def test_the_order_of_a_merge_key_does_not_matter(root: Path) -> None:
    project(root, {"e": {**ENTITY, "mode": "merge", "merge_key": ["b", "a"]}}, c=contract(primary_key=["a", "b"]))
    open_workspace(root)


def test_merge_without_a_primary_key(root: Path) -> None:
    project(root, {"e": {**ENTITY, "mode": "merge", "merge_key": "a"}}, c=contract())
    assert "Allowed: nothing: the contract has no primary key." in problems(root)[0]


def test_a_name_that_no_table_takes_is_told_once(root: Path) -> None:
    project(root, {"one": ENTITY, "two": ENTITY}, c=contract("a", "${b}"))
    assert problems(root) == [
        "contracts/c.json: $.columns[1].name: `${b}`: Spark replaces `${…}` in SQL text, also inside a quoted name."
    ]


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("c.json", "sub/c.json", "c"),
        ("c.json", "C.json", "C"),
        ("c.json", "c_table.json", "c_table"),
    ],
)
def test_suites_that_would_be_one_file(root: Path, one: str, other: str, clash: str) -> None:
    (root / "contracts/sub").mkdir()
    for document in (one, other):
        (root / "contracts" / document).write_text(json.dumps(contract()), "utf-8")
    entities = [{**ENTITY, "contract": f"contracts/{document}"} for document in (one, other)]
    project(root, dict(zip("ab", entities, strict=True)))
    assert problems(root) == [
        f"contracts/entities.json: $.b.contract: the suites of `contracts/{other}` and `contracts/{one}` "
        f"would both be called `{clash}`. Hint: rename one of the two files."
    ]


def test_only_what_is_asked_for_needs_its_variables(root: Path) -> None:
    project(root, {"a": ENTITY, "b": {**ENTITY, "source": "${raw}/x"}}, c=contract())
    open_workspace(root, only=["a"])
    assert "$.b.source: `raw` has no value" in problems(root, only=["a", "b"])[0]
    assert "there is no entity `z`" in problems(root, only=["z"])[0]
    assert [problem.path for problem in lint(root).problems] == ["$.b.source"]


def test_lint_reads_the_contracts_that_can_be_read(root: Path) -> None:
    project(root, {"a": ENTITY, "b": {**ENTITY, "contract": "contracts/d.json"}}, c=contract(), d=[])
    checked = lint(root)
    assert list(checked.ledgers) == ["contracts/c.json"]
    found = json.loads(checked.as_json())
    assert [problem["file"] for problem in found["problems"]] == ["contracts/d.json"]
    assert found["ledger"]["contracts/c.json"][0] == {
        "path": "$.contract_name",
        "status": "documentation",
        "note": "",
        "says": '"c"',
        "warning": False,
    }


# State.


def test_where_the_state_lives(root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any) -> None:
    here = tmp_path_factory.mktemp("here")
    monkeypatch.chdir(here)
    project(root, {"a": ENTITY}, c=contract())
    plain = config.read(root)
    configured = config.read(root, variables={"state": "../state"})
    assert state_folder(root, plain, None) == root / ".sluis"
    assert state_folder(root, configured, None) == root.parent / "state"
    assert state_folder(root, config.read(root, variables={"state": "/abs/x"}), None) == Path("/abs/x")
    monkeypatch.setenv("SLUIS_STATE", "variable")
    assert state_folder(root, configured, None) == here / "variable"
    assert state_folder(root, configured, "chosen") == here / "chosen"


def test_a_project_that_cannot_be_written_keeps_its_state_elsewhere(root: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert default_state(root) == Path(tempfile.gettempdir()) / f"sluis-{os.getuid()}"


# Freshness.


@pytest.mark.parametrize(
    "touched", ["great_expectations.yml", "expectations/c.json", "checkpoints/a.json", "validation_definitions/a.json"]
)
def test_a_run_refuses_files_that_are_not_what_the_contract_compiles_to(root: Path, touched: str) -> None:
    project(root, {"a": ENTITY}, c=contract())
    opened = open_workspace(root)
    with pytest.raises(SuiteError, match="compiles to something else than `gx/checkpoints/a"):
        opened.require_fresh(opened.settings.entity("a"))
    workspace.generate(opened)
    opened.require_fresh(opened.settings.entity("a"))
    file = root / "gx" / touched
    file.write_bytes(file.read_bytes().replace(b"  ", b" ", 1))
    with pytest.raises(SuiteError) as stale:
        opened.require_fresh(opened.settings.entity("a"))
    assert str(stale.value) == (
        f"The contract contracts/c.json compiles to something else than `gx/{touched}`.\n"
        "Hint: run `sluis generate`, review what it changes, and commit it."
    )


def test_a_run_does_not_mind_the_files_of_another_entity(root: Path) -> None:
    project(root, {"a": ENTITY, "b": {**ENTITY, "contract": "contracts/d.json"}}, c=contract(), d=contract())
    opened = open_workspace(root)
    workspace.generate(opened)
    for file in ("expectations/d.json", "checkpoints/b.json"):
        (root / "gx" / file).unlink()
    opened.require_fresh(opened.settings.entity("a"))
