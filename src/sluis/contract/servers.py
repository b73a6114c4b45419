"""What becomes of the servers that a contract names: where the producer's data lives is not where files land."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluis.contract.document import Parts
from sluis.contract.notes import Notes

_ELSEWHERE = "where the producer's data lives; an entity names source and target"

_FILES = "an entity's `format` and `options` say how its files are read"

_TOLD = {
    "type": "the queries of SQL rules are read in its SQL",
    **dict.fromkeys(("format", "delimiter", "encoding"), _FILES),
    **dict.fromkeys(("customProperties", "description", "environment", "id", "roles", "server"), ""),
}
"""Key of a server → what the ledger says of it, where that is something else than of the others."""


def kinds(servers: Any) -> list[str]:
    """The type of every server that states one."""
    stated = [server.get("type") for server in (_named(servers) or {}).values() if isinstance(server, Mapping)]
    return [kind for kind in stated if isinstance(kind, str)]


def claim(at: Parts, servers: Any, notes: Notes) -> None:
    """Claim every key of every server.

    Args:
        at: Where the servers stand.
        servers: A list of them, or an object that names each; the ledger warns of anything else.
        notes: Takes the claims.
    """
    named = _named(servers)
    if named is None:
        notes.documentation(at, _ELSEWHERE)
        return
    notes.parts(at)
    for step, server in named.items():
        place = (*at, step)
        if not isinstance(server, Mapping):
            notes.documentation(place, _ELSEWHERE)
            continue
        notes.parts(place)
        for key in server:
            notes.documentation((*place, key), _TOLD.get(key, _ELSEWHERE))


def _named(servers: Any) -> Mapping[Any, Any] | None:
    named = dict(enumerate(servers)) if isinstance(servers, list) else servers
    return named if isinstance(named, Mapping) else None
