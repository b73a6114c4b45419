"""Entities and environments: what they mean, and what is said about wrong ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sluis import config
from sluis.config import Entity, Settings
from sluis.errors import ContractError

EXAMPLES = Path(__file__).parents[1] / "data/examples"
ENTITY = {"source": "in.csv", "target": "main.demo.t", "format": "csv", "mode": "overwrite", "contract": "contracts/c.json"}  # fmt: skip
KEYS = "`source`, `target`, `format`, `mode`, `merge_key`, `contract`, `options`, `on_violation`, `max_rejected`"


def settings(tmp_path: Path, entities: Any, environments: Any = None, **options: Any) -> Settings:
    (tmp_path / "contracts").mkdir(exist_ok=True)
    (tmp_path / config.ENTITIES).write_text(json.dumps(entities), "utf-8")
    if environments is not None:
        (tmp_path / config.ENVIRONMENTS).write_text(json.dumps(environments), "utf-8")
    return config.read(tmp_path, **options)


def problems(tmp_path: Path, *documents: Any, **options: Any) -> list[str]:
    with pytest.raises(ContractError) as broken:
        settings(tmp_path, *documents, **options)
    return [str(problem) for problem in broken.value.problems]


def unresolved(found: Settings, entity: str) -> list[str]:
    with pytest.raises(ContractError) as broken:
        found.entity(entity)
    return [str(problem) for problem in broken.value.problems]


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABRICKS_RUNTIME_VERSION", raising=False)


def test_the_missions_entities(tmp_path: Path) -> None:
    found = settings(tmp_path, json.loads((EXAMPLES / "entities.json").read_bytes()))
    assert list(found.raw) == ["customers", "customers_update"]
    assert found.entity("customers_update") == Entity(
        name="customers_update",
        source="/Volumes/main/demo/raw/customers_update.csv",
        target="main.demo.customers",
        mode="merge",
        merge_key=("customer_id",),
        contract="contracts/customers.json",
    )


def test_a_merge_key_may_be_a_list(tmp_path: Path) -> None:
    found = settings(tmp_path, {"a": {**ENTITY, "mode": "merge", "merge_key": ["x", "y"]}})
    assert found.entity("a").merge_key == ("x", "y")


# Variables.

VARIED = {"a": {**ENTITY, "source": "${raw}/x-${day}.csv", "target": "${catalog}.demo.t"}}
PLACES = {"local": {"raw": "samples", "catalog": "c", "day": "1"}, "databricks": {"raw": "/Volumes/x", "catalog": "main", "day": "2"}}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "source", "target"),
    [
        ({}, "samples/x-1.csv", "c.demo.t"),
        ({"environment": "databricks"}, "/Volumes/x/x-2.csv", "main.demo.t"),
        ({"variables": {"day": "3"}}, "samples/x-3.csv", "c.demo.t"),
        ({"environment": "databricks", "variables": {"raw": "", "catalog": "d"}}, "/x-2.csv", "d.demo.t"),
    ],
)
def test_variables_come_from_the_environment_and_var_wins(
    tmp_path: Path, options: Any, source: str, target: str
) -> None:
    found = settings(tmp_path, VARIED, PLACES, **options).entity("a")
    assert (found.source, found.target) == (source, target)


def test_the_environment_is_that_of_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings(tmp_path, VARIED, PLACES).environment == "local"
    monkeypatch.setenv("DATABRICKS_RUNTIME_VERSION", "17.3")
    assert settings(tmp_path, VARIED, PLACES).entity("a").target == "main.demo.t"


def test_an_unresolved_name_lists_what_is_known(tmp_path: Path) -> None:
    found = settings(tmp_path, VARIED, {"local": {"raws": "x", "other": "y"}})
    assert unresolved(found, "a") == [
        "contracts/entities.json: $.a.source: `raw`, `day` has no value in the environment `local`. "
        "Allowed: `raws`, `other`. Hint: did you mean `raws`?",
        "contracts/entities.json: $.a.target: `catalog` has no value in the environment `local`. "
        "Allowed: `raws`, `other`. Hint: add it to contracts/environments.json or give --var catalog=VALUE.",
    ]


def test_without_environments_nothing_is_known(tmp_path: Path) -> None:
    found = settings(tmp_path, {"a": {**ENTITY, "source": "${raw}/x"}})
    assert "Allowed: nothing is defined there." in unresolved(found, "a")[0]


@pytest.mark.parametrize(("source", "value"), [("${raw", "x"), ("${raw}", "${other}")])
def test_what_is_still_open_is_refused(tmp_path: Path, source: str, value: str) -> None:
    found = settings(tmp_path, {"a": {**ENTITY, "source": source}}, variables={"raw": value})
    assert "still holds a `${`. Hint: close it with `}`; values do not refer to others." in unresolved(found, "a")[0]


def test_one_entity_does_not_need_the_variables_of_another(tmp_path: Path) -> None:
    assert settings(tmp_path, {"a": ENTITY, "b": VARIED["a"]}).entity("a").source == "in.csv"


def test_an_unknown_environment_lists_what_is_known(tmp_path: Path) -> None:
    assert problems(tmp_path, VARIED, PLACES, environment="prod") == [
        "contracts/environments.json: $: there is no environment `prod`. Allowed: `local`, `databricks`."
    ]
    (tmp_path / config.ENVIRONMENTS).unlink()
    assert "Allowed: nothing is defined there." in problems(tmp_path, VARIED, environment="prod")[0]


def test_an_environment_says_which_runs_are_kept(tmp_path: Path) -> None:
    found = settings(tmp_path, {"a": ENTITY}, {"local": {"keep": {"runs": 200, "days": 400}, "raw": "x"}})
    assert (found.keep.runs, found.keep.days, dict(found.variables)) == (200, 400, {"raw": "x"})
    assert settings(tmp_path, {"a": ENTITY}, {"local": {}}).keep == config.Keep()


@pytest.mark.parametrize("keep", [{}, {"runs": 0}, {"days": -1}, {"weeks": 3}, {"runs": True}, 200])
def test_limits_that_would_keep_nothing_or_mean_nothing_are_refused(tmp_path: Path, keep: Any) -> None:
    with pytest.raises(ContractError, match=r"\$\.local\.keep"):
        settings(tmp_path, {"a": ENTITY}, {"local": {"keep": keep}})


def test_environments_hold_text(tmp_path: Path) -> None:
    assert problems(tmp_path, VARIED, {"local": {"raw": 5}, "other": "x"}) == [
        "contracts/environments.json: $.local.raw: found a number 5. Allowed: text. Hint: put it in quotes.",
        'contracts/environments.json: $.other: found text "x". Allowed: an object.',
    ]


def test_an_unknown_entity_lists_what_is_known(tmp_path: Path) -> None:
    found = settings(tmp_path, {"customers": ENTITY, "orders": ENTITY})
    there = "contracts/entities.json: $: there is no entity"
    assert unresolved(found, "custmers") == [
        f"{there} `custmers`. Allowed: `customers`, `orders`. Hint: did you mean `customers`?"
    ]
    assert unresolved(found, "x") == [
        f"{there} `x`. Allowed: `customers`, `orders`. Hint: add it, or check the spelling."
    ]


# Faults.


def without(*keys: str, **more: Any) -> dict[str, Any]:
    return {key: value for key, value in {**ENTITY, **more}.items() if key not in keys}


MODES = "`overwrite`, `append`, `merge`"


@pytest.mark.parametrize(
    ("entity", "problem"),
    [
        (without("source"), "$.a: `source` is missing."),
        (without("target"), "$.a: `target` is missing."),
        (without("format"), "$.a: `format` is missing."),
        (without("mode"), "$.a: `mode` is missing."),
        (without("contract"), "$.a: `contract` is missing."),
        (
            without(source=""),
            '$.a.source: found text "". Allowed: a file, folder or glob; for the format `delta` a table, or a list of tables.',
        ),
        (without(source=["a.csv"]), "$.a.source: landing files are one file, folder or glob. Hint: only tables are a list."),
        (
            without(format="delta", options={"sep": ";"}),
            "$.a.options: a table is not read as text, so it has no options. Hint: remove them.",
        ),
        (without(mod="x"), f"$.a.mod: unknown key `mod`. Allowed: {KEYS}. Hint: did you mean `mode`?"),
        (without(mode="upsert"), f'$.a.mode: found text "upsert". Allowed: {MODES}.'),
        (without(mode="Append"), f'$.a.mode: found text "Append". Allowed: {MODES}. Hint: did you mean `append`?'),
        (without(format="parquet"), '$.a.format: found text "parquet". Allowed: `csv`, `delta`.'),
        (without(format="CSV"), '$.a.format: found text "CSV". Allowed: `csv`, `delta`. Hint: did you mean `csv`?'),
        (without(options=[]), "$.a.options: found a list []. Allowed: an object."),
        (without(mode="merge"), "$.a: `merge_key` is missing. Hint: mode `merge` needs the contract's primary key there."),
        (without(mode="merge", merge_key=[]), "$.a.merge_key: found a list []. Allowed: a column, or a list of columns."),
        (without(mode="merge", merge_key=5), "$.a.merge_key: found a number 5. Allowed: a column, or a list of columns."),
        (without(merge_key="x"), "$.a.merge_key: mode `overwrite` has no use for it. Hint: remove it, or use mode `merge`."),
        (without(target="t"), "$.a.target: `t` is not `catalog.schema.table`."),
        (without(target="a.b.c.d"), "$.a.target: `a.b.c.d` is not `catalog.schema.table`."),
        (without(target="a..c"), "$.a.target: `a..c` is not `catalog.schema.table`."),
        (without(target="a. b"), "$.a.target: `a. b` is not `catalog.schema.table`."),
        (without(contract="/etc/c.json"), "$.a.contract: `/etc/c.json` leads out of the project."),
        (without(contract="a\0b"), "$.a.contract: 'a\\x00b' is no path."),
        (without(contract="contracts/../../c.json"), "$.a.contract: `contracts/../../c.json` leads out of the project."),
    ],
)  # fmt: skip
def test_an_entity_that_is_wrong(tmp_path: Path, entity: Any, problem: str) -> None:
    assert problems(tmp_path, {"a": entity}) == [f"contracts/entities.json: {problem}"]


def test_a_target_is_judged_with_its_variables_resolved(tmp_path: Path) -> None:
    found = settings(tmp_path, {"a": without(target="${table}")}, variables={"table": "a.b.c.d"})
    assert unresolved(found, "a") == ["contracts/entities.json: $.a.target: `a.b.c.d` is not `catalog.schema.table`."]
    whole = settings(tmp_path, {"a": without(target="${table}")}, variables={"table": "a.b.c"})
    assert whole.entity("a").target == "a.b.c"


@pytest.mark.parametrize("name", ["a", "A-1_b", "-", "1e3", "x" * 100])
def test_names_that_an_entity_may_have(tmp_path: Path, name: str) -> None:
    assert settings(tmp_path, {name: ENTITY}).entity(name).name == name


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("", '$[""]'),
        ("a b", '$["a b"]'),
        ("a.b", '$["a.b"]'),
        ("a/b", '$["a/b"]'),
        ("é", "$.é"),
        ("a\n", '$["a\\n"]'),
        ("x" * 101, f"$.{'x' * 101}"),
    ],
)
def test_names_that_an_entity_may_not_have(tmp_path: Path, name: str, path: str) -> None:
    hint = "use letters, digits, `_` and `-` (1 to 100)."
    assert problems(tmp_path, {name: ENTITY}) == [
        f"contracts/entities.json: {path}: `{name}` is no name for an entity. Hint: {hint}"
    ]


def test_names_that_differ_in_case(tmp_path: Path) -> None:
    assert problems(tmp_path, {"ab": ENTITY, "AB": ENTITY}) == [
        "contracts/entities.json: $.AB: `AB` and `ab` differ only in case, which some file systems do not."
    ]


def test_no_entity_at_all(tmp_path: Path) -> None:
    assert problems(tmp_path, {}) == ["contracts/entities.json: $: there is no entity."]


def test_all_problems_of_both_files_come_at_once(tmp_path: Path) -> None:
    entities = {"a": without("source", mode="x"), "b": "no", "c": without(mode="merge", target="t")}
    assert problems(tmp_path, entities, {"local": {"raw": 5}}, environment="prod") == [
        "contracts/entities.json: $.a: `source` is missing.",
        f'contracts/entities.json: $.a.mode: found text "x". Allowed: {MODES}.',
        'contracts/entities.json: $.b: found text "no". Allowed: an object.',
        "contracts/entities.json: $.c: `merge_key` is missing. Hint: mode `merge` needs the contract's primary key there.",
        "contracts/entities.json: $.c.target: `t` is not `catalog.schema.table`.",
        "contracts/environments.json: $.local.raw: found a number 5. Allowed: text. Hint: put it in quotes.",
        "contracts/environments.json: $: there is no environment `prod`. Allowed: `local`.",
    ]
