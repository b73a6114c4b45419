"""Claims of a reader → the ledger; nothing is dropped in silence."""

from __future__ import annotations

from typing import Any

import pytest

from sluis.contract import rules
from sluis.contract.notes import Notes
from sluis.contract.source import Source
from sluis.errors import ContractError

DOCUMENT: dict[str, Any] = {
    "name": "x",
    "team": {"members": [{"name": "jo"}]},
    "columns": [{"name": "a", "type": "int", "odd": 1}, {"name": "b", "tags": ["t"]}],
}


def notes() -> Notes:
    return Notes(Source(document=DOCUMENT, shown="c.yaml"))


def told(made: Notes, *found: rules.Rule) -> list[tuple[str, str, str, bool]]:
    return [(entry.path, entry.status, entry.note, entry.warning) for entry in made.entries(found)]


def test_what_nobody_claims_is_unsupported() -> None:
    assert told(notes()) == [
        ("$.name", "unsupported", "Sluis does not know this key", False),
        ("$.team", "unsupported", "Sluis does not know this key", False),
        ("$.columns", "unsupported", "Sluis does not know this key", False),
    ]


def test_claims() -> None:
    made = notes()
    made.informs((), DOCUMENT, ("name", "team", "not there"))
    made.parts(("columns",))
    made.enforced(("columns", 0, "name"), "by its rule")
    made.odd(("columns", 0, "type"), "read as such")
    made.documentation(("columns", 1))
    made.unsupported(("columns", 1, "tags"), "no use")
    rule = rules.TypeOf(id="a.type", path="$.columns[0].type", column="a")
    assert told(made, rule) == [
        ("$.name", "documentation", "", False),
        # A claim covers what is below it.
        ("$.team", "documentation", "", False),
        ("$.columns", "enforced", "by its parts", False),
        ("$.columns[0].name", "enforced", "by its rule", False),
        # A rule needs no claim for its own key.
        ("$.columns[0].type", "enforced", "read as such; rule a.type", True),
        ("$.columns[0].odd", "unsupported", "Sluis does not know this key", False),
        ("$.columns[1]", "documentation", "", False),
        ("$.columns[1].tags", "unsupported", "no use", False),
    ]


def test_a_rule_on_a_container_covers_it_unless_its_parts_are_claimed() -> None:
    columns = rules.Columns(id="columns", path="$.columns", names=("a", "b"), allow_additional=True)
    made = notes()
    made.informs((), DOCUMENT, ("name", "team"))
    assert told(made, columns)[2:] == [("$.columns", "enforced", "rule columns", False)]
    made.parts(("columns",))
    made.documentation(("columns", 1))
    assert [path for path, *_ in told(made, columns)[2:]] == [
        "$.columns", "$.columns[0].name", "$.columns[0].type", "$.columns[0].odd", "$.columns[1]",
    ]  # fmt: skip


def test_ids_are_made_distinct_in_their_order() -> None:
    made = notes()
    assert [made.rule_id("o", "a b", "x") for _ in range(3)] == [
        "o.a_b-c8687a.x",
        "o.a_b-c8687a.x_2",
        "o.a_b-c8687a.x_3",
    ]


def test_copies_go_on_separately() -> None:
    made = notes()
    made.documentation(("name",))
    other = made.copy()
    other.documentation(("team",))
    other.notice("something")
    other.rule_id("a")
    assert made.rule_id("a") == "a"
    assert made.notices == []
    assert [status for _, status, *_ in told(made)] == ["documentation", "unsupported", "unsupported"]
    assert [status for _, status, *_ in told(other)] == ["documentation", "documentation", "unsupported"]


def test_problems_come_all_at_once_and_once() -> None:
    made = notes()
    made.finish()
    for at in ("name", "team", "name"):
        made.problem((at,), f"`{at}` is bad")
    with pytest.raises(ContractError) as broken:
        made.finish()
    assert str(broken.value) == "c.yaml: $.name: `name` is bad.\nc.yaml: $.team: `team` is bad."
