"""The gate: run a checkpoint; its two actions decide and report.

The first action of a landing file's checkpoint writes the table if the file may pass; that of a table's own checkpoint
only decides. GX calls the two actions that the checkpoint names. What they do is bound for one run by `pipeline`,
under the run's name; a run that plain GX started has nothing bound, so the action asks for a binding for the entity it
names.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from great_expectations.checkpoint.actions import ActionContext, ValidationAction
from great_expectations.checkpoint.checkpoint import CheckpointResult
from great_expectations.core.run_identifier import RunIdentifier

from sluis.errors import SuiteError
from sluis.verdict import Compiled, Judgement, RuleResult, judge

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Binding(Protocol):
    """What the two actions do in one run."""

    @property
    def compiled(self) -> Compiled:
        """What must have been evaluated."""

    def refine(self, result: RuleResult) -> RuleResult:
        """Look closer at a broken rule, where the files can say more than the frame."""

    def decide(self, judgement: Judgement) -> None:
        """Do what follows from the judgement, as writing the table; failures are recorded, not raised."""

    def publish(self, build: Callable[[Sequence[Any]], Any]) -> None:
        """Keep the evidence and have the report built, of the pages that it names."""

    def conclude(self, *, looks_good: bool) -> Any:
        """End a run that plain GX started; raises where GX's own result looks good and the table was not written."""


_bindings: dict[str, Binding] = {}
_one_checkpoint_at_a_time = threading.RLock()
"""GX resolves stores through a process-wide current context: two contexts at once would read each other's."""

bind_for_entity: Callable[[str, Path, bool], Binding] | None = None
"""How what plain GX started gets its binding, of an entity's files or (True) of its table; set by `sluis.gx`."""


@contextmanager
def bound(run_name: str, binding: Binding) -> Iterator[None]:
    """Let the actions of the run of this name do what `binding` says."""
    _bindings[run_name] = binding
    try:
        yield
    finally:
        _bindings.pop(run_name, None)


def run(folder: Path, state: Path, checkpoint: str, run_name: str, frame: DataFrame, binding: Binding) -> None:
    """Run a checkpoint of the project in `folder` on a frame; its actions end up in `binding`.

    Raises:
        SuiteError: the project, the checkpoint or its suite cannot be loaded.
    """
    with _one_checkpoint_at_a_time, bound(run_name, binding), _state_is(state):
        try:
            loaded = _context(folder).checkpoints.get(checkpoint)
        except Exception as error:
            raise SuiteError(
                f"The checkpoint {checkpoint} cannot be loaded: {error}", hint="run `sluis generate`."
            ) from error
        loaded.run(batch_parameters={"dataframe": frame}, run_id=RunIdentifier(run_name=run_name))


def build_docs(folder: Path, state: Path, keys: Sequence[Any] = ()) -> None:
    """Build the pages of these validation results and the index; without any, all pages."""
    with _one_checkpoint_at_a_time, _state_is(state):
        _context(folder).build_data_docs(resource_identifiers=list(keys) or None)


@contextmanager
def _state_is(state: Path) -> Iterator[None]:
    """Let GX's configuration find the state folder; the next project in this process may have another."""
    before = os.environ.get("SLUIS_STATE")
    os.environ["SLUIS_STATE"] = str(state)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("SLUIS_STATE", None)
        else:
            os.environ["SLUIS_STATE"] = before


def _context(folder: Path) -> Any:
    import great_expectations as gx

    import sluis.suite.expectations  # noqa: F401  registers our expectations and datasource

    return gx.get_context(context_root_dir=str(folder))


class _DecidingAction(ValidationAction):
    """Judge what was evaluated, and do what follows from it."""

    entity: str
    of_table: ClassVar[bool]

    def run(self, checkpoint_result: CheckpointResult, action_context: ActionContext | None = None) -> dict[str, Any]:
        """Judge and decide; a failure of the write is recorded, so that the report shows it."""
        binding = self._binding(checkpoint_result)
        judgement = judge(checkpoint_result, binding.compiled, binding.refine)
        binding.decide(judgement)
        return {"binding": binding}

    def _binding(self, result: CheckpointResult) -> Binding:
        if bound_here := _bindings.get(result.run_id.run_name or ""):
            return bound_here
        if bind_for_entity is None:
            raise SuiteError("Nothing is bound for this run.", hint="`import sluis.gx` before running a checkpoint.")
        root = Path(str(self._resolve_context().context.root_directory))
        return bind_for_entity(self.entity, root, self.of_table)


class DeltaWriteAction(_DecidingAction):
    """Write the target if, and only if, the contract held."""

    type: Literal["sluis_delta_write"] = "sluis_delta_write"
    of_table: ClassVar[bool] = False


class TableTestAction(_DecidingAction):
    """Say whether the table holds what its contract demands; nothing is written."""

    type: Literal["sluis_table_test"] = "sluis_table_test"
    of_table: ClassVar[bool] = True


class PublishDocsAction(ValidationAction):
    """Keep the evidence and build the report; runs after the write, so that it shows the receipt."""

    type: Literal["sluis_publish_docs"] = "sluis_publish_docs"
    entity: str

    def run(self, checkpoint_result: CheckpointResult, action_context: ActionContext | None = None) -> dict[str, Any]:
        """Publish what happened."""
        earlier = action_context.data if action_context else []
        bindings = [told["binding"] for action, told in earlier if isinstance(action, _DecidingAction)]
        if not bindings:
            raise SuiteError("Nothing was decided before the report.", hint="run `sluis generate`.")
        binding: Binding = bindings[0]
        context = self._resolve_context().context
        binding.publish(lambda pages: context.build_data_docs(resource_identifiers=list(pages)))
        if (checkpoint_result.run_id.run_name or "") not in _bindings:
            binding.conclude(looks_good=bool(checkpoint_result.success))
        return {}
