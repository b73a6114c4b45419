"""What goes into the table: the table as the contract describes it, and the typed rows, watched on their way."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sluis import landing, lexical, session, table
from sluis.config import Entity
from sluis.contract.model import Contract
from sluis.contract.names import CORRUPT
from sluis.errors import SluisError
from sluis.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def target(spark: SparkSession, entity: Entity, contract: Contract, state: Path) -> table.Target:
    """The table as entity and contract describe it; a local one lies in the state folder."""
    local = table.local_folder(state / "warehouse", entity.target)
    return table.target_of(
        contract,
        entity.target,
        mode=entity.mode,  # type: ignore[arg-type]  # the reader checked it
        merge_key=entity.merge_key,
        location=str(local) if session.is_local(spark) else None,
    )


def related(spark: SparkSession, workspace: Workspace, entity: Entity, state: Path) -> dict[str, list[str | None]]:
    """Where rules find what they refer to: the tables of its entities, as far as they are there.

    What refers to its own object may find it in the very rows (None), and in the table unless that is replaced.
    """
    places: dict[str, list[str | None]] = {}
    for to, found in tables(spark, workspace, entity, state).items():
        itself = entity.name in workspace.related(entity.name)[to]
        gone = entity.target if entity.mode == "overwrite" else None
        places[to] = [*([None] if itself else []), *(name for name in found if name != gone)]
    return places


def tables(spark: SparkSession, workspace: Workspace, entity: Entity, state: Path) -> dict[str, list[str]]:
    """What rules refer to → the tables of its entities, as far as they are there."""
    return {
        to: sorted({found for name in names if (found := _existing(spark, workspace, name, state))})
        for to, names in workspace.related(entity.name).items()
    }


def _existing(spark: SparkSession, workspace: Workspace, entity: str, state: Path) -> str | None:
    """The table of an entity, if it is there."""
    with suppress(SluisError):
        other = target(spark, workspace.settings.entity(entity), workspace.line(entity).contract, state)
        return other.name if table.find(spark, other) else None
    return None


def turn(target: table.Target) -> AbstractContextManager[None]:
    """The table for one run alone, on this machine.

    The locks are not in the state folder: it may be a Volume, which has none.
    """
    folder = Path(tempfile.gettempdir()) / f"sluis-locks-{os.getuid()}"
    return table.lock(target.location or target.name, folder)


def rows(
    frame: DataFrame, read: landing.Landing | None, contract: Contract, checksum: str | None
) -> tuple[DataFrame, Callable[[], str | None]]:
    """The rows for the table, read afresh and cast, and the check that they are the validated ones.

    Args:
        frame: What was validated.
        read: The landing it came from, which is read again; None for a frame that the caller read.
        contract: Its columns, in order.
        checksum: The validated one.
    """
    spark = frame.sparkSession
    fresh = frame if read is None else landing.reread(spark, read)
    types = {field.name: field.dataType.simpleString() for field in fresh.schema.fields}
    texts = [name for name, kind in types.items() if kind == "string" and name != CORRUPT]
    watched, observed = lexical.watch(fresh, texts, _selected(contract, types))

    def changed() -> str | None:
        if observed() != checksum:
            return "The rows that were written are not the rows that were validated: the files changed in between."
        if read is not None:
            landing.unchanged(spark, read)
        return None

    return watched, changed


def _selected(contract: Contract, types: dict[str, str]) -> list[str]:
    """SQL of every column of the table: the contract's cast, additional ones as text."""
    known = {column.name: column for column in contract.columns}
    # A frame that the caller read may hold values of the right type already.
    values = {
        name: lexical.typed(column) if types[name] == "string" else lexical.identifier(name)
        for name, column in known.items()
    }
    more = [name for name in types if name not in known and name != CORRUPT]
    values |= {name: f"CAST({lexical.identifier(name)} AS STRING)" for name in more}
    return [f"{sql} AS {lexical.identifier(name)}" for name, sql in values.items()]


def refused(refusal: table.Refusal, contract: Contract) -> str:
    """Why the table did not take the rows; keys that may not be shown are left out."""
    sensitive = bool(contract.sensitive & set(contract.primary_key))
    shown = [", ".join(f"{name}={value}" for name, value in example.items()) for example in refusal.examples[:5]]
    more = f" (for example {'; '.join(shown)})" if shown and not sensitive else ""
    return refusal.message + more
