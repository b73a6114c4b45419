"""Numbers: whole ones, exact decimals, floats."""

from __future__ import annotations

from sluis.contract.logical import Byte, DecimalType, Float, LogicalType, Short
from sluis.contract.rules import Scalar
from sluis.lexical.model import Lexis, plain

WHOLE = r"\A[-+ 0-9]++\z"
FLOATING = r"\A[-+. eE0-9]++\z"

FINITE = r"abs({value}) < double('Infinity') AND IF({value} <> 0, true, {text} RLIKE '\\A[-+. 0]*+([eE]|\\z)')"
"""Beyond the range text becomes Infinity, below it zero: neither is what the text says."""


def number(_: LogicalType, value: Scalar) -> str:
    """A number as SQL reads it exactly: whole ones as such, others as decimals."""
    return f"{value:f}" if not isinstance(value, int) else f"{value}BD" if abs(value) > 2**63 - 1 else str(value)


def _decimal(logical: LogicalType) -> str:
    assert isinstance(logical, DecimalType)
    return f"DECIMAL({logical.precision},{logical.scale})"


def _fitting(logical: LogicalType) -> str:
    """Plain notation with no digit that counts behind the scale: Spark's cast would round it."""
    assert isinstance(logical, DecimalType)
    behind = f"[0-9]{{0,{logical.scale}}}0*+"
    return rf"\A *+[-+]?(?:[0-9]++(?:\.{behind})?|\.(?=[0-9]){behind}) *+\z"


_BYTE_VALUE, _BYTE_CAST = plain("TINYINT")
_SHORT_VALUE, _SHORT_CAST = plain("SMALLINT")
_FLOAT_VALUE, _FLOAT_CAST = plain("FLOAT")

TABLE: dict[type[LogicalType], Lexis] = {
    Byte: Lexis(spark="TINYINT", value=_BYTE_VALUE, shape=WHOLE, canonical=True, cast=_BYTE_CAST, literal=number),
    Short: Lexis(spark="SMALLINT", value=_SHORT_VALUE, shape=WHOLE, canonical=True, cast=_SHORT_CAST, literal=number),
    DecimalType: Lexis(
        spark=_decimal,
        value=lambda logical, text: f"try_cast({text} AS {_decimal(logical)})",
        shape=_fitting,
        canonical=True,
        cast=lambda logical, text: f"CAST({text} AS {_decimal(logical)})",
        literal=number,
    ),
    Float: Lexis(
        spark="FLOAT",
        value=_FLOAT_VALUE,
        shape=FLOATING,
        cast=_FLOAT_CAST,
        guard=FINITE,
        literal=lambda _, v: f"CAST('{v}' AS FLOAT)",
    ),
}
