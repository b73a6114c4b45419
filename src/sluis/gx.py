"""`import sluis.gx` before plain Great Expectations: registers our expectations, datasource and actions.

A notebook then runs the same gate and the same write as `sluis run`:

    import great_expectations as gx
    import sluis.gx

    context = gx.get_context(context_root_dir="gx")
    context.checkpoints.get("customers").run(batch_parameters={"dataframe": frame})
"""

from __future__ import annotations

import os
from pathlib import Path

from sluis import config, gate, pipeline
from sluis.errors import ContractError
from sluis.suite import expectations  # noqa: F401  registers on import
from sluis.workspace import default_state, state_folder


def _state() -> Path:
    """The state folder of the project around the current folder: a notebook may lie deeper in it."""
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / config.ENTITIES).is_file()), here)
    try:
        return state_folder(root, config.read(root), None)
    except ContractError:  # told in full when a checkpoint runs
        return default_state(root)


gate.bind_for_entity = pipeline.bind_for_entity
os.environ.setdefault("SLUIS_STATE", str(_state()))
