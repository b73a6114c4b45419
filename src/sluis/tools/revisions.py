"""Documents as git has them: `HEAD~1:contracts/orders.yaml` → a file to read; `main` → a project's documents then."""

from __future__ import annotations

import posixpath
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from sluis.contract.document import LARGEST, did_you_mean
from sluis.errors import ContractError, Problem

_DOCUMENTS = (".yaml", ".yml", ".json")
"""What a contract may refer to."""

_SHALLOW = "a shallow clone lacks older commits: fetch the history first."


@contextmanager
def checked_out(given: str, here: Path) -> Iterator[tuple[Path, str]]:
    """A document of a revision as a file, and its path in the repository; with the documents beside it.

    Args:
        given: `REVISION:PATH`, the path as seen from the repository's root or from here.
        here: A folder of the repository.

    Raises:
        ContractError: there is no git, repository, revision or file of that name.
    """
    revision, _, path = given.partition(":")
    commit = _commit(given, revision, here)
    found = _found(given, commit, path, here)
    with TemporaryDirectory(prefix="sluis-") as folder:
        root = Path(folder)
        _neighbours(commit, found, root, here)
        file = root / found
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_git(given, here, "show", "--no-textconv", f"{commit}:{found}") or b"")
        yield file, found


@contextmanager
def project_at(revision: str, project: Path) -> Iterator[Path]:
    """The documents of a project as they were where the present branch left a revision, in a folder.

    Args:
        revision: A branch, tag or commit.
        project: A folder of the repository.

    Raises:
        ContractError: there is no git, repository or revision of that name, or it has nothing in common with the
            present branch.
    """
    commit = _commit(revision, revision, project)
    base = _git(revision, project, "merge-base", commit, "HEAD")
    if base is None:
        raise _problem(revision, "it has no commit in common with the present branch", _SHALLOW)
    with TemporaryDirectory(prefix="sluis-") as folder:
        _unpack(base.decode().strip(), ".", Path(folder), project)
        yield Path(folder)


def _commit(given: str, revision: str, here: Path) -> str:
    if _git(given, here, "rev-parse", "--show-toplevel") is None:
        raise _problem(given, f"`{revision}` cannot be looked up: {here} is in no git repository")
    commit = _git(given, here, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        neither = "neither a file of this name nor a" if given != revision else "no"
        raise _problem(given, f"there is {neither} git revision `{revision}`", _SHALLOW)
    return commit.decode().strip()


def _found(given: str, commit: str, path: str, here: Path) -> str:
    """The path of a file from the repository's root."""
    prefix = (_git(given, here, "rev-parse", "--show-prefix") or b"").decode().strip()
    known = (_git(given, here, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit) or b"").decode(
        errors="surrogateescape"
    )
    names = set(known.split("\0")) - {""}
    for candidate in (path, posixpath.normpath(f"{prefix}{path}")):
        if candidate in names:
            return candidate
    raise _problem(given, f"the revision has no file `{path}`", did_you_mean(path, names))


def _neighbours(commit: str, path: str, root: Path, here: Path) -> None:
    """The documents of the same top folder, which the one may refer to; samples and code stay out."""
    top = PurePosixPath(path).parts[0]
    repository = _git(commit, here, "rev-parse", "--show-toplevel")
    if top != path and repository is not None:
        _unpack(commit, top, root, Path(repository.decode().strip()))


def _unpack(commit: str, part: str, root: Path, here: Path) -> None:
    """The documents of a folder, as seen from here."""
    command = ["git", "archive", "--format=tar", commit, part]
    with subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
                for member in archive:
                    if member.isfile() and member.name.endswith(_DOCUMENTS) and member.size <= LARGEST:
                        archive.extract(member, root, filter="data")
        except (tarfile.TarError, OSError):
            # A reference into what could not be unpacked will say that the file is not there.
            process.kill()


def _git(given: str, here: Path, *arguments: str) -> bytes | None:
    """What git says; None where it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=here, capture_output=True, check=False)
    except FileNotFoundError:
        raise _problem(given, "there is no file of this name, and git, which could look it up, is not here") from None
    return done.stdout if done.returncode == 0 else None


def _problem(given: str, message: str, hint: str = "") -> ContractError:
    return ContractError([Problem(file=given, path="$", message=f"{message}.", hint=hint)])
