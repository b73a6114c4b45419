"""What a process of its own needs to start a Spark session of its own."""

from __future__ import annotations

import os

SESSIONS = ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET")
"""Variables that lead a child to the session of this process."""


def environment() -> dict[str, str]:
    """This process's environment without its session."""
    return {name: value for name, value in os.environ.items() if name not in SESSIONS}
