"""Landing files on real Spark: what is read, what is refused, and that nothing slips in between."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from sluis import landing
from sluis.errors import ContractError, SourceError
from sluis.landing import CORRUPT, Landing, frame, read, remote, reread

AB = ["a", "b"]


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rows(found: Landing) -> list[tuple[str | None, ...]]:
    """The good rows; the corrupt ones are counted elsewhere."""
    return sorted(tuple(row)[:-1] for row in found.frame.collect() if row[CORRUPT] is None)


def told(found: Landing) -> list[tuple[str, str]]:
    return [(fault.kind, str(fault)) for fault in found.faults]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "raw"


def test_text_under_exact_names_in_the_contracts_order(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", 'id,"first name",x.y,`q`\n007, a ,"1,5","say ""hi"""\n,,"",NULL\n')
    found = read(spark, str(path), columns=["x.y", "id", "missing"])
    assert found.frame.columns == ["x.y", "id", "first name", "`q`", CORRUPT]
    assert {field.dataType.simpleString() for field in found.frame.schema} == {"string"}
    assert [tuple(row) for row in found.frame.collect()] == [
        ("1,5", "007", " a ", 'say "hi"', None),
        (None, None, None, "NULL", None),
    ]
    assert found.faults == ()
    (file,) = found.files
    assert (file.path, file.size) == (f"file:{path}", path.stat().st_size)
    assert file.modified.endswith("Z") and len(file.modified) == 24


def test_the_faults_travel_with_the_frame(spark: SparkSession, folder: Path) -> None:
    found = read(spark, str(put(folder / "c.csv", "a,a\n1,2\n")), columns=AB)
    facts = json.loads(found.frame.schema[CORRUPT].metadata["sluis"])
    assert facts["scanned"] is True
    assert facts["faults"][0]["message"] == "Duplicate column in the header: 'a' appears 2 times"
    assert facts["faults"][0]["line"] == 1


@pytest.mark.parametrize(
    ("content", "kind", "message", "columns"),
    [
        ("a,b,a\n1,2,3\n", "header", "line 1: Duplicate column in the header: 'a' appears 2 times", ["a", "b"]),
        (
            "a,B,b\n1,2,3\n",
            "header",
            "line 1: Duplicate columns in the header: 'B', 'b' differ only in case",
            ["a", "B"],
        ),
        ("a,\n1,2\n", "header", "line 1: no name in the header for column 2 of 2", ["a"]),
        (f"a,{CORRUPT}\n1,2\n", "header", f"line 1: the column name '{CORRUPT}' is reserved", ["a"]),
        ("a,${b}\n1,2\n", "header", "line 1: the column name '${b}' is reserved", ["a"]),
        (b"a,\x00b\n1,2\n", "header", "line 1: a NUL character in the column name '\\x00b'", ["a", "\x00b"]),
        ("", "empty", "is empty: not even a header", []),
        ("\n\r\n", "empty", "is empty: not even a header", []),
        ('a,"b\n1,2\n', "header", "line 1: the header has a line break inside quotes", []),
        (b"\xff\xfea\x00", "encoding", "begins with the mark of UTF-16, but the encoding is utf-8", []),
    ],
)
def test_a_header_that_cannot_be_read_gives_a_fault_and_no_rows(
    spark: SparkSession, folder: Path, content: str | bytes, kind: str, message: str, columns: list[str]
) -> None:
    found = read(spark, str(put(folder / "c.csv", content)), columns=AB)
    ((seen, text), *_) = told(found)
    assert seen == kind
    assert message in text and "c.csv" in text
    if columns and "\x00b" not in columns:
        assert found.frame.columns == [*columns, CORRUPT]
    assert found.frame.count() == 0


def test_a_header_that_needs_a_guess_is_a_fault_with_a_hint(spark: SparkSession, folder: Path) -> None:
    found = read(spark, str(put(folder / "c.csv", "A, b\n1,2\n")), columns=AB)
    assert [fault.column for fault in found.faults] == ["A", " b"]
    assert "'A' is not 'a': names are matched exactly" in found.faults[0].message


