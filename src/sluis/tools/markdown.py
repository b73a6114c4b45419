"""Changes as Markdown, for a comment on a pull request. No text of a contract is read as Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sluis.contract.diff.changes import Change, Kind
from sluis.report.markdown import escaped

_MARKS: dict[Kind, str] = {
    "breaking": "❌ breaking",
    "compatible": "✅ compatible",
    "documentation": "📝 documentation",
}

_ROWS = 20
"""Changes that a section shows; the first are those that matter most."""

_LONGEST = 80
"""Characters of a side that a row shows."""


def section(title: str, summary: str, changes: Sequence[Change]) -> str:
    """A heading, what it comes to, and a table of the changes."""
    return "\n".join(_lines(title, summary, changes))


def _cell(text: str) -> str:
    return escaped(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _lines(title: str, summary: str, changes: Sequence[Change]) -> Iterator[str]:
    yield f"### {escaped(title)}"
    yield f"\n{escaped(summary)}"
    if not changes:
        return
    yield "\n| | change | of | was | is |\n|---|---|---|---|---|"
    for change in changes[:_ROWS]:
        cells = (change.meaning.words, change.subject, change.old or "–", change.new or "–")
        yield f"| {_MARKS[change.kind]} | {' | '.join(map(_cell, cells))} |"
    if len(changes) > _ROWS:
        yield f"\n… and {len(changes) - _ROWS:,} more changes."
