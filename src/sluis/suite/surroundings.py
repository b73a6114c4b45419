"""What rules may look at beside the rows that are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Tables = Mapping[str, Sequence[str | None]]
"""Object that a contract refers to → the tables that hold it; None stands for the very rows that are judged."""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What is around a frame."""

    tables: Tables = field(default_factory=dict)
    """Objects that rules may refer to; those that are not named here are not known."""

    whole: DataFrame | None = None
    """The whole table, where the frame is only a part of it: keys and numbers of rows are asked of all its rows."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """The moment by which service levels are measured."""

    written: datetime | None = None
    """When rows last came to the table; None when that is not known."""
