"""A small project per test."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import Project
from pyspark.sql import SparkSession


@pytest.fixture
def project(spark: SparkSession, tmp_path: Path) -> Project:
    return Project(root=tmp_path, spark=spark)
