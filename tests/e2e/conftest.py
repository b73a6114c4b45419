"""The commands run as from a user's terminal, whatever started the tests."""

from __future__ import annotations

import os

import pytest

OURS = ("SLUIS_", "SPARK_", "PYSPARK_", "MAKE", "MFLAGS")
"""Variables that `make`, pyspark and the other tests' sessions set."""


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(OURS)]:
        monkeypatch.delenv(name)
