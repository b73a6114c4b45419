"""A contract → the table that it describes."""

from __future__ import annotations

from sluis import lexical
from sluis.contract.model import Contract
from sluis.table.model import Mode, Target, TargetColumn


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
        properties={
            "sluis.contract": contract.name,
            "sluis.contract_version": contract.version,
            "sluis.contract_path": contract.path,
        },
        comment=contract.description,
        allow_additional=contract.allow_additional_columns,
        location=location,
    )
