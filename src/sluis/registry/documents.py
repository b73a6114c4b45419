"""The document of a contract, as a registry takes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sluis.contract.convert import to_odcs
from sluis.contract.convert.words import words
from sluis.contract.document import Document
from sluis.contract.model import Contract
from sluis.contract.source import Source
from sluis.tools import versions
from sluis.tools.convert import convert


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """A contract's document, with all its objects."""

    root: Path
    """The project."""

    path: str
    """The document, relative to the project."""

    source: Source
    """What it says."""

    contracts: tuple[Contract, ...]
    """Its objects."""

    @property
    def id(self) -> str:
        """The id under which a registry knows it."""
        return self.contracts[0].id or self.contracts[0].name

    @property
    def is_odcs(self) -> bool:
        """Whether it is ODCS 3; version 2 has another shape altogether."""
        return self.contracts[0].format == "odcs" and "schema" in self.source.document

    def as_json(self) -> Document:
        """The document itself where it is of a standard that the registry knows (ODCS 3, DCS), else as ODCS 3.2."""
        kind = self.contracts[0].format
        if self.is_odcs or kind == "dcs":
            return self.source.document
        return to_odcs(self.contracts, words(self.source.document, kind))

    def as_odcs(self) -> str:
        """The text of a file of ODCS: the owner's own where it is ODCS 3, else as ODCS 3.2.

        Raises:
            SluisError: what was made is no good ODCS.
        """
        return (self.root / self.path).read_text("utf-8-sig") if self.is_odcs else convert(self.path, self.root).text


def agreement(root: Path, path: str) -> Agreement:
    """Read a document.

    Raises:
        ContractError: with every problem of it.
    """
    source, contracts = versions.document(path, root)
    return Agreement(root=root, path=path, source=source, contracts=tuple(contracts))
