"""Java, jars and the class-data archive, without starting a JVM."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from sluis import installed, jvm
from sluis.errors import EnvironmentFailure

MAGIC = b"\xa8\xba\x0b\xf0"


@pytest.fixture(autouse=True)
def _forget_java() -> None:
    installed.java_version.cache_clear()


def java_says(monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    """Stand in for `java -version`; returns the commands that were run."""
    ran: list[str] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        ran.append(command[0])
        return subprocess.CompletedProcess(command, 0, stdout="", stderr=text)

    monkeypatch.setattr(subprocess, "run", run)
    return ran


@pytest.mark.parametrize(
    ("version", "major"),
    [
        ("17.0.15", 17),
        ("21", 21),
        ("25.0.1+8", 25),
        ("1.8.0_402", 8),
        ("11.0.22", 11),
        ("17-ea", 17),
        ("nonsense", None),
    ],
)
def test_java_major(version: str, major: int | None) -> None:
    assert installed.java_major(version) == major


def test_java_home_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = java_says(monkeypatch, 'openjdk version "21.0.2" 2024-01-16\nOpenJDK Runtime Environment\n')
    assert installed.java_version("/opt/jdk") == 'openjdk version "21.0.2" 2024-01-16\nOpenJDK Runtime Environment'
    assert ran == ["/opt/jdk/bin/java"]


@pytest.mark.parametrize("said", ['java version "1.8.0_402"\n', 'openjdk version "11.0.22" 2024-01-16\n', "what?\n"])
def test_old_java_is_refused(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    java_says(monkeypatch, said)
    with pytest.raises(EnvironmentFailure) as failure:
        installed.java_version(None)
    assert said.strip() in failure.value.message
    assert "sudo apt-get install -y openjdk-17-jre-headless" in failure.value.hint
    assert "brew install openjdk@17" in failure.value.hint


def test_missing_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentFailure, match="no Java was found"):
        installed.java_version(None)
    with pytest.raises(EnvironmentFailure, match=f"JAVA_HOME is {tmp_path}: no Java"):
        installed.java_version(str(tmp_path))


def test_java_that_does_not_run_says_why(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'Unrecognized VM option NoSuch' >&2\necho 'Error: no JVM' >&2\nexit 1\n")
    java.chmod(0o755)
    with pytest.raises(EnvironmentFailure, match="Java does not run: Unrecognized VM option NoSuch; Error: no JVM"):
        installed.java_version(str(tmp_path))


def test_announced_options_are_not_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    java_says(monkeypatch, 'Picked up JAVA_TOOL_OPTIONS: -Dversion "1"\nopenjdk version "17.0.15" 2025-04-15\n')
    assert installed.java_version(None) == 'openjdk version "17.0.15" 2025-04-15'


def test_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SLUIS_CACHE", str(tmp_path / "own"))
    assert installed.cache() == tmp_path / "own"
    monkeypatch.delenv("SLUIS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert installed.cache() == tmp_path / "sluis"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Spark of three empty jars."""
    jars = tmp_path / "spark" / "jars"
    jars.mkdir(parents=True)
    for name in ("spark-core_2.13-4.1.3.jar", "jackson-core-2.21.2.jar", "netty-codec-http-4.2.13.Final.jar"):
        (jars / name).touch()
    monkeypatch.setenv("SPARK_HOME", str(jars.parent))
    monkeypatch.setenv("SLUIS_CACHE", str(tmp_path / "cache"))
    return jars.parent


def test_what_spark_ships_is_not_downloaded(home: Path) -> None:
    assert installed.shipped() == "*:jackson-core,*:netty-codec-http,*:spark-core_2.13"


def test_delta_jars_follow_the_installed_versions(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def download(coordinates: str, folder: Path) -> None:
        asked.append(coordinates)
        folder.mkdir(parents=True)
        (folder / "a.jar").touch()

    monkeypatch.setattr(installed, "_download", download)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "4.9.9")
    first, again = installed.delta_jars(), installed.delta_jars()
    assert asked == ["io.delta:delta-spark_4.1_2.13:4.9.9"]
    assert first == again == (installed.cache() / "jars" / "delta-spark_4.1_2.13-4.9.9-spark-4.1.3" / "a.jar",)


