"""What is kept out of an entity's table, as `sluis quarantine` tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sluis import delivery, session, table
from sluis.config import Entity
from sluis.workspace import Workspace


def quarantined(workspace: Workspace, entity: Entity, state: Path) -> dict[str, Any]:
    """Count the rows that are kept out of an entity's table.

    Args:
        workspace: The project.
        entity: The entity.
        state: Where local tables live.

    Returns:
        `entity`, `table`, `rows`, `by_rule`, and `sources`: a `path` each, with its own `rows` and `by_rule`.

    Raises:
        SluisError: the quarantine cannot be read, or rows of a run that was cut off cannot be marked.
    """
    spark = session.start_early(state)()
    contract = workspace.line(entity.name).contract
    target = delivery.target(spark, entity, contract, state)
    quarantine = delivery.quarantine(target, contract)
    with delivery.turn(target):
        table.quarantine.settle(spark, quarantine, target)
        found = list(table.quarantine.counts(spark, quarantine))
    sources = [
        {
            "path": whole.source,
            "rows": whole.rows,
            "by_rule": {one.rule: one.rows for one in found if one.source == whole.source and one.rule},
        }
        for whole in found
        if whole.rule is None
    ]
    rules = sorted({one.rule for one in found if one.rule})
    return {
        "entity": entity.name,
        "table": quarantine.name,
        "rows": sum(one.rows for one in found if one.rule is None),
        "by_rule": {rule: sum(one.rows for one in found if one.rule == rule) for rule in rules},
        "sources": sources,
    }
