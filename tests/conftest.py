"""Sessions for the tests: classic Spark and a local Spark Connect server, both real, Delta included."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from pyspark.sql import SparkSession
from xdist.scheduler import LoadScopeScheduling

from sluis import installed, session

START = 120
"""Seconds that a Connect server may take until it listens."""

CONNECT_MODE = "SPARK_CONNECT_MODE_ENABLED"
"""By this variable pyspark's functions decide for which engine they make a column."""


# Machines are shared: how long an example takes says nothing about the code.
hypothesis.settings.register_profile("shared", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("shared")


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "both where they may differ (default), one, or both everywhere"
    engines = ["where-they-differ", "classic", "connect", "both"]
    parser.addoption("--engine", default=engines[0], choices=engines, help=told)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--engine")
        alike = chosen == "where-they-differ" and metafunc.definition.get_closest_marker("alike")
        engines = ["classic"] if alike else [chosen] if chosen in ("classic", "connect") else ["classic", "connect"]
        metafunc.parametrize("engine", engines, scope="session", indirect=True)


class ByEngine(LoadScopeScheduling):
    """Tests of an engine in one process: a JVM that gets warm does in half the time what new ones do.

    Three parts, as long as one another: with classic Spark in one, its process was at work when all others had ended.
    Not `--dist loadgroup`: pytest 9.2 does not show xdist 3.8 the groups.
    """

    def _split_scope(self, nodeid: str) -> str:
        engine = re.search(r"[\[-](classic|connect)[]-]", nodeid)
        if engine:
            return f"where they may differ, {engine[1]}"
        return "classic only" if nodeid.startswith("tests/spark/") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByEngine:
    return ByEngine(config, log)


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what `import sluis.gx` set in another, nor what runs the tests."""
    for name in ("SLUIS_STATE", "GITHUB_ACTIONS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def spark(engine: str, request: pytest.FixtureRequest) -> SparkSession:
    """The engine's session. Both live until the end, so that switching between them costs nothing."""
    if engine == "connect":
        os.environ[CONNECT_MODE] = "1"
    else:
        os.environ.pop(CONNECT_MODE, None)
    chosen: SparkSession = request.getfixturevalue(f"_{engine}_session")
    return chosen


@pytest.fixture(scope="session")
def _classic_session(tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    # The JVM ends with this process, by itself.
    started = session.local(tmp_path_factory.mktemp("classic"), size_hint=0)
    # What small local runs interpret, the Connect server shows; large ones and clusters compile, so this one does.
    for key in session.INTERPRETED:
        started.conf.unset(key)
    return started


@pytest.fixture(scope="session")
def _connect_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    state = tmp_path_factory.mktemp("connect")
    server, remote = start_connect_server(state)
    try:
        client = SparkSession.builder.remote(remote).create()
        yield client
        client.stop()
    finally:
        stop(server)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_connect_server(state: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server on the loopback address and wait until it listens; its log is `connect.log`."""
    port = free_port()
    conf = {
        **session.settings(state / "warehouse", size_hint=0),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    command = installed.submit(
        conf, "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"
    )
    log = state / "connect.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            env=installed.environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # Ctrl-C is for pytest, whose teardown then stops the server.
            process_group=0,
        )
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server, f"sc://127.0.0.1:{port}"
        time.sleep(0.1)
    stop(server)
    pytest.fail(f"The Spark Connect server did not start:\n{log.read_text(errors='replace')[-4000:]}", pytrace=False)


def stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        # A server that records the class-data archive writes it now.
        server.wait(60)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(10)
