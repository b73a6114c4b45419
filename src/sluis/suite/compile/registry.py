"""Kind of rule → the function that compiles it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sluis.contract.model import Contract
from sluis.contract.rules import Rule


@dataclass(frozen=True, kw_only=True)
class Words:
    """What GX is told about a rule, and how a person reads it."""

    demand: str
    """A sentence for a business person."""

    violated: str
    """The line that is logged and reported when the data breaks the rule."""

    kwargs: dict[str, Any] = field(default_factory=dict)
    """The expectation's own arguments."""

    columns: list[str] = field(default_factory=list)
    """The columns that it is about, where the rule itself does not name them."""


Compiler = Callable[[Any, Contract], Words]

COMPILERS: dict[type[Rule], Compiler] = {}
"""Kind of rule → its compiler."""


def compiles(kind: type[Rule]) -> Callable[[Compiler], Compiler]:
    """Register the compiler of a kind of rule."""

    def register(compiler: Compiler) -> Compiler:
        if kind in COMPILERS:
            raise RuntimeError(f"{kind.__name__} has two compilers")
        COMPILERS[kind] = compiler
        return compiler

    return register
