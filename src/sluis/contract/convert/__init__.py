"""Contract → an ODCS 3.2 document."""

from sluis.contract.convert.document import to_odcs

__all__ = ["to_odcs"]
