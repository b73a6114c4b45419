"""Expectations of Great Expectations as a contract states them, run by GX's own engine on the typed rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sluis.suite.predicates import Spec
from sluis.suite.results import Result, failed, whole

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FORMAT = {"result_format": "BASIC", "partial_unexpected_count": 0, "include_unexpected_rows": False}
"""Counts only: GX would read the rows once more for each list of values."""


def judge(specs: Sequence[Spec], typed: DataFrame) -> dict[str, Result]:
    """Have GX validate all of them together; what it cannot even build is left out, and fails alone."""
    found: dict[str, Result] = {}
    asked = []
    for index, spec in enumerate(specs):
        try:
            asked.append(_configured(spec, index))
        except Exception as error:
            found[spec["rule"]] = failed(error, spec["rule"])
    for result in _validator(typed).graph_validate(
        configurations=asked, runtime_configuration={"result_format": _FORMAT, "catch_exceptions": True}
    ):
        spec = specs[int(result.expectation_config.id)]
        found[spec["rule"]] = _result(result, spec)
    lost = ValueError("Great Expectations gave no result")
    return {spec["rule"]: found.get(spec["rule"]) or failed(lost, spec["rule"]) for spec in specs}


def _configured(spec: Spec, index: int) -> Any:
    """The expectation, once GX has taken its arguments."""
    import great_expectations.expectations.core  # noqa: F401  registers the expectations
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    made = ExpectationConfiguration(type=spec["expectation"], kwargs=dict(spec["arguments"]), id=str(index))
    made.to_domain_obj()
    return made


def _validator(typed: DataFrame) -> Any:
    from great_expectations.core.batch import Batch
    from great_expectations.execution_engine.sparkdf_batch_data import SparkDFBatchData
    from great_expectations.execution_engine.sparkdf_execution_engine import SparkDFExecutionEngine
    from great_expectations.validator.validator import Validator

    class Quiet(Validator):
        """Without a bar for every expectation: a context would say so, and there is none here."""

        def _determine_progress_bars(self) -> bool:
            return False

    engine = SparkDFExecutionEngine(persist=False)
    batch = Batch(data=SparkDFBatchData(engine, typed))  # type: ignore[arg-type]  # GX names the class, and takes one
    return Quiet(execution_engine=engine, batches=[batch])


def _result(result: Any, spec: Spec) -> Result:
    if message := _raised(result.exception_info or {}):
        return failed(ValueError(message), spec["rule"], sensitive=spec["sensitive"])
    counts: Mapping[str, Any] = result.result or {}
    if result.success:
        return whole(0, int(counts.get("element_count", 1))) | {"unexpected": int(counts.get("unexpected_count") or 0)}
    unexpected = int(counts.get("unexpected_count") or 1)
    told = (
        [f"{spec['expectation']} found {counts['observed_value']}"] if counts.get("observed_value") is not None else []
    )
    return whole(unexpected, int(counts.get("element_count", 1)), messages=[] if spec["sensitive"] else told)


def _raised(info: Mapping[str, Any]) -> str | None:
    """The message of an exception that GX recorded; it keeps one, or one per metric."""
    shapes = [info, *(one for one in info.values() if isinstance(one, Mapping))]
    raised = [one for one in shapes if one.get("raised_exception") or one.get("exception_message")]
    return str(raised[0].get("exception_message") or "it raised") if raised else None
