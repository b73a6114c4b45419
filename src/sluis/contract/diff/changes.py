"""What can differ between two versions of a contract, and what each difference means to those who use the table.

The question is always the consumer's: may something that I relied on no longer be so? Then it is breaking. What only
asks more of the producer is compatible: every row that comes through fulfils the old contract too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["breaking", "compatible", "documentation"]

KINDS: tuple[Kind, ...] = ("breaking", "compatible", "documentation")
"""From what matters most to what matters least."""


class Meaning(NamedTuple):
    """What a class of changes means."""

    kind: Kind
    """Whether a consumer may break on it."""

    words: str
    """The change, as a heading."""

    reason: str
    """Why it is of that kind."""


CLASSES: dict[str, Meaning] = {
    "object_removed": Meaning("breaking", "object removed", "the whole table is no longer promised"),
    "object_added": Meaning("compatible", "object added", "nobody relied on it yet"),
    "column_removed": Meaning("breaking", "column removed", "queries that read it fail"),
    "column_renamed": Meaning("breaking", "column renamed", "queries that read it by its old name fail"),
    "column_added": Meaning("compatible", "column added", "queries that name their columns do not see it"),
    "column_moved": Meaning("documentation", "columns in another order", "columns are matched by name"),
    "type_changed": Meaning(
        "breaking", "type changed", "values compare, sort and join differently, or no longer fit where they went"
    ),
    "text_changed": Meaning(
        "compatible", "written differently", "only the landing text differs; the table holds the same type"
    ),
    "nullable": Meaning("breaking", "may be NULL now", "joins, sums and NOT NULL columns downstream meet NULLs"),
    "not_nullable": Meaning("compatible", "is never NULL now", "a consumer that expects NULLs sees none"),
    "rule_removed": Meaning("breaking", "rule removed", "what it guaranteed may no longer be so"),
    "rule_covered": Meaning("compatible", "rule removed", "another rule guarantees as much"),
    "rule_added": Meaning("compatible", "rule added", "it keeps out rows that were let through before"),
    "rule_weaker": Meaning("breaking", "rule loosened", "rows come through that it used to keep out"),
    "rule_stronger": Meaning("compatible", "rule tightened", "every row that it lets through was let through before"),
    "rule_replaced": Meaning(
        "breaking", "rule changed", "what it lets through now cannot be shown to be a part of what it let through"
    ),
    "advice_changed": Meaning("compatible", "note changed", "a rule of severity `info` never promised anything"),
    "key_changed": Meaning("breaking", "primary key changed", "what one row stands for is another thing"),
    "severity_lowered": Meaning(
        "breaking", "severity lowered", "rows that it used to stop, or to warn of, come through"
    ),
    "severity_raised": Meaning("compatible", "severity raised", "it keeps out what it only reported before"),
    "additional_allowed": Meaning(
        "breaking", "further columns allowed", "columns that nobody described may appear in the table"
    ),
    "additional_forbidden": Meaning(
        "compatible", "further columns forbidden", "columns beyond the contract were never promised"
    ),
    "level_removed": Meaning("breaking", "service level removed", "consumers may have planned by it"),
    "level_added": Meaning("compatible", "service level added", "it promises more"),
    "level_weaker": Meaning("breaking", "service level loosened", "it promises less"),
    "level_stronger": Meaning("compatible", "service level tightened", "it promises more"),
    "level_changed": Meaning("breaking", "service level changed", "the new promise cannot be held against the old one"),
    "layout_changed": Meaning("compatible", "layout changed", "queries give the same rows, perhaps at another speed"),
    "privacy_changed": Meaning(
        "compatible", "sensitivity changed", "it decides what reports show; the table's rows are the same"
    ),
    "unenforced_changed": Meaning(
        "documentation", "unenforced demand changed", "nothing enforces it here, so that it promised no more than words"
    ),
    "words_changed": Meaning("documentation", "words changed", "nothing checks or computes by them"),
}
"""Class of change → what it means. The one place where that is decided."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One difference between two versions of a contract."""

    change: str
    """Its class, a key of `CLASSES`."""

    subject: str
    """What differs: a column (`orders.qty`), a rule's id, or a key of the contract."""

    rule: str | None = None
    """The id of the rule (the new one's, unless only the old contract has it)."""

    old: str | None = None
    """What the old contract says; None where it says nothing."""

    new: str | None = None
    """What the new contract says; None where it says nothing."""

    old_path: str | None = None
    """Where the old document says it."""

    new_path: str | None = None
    """Where the new document says it."""

    @property
    def meaning(self) -> Meaning:
        """What changes of its class mean."""
        return CLASSES[self.change]

    @property
    def kind(self) -> Kind:
        """Whether a consumer may break on it."""
        return self.meaning.kind


def major_raised(old: str, new: str) -> bool:
    """Whether the new version starts with a higher number; a version that starts with none has none to raise."""
    before, after = _major(old), _major(new)
    return before is not None and after is not None and after > before


def _major(version: str) -> int | None:
    head = version.strip().removeprefix("v").removeprefix("V").partition(".")[0]
    return int(head) if head.isascii() and head.isdigit() else None
