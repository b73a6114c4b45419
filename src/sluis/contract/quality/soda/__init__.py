"""Checks of the Soda Checks Language (SodaCL)."""

from sluis.contract.quality.soda.document import of_item, rules

__all__ = ["of_item", "rules"]
