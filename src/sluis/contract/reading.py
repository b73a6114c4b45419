"""Contract documents of any format → Contract; the format is recognised from what the document says."""

from __future__ import annotations

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


def read(file: Path, shown: str, object: str | None = None) -> Contract:  # noqa: A002 (the standards' word)
    """Read a contract.

    Args:
        file: The document.
        shown: Its path as messages and evidence name it.
        object: Which of its objects (ODCS schema, DCS model) is meant; needed only when there are several.

    Raises:
        ContractError: with every problem of the document, or because it does not tell which object is meant.
    """
    found = source.read(file, shown)
    if recognised(found) == "native":
        contract = native.read(file, shown)
        _chosen([contract.object], object, found)
        return contract
    is_odcs = recognised(found) == "odcs"
    # A document without objects has its reader say what else is wrong with it.
    chosen = _chosen((odcs if is_odcs else dcs).objects(found.document), object, found)
    place = Place(file=file, shown=shown)
    return odcs.read(found, place, chosen) if is_odcs else dcs.read(found, place, chosen)


def objects(file: Path, shown: str) -> list[str]:
    """The names of a document's objects, in its order.

    Raises:
        ContractError: the document cannot be read, or is no contract.
    """
    found = source.read(file, shown)
    kind = recognised(found)
    if kind == "native":
        return [native.read(file, shown).object]
    return odcs.objects(found.document) if kind == "odcs" else dcs.objects(found.document)


def recognised(found: Source) -> Format:
    """Which format a document has.

    Raises:
        ContractError: none of those that are read.
    """
    raw = found.document
    if "dataContractSpecification" in raw:
        return "dcs"
    if "apiVersion" in raw or "standardVersion" in raw or "dataset" in raw or _is(raw, "kind", "datacontract"):
        return "odcs"
    if "contract_name" in raw or found.shown.endswith(".json"):
        return "native"
    keys = "`apiVersion` (ODCS), `dataContractSpecification` (DCS) or `contract_name` (native)"
    raise ContractError([found.problem((), "this is no contract of a format that is read here", keys)])


def _is(raw: Document, key: str, value: str) -> bool:
    return str(raw.get(key, "")).lower() == value


def _chosen(names: list[str], wanted: str | None, found: Source) -> str:
    """The object that is meant.

    Raises:
        ContractError: it is not there, or not named although there are several.
    """
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted in names:
        return str(wanted)
    if wanted is None and names:
        hint = f'name one in the entity: `"contract": "{found.shown}#{names[0]}"`.'
        raise ContractError([found.problem((), f"there are {len(names)} objects in it", listed(names), hint)])
    if wanted is None:
        return ""
    hint = did_you_mean(wanted, names)
    raise ContractError([found.problem((), f"there is no object `{wanted}` in it", listed(names) or "none", hint)])
