"""`sluis run` into a quarantine, and `sluis quarantine`, as commands."""

from __future__ import annotations

import json
import logging

import pytest
from click.testing import CliRunner, Result
from projects import Project

from sluis.cli import main

ID = {"name": "id", "type": "integer", "nullable": False}
X = {"name": "x", "type": "string", "nullable": False}


def test_what_is_kept_out_is_counted_by_file_and_rule(classic: Project, caplog: pytest.LogCaptureFixture) -> None:
    classic.contract(ID, X, primary_key=["id"])
    classic.entity(mode="append", on_violation="quarantine", max_rejected="75%")
    file = classic.land("id,x", "1,a", "2,", "3,b", "3,c")

    def sluis(*arguments: str) -> Result:
        where = ("--project", str(classic.root), "--state", str(classic.state))
        return CliRunner().invoke(main, [*arguments, *where])

    table = f"{classic.table}_quarantine"
    assert sluis("quarantine", "--all").stdout == f"goods: 0 rows in {table}\n"
    with caplog.at_level(logging.INFO, "sluis"):
        done = sluis("run", "goods")
    assert done.exit_code == 0
    assert f"Quarantined 3 records in {table}" in caplog.messages
    assert f"  Kept out  3 rows, in {table}" in done.stdout.splitlines()
    done = sluis("quarantine", "goods")
    assert (done.exit_code, done.stdout.splitlines()) == (0, [
        f"goods: 3 rows in {table}",
        f"  file:{file}: 3 rows",
        "    goods.primary_key: 2",
        "    goods.x.required: 1",
    ])  # fmt: skip
    found = json.loads(sluis("quarantine", "goods", "--json").stdout)
    assert (found["rows"], found["by_rule"]) == (3, {"goods.primary_key": 2, "goods.x.required": 1})
    assert sluis("quarantine").exit_code == 2
