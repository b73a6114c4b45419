"""The JVM under a local session: which Java, which jars, and options that make it start fast.

Nothing here imports pyspark, so that the JVM can boot while Python is still importing.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sluis.errors import EnvironmentFailure

SMALL = 32 * 1024 * 1024
"""Sources below this size (bytes) are over before the optimising compiler has paid for itself."""

OLDEST_JAVA = 17
OLDEST_SPARK = 4
_ABANDONED = 600.0
"""Seconds after which a class-data archive that nobody finished may be recorded anew."""

_INSTALL_SPARK = "pip install 'sluis[spark]'"
_INSTALL_JAVA = (
    "Java 17 or 21 is needed. Debian/Ubuntu: sudo apt-get install -y openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17; then set JAVA_HOME if `java` is not on the PATH."
)


@dataclass(frozen=True, kw_only=True)
class Gateway:
    """A running JVM that waits for Python."""

    process: subprocess.Popen[bytes]
    """The JVM. It ends itself when the pipe to its standard input closes."""

    port: int
    """Where it listens, on the loopback address."""

    secret: str
    """What a client must show."""


def cache() -> Path:
    """Our folder for what is expensive to make and safe to delete (`SLUIS_CACHE` moves it)."""
    if chosen := os.environ.get("SLUIS_CACHE"):
        return Path(chosen).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sluis"


def spark_home() -> Path:
    """The Spark that pyspark would start."""
    if chosen := os.environ.get("SPARK_HOME"):
        return Path(chosen)
    found = importlib.util.find_spec("pyspark")
    if found is None or not found.submodule_search_locations:
        raise EnvironmentFailure("pyspark is not installed.", hint=_INSTALL_SPARK)
    return Path(found.submodule_search_locations[0])


def spark_version() -> tuple[str, str]:
    """Scala and Spark version of the jars, e.g. `("2.13", "4.2.0")`."""
    home = spark_home()
    for jar in (home / "jars").glob("spark-core_*.jar"):
        if named := re.fullmatch(r"spark-core_([\d.]+)-(.+)\.jar", jar.name):
            check_spark(named[2])
            return named[1], named[2]
    raise EnvironmentFailure(f"No Spark jars in {home}.", hint=_INSTALL_SPARK)


def check_spark(version: str) -> None:
    """Refuse a Spark that lacks `try_cast` and `mergeInto` on DataFrames."""
    if int(version.split(".")[0]) < OLDEST_SPARK:
        raise EnvironmentFailure(
            f"Spark {version} is too old: Sluis needs Spark 4.0 or later.",
            hint=f"{_INSTALL_SPARK}; on Databricks: Runtime 17 or later, or serverless.",
        )


def java_major(version: str) -> int | None:
    """`17.0.15+6` → 17, `1.8.0_402` → 8; None for text that is no Java version."""
    found = re.match(r"(?:1\.)?(\d+)", version)
    return int(found[1]) if found else None


@functools.cache
def java_version(home: str | None) -> str:
    """The full version text of the Java that will run Spark; raises when there is none or it is too old."""
    java = str(Path(home, "bin", "java")) if home else "java"
    where = f"JAVA_HOME is {home}: " if home else ""
    try:
        ran = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise EnvironmentFailure(f"{where}no Java was found, and Spark needs one.", hint=_INSTALL_JAVA) from error
    # JAVA_TOOL_OPTIONS makes Java announce them first.
    said = [line for line in ran.stderr.splitlines() if line.strip() and not line.startswith("Picked up ")]
    version = re.search(r'version "([^"]+)"', "\n".join(said))
    if ran.returncode or version is None:
        raise EnvironmentFailure(f"{where}Java does not run: {_reason(ran.stderr)}", hint=_INSTALL_JAVA)
    major = java_major(version[1])
    if major is None or major < OLDEST_JAVA:
        raise EnvironmentFailure(f"{where}Java is too old for Spark: {said[0]}", hint=_INSTALL_JAVA)
    return "\n".join(said)


def delta_jars() -> tuple[Path, ...]:
    """Delta and what it needs beyond Spark's own jars; downloaded through Spark's Ivy when first asked for."""
    scala, spark = spark_version()
    try:
        delta = importlib.metadata.version("delta-spark")
    except importlib.metadata.PackageNotFoundError as error:
        raise EnvironmentFailure("delta-spark is not installed.", hint=_INSTALL_SPARK) from error
    artifact = f"delta-spark_{'.'.join(spark.split('.')[:2])}_{scala}"
    folder = cache() / "jars" / f"{artifact}-{delta}-spark-{spark}"
    if not folder.is_dir():
        _download(f"io.delta:{artifact}:{delta}", folder)
    return tuple(sorted(folder.glob("*.jar")))


def _download(coordinates: str, folder: Path) -> None:
    print(f"Downloading {coordinates} once, into {folder.parent}", file=sys.stderr, flush=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".ivy-") as work:
        conf = {"spark.jars.ivy": work, "spark.jars.packages": coordinates, "spark.jars.excludes": shipped()}
        # Any main class that ends at once will do: Ivy has resolved before it runs.
        command = submit(conf, "--class", "org.apache.ivy.Main", "spark-internal", "-version")
        done = subprocess.run(
            command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        jars = Path(work, "jars")
        if done.returncode or not any(jars.glob("io.delta_delta-spark*.jar")):
            raise EnvironmentFailure(
                f"{coordinates} could not be downloaded: {_reason(done.stdout + done.stderr)}",
                hint="The first start needs Maven Central, or a mirror in DEFAULT_ARTIFACT_REPOSITORY; "
                f"or copy {folder} from a machine that has it.",
            )
        try:
            jars.rename(folder)
        except OSError:
            # Somebody else was faster; theirs are the same jars.
            if not folder.is_dir():
                raise


def shipped() -> str:
    """Ivy exclusions for every artifact that Spark has in a version of its own: an older one must not shadow it."""
    names = (re.sub(r"-\d.*", "", jar.name) for jar in (spark_home() / "jars").glob("*.jar"))
    return ",".join(f"*:{name}" for name in sorted(set(names)))


def _reason(output: str) -> str:
    """The last lines that say something, of what a JVM left behind."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and not _NOISE.match(line)]
    return "; ".join(lines[-3:]) or "it said nothing"


