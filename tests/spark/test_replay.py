"""Landing files under two versions of a contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from projects import Project

from sluis.contract import native
from sluis.contract.model import Contract
from sluis.settings import settled
from sluis.tools.replay import Failure, Replay, replay

NAME = {"name": "name", "type": "string"}
PRICE = {"name": "price", "type": "integer"}


def read(project: Project, *columns: dict[str, Any], **more: Any) -> Contract:
    project.contract(*columns, **more)
    return native.read(project.root / "contracts/goods.json", "contracts/goods.json")


def replayed(project: Project, file: Path, old: Contract, new: Contract, **options: object) -> Replay:
    with settled(project.spark):
        return replay(project.spark, str(file), old, new, options)


def test_what_newly_fails_is_counted(classic: Project) -> None:
    file = classic.land("name;price", "a;1", ";2", "c;x", "c;40")
    old = read(classic, NAME, PRICE)
    new = read(classic, {**NAME, "nullable": False}, {**PRICE, "maximum": 9}, rules={"unique": ["name"]})
    found = replayed(classic, file, old, new, sep=";")
    assert (found.rows, found.passed_before, found.passes_now) == (4, False, False)
    # That the price is a number failed before, too.
    assert [(one.rule, one.unexpected, one.evaluated, one.is_new) for one in found.failures] == [
        ("goods.name.required", 1, 4, True),
        ("goods.price.maximum", 1, 4, True),
        ("goods.name.unique", 2, 4, True),
    ]


def test_a_rule_that_was_tightened(classic: Project) -> None:
    file = classic.land("name,price", "a,1", "b,40")
    old, new = (read(classic, NAME, {**PRICE, "maximum": limit}) for limit in (50, 10))
    found = replayed(classic, file, old, new)
    message = "Values in column price are above 10"
    failure = Failure(
        rule="goods.price.maximum", severity="error", message=message, unexpected=1, evaluated=2, is_new=False
    )
    assert found == Replay(file=str(file), rows=2, passed_before=True, passes_now=False, failures=(failure,))
    assert replayed(classic, file, new, old).failures == ()
    # Both fail, the new one on more rows.
    old, new = (read(classic, NAME, {**PRICE, "maximum": limit}) for limit in (20, 0))
    assert [one.unexpected for one in replayed(classic, file, old, new).failures] == [2]
    assert replayed(classic, file, new, old).failures == ()


def test_a_column_that_files_lack(classic: Project) -> None:
    file = classic.land("name", "a")
    found = replayed(classic, file, read(classic, NAME), read(classic, NAME, {**PRICE, "nullable": False}))
    assert [(one.rule, one.message) for one in found.failures] == [("goods.columns", "Missing columns: ['price']")]
