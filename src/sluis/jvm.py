"""The JVM under a local session: options that make it start fast, and Python at its gateway.

Nothing here imports pyspark, so that the JVM can boot while Python is still importing.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sluis import installed
from sluis.errors import EnvironmentFailure

SMALL = 32 * 1024 * 1024
"""Sources below this size (bytes) are over before the optimising compiler has paid for itself."""

_ABANDONED = 600.0
"""Seconds after which a class-data archive that nobody finished may be recorded anew."""


@dataclass(frozen=True, kw_only=True)
class Gateway:
    """A running JVM that waits for Python."""

    process: subprocess.Popen[bytes]
    """The JVM. It ends itself when the pipe to its standard input closes."""

    port: int
    """Where it listens, on the loopback address."""

    secret: str
    """What a client must show."""


def java_options(jars: Sequence[Path], *, size_hint: int | None) -> list[str]:
    """Options that must be there before the JVM starts."""
    # Spark makes one method of a whole stage; over 8 KB of bytecode the JVM would interpret it for ever (20 rules on
    # ten columns took 15 s for a million rows instead of 6).
    options = ["-XX:-UsePerfData", "-XX:-DontCompileHugeMethods", *_archive_options(jars)]
    if size_hint is not None and size_hint < SMALL:
        # With one compiler alone the JVM keeps 48 MB for code. Spark fills that in minutes; then code is thrown out and
        # compiled again, which took a third of the CPU of a session of ten minutes.
        options += ["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC"]
    return options


def _archive_options(jars: Sequence[Path]) -> list[str]:
    """Use the class-data archive of this Java and these jars, or record it; never a reason to fail."""
    try:
        return archive_options(installed.cache() / "archives" / f"{archive_key(jars)}.jsa") if archivable() else []
    except OSError:
        return []


def archivable() -> bool:
    """Java refuses to record while a folder with files in it is on the class path, as configuration folders are."""
    folders = (
        os.environ.get("SPARK_CONF_DIR") or str(installed.spark_home() / "conf"),
        *map(os.environ.get, _CLASS_PATH),
    )
    return not any(folder and (":" in folder or any(Path(folder).glob("*"))) for folder in folders)


_CLASS_PATH = ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_DIST_CLASSPATH")
"""What else Spark's launcher puts on the class path."""


def archive_key(jars: Sequence[Path]) -> str:
    """Everything by which Java decides whether an archive fits: itself, and each jar's path, size and time."""
    facts = [installed.java_version(os.environ.get("JAVA_HOME"))]
    for jar in (*jars, *sorted((installed.spark_home() / "jars").glob("*.jar"))):
        stat = jar.stat()
        facts.append(f"{jar}:{stat.st_size}:{stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def archive_options(archive: Path) -> list[str]:
    """Share the archive if it is there or has been finished meanwhile, else record it, one process at a time."""
    part = archive.with_suffix(".part")
    if not archive.exists() and _complete(part):
        os.replace(part, archive)
    if archive.exists():
        return ["-Xshare:auto", f"-XX:SharedArchiveFile={archive}"]
    archive.parent.mkdir(parents=True, exist_ok=True)
    if part.exists() and time.time() - part.stat().st_mtime > _ABANDONED:
        part.unlink(missing_ok=True)
    try:
        # The empty file is the claim; Java replaces it when it ends.
        part.touch(exist_ok=False)
    except FileExistsError:
        return []
    return [f"-XX:ArchiveClassesAtExit={part}"]


def _complete(part: Path) -> bool:
    """Java writes the header, which opens with a magic number, after everything else."""
    try:
        with part.open("rb") as file:
            return any(file.read(4))
    except FileNotFoundError:
        return False


def launch(conf: Mapping[str, str], log: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a JVM for PySpark and return at once, with the file in which it will say where it listens.

    PySpark's own `launch_gateway` starts it with the same protocol, but only after seconds of importing, and lets
    it write to the user's terminal.
    """
    told = Path(tempfile.mkdtemp(prefix="sluis-")) / "gateway"
    log.parent.mkdir(parents=True, exist_ok=True)
    arguments = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell"))
    with log.open("wb") as output:
        process = subprocess.Popen(
            installed.submit(conf, *arguments),
            env={**installed.environment(), "_PYSPARK_DRIVER_CONN_INFO_PATH": str(told)},
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            # Ctrl-C is for Python, which cancels the jobs; the JVM ends when the pipe to it closes.
            process_group=0,
        )
    return process, told


def await_gateway(process: subprocess.Popen[bytes], told: Path, log: Path) -> Gateway:
    """Wait until the JVM listens."""
    try:
        while not told.exists():
            if process.poll() is not None:
                raise EnvironmentFailure(
                    f"Spark's JVM did not start: {installed.reason(log.read_text(errors='replace'))}",
                    hint=f"See {log}.",
                )
            time.sleep(0.02)
        port, length = struct.unpack("!ii", told.read_bytes()[:8])
        return Gateway(process=process, port=port, secret=told.read_bytes()[8 : 8 + length].decode())
    finally:
        shutil.rmtree(told.parent, ignore_errors=True)


def create_session(gateway: Gateway) -> Any:
    """Let the JVM make its context and session, without PySpark, whose imports would come first otherwise."""
    from py4j.clientserver import ClientServer, JavaParameters, PythonParameters

    client = ClientServer(
        java_parameters=JavaParameters(port=gateway.port, auth_token=gateway.secret),
        python_parameters=PythonParameters(port=0, eager_load=False),
    )
    return client.jvm.org.apache.spark.sql.classic.SparkSession.builder().getOrCreate()


def warm_up(java_session: Any) -> None:
    """Write a throw-away table, so that Delta is loaded, and recorded in the archive, before it is needed."""
    with tempfile.TemporaryDirectory(prefix="sluis-", ignore_cleanup_errors=True) as folder:
        java_session.range(1).write().format("delta").save(f"{folder}/table")
