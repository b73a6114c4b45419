"""What a contract may state as a value of each type."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from sluis.contract import logical
from sluis.contract.logical import LogicalType
from sluis.contract.values import MEANING, parsed

CASES: list[tuple[type[LogicalType], list[tuple[Any, Any]], list[Any]]] = [
    (logical.String, [("a", "a"), ("", "")], [1, True]),
    (logical.Boolean, [(True, True)], ["true", 1]),
    (logical.Byte, [(-128, -128), (127, 127), (Decimal("1.0"), 1)], [128, "1", True, Decimal("1.5")]),
    (logical.Short, [(32767, 32767)], [32768, -32769]),
    (logical.Integer, [(2**31 - 1, 2**31 - 1)], [2**31]),
    (logical.Long, [(-(2**63), -(2**63))], [2**63]),
    (logical.DecimalType, [(2**64 - 1, 2**64 - 1), (Decimal("0.10"), Decimal("0.10")), (0, 0)], [10**38, Decimal("1e-39"), Decimal("1" * 37 + ".01"), "1"]),
    (logical.Double, [(Decimal("0.1"), Decimal("0.1"))], [Decimal("1e309"), Decimal("1e-400"), "1"]),
    (logical.Float, [(Decimal("3.4e38"), Decimal("3.4e38"))], [Decimal("3.5e38"), Decimal("1e-50"), 10**400]),
    (logical.Date, [("2025-01-05", date(2025, 1, 5))], ["2025-1-5", "2025-02-30", 20250105]),
    (logical.Timestamp, [("2025-01-05T10:00+01:00", datetime(2025, 1, 5, 9, tzinfo=UTC))], ["2025-01-05", "2025-01-05T25:00"]),
    (logical.TimestampNtz, [("2025-01-05 10:00", datetime(2025, 1, 5, 10))], ["2025-01-05T10:00Z", "2025-01-05"]),
    (logical.Time, [("09:30", time(9, 30)), ("09:30:00.5", time(9, 30, 0, 500000))], ["9:30", "24:00", "09:30Z", 930]),
    (logical.Binary, [("QQ==", b"A")], ["QR==", "Q", "é", 1]),
    (logical.Json, [('{"a": 1}', '{"a": 1}')], ["{", 1]),
    (logical.Array, [], ["[]", 1]),
]  # fmt: skip


def test_every_type_has_a_meaning() -> None:
    kinds = {kind.name for kind in LogicalType.__subclasses__()}
    assert kinds == set(MEANING)


@pytest.mark.parametrize(("kind", "good", "bad"), CASES, ids=[kind.name for kind, *_ in CASES])
def test_values_of_a_type(kind: type[LogicalType], good: list[tuple[Any, Any]], bad: list[Any]) -> None:
    assert [parsed(kind.name, value) for value, _ in good] == [wanted for _, wanted in good]
    assert [value for value in bad if parsed(kind.name, value) is not None] == []
