"""Two versions of a contract, compared from the consumer's side."""

from sluis.contract.diff.differences import differ, paired

__all__ = ["differ", "paired"]
