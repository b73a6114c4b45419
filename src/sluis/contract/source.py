"""A contract document as it was read, with the place of each of its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sluis.contract import document, yaml_text
from sluis.contract.document import Document, Parts, json_path
from sluis.contract.yaml_text import Marks
from sluis.errors import Problem


@dataclass(frozen=True, kw_only=True)
class Source:
    """A document and where its parts stand."""

    document: Document
    """What it says: plain values, numbers with a fraction as `Decimal`. Never changed."""

    shown: str
    """How messages name it."""

    marks: Marks = field(default_factory=dict)
    """Lines and columns; empty for JSON."""

    @cached_property
    def fingerprint(self) -> str:
        """`sha256:…` of what it says; layout and the order of keys do not count."""
        return document.fingerprint(self.document)

    def problem(self, at: Parts, message: str, allowed: str = "", hint: str = "") -> Problem:
        """A fault at a place, with the line of the nearest part that is there.

        Args:
            at: Keys and positions; the last ones need not exist.
            message: What is wrong, without a full stop.
            allowed: What would have been accepted.
            hint: What to do about it.
        """
        line, column = self._mark(at)
        path = json_path(at)
        return Problem(
            file=self.shown, path=path, message=f"{message}.", allowed=allowed, hint=hint, line=line, column=column
        )

    def _mark(self, at: Parts) -> tuple[int, int] | tuple[None, None]:
        part: Any = self.document
        found: tuple[int, int] | tuple[None, None] = (None, None)
        for step in at:
            found = self.marks.get(id(part), {}).get(step, found)
            try:
                part = part[step]
            except (KeyError, IndexError, TypeError):
                break
        return found


def read(file: Path, shown: str) -> Source:
    """Read a JSON or YAML object; what is not called `.yaml` or `.yml` and starts with `{` is JSON.

    Args:
        file: The document.
        shown: How messages name it.

    Raises:
        ContractError: it cannot be read, or is no object.
    """
    text = document.text_of(file, shown)
    is_yaml = file.suffix.lower() in (".yaml", ".yml") or not text.lstrip().startswith("{")
    if file.suffix.lower() == ".json" or not is_yaml:
        return Source(document=document.parse(text, shown), shown=shown)
    value, marks = yaml_text.parse(text, shown)
    return Source(document=document.as_object(value, shown), shown=shown, marks=marks)
