"""An entity's reader options: what is accepted, and what is said about the rest."""

from __future__ import annotations

import pytest

from sluis.landing import check_options
from sluis.landing.dialect import Dialect, parse_options, spark_options


def test_rfc_4180_without_any() -> None:
    options = spark_options(parse_options({}), columns=3)
    assert (options["sep"], options["quote"], options["escape"], options["header"]) == (",", '"', '"', "true")
    assert (options["columnPruning"], options["enforceSchema"], options["inferSchema"]) == ("false", "false", "false")
    assert (options["mode"], options["multiLine"]) == ("PERMISSIVE", "false")


def test_every_option_is_understood_in_any_case_and_as_text() -> None:
    options = {
        "Delimiter": ";",
        "quote": "'",
        "charset": "CP1252",
        "HEADER": "False",
        "multiline": True,
        "comment": "#",
        "nullValue": "NA",
        "lineSep": "|",
        "ignoreLeadingWhiteSpace": "true",
    }
    assert parse_options(options) == Dialect(
        sep=";",
        quote="'",
        escape="'",
        encoding="cp1252",
        header=False,
        multi_line=True,
        comment="#",
        null_value="NA",
        line_sep="|",
        trim_leading=True,
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seperator": ";"}, "unknown option 'seperator'; did you mean 'sep'?"),
        ({"multiLines": True}, "unknown option 'multiLines'; did you mean 'multiLine'?"),
        ({"sep": "||"}, "option 'sep' must be one character, not '||'"),
        ({"sep": 1}, "option 'sep' must be one character, not 1"),
        ({"header": "maybe"}, "option 'header' must be true or false, not 'maybe'"),
        ({"encoding": "uft-8"}, "option 'encoding' names 'uft-8', which is no known encoding; did you mean 'utf-8'?"),
        ({"sep": ";", "delimiter": ","}, "options 'sep' and 'delimiter' say the same thing; keep one"),
        ({"sep": '"'}, "options 'sep' and 'quote' are the same character '\"'"),
        ({"sep": "\n"}, "option 'sep' must not be a line break or a backslash, which Spark refuses"),
        ({"sep": "\\"}, "option 'sep' must not be a line break or a backslash, which Spark refuses"),
    ],
)
def test_problems(options: dict[str, object], told: str) -> None:
    assert told in check_options(options)


def test_an_unknown_option_without_a_near_one_lists_what_is_known() -> None:
    (told,) = check_options({"mode": "FAILFAST"})
    assert told.startswith("unknown option 'mode'")


def test_all_problems_at_once() -> None:
    assert len(check_options({"zzzz": 1, "sep": "", "header": 3})) == 3


@pytest.mark.parametrize("name", ["utf-8", "UTF-16LE", "latin1", "windows-1252", "iso-8859-7", "koi8-r", "us-ascii"])
def test_encodings(name: str) -> None:
    assert check_options({"encoding": name}) == []


@pytest.mark.parametrize("name", ["shift_jis", "gb18030", "cp037", "base64"])
def test_encodings_that_cannot_be_read_exactly_are_refused(name: str) -> None:
    (told,) = check_options({"encoding": name})
    assert "not supported" in told or "no known encoding" in told
