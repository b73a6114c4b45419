"""Quality items for another engine: expectations of Great Expectations, SodaCL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from sluis.contract import soda, yaml_text
from sluis.contract.document import did_you_mean, shown_value
from sluis.contract.quality_scope import Item, Unsupported
from sluis.contract.rules import Gx, Rule
from sluis.errors import ContractError

KEYS = ("engine", "implementation", "specification")
"""Keys of an item that are part of its rules."""


def rules(item: Item) -> Iterator[Rule]:
    """The rules of an item.

    Raises:
        Unsupported: its engine is not read here, or it states nothing that can be checked.
    """
    engine = "".join(char for char in str(item.raw.get("engine", "")).lower() if char.isalnum())
    if engine in ("greatexpectations", "greatexpectation", "gx", "ge"):
        yield from _gx(item)
    elif engine in ("soda", "sodacl"):
        yield from soda.of_item(item)
    else:
        raise Unsupported(f"Sluis does not run the engine {shown_value(item.raw.get('engine'))}")


def _gx(item: Item) -> Iterator[Rule]:
    """The expectations that can be run; the others are noted at the implementation."""
    refused: list[str] = []
    found = 0
    for expectation in _expectations(_implementation(item)):
        try:
            yield _rule(item, expectation)
            found += 1
        except Unsupported as error:
            refused.append(str(error))
    if refused and not found:
        raise Unsupported("; ".join(refused))
    if refused:
        item.notes.unsupported((*item.at, "implementation"), "; ".join(refused))


def _implementation(item: Item) -> Any:
    """What is stated, as plain values; text is YAML (or JSON, which is YAML too)."""
    stated = item.raw.get("implementation", item.raw.get("specification"))
    if not isinstance(stated, str):
        return stated
    try:
        return yaml_text.parse(stated, item.notes.source.shown)[0]
    except ContractError as error:
        raise Unsupported(f"its text cannot be read: it {error.problems[0].message.rstrip('.')}") from None


def _expectations(stated: Any) -> list[Any]:
    """One expectation, a list of them, or a suite that holds the list."""
    if isinstance(stated, Mapping) and isinstance(stated.get("expectations"), list):
        return list(stated["expectations"])
    return stated if isinstance(stated, list) and stated else [stated]


def _rule(item: Item, stated: Any) -> Gx:
    named = (stated.get("type") or stated.get("expectation_type")) if isinstance(stated, Mapping) else None
    if named not in _EXPECTATIONS:
        hint = did_you_mean(str(named), _EXPECTATIONS) if named else ""
        raise Unsupported(
            f"{shown_value(named or stated)} is no expectation that runs here{'; ' + hint if hint else ''}"
        )
    kwargs = stated.get("kwargs") or {}
    if not isinstance(kwargs, Mapping):
        raise Unsupported(f"`kwargs` is {shown_value(kwargs)}, and not an object")
    arguments = {str(key): _plain(value) for key, value in kwargs.items()}
    if item.scope.column is not None and named.startswith("expect_column_") and "_pair_" not in named:
        arguments.setdefault("column", item.scope.column)
    kind = str(named).removeprefix("expect_")
    return Gx(**item.place(kind), type=str(named), kwargs=tuple(sorted(arguments.items())))


def _plain(value: Any) -> Any:
    """As JSON has it: numbers with a fraction as doubles, which is how GX compares them."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


_COLUMN = """
    distinct_values_to_be_in_set distinct_values_to_contain_set distinct_values_to_equal_set max_to_be_between
    mean_to_be_between median_to_be_between min_to_be_between most_common_value_to_be_in_set
    proportion_of_non_null_values_to_be_between proportion_of_unique_values_to_be_between
    quantile_values_to_be_between stdev_to_be_between sum_to_be_between to_exist unique_value_count_to_be_between
    value_lengths_to_be_between value_lengths_to_equal value_z_scores_to_be_less_than values_to_be_between
    values_to_be_in_set values_to_be_null values_to_be_unique values_to_match_regex values_to_match_regex_list
    values_to_match_strftime_format values_to_not_be_in_set values_to_not_be_null values_to_not_match_regex
    values_to_not_match_regex_list values_to_be_json_parseable values_to_be_dateutil_parseable
    values_to_be_decreasing values_to_be_increasing values_to_match_json_schema values_to_be_of_type
    values_to_be_in_type_list values_to_match_like_pattern values_to_match_like_pattern_list
    values_to_not_match_like_pattern values_to_not_match_like_pattern_list
"""
_OTHERS = """
    expect_column_pair_values_a_to_be_greater_than_b expect_column_pair_values_to_be_equal
    expect_column_pair_values_to_be_in_set expect_compound_columns_to_be_unique expect_multicolumn_sum_to_equal
    expect_select_column_values_to_be_unique_within_record expect_table_column_count_to_be_between
    expect_table_column_count_to_equal expect_table_columns_to_match_ordered_list expect_table_columns_to_match_set
    expect_table_row_count_to_be_between expect_table_row_count_to_equal
"""
_EXPECTATIONS = frozenset([*(f"expect_column_{name}" for name in _COLUMN.split()), *_OTHERS.split()])
"""Expectations of Great Expectations 1 that need nothing but the rows."""
