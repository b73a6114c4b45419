"""What Spark's types hold and ours do not, in frames whose columns are typed already."""

from __future__ import annotations

from functools import singledispatch

from sluis import lexical
from sluis.contract.logical import Array, Double, Float, Json, LogicalType, Map, Object, Time
from sluis.lexical.sql import identifier


@singledispatch
def stray(logical: LogicalType, value: str, depth: int = 0) -> str:
    """SQL: whether a value of the Spark type is none of the logical type's; never NULL, and `false` where none is.

    Args:
        logical: The type that it should have.
        value: SQL of the value.
        depth: How many parts it is inside of; names of lambda variables must differ.
    """
    if isinstance(logical, Double | Float):
        return f"coalesce(NOT abs({value}) < double('Infinity'), false)"
    if isinstance(logical, Json | Time):
        # A table holds them as text; times in one form, whatever the contract's own.
        kind = logical if isinstance(logical, Json) else Time()
        return f"IF({value} IS NULL, false, NOT {lexical.accepted(kind, value, lexical.value(kind, value))})"
    return "false"


@stray.register
def _(logical: Object, value: str, depth: int = 0) -> str:
    found = []
    for field in logical.fields:
        held = f"{value}.{identifier(field.name)}"
        found += [f"{held} IS NULL"] if field.required else []
        found += [inside] if (inside := stray(field.type, held, depth)) != "false" else []
    return f"IF({value} IS NULL, false, {' OR '.join(found)})" if found else "false"


@stray.register
def _(logical: Array, value: str, depth: int = 0) -> str:
    return _any(logical.items, value, depth)


@stray.register
def _(logical: Map, value: str, depth: int = 0) -> str:
    sides = (_any(logical.keys, f"map_keys({value})", depth), _any(logical.values, f"map_values({value})", depth))
    return " OR ".join(f"({side})" for side in sides if side != "false") or "false"


def _any(logical: LogicalType, values: str, depth: int) -> str:
    item = f"__sluis_held{depth}"
    inside = stray(logical, item, depth + 1)
    return inside if inside == "false" else f"coalesce(exists({values}, {item} -> {inside}), false)"
