"""The Data Contract Specification (DCS, 0.9 to 1.2)."""

from sluis.contract.dcs.reader import NOTICE, Opened

__all__ = ["NOTICE", "Opened"]
