"""The verdict, decided from results by hand: anything that was not evaluated as compiled is an ERROR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from sluis.contract import logical, model, rules
from sluis.contract.model import Contract
from sluis.suite.compile import suites
from sluis.verdict import Compiled, Judgement, judge

CONTRACT = Contract(
    name="c",
    version="1",
    format="native",
    object="c",
    path="c.json",
    fingerprint="sha256:0",
    columns=(model.Column(name="a", type=logical.Integer()),),
    rules=(
        rules.Header(id="c.header", path="$"),
        rules.RowCount(id="c.rows", path="$", min=0),
        rules.TypeOf(id="c.a.type", path="$", column="a"),
        rules.Minimum(id="c.a.minimum", path="$", column="a", limit=1, severity="warning"),
        rules.Required(id="c.a.required", path="$", column="a", severity="info"),
    ),
)
SUITE = suites(CONTRACT, "c")[0]
RULES = [one["kwargs"]["rule"] for one in SUITE["expectations"]]


def evaluated(outcomes: dict[str, str]) -> list[Any]:
    """What GX makes of every expectation of the suite."""
    found = []
    for one in SUITE["expectations"]:
        outcome = outcomes.get(one["kwargs"]["rule"], "held")
        details: dict[str, Any] = {"outcome": outcome, "unexpected": 1, "evaluated": 2, "examples": []}
        if one["kwargs"]["rule"] == "c.rows":
            details["observed"] = {"rows": 2, "checksum": "1-2"}
        config = SimpleNamespace(id=one["id"], type=one["type"], kwargs={**one["kwargs"], "batch_id": "landing-c"})
        found.append(
            SimpleNamespace(
                expectation_config=config,
                success=outcome == "held",
                result={"details": details},
                exception_info={"raised_exception": False},
            )
        )
    return found


def judged(results: list[Any], *, runs: int = 1, files_in_reach: bool = True, suite: Any = SUITE) -> Judgement:
    compiled = Compiled(suite=suite, files_in_reach=files_in_reach)
    found: Any = SimpleNamespace(run_results={run: SimpleNamespace(results=results) for run in range(runs)})
    return judge(found, compiled, lambda result: result)


@pytest.mark.parametrize(
    ("outcomes", "verdict", "reasons"),
    [
        ({}, "PASSED", ()),
        ({"c.a.required": "violated"}, "PASSED", ()),
        ({"c.a.minimum": "violated"}, "PASSED_WITH_WARNINGS", ()),
        ({"c.a.minimum": "not_evaluated"}, "PASSED_WITH_WARNINGS", ()),
        ({"c.a.type": "violated"}, "REJECTED", ("Invalid integer values in column a",)),
        ({"c.a.type": "violated", "c.a.minimum": "violated"}, "REJECTED", ("Invalid integer values in column a",)),
        ({"c.a.type": "not_evaluated"}, "REJECTED", ("Not checked: a is an integer",)),
        ({"c.header": "not_evaluated"}, "REJECTED", ("Not checked: The header of every file can be read without guessing",)),
        ({"c.a.type": "something new"}, "REJECTED", ("Invalid integer values in column a",)),
        ({"c.a.required": "error"}, "ERROR", ("Column a cannot be NULL or empty",)),
        ({"c.a.type": "violated", "c.a.minimum": "error"}, "ERROR", ("Values in column a are below 1",)),
    ],
)  # fmt: skip
def test_severities_and_outcomes(outcomes: dict[str, str], verdict: str, reasons: tuple[str, ...]) -> None:
    judgement = judged(evaluated(outcomes))
    assert judgement.verdict == verdict
    assert judgement.reasons == reasons
    assert judgement.may_write == verdict.startswith("PASSED")
    assert [one.id for one in judgement.results] == RULES
    assert (judgement.rows, judgement.checksum) == (2, "1-2")


def test_files_out_of_reach_reject_nothing() -> None:
    results = evaluated({"c.header": "not_evaluated"})
    assert judged(results, files_in_reach=False).verdict == "PASSED"
    results = evaluated({"c.a.type": "not_evaluated"})
    assert judged(results, files_in_reach=False).verdict == "REJECTED"


def raised(result: Any) -> None:
    result.exception_info = {"raised_exception": True, "exception_message": "boom"}


def raised_by_metric(result: Any) -> None:
    result.result = {}
    result.exception_info = {"('metric', 'x')": {"raised_exception": True, "exception_message": "boom"}}


def without_config(result: Any) -> None:
    result.expectation_config = None


SPOILED: dict[str, Callable[[list[Any]], Any]] = {
    "none": lambda results: results.clear(),
    "one less": lambda results: results.pop(),
    "one more": lambda results: results.append(results[0]),
    "one twice, another not at all": lambda results: results.__setitem__(0, results[1]),
    "another id": lambda results: setattr(results[0].expectation_config, "id", "0"),
    "no config": lambda results: without_config(results[0]),
    "another type": lambda results: setattr(results[2].expectation_config, "type", "expect_contract_pattern"),
    "another argument": lambda results: results[2].expectation_config.kwargs.update(column="b"),
    "one argument more": lambda results: results[2].expectation_config.kwargs.update(mostly=0.5),
    "raised": lambda results: raised(results[2]),
    "raised in a metric": lambda results: raised_by_metric(results[2]),
    "no result": lambda results: setattr(results[2], "result", None),
    "success without an outcome": lambda results: setattr(results[2], "result", {"details": "held"}),
    "a success that is none": lambda results: results[2].result["details"].update(outcome="violated"),
    "a failure that is none": lambda results: setattr(results[2], "success", False),
    "no success": lambda results: setattr(results[2], "success", None),
    "no rows": lambda results: [one.result["details"].pop("observed", None) for one in results],
}


@pytest.mark.parametrize("how", SPOILED)
def test_what_was_not_evaluated_as_compiled_is_an_error(how: str) -> None:
    results = evaluated({})
    SPOILED[how](results)
    judgement = judged(results)
    assert (judgement.verdict, judgement.may_write) == ("ERROR", False)
    assert judgement.reasons


def test_one_validation_result_and_a_suite_that_is_not_empty() -> None:
    assert judged(evaluated({}), runs=0).verdict == "ERROR"
    assert judged(evaluated({}), runs=2).verdict == "ERROR"
    assert judged([], suite={"expectations": []}).verdict == "ERROR"


def test_no_other_verdict_may_write() -> None:
    judgement = judged(evaluated({}))
    verdicts: list[Any] = [
        "PASSED",
        "PASSED_WITH_WARNINGS",
        "PASSED_WITH_QUARANTINE",
        "REJECTED",
        "ERROR",
        "",
        "passed",
    ]
    assert [replace(judgement, verdict=one).may_write for one in verdicts] == [
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]
