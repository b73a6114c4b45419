"""Two versions of a contract side by side, as text, JSON and JUnit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sluis.contract.diff.changes import KINDS, Change, Kind, major_raised
from sluis.report.junit import Case, junit
from sluis.report.words import counted
from sluis.tools.markdown import section
from sluis.tools.replay import Failure, Replay

_LONGEST = 300
"""Characters of a side that the text shows; JSON has all of them."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What `sluis diff` found."""

    old: str
    """The old document, as the user named it."""

    new: str
    """The new one."""

    old_version: str | None
    """The version of the agreement that it states; None where there was no such document."""

    new_version: str | None
    """The new one's; None where there is none any more."""

    changes: tuple[Change, ...]
    """What differs, breaking changes first."""

    replays: tuple[Replay, ...] = ()
    """Landing files under both."""

    @property
    def major_raised(self) -> bool:
        """Whether the new version announces that consumers may break."""
        return major_raised(self.old_version or "", self.new_version or "")

    @property
    def exit_code(self) -> int:
        """1 where consumers may break and the version does not announce it."""
        return int(self.count("breaking") > 0 and not self.major_raised)

    def count(self, kind: Kind) -> int:
        """How many changes are of a kind."""
        return sum(change.kind == kind for change in self.changes)

    def as_text(self) -> str:
        """For people."""
        return "\n".join(self._lines())

    def as_json(self) -> str:
        """For machines: one object."""
        return json.dumps({"diff_version": 1, **self.record}, ensure_ascii=False)

    @property
    def record(self) -> dict[str, Any]:
        """The same as a value."""
        return {
            "old": {"document": self.old, "version": self.old_version},
            "new": {"document": self.new, "version": self.new_version},
            "major_raised": self.major_raised,
            **{kind: self.count(kind) for kind in KINDS},
            "changes": [_change_record(change) for change in self.changes],
            "replays": [asdict(replay) for replay in self.replays],
            "exit_code": self.exit_code,
        }

    def as_junit(self) -> str:
        """For CI."""
        return junit(f"sluis diff {self.old} {self.new}", self.cases)

    @property
    def cases(self) -> list[Case]:
        """A case per change; breaking ones fail, unless the version announces them."""
        changes = [self._change_case(change) for change in self.changes]
        return [*changes, *map(_replay_case, self.replays)]

    def as_markdown(self) -> str:
        """For a comment on a pull request."""
        return section(self.title, self.summary, self.changes)

    def _change_case(self, change: Change) -> Case:
        heading = f"{change.meaning.words}: {change.subject}"
        fails = change.kind == "breaking" and not self.major_raised
        text = "\n".join(line.strip() for line in _sides(change))
        return Case(group=change.kind, name=heading, text=text, failure=heading if fails else None)

    def _lines(self) -> Iterator[str]:
        yield self.title
        for kind in KINDS:
            of_kind = [change for change in self.changes if change.kind == kind]
            if of_kind:
                yield f"\n{kind} ({len(of_kind)})"
            for change in of_kind:
                yield f"  {change.meaning.words}: {change.subject}"
                yield from (f"    {line}" for line in _sides(change))
        for replay in self.replays:
            yield from ("", *_replayed(replay))
        yield f"\n{self.summary}"

    @property
    def title(self) -> str:
        """Both documents with their versions."""
        return " → ".join(
            f"{name} ({version})" if version is not None else "no contract"
            for name, version in ((self.old, self.old_version), (self.new, self.new_version))
        )

    @property
    def summary(self) -> str:
        """What it comes to, in a sentence or two."""
        if not self.changes:
            return "Nothing differs."
        counts = ", ".join(f"{self.count(kind)} {kind}" for kind in KINDS)
        if not self.count("breaking"):
            return f"{counts}."
        if self.new_version is None:
            return f"{counts}. The contract is gone."
        versions = f"{self.old_version} → {self.new_version}"
        if self.major_raised:
            return f"{counts}. The version announces it ({versions})."
        return f"{counts}. The major version was not raised ({versions})."


def _sides(change: Change) -> Iterator[str]:
    yield f"was  {_side(change.old)}"
    yield f"is   {_side(change.new)}"
    yield f"why  {change.meaning.reason}"


def _side(text: str | None) -> str:
    if text is None:
        return "–"
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _change_record(change: Change) -> dict[str, Any]:
    meaning = change.meaning
    return {"kind": meaning.kind, **asdict(change), "words": meaning.words, "reason": meaning.reason}


def _replayed(replay: Replay) -> Iterator[str]:
    verdicts = f"{_verdict(replay.passed_before)} before, {_verdict(replay.passes_now)} now"
    yield f"{replay.file}: {counted(replay.rows, 'row')}; {verdicts}"
    for failure in replay.failures:
        yield f"  {failure.severity}: {_failure(failure)}"
    if not replay.failures:
        yield "  nothing newly fails"


def _failure(failure: Failure) -> str:
    new = ", a new rule" if failure.is_new else ""
    return f"{failure.message} ({failure.unexpected:,} of {failure.evaluated:,}; {failure.rule}{new})"


def _verdict(passed: bool) -> str:
    return "passed" if passed else "rejected"


def _replay_case(replay: Replay) -> Case:
    # That the producer's files no longer pass is for people to weigh: it breaks no consumer.
    return Case(group="replay", name=replay.file, text="\n".join(_replayed(replay)))
