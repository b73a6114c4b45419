"""The landing files: CSV read as text, pinned, with everything that is wrong with them as values.

Importing this does not import pyspark, so that `sluis lint` can check options.
"""

from __future__ import annotations

from sluis.landing.dialect import check_options
from sluis.landing.failure import translate
from sluis.landing.files import Listed, listing
from sluis.landing.lines import locate
from sluis.landing.model import CORRUPT, Fault, Landing, SourceFile
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
    "translate",
    "unchanged",
]
