"""Our GX expectations: one per kind of rule. Importing this module registers them, their metric and their engine.

Without it GX does not know the datasource's type and refuses to load the project, so a run cannot quietly go on
without our expectations.
"""

from __future__ import annotations

from typing import Any, ClassVar

from great_expectations.compatibility.pydantic import Field
from great_expectations.core import ExpectationValidationResult
from great_expectations.execution_engine.execution_engine import ExecutionEngine
from great_expectations.expectations.expectation import BatchExpectation
from great_expectations.util import camel_to_snake
from great_expectations.validator.metric_configuration import MetricConfiguration
from great_expectations.validator.validator import ValidationDependencies

from sluis.suite.engine import METRIC


class _ContractExpectation(BatchExpectation):
    """An expectation that holds when no row breaks its rule."""

    rule: str = Field(description="Id of the contract's rule")
    allowed: dict[str, Any] | None = None

    domain_keys: ClassVar[tuple[str, ...]] = ("batch_id",)
    success_keys: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def kind(cls) -> str:
        """The kind of rule, which the suite's type names."""
        return camel_to_snake(cls.__name__).removeprefix("expect_contract_")

    def get_validation_dependencies(
        self, execution_engine: ExecutionEngine[Any] | None = None, runtime_configuration: dict[str, Any] | None = None
    ) -> ValidationDependencies:
        """Ask for this rule's result."""
        dependencies = super().get_validation_dependencies(execution_engine, runtime_configuration)
        spec = {**self.configuration.kwargs, "kind": self.kind(), "sensitive": bool((self.meta or {}).get("sensitive"))}
        dependencies.set_metric_configuration(
            METRIC, MetricConfiguration(METRIC, metric_domain_kwargs={}, metric_value_kwargs={"spec": spec})
        )
        return dependencies

    def _validate(
        self,
        metrics: dict[str, Any],
        runtime_configuration: dict[str, Any] | None = None,
        execution_engine: ExecutionEngine[Any] | None = None,
    ) -> ExpectationValidationResult | dict[str, Any]:
        result = dict(metrics[METRIC])
        result.pop("cause", None)
        counts = {"element_count": result["evaluated"], "unexpected_count": result["unexpected"]}
        success = result["outcome"] == "held" or result.get("out_of_reach", False)
        return {"success": success, "result": {**counts, "details": result}}


class ExpectContractHeader(_ContractExpectation):
    """Every file's header can be read without guessing."""


class ExpectContractRowShape(_ContractExpectation):
    """Every row has as many fields as the header."""


class ExpectContractEncoding(_ContractExpectation):
    """Every byte is valid in the declared encoding."""


class ExpectContractColumns(_ContractExpectation):
    """The contract's columns are there and no others."""

    columns: list[dict[str, Any]]
    allow_additional: bool
    typed: bool | None = None


class ExpectContractRowCount(_ContractExpectation):
    """The number of rows lies within bounds."""

    min_rows: int
    max_rows: int | None = Field(...)


class ExpectContractRowCountIs(_ContractExpectation):
    """The number of rows meets a threshold."""


class _TextExpectation(_ContractExpectation):
    """Of a rule about the text of a column; its type is told where the value is inside of JSON."""

    column: str
    logical_type: str | None = None
    format: str | None = None
    parameters: dict[str, Any] | None = None
    inner: list[str] | None = None


class _ColumnExpectation(_TextExpectation):
    logical_type: str = Field(...)


class ExpectContractRequired(_ColumnExpectation):
    """Neither NULL nor blank."""


class ExpectContractFilled(_ColumnExpectation):
    """Not NULL."""


class ExpectContractNotMissing(_ColumnExpectation):
    """Neither NULL nor text that stands for a missing value."""

    texts: list[str]


class ExpectContractType(_ColumnExpectation):
    """Text has the column's logical type."""


class _BoundExpectation(_ColumnExpectation):
    limit: Any = Field(...)
    exclusive: bool | None = None


class ExpectContractMinimum(_BoundExpectation):
    """The value is not below a bound."""


class ExpectContractMaximum(_BoundExpectation):
    """The value is not above a bound."""


class ExpectContractMultipleOf(_ColumnExpectation):
    """The value is a whole multiple of a number."""

    divisor: str


class ExpectContractEnum(_ColumnExpectation):
    """The value is one of a list."""

    values: list[Any]


class ExpectContractValid(_ColumnExpectation):
    """A value that is there meets all demands."""

    demands: list[dict[str, Any]]


class ExpectContractSize(_ColumnExpectation):
    """A list, map or object has a number of members within bounds."""

    least: int
    most: int | None = Field(...)


class ExpectContractUniqueItems(_ColumnExpectation):
    """No two items of a list are equal."""


class ExpectContractPattern(_TextExpectation):
    """Text matches a regular expression."""

    pattern: str


class ExpectContractFormat(_TextExpectation):
    """Text has a well-known form."""

    form: str


class ExpectContractMinLength(_TextExpectation):
    """Text has at least so many characters."""

    limit: int


class ExpectContractMaxLength(_TextExpectation):
    """Text has at most so many characters."""

    limit: int


class ExpectContractUnique(_ContractExpectation):
    """No two rows share these values."""

    columns: list[dict[str, Any]]


class ExpectContractPrimaryKey(ExpectContractUnique):
    """These columns identify a row."""


class ExpectContractRelationship(ExpectContractUnique):
    """These values are also in another table."""

    to: str
    to_columns: list[str]


class ExpectContractFreshness(_ColumnExpectation):
    """The newest row is not older than a span of time."""

    within: dict[str, Any]


class ExpectContractRetention(ExpectContractFreshness):
    """No row is older than a span of time."""


class ExpectContractLatency(ExpectContractFreshness):
    """Every row is there within a span of time after its source had it."""

    source: dict[str, Any]


class ExpectContractWritten(_ContractExpectation):
    """The last rows came to the table within a span of time."""

    within: dict[str, Any]


class ExpectContractSql(_ContractExpectation):
    """A query over the rows gives a number that meets a threshold."""

    query: str
    expected: dict[str, Any]


class ExpectContractGx(_ContractExpectation):
    """An expectation of Great Expectations holds."""

    expectation: str
    arguments: dict[str, Any]
