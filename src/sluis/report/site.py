"""Where the site is and what `great_expectations.yml` says about it. GX is not imported here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sluis.contract.names import safe

SITE_NAME = "local_site"

CHANGES_PATH = "contracts/index.html"
"""The page of what changed in the contracts, relative to the site's folder."""

_GX_SITE = "sluis.report.gx_site"

SITE: dict[str, Any] = {
    "class_name": "SiteBuilder",
    "show_how_to_buttons": False,
    "store_backend": {
        "class_name": "PageStoreBackend",
        "module_name": _GX_SITE,
        "base_directory": "${SLUIS_STATE}/docs",
    },
    "site_section_builders": {
        # GX tests these two against a list of texts; a real false or null makes it fail.
        "expectations": "none",
        "profiling": "none",
        "validations": {
            "class_name": "RunSectionBuilder",
            "module_name": _GX_SITE,
            "renderer": {"class_name": "RunRenderer", "module_name": _GX_SITE},
            "view": {"class_name": "RunView", "module_name": _GX_SITE},
        },
    },
    "site_index_builder": {
        "class_name": "RunIndexBuilder",
        "module_name": _GX_SITE,
        "renderer": {"class_name": "IndexRenderer", "module_name": _GX_SITE},
        "view": {"class_name": "IndexView", "module_name": _GX_SITE},
    },
}
"""The site's part of `great_expectations.yml`."""

DATA_DOCS_SITES: dict[str, Any] = {SITE_NAME: SITE}
"""The value of the key `data_docs_sites`; `SLUIS_STATE` must be an absolute path."""

RUN_ID = re.compile(r"\d{8}T\d{6,}Z-[A-Za-z0-9_-]{1,150}")
"""A run id of ours. Such a run has a page of its own; any other run name keeps GX's path."""


def page_path(evidence: Mapping[str, Any]) -> str:
    """The page of a run, relative to the site's folder."""
    return f"runs/{evidence['run_id']}.html"


def entity_path(entity: str, month: str = "") -> str:
    """The page of an entity (or of its runs in a month, `2026-11`), relative to the site's folder."""
    return f"entities/{safe(entity)}/{month or 'index'}.html"


def edition_path(edition: str) -> str:
    """The page of an edition of a contract, relative to the site's folder."""
    return f"contracts/{edition}.html"


def edition_key(suite: str, fingerprint: str) -> str:
    """What an edition of a contract is found by: its suite (that of landing text) and the document's fingerprint."""
    digest = fingerprint.partition(":")[2][:16]
    return f"{safe(suite.removesuffix('_table'))}-{digest}" if suite and digest.isalnum() else ""


def month_of(run_id: str) -> str:
    """The month in which a run began (`2026-11`), as its id tells."""
    return f"{run_id[:4]}-{run_id[4:6]}"


def docs_folder(state: Path) -> Path:
    """The folder that holds the site, and nothing else."""
    return state / "docs"


def pages_folder(state: Path) -> Path:
    """The folder of the runs' pages."""
    return docs_folder(state) / "runs"


def index_path(state: Path) -> Path:
    """The site's first page."""
    return docs_folder(state) / "index.html"


def entity_of(run_id: str) -> str:
    """The entity that a run id names (`TIME-ENTITY-RANDOM`)."""
    name = run_id.partition("-")[2]
    return name.rpartition("-")[0] or name or run_id
