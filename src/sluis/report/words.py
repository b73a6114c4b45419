"""Facts as words: what the pages and the terminal have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from sluis.report.model import Rule, Run

if TYPE_CHECKING:
    from sluis.report.edition import LevelWords
    from sluis.report.lines import Line


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """How a verdict is shown."""

    word: str
    """The verdict, as people say it."""

    tone: str
    """The style it has on a page: good, warn, bad, fault or none."""

    mark: str
    """A sign that tells it apart without colour."""

    meaning: str
    """What it means, in one sentence."""

    passes: bool = False
    """Whether the rows may enter the table."""


VERDICTS = {
    "PASSED": Verdict(word="Passed", tone="good", mark="✓", meaning="Every rule that was checked holds.", passes=True),
    "PASSED_WITH_WARNINGS": Verdict(
        word="Passed with warnings",
        tone="warn",
        mark="!",
        meaning="No rule that blocks the load was broken; some others were.",
        passes=True,
    ),
    "PASSED_WITH_QUARANTINE": Verdict(
        word="Passed with quarantine",
        tone="warn",
        mark="!",
        meaning="Rows that break a rule were kept out of the table; the others were let through.",
        passes=True,
    ),
    "REJECTED": Verdict(
        word="Rejected", tone="bad", mark="✕", meaning="The data breaks its contract. The table was not changed."
    ),
    "ERROR": Verdict(
        word="Error",
        tone="fault",
        mark="?",
        meaning="The run failed: the data could not be judged, or could not be written.",
    ),
}

UNKNOWN = Verdict(word="No record", tone="none", mark="–", meaning="Sluis has no readable record of this run.")

KINDS = {"test": "test of the table"}
"""What a run is called that is not the usual kind: files into a table."""

CHANGES = {
    "breaking": Verdict(word="breaking", tone="bad", mark="✕", meaning="Something that was relied on may be gone."),
    "compatible": Verdict(word="compatible", tone="good", mark="✓", meaning="All that was relied on is still so."),
    "documentation": Verdict(word="documentation", tone="none", mark="–", meaning="Nothing that is checked changed."),
}
"""How a difference between two editions of a contract is shown, by its kind."""

SEVERITIES = {"error": "Blocks the load", "warning": "Warning", "info": "Information"}

OUTCOMES = {
    "held": "Holds",
    "violated": "Broken",
    "quarantined": "Broken in rows that were kept out",
    "not_evaluated": "Not checked",
    "error": "Could not be run",
}


def verdict(name: str) -> Verdict:
    """How to show a verdict; a name from a later version is shown as it is."""
    if not name:
        return UNKNOWN
    return VERDICTS.get(name) or Verdict(word=name.replace("_", " ").capitalize(), tone="none", mark="•", meaning="")


def tone(rule: Rule) -> str:
    """The style of a rule's outcome, as for verdicts."""
    if rule.outcome == "violated":
        return {"error": "bad", "warning": "warn"}.get(rule.severity, "none")
    return {"held": "good", "error": "fault", "quarantined": "warn"}.get(rule.outcome, "none")


def unwritten(run: Run) -> str:
    """What a run without a receipt means for the table; no more than is known."""
    if not run.verdict:
        return "Unknown."
    if run.kind == "test":
        return "Nothing: a test only looks at the table."
    if run.dry_run:
        return "Nothing: this was a dry run."
    if run.verdict == "ERROR":
        return "No write is recorded. The reason above says what happened."
    return "Nothing. The table is as it was before this run."


def choices(lines: Iterable[Line]) -> list[tuple[str, str]]:
    """The verdicts to choose from in a list of runs, as (style, word), where there is more than one."""
    found = {line.verdict: verdict(line.verdict) for line in lines}
    return sorted({(one.tone, one.word) for one in found.values()}) if len(found) > 1 else []


def good_version(line: Line) -> str:
    """What a good run left in its table."""
    return "passed" if line.table_version is None else f"version {line.table_version}"


def level(promised: LevelWords) -> str:
    """A service level as a sentence (`freshness of updated_at: 1 day`)."""
    on = f" of {', '.join(promised.columns)}" if promised.columns else ""
    much = " ".join(filter(None, (promised.value, promised.unit)))
    if promised.unit == "second" and promised.value:
        much = span(Decimal(promised.value))
    elif promised.value not in (None, "1") and promised.unit in ("month", "year"):
        much += "s"
    told = [part for part in (much, promised.told, promised.description) if part]
    return f"{promised.kind}{on}: {'; '.join(told)}" if told else f"{promised.kind}{on}"


