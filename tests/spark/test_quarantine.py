"""Bad rows go to the quarantine, the others to the table: none lost, none doubled, none counted before its time."""

from __future__ import annotations

import logging
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from judging import contract, specs, text
from projects import Project, Record, broken
from pyspark.sql import DataFrame, SparkSession

from sluis import delivery, table
from sluis.contract.logical import Double, Integer, String
from sluis.contract.model import Column
from sluis.contract.rules import MaxLength, PrimaryKey, Required, TypeOf, Unique
from sluis.errors import EnvironmentFailure
from sluis.report import terminal
from sluis.settings import settled
from sluis.suite.divide import RULES, divided
from sluis.tools.quarantine import quarantined
from sluis.workspace import open_workspace

ID = {"name": "id", "type": "integer", "nullable": False}
X = {"name": "x", "type": "string", "max_length": 3, "sensitive": True}
N = {"name": "n", "type": "integer", "minimum": 0}

HEADER = "id,x,n"


@pytest.fixture
def goods(project: Project) -> Project:
    project.contract(ID, X, N, primary_key=["id"])
    project.entity(on_violation="quarantine")
    return project


def kept_out(project: Project, columns: str = "id, x, n", where: str = "_status = 'open'") -> list[tuple[Any, ...]]:
    rows = project.spark.table(f"{project.table}_quarantine").where(where).selectExpr(*columns.split(", "))
    return sorted((tuple(row) for row in rows.collect()), key=repr)


def listed(project: Project) -> dict[str, Any]:
    workspace = open_workspace(project.root)
    return quarantined(workspace, workspace.settings.entity("goods"), project.state)


def outcomes(record: Record, outcome: str) -> set[str]:
    return {rule["id"].removeprefix("goods.") for rule in record["rules"] if rule["outcome"] == outcome}


@pytest.mark.alike
def test_each_row_is_divided_by_the_rules_that_an_oracle_says_it_breaks(spark: SparkSession) -> None:
    made = contract(
        {"k": String(), "n": Column(name="n", type=Integer()), "d": Double()},
        Required(id="required", path="$", column="k"),
        TypeOf(id="type", path="$", column="n"),
        MaxLength(id="short", path="$", column="k", limit=2),
        Unique(id="unique", path="$", columns=("k", "n")),
        PrimaryKey(id="key", path="$", columns=("d",)),
    )
    chance = random.Random(3)
    rows = [
        (
            chance.choice([None, "", "a", "aa", "aaa", "b"]),
            chance.choice([None, "1", " 1", "x"]),
            chance.choice(doubles),
        )
        for doubles in [[None, "", "0.0", "-0.0", "1", "1.0", *(str(number) for number in range(2, 60))]]
        for _ in range(80)
    ]
    frame = text(spark, {name: [row[place] for row in rows] for place, name in enumerate("knd")})
    with settled(spark):
        found = divided(frame, specs(made), {"required", "type", "short", "unique", "key"}).collect()
    assert Counter((row["k"], row["n"], row["d"]) for row in found) == Counter(rows)
    for row in found:
        assert set(row[RULES]) == broken_by((row["k"], row["n"], row["d"]), rows), row


def broken_by(row: tuple[Any, ...], rows: list[tuple[Any, ...]]) -> set[str]:
    def integer(value: str | None) -> int | None:
        return int(value) if value and value.strip().isdigit() else None

    def double(value: str | None) -> float | None:
        return float(value) if value else None

    k, n, d = row
    twins = Counter((k, integer(n)) for k, n, _ in rows)
    keys = Counter(double(d) for _, _, d in rows)
    return {
        name
        for name, breaks in {
            "required": not k,
            "type": n == "x",
            "short": len(k or "") > 2,
            "unique": bool(k) and integer(n) is not None and twins[k, integer(n)] > 1,
            "key": double(d) is not None and keys[double(d)] > 1,
        }.items()
        if breaks
    }


