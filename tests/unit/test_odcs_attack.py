"""Whatever is done to a contract: it is read, or refused with problems; nothing else comes out."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sluis.contract import odcs, reading, source
from sluis.contract.local_files import Place
from sluis.contract.source import Source
from sluis.errors import ContractError

FOLDER = Path(__file__).parents[1] / "data" / "contracts" / "odcs"
FILES = [
    path for path in sorted(FOLDER.glob("*.yaml")) if path.stat().st_size < 12_000 and "duplicate-key" not in path.name
]
DOCUMENTS = [source.read(path, path.name).document for path in FILES]

JUNK: list[Any] = [
    *(None, True, False, 0, -1, 10**30, Decimal("1E+300"), Decimal("0.5"), Decimal("-0"), "", " ", "x", "\0", "a.b"),
    *("${x}", "no", "2020-01-01", "SELECT 1", "(", "a" * 3000, "o'o", "#", "map", "array", "object", "timestamp", "date"),
    *("decimal(99,2)", "array<", "struct<a:int", "varchar(0)", "{object}", "file.yaml#schema/a", "http://x/y.yaml#a/b"),
    *("v3.2.0", "v3.0.0", "v2.2.2", "sql", "library", "custom", "great-expectations", "soda", "foreignKey"),
    *([], {}, [None], [[]], [{}], {"a": None}, ["a", "a"], {"name": "x"}, [1, 2], [2, 1]),
]  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the parts of a document stand."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(inner, (*at, key))


KEYS = sorted({at[-1] for document in DOCUMENTS for at in places(document) if isinstance(at[-1], str)})
PLACES = [list(places(document)) for document in DOCUMENTS]


def part(document: Any, at: tuple[Any, ...]) -> Any:
    for step in at:
        document = document[step]
    return document


def change(document: Any, data: st.DataObject) -> None:
    """Take something away, put something else in its place, or add a key."""
    found = list(places(document))
    if not found:
        return
    *way, key = data.draw(st.sampled_from(found))
    holder = part(document, tuple(way))
    what = data.draw(st.sampled_from(["away", "junk", "other", "key"]))
    if what == "away":
        del holder[key]
    elif what == "junk":
        holder[key] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
    else:
        index = data.draw(st.integers(0, len(DOCUMENTS) - 1))
        stranger = copy.deepcopy(part(DOCUMENTS[index], data.draw(st.sampled_from(PLACES[index]))))
        if what == "key" and isinstance(holder, dict):
            key = data.draw(st.sampled_from(KEYS))
        holder[key] = stranger


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_changed_document(data: st.DataObject) -> None:
    document = copy.deepcopy(data.draw(st.sampled_from(DOCUMENTS)))
    for _ in range(data.draw(st.integers(1, 4))):
        change(document, data)
    before = copy.deepcopy(document)
    try:
        opened = odcs.Opened(Source(document=document, shown="c.yaml"), Place(file=Path("c.yaml"), shown="c.yaml"))
        for name in opened.names[:2]:
            contract = opened.read(name)
            assert len({rule.id for rule in contract.rules}) == len(contract.rules)
    except ContractError as error:
        assert error.problems
        assert all(problem.message.endswith(".") and problem.path.startswith("$") for problem in error.problems)
    # A reader changes nothing: the fingerprint is of what the file says.
    assert document == before


BYTES = [
    *(b"\t", b"\r\n", b"\r", b"\xef\xbb\xbf", b"\xff\xfe", b"&a ", b"*a", b"<<: *a\n", b"!!set ", b"!mine ", b"? ", b"- ", b": "),
    *(b"---\n", b"...\n", b"{", b"}", b"[", b"]", b'"', b"'", b"|", b">", b"#", b"%YAML 1.1\n", b"\0", b"\xc3\x28", b"no", b"~"),
    *(b"0x10", b"1e999", b".nan", b"9" * 500, b'"\\ud800"', b'"\\0"', b"\xe2\x80\xa8", b"`", b"null", b"2020-01-01", b"&x [*x]"),
]  # fmt: skip


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_changed_text(data: st.DataObject, tmp_path_factory: Any) -> None:
    text = bytearray(data.draw(st.sampled_from(FILES)).read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 20))
        text[at : at + gone] = data.draw(st.sampled_from(BYTES) | st.binary(max_size=2))
    file = tmp_path_factory.getbasetemp() / "changed.yaml"
    file.write_bytes(text)
    try:
        opened = reading.open_document(file, "changed.yaml")
        for name in opened.names[:1]:
            opened.read(name)
    except ContractError as error:
        assert error.problems
