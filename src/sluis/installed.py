"""What is installed here: Java, Spark and Delta's jars, and how Spark is started.

Nothing here imports pyspark, so that the JVM can boot while Python is still importing.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sluis.errors import EnvironmentFailure

OLDEST_JAVA = 17
OLDEST_SPARK = 4

_INSTALL_SPARK = "pip install 'sluis[spark]'"
_INSTALL_JAVA = (
    "Java 17 or 21 is needed. Debian/Ubuntu: sudo apt-get install -y openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17; then set JAVA_HOME if `java` is not on the PATH."
)


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
        raise EnvironmentFailure(f"{where}Java does not run: {reason(ran.stderr)}", hint=_INSTALL_JAVA)
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
                f"{coordinates} could not be downloaded: {reason(done.stdout + done.stderr)}",
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


def reason(output: str) -> str:
    """The last lines that say something, of what a JVM left behind."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and not _NOISE.match(line)]
    return "; ".join(lines[-3:]) or "it said nothing"


_NOISE = re.compile(r"\s+at |\s+\.\.\. \d+ more|Picked up |WARNING: |\S+ \S+ (WARN|INFO) |\[[\d.]+s\]|[:\s]*$")
"""Stack traces, announcements and warnings."""


def environment() -> dict[str, str]:
    """The environment of our JVMs. A fixed Spark home saves a Python start, a fixed address a look-up of names."""
    own = {"SPARK_HOME": str(spark_home()), "SPARK_CONNECT_MODE": "0"}
    own["SPARK_LAUNCHER_OPTS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
    return {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, **os.environ, **own}


def submit(conf: Mapping[str, str], *arguments: str) -> list[str]:
    """The command line of `spark-submit`."""
    settings = [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    return [str(spark_home() / "bin" / "spark-submit"), *settings, *arguments]
