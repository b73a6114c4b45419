"""The README's story as the job tells it: its own entry point, its own parameters, on either engine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bundle import ROOT, Deployed
from projects import Project

from sluis.errors import RejectedError

SAMPLES = ROOT / "contracts/samples"


def customers(deployed: Deployed) -> dict[str, tuple[object, ...]]:
    rows = deployed.project.spark.table(deployed.table("customers")).collect()
    return {row.customer_id: tuple(row) for row in rows}


def land(deployed: Deployed, sample: str, name: str) -> None:
    folder = Path(deployed.variables["landing_volume"])
    folder.mkdir(exist_ok=True)
    shutil.copy(SAMPLES / sample, folder / name)


def test_four_customers_then_five_then_a_file_that_is_rejected(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed = Deployed(project=project, patch=monkeypatch)
    land(deployed, "customers.csv", "customers.csv")
    deployed.run("gate", "gate", {"entity": "customers"})
    first = customers(deployed)
    assert set(first) == {"1001", "1002", "1003", "1004"}
    land(deployed, "customers_update.csv", "customers_update.csv")
    deployed.run("gate", "gate", {"entity": "customers_update"})
    merged = customers(deployed)
    assert len(merged) == 5
    assert len(set(merged.items()) - set(first.items())) == 2
    land(deployed, "customers_invalid.csv", "customers.csv")
    with pytest.raises(RejectedError, match="Column first_name cannot be NULL or empty") as error:
        deployed.run("gate", "gate", {"entity": "customers"})
    assert str(error.value).startswith("Data contract validation failed:\n")
    assert customers(deployed) == merged


def test_all_leaves_out_what_code_makes_of_tables(classic: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    deployed = Deployed(project=classic, patch=monkeypatch)
    for sample in ("customers.csv", "customers_update.csv", "transactions.csv"):
        land(deployed, sample, sample)
    deployed.run("gate", "gate")
    assert len(customers(deployed)) == 5
    runs = [path.name for path in classic.state.glob("results/runs/*.json")]
    assert len(runs) == 3 and not [name for name in runs if "stock" in name]
