"""The last runs as a small plot: a bar each, up for rows that passed, down for a run that kept them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from sluis.report import words
from sluis.report.lines import Line

STEP, WIDTH = 6, 4
"""Width of a bar with the gap beside it, and without; units of the plot."""

UP, DOWN = 22, 10
"""The highest bar above the base line, and the only one below it."""

LOWEST = 3


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One run."""

    x: int
    """From the left."""

    y: float
    """From the top."""

    height: float
    """Of the bar."""

    tone: str
    """The style of its verdict."""

    title: str
    """What it stands for."""

    width: int = WIDTH
    """Of the bar."""


@dataclass(frozen=True, kw_only=True)
class Trend:
    """The last runs, the newest at the right."""

    bars: tuple[Bar, ...]
    """The runs."""

    width: int
    """Of the whole plot."""

    summary: str
    """The same in words."""

    height: int = UP + DOWN
    """Of the whole plot."""

    base: float = UP + 0.5
    """Where the base line is, from the top."""


def trend(found: Sequence[Line], most: int) -> Trend:
    """The plot of the newest of these runs.

    Args:
        found: The runs, newest first.
        most: How many to show.
    """
    shown = list(reversed(found[:most]))
    highest = max((line.rows or 0 for line in shown), default=0)
    first = STEP * (most - len(shown))
    bars = tuple(_bar(line, first + STEP * place, highest) for place, line in enumerate(shown))
    counts = Counter(words.verdict(line.verdict).word for line in shown)
    told = ", ".join(f"{count} {word.lower()}" for word, count in counts.most_common())
    return Trend(bars=bars, width=STEP * most, summary=f"Last {words.counted(len(shown), 'run')}: {told}")


def _bar(line: Line, x: int, highest: int) -> Bar:
    verdict = words.verdict(line.verdict)
    # The root keeps a small file visible beside a large one.
    height = max(LOWEST, round(UP * sqrt((line.rows or 0) / highest), 1)) if highest else LOWEST
    rows = "" if line.rows is None else f", {words.counted(line.rows, 'row')}"
    return Bar(
        x=x,
        y=UP - height if verdict.passes else UP + 1,
        height=height if verdict.passes else DOWN - 1,
        tone=verdict.tone,
        title=f"{verdict.word}, {words.moment(line.started)}{rows}",
    )
