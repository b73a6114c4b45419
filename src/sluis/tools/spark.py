"""A Spark session for a command that keeps nothing, and its failures as errors of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sluis import landing, session
from sluis.errors import EnvironmentFailure, SluisError
from sluis.report import discreet
from sluis.settings import settled
from sluis.table import faults

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def spark_for(sources: Sequence[str] = (), state: Path | None = None) -> Iterator[SparkSession]:
    """A session, settled; what Spark raises inside becomes one readable failure.

    Args:
        sources: What will be read; small files start faster.
        state: Where local tables are; by default a folder that is gone afterwards.
    """
    sizes = [landing.size(source) for source in sources]
    hint = sum(size or 0 for size in sizes) if all(size is not None for size in sizes) else None
    with TemporaryDirectory(prefix="sluis-", ignore_cleanup_errors=True) as folder:
        spark = session.get(state or Path(folder), size_hint=hint)
        with translated(), settled(spark):
            yield spark


@contextmanager
def translated() -> Iterator[None]:
    """Turn what Spark raises into our own errors."""
    try:
        yield
    except Exception as error:
        if isinstance(error, SluisError):
            raise
        if source := landing.translate(error):
            raise source from error
        if not faults.is_spark(error):
            raise
        raise EnvironmentFailure(f"Spark failed: {_told(error)}") from error


def _told(error: Exception) -> str:
    """What failed; what Spark says of a failure on its way through rows may quote one."""
    said = faults.messages(error)
    return said[0].splitlines()[0] if said and faults.is_about_the_plan(error) else discreet.cause(error)
