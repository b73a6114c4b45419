"""Sessions for the tests: classic Spark and a local Spark Connect server, both real, Delta included."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from sluis import session


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", default="both", choices=["classic", "connect", "both"])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--engine")
        engines = ["classic", "connect"] if chosen == "both" else [chosen]
        metafunc.parametrize("engine", engines, scope="session", indirect=True)


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_connect_server(warehouse: Path) -> tuple[subprocess.Popen[bytes], str]:
    import pyspark

    port = free_port()
    home = Path(pyspark.__file__).parent
    conf = {
        **session.settings(warehouse),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    args = [str(home / "bin" / "spark-submit"), "--master", "local[2]"]
    for key, value in conf.items():
        args += ["--conf", f"{key}={value}"]
    args += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    log = (warehouse / "connect.log").open("wb")
    server = subprocess.Popen(args, stdout=log, stderr=log, env={**__import__("os").environ, "PYSPARK_PYTHON": sys.executable})
    for _ in range(240):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server, f"sc://127.0.0.1:{port}"
        time.sleep(0.25)
    raise RuntimeError("the Spark Connect server did not start")


@pytest.fixture(scope="session")
def spark(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    warehouse = tmp_path_factory.mktemp(f"warehouse-{engine}")
    if engine == "classic":
        yield session.local(warehouse)
        return
    server, remote = start_connect_server(warehouse)
    client = SparkSession.builder.remote(remote).create()
    yield client
    client.stop()
    server.terminate()
    server.wait(30)
