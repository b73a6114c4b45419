"""What a person types to name a contract → the contracts of that document, one per object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sluis.contract import reading
from sluis.contract.document import listed
from sluis.contract.model import Contract
from sluis.contract.source import Source
from sluis.errors import ContractError, Problem
from sluis.tools.revisions import checked_out

if TYPE_CHECKING:
    from sluis.tools.replay import Replay


def contracts(given: str, here: Path) -> list[Contract]:
    """Read the contracts that are meant.

    Args:
        given: `FILE`, `REVISION:FILE`, either with `#OBJECT`.
        here: Where a relative path starts.

    Raises:
        ContractError: nothing can be found or read there; carries every problem.
    """
    return document(given, here)[1]


def document(given: str, here: Path) -> tuple[Source, list[Contract]]:
    """The same, with the document as it was read."""
    name, wanted = given, None
    if not (here / given).is_file():
        name, wanted = reading.split(given)
    if (here / name).is_file() or ":" not in name:
        return _read(here / name, name, wanted)
    with checked_out(name, here) as (file, shown):
        return _read(file, shown, wanted)


def replayed(
    files: Sequence[str], old: Sequence[Contract], new: Sequence[Contract], options: Mapping[str, object]
) -> tuple[Replay, ...]:
    """Judge landing files under both contracts.

    Raises:
        ContractError: a document has several objects, so that it is not known which one the files are of.
        SourceError: there is nothing to read.
    """
    from sluis.tools.replay import replay
    from sluis.tools.spark import spark_for

    if several := [contracts for contracts in (old, new) if len(contracts) > 1]:
        names = listed(contract.object for contract in several[0])
        message, hint = (
            f"the document has several objects: {names}.",
            "name the one that the files are of: FILE#OBJECT.",
        )
        raise ContractError([Problem(file=several[0][0].path, path="$", message=message, hint=hint)])
    with spark_for(files) as spark:
        return tuple(replay(spark, file, old[0], new[0], options) for file in files)


def _read(file: Path, shown: str, wanted: str | None) -> tuple[Source, list[Contract]]:
    opened = reading.open_document(file, shown)
    found: list[Contract] = []
    problems: list[Problem] = []
    # A document without objects has its reader say what is wrong with it.
    for name in [wanted] if wanted else opened.names or [None]:
        try:
            found.append(opened.read(name))
        except ContractError as error:
            problems += error.problems
    if problems:
        raise ContractError(dict.fromkeys(problems))
    return opened.source, found
