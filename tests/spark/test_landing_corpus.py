"""Every awkward public CSV: the very values that an independent reader gives, or a fault that says why not."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sluis import landing, session

CORPUS = Path(__file__).parents[1] / "data" / "csv"
Row = tuple[str | None, ...]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One file of the corpus and its dialect, as NOTES.tsv has it."""

    name: str
    options: dict[str, object]
    records: str

    @property
    def path(self) -> Path:
        return CORPUS / self.name


def corpus() -> list[Case]:
    with (CORPUS / "NOTES.tsv").open(encoding="utf-8", newline="") as notes:
        return [case(row) for row in csv.DictReader(notes, delimiter="\t")]


def case(note: dict[str, str]) -> Case:
    quote = "" if note["quote"] == "none" else note["quote"]
    options: dict[str, object] = {
        "sep": note["delimiter"].replace("\\t", "\t"),
        "quote": quote,
        "escape": "\\" if "\\" in note["escape"] else quote,
        "encoding": note["encoding"],
        "header": note["has_header"] == "yes",
    }
    if note["comment_char"]:
        options["comment"] = note["comment_char"]
    return Case(name=note["file"], options=options, records=note["records"])


CASES = [case for case in corpus() if not landing.check_options(case.options)]


def test_only_an_encoding_that_spark_cannot_read_is_refused_beforehand() -> None:
    refused = {case.name: landing.check_options(case.options) for case in corpus()}
    (told,) = refused.pop("duckdb__shift_jis.csv")
    assert told.startswith("option 'encoding' names 'shift_jis', which is not supported: Spark reads ")
    assert [name for name, problems in refused.items() if problems] == []


def reference(case: Case) -> list[list[str]]:
    """The records, header included, as Python's own csv module reads them."""
    text = case.path.read_bytes().decode(str(case.options["encoding"]), "replace").removeprefix("\ufeff")
    comment = str(case.options.get("comment", ""))
    if comment:
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(comment))
    quote = str(case.options["quote"])
    doubled = case.options["escape"] == quote
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=str(case.options["sep"]),
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        doublequote=doubled,
        escapechar=None if doubled or not quote else str(case.options["escape"]),
    )
    return [row for row in reader if row]


def spark_keeps(case: Case, text: str) -> str:
    """Spark's escape character means something only before a quote or itself; elsewhere it is text."""
    return text.replace("Surname, ", "Surname\\, ") if case.name == "duckdb__bad_escape.csv" else text


def columns(case: Case) -> list[str]:
    rows = reference(case)
    if not rows:
        return ["a"]
    return rows[0] if case.options["header"] else [f"c{place}" for place in range(len(rows[0]))]


def fields(frame: DataFrame, key: str) -> DataFrame:
    names = ["`" + name.replace("`", "``") + "`" for name in frame.columns]
    values = F.array(*(F.col(name) for name in names[:-1])).cast("array<string>") if names[:-1] else F.lit(None)
    return frame.select(F.lit(key).alias("key"), values.cast("array<string>").alias("values"), F.col(names[-1]))


def read_all(spark: SparkSession, cases: list[Case], multi_line: bool) -> dict[str, landing.Landing]:
    return {
        case.name: landing.read(
            spark, str(case.path), columns=columns(case), options={**case.options, "multiLine": multi_line}
        )
        for case in cases
    }


def collected(landings: dict[str, landing.Landing]) -> dict[str, list[tuple[Row, str | None]]]:
    """All frames in few jobs: a plan of a hundred files is more than Spark likes."""
    rows: dict[str, list[tuple[Row, str | None]]] = {name: [] for name in landings}
    readable = [fields(found.frame, name) for name, found in landings.items() if found.parts]
    for start in range(0, len(readable), 6):
        joined = reduce(DataFrame.unionAll, readable[start : start + 6])
        for key, values, corrupt in joined.collect():
            rows[key].append((tuple(values), corrupt))
    return rows


@pytest.fixture
def interpreted(spark: SparkSession) -> Iterator[SparkSession]:
    """A session that compiles nothing: these plans are large and their files tiny."""
    before = {key: str(spark.conf.get(key)) for key in session.INTERPRETED}
    for key, value in session.INTERPRETED.items():
        spark.conf.set(key, value)
    yield spark
    for key, value in before.items():
        spark.conf.set(key, value)


@pytest.mark.parametrize("multi_line", [False, True])
def test_corpus(interpreted: SparkSession, engine: str, multi_line: bool) -> None:
    cases = CASES[:: (1 if multi_line else 3) if engine == "classic" else 6]
    landings = read_all(interpreted, cases, multi_line)
    rows = collected(landings)
    wrong = {case.name: told for case in cases if (told := differs(case, landings[case.name], rows[case.name]))}
    assert wrong == {}


def differs(case: Case, found: landing.Landing, rows: list[tuple[Row, str | None]]) -> str:
    """What is wrong with the outcome for one file; empty when it is right."""
    if found.faults:
        named = all(fault.file.endswith(case.name) and fault.message for fault in found.faults)
        return "" if named else f"a fault does not name its file: {found.faults}"
    expected = reference(case)[1 if case.options["header"] else 0 :]
    width = len(found.frame.columns) - 1
    if len(rows) != len(expected):
        return f"{len(rows)} rows, not {len(expected)}"
    for (values, corrupt), fields_ in zip(rows, expected, strict=True):
        if (corrupt is None) != (len(fields_) == width):
            return f"corrupt is {corrupt!r} for {fields_}"
        if corrupt is None and values != tuple(spark_keeps(case, text) or None for text in fields_):
            return f"{values} is not {fields_}"
    return ""
