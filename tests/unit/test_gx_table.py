"""The written-down expectations are GX's own, with its arguments."""

from __future__ import annotations

from typing import Any

import great_expectations.expectations.core  # noqa: F401  registers them
import pytest
from great_expectations.expectations.expectation import Expectation
from great_expectations.expectations.registry import get_expectation_impl

from sluis.contract.quality.gx_table import EXPECTATIONS, REQUIRED, understood

OF_EVERY = {*Expectation.__fields__, "batch_id", "library_metadata"}
"""Fields that all expectations have, and one that documents some of them."""


@pytest.mark.parametrize("kind", EXPECTATIONS)
def test_the_table_is_what_gx_takes(kind: str) -> None:
    fields = {name: field for name, field in get_expectation_impl(kind).__fields__.items() if name not in OF_EVERY}
    assert set(EXPECTATIONS[kind]) == set(fields)
    assert {name for name, field in fields.items() if field.required} <= REQUIRED


@pytest.mark.parametrize(
    ("kind", "arguments", "read"),
    [
        ("expect_table_row_count_to_be_between", {"minValue": 1, "max_value": 9}, {"min_value": 1, "max_value": 9}),
        ("expect_column_values_to_be_of_type", {"column": "A b", "type_": "x"}, {"column": "A b", "type_": "x"}),
        ("expect_column_pair_values_to_be_equal", {"column_A": "a", "column_B": "b"}, {"column_A": "a", "column_B": "b"}),
    ],
)  # fmt: skip
def test_arguments_are_read_as_gx_names_them(kind: str, arguments: dict[str, Any], read: dict[str, Any]) -> None:
    assert understood(kind, arguments) == read


@pytest.mark.parametrize(
    ("kind", "arguments", "reason"),
    [
        ("expect_colum_values_to_be_unique", {}, "is no expectation that runs here; did you mean `expect_column_values_to_be_unique`?"),
        ("unexpected_rows_expectation", {}, "is no expectation that runs here"),
        ("expect_column_values_to_be_unique", {"column": "a", "most": 1}, "takes no `most`; it takes `column`, `mostly`"),
        ("expect_column_values_to_be_in_set", {"column": "a"}, "lacks `value_set`"),
        ("expect_column_values_to_match_regex", {"column": "a"}, "lacks `regex`"),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": None}, "lacks `min_value` or `max_value`"),
        ("expect_table_column_count_to_be_between", {}, "lacks `min_value` or `max_value`"),
        ("expect_column_values_to_be_unique", {"column": "a", "mostly": "0.5"}, "`mostly` is \"0.5\", and no number from 0 to 1"),
        ("expect_column_values_to_be_unique", {"column": "a", "mostly": 95}, "`mostly` is 95, and no number from 0 to 1"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_told(kind: str, arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as told:
        understood(kind, arguments)
    assert reason in str(told.value)
