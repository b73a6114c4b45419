"""Objects, lists and maps: JSON text in the landing file, parsed as VARIANT; STRUCT, ARRAY and MAP in the table.

A leaf is taken out as text and judged by the table of its own type. That is exact: JSON numbers without an exponent
and with at most 38 digits are decimals in a VARIANT, and of the others (doubles there) no decimal is made.
"""

from __future__ import annotations

from functools import singledispatch

from sluis import lexical
from sluis.contract.logical import (
    Array,
    Boolean,
    Byte,
    DecimalType,
    Double,
    Float,
    Integer,
    Json,
    LogicalType,
    Long,
    Map,
    Object,
    Short,
)
from sluis.lexical.coded import parsed, parsed_or_raise
from sluis.lexical.model import Lexis
from sluis.lexical.sql import identifier, let, string

TYPES = (Object, Array, Map)

_KINDS: dict[type[LogicalType], str] = {
    Boolean: "^BOOLEAN",
    **dict.fromkeys((Byte, Short, Integer, Long, DecimalType), "^(BIGINT|DECIMAL)"),
    **dict.fromkeys((Double, Float), "^(BIGINT|DECIMAL|DOUBLE)"),
}
"""Type of a leaf → what the JSON value may be, in Spark's words; all others are JSON strings."""

_TEXT = "^STRING"

MEMBERS = "'$', 'map<string,variant>'"
ITEMS = "'$', 'array<variant>'"


@singledispatch
def spark_name(logical: LogicalType) -> str:
    """Spark's name of a type that may be nested."""
    return lexical.spark_type(logical)


@spark_name.register
def _(logical: Object) -> str:
    return f"STRUCT<{','.join(f'{identifier(field.name)}:{spark_name(field.type)}' for field in logical.fields)}>"


@spark_name.register
def _(logical: Array) -> str:
    return f"ARRAY<{spark_name(logical.items)}>"


@spark_name.register
def _(logical: Map) -> str:
    return f"MAP<{spark_name(logical.keys)},{spark_name(logical.values)}>"


def fault(logical: LogicalType, value: str, path: str = "", depth: int = 0) -> str:
    """SQL of what is wrong with a VARIANT, in words with its place; NULL where it has the type or is null.

    Args:
        logical: The type that it should have.
        value: SQL of the VARIANT.
        path: Where it stands, for the words.
        depth: How many parts it is inside of; names of lambda variables must differ.
    """
    return f"IF({_is_null(value)}, NULL, {_fault(logical, value, path, depth)})"


def _is_null(value: str) -> str:
    return f"{value} IS NULL OR is_variant_null({value})"


@singledispatch
def _fault(logical: LogicalType, value: str, path: str, depth: int) -> str:
    if isinstance(logical, Json):
        is_object = f"try_variant_get({value}, {MEMBERS}) IS NOT NULL" if logical.is_object else "true"
        return f"IF({is_object}, NULL, {_no(path, 'object')})"
    text, typed, kind = (f"__sluis_{name}{depth}" for name in ("text", "typed", "kind"))
    holds = lexical.accepted(logical, text, typed)
    if isinstance(logical, Double | Float):
        # A double in JSON that is too small to be one reads as zero.
        holds = f"({holds} AND NOT ({kind} = 'DOUBLE' AND {typed} = 0))"
    judged = let(typed, lexical.value(logical, text), holds)
    right = (
        f"IF({kind} RLIKE '{_KINDS.get(type(logical), _TEXT)}', {let(text, f'CAST({value} AS STRING)', judged)}, false)"
    )
    return f"IF({let(kind, f'schema_of_variant({value})', right)}, NULL, {_no(path, logical.name)})"


@_fault.register
def _(logical: Object, value: str, path: str, depth: int) -> str:
    members = f"__sluis_members{depth}"
    names = ", ".join(string(field.name) for field in logical.fields)
    unknown = f"get(array_except(map_keys({members}), array({names})), 0)"
    found = [f"concat({string(_at(path, ''))}, {unknown}, ' is not a field of the contract')"]
    for field in logical.fields:
        held, at = f"try_element_at({members}, {string(field.name)})", _at(path, field.name)
        if field.required:
            found.append(f"IF({_is_null(held)}, {string(f'{at} is missing')}, NULL)")
        found.append(fault(field.type, held, at, depth + 1))
    whole = f"IF({members} IS NULL, {_no(path, logical.name)}, coalesce({', '.join(found)}))"
    return let(members, f"try_variant_get({value}, {MEMBERS})", whole)


