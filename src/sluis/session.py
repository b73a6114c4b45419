"""The Spark session: the one Databricks gives, Spark Connect, or a local one with Delta."""

from __future__ import annotations

import importlib.util
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sluis import installed, jvm
from sluis.errors import EnvironmentFailure
from sluis.settings import REQUIRED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Kind = Literal["given", "remote", "databricks-connect", "local"]

_CLUSTER = ("DATABRICKS_CLUSTER_ID", "DATABRICKS_SERVERLESS_COMPUTE_ID")
_WORKSPACE = ("DATABRICKS_HOST", "DATABRICKS_CONFIG_PROFILE")


def choose(env: Mapping[str, str]) -> Kind:
    """Which session the environment asks for, an active one aside."""
    if env.get("DATABRICKS_RUNTIME_VERSION"):
        return "given"
    if env.get("SPARK_REMOTE"):
        return "remote"
    if any(map(env.get, _CLUSTER)) and any(map(env.get, _WORKSPACE)):
        return "databricks-connect"
    return "local"


def get(state: Path, *, size_hint: int | None = None) -> SparkSession:
    """The session to work with; everything that can go wrong at start is an `EnvironmentFailure`.

    Args:
        state: our state folder; a local session keeps its tables in `warehouse` and its log in `spark.log` there.
        size_hint: size of the source in bytes, when known: a JVM for small files starts faster.
    """
    return start_early(state, size_hint=size_hint)()


def start_early(state: Path, *, size_hint: int | None = None) -> Callable[[], SparkSession]:
    """Start the JVM, if a local one is needed, and return at once; the result waits and is `get`'s session.

    Until then the caller can import and compile: neither needs Spark.
    """
    if "pyspark" in sys.modules and (active := _active()) is not None:
        return lambda: _ready(active)
    kind = choose(os.environ)
    if kind != "local":
        return lambda: _ready(_translated(_OPENERS[kind]))
    start = _LocalStart(state, size_hint, warm=True)
    return lambda: _ready(start.session())


def local(state: Path, *, size_hint: int | None = None) -> SparkSession:
    """A local classic session with Delta, whatever the environment says."""
    return _ready(_LocalStart(state, size_hint, warm=False).session())


def is_connect(spark: SparkSession) -> bool:
    """Whether the session talks to a server through Spark Connect."""
    return ".connect." in type(spark).__module__


def is_local(spark: SparkSession) -> bool:
    """Whether Spark runs in this process tree, so that tables may live in the state folder."""
    if is_connect(spark) or os.environ.get("DATABRICKS_RUNTIME_VERSION"):
        return False
    return str(spark.conf.get("spark.master")).startswith("local")


def settings(warehouse: Path, *, size_hint: int | None = None) -> dict[str, str]:
    """What a local JVM of ours is started with (the tests' Connect server too)."""
    jars = installed.delta_jars()
    small = size_hint is not None and size_hint < jvm.SMALL
    return {
        "spark.master": "local[2]" if small else "local[*]",
        "spark.app.name": "sluis",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(warehouse.resolve()),
        "spark.sql.shuffle.partitions": "1" if small else "4",
        "spark.databricks.delta.snapshotPartitions": "1" if small else "2",
        # A run alone makes forty classes; of the hundred that Spark keeps, the next run would find few.
        "spark.sql.codegen.cache.maxEntries": "1000",
        # The listener gets every plan as text; this is the short one.
        "spark.sql.ui.explainMode": "simple",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        # Not spark.jars: only classes on the JVM's own class path get into the class-data archive.
        "spark.driver.extraClassPath": os.pathsep.join(map(str, jars)),
        "spark.driver.extraJavaOptions": " ".join(jvm.java_options(jars, size_hint=size_hint)),
        **(INTERPRETED if small else {}),
    }


INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""For a few rows, writing and compiling Java code costs more than it saves: 30 % of a warm run of four rows."""


class _LocalStart:
    """A local session in the making: the JVM boots at once, its session in a thread, PySpark's when asked for."""

    def __init__(self, state: Path, size_hint: int | None, *, warm: bool) -> None:
        self._log = state / "spark.log"
        self._conf = settings(state / "warehouse", size_hint=size_hint)
        self._warm = warm
        self._made: Future[jvm.Gateway] | None = None
        if not _has_jvm():
            self._made = Future()
            started = jvm.launch(self._conf, self._log)
            threading.Thread(target=self._boot, args=(self._made, *started), name="sluis-spark", daemon=True).start()

    def _boot(self, made: Future[jvm.Gateway], process: subprocess.Popen[bytes], told: Path) -> None:
        try:
            gateway = jvm.await_gateway(process, told, self._log)
            java_session = jvm.create_session(gateway)
        except Exception as error:
            made.set_exception(error)
            return
        made.set_result(gateway)
        if self._warm:
            # Only a help: what fails here fails, or not, where it is needed.
            with suppress(Exception):
                jvm.warm_up(java_session)

    def session(self) -> SparkSession:
        made = self._made
        return _translated(self._again if made is None else lambda: self._attach(made.result()))

    def _attach(self, made: jvm.Gateway) -> SparkSession:
        """Give PySpark the session that the JVM has made."""
        from pyspark import SparkContext
        from pyspark.java_gateway import launch_gateway
        from pyspark.sql import SparkSession

        with _variables(PYSPARK_GATEWAY_PORT=str(made.port), PYSPARK_GATEWAY_SECRET=made.secret):
            gateway = launch_gateway()  # type: ignore[no-untyped-call]
        # PySpark keeps the gateway for the life of the process, and with it the pipe that keeps the JVM alive.
        gateway.proc = made.process
        java = gateway.jvm
        context = java.JavaSparkContext.fromSparkContext(java.org.apache.spark.SparkContext.getOrCreate())
        SparkContext(gateway=gateway, jsc=context)
        return SparkSession.builder.getOrCreate()

    def _again(self) -> SparkSession:
        """A new session in the JVM that this process has; its options stay what they were."""
        from pyspark.sql import SparkSession

        return SparkSession.builder.config(map={**self._conf}).getOrCreate()


def _has_jvm() -> bool:
    """Whether PySpark in this process runs a JVM already (it never starts a second one)."""
    if "pyspark" not in sys.modules:
        return False
    from pyspark import SparkContext

    return SparkContext._gateway is not None


def _active() -> SparkSession | None:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    try:
        return SparkSession.active()
    except PySparkException:
        return None


def _given() -> SparkSession:
    from pyspark.sql import SparkSession

    return SparkSession.builder.getOrCreate()


def _remote() -> SparkSession:
    installed.spark_home()
    from pyspark.sql import SparkSession

    return SparkSession.builder.remote(os.environ["SPARK_REMOTE"]).getOrCreate()


def _databricks_connect() -> SparkSession:
    if importlib.util.find_spec("databricks.connect") is None:
        raise EnvironmentFailure(
            "The environment names a Databricks cluster, but databricks-connect is not installed.",
            hint="pip uninstall -y pyspark && pip install databricks-connect, in the version of the cluster's runtime; "
            f"or unset {' and '.join(name for name in _CLUSTER if os.environ.get(name))} to run locally.",
        )
    from databricks.connect import DatabricksSession

    session: SparkSession = DatabricksSession.builder.getOrCreate()
    return session


_OPENERS: Mapping[Kind, Callable[[], SparkSession]] = {
    "given": _given,
    "remote": _remote,
    "databricks-connect": _databricks_connect,
}


def _translated(start: Callable[[], SparkSession]) -> SparkSession:
    """Run a start; whatever Spark raises becomes one readable failure."""
    try:
        return start()
    except EnvironmentFailure:
        raise
    except Exception as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise EnvironmentFailure(f"Spark could not be started: {reason}") from error


def _ready(spark: SparkSession) -> SparkSession:
    """Check a session and set what belongs to the session alone, never to a cluster."""
    from pyspark.errors import PySparkException

    installed.check_spark(spark.version)
    _quiet_pyspark()
    for key, value in REQUIRED.items():
        try:
            if str(spark.conf.get(key)).lower() != value.lower():
                spark.conf.set(key, value)
            held = str(spark.conf.get(key))
        except PySparkException as error:
            held = str(error).splitlines()[0]
        if held.lower() != value.lower():
            raise EnvironmentFailure(
                f"Sluis needs {key} to be {value} in this Spark session, and it cannot be set: {held}.",
                hint=f"Set {key} to {value} where the session or its cluster is configured.",
            )
    return spark


def _quiet_pyspark() -> None:
    """PySpark also prints every exception it raises as a JSON line; the exception itself says the same."""
    from pyspark.logger import PySparkLogger

    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def _variables(**values: str) -> Iterator[None]:
    """Environment variables for a while."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
