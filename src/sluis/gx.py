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

from sluis import gate, pipeline
from sluis.suite import expectations  # noqa: F401  registers on import
from sluis.workspace import default_state

gate.bind_for_entity = pipeline.bind_for_entity
os.environ.setdefault("SLUIS_STATE", str(default_state(Path.cwd())))
