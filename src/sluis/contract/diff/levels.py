"""Two versions of a contract's service levels → what differs between them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from sluis.contract.diff.changes import Change
from sluis.contract.durations import UNLIMITED
from sluis.contract.model import Contract, ServiceLevel

MORE_IS_BETTER = {
    "availability": True,
    "throughput": True,
    "retention": True,
    "errorrate": False,
    "freshness": False,
    "latency": False,
    "frequency": False,
    "backup": False,
    "recoverypoint": False,
    "recoverytime": False,
    "responsetime": False,
    "timetodetect": False,
    "timetonotify": False,
    "timetorepair": False,
}
"""Kind of service level → whether a higher number promises more; of other kinds it is not known."""

_SECONDS = {"second": Decimal(1), "month": Decimal(2_629_746), "year": Decimal(31_556_952)}
"""Seconds of a unit, by the mean length of Gregorian months and years; good enough to tell longer from shorter."""


def levels_differ(old: Contract, new: Contract) -> Iterator[Change]:
    """Service levels that came, went, or promise more, less or something else."""
    before, after = (dict(_keyed(contract)) for contract in (old, new))
    for key, level in before.items():
        twin = after.get(key)
        if twin is None:
            yield _change("level_removed", level, None)
        elif _promise(level) != _promise(twin):
            yield _change(_direction(level, twin), level, twin)
        elif level.description != twin.description:
            subject = f"description of {level.kind}"
            yield Change(change="words_changed", subject=subject, old=level.description, new=twin.description)
    for key in (key for key in after if key not in before):
        yield _change("level_added", None, after[key])


def _keyed(contract: Contract) -> Iterator[tuple[tuple[object, ...], ServiceLevel]]:
    seen: dict[tuple[object, ...], int] = {}
    for level in contract.service_levels:
        key = (level.kind, level.columns)
        seen[key] = seen.get(key, 0) + 1
        yield (*key, seen[key]), level


def _promise(level: ServiceLevel) -> tuple[Decimal | None, str | None]:
    if level.unit == UNLIMITED:
        return Decimal("Infinity"), "second"
    factor = _SECONDS.get(level.unit or "")
    if level.value is None or factor is None:
        return level.value, level.told or level.unit
    return level.value * factor, "second"


def _direction(old: ServiceLevel, new: ServiceLevel) -> str:
    (before, unit), (after, other) = _promise(old), _promise(new)
    better = MORE_IS_BETTER.get(old.kind.lower())
    if before is None or after is None or unit != other or better is None:
        return "level_changed"
    return "level_stronger" if (after > before) == better else "level_weaker"


def _change(change: str, old: ServiceLevel | None, new: ServiceLevel | None) -> Change:
    level = new or old
    assert level is not None
    on = f" of {', '.join(level.columns)}" if level.columns else ""
    return Change(
        change=change,
        subject=f"{level.kind}{on}",
        old=_told(old) if old else None,
        new=_told(new) if new else None,
        old_path=old.path if old else None,
        new_path=new.path if new else None,
    )


def _told(level: ServiceLevel) -> str:
    if level.value is None:
        return level.told or level.description or level.unit or level.kind
    plural = "s" if level.unit in _SECONDS and level.value != 1 else ""
    return f"{level.value:f} {level.unit or ''}{plural}".strip()