@_fault.register
def _(logical: Array, value: str, path: str, depth: int) -> str:
    items, item = f"__sluis_items{depth}", f"__sluis_item{depth}"
    first = _first(items, item, fault(logical.items, item, f"{path}[]", depth + 1))
    return let(items, f"try_variant_get({value}, {ITEMS})", f"IF({items} IS NULL, {_no(path, logical.name)}, {first})")


@_fault.register
def _(logical: Map, value: str, path: str, depth: int) -> str:
    members, key, held, typed = (f"__sluis_{name}{depth}" for name in ("members", "key", "held", "typed"))
    read = lexical.value(logical.keys, key)
    fits = let(typed, read, lexical.accepted(logical.keys, key, typed))
    wrong = f"IF({fits}, NULL, {_no(f'a key of {path}' if path else 'a key', logical.keys.name)})"
    # Keys that are different texts may be one value ("1" and "01").
    twice = f"size(array_distinct(transform(map_keys({members}), {key} -> {read}))) < size({members})"
    found = (
        _first(f"map_keys({members})", key, wrong),
        f"IF({twice}, {string(_at(path, 'two keys are one value'))}, NULL)",
        _first(f"map_values({members})", held, fault(logical.values, held, f"{path}{{}}", depth + 1)),
    )
    whole = f"IF({members} IS NULL, {_no(path, logical.name)}, coalesce({', '.join(found)}))"
    return let(members, f"try_variant_get({value}, {MEMBERS})", whole)


def _first(items: str, item: str, wrong: str) -> str:
    return f"get(filter(transform({items}, {item} -> {wrong}), {item} -> {item} IS NOT NULL), 0)"


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _no(path: str, name: str) -> str:
    article = "an" if name[0] in "aeiou" else "a"
    return string(f"{path or 'it'} is not {article} {name}")


@singledispatch
def built(logical: LogicalType, value: str, depth: int = 0) -> str:
    """SQL of what the table holds for a VARIANT in which `fault` finds nothing; raises for most others."""
    if isinstance(logical, Json):
        return f"IF({_is_null(value)}, NULL, to_json({value}))"
    text = f"__sluis_text{depth}"
    return let(text, f"CAST({value} AS STRING)", lexical.TABLE[type(logical)].cast(logical, text))


@built.register
def _(logical: Object, value: str, depth: int = 0) -> str:
    members = f"__sluis_members{depth}"
    fields = ", ".join(
        f"{string(field.name)}, {built(field.type, f'try_element_at({members}, {string(field.name)})', depth + 1)}"
        for field in logical.fields
    )
    return let(members, f"variant_get({value}, {MEMBERS})", f"IF({members} IS NULL, NULL, named_struct({fields}))")


@built.register
def _(logical: Array, value: str, depth: int = 0) -> str:
    item = f"__sluis_item{depth}"
    return f"transform(variant_get({value}, {ITEMS}), {item} -> {built(logical.items, item, depth + 1)})"


@built.register
def _(logical: Map, value: str, depth: int = 0) -> str:
    entry = f"__sluis_entry{depth}"
    key = lexical.TABLE[type(logical.keys)].cast(logical.keys, f"{entry}.key")
    pair = f"struct({key}, {built(logical.values, f'{entry}.value', depth + 1)})"
    return f"map_from_entries(transform(map_entries(variant_get({value}, {MEMBERS})), {entry} -> {pair}))"


def _value(_: LogicalType, text: str) -> str:
    variant = "__sluis_variant"
    return let(variant, parsed(text), f"IF(is_variant_null({variant}), NULL, {variant})")


def _cast(logical: LogicalType, text: str) -> str:
    variant = "__sluis_variant"
    return let(variant, parsed_or_raise(text), built(logical, variant))


def _no_literal(logical: LogicalType, value: object) -> str:
    raise NotImplementedError(f"a contract states no value of type {logical.name}: {value!r}")


TABLE: dict[type[LogicalType], Lexis] = dict.fromkeys(
    TYPES, Lexis(spark=spark_name, value=_value, fault=fault, written=built, cast=_cast, literal=_no_literal)
)
