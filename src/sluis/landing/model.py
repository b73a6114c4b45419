"""What a landing is: the files that were read, the text frame made of them, and the faults found on the way."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from sluis.landing.dialect import Dialect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Kind = Literal["header", "columns", "row_shape", "encoding", "empty"]


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    """One landing file as it was when it was listed."""

    path: str
    """Where it lies, as Spark names it, with `%20` and the like decoded."""

    size: int
    """Bytes."""

    modified: str
    """ISO 8601 in UTC with milliseconds, `…Z`."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that makes a file no proper CSV of its dialect; a value, never an exception."""

    kind: Kind
    """The compiled rule that this fault breaks."""

    message: str
    """What is wrong, naming the line or the column."""

    file: str
    """The file, as in `SourceFile.path`."""

    line: int | None = None
    """Line in the file, counted from 1."""

    column: str | None = None
    """The header name that it is about."""

    def __str__(self) -> str:
        name = self.file.rsplit("/", 1)[-1]
        return f"{name}: {self.message}" if self.line is None else f"{name}, line {self.line}: {self.message}"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Files that are read with one schema."""

    header: tuple[str, ...]
    """Their column names, in file order."""

    line_end: str = ""
    """The line end that Spark is told, empty for any; told one, it leaves line breaks inside quotes as they are."""

    first_line: str | None = None
    """The header line of files whose every record is a line without quotes, empty without a header; None for others."""

    files: frozenset[str] = frozenset()
    """Their paths, as in `SourceFile.path`."""


@dataclass(frozen=True, kw_only=True)
class Landing:
    """The landing files of one run, pinned."""

    source: str
    """The file, folder or glob that was asked for."""

    files: tuple[SourceFile, ...]
    """The manifest."""

    frame: DataFrame
    """Every header column as STRING under its exact name, then `CORRUPT`."""

    faults: tuple[Fault, ...]
    """What was found wrong before any record was judged."""

    columns: tuple[str, ...]
    """The contract's column names, in order."""

    dialect: Dialect
    """How the files are read."""

    parts: tuple[Part, ...] = ()
    """The files that can be read, by how each is read."""

    scanned: frozenset[str] = frozenset()
    """Paths of the files whose every byte was judged, so that what is not among the faults is fine."""

    skipped: frozenset[SourceFile] = frozenset()
    """Files that were there and were left out on purpose."""


def facts(faults: tuple[Fault, ...], *, scanned: bool, most_rows: int | None) -> dict[str, str]:
    """Schema metadata of the `CORRUPT` field, which travels with the frame.

    Args:
        faults: What landing found.
        scanned: Whether every byte was judged.
        most_rows: More rows than this the files cannot hold; None when their sizes do not tell.
    """
    told = {"faults": [asdict(fault) for fault in faults], "scanned": scanned, "most_rows": most_rows}
    return {"sluis": json.dumps(told)}
