"""What an ODCS document says around its columns: keys that only inform, what the data is, who answers for it."""

from __future__ import annotations

from collections.abc import Mapping

from sluis.contract.document import Document

INFORMS = (
    *("apiVersion", "authoritativeDefinitions", "context", "contractCreatedTs", "customProperties", "dataProduct"),
    *("description", "domain", "id", "kind", "name", "price", "roles", "status", "support", "tags", "team", "tenant"),
    "version",
)
"""Keys of a document that only inform."""

V2_INFORMS = (
    *(
        "database",
        "datasetDomain",
        "datasetKind",
        "datasetName",
        "datasetProject",
        "driver",
        "driverVersion",
        "password",
    ),
    *("productDl", "productFeedbackUrl", "productSlackChannel", "project", "quantumName", "schedulerAppName", "server"),
    *("sourcePlatform", "sourceSystem", "stakeholders", "standardVersion", "systemInstance", "type", "username"),
    *("userConsumptionMode", "uuid"),
)
"""Keys of a document of ODCS 2 that only inform."""

OBJECT_INFORMS = (
    *(
        "authoritativeDefinitions",
        "businessName",
        "context",
        "customProperties",
        "dataGranularityDescription",
        "deprecated",
    ),
    *("description", "id", "logicalType", "physicalName", "physicalType", "priorTableName", "synonyms", "tags"),
)
"""Keys of an object that only inform."""


def text(raw: Document, *keys: str) -> str | None:
    """The first of these keys that holds text; ODCS 2 leaves some of them unchecked."""
    return next((value for key in keys if isinstance(value := raw.get(key), str) and value), None)


def purpose(raw: Document) -> str | None:
    """What the data is for, in the owner's words."""
    said = raw.get("description")
    text = said.get("purpose") if isinstance(said, Mapping) else said
    return text if isinstance(text, str) else None


def owner(raw: Document) -> str | None:
    """The team's name, or who has the role of an owner."""
    team = raw.get("team", raw.get("stakeholders"))
    if isinstance(team, Mapping) and isinstance(team.get("name"), str):
        return str(team["name"])
    members = team.get("members") if isinstance(team, Mapping) else team
    for member in members if isinstance(members, list) else ():
        if isinstance(member, Mapping) and "owner" in str(member.get("role", "")).lower():
            return str(member.get("name") or member.get("username"))
    return None
