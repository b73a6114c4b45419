"""Typed rows to Delta: create, overwrite, append, merge, each with a receipt.

Importing this needs no pyspark; calling `write`, `written` and `check` does.
"""

from __future__ import annotations

from sluis.table import quarantine
from sluis.table.lock import lock
from sluis.table.model import Commit, Mode, Receipt, Refusal, Source, Target, TargetColumn, Written
from sluis.table.names import local_folder, unsupported_names
from sluis.table.reading import Opened, opened, remarks
from sluis.table.schema import TableState, check, find
from sluis.table.wanted import target_of
from sluis.table.write import write
from sluis.table.written import written

__all__ = [
    "Commit", "Mode", "Opened", "Receipt", "Refusal", "Source", "TableState", "Target", "TargetColumn", "Written",
    "check", "find", "local_folder", "lock", "opened", "quarantine", "remarks", "target_of", "unsupported_names",
    "write", "written",
]  # fmt: skip
