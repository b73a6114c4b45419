"""Contract documents of any format → Contract; the format is recognised from what the document says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sluis.contract import dcs, native, odcs, source
from sluis.contract.document import Document, did_you_mean, listed
from sluis.contract.local_files import Place
from sluis.contract.model import Contract
from sluis.contract.source import Source
from sluis.errors import ContractError

Format = Literal["native", "odcs", "dcs"]


def split(reference: str) -> tuple[str, str | None]:
    """The document and the object of `contracts/orders.odcs.yaml#line_items`; None where no object is named."""
    file, hash_, name = reference.partition("#")
    return file, name if hash_ else None


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A document whose objects can be read one by one."""

    names: tuple[str, ...]
    """The names of its objects, in its order."""

    source: Source
    """What it says."""

    reader: Callable[[str], Contract]
    """Reads the object of a name."""

    def read(self, name: str | None = None) -> Contract:
        """Read an object.

        Args:
            name: Which (an ODCS schema object, a DCS model); needed only when there are several.

        Raises:
            ContractError: with every problem of the document, or because it does not tell which object is meant.
        """
        if name is None and len(self.names) > 1:
            hint = f"name one, as `{self.source.shown}#{self.names[0]}`."
            problem = self.source.problem((), f"it holds {len(self.names)} objects", listed(self.names), hint)
            raise ContractError([problem])
        if name is not None and name not in self.names:
            hint = did_you_mean(name, self.names)
            raise ContractError([self.source.problem((), f"it has no object `{name}`", listed(self.names), hint)])
        # A document without objects has its reader say what is wrong with it.
        return self.reader(name or next(iter(self.names), ""))


def open_document(file: Path, shown: str) -> Opened:
    """Open a contract's document, so that several of its objects are read at the cost of one.

    Args:
        file: The document.
        shown: Its path as messages and evidence name it.

    Raises:
        ContractError: it cannot be read, or its standard does not accept it.
    """
    found = source.read(file, shown)
    place = Place(file=file, shown=shown)
    kind = recognised(found)
    if kind != "native":
        opened = odcs.Opened(found, place) if kind == "odcs" else dcs.Opened(found, place)
        return Opened(names=tuple(opened.names), source=found, reader=opened.read)
    contract = native.read(file, shown)
    return Opened(names=(contract.object,), source=found, reader=lambda _: contract)


def read(file: Path, shown: str, object: str | None = None) -> Contract:  # noqa: A002 (the standards' word)
    """Read a contract.

    Args:
        file: The document.
        shown: Its path as messages and evidence name it.
        object: Which of its objects is meant; needed only when there are several.

    Raises:
        ContractError: with every problem of the document, or because it does not tell which object is meant.
    """
    return open_document(file, shown).read(object)


def objects(file: Path, shown: str) -> list[str]:
    """The names of a document's objects, in its order.

    Raises:
        ContractError: the document cannot be read, or its standard does not accept it.
    """
    return list(open_document(file, shown).names)


def recognised(found: Source) -> Format:
    """Which format a document has.

    Raises:
        ContractError: none of those that are read.
    """
    if said := says_format(found.document):
        return said
    if found.shown.endswith(".json"):
        return "native"
    keys = "`apiVersion` (ODCS), `dataContractSpecification` (DCS) or `contract_name` (native)"
    raise ContractError([found.problem((), "this is no contract of a format that is read here", keys)])


def says_format(raw: Document) -> Format | None:
    """The format that a document says it has; None for what is no contract."""
    if "dataContractSpecification" in raw:
        return "dcs"
    if "apiVersion" in raw or "standardVersion" in raw or "dataset" in raw or _is_contract(raw):
        return "odcs"
    return "native" if "contract_name" in raw else None


def _is_contract(raw: Document) -> bool:
    return str(raw.get("kind", "")).lower() == "datacontract"
