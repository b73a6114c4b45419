"""The ledger of DCS contracts: every key that an official schema allows is classified."""

from __future__ import annotations

import pytest
from dcs_keys import classified, document, keys, sample

from sluis.contract.dcs import shape as dcs_shape
from sluis.contract.document import json_path


@pytest.mark.parametrize("version", dcs_shape.VERSIONS)
def test_every_key_of_the_schema_is_classified(version: str) -> None:
    found = keys(version)
    assert len(found) > {"0": 20, "1": 150}[version[0]]
    for at, kind, schema in found:
        value = sample(version, at, schema)
        _, note = classified(document(version, at, kind, value), at)
        assert "does not know" not in note, (json_path(at), note)
        # "By its parts" is a classification of containers only.
        assert note != "by its parts" or isinstance(value, list | dict), json_path(at)
