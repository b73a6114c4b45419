"""Service levels that a table can be held to: which rule each becomes, and what it means at a moment."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from sluis.contract.durations import Duration, Unit, in_words
from sluis.contract.levels import judged
from sluis.contract.logical import Date, LogicalType, String, Timestamp
from sluis.contract.model import ServiceLevel
from sluis.contract.notes import Notes
from sluis.contract.promises import Freshness, Latency, Retention, Written
from sluis.contract.source import Source
from sluis.suite.promised import before

TYPES: dict[str, LogicalType] = {"at": Timestamp(), "day": Date(), "name": String()}
AT = ("levels", "one")


def made(kind: str, *columns: str, value: str | None = "2", unit: str = "second") -> tuple[ServiceLevel, Notes]:
    notes = Notes(Source(document={"levels": {"one": 1}}, shown="c.yaml"))
    notes.parts(("levels",))
    notes.documentation(AT)
    number = Decimal(value) if value else None
    level = ServiceLevel(kind=kind, value=number, unit=unit, columns=columns, path="$.levels.one")
    return judged(level, "goods", TYPES, AT, notes), notes


@pytest.mark.parametrize(
    ("kind", "columns", "rule", "name"),
    [
        ("freshness", ("at",), Freshness, "goods.at.freshness"),
        ("latency", ("day",), Freshness, "goods.day.latency"),
        ("latency", ("day", "at"), Latency, "goods.at.latency"),
        ("retention", ("day",), Retention, "goods.day.retention"),
        ("freshness", (), Written, "goods.freshness"),
        ("frequency", (), Written, "goods.frequency"),
    ],
)
def test_a_level_has_a_rule_and_the_ledger_says_so(kind: str, columns: tuple[str, ...], rule: type, name: str) -> None:
    level, notes = made(kind, *columns)
    assert type(level.rule) is rule
    assert level.rule is not None
    assert level.rule.id == name
    [_, entry] = notes.entries([])
    assert (entry.status, entry.note) == ("enforced", f"`sluis test`, rule {name}")


@pytest.mark.parametrize(
    ("kind", "columns", "value", "unit"),
    [
        ("retention", (), "2", "second"),
        ("availability", (), "99", "percent"),
        ("freshness", ("at",), None, "second"),
        ("timeToRepair", (), "2", "second"),
        ("retention", (), None, "unlimited"),
    ],
)
def test_what_no_table_tells_only_informs(kind: str, columns: tuple[str, ...], value: str | None, unit: str) -> None:
    level, notes = made(kind, *columns, value=value, unit=unit)
    assert level.rule is None
    assert [entry.status for entry in notes.entries([])][1:] == ["documentation"]


def test_what_cannot_be_measured_is_unsupported() -> None:
    for level, notes in (made("freshness", "name"), made("retention", "at", value="1.5", unit="month")):
        assert level.rule is None
        assert [entry.status for entry in notes.entries([])][1:] == ["unsupported"]


NOW = datetime(2026, 3, 31, 12, 0, 0, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "unit", "then"),
    [
        ("90000", "second", datetime(2026, 3, 30, 11, 0, 0, 5, tzinfo=UTC)),
        ("0.000005", "second", datetime(2026, 3, 31, 12, tzinfo=UTC)),
        ("1", "month", datetime(2026, 2, 28, 12, 0, 0, 5, tzinfo=UTC)),
        ("3", "month", datetime(2025, 12, 31, 12, 0, 0, 5, tzinfo=UTC)),
        ("2", "year", datetime(2024, 3, 31, 12, 0, 0, 5, tzinfo=UTC)),
        ("99999999", "year", datetime(1, 1, 1, tzinfo=UTC)),
        ("999999999999", "second", datetime(1, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_span_before_a_moment(value: str, unit: Unit, then: datetime) -> None:
    assert before(NOW, Duration(value=Decimal(value), unit=unit)) == then


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        ("90000", "second", "25 hours"), ("86400", "second", "1 day"), ("90", "second", "90 seconds"),
        ("0.5", "second", "0.5 seconds"), ("1", "year", "1 year"), ("18", "month", "18 months"),
    ],
)  # fmt: skip
def test_a_span_in_words(value: str, unit: Unit, told: str) -> None:
    assert in_words(Duration(value=Decimal(value), unit=unit)) == told
