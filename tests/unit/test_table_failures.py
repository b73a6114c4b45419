"""What failures mean, and how conflicts are retried; Spark's exceptions are made by hand."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from sluis import table
from sluis.errors import ConflictError, EnvironmentFailure, SourceError
from sluis.table import Commit, Receipt, Refusal, Target, TargetColumn, translate
from sluis.table.faults import conditions, conflict

writing_module = sys.modules["sluis.table.write"]  # the package shows the function of that name
pyspark_errors = pytest.importorskip("pyspark.errors")

TARGET = Target(name="demo.t", mode="merge", merge_key=("id",), columns=(TargetColumn(name="id", type="INT"),))


class Connect(pyspark_errors.PySparkException):  # type: ignore[misc, name-defined]
    """As Connect raises it: a condition, and causes in the text."""

    def __init__(self, condition: str | None, text: str) -> None:
        Exception.__init__(self, text)
        self.condition, self.text = condition, text

    def getCondition(self) -> str | None:
        return self.condition

    def __str__(self) -> str:
        return self.text


class Java:
    def __init__(self, message: str, cause: Java | None = None) -> None:
        self.message, self.cause = message, cause

    def getMessage(self) -> str:
        return self.message

    def getCause(self) -> Java | None:
        return self.cause


class Classic(Exception):
    """As classic Spark raises it: nothing but Java's exception."""

    __module__ = "py4j.protocol"

    def __init__(self, *messages: str) -> None:
        super().__init__("An error occurred while calling o1.merge.")
        self.java_exception: Java | None = None
        for message in reversed(messages):
            self.java_exception = Java(message, self.java_exception)


TASK = "[TASK_WRITE_FAILED] Task failed while writing rows to file:/t. SQLSTATE: 58030"


def both(condition: str, text: str) -> list[Any]:
    """The same failure of a task on both engines."""
    message = f"[{condition}] {text}"
    caused = f"{TASK}\n\nJVM stacktrace:\n\tat x\nCaused by: org.apache.X: {message}\n\tat y"
    return [Connect("TASK_WRITE_FAILED", caused), Classic(TASK, message), Connect(condition, message)]


@pytest.mark.parametrize("error", both("DELTA_CONCURRENT_APPEND.WITHOUT_HINT", "Transaction conflict detected."))
def test_conflicts_are_found_among_the_causes(error: Exception) -> None:
    assert conflict(error) == "DELTA_CONCURRENT_APPEND.WITHOUT_HINT"


def test_conditions_come_outermost_first() -> None:
    assert conditions(Classic(TASK, "[CAST_INVALID_INPUT] x")) == ["TASK_WRITE_FAILED", "CAST_INVALID_INPUT"]


SECRET = "[USER_RAISED_EXCEPTION] SLUIS_KEY_EXISTS"


@pytest.mark.parametrize(
    "error",
    both(
        "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
        f"CHECK constraint po s (id > 0) violated by row with values:\n - {SECRET}",
    ),
)
def test_a_check_constraint_is_named_and_values_are_not(error: Exception) -> None:
    assert translate.refusal(error, TARGET) == Refusal(
        kind="constraint", message="Rows break the CHECK constraint po s of demo.t."
    )


@pytest.mark.parametrize(
    "error", both("DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "NOT NULL constraint violated for column: a.b.")
)
def test_not_null_names_the_column(error: Exception) -> None:
    assert translate.refusal(error, TARGET) == Refusal(
        kind="constraint", message="Rows hold NULL in column a.b of demo.t, which is NOT NULL."
    )


@pytest.mark.parametrize("error", both("USER_RAISED_EXCEPTION", "SLUIS_SOURCE_CHANGED: a.csv grew SQLSTATE: P0001"))
def test_a_changed_source_is_told(error: Exception) -> None:
    failure = translate.failure(error, TARGET)
    assert type(failure) is SourceError
    assert str(failure) == "The source changed after it was validated: a.csv grew. Nothing was written."


@pytest.mark.parametrize("error", both("CAST_INVALID_INPUT", "The value 'secret' cannot be cast"))
def test_the_second_lock_does_not_quote_values(error: Exception) -> None:
    failure = translate.failure(error, TARGET)
    assert type(failure) is EnvironmentFailure
    assert "secret" not in str(failure)
    assert "(CAST_INVALID_INPUT): the checks passed, the cast held. Nothing was written." in str(failure)


def test_the_innermost_cause_is_told() -> None:
    failure = translate.failure(Classic(TASK, "No space left on device"), TARGET)
    assert str(failure) == f"demo.t failed: {TASK} (No space left on device)"


def write(monkeypatch: pytest.MonkeyPatch, outcomes: list[Any]) -> Any:
    """A write whose attempts end as told."""

    def attempt(*_: object) -> Any:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(writing_module, "_attempt", attempt)
    monkeypatch.setattr(writing_module.time, "sleep", lambda _: None)
    nothing: Any = None
    return table.write(nothing, lambda: (nothing, lambda: None), TARGET, Commit(run_id="r"))


RECEIPT = Receipt(
    table="demo.t",
    location="",
    mode="merge",
    version_before=0,
    version_after=1,
    rows_written=1,
    rows_inserted=1,
    rows_updated=0,
)
METADATA = Connect("DELTA_METADATA_CHANGED", "[DELTA_METADATA_CHANGED] changed")


def test_conflicts_are_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    assert write(monkeypatch, [METADATA, Classic("[DELTA_CONCURRENT_WRITE] x"), RECEIPT]) == RECEIPT


def test_retries_are_bounded_and_the_conflict_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConflictError) as caught:
        write(monkeypatch, [METADATA] * 5 + [RECEIPT])
    assert str(caught.value) == "Another writer of demo.t won 5 times: DELTA_METADATA_CHANGED. Nothing was written."


def test_faults_of_our_own_are_not_dressed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        write(monkeypatch, [ZeroDivisionError()])