def test_failed_download_says_why(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, stdout="", stderr="::\n Host mirror not found. url=x\n at y\n")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(EnvironmentFailure, match="could not be downloaded: Host mirror not found") as failure:
        installed._download("g:a:1", installed.cache() / "jars" / "x")
    assert "DEFAULT_ARTIFACT_REPOSITORY" in failure.value.hint
    assert list((installed.cache() / "jars").iterdir()) == []


def test_no_spark_jars(home: Path) -> None:
    (home / "jars" / "spark-core_2.13-4.1.3.jar").unlink()
    with pytest.raises(EnvironmentFailure, match="No Spark jars"):
        installed.spark_version()


def test_archive_key_changes_with_java_and_jars(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = ["17"]
    monkeypatch.setattr(installed, "java_version", lambda home: java[0])
    extra = home / "delta.jar"
    extra.write_bytes(b"1")
    keys = [jvm.archive_key([extra]), jvm.archive_key([])]
    extra.write_bytes(b"12")
    keys.append(jvm.archive_key([extra]))
    os.utime(extra, ns=(1, 1))
    keys.append(jvm.archive_key([extra]))
    java[0] = "21"
    keys.append(jvm.archive_key([extra]))
    assert len(set(keys)) == 5
    assert jvm.archive_key([extra]) == keys[-1]


def test_folder_on_the_class_path_forbids_an_archive(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_CONF_DIR", "HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_DIST_CLASSPATH"):
        monkeypatch.delenv(name, raising=False)
    assert jvm.archivable()
    (home / "conf").mkdir()
    assert jvm.archivable()
    (home / "conf" / "spark-defaults.conf").touch()
    assert not jvm.archivable()


def test_one_process_records_and_the_next_one_adopts(tmp_path: Path) -> None:
    archive = tmp_path / "archives" / "k.jsa"
    part = archive.with_suffix(".part")
    assert jvm.archive_options(archive) == [f"-XX:ArchiveClassesAtExit={part}"]
    assert jvm.archive_options(archive) == [], "somebody is recording"
    part.write_bytes(bytes(64))
    assert jvm.archive_options(archive) == [], "the header comes last"
    part.write_bytes(MAGIC + bytes(60))
    assert jvm.archive_options(archive) == ["-Xshare:auto", f"-XX:SharedArchiveFile={archive}"]
    assert not part.exists()
    assert jvm.archive_options(archive) == ["-Xshare:auto", f"-XX:SharedArchiveFile={archive}"]


def test_abandoned_recording_is_taken_over(tmp_path: Path) -> None:
    archive = tmp_path / "k.jsa"
    part = archive.with_suffix(".part")
    part.touch()
    old = time.time() - 3600
    os.utime(part, (old, old))
    assert jvm.archive_options(archive) == [f"-XX:ArchiveClassesAtExit={part}"]
    assert time.time() - part.stat().st_mtime < 60


def test_cache_that_cannot_be_written_costs_only_the_archive(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "java_version", lambda home: "17")
    blocked = home / "blocked"
    blocked.touch()
    monkeypatch.setenv("SLUIS_CACHE", str(blocked))
    assert jvm.java_options([], size_hint=None) == ["-XX:-UsePerfData", "-XX:-DontCompileHugeMethods"]


@pytest.mark.parametrize(("size", "small"), [(0, True), (jvm.SMALL - 1, True), (jvm.SMALL, False), (None, False)])
def test_compiler_follows_the_size(monkeypatch: pytest.MonkeyPatch, size: int | None, small: bool) -> None:
    monkeypatch.setattr(jvm, "_archive_options", lambda jars: [])
    assert ("-XX:TieredStopAtLevel=1" in jvm.java_options([], size_hint=size)) is small


def test_jvm_that_ends_at_once_is_reported(tmp_path: Path) -> None:
    log = tmp_path / "spark.log"
    log.write_text("Error: Could not reserve enough space for object heap\nat nowhere\n")
    process = subprocess.Popen(["true"])
    process.wait()
    with pytest.raises(EnvironmentFailure, match="Could not reserve enough space") as failure:
        jvm.await_gateway(process, tmp_path / "told" / "gateway", log)
    assert str(log) in failure.value.hint
