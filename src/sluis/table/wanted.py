"""A contract → the table that it describes."""

from __future__ import annotations

from sluis import lexical
from sluis.contract.model import Contract
from sluis.table.model import Mode, Target, TargetColumn

PROPERTIES = "sluis."
"""The table properties that Sluis gives start with this; others are never touched."""


def target_of(
    contract: Contract,
    name: str,
    *,
    mode: Mode = "append",
    merge_key: tuple[str, ...] = (),
    location: str | None = None,
) -> Target:
    """The table as the contract wants it.

    Args:
        contract: The contract.
        name: `catalog.schema.table` or `schema.table`, not quoted.
        mode: How rows enter.
        merge_key: The columns that `merge` matches rows on.
        location: Where a local table lives.
    """
    return Target(
        name=name,
        mode=mode,
        columns=tuple(
            TargetColumn(
                name=column.name,
                type=lexical.spark_type(column.type),
                nullable=not column.required,
                comment=column.description,
            )
            for column in contract.columns
        ),
        merge_key=merge_key,
        primary_key=contract.primary_key,
        partition_columns=() if contract.cluster_columns else contract.partition_columns,
        cluster_columns=contract.cluster_columns,
        properties={f"{PROPERTIES}{name}": text for name, text in _facts(contract).items() if text},
        comment=contract.description,
        allow_additional=contract.allow_additional_columns,
        location=location,
    )


def _facts(contract: Contract) -> dict[str, str | None]:
    return {
        "contract": contract.name,
        "contract_id": contract.id,
        "contract_version": contract.version,
        "contract_path": contract.path,
        "contract_owner": contract.owner,
    }
