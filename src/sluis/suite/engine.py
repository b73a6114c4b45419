"""The metric behind our GX expectations, and the engine that resolves all of a suite's in one pass.

GX asks each expectation which metrics it needs; ours each need one, `sluis.rule`, whose partial function only hands
on the rule. GX's engine bundles what is handed on and resolves it together: that bundle is the whole suite, and
`suite.judge` answers it.
"""

from __future__ import annotations

import contextvars
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from great_expectations.core.metric_domain_types import MetricDomainTypes
from great_expectations.core.metric_function_types import MetricPartialFunctionTypes
from great_expectations.datasource.fluent.spark_datasource import SparkDatasource
from great_expectations.execution_engine.sparkdf_execution_engine import SparkDFExecutionEngine
from great_expectations.expectations.metrics.metric_provider import MetricProvider, metric_partial

from sluis.settings import settled
from sluis.suite.divide import KEPT, RULES, divided
from sluis.suite.judge import judge
from sluis.suite.results import failed
from sluis.suite.surroundings import Surroundings

METRIC = "sluis.rule"

validated: contextvars.ContextVar[Any] = contextvars.ContextVar("sluis_validated_frame")
"""The frame that this thread's checkpoint judged; where plain GX started the run, the write takes it from here."""


_around: contextvars.ContextVar[Surroundings] = contextvars.ContextVar("sluis_surroundings")
"""What is around the frame of this thread's checkpoint; of what plain GX started, nothing is known."""


@contextmanager
def seeing(around: Surroundings) -> Iterator[None]:
    """Let rules look at this beside the frame."""
    before = _around.set(around)
    try:
        yield
    finally:
        _around.reset(before)


def take_validated() -> Any:
    """The frame that was just judged, once: another run must not find it. None when none was."""
    frame = validated.get(None)
    validated.set(None)
    return frame


class ContractEngine(SparkDFExecutionEngine):
    """GX's Spark engine, answering the rules of a contract together."""

    def resolve_metric_bundle(self, metric_fn_bundle: Any) -> dict[Any, Any]:
        """Resolve what GX bundled: our rules in one go, metrics of other expectations as GX would."""
        ours = [one for one in metric_fn_bundle if one.metric_configuration.metric_name == METRIC]
        others = [one for one in metric_fn_bundle if one.metric_configuration.metric_name != METRIC]
        resolved: dict[Any, Any] = super().resolve_metric_bundle(others) if others else {}
        if not ours:
            return resolved
        frame = self.get_domain_records(domain_kwargs={})
        validated.set(frame)
        specs = {one.metric_configuration.id: one.metric_fn for one in ours}
        # GX hands them over in an order of chance. Code for the same rules in another order is other code to the JVM,
        # which would compile it in every run: a tenth of the CPU of a million rows.
        results = _judged(frame, sorted(specs.values(), key=lambda spec: spec["rule"]))
        return resolved | {key: results[spec["rule"]] for key, spec in specs.items()}


def _judged(frame: Any, specs: list[dict[str, Any]]) -> dict[str, Any]:
    """Every rule's result; an exception becomes the result `error` of all of them.

    Raised into GX it would be tried again for each rule alone, three times over, and end as a failed expectation.
    """
    try:
        with settled(frame.sparkSession):
            return judge(frame, specs, _around.get(None))
    except Exception as error:
        hides = any(spec["sensitive"] for spec in specs)
        return {spec["rule"]: {**failed(error, sensitive=hides), "cause": error} for spec in specs}


def judge_rest(frame: Any, specs: list[dict[str, Any]], rules: Collection[str]) -> dict[str, Any]:
    """Every rule's result on the rows of the frame that GX had judged which break none of these rules.

    Args:
        frame: The frame.
        specs: The arguments of the suite's expectations, each with its `kind`, `rule` and `sensitive`.
        rules: Ids of rules about rows.
    """
    with settled(frame.sparkSession):
        rest = divided(frame, specs, rules).where(KEPT).drop(RULES)
    return _judged(rest, specs)


class ContractDatasource(SparkDatasource):
    """A GX datasource of Spark frames whose engine knows our rules."""

    type: Literal["sluis_spark"] = "sluis_spark"  # type: ignore[assignment]

    @property
    def execution_engine_type(self) -> Any:
        """The engine for frames of this datasource."""
        return ContractEngine

    def get_execution_engine(self) -> Any:
        """An engine of its own for every batch: in one that is shared, another thread's frame takes a frame's place."""
        self._execution_engine = None
        return super().get_execution_engine()


class RuleMetric(MetricProvider):
    """The result of one rule; `suite.judge.Result`."""

    metric_name = METRIC
    value_keys = ("spec",)

    @metric_partial(
        engine=SparkDFExecutionEngine,
        partial_fn_type=MetricPartialFunctionTypes.AGGREGATE_FN,
        domain_type=MetricDomainTypes.TABLE,
    )
    def _partial(
        cls, metric_value_kwargs: dict[str, Any], **_: Any
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        return dict(metric_value_kwargs["spec"]), {}, {}
