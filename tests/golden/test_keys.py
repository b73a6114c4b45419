"""contracts/KEYS.md says what the readers do with every key.

To accept a change: `SLUIS_UPDATE_GOLDEN=1 pytest tests/golden`, then review the diff and commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import keys_page

FILE = Path(__file__).parents[2] / "contracts/KEYS.md"


def test_the_page_is_what_the_readers_do() -> None:
    text = keys_page.page()
    if os.environ.get("SLUIS_UPDATE_GOLDEN"):
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text, "run `make golden`, and review what it changes"


def test_ids_of_an_example_do_not_show() -> None:
    assert keys_page.plain("rules o.a.required, o.primary_key_2") == "`required`, `primary_key`"
    assert keys_page.plain("rules are named after it") == "rules are named after it"
    assert keys_page.shown(("schema", 0, "properties", 0, "items", "properties", 0, "unique")) == (
        "schema[].properties[].….unique"
    )
    assert keys_page.shown(("models", "m", "fields", "f", "type")) == "models.*.fields.*.type"
