"""YAML as contracts are read: strictly, exactly, with the place of everything; and nothing else for bad input."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from sluis.contract import source, yaml_text
from sluis.errors import ContractError

SHOWN = "c.yaml"


def value(text: str) -> Any:
    return yaml_text.parse(text, SHOWN)[0]


def said(text: str) -> list[str]:
    with pytest.raises(ContractError) as broken:
        value(text)
    return [str(problem) for problem in broken.value.problems]


SCALARS = {
    "no": "no",
    "yes": "yes",
    "On": "On",
    "true": True,
    "False": False,
    "null": None,
    "~": None,
    "": None,
    "12": 12,
    "-3": -3,
    "+1": 1,
    "0": 0,
    "007": "007",
    "1_000": "1_000",
    "0x1F": "0x1F",
    "0o17": "0o17",
    "1.10": Decimal("1.10"),
    "-.5": Decimal("-0.5"),
    "5.": Decimal("5"),
    "1e3": "1e3",
    "1.5e3": "1.5e3",
    "1.5e+3": Decimal("1.5E+3"),
    ".inf": ".inf",
    ".NaN": ".NaN",
    "12:30:00": "12:30:00",
    "2020-01-01": "2020-01-01",
    "2020-01-01 00:00:00": "2020-01-01 00:00:00",
    "'12'": "12",
    '"true"': "true",
    "! 12": "12",
    "!!str 12": "12",
    "!!int 12": 12,
    "!!float 1": 1,
    "!!bool true": True,
    "!!timestamp 2020-01-01": "2020-01-01",
    "=": "=",
    "<<": "<<",
}


@pytest.mark.parametrize("text", SCALARS)
def test_scalars(text: str) -> None:
    found = value(f"a: {text}")["a"]
    assert (found, type(found)) == (SCALARS[text], type(SCALARS[text]))
    if isinstance(found, Decimal):
        assert str(found) == str(SCALARS[text])


def test_merges_and_anchors() -> None:
    assert value("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a, *a]\nd: {<<: [*a, {z: 4}]}\ne: {'<<': 1}") == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": [{"x": 1, "y": 2}] * 2,
        "d": {"x": 1, "y": 2, "z": 4},
        "e": {"<<": 1},
    }


def test_keys_are_text_as_written() -> None:
    assert list(value("on: 1\n1.0: 2\nnull: 3\n2020-01-01: 4\n")) == ["on", "1.0", "null", "2020-01-01"]


BROKEN = [
    ("a: 1\nb: {c: 1, c: 2}\na: 2", ["c.yaml:2:11: $.b.c: `c` stands twice in one object.", "c.yaml:3:1: $.a: `a` stands twice in one object."]),
    ("a: 1\n---\nb: 2", ["c.yaml:2:1: $: holds several documents; a contract is one. Hint: put each in a file of its own."]),
    ("a: &x [*x]", ["c.yaml:1:8: $.a[0]: `*x` stands inside of itself."]),
    ("a: *y", ["c.yaml:1:4: $.a: `*y` is not defined above."]),
    ("a: !mine 1", ["c.yaml:1:4: $.a: has the tag `!mine`; a contract is plain data."]),
    ("a: !!python/object/apply:os.system [ls]", ["c.yaml:1:4: $.a: has the tag `tag:yaml.org,2002:python/object/apply:os.system`; a contract is plain data."]),
    ("a: !!binary aGk=", ["c.yaml:1:4: $.a: has the tag `tag:yaml.org,2002:binary`; a contract is plain data."]),
    ("a: !!int x", ["c.yaml:1:4: $.a: `x` is no `!!int`."]),
    ("? [a]\n: 1", ["c.yaml:1:3: $: a list or an object is no key."]),
    ("a: {<<: 1}", ["c.yaml:1:9: $.a: `<<` merges objects only."]),
    ("a:\n\t- b", ["c.yaml:2:1: $: is not YAML: found character that cannot start any token. Hint: indent with spaces, not with tabs."]),
    ("a: [1", ["c.yaml:2:1: $: is not YAML: did not find expected ',' or ']'."]),
    ("a: 1" + "0" * 500, ["c.yaml:1:4: $.a: says 10000000000000000000…, a number of 501 digits."]),
    ("a: 1.0e+999", ["c.yaml:1:4: $.a: says 1.0e+999, which is out of range."]),
    ("a: \0", ["c.yaml: $: is not YAML: unacceptable character #x0000: control characters are not allowed."]),
    ("[" * 101 + "]" * 101, ["c.yaml:1:101: $: is nested more than 100 levels deep."]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_broken(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_bombs_are_refused_before_they_go_off() -> None:
    names = "abcdefgh"
    wide = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{name}: &{name} [{','.join([f'*{above}'] * 9)}]\n" for above, name in pairwise(names)
    )
    assert "holds more than 500,000 values, aliases counted as often as they are used" in said(wide)[0]
    deep = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 120))
    assert "is nested more than 100 levels deep" in said(deep)[0]


def test_both_parsers_of_pyyaml_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: &x {b: [1, no, '2', 2.50]}\nc: {<<: *x, d: !!str 1}\n"
    fast = yaml_text.parse(text, SHOWN)[0]
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert yaml_text.parse(text, SHOWN)[0] == fast


@given(st.text(max_size=60))
@example("&a a: *a")
@example("- *")
@example('"\\ud800"')
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value(text)
    except ContractError as error:
        assert error.problems


# A writer of YAML 1.1 leaves these bare, and reads them as text.
@example("0E0")
@example("1_000")
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12))  # fmt: skip
def test_what_a_writer_of_yaml_writes_comes_back(stated: Any) -> None:
    text = yaml.safe_dump(stated, allow_unicode=False)
    if "!!" not in text:
        assert value(text) == stated


# Files.


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.yaml", b"a: \xff", "is not UTF-8 (byte 3)"),
        ("c.yaml", "a: 1".encode("utf-16"), "is not UTF-8 (byte 0)"),
        ("c.yaml", b"- 1", "holds a list [1] where an object was expected"),
        ("c.yaml", b"", "holds null where an object was expected"),
        ("c.json", b"a: 1", "is not JSON: Expecting value (line 1, column 1)"),
        ("c.json", b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}", "is nested more than 100 levels deep"),
        ("contract", b'{"a": 1, "a": 2}', "says `a` twice in one object"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ContractError) as broken:
        source.read(tmp_path / name, name)
    assert message in str(broken.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.yaml", b"\xef\xbb\xbfa: x\r\nb: [1]\r\n"),
        ("c.YML", b"a: x\nb: [1]"),
        ("c.json", b'{"a": "x", "b": [1]}'),
        ("contract", b'{"a": "x", "b": [1]}'),
        ("contract", b"a: x\nb: [1]"),
    ],
)
def test_files_that_are_read(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert source.read(tmp_path / name, name).document == {"a": "x", "b": [1]}


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sluis.contract.document.LARGEST", 3)
    (tmp_path / "c.yaml").write_text("a: 1")
    with pytest.raises(ContractError, match="is larger than 3 bytes"):
        source.read(tmp_path / "c.yaml", "c.yaml")


def test_a_problem_has_the_line_of_the_nearest_part(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("a:\n  - b: 1\n    c: 2\n")
    found = source.read(tmp_path / "c.yaml", "c.yaml")
    assert str(found.problem(("a", 0, "c"), "bad")) == "c.yaml:3:5: $.a[0].c: bad."
    assert str(found.problem(("a", 0, "x", 9, "y"), "bad")) == "c.yaml:2:5: $.a[0].x[9].y: bad."
    assert str(found.problem((), "bad")) == "c.yaml: $: bad."
