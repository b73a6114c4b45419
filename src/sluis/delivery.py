"""What goes into the table: the table as the contract describes it, and the typed rows, watched on their way."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sluis import landing, lexical, session, table
from sluis.config import Entity
from sluis.contract.document import listed
from sluis.contract.model import Contract
from sluis.contract.names import CORRUPT, LINE, SOURCE
from sluis.errors import SchemaError, SluisError
from sluis.suite.divide import KEPT, RULES, divided
from sluis.suite.predicates import Spec
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


def sources(spark: SparkSession, entity: Entity, state: Path) -> list[table.Opened]:
    """The tables that an entity's rows are made of, each at the version it has now: every pass reads the same rows.

    Raises:
        EnvironmentFailure: one is not there, or cannot be read.
        SchemaError: one is a view, or no Delta table.
    """
    local = session.is_local(spark)
    return [
        table.opened(
            spark,
            table.Target(
                name=name,
                mode="append",
                columns=(),
                location=str(table.local_folder(state / "warehouse", name)) if local else None,
            ),
        )
        for name in entity.tables
    ]


def turn(target: table.Target) -> AbstractContextManager[None]:
    """The table for one run alone, on this machine.

    The locks are not in the state folder: it may be a Volume, which has none.
    """
    folder = Path(tempfile.gettempdir()) / f"sluis-locks-{os.getuid()}"
    return table.lock(target.location or target.name, folder)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Which of the rows are kept in a file whose others are kept out."""

    specs: Sequence[Spec]
    """The arguments of the suite's expectations."""

    rules: frozenset[str]
    """The rules that rows which are kept out break."""

    rows: int
    """How many are kept."""

    def of(self, frame: DataFrame) -> DataFrame:
        """The frame with the rules that each row breaks."""
        return divided(frame, self.specs, self.rules)


def rows(
    frame: DataFrame,
    read: landing.Landing | None,
    contract: Contract,
    checksum: str | None,
    kept: Kept | None = None,
) -> tuple[DataFrame, Callable[[], str | None]]:
    """The rows for the table, read afresh and cast, and the check that they are the validated ones.

    Args:
        frame: What was validated.
        read: The landing it came from, which is read again; None for a frame that code made, which is computed again.
        contract: Its columns, in order.
        checksum: The validated one, of all rows, whether they are kept or not.
        kept: Which of them are kept; None: all.
    """
    spark = frame.sparkSession
    fresh = frame if read is None else landing.reread(spark, read, pinned=session.is_connect(spark))
    types = _types(fresh)
    summed = lexical.summable(types)
    selected = _selected(contract, types)
    if kept is None:
        watched, observed = lexical.watch(fresh, summed, selected)
    else:
        # What is kept out would not survive the cast, and still belongs to the checksum.
        every, observed = lexical.watch(kept.of(fresh), summed, ["*"], counted=KEPT)
        watched = every.where(KEPT).selectExpr(*selected)

    def changed() -> str | None:
        if observed() != (checksum, kept.rows if kept else None):
            why = "the files changed in between" if read else "computed once more, the frame holds others"
            return f"The rows that were written are not the rows that were validated: {why}."
        if read is not None:
            landing.unchanged(spark, read)
        return None

    return watched, changed


def _types(frame: DataFrame) -> dict[str, str]:
    return {field.name: field.dataType.simpleString() for field in frame.schema.fields if field.name != CORRUPT}


def _selected(contract: Contract, types: dict[str, str]) -> list[str]:
    """SQL of every column of the table: the contract's cast, additional ones as text."""
    known = {column.name: column for column in contract.columns}
    # A frame that the caller read may hold values of the right type already.
    values = {
        name: lexical.typed(column) if types[name] == "string" else lexical.identifier(name)
        for name, column in known.items()
    }
    more = [name for name in types if name not in known]
    values |= {name: f"CAST({lexical.identifier(name)} AS STRING)" for name in more}
    return [f"{sql} AS {lexical.identifier(name)}" for name, sql in values.items()]


def quarantine(target: table.Target, contract: Contract) -> table.Target:
    """The table for the rows that are kept out of the target."""
    comments = {column.name: column.description or "" for column in contract.columns}
    return table.quarantine.beside(target, comments, contract.sensitive)


def kept_out(frame: DataFrame, read: landing.Landing | None, contract: Contract, kept: Kept, run_id: str) -> DataFrame:
    """The rows for the quarantine, read afresh: what is known of each, and its original text.

    Args:
        frame: What was validated.
        read: The landing it came from; None for a frame that the caller read.
        contract: What the rows break.
        kept: Which rows are kept, and do not belong here.
        run_id: The run.

    Raises:
        SchemaError: a column of the file has the name of one that the quarantine has.
    """
    fresh = frame if read is None else landing.reread(frame.sparkSession, read, located=True)
    types = {name: kind for name, kind in _types(fresh).items() if name not in (SOURCE, LINE)}
    if taken := table.quarantine.taken(types):
        raise SchemaError(f"The file has columns that are called {listed(taken)}, as the quarantine's own.")
    told = {
        "_run_id": lexical.string(run_id),
        "_status": "'pending'",
        "_superseded_by": "CAST(NULL AS STRING)",
        "_rules": RULES,
        "_source": SOURCE if read else "CAST(NULL AS STRING)",
        "_line": LINE if read else "CAST(NULL AS BIGINT)",
        "_kept_out_at": "current_timestamp()",
        "_contract_version": lexical.string(contract.version),
        "_contract_fingerprint": lexical.string(contract.fingerprint),
        "_raw": CORRUPT if read else "CAST(NULL AS STRING)",
    }
    # Of a row that does not fit the header, which text stands in which column is not known.
    told |= {name: f"IF({told['_raw']} IS NULL, {_text(name, kind)}, NULL)" for name, kind in types.items()}
    selected = (f"{sql} AS {lexical.identifier(name)}" for name, sql in told.items())
    return kept.of(fresh).where(f"NOT {KEPT}").selectExpr(*selected)


def _text(name: str, kind: str) -> str:
    """SQL of the text of a column, which a frame that the caller read may hold as something else."""
    if kind == "binary":
        return f"base64({lexical.identifier(name)})"
    nested = kind.startswith(("array", "map", "struct", "variant"))
    return f"{'to_json' if nested else 'string'}({lexical.identifier(name)})"


def refused(refusal: table.Refusal, contract: Contract) -> str:
    """Why the table did not take the rows; keys that may not be shown are left out."""
    sensitive = bool(contract.sensitive & set(contract.primary_key))
    shown = [", ".join(f"{name}={value}" for name, value in example.items()) for example in refusal.examples[:5]]
    more = f" (for example {'; '.join(shown)})" if shown and not sensitive else ""
    return refusal.message + more
