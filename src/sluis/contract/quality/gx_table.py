"""The expectations of Great Expectations that a contract may state, with their arguments.

Written down so that a reader can tell an unknown one without importing GX; a test holds the table against GX itself.
Left out are those that reach beyond the rows (queries, other tables, profilers), those that GX 1 cannot run on Spark,
and those that it runs there as Python functions, row by row, which need more than Spark where they run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sluis.contract.document import did_you_mean, listed, shown_value

_BOUNDS = "min_value max_value strict_min strict_max"
_MAP = "column mostly row_condition condition_parser"
_COLUMN = "column row_condition condition_parser"
_RECORD = "column_list mostly row_condition condition_parser ignore_row_if"
_PAIR = "column_A column_B mostly row_condition condition_parser ignore_row_if"

_TABLE = {
    "column_distinct_values_to_be_in_set": f"{_COLUMN} value_set",
    "column_distinct_values_to_contain_set": f"{_COLUMN} value_set",
    "column_distinct_values_to_equal_set": f"{_COLUMN} value_set",
    "column_max_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_mean_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_median_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_min_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_most_common_value_to_be_in_set": f"{_COLUMN} value_set ties_okay",
    "column_pair_values_a_to_be_greater_than_b": f"{_PAIR} or_equal",
    "column_pair_values_to_be_equal": _PAIR,
    "column_proportion_of_non_null_values_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_proportion_of_unique_values_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_quantile_values_to_be_between": f"{_COLUMN} quantile_ranges allow_relative_error",
    "column_stdev_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_sum_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_to_exist": "column column_index",
    "column_unique_value_count_to_be_between": f"{_COLUMN} {_BOUNDS}",
    "column_value_lengths_to_be_between": f"{_MAP} {_BOUNDS}",
    "column_value_lengths_to_equal": f"{_MAP} value",
    "column_value_z_scores_to_be_less_than": f"{_MAP} threshold double_sided",
    "column_values_to_be_between": f"{_MAP} {_BOUNDS}",
    "column_values_to_be_decreasing": f"{_MAP} strictly",
    "column_values_to_be_in_set": f"{_MAP} value_set",
    "column_values_to_be_in_type_list": f"{_MAP} type_list",
    "column_values_to_be_increasing": f"{_MAP} strictly",
    "column_values_to_be_null": _MAP,
    "column_values_to_be_of_type": f"{_MAP} type_",
    "column_values_to_be_unique": _MAP,
    "column_values_to_match_regex": f"{_MAP} regex",
    "column_values_to_match_regex_list": f"{_MAP} regex_list match_on",
    "column_values_to_not_be_in_set": f"{_MAP} value_set",
    "column_values_to_not_be_null": _MAP,
    "column_values_to_not_match_regex": f"{_MAP} regex",
    "column_values_to_not_match_regex_list": f"{_MAP} regex_list",
    "compound_columns_to_be_unique": _RECORD,
    "multicolumn_sum_to_equal": f"{_RECORD} sum_total",
    "select_column_values_to_be_unique_within_record": _RECORD,
    "table_column_count_to_be_between": "min_value max_value",
    "table_column_count_to_equal": "value",
    "table_columns_to_match_ordered_list": "column_list",
    "table_columns_to_match_set": "column_set exact_match",
    "table_row_count_to_be_between": f"{_BOUNDS} row_condition condition_parser",
    "table_row_count_to_equal": "value row_condition condition_parser",
}

EXPECTATIONS = {f"expect_{name}": tuple(arguments.split()) for name, arguments in _TABLE.items()}
"""Type of an expectation → the arguments that it takes."""

REQUIRED = frozenset({
    "column", "column_A", "column_B", "column_list", "double_sided", "quantile_ranges", "regex", "regex_list",
    "sum_total", "threshold", "type_", "value", "value_set",
})  # fmt: skip
"""Arguments that must be given to an expectation that takes them; GX demands these, or would check nothing."""


def understood(kind: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an expectation as GX names them (`minValue`, as the ODCS documentation has it, is `min_value`).

    Raises:
        ValueError: there is no such expectation here, it takes no such argument, or lacks one.
    """
    known = EXPECTATIONS.get(kind)
    if known is None:
        hint = did_you_mean(kind, EXPECTATIONS)
        raise ValueError(f"`{kind}` is no expectation that runs here{'; ' + hint if hint else ''}")
    read = {name if name in known else _snake(name): value for name, value in arguments.items()}
    if unknown := [name for name in read if name not in known]:
        raise ValueError(f"`{kind}` takes no {listed(unknown)}; it takes {listed(known)}")
    if missing := [name for name in known if name in REQUIRED and name not in read]:
        raise ValueError(f"`{kind}` lacks {listed(missing)}")
    ends = [name for name in ("min_value", "max_value") if name in known]
    if ends and all(read.get(name) is None for name in ends):
        raise ValueError(f"`{kind}` lacks `min_value` or `max_value`")
    mostly = read.get("mostly", 1)
    if isinstance(mostly, bool) or not isinstance(mostly, int | float) or not 0 <= mostly <= 1:
        raise ValueError(f"`mostly` is {shown_value(mostly)}, and no number from 0 to 1")
    return read


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: f"_{match.group().lower()}", name)
