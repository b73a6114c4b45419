"""What machines read of runs: JUnit, GitHub Actions, the schema of the evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import sluis
from sluis.cli.telling import Teller
from sluis.report import checks, discreet, github, terminal

EVIDENCE = Path(__file__).parents[1] / "data/evidence"
SCHEMA = json.loads((Path(sluis.__file__).parent / "evidence.schema.json").read_text())

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
    "testcase": {"name", "classname", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
    "system-out": set(),
}
"""What the usual schema of JUnit (that of Jenkins) lets stand where, as far as ours uses it."""


def evidence(name: str, **changes: Any) -> dict[str, Any]:
    return {**json.loads((EVIDENCE / f"{name}.json").read_text()), **changes}


def rule(outcome: str, **more: Any) -> dict[str, Any]:
    told = {"id": f"goods.x.{outcome}", "kind": "required", "column": "x", "severity": "error", "outcome": outcome}
    return {**told, "unexpected": 1, "evaluated": 3, "message": "It is broken", "description": "It holds"} | more


OUTCOMES = ("held", "violated", "quarantined", "not_evaluated", "error")


def test_junit_has_a_suite_per_entity_and_a_case_per_rule() -> None:
    mixed = evidence("rejected", rules=[*map(rule, OUTCOMES), rule("violated", id="w", severity="warning")])
    root = ElementTree.fromstring(checks.as_junit([evidence("passed"), mixed]))
    assert [(suite.get("name"), suite.get("tests")) for suite in root] == [("customers", "9"), ("customers", "6")]
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "15",
        "failures": "1",
        "errors": "1",
    }
    assert (root[1].get("skipped"), root[1].get("timestamp"), root[1].get("time")) == (
        "1",
        "2026-11-30T14:00:00",
        "3.250",
    )
    told = {case.get("name"): next(((one.tag, one.get("message")) for one in case), None) for case in root[1]}
    assert told["goods.x.held"] is None
    assert told["goods.x.violated"] == ("failure", "It is broken (1 of 3 rows)")
    assert told["goods.x.not_evaluated"] == ("skipped", "Not checked: It holds")
    assert told["goods.x.error"] == ("error", "Could not be run: It holds")
    assert told["goods.x.quarantined"] == ("system-out", None)
    assert told["w"] == ("system-out", None)


@pytest.mark.parametrize("name", ["passed", "warnings", "rejected", "error"])
def test_junit_keeps_to_the_usual_schema(name: str) -> None:
    for element in ElementTree.fromstring(checks.as_junit([evidence(name)])).iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
        assert element.tag != "testcase" or len(element) <= 1


def test_a_run_that_failed_beside_its_rules_is_not_green() -> None:
    root = ElementTree.fromstring(checks.as_junit([evidence("error")]))
    assert root.get("errors") == "1"
    assert "changed after it was validated" in (root[0][0][0].get("message") or "")


def test_a_workflow_command_cannot_be_broken_out_of() -> None:
    found = rule("violated", message="100% bad\n::error::x", id="a,b:c", place="$.columns[1].nullable")
    [line] = github.commands(evidence("rejected", entity="goods", rules=[found]), "contracts/a,b.json")
    assert line == (
        "::error file=contracts/a%2Cb.json,title=goods%3A a%2Cb%3Ac::"
        "100%25 bad%0A::error::x (1 of 3 rows)%0A$.columns[1].nullable"
    )


def test_levels_of_workflow_commands() -> None:
    rules = [rule("violated", severity="warning"), rule("violated", severity="info"), rule("quarantined"), rule("held")]
    lines = github.commands(evidence("passed", rules=rules), "c.json")
    assert sorted(line.split()[0] for line in lines) == ["::notice", "::warning", "::warning"]
    assert len(github.commands(evidence("rejected", rules=[rule("violated")] * 30), "c.json")) == github.MOST


def test_the_summary_of_a_step_reads_nothing_as_markdown() -> None:
    found = rule("violated", message="<img src=x> | `a` **b**")
    told = github.summary([evidence("rejected", entity="a|b", rules=[found])])
    assert "<img" not in told
    assert "**b**" not in told
    assert [line.count("|") for line in told.splitlines() if line.startswith("|")] == [6, 6, 6]


def test_the_schema_is_one_and_says_its_version() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["evidence_version"]["const"] == 1
    judge = Draft202012Validator(SCHEMA["$defs"]["rule"] | {"$defs": SCHEMA["$defs"]})
    hidden = rule("violated", columns=["x"], note=None, sensitive=True, examples=[])
    shown = {"value": "secret", "count": 1}
    assert judge.is_valid({**hidden, "added later": 1})
    assert judge.is_valid({**hidden, "examples": [{"value": None, "count": 1, "key": {"id": "1"}}]})
    assert not judge.is_valid({**hidden, "examples": [shown]})
    assert judge.is_valid({**hidden, "sensitive": False, "examples": [shown]})


def test_what_failed_without_what_it_says() -> None:
    try:
        try:
            int("s3cret")
        except ValueError as error:
            raise OSError(
                f"org.apache.spark.SparkException: [CAST_INVALID_INPUT] {error}: No space left on device"
            ) from error
    except OSError as error:
        told, trace = discreet.cause(error), discreet.trace(error)
    assert told == "No space left on device, OSError, ValueError, CAST_INVALID_INPUT, SparkException"
    assert "test_machine_outputs.py" in trace
    assert "[CAST" not in told + trace.replace("[CAST_INVALID_INPUT] {error}", "")


def test_the_table_of_several_runs_fits_80_columns() -> None:
    runs = [
        evidence("passed"),
        evidence("error", entity="漢" * 60),
        evidence("warnings", rows=10**9, verdict="PASSED_WITH_QUARANTINE"),
    ]
    lines = terminal.table(runs).splitlines()
    assert lines[0].split() == ["✓", "customers", "PASSED", "4", "rows"]
    assert all(terminal.cell_len(line) <= 80 for line in lines)


def test_every_rule_is_named_when_asked() -> None:
    told = terminal.summary(evidence("passed"), every_rule=True)
    assert told.count("    holds: ") == 9
    assert "holds: " not in terminal.summary(evidence("passed"))


@pytest.mark.parametrize(("environment", "colour"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)])
def test_colours_only_where_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colour: bool
) -> None:
    import click

    @click.command()
    def command() -> None:
        with Teller(project=Path()).watching() as done:
            done(evidence("passed"))

    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    shown = CliRunner().invoke(command, env=environment, color=True).stdout
    assert ("\x1b[" in shown) is colour
    assert "\x1b[" not in CliRunner().invoke(command, env=environment).stdout


def test_json_shares_its_stream_with_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import click

    @click.command()
    def command() -> None:
        with Teller(project=tmp_path, as_json=True, junit=tmp_path / "out.xml").watching() as done:
            done(evidence("rejected"))
            done(evidence("error"))

    summary = tmp_path / "summary.md"
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(tmp_path.parent)}
    done = CliRunner().invoke(command, env=env)
    assert [json.loads(line)["entity"] for line in done.stdout.splitlines()] == ["customers", "orders"]
    assert f"::error file={tmp_path.name}/contracts/customers.json,title=" in done.stderr
    assert "customers" in summary.read_text()
    assert ElementTree.parse(tmp_path / "out.xml").getroot().get("errors") == "1"


def test_quiet_says_nothing_of_a_good_run() -> None:
    import click

    @click.command()
    def command() -> None:
        with Teller(project=Path(), quiet=True).watching() as done:
            done(evidence("passed"))
            done(evidence("passed"))

    assert CliRunner().invoke(command, env={"GITHUB_ACTIONS": ""}).output == ""
