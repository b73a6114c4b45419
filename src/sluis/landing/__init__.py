"""The landing files: CSV read as text, pinned, with everything that is wrong with them as values.

Importing this does not import pyspark, so that `sluis lint` can check options.
"""

from __future__ import annotations

from sluis.landing.dialect import check_options
from sluis.landing.model import CORRUPT, Fault, Landing, SourceFile
from sluis.landing.read import read, reread, unchanged

__all__ = ["CORRUPT", "Fault", "Landing", "SourceFile", "check_options", "read", "reread", "unchanged"]
