"""What a run knows before it has read anything."""

from __future__ import annotations

import json
from pathlib import Path

from sluis.course import Options, Run
from sluis.workspace import open_workspace

CONTRACT = """
apiVersion: v3.1.0
kind: DataContract
id: goods
version: 1.0.0
status: active
schema:
  - name: goods
    properties:
      - name: id
        logicalType: string
{quality}
"""
UNKNOWN = """
        quality:
          - {type: custom, engine: another, implementation: "a rule of that engine"}
"""


def notices(root: Path, quality: str) -> list[str]:
    (root / "contracts").mkdir()
    (root / "contracts/goods.odcs.yaml").write_text(CONTRACT.replace("{quality}", quality))
    entity = {"source": "x.csv", "target": "a.b", "format": "csv", "mode": "overwrite"}
    entities = {"goods": {**entity, "contract": "contracts/goods.odcs.yaml"}}
    (root / "contracts/entities.json").write_text(json.dumps(entities))
    workspace = open_workspace(root)
    return Run(workspace=workspace, entity=workspace.settings.entity("goods"), options=Options(state=root)).notices


def test_a_run_tells_what_of_its_contract_is_not_enforced(tmp_path: Path) -> None:
    [told] = notices(tmp_path, UNKNOWN)
    assert "$.schema[0].properties[0].quality[0]" in told
    assert "sluis lint" in told


def test_a_run_of_a_contract_that_is_enforced_whole_has_nothing_to_tell(tmp_path: Path) -> None:
    assert notices(tmp_path, "") == []
