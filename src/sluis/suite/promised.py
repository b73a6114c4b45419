"""Service levels as numbers: microseconds since 1970 in UTC, in which Spark and Python agree exactly."""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from sluis.contract.durations import Duration, in_words
from sluis.lexical import identifier
from sluis.suite.predicates import Spec, micros
from sluis.suite.results import Result, out_of_reach, whole
from sluis.suite.surroundings import Surroundings

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def dated(spec: Spec, around: Surroundings) -> Spec:
    """A promise with what it means now: `now`, `since` (the moment that is just within its span), `written`, and
    `latest`, SQL of the last moment that a latency allows."""
    if "within" not in spec:
        return spec
    since = before(around.now, span(spec))
    written = _micros(around.written) if around.written else None
    found = {**spec, "now": _micros(around.now), "since": _micros(since), "written": written}
    return {**found, "latest": _latest(spec)} if "source" in spec else found


def span(spec: Spec) -> Duration:
    """The span of time that a promise allows."""
    return Duration(value=Decimal(spec["within"]["value"]), unit=spec["within"]["unit"])


def before(now: datetime, span: Duration) -> datetime:
    """The moment a span before another; a month before the 31st is the last day of its month. Never before year 1."""
    first = datetime.min.replace(tzinfo=UTC)
    if span.unit == "second":
        micros = int(span.value * 1_000_000)
        return now - timedelta(microseconds=micros) if micros < _micros(now) - _micros(first) else first
    months = now.year * 12 + now.month - 1 - int(span.value) * (12 if span.unit == "year" else 1)
    year, month = divmod(months, 12)
    if year < 1:
        return first
    return now.replace(year=year, month=month + 1, day=min(now.day, calendar.monthrange(year, month + 1)[1]))


def moment(spec: Spec, value: str) -> str:
    """SQL of the moment that a row is from; NULL where that is in the future.

    Args:
        spec: The promise.
        value: SQL of the column's typed value.
    """
    found = micros(value)
    return f"IF({found} <= {int(spec['now'])}L, {found}, NULL)"


def on_time(spec: Spec, found: int | None, subject: str) -> Result:
    """Whether the newest moment, which may not be known, is within the span; `subject` is what tells it."""
    if found is not None and found >= spec["since"]:
        return whole(0, 1)
    return whole(1, 1, messages=[] if spec["sensitive"] else [_told(spec, found, subject)])


def last_write(spec: Spec) -> Result:
    """The same of the last write to the table."""
    if spec["written"] is None:
        return out_of_reach("when rows last came to the table is not known")
    return on_time(spec, spec["written"], "write to the table")


def _told(spec: Spec, found: int | None, subject: str) -> str:
    wanted = f"the contract wants no more than {in_words(span(spec))}"
    if found is None:
        return f"No {subject} tells how old the rows are, {wanted}"
    minutes = (spec["now"] - found) // 60_000_000
    ago = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
    when = (_EPOCH + timedelta(microseconds=found)).isoformat(sep=" ", timespec="seconds").removesuffix("+00:00")
    return f"The newest {subject} is {ago} ago ({when} UTC), {wanted}"


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _latest(spec: Spec) -> str:
    """SQL of the last moment that a latency allows after that of its source."""
    allowed = span(spec)
    moment = f"try_cast({identifier(spec['source']['column'])} AS TIMESTAMP)"
    if allowed.unit == "second":
        return f"(unix_micros({moment}) + {int(allowed.value * 1_000_000)}L)"
    months = int(allowed.value) * (12 if allowed.unit == "year" else 1)
    return f"unix_micros({moment} + make_ym_interval(0, {months}))"
