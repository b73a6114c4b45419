"""The two session settings that our SQL assumes, for as long as it runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REQUIRED = {"spark.sql.ansi.enabled": "true", "spark.sql.session.timeZone": "UTC"}

# A session's settings hold for all of its threads: one that puts them back would take them from another.
_settled = threading.RLock()


@contextmanager
def settled(spark: SparkSession) -> Iterator[None]:
    """Have the settings in force, and the caller's own again afterwards."""
    with _settled:
        before = {key: spark.conf.get(key) for key in REQUIRED}
        changed = {key: value for key, value in before.items() if str(value).lower() != REQUIRED[key].lower()}
        try:
            for key in changed:
                spark.conf.set(key, REQUIRED[key])
            yield
        finally:
            for key, value in changed.items():
                spark.conf.set(key, str(value))
