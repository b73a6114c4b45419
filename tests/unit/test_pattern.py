"""ECMA-262 → Java: what is translated, what is refused, and that nothing else ever comes out.

Meaning was cross-checked by hand once: 80,000 random expressions, each on 26 texts, gave the same answers in Node
(with the `u` flag) and in `java.util.regex` after translation.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.contract.pattern import PatternError, recurses, to_java

ANY = r"[^\n\r\u2028\u2029]"


@pytest.mark.parametrize(
    ("ecma", "java"),
    [
        ("", ""),
        ("^TX-[0-9]{6}$", r"^TX-[0-9]{6}\z"),
        ("^(prospect|active)$", r"^(prospect|active)\z"),
        (".*", f"{ANY}*"),
        ("a+?b*?c??d{2,3}?", "a+?b*?c??d{2,3}?"),
        ("a{2}b{2,}", "a{2}b{2,}"),
        ("(?:a)(?=b)(?!c)", "(?:a)(?=b)(?!c)"),
        ("(?<year>a)(?<month_2>b)", "(a)(b)"),
        (r"\d\D\w\W", r"\d\D\w\W"),
        (r"\.\*\[\]\{\}\(\)\^\$\|\?\+\\", r"\.\*\[\]\{\}\(\)\^\$\|\?\+\\"),
        (r"\/\-\@\_\ ", "/-@_ "),
        (r"\t\n\v\f\r\0", r"\x{9}\x{A}\x{B}\x{C}\x{D}\x{0}"),
        (r"\cJ\cj", r"\x{A}\x{A}"),
        (r"\x41\u0042\u{43}", "ABC"),
        (r"\u{1F600}\uD83D\uDE00😀", r"\x{1F600}\x{1F600}\x{1F600}"),
        ("é\u2028", r"\x{E9}\x{2028}"),
        (r"\p{L}\P{Lu}\p{Letter}\p{gc=Nd}\p{General_Category=Number}", r"\p{L}\P{Lu}\p{L}\p{Nd}\p{N}"),
        (r"\p{Alpha}\p{Lowercase}\p{ASCII}", r"\p{IsAlphabetic}\p{IsLowercase}\p{ASCII}"),
        (r"\p{Script=Greek}\p{sc=Han}", r"\p{IsGreek}\p{IsHan}"),
        ("[a-z0-9_.-]", r"[a-z0-9_.\-]"),
        ("[^a]", "[^a]"),
        ("[a&&b]", r"[a\&\&b]"),
        ("[[a]", r"[\[a]"),
        (r"[a^\]\\]", r"[a\^\]\\]"),
        ("[-a]", r"[\-a]"),
        ("[a-z-9]", r"[a-z\-9]"),
        ("[--/]", r"[\--/]"),
        (r"[\b]", r"[\x{8}]"),
        (r"[\d\p{Lu}]", r"[\d\p{Lu}]"),
        (r"[\x41-\u{5A}]", "[A-Z]"),
        ("[.$(){1}*?|]", "[.$(){1}*?|]"),
    ],
)
def test_translation(ecma: str, java: str) -> None:
    assert to_java(ecma) == java


def test_space_is_spelt_out_inside_and_outside_of_a_class() -> None:
    assert to_java(r"\s").startswith(r"[\t\n\x0B\f\r \u00A0")
    assert to_java(r"[\s]") == to_java(r"\s")
    assert to_java(r"[\S]") == to_java(r"\S")
    assert to_java(r"[^\S]") == to_java(r"\S").replace("[", "[^", 1)


def test_word_edges_are_those_of_ascii() -> None:
    edge = to_java(r"\b")
    assert re.sub(edge, "|", "a-b é") == "|a|-|b| é"
    assert to_java(r"\B") == edge.replace("(?:", "(?!", 1)


@pytest.mark.parametrize(
    ("ecma", "reason"),
    [
        ("(", "a `(` has no `)`"),
        (")", "a `)` has no `(`"),
        ("[a", "a `[` has no `]`"),
        ("[a\\]", "a `[` has no `]`"),
        ("a\\", "`\\` has no meaning in ECMA-262 that Java shares"),
        ("a}", "a lone `}` must be written `\\}`"),
        ("a{,2}", "a lone `{` must be written `\\{`"),
        ("]", "a lone `]` must be written `\\]`"),
        ("[]", "`[]` means something else in Java"),
        ("[^]", "`[^]` means something else in Java"),
        ("*a", "nothing to repeat before `*`"),
        ("a++", "nothing to repeat before `+`"),
        ("a*??", "nothing to repeat before `?`"),
        ("^*", "nothing to repeat before `*`"),
        ("(?=a)*", "nothing to repeat before `*`"),
        (r"\b+", "nothing to repeat before `+`"),
        ("a|?", "nothing to repeat before `?`"),
        ("a{2,1}", "`{2,1}` counts backwards or too far"),
        ("a{99999999999}", "`{99999999999}` counts backwards or too far"),
        ("(?i)a", "`(?i…` opens no group that ECMA-262 and Java share (flags inside a pattern are not)"),
        ("(?>a)", "`(?>…` opens no group that ECMA-262 and Java share (flags inside a pattern are not)"),
        ("(?", "`(?…` opens no group that ECMA-262 and Java share (flags inside a pattern are not)"),
        ("(?<=a)b", "`(?<=…`: Java looks behind only so far, and through half of some characters"),
        ("(?<!a)b", "`(?<!…`: Java looks behind only so far, and through half of some characters"),
        ("(?<a>b)(?<a>c)", "`(?<a>` names two groups"),
        (r"(a)\1", r"`\1`: Java reads back-references (and octal numbers) differently"),
        (r"(?<n>a)\k<n>", r"`\k<n>`: Java reads back-references (and octal numbers) differently"),
        (r"\01", r"`\01`: Java reads back-references (and octal numbers) differently"),
        (r"\z", r"`\z` has no meaning in ECMA-262 that Java shares"),
        (r"\Qa\E", r"`\Q` has no meaning in ECMA-262 that Java shares"),
        (r"\x4", r"`\x` has no meaning in ECMA-262 that Java shares"),
        (r"\é", r"`\é` has no meaning in ECMA-262 that Java shares"),
        (r"[\B]", r"`\B` has no meaning in ECMA-262 that Java shares"),
        (r"\uD800", r"`\uD800` is no character"),
        (r"\u{110000}", r"`\u{110000}` is no character"),
        ("[z-a]", "`z-a` is not a range of characters"),
        (r"[\d-z]", r"`\d-z` is not a range of characters"),
    ],
)
def test_refusal(ecma: str, reason: str) -> None:
    with pytest.raises(PatternError) as refused:
        to_java(ecma)
    assert str(refused.value) == reason


@pytest.mark.parametrize("unknown", [r"\p{Klingon}", r"\p{Script=Klingon}", r"\p{L1}", r"\p{IsLatin}", r"\p{}"])
def test_an_unknown_property_lists_what_is_known(unknown: str) -> None:
    with pytest.raises(PatternError, match=r"known are a general category .* and `Script=` Arabic, "):
        to_java(unknown)


TOKENS = [
    *"ab0 _-é😀.^$|*+?()[]{}\\/&~#\n",
    *(r"\d", r"\W", r"\s", r"\S", r"\b", r"\B", r"\1", r"\0", r"\cA", r"\u{1F600}", r"\uD83D", r"\p{L}", r"\p{", "(?:"),
    *("(?=", "(?<=", "(?<n>", "(?i)", "{2}", "{2,1}", "{9,}", "[^", "-z", "&&"),
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(TOKENS)).map("".join)))
def test_any_text_is_translated_or_refused(pattern: str) -> None:
    try:
        java = to_java(pattern)
    except PatternError as refused:
        assert str(refused)
    else:
        assert java.isascii()


SHARED = st.recursive(
    st.sampled_from(["a", "b", "Z", "0", "-", " ", "[ab]", "[^a-z]", "[0-9_-]", ".", r"\d", r"\W", r"\b", r"\x41"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "*?"])).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        inner.map(lambda one: f"^{one}$"),
        inner.map(lambda one: f"(?={one})"),
    ),
    max_leaves=6,
)  # fmt: skip
ASCII = st.text(alphabet=st.characters(max_codepoint=127), max_size=8)


@given(SHARED, ASCII)
def test_where_python_reads_alike_the_translation_matches_alike(pattern: str, text: str) -> None:
    # Python's `$` and `.` mind newlines in their own way, so that it is told what ECMA-262 means by them.
    own = re.sub(r"(?<!\\)\$", r"\\Z", re.sub(r"(?<!\\)\.", r"[^\\n\\r]", pattern))
    translated = to_java(pattern).replace(r"\z", r"\Z")
    assert bool(re.search(own, text, re.ASCII)) == bool(re.search(translated, text, re.ASCII))


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (r"^(a|b)*$", True),
        (r"^\w+(\s\w+)*$", True),
        (r"^([a-z]+,){2,}$", True),
        (r"^((a|b){2})+$", True),
        (r"^[a-z]+$", False),
        (r"^(?:[A-Z]{4})*x$", False),
        (r"^(a|b)?$", False),
        (r"^(a|bc){2,9}$", False),
        (r"^[(|]*(\(|x)$", False),
    ],
)
def test_what_takes_stack_with_every_round(stated: str, expected: bool) -> None:
    assert recurses(to_java(stated)) is expected