_NOISE = re.compile(r"\s+at |\s+\.\.\. \d+ more|Picked up |WARNING: |\S+ \S+ (WARN|INFO) |\[[\d.]+s\]|[:\s]*$")
"""Stack traces, announcements and warnings."""


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
        return archive_options(cache() / "archives" / f"{archive_key(jars)}.jsa") if archivable() else []
    except OSError:
        return []


def archivable() -> bool:
    """Java refuses to record while a folder with files in it is on the class path, as configuration folders are."""
    folders = (os.environ.get("SPARK_CONF_DIR") or str(spark_home() / "conf"), *map(os.environ.get, _CLASS_PATH))
    return not any(folder and (":" in folder or any(Path(folder).glob("*"))) for folder in folders)


_CLASS_PATH = ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_DIST_CLASSPATH")
"""What else Spark's launcher puts on the class path."""


def archive_key(jars: Sequence[Path]) -> str:
    """Everything by which Java decides whether an archive fits: itself, and each jar's path, size and time."""
    facts = [java_version(os.environ.get("JAVA_HOME"))]
    for jar in (*jars, *sorted((spark_home() / "jars").glob("*.jar"))):
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


def environment() -> dict[str, str]:
    """The environment of our JVMs. A fixed Spark home saves a Python start, a fixed address a look-up of names."""
    own = {"SPARK_HOME": str(spark_home()), "SPARK_CONNECT_MODE": "0"}
    own["SPARK_LAUNCHER_OPTS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
    return {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, **os.environ, **own}


def submit(conf: Mapping[str, str], *arguments: str) -> list[str]:
    """The command line of `spark-submit`."""
    settings = [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    return [str(spark_home() / "bin" / "spark-submit"), *settings, *arguments]


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
            submit(conf, *arguments),
            env={**environment(), "_PYSPARK_DRIVER_CONN_INFO_PATH": str(told)},
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
                    f"Spark's JVM did not start: {_reason(log.read_text(errors='replace'))}", hint=f"See {log}."
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
