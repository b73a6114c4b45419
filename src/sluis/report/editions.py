"""The contracts by which runs were judged, as they stood then: what each said, and what differs from the one before.

An edition is kept by the first run that it judges, in a file of its own that is named after that run's time, so that
names alone tell which edition a run had and which one came before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sluis.contract import reading
from sluis.contract.diff import differ
from sluis.contract.model import Contract, ServiceLevel
from sluis.contract.telling import type_told
from sluis.errors import ContractError
from sluis.report.edition import ChangeWords, ColumnWords, Edition, LevelWords, RuleWords
from sluis.report.files import names, read_json, write_json
from sluis.report.site import edition_key
from sluis.suite.compile import SEVERITY

_NAME = re.compile(r"\d{8}T\d{6,}Z-[\w-]+")
_VERSION = 1


def folder(state: Path) -> Path:
    """Where the editions are."""
    return state / "results" / "contracts"


def ids(state: Path) -> list[str]:
    """The ids of all editions, oldest first."""
    return [name for name in names(folder(state), ".json") if _NAME.fullmatch(name)]


def of_run(known: Sequence[str], key: str, run_id: str) -> str | None:
    """The edition that a run was judged by: the latest of that key that is not younger than the run.

    Args:
        known: The ids of all editions, oldest first.
        key: What the run says of its contract (`site.edition_key`).
        run_id: The run.
    """
    moment = run_id.partition("-")[0]
    same = [one for one in known if key and _key(one) == key]
    return next((one for one in reversed(same) if one.partition("-")[0] <= moment), next(iter(same), None))


def load(state: Path, edition: str) -> Edition | None:
    """An edition, if there is a whole file of it."""
    content = read_json(folder(state) / f"{edition}.json")
    try:
        return _edition(content) if content and content["edition_version"] == _VERSION else None
    except (KeyError, TypeError):
        return None


def keep(state: Path, contract: Contract, suite: Mapping[str, Any], root: Path, run_id: str) -> None:
    """Keep the contract of a run, unless it is the edition that is in force already.

    Args:
        state: The state folder.
        contract: The contract.
        suite: What it compiles to, for the rules in words.
        root: The project, which holds the document.
        run_id: The run.

    Raises:
        OSError: it cannot be written.
    """
    key = edition_key(suite["name"], contract.fingerprint)
    of_suite = [one for one in ids(state) if _suite(one) == _suite(f"-{key}")]
    before = next((found for one in reversed(of_suite) if (found := load(state, one))), None)
    if before and before.fingerprint == contract.fingerprint:
        return
    edition = {
        "edition_version": _VERSION,
        "id": f"{run_id.partition('-')[0]}-{key}",
        "contract": contract.name,
        **{name: getattr(contract, name) for name in _TAKEN_OVER},
        "document": (root / contract.path).read_text("utf-8", errors="replace"),
        "columns": [_column(column) for column in contract.columns],
        "rules": [_rule(expectation) for expectation in suite["expectations"]],
        "levels": [_level(level) for level in contract.service_levels],
        "unsupported": [entry.path for entry in contract.ledger if entry.status == "unsupported"],
        "previous": before and before.id,
        "previous_version": before and before.version,
        "changes": _changes(before, contract) if before else None,
    }
    write_json(folder(state) / f"{edition['id']}.json", edition)


_TAKEN_OVER = ("version", "owner", "description", "format", "path", "object", "fingerprint", "primary_key")


def _key(edition: str) -> str:
    return edition.partition("-")[2]


def _suite(edition: str) -> str:
    return _key(edition).rpartition("-")[0]


def _column(column: Any) -> dict[str, Any]:
    return {
        "name": column.name,
        "type": type_told(column.type),
        "required": column.required,
        "sensitive": column.sensitive,
        "description": column.description,
        "classification": column.classification,
    }


_SEVERITY = {of_gx: ours for ours, of_gx in SEVERITY.items()}


def _rule(expectation: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": expectation["kwargs"]["rule"],
        "columns": expectation["meta"]["columns"],
        "severity": _SEVERITY[expectation["severity"]],
        "description": expectation["description"],
    }


def _level(level: ServiceLevel) -> dict[str, Any]:
    value = None if level.value is None else f"{level.value:f}"
    return {
        "kind": level.kind,
        "value": value,
        "unit": level.unit,
        "told": level.told,
        "columns": level.columns,
        "description": level.description,
    }


def _changes(before: Edition, contract: Contract) -> list[dict[str, Any]] | None:
    """What differs; the old document is read again, without the files that it refers to."""
    with TemporaryDirectory(prefix="sluis-") as place:
        file = Path(place) / Path(before.path).name
        file.write_text(before.document, "utf-8")
        try:
            old = reading.read(file, before.path, before.object)
        except ContractError:
            return None
    return [
        asdict(
            ChangeWords(
                kind=change.kind,
                words=change.meaning.words,
                subject=change.subject,
                old=change.old,
                new=change.new,
                reason=change.meaning.reason,
            )
        )
        for change in differ([old], [contract])
    ]


def _edition(content: Mapping[str, Any]) -> Edition:
    changes = content["changes"]
    parts: dict[str, Any] = {
        "columns": tuple(ColumnWords(**column) for column in content["columns"]),
        "rules": tuple(RuleWords(**rule) for rule in content["rules"]),
        "levels": tuple(LevelWords(**level) for level in content["levels"]),
        "changes": None if changes is None else tuple(ChangeWords(**change) for change in changes),
    }
    rest = {key: value for key, value in content.items() if key not in (*parts, "edition_version")}
    return Edition(**rest, **parts)