def test_bad_rows_are_kept_out_and_the_rest_is_written(goods: Project, caplog: pytest.LogCaptureFixture) -> None:
    source = goods.land(
        HEADER, "1,a,1", "2,b,z", "3,wxyz,x", "4,d", "5,e,5", "5,f,6", ",g,7", "8,h,8", name="a +%é.csv"
    )
    with caplog.at_level(logging.INFO, "sluis"):
        record = goods.run(source=str(source))
    assert (record["verdict"], record["exit_code"], record["reasons"]) == ("PASSED_WITH_QUARANTINE", 0, [])
    assert goods.rows() == [(1, "a", 1), (8, "h", 8)]
    quarantine = f"{goods.table}_quarantine"
    rules = {"row_shape": 1, "id.required": 1, "x.max_length": 1, "n.type": 2, "primary_key": 2}
    assert record["quarantine"] == {
        "table": quarantine, "version": 1, "rows": 6, "by_rule": {f"goods.{rule}": n for rule, n in rules.items()},
    }  # fmt: skip
    assert broken(record) == rules
    assert outcomes(record, "quarantined") == set(rules)
    assert record["rows"] == record["receipt"]["rows_written"] + record["quarantine"]["rows"] == 8
    assert kept_out(goods, "_line, _rules, id, x, n, _raw") == [
        (3, ["goods.n.type"], "2", "b", "z", None),
        (4, ["goods.x.max_length", "goods.n.type"], "3", "wxyz", "x", None),
        (5, ["goods.row_shape"], None, None, None, "4,d"),
        (6, ["goods.primary_key"], "5", "e", "5", None),
        (7, ["goods.primary_key"], "5", "f", "6", None),
        (8, ["goods.id.required"], None, "g", "7", None),
    ]
    told = kept_out(goods, "_run_id, _source, _contract_version, _contract_fingerprint")
    path, agreed = record["sources"][0]["path"], record["contract"]
    assert set(told) == {(record["run_id"], path, "1.0", agreed["fingerprint"])}
    assert [line for line in caplog.messages if "quarantine" in line.lower() or "processed" in line] == [
        "Contract goods version 1.0 PASSED_WITH_QUARANTINE",
        f"Quarantined 6 records in {quarantine}",
        "Successfully processed 2 records",
    ]
    assert f"  Kept out  6 rows, in {quarantine}" in terminal.summary(record)
    comments = {row["col_name"]: row["comment"] for row in goods.spark.sql(f"DESCRIBE TABLE {quarantine}").collect()}
    assert comments["x"] == "Sensitive."
    assert "wxyz" not in str(record) + caplog.text

    again = goods.run(source=str(source))
    assert (again["verdict"], again["receipt"]["already_written"]) == ("PASSED_WITH_QUARANTINE", True)
    assert again["quarantine"] == record["quarantine"]
    assert listed(goods) == {
        "entity": "goods", "table": quarantine, "rows": 6, "by_rule": record["quarantine"]["by_rule"],
        "sources": [{"path": path, "rows": 6, "by_rule": record["quarantine"]["by_rule"]}],
    }  # fmt: skip


@pytest.mark.alike
def test_a_file_once_more_and_a_fixed_file_take_the_place_of_their_rows(goods: Project) -> None:
    goods.entity(mode="merge", merge_key="id", on_violation="quarantine")
    other = str(goods.land(HEADER, "7,o,-1", "8,o,8", name="other.csv"))
    goods.run(source=other)
    goods.land(HEADER, "1,a,1", "2,b,z", "3,c,y")
    first = goods.run()
    forced = goods.run(force=True)
    assert kept_out(goods) == [("2", "b", "z"), ("3", "c", "y"), ("7", "o", "-1")]
    assert kept_out(goods, "id, _superseded_by", f"_run_id = '{first['run_id']}'") == [
        ("2", forced["run_id"]), ("3", forced["run_id"]),
    ]  # fmt: skip
    goods.land(HEADER, "1,a,1", "2,b,2", "3,c,y")
    goods.run()
    assert kept_out(goods) == [("3", "c", "y"), ("7", "o", "-1")]
    goods.land(HEADER, "1,a,1", "2,b,2", "3,c,3")
    fixed = goods.run()
    assert (fixed["verdict"], fixed["quarantine"]) == ("PASSED", None)
    assert kept_out(goods) == [("7", "o", "-1")]
    assert len(kept_out(goods, where="true")) == 6
    assert goods.rows() == [(1, "a", 1), (2, "b", 2), (3, "c", 3), (8, "o", 8)]


@pytest.mark.parametrize(
    "what",
    ["the limit", "rules about the file", "rules about the rest", "a quote", "no column", "nothing left"],
)
def test_the_whole_file_is_rejected(goods: Project, what: str) -> None:
    lines = {
        "a quote": [HEADER, "1,a,1", '2,b"b,2', "3,c,z"],
        "no column": ["id,x", "1,a", "2,bbbb"],
        "nothing left": [HEADER, "1,a,z"],
    }.get(what, [HEADER, "1,a,1", "2,b,2", "3,c,z"])
    goods.land(*lines)
    more: dict[str, Any] = {"on_violation": "quarantine"}
    if what == "the limit":
        more["max_rejected"] = "33.3%"
    if what == "rules about the file":
        goods.contract(ID, X, N, primary_key=["id"], rules={"row_count": {"min": 4}})
    if what == "rules about the rest":
        goods.contract(ID, X, N, primary_key=["id"], rules={"row_count": {"min": 3}})
    goods.entity(**more)
    record = goods.run()
    assert (record["verdict"], record["exit_code"], record["quarantine"]) == ("REJECTED", 1, None)
    assert goods.version() is None
    assert not goods.spark.catalog.tableExists(f"{goods.table}_quarantine")
    assert not outcomes(record, "quarantined")
    reasons = {
        "the limit": "1 of 3 rows break rules, where the entity lets 33.3% be kept out",
        "rules about the rest": "Without the 1 rows that break rules about rows, the others still break the contract",
    }
    assert reasons.get(what, "") in "\n".join(record["reasons"])
    if what == "rules about the rest":
        assert "row_count" in broken(record)


