"""Which session the environment asks for, and what is said when it cannot be had. No JVM."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sluis import session
from sluis.errors import EnvironmentFailure

ON_DATABRICKS = {"DATABRICKS_RUNTIME_VERSION": "17.3"}
CLUSTER = {"DATABRICKS_HOST": "https://example.cloud.databricks.com", "DATABRICKS_CLUSTER_ID": "0101-abc"}
SERVERLESS = {"DATABRICKS_CONFIG_PROFILE": "work", "DATABRICKS_SERVERLESS_COMPUTE_ID": "auto"}
REMOTE = {"SPARK_REMOTE": "sc://127.0.0.1:1"}


@pytest.fixture(autouse=True)
def _no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_active", lambda: None)
    monkeypatch.setattr(session, "_has_jvm", lambda: False)
    for name in {**ON_DATABRICKS, **CLUSTER, **SERVERLESS, **REMOTE}:
        monkeypatch.delenv(name, raising=False)


class FakeConf:
    """A session's settings, some of which may be out of reach."""

    def __init__(self, fixed: Mapping[str, str] = types.MappingProxyType({})) -> None:
        self.fixed = fixed
        self.values: dict[str, str] = {"spark.sql.ansi.enabled": "false", "spark.sql.session.timeZone": "CET"}

    def get(self, key: str) -> str:
        return self.fixed.get(key, self.values[key])

    def set(self, key: str, value: str) -> None:
        self.values[key] = value


class FakeSpark:
    """As much of a session as a start touches."""

    def __init__(self, conf: FakeConf | None = None, version: str = "4.2.0") -> None:
        self.conf = conf or FakeConf()
        self.version = version


@pytest.mark.parametrize(
    ("env", "kind"),
    [
        ({}, "local"),
        ({"DATABRICKS_HOST": "https://x"}, "local"),
        ({"DATABRICKS_CLUSTER_ID": "1"}, "local"),
        (CLUSTER, "databricks-connect"),
        (SERVERLESS, "databricks-connect"),
        ({**CLUSTER, **REMOTE}, "remote"),
        ({**CLUSTER, **REMOTE, **ON_DATABRICKS}, "given"),
        ({"SPARK_REMOTE": ""}, "local"),
    ],
)
def test_environment_chooses(env: Mapping[str, str], kind: str) -> None:
    assert session.choose(env) == kind


def test_active_session_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    active = FakeSpark()
    monkeypatch.setattr(session, "_active", lambda: active)
    monkeypatch.setenv("SPARK_REMOTE", REMOTE["SPARK_REMOTE"])
    assert session.get(tmp_path) is active  # type: ignore[comparison-overlap]
    assert active.conf.values == {"spark.sql.ansi.enabled": "true", "spark.sql.session.timeZone": "UTC"}


def test_databricks_connect_is_used_when_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake: Any = types.ModuleType("databricks.connect")
    fake.__spec__ = types.SimpleNamespace()
    made = FakeSpark()
    fake.DatabricksSession = types.SimpleNamespace(builder=types.SimpleNamespace(getOrCreate=lambda: made))
    monkeypatch.setitem(sys.modules, "databricks.connect", fake)
    for name, value in SERVERLESS.items():
        monkeypatch.setenv(name, value)
    assert session.get(tmp_path) is made  # type: ignore[comparison-overlap]


def test_databricks_connect_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "databricks.connect", None)
    for name, value in CLUSTER.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(EnvironmentFailure) as failure:
        session.get(tmp_path)
    assert "databricks-connect is not installed" in failure.value.message
    assert "pip install databricks-connect" in failure.value.hint
    assert "unset DATABRICKS_CLUSTER_ID to run locally" in failure.value.hint


@pytest.mark.parametrize("error", [RuntimeError("[NO_ROUTE] cannot connect\nJVM stacktrace:\n  at x"), RuntimeError()])
def test_start_errors_are_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception) -> None:
    def fail() -> Any:
        raise error

    monkeypatch.setenv("SPARK_REMOTE", REMOTE["SPARK_REMOTE"])
    monkeypatch.setattr(session, "_OPENERS", {"remote": fail})
    with pytest.raises(EnvironmentFailure) as failure:
        session.get(tmp_path)
    reason = str(error).split("\n")[0] or "RuntimeError"
    assert failure.value.message == f"Spark could not be started: {reason}"


def test_ansi_that_cannot_be_set_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stubborn = FakeSpark(FakeConf(fixed={"spark.sql.ansi.enabled": "false"}))
    monkeypatch.setattr(session, "_active", lambda: stubborn)
    with pytest.raises(EnvironmentFailure, match=r"needs spark\.sql\.ansi\.enabled to be true"):
        session.get(tmp_path)


def test_old_spark_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "_active", lambda: FakeSpark(version="3.5.6"))
    with pytest.raises(EnvironmentFailure, match=r"Spark 3\.5\.6 is too old"):
        session.get(tmp_path)


def test_missing_pyspark_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EnvironmentFailure) as failure:
        session.get(tmp_path)
    assert failure.value.message == "pyspark is not installed."
    assert failure.value.hint == "pip install 'sluis[spark]'"


def test_importing_costs_nothing() -> None:
    code = (
        "import sys, sluis.session; print([m for m in ('pyspark', 'py4j', 'great_expectations') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_pyspark_prints_no_json_and_still_raises(capfd: pytest.CaptureFixture[str]) -> None:
    from pyspark.logger import PySparkLogger

    session._quiet_pyspark()
    try:
        raise ValueError("shown by whoever handles it")
    except ValueError:
        PySparkLogger.getLogger("SQLQueryContextLogger").exception("noise", errorClass="X")
    assert capfd.readouterr() == ("", "")
