"""Forms of text: what the RFCs' own examples and edges say. Java and Python read these expressions the same."""

from __future__ import annotations

import re

import pytest

from sluis.contract.formats import DAYS, FORMATS

LABEL = "a" * 63

CASES: dict[str, tuple[list[str], list[str]]] = {
    "email": (
        [
            "a@b", "jan.de-vries+x@example.nl", "!#$%&'*+/=?^_`{|}~@example.org", '"john..doe"@example.org', '"a@b"@c.d',
            r'"a\"b"@example.org', "x@[127.0.0.1]", "x@[IPv6:2001:db8::1]", f"{'a' * 64}@example.org",
        ],
        [
            "", "a", "a@", "@b", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b c", "a@-b", "a@b_c.nl", "a@@b", f"{'a' * 65}@b",
            "é@example.org", "a@b\n", "a@[256.0.0.1]", "Jan <jan@example.org>", f"a@{'.'.join([LABEL] * 4)}.aa",
        ],
    ),
    "uuid": (
        ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "00000000-0000-0000-0000-000000000000"],
        ["f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "g81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
    ),
    "uri": (
        [
            "ftp://ftp.is.co.za/rfc/rfc1808.txt", "http://www.ietf.org/rfc/rfc2396.txt", "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix", "tel:+1-816-555-1212", "telnet://192.0.2.16:80/",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "http://a/%20?q=1/2#f?", "file:///etc/hosts", "a:",
        ],
        ["", "example.org", "//example.org", "/a/b", "http://a b", "http://[::g]/", "1a:b", "http://a/%2", "http://a#b#c", "http://é.nl", "http://a/\\b"],
    ),
    "url": (["https://example.org", "http://u:p@h:80/a?b#c", "http://[::1]/"], ["mailto:a@b", "https://", "https:///a", "file:///a", "example.org", "http:/a"]),
    "hostname": (
        ["example.org", "1and1.com", "3com", "localhost", "a-b.c", LABEL, ".".join([LABEL, LABEL, LABEL, "a" * 61])],
        ["", "-a", "a-", "a..b", "a.", ".a", "a_b", "é.nl", LABEL + "a", ".".join([LABEL] * 4), "a b"],
    ),
    "ipv4": (["0.0.0.0", "127.0.0.1", "255.255.255.255"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5", "1.2.3.4 ", "0x1.2.3.4", "١.2.3.4"]),
    "ipv6": (
        ["::", "::1", "1::", "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8", "::ffff:129.144.52.38", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "FF01::101"],
        ["", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1%eth0", "1:2:3:4:5:6:7:1.2.3.4", "::256.1.1.1", "1:2:3:4::5:6:7:8", "[::1]"],
    ),
    "byte": (["QQ==", "Zm8=", "Zm9v", "Zm9vYg==", "+/+/"], ["QQ", "QR==", "Zm9=", "Q===", "Zm 9v", "_-_-", "Zm9v\n"]),
    "date": (["2025-01-31", "0001-12-01"], ["2025-1-31", "2025-13-01", "2025-01-32", "2025-01-31Z", "2025-01-31\n"]),
    "date-time": (["1985-04-12T23:20:50.52Z", "1996-12-19t16:39:57-08:00"], ["1985-04-12 23:20:50Z", "1985-04-12T23:20:50", "1985-04-12T24:00:00Z", "1985-04-12T23:20Z", "1985-04-12T23:20:50+0100"]),
    "time": (["23:20:50.52Z", "16:39:57-08:00"], ["23:20:50", "24:00:00Z", "23:60:00Z", "23:20Z"]),
    "duration": (["P1Y", "P1Y2M3DT4H5M6S", "PT36H", "P4W", "PT0.5S", "P1DT12H"], ["P", "PT", "P1", "1D", "P1YT", "P1W2D", "PT1D", "P-1D"]),
}  # fmt: skip


def has(name: str, text: str) -> bool:
    # Python's last anchor has another letter; the rest of the syntax that is used here is shared.
    return re.search(FORMATS[name].replace(r"\z", r"\Z"), text) is not None


def test_every_form_is_shown_here() -> None:
    assert set(CASES) == set(FORMATS)
    assert set(FORMATS) >= DAYS


@pytest.mark.parametrize("name", FORMATS)
def test_what_has_the_form(name: str) -> None:
    good, bad = CASES[name]
    assert [text for text in good if not has(name, text)] == []
    assert [text for text in bad if has(name, text)] == []
