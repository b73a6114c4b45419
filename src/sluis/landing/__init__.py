"""The landing files: CSV read as text, pinned, with everything that is wrong with them as values.

Importing this does not import pyspark, so that `sluis lint` can check options.
"""

from __future__ import annotations

from sluis.contract.names import CORRUPT
from sluis.landing.dialect import check_options
from sluis.landing.failure import translate
from sluis.landing.files import Listed, listing, size
from sluis.landing.lines import locate
from sluis.landing.model import Fault, Landing, SourceFile
from sluis.landing.reading import read, reread, unchanged

__all__ = [
    "CORRUPT",
    "Fault",
    "Landing",
    "Listed",
    "SourceFile",
    "check_options",
    "listing",
    "locate",
    "read",
    "reread",
    "size",
    "translate",
    "unchanged",
]
