"""The quick look says yes only where the careful one finds nothing."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sluis.landing import examine as careful
from sluis.landing.dialect import Dialect
from sluis.landing.examine import Examined
from sluis.landing.model import SourceFile
from sluis.landing.plain import plain

FILE = SourceFile(path="file:/x.csv", size=1, modified="2026-01-01T00:00:00.000Z")
PIECES = st.sampled_from(
    [
        b"a",
        b"1",
        b",",
        b"\n",
        b"\n\n",
        b" ",
        b"\t",
        b'"',
        b"\r",
        b"\r\n",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xc3\xa9",
        b"\xc3",
        b"\xe2\x80\xa8",
        b"\x1f",
        b"\\",
        b"#",
        b";",
        b"ab,cd",
    ]
)


@given(st.lists(PIECES, max_size=30).map(b"".join), st.integers(1, 7), st.booleans())
@example(b"a\n1\n", 3, False)
@example(b"a,b\n1,2\n\xef\xbb\xbf\n3,4\n", 1, False)
def test_a_plain_file_has_no_faults_that_only_the_careful_look_finds(body: bytes, chunk: int, quoted: bool) -> None:
    dialect = Dialect() if quoted else Dialect(quote="", escape="")

    def look(plain: bool) -> Examined:
        with mock.patch.object(careful, "plain", (lambda *_: None) if not plain else careful.plain):
            return careful.examine(FILE, lambda: io.BytesIO(b"a,b\n" + body), ("a", "b"), dialect, whole=True)

    with mock.patch("sluis.landing.plain.CHUNK", chunk):
        quick = look(True)
        assert replace(quick, first_line=None) == look(False)
    if quick.first_line is not None:
        assert quick.first_line == "a,b"
        assert (b"a,b\n" + body).decode().split("\n").count("a,b") == 1


@pytest.mark.parametrize(
    ("content", "first"),
    [
        ("a,b\n1,2\n", "a,b"),
        ("a,b\n1,2", "a,b"),
        ("a,b", "a,b"),
        ("\ufeffa,b\n1,2\n", "a,b"),
        ("a,b\n1,2\na,b\n", None),
        ("a,b\n1,2\na,b", None),
        ("\ufeffa,b\na,b\n", None),
        ("a,b\n1,2\na,bc\nxa,b\n", "a,b"),
        ("a,b\r\n1,2\r\n", None),
        ('a,b\n"1",2\n', None),
    ],
)
@pytest.mark.parametrize("chunk", [1, 4, 5, 1000])
def test_the_first_line_is_known_where_no_other_is_the_same(content: str, first: str | None, chunk: int) -> None:
    # A header that is longer than a piece is not looked for.
    with mock.patch("sluis.landing.plain.CHUNK", chunk):
        found = plain(lambda: io.BytesIO(content.encode()), Dialect())
    assert found == first or (found is None and chunk < 8)


@pytest.mark.parametrize("set_", [{"trim_leading": True}, {"trim_trailing": True}, {"null_value": "NA"}])
def test_where_more_than_the_separator_counts_the_parser_reads(set_: dict[str, Any]) -> None:
    found = careful.examine(FILE, lambda: io.BytesIO(b"a,b\n1,2\n"), ("a", "b"), Dialect(**set_), whole=True)
    assert (found.readable, found.first_line) == (True, None)


@pytest.mark.parametrize(("columns", "divided"), [(90, True), (91, False)])
def test_wide_files_are_parsed(columns: int, divided: bool) -> None:
    names = [f"c{number}" for number in range(columns)]
    body = ",".join(names).encode() + b"\n" + b",".join([b"x"] * columns) + b"\n"
    found = careful.examine(FILE, lambda: io.BytesIO(body), names, Dialect(), whole=True)
    assert (found.first_line is not None) == divided
