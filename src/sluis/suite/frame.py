"""A frame as rules see it: which columns it has, what landing said about its files, which rules can be judged on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluis import lexical
from sluis.contract.names import CORRUPT, RESERVED
from sluis.suite.predicates import Spec, View, logical_type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What can be known of a frame without reading a row."""

    types: Mapping[str, str]
    """Column → Spark's type of it, without the column of corrupt records."""

    texts: Sequence[str]
    """The columns that hold text which came from elsewhere."""

    summed: Sequence[str]
    """The columns of which a checksum is taken: what is written is compared with it."""

    has_corrupt: bool
    """Whether rows that do not fit the header can be told from good ones."""

    header: Sequence[Mapping[str, Any]]
    """Landing's faults of headers and files; they travel as metadata of the corrupt-record column."""

    from_files: bool
    """Whether landing read the frame; a caller's own frame says nothing about files."""

    decoded: bool
    """Whether landing has looked at every byte, so that what its faults do not name is validly encoded."""

    most_rows: int | None
    """More rows than this it cannot hold; None when that is not known."""


def facts(frame: DataFrame, *, at_rest: bool = False) -> Facts:
    """Look at a frame's schema.

    Args:
        frame: The frame.
        at_rest: Whether it is a table, which nobody decodes or writes again.
    """
    fields = {field.name: field for field in frame.schema.fields}
    corrupt = fields.get(CORRUPT)
    noted = json.loads(corrupt.metadata.get("sluis", "null")) if corrupt is not None else None
    types = {name: field.dataType.simpleString() for name, field in fields.items() if name != CORRUPT}
    return Facts(
        types=types,
        texts=[] if at_rest else [name for name, kind in types.items() if kind == "string"],
        summed=[] if at_rest else lexical.summable(types),
        has_corrupt=corrupt is not None,
        header=(noted or {}).get("faults", ()),
        from_files=noted is not None,
        decoded=(noted or {}).get("scanned", False),
        most_rows=(noted or {}).get("most_rows"),
    )


def unfit(spec: Spec, known: Facts) -> str | None:
    """Why a rule about columns cannot be judged on this frame, or None."""
    for column in _columns(spec):
        name, logical = column["column"], logical_type(column)
        if name not in known.types:
            return f"column {name} is missing"
        if known.types[name].lower() not in ("string", lexical.simple_type(logical)):
            return f"column {name} is {known.types[name]} in the frame, not text"
    return None


def views(spec: Spec, known: Facts, values: dict[str, str]) -> list[View]:
    """The columns of a rule; `values` collects SQL of typed values under the names that predicates use."""
    return [_view(column, known, values) for column in _columns(spec)]


def _view(column: Spec, known: Facts, values: dict[str, str]) -> View:
    name, logical = column["column"], logical_type(column)
    text = lexical.identifier(name)
    is_text = known.types[name] == "string"
    sql = lexical.value(logical, text)
    if not is_text or sql == text:
        return View(logical=logical, text=text, value=text, is_text=is_text)
    alias = values.setdefault(sql, f"{RESERVED}_value_{len(values)}")
    return View(logical=logical, text=text, value=alias, is_text=True)


def typed_rows(frame: DataFrame, columns: Sequence[Spec], known: Facts) -> DataFrame:
    """The rows that fit the header, as the table would hold them; text that does not fit its type is NULL.

    Args:
        frame: The frame.
        columns: The contract's columns, with their types; others stay as they are.
        known: What is known of the frame.
    """
    texts = {column["column"]: logical_type(column) for column in columns if known.types[column["column"]] == "string"}
    names = {name: f"{RESERVED}_typed_{index}" for index, name in enumerate(texts)}
    values = [f"{lexical.value(kind, lexical.identifier(name))} AS {names[name]}" for name, kind in texts.items()]
    fit = frame.where(f"{CORRUPT} IS NULL AND {whole(known)}") if known.has_corrupt else frame
    held = [
        f"{lexical.tried(texts[name], lexical.identifier(name), names[name])} AS {lexical.identifier(name)}"
        if name in texts
        else lexical.identifier(name)
        for name in known.types
    ]
    return fit.selectExpr("*", *values).selectExpr(*held)


def whole(known: Facts) -> str:
    """SQL that is true of every row; Spark refuses to read nothing but the column that tells which rows do not fit."""
    return f"ifnull(char_length({lexical.identifier(known.texts[0])}), 0) > -1" if known.texts else "true"


def _columns(spec: Spec) -> list[Spec]:
    if "column" not in spec:
        return list(spec.get("columns", ()))
    return [spec, spec["source"]] if "source" in spec else [spec]
