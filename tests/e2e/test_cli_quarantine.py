"""`sluis run` into a quarantine, and `sluis quarantine`, as commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SLUIS = Path(sys.executable).with_name("sluis")

COLUMNS = [{"name": "id", "type": "integer", "nullable": False}, {"name": "x", "type": "string", "nullable": False}]


def sluis(root: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run([SLUIS, *arguments], cwd=root, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout, done.stderr


def test_what_is_kept_out_is_counted_by_file_and_rule(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    contract = {"contract_name": "goods", "version": "1.0", "columns": COLUMNS, "primary_key": ["id"]}
    (tmp_path / "contracts/goods.json").write_text(json.dumps(contract))
    entity = {"source": f"{tmp_path}/goods.csv", "target": "spark_catalog.demo.goods", "format": "csv"}
    entity |= {
        "mode": "append",
        "contract": "contracts/goods.json",
        "on_violation": "quarantine",
        "max_rejected": "75%",
    }
    (tmp_path / "contracts/entities.json").write_text(json.dumps({"goods": entity}))
    (tmp_path / "goods.csv").write_text("id,x\n1,a\n2,\n3,b\n3,c\n")
    sluis(tmp_path, "generate")

    assert sluis(tmp_path, "quarantine", "--all")[1] == "goods: 0 rows in spark_catalog.demo.goods_quarantine\n"
    code, out, err = sluis(tmp_path, "run", "goods")
    assert code == 0
    assert "Quarantined 3 records in spark_catalog.demo.goods_quarantine" in err.splitlines()
    assert "  Kept out  3 rows, in spark_catalog.demo.goods_quarantine" in out.splitlines()
    code, out, _ = sluis(tmp_path, "quarantine", "goods")
    assert (code, out.splitlines()) == (0, [
        "goods: 3 rows in spark_catalog.demo.goods_quarantine",
        f"  file:{tmp_path}/goods.csv: 3 rows",
        "    goods.primary_key: 2",
        "    goods.x.required: 1",
    ])  # fmt: skip
    found = json.loads(sluis(tmp_path, "quarantine", "goods", "--json")[1])
    assert (found["rows"], found["by_rule"]) == (3, {"goods.primary_key": 2, "goods.x.required": 1})
    assert sluis(tmp_path, "quarantine")[0] == 2
