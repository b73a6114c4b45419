"""Well-known forms of text: the names that `Format` rules use, each with the grammar that defines it.

The expressions are Java's (as `RLIKE` reads them), made from the grammars of the RFCs; they match the whole text.
"""

from __future__ import annotations

_HEX = "[0-9A-Fa-f]"

# RFC 1123 §2.1 on RFC 952: labels of letters, digits and inner hyphens, 63 octets each, 253 in all.
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOSTNAME = rf"(?=.{{1,253}}\z){_LABEL}(?:\.{_LABEL})*+"

# RFC 3986 §3.2.2: four decimal octets without leading zeros.
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"

_GROUP = f"{_HEX}{{1,4}}"
_LAST = rf"(?:{_GROUP}:{_GROUP}|{_IPV4})"


def _ipv6() -> str:
    """RFC 3986 §3.2.2 `IPv6address` (RFC 4291 §2.2): eight groups, of which `::` leaves out one run."""
    forms = [f"(?:{_GROUP}:){{6}}{_LAST}"]
    for after in range(5, -1, -1):
        forms.append(f"{_before(5 - after)}::(?:{_GROUP}:){{{after}}}{_LAST}")
    return "|".join([*forms, f"{_before(6)}::{_GROUP}", f"{_before(7)}::"])


def _before(most: int) -> str:
    """At most so many groups, the last without its colon."""
    return "" if most == 0 else f"(?:(?:{_GROUP}:){{0,{most - 1}}}{_GROUP})?"


# RFC 3986, appendix A.
_UNRESERVED = r"A-Za-z0-9._~\-"
_DELIMS = "!$&'()*+,;="
_ENCODED = f"%{_HEX}{{2}}"
_PCHAR = f"(?:[{_UNRESERVED}{_DELIMS}:@]|{_ENCODED})"
_AUTHORITY = (
    rf"(?:(?:[{_UNRESERVED}{_DELIMS}:]|{_ENCODED})*+@)?"
    rf"(?:\[(?:{_ipv6()}|[vV]{_HEX}+\.[{_UNRESERVED}{_DELIMS}:]+)\]|(?:[{_UNRESERVED}{_DELIMS}]|{_ENCODED})*+)"
    r"(?::[0-9]*)?"
)
_PATH = rf"(?://{_AUTHORITY}(?:/{_PCHAR}*+)*+|/(?:{_PCHAR}++(?:/{_PCHAR}*+)*+)?|{_PCHAR}++(?:/{_PCHAR}*+)*+|)"
_REST = rf"(?:\?(?:{_PCHAR}|[/?])*+)?(?:\#(?:{_PCHAR}|[/?])*+)?"
_URI = rf"[A-Za-z][A-Za-z0-9+.-]*+:{_PATH}{_REST}"
_URL = rf"[A-Za-z][A-Za-z0-9+.-]*+://(?=[^/?\#]){_AUTHORITY}(?:/{_PCHAR}*+)*+{_REST}"

# RFC 5321 §4.1.2 `Mailbox`, with §4.5.3.1's limits (64 octets before the at, 255 after it).
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~])*+"'
_DOMAIN = rf"(?=.{{1,255}}\z)(?:{_LABEL}(?:\.{_LABEL})*+|\[(?:{_IPV4}|IPv6:(?:{_ipv6()}))\])"
_EMAIL = rf"(?:(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*+|(?={_QUOTED}@)(?=.{{1,64}}@[^@]*\z){_QUOTED})@{_DOMAIN}"

# RFC 3339 §5.6; whether the day is on the calendar is asked of the type of that name.
_DATE = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
# A minute may have a leap second (RFC 3339, 5.7).
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
_OFFSET = "(?:[zZ]|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])"

# RFC 3339, appendix A (ISO 8601), of which a part must be there.
_SPAN = (
    "P(?=[0-9T])(?:[0-9]+W|(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?"
    "(?:T(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:[.][0-9]+)?S)?)?)"
)

_BASE64 = "(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"

_GRAMMARS = {
    "email": _EMAIL,
    "uuid": f"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}",  # RFC 9562 §4, of any version
    "uri": _URI,
    "url": _URL,  # a URI with an authority that is not empty
    "hostname": _HOSTNAME,
    "ipv4": _IPV4,
    "ipv6": _ipv6(),
    "byte": _BASE64,  # RFC 4648 §4, padded, no spare bits
    "date": _DATE,
    "date-time": rf"{_DATE}[Tt]{_CLOCK}{_OFFSET}",
    "time": rf"{_CLOCK}{_OFFSET}",
    "duration": _SPAN,
}

FORMATS = {name: rf"\A(?:{grammar})\z" for name, grammar in _GRAMMARS.items()}
"""Name of a form → a Java expression that is true of text that has it."""

DAYS = frozenset({"date", "date-time"})
"""Forms that start with a day, which must be on the calendar."""

NO_DEMAND = frozenset({"password", "binary"})
"""Names that ODCS lists as forms and that demand nothing of the text."""
