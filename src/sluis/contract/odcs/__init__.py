"""The Open Data Contract Standard (ODCS, 2.2 to 3.2)."""

from sluis.contract.odcs.reader import OTHER_COLUMNS, Opened

__all__ = ["OTHER_COLUMNS", "Opened"]
