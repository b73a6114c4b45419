"""Functions that a contract's query may call: those of Spark that read the rows, and give the same every time."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import sqlglot
from sqlglot import exp

from sluis.contract.document import listed
from sluis.contract.quality.scope import Unsupported

DANGEROUS = frozenset(
    {
        *(
            "reflect",
            "java_method",
            "try_reflect",
            "read_files",
            "remote_query",
            "http_request",
            "secret",
            "try_secret",
        ),
        *("read_kafka", "read_kinesis", "read_pubsub", "read_pulsar", "read_statestore", "read_state_metadata"),
    }
)
"""Functions of Spark and Databricks that reach beyond the rows: other code, files, services, secrets."""


_UNSTEADY = frozenset(
    {
        *("any_value", "first", "first_value", "input_file_name", "last", "last_value", "monotonically_increasing_id"),
        *("rand", "randn", "random", "randstr", "shuffle", "spark_partition_id", "uniform", "uuid"),
        *("input_file_block_length", "input_file_block_start"),
    }
)
"""Functions of Spark whose answer differs from run to run over the same rows, or depends on where the rows lie."""


def refuse_strangers(text: str) -> None:
    """Refuse functions that Spark does not have, as a run would end there, and those whose answer differs each time."""
    written = sqlglot.parse_one(text, dialect="databricks")
    names = {name_of(node) for node in written.find_all(exp.Anonymous)}
    # What sqlglot knows of another database it writes as it is, also where Spark has no such thing.
    names |= {name.lower() for name in _CALL.findall(_QUOTED.sub("''", text))}
    named = {alias.name.lower() for alias in written.find_all(exp.TableAlias)}
    if unsteady := sorted(names & _UNSTEADY):
        raise Unsupported(f"{listed(unsteady)} may give another answer in every run, of the same rows")
    if unknown := sorted(names - _spark_functions() - _SYNTAX - named):
        raise Unsupported(f"Spark has no function {listed(unknown)}")


_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_]\w*)\(")

_SYNTAX = frozenset(
    ["cast", "char", "decimal", "extract", "filter", "timestampadd", "timestampdiff", "try_cast", "varchar"]
)
"""Words of Spark's syntax before a bracket, which it does not list as functions."""


def name_of(node: exp.Func) -> str:
    """What a function is called, in small letters."""
    return str(node.name if isinstance(node, exp.Anonymous) else node.sql_name()).lower()


@cache
def _spark_functions() -> frozenset[str]:
    """What `SHOW SYSTEM FUNCTIONS` lists in Spark 4.2."""
    text = resources.files("sluis.contract.quality.sql").joinpath("spark_functions.txt").read_text("utf-8")
    return frozenset(text.split())
