"""Tell people of a run that was rejected or failed, through Apprise: webhook, Slack, Teams, e-mail and others.

An alert that fails changes nothing: neither the verdict nor the exit code. No value of the data is in one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

from sluis import secret
from sluis.config import Settings
from sluis.errors import EnvironmentFailure
from sluis.report import words
from sluis.report.causes import causes
from sluis.report.model import Run
from sluis.report.parse import parse

log = logging.getLogger("sluis")

SHOWN = 5
"""Causes and files that fit on the screen of a phone."""

LONGEST = 200
"""Characters of one of them."""


def send(record: Mapping[str, Any], settings: Settings) -> None:
    """Tell everyone whom the environment names, each by itself; a dry run is told to nobody.

    Args:
        record: The run's evidence.
        settings: Whom to tell, and where people read the docs (the environment's `docs_url`).
    """
    if record["dry_run"]:
        return
    for address in settings.alerts:
        shown = " ".join(secret.references(address))
        try:
            is_told = _tell(secret.revealed(address), title(record), text(record, settings.variables.get("docs_url")))
            why = "" if is_told else "it did not get through"
        except EnvironmentFailure as error:
            why = error.message
        except ImportError:
            why = "install sluis[alerts]"
        except Exception as error:  # whatever a library makes of an address may quote the address
            why = type(error).__name__
        if why:
            log.warning("The alert to %s could not be sent: %s", shown, why)


def title(record: Mapping[str, Any]) -> str:
    """What a phone shows first: which entity, and what became of it.

    Raises:
        BrokenRecord: this is no evidence object.
    """
    run = parse(record)
    verdict = words.verdict(run.verdict)
    return f"{verdict.mark} {run.entity}: {verdict.word.lower()}"


def text(record: Mapping[str, Any], docs_url: str | None) -> str:
    """The alert: what happened, contract, files, rows, what is wrong, where the report is.

    Raises:
        BrokenRecord: this is no evidence object.
    """
    return "\n".join(_lines(parse(record), record, docs_url))


def _lines(run: Run, record: Mapping[str, Any], docs_url: str | None) -> Iterator[str]:
    yield words.verdict(run.verdict).meaning
    yield _short(f"Contract {run.contract} {run.version}, table {run.target}")
    yield from _few("File ", [source.path for source in run.sources] or [run.source or "unknown"])
    if run.rows is not None:
        yield f"{words.counted(run.rows, 'row')} read"
    yield from _few("• ", list(causes(run)))
    page = PurePath(record["report"])
    # The docs are served as they lie in their folder, with the pages of runs in one of its folders.
    yield "/".join((docs_url.rstrip("/"), *page.parts[-2:])) if docs_url else str(page)


def _few(mark: str, lines: Sequence[str]) -> Iterator[str]:
    yield from (mark + _short(line) for line in lines[:SHOWN])
    if len(lines) > SHOWN:
        yield f"and {len(lines) - SHOWN:,} more"


def _short(text: str) -> str:
    shown = words.visible(text)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _tell(address: str, title: str, body: str) -> bool:
    import apprise

    with _silent(logging.getLogger("apprise")):
        asset = apprise.AppriseAsset(app_id="Sluis", app_desc="Sluis", app_url="")
        teller = apprise.Apprise(asset=asset)
        return teller.add(address) and bool(
            teller.notify(
                body, title=title, notify_type=apprise.NotifyType.FAILURE, body_format=apprise.NotifyFormat.TEXT
            )
        )


@contextmanager
def _silent(logger: logging.Logger) -> Iterator[None]:
    """Apprise logs addresses that it cannot read, with the secrets in them."""
    was, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = was
