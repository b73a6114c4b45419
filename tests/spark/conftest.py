"""A small project per test."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import Project
from pyspark.sql import SparkSession


@pytest.fixture
def project(spark: SparkSession, tmp_path: Path) -> Project:
    return Project(root=tmp_path, spark=spark)


@pytest.fixture
def classic(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project for what does not depend on the engine."""
    if request.config.getoption("--engine") == "connect":
        pytest.skip("the same on either engine; run on classic")
    monkeypatch.delenv("SPARK_CONNECT_MODE_ENABLED", raising=False)
    return Project(root=tmp_path, spark=request.getfixturevalue("_classic_session"))
