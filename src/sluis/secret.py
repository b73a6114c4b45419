"""References to secrets in documents that people commit → their values, which go nowhere but to whom they are for.

`{{secrets/SCOPE/KEY}}` is how Databricks itself writes a secret of a scope; `{{env/NAME}}` is a variable of the
process's environment.
"""

from __future__ import annotations

import os
import re

from sluis.errors import EnvironmentFailure

PATTERN = r"\{\{(?:env/\w+|secrets/[\w.@-]+/[\w.@-]+)\}\}"
"""One reference."""

_PATIENCE = 30
"""Seconds in which the workspace must give a secret."""


def references(text: str) -> list[str]:
    """The references in a text: what may be shown of it."""
    return re.findall(PATTERN, text)


def revealed(text: str) -> str:
    """The text with the values of its references.

    Raises:
        EnvironmentFailure: one cannot be read; the message holds references only.
    """
    return re.sub(PATTERN, lambda match: _value(match[0]), text)


def _value(reference: str) -> str:
    kind, *names = reference.strip("{}").split("/")
    value = os.environ.get(names[0], "") if kind == "env" else _of_scope(reference, *names)
    if not value.strip():
        raise EnvironmentFailure(f"{reference} has no value.", hint="set it where this runs.")
    return value.strip()


def _of_scope(reference: str, scope: str, key: str) -> str:
    from databricks.sdk import WorkspaceClient
    from databricks.sdk.core import Config

    try:
        workspace = WorkspaceClient(config=Config(http_timeout_seconds=_PATIENCE, retry_timeout_seconds=_PATIENCE))
        return str(workspace.dbutils.secrets.get(scope, key))
    except Exception as error:  # the runtime's own dbutils raises what Java says
        told = next(iter(str(error).splitlines()), "")
        raise EnvironmentFailure(
            f"{reference} cannot be read: {type(error).__name__}: {told}",
            hint=f"does the scope exist, and may who runs this read it (`databricks secrets list-acls {scope}`)?",
        ) from error