def test_ragged_rows_are_corrupt_even_where_a_query_needs_one_column(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", 'a,b\n1,x\n2\n3,y,z\n"4"\n5,y\n')
    found = read(spark, str(path), columns=AB)
    counted = found.frame.selectExpr("count_if(a is not null)", f"count_if({CORRUPT} is not null)").collect()
    assert tuple(counted[0]) == (5, 3)
    assert [str(fault) for fault in landing.locate(found, "row_shape")] == [
        "c.csv, line 3: 1 field where the header has 2",
        "c.csv, line 4: 3 fields where the header has 2",
        "c.csv, line 5: 1 field where the header has 2",
    ]
    assert len(landing.locate(found, "row_shape", limit=1)) == 1


@pytest.mark.parametrize("multi_line", [False, True])
@pytest.mark.parametrize("line", ['1,"abc', '1,ab"c', '1,"abc"def', '1,"a"b"', '1,"x" ', '1, "x"'])
def test_quotes_that_are_not_by_the_letter_are_faults(
    spark: SparkSession, folder: Path, line: str, multi_line: bool
) -> None:
    found = read(
        spark, str(put(folder / "c.csv", f"a,b\n0,ok\n{line}\n")), columns=AB, options={"multiLine": multi_line}
    )
    assert [(fault.kind, fault.line) for fault in found.faults] == [("row_shape", 3)]


def test_a_line_break_inside_quotes(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", '"a\nz",b\r\n1,"x\r\ny\nz"\r\n2,"\r\n"\r\n3,plain')
    (fault, *_) = read(spark, str(path), columns=AB).faults
    assert "set the option multiLine to true" in fault.message
    whole = read(spark, str(path), columns=["a\nz", "b"], options={"multiLine": True})
    assert whole.faults == ()
    assert rows(whole) == [("1", "x\r\ny\nz"), ("2", "\r\n"), ("3", "plain")]


def test_a_folder_is_joined_by_name(spark: SparkSession, folder: Path) -> None:
    put(folder / "1.csv", "\ufeffa,b\n1,x\n")
    put(folder / "2.csv", "\ufeffb,a\ny,2\n")
    put(folder / "3.csv", "a\n3\n")
    put(folder / "4.csv", "a,b,more\n4,z,w\n")
    put(folder / "_SUCCESS", "")
    put(folder / ".5.csv.crc", "nothing")
    found = read(spark, str(folder), columns=AB)
    assert [file.path.rsplit("/", 1)[-1] for file in found.files] == ["1.csv", "2.csv", "3.csv", "4.csv"]
    assert set(rows(found)) == {("1", "x", None), ("2", "y", None), ("3", None, None), ("4", "z", "w")}
    assert told(found) == [("columns", "3.csv: no column 'b', which other files have")]
    (skipped,) = [file for file in found.files if file.path.endswith("3.csv")]
    rest = read(spark, str(folder), columns=AB, skip=[skipped])
    assert len(rest.files) == 3 and rest.faults == ()
    assert reread(spark, rest).count() == 3


def test_one_bad_file_of_a_folder_is_named_and_the_others_are_read(spark: SparkSession, folder: Path) -> None:
    put(folder / "1.csv", "a,b\n1,x\n")
    put(folder / "2.csv", "")
    found = read(spark, str(folder), columns=AB)
    assert told(found) == [("empty", "2.csv: is empty: not even a header")]
    assert rows(found) == [("1", "x")]


def test_paths(spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a b.csv", "ü.csv", "p%20q.csv", "h#h.csv", "br[1].csv", "c{1}.csv", "st*r.csv", "q?.csv", "back\\s.csv"]
    for number, name in enumerate(names):
        put(folder / name, f"a,b\n{number},x\n")
    put(folder / "z.csv.gz", gzip.compress(b"a,b\n99,x\n"))
    every = read(spark, str(folder), columns=AB)
    assert sorted(file.path for file in every.files) == sorted(f"file:{folder}/{name}" for name in [*names, "z.csv.gz"])
    assert every.frame.count() == len(names) + 1
    assert reread(spark, every).count() == len(names) + 1
    for number, name in enumerate(names[:6]):
        assert rows(read(spark, str(folder / name), columns=AB)) == [(str(number), "x")]
    assert rows(read(spark, f"{folder}/*.gz", columns=AB)) == [("99", "x")]
    monkeypatch.chdir(folder)
    assert rows(read(spark, "a b.csv", columns=AB)) == [("0", "x")]


def test_nothing_to_read_is_a_source_error_with_a_hint(spark: SparkSession, folder: Path) -> None:
    put(folder / "sales.csv", "a\n")
    with pytest.raises(SourceError, match=r"(?s)No such file or folder: .*/sale\.csv.*holds sales\.csv"):
        read(spark, str(folder / "sale.csv"), columns=AB)
    with pytest.raises(SourceError, match="No such file or folder"):
        read(spark, f"{folder}/*.tsv", columns=AB)
    (folder / "none").mkdir()
    put(folder / "none" / "_hidden.csv", "a\n")
    with pytest.raises(SourceError, match="No files in"):
        read(spark, str(folder / "none"), columns=AB)


def test_wrong_options_are_a_contract_error(spark: SparkSession, folder: Path) -> None:
    with pytest.raises(ContractError, match="did you mean 'sep'"):
        read(spark, str(folder), columns=AB, options={"seperator": ";"})


def test_no_header_takes_the_contracts_order(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", "\ufeff1;x\n2;\\N\n")
    found = read(spark, str(path), columns=AB, options={"header": False, "sep": ";", "nullValue": "\\N"})
    assert rows(found) == [("1", "x"), ("2", None)]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-16-le", "iso-8859-15", "utf-32"])
def test_encodings(spark: SparkSession, folder: Path, encoding: str) -> None:
    path = put(folder / "c.csv", "é,b\r\n1,ü\r\n2,ß\r\n".encode(encoding))
    found = read(spark, str(path), columns=["é", "b"], options={"encoding": encoding})
    assert (found.faults, rows(found)) == ((), [("1", "ü"), ("2", "ß")])
    assert found.frame.columns == ["é", "b", CORRUPT]


def test_windows_characters_that_latin_1_lacks(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", b"a,\x80\n1,\x93\x96\x94\n2,\x81\n")
    found = read(spark, str(path), columns=["a", "€"], options={"encoding": "windows-1252"})
    assert rows(found) == [("1", "“–”"), ("2", "\ufffd")]
    assert told(found) == [("encoding", "c.csv, line 3: bytes that are not valid CP1252")]


def test_bad_bytes_are_told_from_a_real_replacement_character(spark: SparkSession, folder: Path) -> None:
    real = read(spark, str(put(folder / "r.csv", "a,b\n1,\ufffd\n")), columns=AB)
    assert (real.faults, landing.locate(real, "encoding")) == ((), ())
    bad = read(spark, str(put(folder / "b.csv", b"a,b\n1,\xff\n")), columns=AB)
    assert told(bad) == [("encoding", "b.csv, line 2: bytes that are not valid UTF-8")]
    assert landing.locate(bad, "encoding") == bad.faults


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\x00nothing", gzip.compress(b"a,b\n" + os.urandom(9000))[:2000]])
def test_an_archive_that_is_cut_or_none_is_a_fault(spark: SparkSession, folder: Path, content: bytes) -> None:
    found = read(spark, str(put(folder / "c.csv.gz", content)), columns=AB)
    assert found.faults[0].kind == "encoding" and "cannot be read" in found.faults[0].message
    assert found.frame.count() == 0


# --- what is too large for this process, or out of its sight -------------------------------------------------------


BAD = 'a,b\n1,x\n2,"y\n3,"z"\n4,"u" \n\t\n5,"say ""hi"""\n6,\xff\n7,x,y\n'.encode("latin-1")


def test_spark_looks_at_large_files(spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sluis.landing.reading.SCANNED", 0)
    found = read(spark, str(put(folder / "c.csv", BAD)), columns=AB)
    assert told(found) == [
        ("row_shape", "c.csv: 2 lines with a quote that is not by the letter, or a line break inside quotes"),
        ("row_shape", "c.csv: 1 line without text"),
    ]
    assert [fault.line for fault in landing.locate(found, "row_shape")] == [3, 5, 9]
    assert [fault.line for fault in landing.locate(found, "encoding")] == [8]


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in ("reading", "lines"):
        monkeypatch.setattr(f"sluis.landing.{module}.opener", lambda file: None)
    return


@pytest.mark.usefixtures("blind")
def test_small_files_out_of_sight_are_brought_here(spark: SparkSession, folder: Path) -> None:
    found = read(spark, str(put(folder / "c.csv.gz", gzip.compress(BAD))), columns=AB)
    assert [(fault.kind, fault.line) for fault in found.faults] == [
        ("row_shape", 3),
        ("row_shape", 6),
        ("encoding", 8),
    ]
    assert [fault.line for fault in landing.locate(found, "row_shape")] == [9]


@pytest.mark.usefixtures("blind")
def test_large_files_out_of_sight(spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "FETCHED", 0)
    path = put(folder / "c.csv", BAD)
    found = read(spark, str(path), columns=AB)
    assert [fault.kind for fault in found.faults] == ["row_shape", "row_shape"]
    assert [str(fault) for fault in landing.locate(found, "encoding")] == [
        "c.csv: 1 lines with bytes that are not valid UTF-8"
    ]
    assert landing.locate(found, "row_shape") == ()
    (fault,) = read(spark, str(path), columns=AB, options={"multiLine": True}).faults
    assert "too large to be judged from here" in fault.message


# --- what was validated is what is written -------------------------------------------------------------------------


def touch(path: Path, content: str) -> None:
    """Replace the file by another of a later time, whatever the clock's grain."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    put(path, content)
    os.utime(path, ns=(before + 5_000_000_000, before + 5_000_000_000))


def test_reading_again_names_what_changed(spark: SparkSession, folder: Path) -> None:
    for name in ("1.csv", "2.csv", "3.csv"):
        put(folder / name, "a,b\n1,x\n")
    found = read(spark, str(folder), columns=AB)
    assert reread(spark, found).count() == 3
    landing.unchanged(spark, found)
    (folder / "1.csv").unlink()
    touch(folder / "2.csv", "a,b\n1,y\n")
    put(folder / "4.csv", "a,b\n4,x\n")
    with pytest.raises(SourceError) as error:
        reread(spark, found)
    for text in ("added: ", "4.csv", "removed: ", "1.csv", "changed: ", "2.csv"):
        assert text in error.value.message
    assert "3.csv" not in error.value.message
    with pytest.raises(SourceError):
        landing.unchanged(spark, found)


def test_a_file_that_changes_while_spark_lists_it(
    spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(folder / "c.csv", "a,b\n1,x\n")
    found = read(spark, str(path), columns=AB)
    build = frame.build

    def late(*arguments: Any, **options: Any) -> Any:
        touch(path, "a,b\n2,y\n")
        return build(*arguments, **options)

    monkeypatch.setattr(frame, "build", late)
    with pytest.raises(SourceError, match=r"changed: .*c\.csv"):
        reread(spark, found, pinned=False)


def test_classic_spark_lists_files_when_the_frame_is_made(spark: SparkSession, folder: Path, engine: str) -> None:
    """The reason why every row has to tell its file on Connect alone."""
    path = put(folder / "c.txt", "x\n")
    lines = spark.read.text(str(path)).selectExpr("value", "unix_millis(_metadata.file_modification_time) AS time")
    before = path.stat().st_mtime_ns // 1_000_000
    touch(path, "y\n")
    (line,) = lines.collect()
    assert (line.value, line.time == before) == ("y", engine == "classic")


def stale(spark: SparkSession, folder: Path) -> Landing:
    """A landing whose frame Spark lists anew, after the manifest was taken and the file replaced."""
    path = put(folder / "c.csv", "a,b\n1,x\n")
    found = read(spark, str(path), columns=AB)
    listed = landing.listing(spark, str(path))
    touch(path, "a,b\n2,y\n")
    late = frame.build(
        spark, listed, found.parts, columns=AB, dialect=found.dialect, faults=(), scanned=True, pinned=True
    )
    return Landing(
        source=found.source,
        files=found.files,
        frame=late,
        faults=(),
        columns=found.columns,
        dialect=found.dialect,
        parts=found.parts,
    )


def test_a_file_that_changed_aborts_the_delta_write(spark: SparkSession, folder: Path, tmp_path: Path) -> None:
    table = str(tmp_path / "table")
    good = read(spark, str(put(folder / "good.csv", "a,b\n0,x\n")), columns=AB)
    good.frame.select("a").write.format("delta").save(table)
    late = stale(spark, folder).frame
    for narrow in (late.select("a"), late.selectExpr("'constant' as a")):
        with pytest.raises(Exception) as error:
            narrow.write.format("delta").mode("append").save(table)
        translated = landing.translate(error.value)
        assert isinstance(translated, SourceError)
        assert "changed after it was validated" in translated.message and "c.csv" in translated.message
    with pytest.raises(Exception):  # noqa: B017
        late.count()
    assert spark.sql(f"describe history delta.`{table}`").count() == 1
    assert spark.read.format("delta").load(table).count() == 1


def test_a_file_that_is_gone_is_a_source_error(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", "a,b\n1,x\n")
    found = read(spark, str(path), columns=AB)
    path.unlink()
    with pytest.raises(Exception) as error:
        found.frame.collect()
    translated = landing.translate(error.value)
    assert isinstance(translated, SourceError)
    assert "c.csv" in translated.message


def test_other_errors_are_not_the_landing_files_fault(spark: SparkSession) -> None:
    with pytest.raises(Exception) as error:
        spark.sql("select raise_error('mine')").collect()
    assert landing.translate(error.value) is None


def test_the_second_lock_compares_the_header(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", 'a,b\n1,"x"\n')
    found = read(spark, str(path), columns=AB)
    path.write_text('b,a\n1,"x"\n')
    listed = landing.listing(spark, str(path))
    swapped = frame.build(
        spark, listed, found.parts, columns=AB, dialect=found.dialect, faults=(), scanned=True, pinned=True
    )
    with pytest.raises(Exception) as error:
        swapped.collect()
    assert isinstance(landing.translate(error.value), SourceError)


def test_a_header_that_changed_becomes_a_row_where_lines_are_divided(spark: SparkSession, folder: Path) -> None:
    path = put(folder / "c.csv", "a,b\n1,x\n")
    found = read(spark, str(path), columns=AB)
    path.write_text("b,a\n1,x\n")
    listed = landing.listing(spark, str(path))
    swapped = frame.build(
        spark, listed, found.parts, columns=AB, dialect=found.dialect, faults=(), scanned=True, pinned=True
    )
    assert sorted(map(tuple, swapped.collect())) == [("1", "x", None), ("b", "a", None)], "and so the checksum tells"


LINES = st.lists(
    st.lists(
        st.sampled_from([*"aéß😀\u2028\ufeff\ufffd0-.,;|\t \\'#$^*[", "\x1f", "\x7f", "\x0b", "NULL"]), max_size=9
    ),
    max_size=60,
)


@pytest.mark.parametrize("sep", [",", ";", "|", "\t", "^", "a", "é", "😀", "."])
def test_lines_without_quotes_read_the_same_divided_as_parsed(spark: SparkSession, folder: Path, sep: str) -> None:
    @settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), derandomize=False)
    @given(LINES, st.booleans(), st.booleans())
    def check(lines: list[list[str]], marked: bool, ended: bool) -> None:
        names = ["x", "y z", "q`"]
        # No line that might be blank, of which plain files have none.
        body = [line for each in lines if (line := "".join(each)) and line[0] > " "]
        text = ("\ufeff" if marked else "") + "\n".join([sep.join(names), "1", *body]) + ("\n" if ended else "")
        found = read(spark, str(put(folder / "c.csv", text)), columns=names, options={"sep": sep, "escape": ""})
        assert [part.first_line for part in found.parts] == [sep.join(names)]
        parsed = replace(found, parts=tuple(replace(part, first_line=None) for part in found.parts))
        divided, whole = (sorted(map(tuple, reread(spark, each).collect()), key=repr) for each in (found, parsed))
        assert divided == whole

    check()


def test_a_line_that_repeats_the_header_is_a_record(spark: SparkSession, folder: Path) -> None:
    found = read(spark, str(put(folder / "c.csv", "a,b\n1,2\na,b\n")), columns=AB)
    assert rows(found) == [("1", "2"), ("a", "b")]


def test_without_a_header_the_first_line_is_a_record(spark: SparkSession, folder: Path) -> None:
    found = read(spark, str(put(folder / "c.csv", "1,2\n,4\n5\n")), columns=AB, options={"header": False})
    assert sorted(map(tuple, found.frame.collect()), key=repr) == [
        ("1", "2", None),
        ("5", None, "5"),
        (None, "4", None),
    ]


def test_files_without_a_header_are_read_together(spark: SparkSession, folder: Path) -> None:
    for name in "12":
        put(folder / f"in/{name}.csv", f"{name},x\n")
    found = read(spark, str(folder / "in"), columns=AB, options={"header": False})
    assert rows(found) == [("1", "x"), ("2", "x")]
    assert len(found.parts) == 1, "of a part for each file, hundreds take minutes to plan"


def test_files_of_either_kind_make_one_frame(spark: SparkSession, folder: Path) -> None:
    put(folder / "in/1.csv", "a,b\n1,2\n")
    put(folder / "in/2.csv", 'a,b\n"3",4\n')
    (folder / "in/3.csv.gz").write_bytes(gzip.compress(b"b,a\n6,5\n"))
    found = read(spark, str(folder / "in"), columns=AB)
    assert rows(found) == [("1", "2"), ("3", "4"), ("5", "6")]
    assert sorted(part.first_line or "" for part in found.parts) == ["", "a,b", "b,a"]
