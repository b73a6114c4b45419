"""Files that a contract refers to: those of its own project, never a download."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePath


class NotLocal(ValueError):
    """The reference leads to no file of the project; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A document as a place to look from."""

    file: Path
    """The document."""

    shown: str
    """Its path from the project's root."""

    @property
    def root(self) -> Path:
        """The project's root; the document's own folder where `shown` does not lead to it."""
        file, shown = self.file.absolute(), PurePath(self.shown).parts
        leads = shown and not PurePath(self.shown).is_absolute() and file.parts[-len(shown) :] == shown
        return file.parents[len(shown) - 1] if leads else file.parent

    def find(self, reference: str) -> Place:
        """The file that a reference means, seen from this document's folder.

        Raises:
            NotLocal: it is a URL, lies outside the project, or is not there.
        """
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:|//", reference):
            raise NotLocal("leads out of the project, and Sluis downloads nothing; keep a copy beside the contract")
        try:
            root = self.root.resolve()
            file = (self.file.parent / reference).resolve()
            if not file.is_relative_to(root):
                raise NotLocal("leads out of the project")
            if not file.is_file():
                raise NotLocal(f"is not there (`{file.relative_to(root)}` in the project)")
        except (OSError, RuntimeError, ValueError) as error:
            # Paths with NUL, too long, or with links in a circle.
            raise error if isinstance(error, NotLocal) else NotLocal("is no path of a file") from None
        return Place(file=file, shown=file.relative_to(root).as_posix())
