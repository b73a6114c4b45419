"""The quick look says yes only where the careful one finds nothing."""

from __future__ import annotations

import io
from unittest import mock

from hypothesis import example, given
from hypothesis import strategies as st

from sluis.landing import examine as careful
from sluis.landing.dialect import Dialect
from sluis.landing.model import SourceFile

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

    def look(plain: bool) -> object:
        with mock.patch.object(careful, "plain", (lambda *_: False) if not plain else careful.plain):
            return careful.examine(FILE, lambda: io.BytesIO(b"a,b\n" + body), ("a", "b"), dialect, whole=True)

    with mock.patch("sluis.landing.plain.CHUNK", chunk):
        assert look(True) == look(False)
