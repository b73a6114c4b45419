"""Processes of their own, each with a Spark session of its own, which tests may kill."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SESSIONS = ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET")
"""Variables that lead a child to the session of this process."""


def environment() -> dict[str, str]:
    """This process's environment without its session."""
    return {name: value for name, value in os.environ.items() if name not in SESSIONS}


def start(script: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    """Run Python in a session of its own, as a kill must reach the JVM too.

    The script gets the folder, these texts and the folder of the tests as arguments; its stderr is in the folder.
    """
    command = [sys.executable, "-c", script, str(folder), *more, str(Path(__file__).parent)]
    with (folder / "stderr").open("w") as errors:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True, env=environment()
        )
