"""A real file → a first contract that passes on it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

from sluis import landing, table
from sluis.contract import names
from sluis.errors import RejectedError
from sluis.landing import Landing
from sluis.tools.infer.draft import Draft, decisions, draft, may_list
from sluis.tools.infer.keys import keys
from sluis.tools.infer.profile import profiles, values
from sluis.tools.infer.write import as_native, as_odcs
from sluis.tools.spark import spark_for

Format = Literal["odcs", "native"]


def infer(source: str, form: Format, options: Mapping[str, object]) -> tuple[str, list[str]]:
    """Read a file and write its contract.

    Args:
        source: A landing file, folder or glob.
        form: ODCS (YAML, with remarks as comments) or the native format (JSON).
        options: How it is read, as an entity's options.

    Returns:
        The document; and remarks that it has no room for.

    Raises:
        RejectedError: the file is no CSV as it is read, or holds no row.
        SourceError: there is nothing to read.
        ContractError: an option is unknown or wrong.
    """
    with spark_for([source]) as spark:
        landed = landing.read(spark, source, columns=(), options=options)
        _require_sound(landed)
        found = draft_of(landed)
    heading = _heading(source, found[1], options)
    return as_odcs(found[0], heading) if form == "odcs" else as_native(found[0], heading)


def draft_of(landed: Landing) -> tuple[Draft, int]:
    """The contract of a landing, and how many rows it was made from.

    Raises:
        RejectedError: rows do not fit the header, or there are none.
    """
    frame = landed.frame
    seen, unfit = profiles(frame)
    if unfit:
        raise _rejected(landed.source, [f"{unfit:,} of {seen[0].rows:,} rows do not fit the header"])
    if not seen[0].rows:
        raise _rejected(landed.source, ["there is a header and no row"])
    decided = decisions(seen)
    listed = [each.name for each in seen if may_list(each, decided[each.name].logical)]
    found = keys(frame, seen, {name: decision.logical for name, decision in decided.items()})
    few = values(frame, [name for name in listed if name not in found.primary])
    return draft(name_of(landed.source), seen, decided, few, found), seen[0].rows


def name_of(source: str) -> str:
    """A contract's name from a file's: letters, digits, `_` and `-`."""
    stem = PurePosixPath(re.sub(r"[*?{\[].*", "", source).rstrip("/")).name.partition(".")[0]
    return re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_") or "contract"


_SEPARATORS = {";": ";", "\t": r"\t", "|": "|"}


def _require_sound(landed: Landing) -> None:
    header = [name for name in landed.frame.columns if not name.startswith(names.RESERVED)]
    faults = [str(fault) for fault in landed.faults]
    faults += [f"column {place}: {reason}" for place, (_, reason) in enumerate(names.faults(header), 1)]
    faults += [f"column {name!r}: {reason}" for name, reason in table.unsupported_names(header)]
    if faults or not header:
        raise _rejected(landed.source, faults or ["there is no header"])
    other = next((sep for sep in _SEPARATORS if len(header) == 1 and sep in header[0]), None)
    if other is not None:
        hint = f"fields look as if separated by {other!r}: --option 'sep={_SEPARATORS[other]}'"
        raise _rejected(landed.source, [f"there is one column, {header[0]!r}"], hint)


def _rejected(
    source: str, faults: Sequence[str], hint: str = "say how it is read with --option NAME=VALUE."
) -> RejectedError:
    return RejectedError("\n".join((f"No contract can be made from {source}:", *faults)), hint=hint)


def _heading(source: str, rows: int, options: Mapping[str, object]) -> list[str]:
    """What is said above the whole contract."""
    few = " So few rows prove little." if rows < 100 else ""
    read = [f"The entity needs these options: {', '.join(f'{key}={value!r}' for key, value in options.items())}."]
    return [
        f"A first contract, made by sluis infer from {PurePosixPath(source).name} ({rows:,} rows).{few}",
        "Comments mark what a person should decide; what holds for one file need not hold for the next.",
        *(read if options else []),
    ]
