"""One check of the Soda Checks Language (SodaCL), taken apart: what is measured, and what it must be.

Follows SodaCL's own grammar (github.com/sodadata/soda-core, `SodaCLAntlr.g4`), generous with spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from sluis.contract.rules import Operator, Threshold


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A number taken from a table: `missing_percent(email) < 5 %`."""

    metric: str
    """Its name (`missing_percent`)."""

    arguments: tuple[str, ...] = ()
    """What stands in its brackets: columns, mostly."""

    expected: Threshold | None = None
    """What the number must be; None where the check leaves that to its `warn` and `fail`."""


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Values that another table must hold too: `values in (a) must exist in t (b)`."""

    columns: tuple[str, ...]
    """The columns here."""

    to: str
    """The other table."""

    to_columns: tuple[str, ...]
    """The columns there, as many."""


@dataclass(frozen=True, kw_only=True)
class Age:
    """How old the newest row may be: `freshness(loaded_at) < 1d6h`."""

    column: str
    """The column that dates a row."""

    limit: str
    """How long, as the check says it; in SodaCL `m` is a minute."""


Check = Measure | Reference | Age


class NotRead(ValueError):
    """A part of SodaCL that is not read here, or no SodaCL; the message says which."""


def parse(text: str) -> Check:
    """Take a check apart.

    Raises:
        NotRead: it is none of those that are read here.
    """
    bare = text.strip()
    if len(bare) > _LONGEST:
        raise NotRead(f"it has {len(bare)} characters")
    if found := _REFERENCE.fullmatch(bare):
        return _reference(found)
    if found := _FRESHNESS.fullmatch(bare):
        # A cast (`loaded_at::datetime`) tells the database how to read the column; here its type does.
        return Age(column=_name(found["column"]).partition("::")[0], limit=found["limit"].replace("m", "min"))
    if not (found := _MEASURE.fullmatch(bare)):
        raise NotRead("this is not a check that Sluis reads")
    metric, condition = found["metric"], found["condition"]
    percent = metric.endswith("_percent")
    expected = _threshold(condition, percent=percent) if condition else None
    return Measure(metric=metric, arguments=_names(found["arguments"] or ""), expected=expected)


def unless(alert: str, *, percent: bool) -> Threshold:
    """What a number must be for an alert (`when > 10`) to stay silent.

    Raises:
        NotRead: it is no such alert.
    """
    word, _, condition = alert.strip().partition(" ")
    if word != "when":
        raise NotRead("an alert starts with `when`")
    raised = _threshold(condition, percent=percent)
    return replace(raised, operator=_OPPOSITE[raised.operator])


_OPPOSITE: dict[Operator, Operator] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "between": "not between",
    "not between": "between",
}

_LONGEST = 2000
"""Characters of a check: far beyond any real one, and short enough to match in no time."""

_COMPARED: dict[str, Operator] = {"=": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

_NAME = r'(?:"[^"]+"|`[^`]+`|[A-Za-z_][^\s<=>()\[\],]*)'
_NUMBER = r"[-+]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})"
_ARGUMENT = rf"(?:{_NAME}|{_NUMBER})"
_LIST = rf"{_ARGUMENT}(?:\s*,\s*{_ARGUMENT})*"

_MEASURE = re.compile(
    rf"(?P<metric>[A-Za-z_]\w*)\s*(?:\(\s*(?P<arguments>{_LIST})\s*\))?\s*(?P<condition>(?:[<>=!]|not\s|between\s).*)?",
    re.DOTALL | re.ASCII,
)
_REFERENCE = re.compile(
    rf"values\s+in\s+(?P<here>\(\s*{_LIST}\s*\)|{_NAME})\s+must\s+exist\s+in\s+(?P<to>{_NAME})\s*"
    rf"(?P<there>\(\s*{_LIST}\s*\)|\s{_NAME})"
)
_FRESHNESS = re.compile(
    rf"freshness(?:\s+using\s+|\s*\(\s*)(?P<column>{_NAME})\s*\)?\s*<\s*(?P<limit>(?:[0-9]{{1,9}}[dhm]\s*)+)"
)
_COMPARISON = re.compile(rf"(?P<operator><=|>=|<>|!=|=|<|>)\s*(?P<number>{_NUMBER})\s*(?P<percent>%?)")
_BETWEEN = re.compile(
    rf"(?P<negated>not\s+)?between\s+(?P<open>[\[(]?)\s*(?P<low>{_NUMBER})\s*(?P<percent>%?)\s+and\s+"
    rf"(?P<high>{_NUMBER})\s*%?\s*(?P<close>[\])]?)"
)


def _threshold(text: str, *, percent: bool) -> Threshold:
    bare = text.strip()
    if found := _COMPARISON.fullmatch(bare):
        operator, values = _COMPARED[found["operator"]], (Decimal(found["number"]),)
        threshold = Threshold(operator=operator, values=values, percent=percent)
    elif found := _BETWEEN.fullmatch(bare):
        threshold = _between(found, percent=percent)
    else:
        raise NotRead(f"`{bare}` is not a fixed threshold")
    if found["percent"] and not percent:
        raise NotRead("a count is held against a percentage")
    return threshold


def _between(found: re.Match[str], *, percent: bool) -> Threshold:
    if "(" in found["open"] or ")" in found["close"]:
        raise NotRead("round brackets leave the ends of a range out")
    low, high = Decimal(found["low"]), Decimal(found["high"])
    if low > high:
        raise NotRead("the range ends before it starts")
    operator: Operator = "not between" if found["negated"] else "between"
    return Threshold(operator=operator, values=(low, high), percent=percent)


def _reference(found: re.Match[str]) -> Reference:
    here, there = _names(found["here"].strip("()")), _names(found["there"].strip().strip("()"))
    if len(here) != len(there):
        raise NotRead(f"it compares {len(here)} columns with {len(there)}")
    return Reference(columns=here, to=_name(found["to"]), to_columns=there)


def _names(text: str) -> tuple[str, ...]:
    return tuple(_name(name) for name in re.findall(_ARGUMENT, text))


def _name(text: str) -> str:
    return text[1:-1] if text[0] in '"`' else text
