"""The service levels of DCS, in the model's units."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sluis.contract.dcs import levels as dcs_levels
from sluis.contract.logical import Timestamp
from sluis.contract.model import LedgerEntry, ServiceLevel
from sluis.contract.notes import Notes
from sluis.contract.source import Source


def read(levels: dict[str, Any]) -> tuple[list[ServiceLevel], Notes]:
    notes = Notes(Source(document={"servicelevels": levels}, shown="c.yaml"))
    return list(dcs_levels.levels(levels, "orders", {"created": Timestamp(), "loaded": Timestamp()}, notes)), notes


def level(kind: str, value: str | None, unit: str | None, key: str, *columns: str) -> ServiceLevel:
    number = Decimal(value) if value else None
    return ServiceLevel(
        kind=kind, value=number, unit=unit, columns=columns, path=f"$.servicelevels.{key}", description=None
    )


def test_every_service_level() -> None:
    found, notes = read(
        {
            "availability": {"percentage": "99.9%"},
            "retention": {"period": "1 year", "unlimited": False, "timestampField": "orders.created"},
            "latency": {
                "threshold": "25h",
                "sourceTimestampField": "created",
                "processedTimestampField": "orders.loaded",
            },
            "freshness": {"threshold": "PT25H", "timestampField": "orders.loaded"},
            "frequency": {"type": "batch", "interval": "daily", "cron": "0 0 * * *"},
            "support": {"time": "9 to 5", "responseTime": "1h"},
            "backup": {
                "interval": "weekly",
                "cron": "0 0 * * 0",
                "recoveryTime": "24 hours",
                "recoveryPoint": "1 week",
            },
        }
    )
    assert not notes.problems
    assert found == [
        level("availability", "99.9", "percent", "availability.percentage"),
        level("retention", "1", "year", "retention.period", "created"),
        level("latency", "90000", "second", "latency.threshold", "created", "loaded"),
        level("freshness", "90000", "second", "freshness.threshold", "loaded"),
        level("frequency", "86400", "second", "frequency.interval"),
        level("responseTime", "3600", "second", "support.responseTime"),
        level("backup", "604800", "second", "backup.interval"),
        level("recoveryTime", "86400", "second", "backup.recoveryTime"),
        level("recoveryPoint", "604800", "second", "backup.recoveryPoint"),
    ]
    assert {entry.status for entry in notes.entries([])} == {"enforced", "documentation"}


def test_what_says_no_number_is_kept_in_words() -> None:
    found, _ = read({"availability": {"description": "office hours"}, "frequency": {"cron": "0 0 * * *"}})
    assert [(level.kind, level.value, level.description) for level in found] == [
        ("availability", None, "office hours"),
        ("frequency", None, None),
    ]


def test_retention_without_an_end() -> None:
    found, notes = read({"retention": {"unlimited": True}})
    assert [(level.kind, level.value, level.unit) for level in found] == [("retention", None, "unlimited")]
    assert {entry.status for entry in notes.entries([])} == {"enforced", "documentation"}


def test_what_could_be_two_things_is_named() -> None:
    found, notes = read({"freshness": {"threshold": "30m"}, "uptime": {"percentage": "9%"}})
    assert [(level.kind, level.value) for level in found] == [("freshness", None)]
    assert [entry for entry in notes.entries([]) if entry.status == "unsupported"] == [
        LedgerEntry(
            path="$.servicelevels.freshness.threshold",
            status="unsupported",
            note="`m` is a minute or a month: write `min`, `month` or an ISO 8601 duration",
            says='"30m"',
        ),
        LedgerEntry(
            path="$.servicelevels.uptime",
            status="unsupported",
            note="Sluis does not know this key",
            says='{"percentage":"9%"}',
        ),
    ]


@pytest.mark.parametrize(
    ("field", "problems"), [("customers.created", []), ("orders.age", ["`orders.age` is not a field of `orders`."])]
)
def test_a_level_is_measured_on_a_field(field: str, problems: list[str]) -> None:
    found, notes = read({"retention": {"period": "3y", "timestampField": field}})
    assert [problem.message for problem in notes.problems] == problems
    assert len(found) == len(problems)
