"""What the second look at the rows finds, where the first has found something; no Spark."""

from __future__ import annotations

from typing import Any, cast
from unittest.mock import Mock

import pytest

from sluis.errors import SourceError
from sluis.suite import count
from sluis.suite.plan import KeyRule, Plan, RowRule

ROW = RowRule(id="t.a.required", kind="required", broken="a IS NULL", text="a", sensitive=False)
KEY = KeyRule(id="t.a.unique", values=("a",), present="true", sensitive=False)
PLAN = Plan(frame=cast(Any, Mock()), rows=(ROW,), keys=(KEY,), newest={}, key_of_row="NULL", whole="true")


@pytest.fixture(autouse=True)
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "_most_frequent", lambda *_: {})


def test_a_broken_rule_that_no_row_breaks_any_more_is_no_rule_that_holds() -> None:
    with pytest.raises(SourceError, match="The rows changed between two looks at them: none breaks"):
        count.count(PLAN, frozenset({ROW.id, KEY.id}))


def test_equal_hashes_of_different_keys_are_no_fault() -> None:
    assert count.count(PLAN, frozenset({KEY.id})) == {KEY.id: count.Finding(count=0)}