def span(seconds: Decimal) -> str:
    """A duration in the largest unit in which it is a whole number."""
    for size_, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds and seconds % size_ == 0:
            return counted(int(seconds // size_), unit)
    return f"{seconds:f} second{'' if seconds == 1 else 's'}"


def begun(run_id: str) -> str:
    """The moment that an id starts with."""
    stamp = run_id.partition("-")[0]
    return minute(f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:11]}:{stamp[11:13]}:{stamp[13:15]}Z")


def month(name: str) -> str:
    """A month (`2026-11`) as people say it."""
    return f"{datetime.strptime(name, '%Y-%m'):%B %Y}"


def number(value: int | None) -> str:
    """A count with its thousands set apart."""
    return "unknown" if value is None else f"{value:,}"


def counted(value: int, one: str, many: str = "") -> str:
    """A count and what is counted."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def share(part: int | None, whole: int | None) -> str:
    """A percentage that never says none or all unless it is so."""
    if part is None or not whole:
        return ""
    percent = 100 * part / whole
    if 0 < percent < 0.01:
        return "under 0.01%"
    if 99.99 < percent < 100:
        return "over 99.99%"
    return f"{percent:.2f}".rstrip("0").rstrip(".") + "%"


_OF_NO_ROW = frozenset({"freshness", "row_count_is", "sql", "written"})
"""Rules about one number, which is in their message."""


def affected(rule: Rule) -> str:
    """How many rows break a rule, of how many; empty when nobody counted."""
    if rule.unexpected is None or rule.kind in _OF_NO_ROW or (rule.kind == "gx" and rule.evaluated == 1):
        return ""
    if rule.evaluated is None:
        return counted(rule.unexpected, "row")
    return f"{rule.unexpected:,} of {counted(rule.evaluated, 'row')}"


def moment(iso: str | None) -> str:
    """A point in time, to the second, in UTC."""
    parsed = _parsed(iso)
    return f"{parsed.day} {parsed:%b %Y, %H:%M:%S} UTC" if parsed else iso or "unknown"


def minute(iso: str | None) -> str:
    """A point in time, to the minute, in UTC; for lists."""
    parsed = _parsed(iso)
    return f"{parsed.day} {parsed:%b %Y, %H:%M}" if parsed else iso or "unknown"


def file_name(source: str) -> str:
    """The last part of a path; for lists."""
    return source.rstrip("/").rpartition("/")[2] or source


def duration(started: str | None, finished: str | None) -> str:
    """How long it took; empty when unknown."""
    begin, end = _parsed(started), _parsed(finished)
    if begin is None or end is None or end < begin:
        return ""
    seconds = (end - begin).total_seconds()
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def size(value: int | None) -> str:
    """A number of bytes, readable."""
    if value is None:
        return "unknown"
    amount, units = float(value), iter(("KB", "MB", "GB", "TB"))
    if value < 1000:
        return counted(value, "byte")
    unit = ""
    while amount >= 1000 and (unit := next(units, "")):
        amount /= 1000
    return f"{amount:.3g} {unit}"


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    """A text cut into (is an escape, text): characters that cannot be seen, or that steer a terminal, are spelt out."""
    if text.isprintable():
        yield False, text
        return
    marked = ((not _is_visible(text, place), char) for place, char in enumerate(text))
    for hidden, group in groupby(marked, key=lambda item: item[0]):
        chars = "".join(char for _, char in group)
        yield hidden, "".join(map(_spelt, chars)) if hidden else chars


def visible(text: str) -> str:
    """A text in which nothing is invisible."""
    return "".join(part for _, part in pieces(text))


def _is_visible(text: str, place: int) -> bool:
    char = text[place]
    if char in "\u200c\u200d":  # joiners: part of many scripts and of emoji, a trick inside plain ASCII
        return place > 0 and not text[place - 1].isascii()
    return char.isprintable()


def _spelt(char: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    code = ord(char)
    return named.get(char) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def _parsed(iso: str | None) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(iso or "")
    except ValueError:
        return None
    return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
