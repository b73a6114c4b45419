"""`sluis run`, as a command, where there is nothing to read: the code it ends with, and what it says."""

from __future__ import annotations

import json
import logging

import pytest
from click.testing import CliRunner
from projects import Project

from sluis.cli import main

ID = {"name": "id", "type": "integer", "nullable": False}


def test_what_ends_a_run_before_anything_is_read(classic: Project, caplog: pytest.LogCaptureFixture) -> None:
    classic.contract(ID)
    classic.entity("good")
    classic.land("id", "1")

    def sluis(*arguments: str) -> tuple[int, str, str]:
        caplog.clear()
        with caplog.at_level(logging.INFO, "sluis"):
            done = CliRunner().invoke(main, ["run", *arguments, "--project", str(classic.root)])
        return done.exit_code, done.stdout, "\n".join([done.stderr, *caplog.messages])

    code, out, err = sluis("goood")
    assert (code, out) == (2, "")
    assert "there is no entity `goood`" in err
    assert sluis()[0] == 2
    classic.contract(ID, version="1.1")
    code, out, err = sluis("good", "--json")
    assert (code, json.loads(out)["verdict"]) == (2, "ERROR")
    assert "gx/expectations/goods.json" in err
    assert "run `sluis generate`" in err
    code, out, err = sluis("good", "--state", str(classic.root / "goods.csv/state"))
    assert code == 3
    assert "cannot be written" in err
    (classic.root / "contracts/goods.json").write_text('{"contract_name": "goods", "columns": [')
    code, out, err = sluis("good")
    assert (code, out) == (2, "")
    assert "contracts/goods.json" in err
