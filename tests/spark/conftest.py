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
def classic_spark(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SparkSession:
    """A session for what does not depend on the engine."""
    if request.config.getoption("--engine") == "connect":
        pytest.skip("the same on either engine; run on classic")
    monkeypatch.delenv("SPARK_CONNECT_MODE_ENABLED", raising=False)
    session: SparkSession = request.getfixturevalue("_classic_session")
    return session


@pytest.fixture
def classic(classic_spark: SparkSession, tmp_path: Path) -> Project:
    """A project for what does not depend on the engine."""
    return Project(root=tmp_path, spark=classic_spark)
