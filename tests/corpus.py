"""Read and compile every contract of a folder, and print what became of each.

    python tests/corpus.py FOLDER [-v]

One line per object of each document: read (columns, rules, keys that nothing enforces, keys that are off the standard)
or refused (with `-v` each problem, and each such key). Exits with 1 if anything but a contract error came out.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sluis.contract import reading
from sluis.contract.model import Contract
from sluis.errors import ContractError, SluisError
from sluis.suite.compile import suites

SUFFIXES = (".yaml", ".yml", ".json")


def outcomes(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """For every object: its name, what became of it, and the details."""
    for file in sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES):
        shown = str(file.relative_to(folder))
        try:
            opened = reading.open_document(file, shown)
        except ContractError as error:
            yield shown, "refused", [str(problem) for problem in error.problems]
            continue
        except Exception:
            yield shown, "TRACEBACK", [traceback.format_exc()]
            continue
        for name in opened.names:
            yield outcome(f"{shown}#{name}", opened, name)


def outcome(shown: str, opened: reading.Opened, name: str) -> tuple[str, str, list[str]]:
    """The same for one object."""
    start = time.perf_counter()
    try:
        contract = opened.read(name)
        suites(contract, "corpus")
    except ContractError as error:
        return shown, "refused", [str(problem) for problem in error.problems]
    except SluisError as error:
        return shown, "not compiled", [str(error)]
    except Exception:
        return shown, "TRACEBACK", [traceback.format_exc()]
    return shown, "read", [summary(contract, time.perf_counter() - start), *remarks(contract)]


def summary(contract: Contract, seconds: float) -> str:
    """What was read, in numbers."""
    counts = Counter(entry.status for entry in contract.ledger)
    warnings = sum(entry.warning for entry in contract.ledger)
    return (
        f"{len(contract.columns)} columns, {len(contract.rules)} rules, {counts['unsupported']} unsupported, "
        f"{warnings} warnings, {seconds * 1000:.0f} ms"
    )


def remarks(contract: Contract) -> list[str]:
    """Keys of the document that are not enforced, or off the standard."""
    return [
        f"{'warning' if entry.warning else entry.status} {entry.path}: {entry.note}"
        for entry in contract.ledger
        if entry.warning or entry.status == "unsupported"
    ]


def main(folder: str, *options: str) -> int:
    """Print the table; returns the exit code."""
    tally: Counter[str] = Counter()
    for shown, what, details in outcomes(Path(folder)):
        tally[what] += 1
        print(f"{what:<12} {shown}  {details[0].removeprefix(shown.partition('#')[0])[:160]}")
        if what == "TRACEBACK" or "-v" in options:
            print("".join(f"             {line}\n" for line in details[what == "read" :]), end="")
    print(", ".join(f"{number} {what}" for what, number in sorted(tally.items())) or "no contract there")
    return 1 if tally["TRACEBACK"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
