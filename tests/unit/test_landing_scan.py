"""What is found in the text of a file before Spark reads it; no Spark here."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.landing.content import Reader
from sluis.landing.dialect import Dialect, parse_options
from sluis.landing.record import clean, parse
from sluis.landing.scan import BLANK, BROKEN, LIMIT, MIXED, NUL_QUOTE, WHITE, Scan, blocks

LINES = Dialect()
WHOLE = Dialect(multi_line=True)


def scan(text: str, dialect: Dialect = LINES, *, single: bool = False) -> list[tuple[int, str]]:
    done = Scan(dialect=dialect, single=single)
    done.run([text])
    return [(finding.line, finding.message) for finding in done.findings]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,x\n",
        'a,b\n1,"x"\n2,"say ""hi"""\n3,""\n"",""\n',
        'a,b\r\n1,"x"\r\n',
        "a,b\n1,x\n\n\n2,y\n\n",
        'a,b\n1,"x,y"',
        'a\tb\n"x',
    ],
)
def test_what_is_by_the_letter_is_not_a_finding(text: str) -> None:
    dialect = Dialect(sep="\t", quote="", escape="") if "\t" in text else LINES
    assert scan(text, dialect) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('1,"x', BROKEN),
        ('1,"', BROKEN),
        ('1,"a"b"', "text after a closing quote"),
        ('1,"abc"def', "text after a closing quote"),
        ('1,"x" ', "text after a closing quote"),
        ('1,ab"c', "a quote inside a field that does not begin with one"),
        ("  ", WHITE),
        ("\t", WHITE),
    ],
)
def test_what_spark_would_change_in_silence_is_named_with_its_line(line: str, message: str) -> None:
    assert scan(f"a,b\n0,ok\n{line}\n2,ok\n") == [(3, message)]


def test_a_space_before_a_quote_is_a_finding_unless_it_is_to_be_dropped() -> None:
    text = 'a,b\n1, "x,y"\n'
    assert [line for line, message in scan(text) if "ignoreLeadingWhiteSpace" in message] == [2]
    assert scan(text, Dialect(trim_leading=True)) == []


def test_a_record_cut_by_a_line_break_is_named_once() -> None:
    assert scan('a,b\n1,"x\ny"\n2,z\n3,"u\nv\nw"\n') == [(2, BROKEN), (5, BROKEN)]
    assert scan('a,b\n1,"x\ny"\n2,z\n', WHOLE) == []


def test_a_quote_that_is_never_closed_is_found_where_it_opens() -> None:
    assert scan('a,b\n0,"ok\nok"\n1,"abc\n2,x\n3,y\n', WHOLE) == [(4, "a quote is opened and never closed")]


@pytest.mark.parametrize("text", ["a,b\r\n1,x\n2,y\r\n", "a,b\n1,x\r\n", "a,b\n3,z\r4,w\n", 'a\r\n"x\ny"\nz\r\n'])
def test_mixed_line_ends_are_a_finding_only_where_spark_reads_the_file_whole(text: str) -> None:
    assert scan(text, WHOLE) == [(1, MIXED)]
    if '"' not in text:
        assert scan(text) == []


@pytest.mark.parametrize(
    ("text", "end"),
    [('a,b\r\n1,"x\ny"\r\n', "\r\n"), ('"a\nb",c\r\n1,2\r\n', "\r\n"), ('a\r"x\r\ny"\r', "\r"), ("a,b", "\n")],
)
def test_the_line_end_outside_quotes_is_what_spark_is_told(text: str, end: str) -> None:
    done = Scan(dialect=WHOLE)
    done.run([text])
    assert (done.findings, done.line_end) == ([], end)


def test_an_empty_line_could_be_a_record_only_of_one_column_and_before_another_record() -> None:
    assert scan("a\n1\n\n2\n", single=True) == [(3, BLANK)]
    assert scan("a\n1\n\n2\n", WHOLE, single=True) == [(3, BLANK)]
    assert scan("a\n1\n\n\n", single=True) == []
    assert scan("a,b\n1,2\n\n3,4\n") == []


def test_a_nul_is_a_quote_for_spark_where_quoting_is_off() -> None:
    off = Dialect(sep="\t", quote="", escape="")
    assert scan("a\tb\n\x00x\t1\n", off) == [(2, NUL_QUOTE)]


def test_comment_lines_are_not_judged() -> None:
    dialect = Dialect(comment="#")
    assert scan('#"\na,b\n# "x\n1,x\n', dialect) == []
    assert scan('#"\na,b\n# "x\n1,x\n', Dialect(comment="#", multi_line=True)) == []


def test_backslash_dialect() -> None:
    dialect = parse_options({"escape": "\\"})
    assert scan('a,b\n1,"say \\"hi\\""\n2,"c:\\\\"\n', dialect) == []
    assert scan('a,b\n1,"say ""hi"""\n', dialect) == [(2, "text after a closing quote")]
    assert scan('a,b\n1,"x\\",2\n', dialect) == [(2, BROKEN)]


def test_findings_are_bounded() -> None:
    assert len(scan("a,b\n" + '1,"x\n2,"y"z\n' * 100)) == LIMIT


FIELD = st.text(alphabet='ab,"\n\r x', max_size=6)


@given(st.lists(st.lists(FIELD, min_size=2, max_size=3), min_size=1, max_size=5), st.integers(1, 7))
def test_what_the_csv_module_writes_is_clean_and_read_back_whatever_the_pieces(
    records: list[list[str]], size: int
) -> None:
    text = "".join(",".join('"' + field.replace('"', '""') + '"' for field in record) + "\n" for record in records)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    done = Scan(dialect=WHOLE)
    done.run(pieces)
    assert done.findings == []
    assert "".join(blocks(pieces, WHOLE)) == text
    position, seen = 0, []
    while position < len(text):
        record = parse(text, position, WHOLE)
        seen.append(list(record.fields))
        position = record.end
    assert seen == records


@given(st.text(alphabet='a,"\n ', max_size=30))
def test_the_quick_look_and_the_close_one_agree(text: str) -> None:
    for dialect in (LINES, Dialect(trim_leading=True, trim_trailing=True), parse_options({"escape": "a"})):
        quick = clean(dialect).fullmatch(text + "\n") is not None
        close = all(not parse(line, 0, dialect).problem for line in text.split("\n"))
        assert quick == close


@given(st.text(max_size=50), st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-32", "cp1252"]))
def test_text_survives_decoding_in_pieces(text: str, encoding: str) -> None:
    data = text.encode(encoding, "ignore")
    reader = Reader(stream=io.BytesIO(data), dialect=Dialect(encoding=encoding), bad_lines=[])
    assert "".join(reader.pieces()) == data.decode(encoding).removeprefix("\ufeff")
    assert reader.bad_lines == []


def test_bad_bytes_are_told_from_a_real_replacement_character() -> None:
    data = b"a\n\xef\xbf\xbd\r\nok\rb\xff\n"
    reader = Reader(stream=io.BytesIO(data), dialect=LINES, bad_lines=[])
    assert "".join(reader.pieces()) == data.decode("utf-8", "replace")
    assert reader.bad_lines == [4]


def test_importing_landing_does_not_import_pyspark() -> None:
    code = "import sys, sluis.landing; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
