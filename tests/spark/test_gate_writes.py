"""What passed the gate is in the table, once, and its history and its record say how it came there."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from projects import Project

from sluis import evidence, pipeline, workspace
from sluis.course import Options, Run
from sluis.report import terminal
from sluis.report.parse import parse

ID = {"name": "id", "type": "integer", "nullable": False}
X = {"name": "x", "type": "string"}

CUSTOMERS = (
    {"name": "customer_id", "type": "integer", "nullable": False, "description": "The customer's number"},
    {"name": "first_name", "type": "string", "nullable": False},
    {"name": "country", "type": "string", "nullable": False},
)


def history(project: Project) -> list[Any]:
    return list(project.spark.sql(f"DESCRIBE HISTORY {project.table}").orderBy("version").collect())


def test_four_customers_and_an_update_make_five(project: Project, caplog: pytest.LogCaptureFixture) -> None:
    project.contract(*CUSTOMERS, primary_key=["customer_id"], description="Who buys")
    project.entity("customers")
    project.entity("customers_update", mode="merge", merge_key="customer_id", source=f"{project.root}/update.csv")
    header = "customer_id,first_name,country"
    source = project.land(header, "1001,Jan,NL", "1002,Piet,BE", "1003,Anna,DE", "1004,Eva,NL")
    project.land(header, "1002,Pieter,BE", "1005,Zoë,FR", name="update.csv")

    with caplog.at_level(logging.INFO, "sluis"):
        first = project.run("customers")
    assert [record.getMessage() for record in caplog.records if record.name == "sluis"] == [
        f"Reading source: {source}",
        f"Target table: {project.table}",
        "Loading mode: overwrite",
        "Validating contract: goods",
        "Contract version: 1.0",
        "Contract goods version 1.0 PASSED",
        "Validated records: 4",
        "Successfully processed 4 records",
    ]
    update = project.run("customers_update")
    assert project.rows() == [
        (1001, "Jan", "NL"), (1002, "Pieter", "BE"), (1003, "Anna", "DE"), (1004, "Eva", "NL"), (1005, "Zoë", "FR"),
    ]  # fmt: skip
    numbers = ("version_before", "version_after", "rows_written", "rows_inserted", "rows_updated", "already_written")
    assert [first["receipt"][name] for name in numbers] == [None, 1, 4, 4, 0, False]
    assert [update["receipt"][name] for name in numbers] == [1, 2, 2, 1, 1, False]

    again = project.run("customers_update")
    assert (again["verdict"], again["exit_code"]) == ("PASSED", 0)
    assert again["receipt"] == {**update["receipt"], "already_written": True}
    assert again["sources"] == update["sources"]
    forced = project.run("customers_update", force=True)
    assert [forced["receipt"][name] for name in numbers] == [2, 3, 2, 0, 2, False]

    _, loaded, merged, *_ = history(project)
    for commit, record in ((loaded, first), (merged, update)):
        assert json.loads(commit["userMetadata"]) == {
            "run_id": record["run_id"],
            "entity": record["entity"],
            "mode": record["mode"],
            "contract": "goods",
            "contract_version": "1.0",
            "contract_fingerprint": record["contract"]["fingerprint"],
            "suite_fingerprint": record["suite"]["fingerprint"],
            "sources": record["sources"],
        }
    table = {row["col_name"]: row for row in project.spark.sql(f"DESCRIBE TABLE {project.table}").collect()}
    assert table["customer_id"]["comment"] == "The customer's number"
    assert [field.nullable for field in project.spark.table(project.table).schema.fields] == [False, False, False]
    told = dict(tuple(row) for row in project.spark.sql(f"SHOW TBLPROPERTIES {project.table}").collect())
    assert (told["sluis.contract"], told["sluis.contract_version"]) == ("goods", "1.0")


def test_of_a_folder_only_new_files_are_appended_and_existing_keys_are_refused(project: Project) -> None:
    project.contract(ID, X, primary_key=["id"])
    project.entity(mode="append", source=f"{project.root}/in")
    project.land("id,x", "1,a", "2,b", name="in/1.csv")
    assert project.run()["receipt"]["rows_written"] == 2
    second = project.land("id,x", "3,c", name="in/2.csv")
    record = project.run()
    assert (record["rows"], record["receipt"]["rows_written"]) == (1, 1)
    assert [Path(source["path"]).name for source in record["sources"]] == ["2.csv"]
    assert len(project.run()["sources"]) == 2
    assert project.rows() == [(1, "a"), (2, "b"), (3, "c")]

    second.write_text("id,x\n4,d\n3,again\n1,again\n")
    record = project.run()
    assert (record["verdict"], record["exit_code"], record["receipt"]) == ("REJECTED", 1, None)
    assert record["reasons"] == [f"2 rows have a key (id) that exists in {project.table}. (for example id=1; id=3)"]
    lines = terminal.failure_text(record)
    assert lines[0] == "Data contract validation failed:"
    assert "id=1; id=3" in lines[1]
    assert "2 rows have a key" in Path(record["report"]).read_text()
    assert project.rows() == [(1, "a"), (2, "b"), (3, "c")]


def test_existing_keys_of_a_sensitive_column_are_not_named(classic: Project) -> None:
    classic.contract({**ID, "sensitive": True}, X, primary_key=["id"])
    classic.entity(mode="append")
    classic.land("id,x", "1987654321,a")
    classic.run()
    classic.land("id,x", "1987654321,b", "5,c")
    record = classic.run()
    assert (record["verdict"], len(record["reasons"])) == ("REJECTED", 1)
    assert record["reasons"][0].startswith("1 rows have a key (id) that exists in ")
    assert "1987654321" not in json.dumps(record)


def test_a_run_that_was_cut_off_after_its_commit_is_finished_by_the_next(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.contract(ID, X, primary_key=["id"])
    project.entity(mode="append")
    project.land("id,x", "1,a", "2,b")
    cut: list[Run] = []

    def die(self: Run, build: Any) -> None:
        cut.append(self)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Run, "publish", die)
        project.run()
    (first,) = cut
    assert evidence.load(project.state, first.run_id) is None
    record = project.run()
    assert (record["verdict"], record["exit_code"]) == ("PASSED", 0)
    assert record["receipt"] == {**evidence.receipt(first.receipt), "already_written": True}
    assert project.rows() == [(1, "a"), (2, "b")]
    kept = evidence.load(project.state, first.run_id)
    assert kept is not None
    assert (kept["run_id"], kept["verdict"], kept["rules"]) == (first.run_id, "PASSED", [])
    assert kept["started"] == evidence.moment(first.started)
    assert (kept["receipt"], kept["sources"]) == (evidence.receipt(first.receipt), record["sources"])
    assert (kept["contract"], kept["suite"]) == (record["contract"], record["suite"])
    assert record["run_id"] in kept["notices"][0]
    assert kept["notices"][0] in Path(kept["report"]).read_text()
    assert parse(kept).receipt is not None
    before = evidence.path(project.state, first.run_id).read_bytes()
    project.run()
    assert evidence.path(project.state, first.run_id).read_bytes() == before


def test_a_table_that_differs_from_its_contract(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.contract(ID, X, primary_key=["id"])
    project.entity()
    project.land("id,x", "1,a")
    assert project.run()["verdict"] == "PASSED"
    note = {"name": "note", "type": "string", "description": "New"}
    project.contract(ID, X, note, primary_key=["id"])
    project.generate()
    project.land("id,x,note", "1,a,b")
    assert project.run()["verdict"] == "PASSED"
    assert project.rows() == [(1, "a", "b")]

    monkeypatch.setattr("sluis.landing.listing", None)  # nothing may be read any more
    for columns, difference in (
        ((ID, {**X, "type": "integer"}, note), "column 'x' is INT in the contract and STRING in the table"),
        ((ID, note), "nullable column 'x' of the table is not in the contract"),
        ((ID, X, note, {**X, "name": "must", "nullable": False}), "required column 'must' of the contract is not in"),
        ((ID, {**X, "nullable": False}, note), "column 'x' is required in the contract and nullable in the table"),
    ):
        project.contract(*columns, primary_key=["id"])
        project.generate()
        record = project.run()
        assert (record["verdict"], record["exit_code"], record["receipt"]) == ("ERROR", 2, None)
        assert difference in record["reasons"][0]
        assert Path(record["report"]).exists()
    assert project.rows() == [(1, "a", "b")]


def test_a_file_that_another_contract_let_in_is_judged_again(classic: Project) -> None:
    classic.contract(ID, X)
    classic.entity()
    classic.entity("adding", mode="append", target=f"{classic.table}_added")
    classic.land("id,x", "1,a")
    assert [classic.run(name)["verdict"] for name in ("goods", "adding")] == ["PASSED"] * 2
    classic.contract(ID, {**X, "pattern": "^b"}, version="2.0")
    classic.generate()
    assert classic.run()["verdict"] == "REJECTED"
    record = classic.run("adding")
    assert (record["verdict"], record["receipt"]["already_written"]) == ("PASSED", True)
    assert "They were judged by version 1.0 of the contract." in record["notices"]


def test_dry_runs_other_sources_and_sources_that_are_not_there(classic: Project) -> None:
    classic.contract(ID, X, primary_key=["id"])
    classic.entity()
    classic.land("id,x", "1,a")
    other = classic.land("id,x", "1,a", "1,b", name="other folder/other.csv")
    good = classic.run(dry_run=True)
    assert (good["verdict"], good["exit_code"], good["receipt"], good["dry_run"]) == ("PASSED", 0, None, True)
    bad = classic.run(dry_run=True, source=str(other))
    assert (bad["verdict"], bad["exit_code"], bad["source"]) == ("REJECTED", 1, str(other))
    assert classic.version() is None
    other.write_text("id,x\n7,z\n")
    assert classic.run(source=str(other))["verdict"] == "PASSED"
    assert classic.rows() == [(7, "z")]
    gone = classic.run(source=f"{classic.root}/other folder/othre.csv")
    assert (gone["verdict"], gone["exit_code"]) == ("ERROR", 3)
    assert gone["reasons"][1].startswith("Hint: ")
    assert "other.csv" in gone["reasons"][1]
    assert classic.rows() == [(7, "z")]


SHAPE: dict[str, Any] = {
    "evidence_version": int, "run_id": str, "entity": str, "started": str, "finished": str, "rows": int,
    "verdict": str, "reasons": list, "notices": list, "rules": list, "sources": list, "report": str,
    "contract": {"name": str, "version": str, "format": str, "path": str, "fingerprint": str},
    "suite": {"name": str, "fingerprint": str, "rules": int},
    "receipt": {
        "table": str, "location": str, "mode": str, "version_before": int, "version_after": int,
        "rows_written": int, "rows_inserted": int, "rows_updated": int,
    },
}  # fmt: skip
RULE = {
    "id": str, "kind": str, "column": str, "severity": str, "outcome": str, "unexpected": int, "evaluated": int,
    "examples": list, "message": str, "description": str, "sensitive": bool,
}  # fmt: skip


def wrong(value: Any, shape: Any) -> list[str]:
    """Keys whose values are not of the type that the shape says."""
    if not isinstance(shape, dict):
        return [] if isinstance(value, shape) else [str(value)]
    return [f"{key}.{more}" for key, one in shape.items() for more in wrong(value.get(key), one)]


def test_the_shape_of_the_evidence_and_the_worst_exit_code(classic: Project) -> None:
    classic.contract(ID, X, primary_key=["id"])
    for name, source in (("good", "goods.csv"), ("bad", "bad.csv"), ("gone", "gone.csv"), ("last", "goods.csv")):
        classic.entity(name, source=f"{classic.root}/{source}", target=f"{classic.table}_{name}")
    classic.land("id,x", "1,a")
    classic.land("id,x", "x,a", name="bad.csv")
    opened = workspace.open_workspace(classic.root)
    records: list[Any] = []
    options = Options(state=classic.state)
    for names, worst in ((["good"], 0), (["good", "bad"], 1), (["bad", "gone", "last"], 3)):
        chosen = [opened.settings.entity(name) for name in names]
        assert pipeline.run_all(opened, chosen, options, records.append) == worst
    assert [record["exit_code"] for record in records] == [0, 0, 1, 1, 3, 0]
    record = json.loads(json.dumps(records[0]))
    assert wrong({**record, "receipt": {**record["receipt"], "version_before": 0}}, SHAPE) == []
    assert record["sources"][0].keys() == {"path", "size", "modified"}
    assert all(wrong(rule, RULE) == [] for rule in record["rules"] if rule["column"])
    assert [rule["examples"] for rule in records[2]["rules"] if rule["outcome"] == "violated"] == [
        [{"value": "x", "count": 1, "key": {"id": "x"}}]
    ]
    for one in records:
        assert Path(one["report"]).exists()
        assert one["finished"] >= one["started"]


ODD = (
    "a b", "a.b", "it's", 'say "x"', "back`tick", "naïve 名前", "select", "a,b", "a;b{c}=(d)", "100%", "$x", "#h", "a/b\\c",
    "__unexpected", "count", "l" * 200,
)  # fmt: skip


def test_names_of_columns_pass_from_file_to_table_and_report(project: Project) -> None:
    columns = [{"name": name, "type": "integer", "nullable": False, "maximum": 99} for name in ODD]
    project.contract(*columns, primary_key=[ODD[0], ODD[4]], rules={"unique": [*ODD]})
    project.entity()
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in ODD)
    project.land(quoted, ",".join(str(index) for index in range(len(ODD))))
    assert project.run()["reasons"] == []
    frame = project.spark.table(project.table)
    assert frame.columns == list(ODD)
    assert [tuple(row) for row in frame.collect()] == [tuple(range(len(ODD)))]
    project.land(quoted, ",".join("100" for _ in ODD))
    record = project.run()
    assert record["reasons"] == [f"Values in column {name} are above 99" for name in ODD]
    assert [rule["column"] for rule in record["rules"] if rule["outcome"] == "violated"] == list(ODD)
    assert "naïve 名前" in Path(record["report"]).read_text()


def test_headers_named_like_our_own_columns_are_rejected(classic: Project) -> None:
    classic.contract(ID, X, allow_additional_columns=True)
    classic.entity()
    for name in ("__sluis_corrupt_record", "__sluis_fit", "__SLUIS_hash", "__sluis_broken_0", "_metadata"):
        classic.land(f"id,x,{name}", "1,a,b")
        record = classic.run()
        assert (name, record["verdict"], record["exit_code"]) == (name, "REJECTED", 1)
        assert f"the column name '{name}' is reserved" in record["reasons"][0]
    assert classic.version() is None


@pytest.mark.slow
def test_three_hundred_columns_of_five_rules(classic: Project) -> None:
    names = [f"c{index}" for index in range(300)]
    columns = [
        {"name": name, "type": "integer", "nullable": False, "minimum": 0, "maximum": 9, "enum": list(range(9))}
        for name in names
    ]
    classic.contract(*columns)
    classic.entity()
    rows = [",".join(str((row + column) % 9) for column in range(300)) for row in range(50)]
    classic.land(",".join(names), *rows)
    assert classic.run()["verdict"] == "PASSED"
    classic.land(",".join(names), *rows, ",".join(["9"] * 299 + ["x"]), ",".join(["10"] * 299 + [""]))
    record = classic.run()
    unexpected = {rule["id"]: rule["unexpected"] for rule in record["rules"] if rule["outcome"] == "violated"}
    first = {f"goods.{name}.enum": 2 for name in names[:299]} | {f"goods.{name}.maximum": 1 for name in names[:299]}
    assert unexpected == first | {"goods.c299.type": 1, "goods.c299.required": 1}


@pytest.mark.slow
def test_one_duplicate_among_a_million_keys_is_found(classic: Project) -> None:
    classic.contract(ID, X, primary_key=["id"])
    classic.entity()
    classic.land("id,x", *(f"{index},a" for index in range(1_000_000)))
    record = classic.run()
    assert (record["verdict"], record["rows"]) == ("PASSED", 1_000_000)
    classic.land("id,x", *(f"{index},a" for index in range(1_000_000)), "777777,b")
    record = classic.run()
    (rule,) = (rule for rule in record["rules"] if rule["outcome"] == "violated")
    assert (rule["kind"], rule["unexpected"], rule["examples"]) == (
        "primary_key", 2, [{"value": "777777", "count": 2}],
    )  # fmt: skip
    assert len(classic.rows("id")) == 1_000_000
