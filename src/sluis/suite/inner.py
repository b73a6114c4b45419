"""Rules about values inside of JSON: a row breaks one if any of its values there does."""

from __future__ import annotations

from collections.abc import Sequence

from sluis import lexical
from sluis.contract.logical import Array, LogicalType, Map, Object
from sluis.lexical import nested
from sluis.suite.predicates import PREDICATES, Spec, View, shown

_LEAF = "__sluis_leaf"


def row_sql(spec: Spec, column: View) -> tuple[str, str]:
    """SQL of whether a row breaks the rule, and of the text of its first value that does."""
    kind, values = leaves(column.logical, column.value, spec["inner"], is_text=column.is_text)
    if isinstance(kind, nested.TYPES):
        held = f"IF(is_variant_null({_LEAF}), NULL, {_LEAF})" if column.is_text else _LEAF
        view = View(logical=kind, text=f"to_json({_LEAF})", value=_LEAF, is_text=column.is_text)
    else:
        held = f"CAST({_LEAF} AS STRING)" if column.is_text else _LEAF
        value = lexical.value(kind, _LEAF) if column.is_text else _LEAF
        view = View(logical=kind, text=_LEAF, value=value, is_text=column.is_text)
    values = f"transform({values}, {_LEAF} -> {held})"
    broken = f"{_LEAF} -> {PREDICATES[spec['kind']](spec, view)}"
    first = f"get(transform(filter({values}, {broken}), {_LEAF} -> {shown(spec, view)}), 0)"
    return f"exists({values}, {broken})", first


def leaves(
    kind: LogicalType, value: str, path: Sequence[str], *, is_text: bool, depth: int = 0
) -> tuple[LogicalType, str]:
    """The type of the values at a path, and SQL of the list of those that a value holds.

    A field that its object lacks is a NULL in the list; of an object that is not there, no field is asked for.
    """
    if not path:
        return kind, f"array({value})"
    part = f"__sluis_part{depth}"
    inner, parts, held = _step(kind, value, path[0], part, is_text=is_text)
    leaf, gathered = leaves(inner, held, path[1:], is_text=is_text, depth=depth + 1)
    if not path[1:] and held == part:
        return leaf, parts
    return leaf, f"flatten(transform({parts}, {part} -> {gathered}))"


def _step(kind: LogicalType, value: str, step: str, part: str, *, is_text: bool) -> tuple[LogicalType, str, str]:
    """One step: the type there, SQL of a list, and SQL of what is there, given one of the list as `part`."""
    if isinstance(kind, Object):
        there = f"try_variant_get({value}, {nested.MEMBERS})" if is_text else value
        name = f"try_element_at({part}, {lexical.string(step)})" if is_text else f"{part}.{lexical.identifier(step)}"
        return next(field.type for field in kind.fields if field.name == step), f"array_compact(array({there}))", name
    if isinstance(kind, Array):
        items = f"try_variant_get({value}, {nested.ITEMS})" if is_text else value
        return kind.items, f"coalesce({items}, array())", part
    assert isinstance(kind, Map)
    members = f"try_variant_get({value}, {nested.MEMBERS})" if is_text else value
    keys = f"coalesce(map_keys({members}), array())"
    if step == "{k}":
        # A key is text, where values are VARIANT.
        return kind.keys, keys, f"CAST({part} AS VARIANT)" if is_text else part
    return kind.values, f"coalesce(map_values({members}), array())", part
