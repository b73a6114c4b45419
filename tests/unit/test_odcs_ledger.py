"""The ledger of ODCS contracts: every key that an official schema allows is classified."""

from __future__ import annotations

from odcs_keys import classified, document, every_key, sample

from sluis.contract.document import json_path


def test_every_key_of_the_schemas_is_classified() -> None:
    keys = every_key()
    assert len(keys) > 500
    for version, at, also, inner in keys:
        value = sample(at, inner, also)
        fate = classified(document(version, at, also, value), at)
        assert fate is not None, (version, json_path(at))
        assert "does not know" not in fate[1], (version, json_path(at), fate)
        # "By its parts" is a classification of containers only.
        assert fate[1] != "by its parts" or isinstance(value, list | dict), (version, json_path(at))
