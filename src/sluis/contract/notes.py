"""What a reader has to say about a document while it reads it: problems, notices, and what became of every key.

The reader *claims* each key that it reads; what nobody claims is unsupported, so nothing is dropped in silence:

    notes.enforced(at, "by the column's type")     # a key that shares a rule; one that has a rule of its own
                                                   # (its path is the rule's) needs no claim
    notes.documentation(at)                        # it only informs
    notes.unsupported(at, "why not")               # it asks for something that nobody checks
    notes.parts(at)                                # a container: its keys are claimed one by one
    notes.odd(at, "what it was read as")           # besides: it departs from its standard, but is clear

A claim covers everything below its place that has no claim of its own, so that a subtree of documentation is one
entry. `at` is a tuple of keys and positions (`("schema", 0, "name")`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal

from sluis.contract import names, unmeetable
from sluis.contract.document import Parts, as_text, json_path, parts_of
from sluis.contract.logical import LogicalType
from sluis.contract.model import LedgerEntry
from sluis.contract.rules import Rule
from sluis.contract.source import Source
from sluis.errors import ContractError, Problem

Fate = tuple[Literal["enforced", "documentation", "unsupported"], str]
"""Status and note of a ledger entry."""

_PARTS: Fate = ("enforced", "by its parts")
_UNCLAIMED: Fate = ("unsupported", "Sluis does not know this key")


@dataclass(frozen=True, kw_only=True)
class _Index:
    """What the walk over a document looks up."""

    ids: Mapping[str, list[str]]
    """Path of a rule → ids."""

    noted: Set[Parts]
    """Places with a claim below them."""

    def has_below(self, at: Parts, path: str) -> bool:
        """Whether anything below a place has an entry of its own."""
        return at in self.noted or any(ruled.startswith(path) for ruled in self.ids)


class Notes:
    """The notes on one document."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.notices: list[str] = []
        self._claims: dict[Parts, Fate] = {}
        self._odd: dict[Parts, str] = {}
        self._ids: set[str] = set()
        self._lost: dict[Parts, list[str]] = {}
        """What nobody checks of another file, by the reference to it: the ledger has no other place for it."""

    def copy(self) -> Notes:
        """The same notes, to go on with separately."""
        other = Notes(self.source)
        other.problems, other.notices = [*self.problems], [*self.notices]
        other._lost = {at: [*notes] for at, notes in self._lost.items()}
        other._claims, other._odd, other._ids = {**self._claims}, {**self._odd}, {*self._ids}
        return other

    def problem(self, at: Parts, message: str, allowed: str = "", hint: str = "") -> None:
        """Note a fault that keeps the contract from being used; the arguments are `Source.problem`'s."""
        self.problems.append(self.source.problem(at, message, allowed, hint))

    def unmeetable(self, rules: Sequence[Rule], kinds: Mapping[str, LogicalType]) -> None:
        """Note what no data can meet; the arguments are `unmeetable.faults`'s."""
        for path, message in unmeetable.faults(rules, kinds):
            self.problem(parts_of(path), message)

    def notice(self, text: str) -> None:
        """Note a line for the reader of the report: what was interpreted, or is deprecated."""
        if text not in self.notices:
            self.notices.append(text)

    def enforced(self, at: Parts, note: str) -> None:
        """Claim a key that is part of a rule, or is enforced by something else than a rule."""
        self._claims[at] = ("enforced", note)

    def documentation(self, at: Parts, note: str = "") -> None:
        """Claim a key that only informs."""
        self._claims[at] = ("documentation", note)

    def unsupported(self, at: Parts, note: str) -> None:
        """Claim a key that asks for something that is not checked."""
        if "$ref" in at:
            self._lost.setdefault(at[: at.index("$ref") + 1], []).append(note)
        self._claims[at] = ("unsupported", note)

    def parts(self, at: Parts) -> None:
        """Claim a container whose keys are claimed one by one."""
        self._claims[at] = _PARTS

    def odd(self, at: Parts, note: str) -> None:
        """Note that a key departs from its standard and was read as what it clearly means; it still needs a claim."""
        if at:
            self._odd[at] = note
        else:
            self.notice(f"{self.source.shown}: {note}.")

    def informs(self, at: Parts, raw: Any, keys: Iterable[str]) -> None:
        """Claim those of an object's keys that only inform."""
        for key in keys:
            if isinstance(raw, Mapping) and key in raw:
                self.documentation((*at, key))

    def rule_id(self, *parts: str) -> str:
        """An id that no other rule of the contract has: the parts joined, numbered from the second on."""
        base = wanted = names.safe(*parts)
        number = 2
        while wanted in self._ids:
            wanted, number = f"{base}_{number}", number + 1
        self._ids.add(wanted)
        return wanted

    def finish(self) -> None:
        """End the reading.

        Raises:
            ContractError: with every problem that was noted, in the order of the document.
        """
        if self.problems:
            distinct = list(dict.fromkeys(self.problems))
            raise ContractError(sorted(distinct, key=lambda problem: (problem.line or 0, problem.column or 0)))

    def entries(self, rules: Iterable[Rule]) -> Iterator[LedgerEntry]:
        """What became of every key, in the order of the document."""
        ids: dict[str, list[str]] = {}
        for rule in rules:
            ids.setdefault(rule.path, []).append(rule.id)
        noted = {at[:length] for at in (*self._claims, *self._odd) for length in range(len(at))}
        yield from self._walk(self.source.document, (), "$", _PARTS, _Index(ids=ids, noted=noted))

    def _walk(self, value: Any, at: Parts, path: str, above: Fate, index: _Index) -> Iterator[LedgerEntry]:
        """Entries below a place; `above` is the claim that covers it, `_PARTS` when each key needs its own."""
        for key, inner in _members(value):
            place, shown_place = (*at, key), path + json_path((key,))[1:]
            claim = self._claims.get(place)
            if claim is None and above is _PARTS and isinstance(key, str):
                claim = _UNCLAIMED
            shown = _by_rules(index.ids.get(shown_place)) or claim
            if lost := self._lost.get(place):
                shown = "unsupported", "; ".join(dict.fromkeys(lost))
            if shown or place in self._odd:
                yield self._entry(place, shown or above, inner)
            # A rule on a whole key covers what is in it, unless its parts were claimed too.
            covers = (claim if claim is not _UNCLAIMED else shown) or shown or above
            if covers is _PARTS or index.has_below(place, shown_place):
                yield from self._walk(inner, place, shown_place, covers, index)

    def _entry(self, at: Parts, fate: Fate, value: Any) -> LedgerEntry:
        odd = self._odd.get(at)
        status, note = fate
        told = "; ".join(text for text in (odd, note) if text)
        says = "" if status == "enforced" else as_text(value)
        return LedgerEntry(path=json_path(at), status=status, note=told, warning=odd is not None, says=says)


def _members(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _by_rules(ids: list[str] | None) -> Fate | None:
    return ("enforced", f"rule{'s' if len(ids) > 1 else ''} {', '.join(ids)}") if ids else None