def test_a_dry_run_counts_and_writes_nothing(goods: Project) -> None:
    goods.entity(on_violation="quarantine", max_rejected=1)
    goods.land(HEADER, "1,a,1", "3,c,z")
    record = goods.run(dry_run=True)
    assert (record["verdict"], record["exit_code"], record["receipt"]) == ("PASSED_WITH_QUARANTINE", 0, None)
    assert (record["quarantine"]["rows"], record["quarantine"]["version"]) == (1, None)
    assert not goods.spark.catalog.tableExists(f"{goods.table}_quarantine")


class Killed(BaseException):
    """Stands for the end of the process: nothing of ours catches it."""


@pytest.mark.parametrize("moment", ["before the target", "after the target"])
def test_a_crash_between_the_commits_leaves_nothing_that_counts(
    goods: Project, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    goods.entity(mode="merge", merge_key="id", on_violation="quarantine")
    goods.land(HEADER, "1,a,1", "2,b,z")
    write = table.write

    def dies(spark: SparkSession, read: Any, target: table.Target, commit: table.Commit) -> Any:
        if moment == "before the target" and target.name == goods.table:
            raise Killed
        written = write(spark, read, target, commit)
        if target.name == goods.table:
            raise Killed
        return written

    with monkeypatch.context() as crashing, pytest.raises(Killed):
        crashing.setattr(table, "write", dies)
        goods.run()
    assert [status for (status,) in kept_out(goods, "_status", "true")] == ["pending"]
    committed = moment == "after the target"
    assert listed(goods)["rows"] == (1 if committed else 0)
    record = goods.run()
    assert (record["verdict"], record["receipt"]["already_written"]) == ("PASSED_WITH_QUARANTINE", committed)
    assert kept_out(goods) == [("2", "b", "z")]
    assert goods.rows() == [(1, "a", 1)]
    assert listed(goods)["rows"] == 1


def test_a_file_that_changes_before_its_rows_are_written_leaves_nothing_that_counts(
    goods: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = goods.land(HEADER, "1,a,1", "2,b,z")
    real = delivery.rows

    def changed(*given: Any) -> Any:
        path.write_text(f"{HEADER}\n1,a,1\n2,b,2\n3,c,3\n")
        return real(*given)

    monkeypatch.setattr(delivery, "rows", changed)
    record = goods.run()
    assert (record["verdict"], record["exit_code"], record["quarantine"]) == ("ERROR", 3, None)
    assert kept_out(goods) == []
    assert listed(goods)["rows"] == 0


def test_the_frame_of_a_caller_is_divided_too(goods: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    import great_expectations as gx

    import sluis.gx  # noqa: F401

    monkeypatch.setenv("SLUIS_STATE", str(goods.state))
    goods.entity("adding", mode="append", on_violation="quarantine")
    context = gx.get_context(context_root_dir=str(goods.root / "gx"))

    def run(frame: DataFrame) -> None:
        context.checkpoints.get("adding").run(batch_parameters={"dataframe": frame})

    run(goods.spark.createDataFrame([(1, "a", 1), (2, "bbbb", 2), (3, "c", -3)], "id int, x string, n int"))
    assert goods.rows() == [(1, "a", 1)]
    assert kept_out(goods, "id, x, n, _rules, _source, _line") == [
        ("2", "bbbb", "2", ["goods.x.max_length"], None, None),
        ("3", "c", "-3", ["goods.n.minimum"], None, None),
    ]


def test_the_names_of_the_quarantine_are_its_own(goods: Project) -> None:
    goods.contract(ID, X, N, primary_key=["id"], allow_additional_columns=True)
    goods.generate()
    goods.land("id,x,n,_Rules", "1,a,1,r", "2,b,z,r")
    record = goods.run()
    assert (record["verdict"], record["exit_code"]) == ("ERROR", EnvironmentFailure.exit_code - 1)
    assert "_Rules" in record["reasons"][0]


@pytest.mark.alike
def test_columns_that_come_and_go_are_kept(goods: Project) -> None:
    goods.contract(ID, X, N, primary_key=["id"], allow_additional_columns=True)
    goods.generate()
    goods.land("id,x,n,more", "1,a,1,m", "2,b,z,m")
    goods.run()
    goods.land("n,id,x", "y,3,c", "4,4,d", name="next.csv")
    goods.run(source=str(Path(goods.root, "next.csv")))
    assert kept_out(goods, "id, more, _status", "true") == [("2", "m", "superseded"), ("3", None, "open")]
