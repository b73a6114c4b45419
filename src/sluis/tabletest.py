"""One table held against its contract: what was asked, what was found, and what the checkpoint's actions do for it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sluis.contract.quality.sql.condition import prepared
from sluis.contract.quality.sql.rule import SqlError
from sluis.ending import Asked, Ending
from sluis.errors import ConditionError
from sluis.evidence import Evidence, Kind
from sluis.suite.compile import Suite, of_table
from sluis.verdict import Compiled, Judgement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

log = logging.getLogger("sluis")


@dataclass(frozen=True, kw_only=True)
class Questions(Asked):
    """What one test is asked for."""

    where: str | None = None
    """SQL of the rows to look at; None: all of them."""

    where_for_all: bool = False
    """Whether rules about the table as a whole (keys, numbers of rows) look at these rows only, too."""


@dataclass(kw_only=True)
class TableTest(Ending):
    """One test on its way; `gate` calls its `decide` and `publish` as the checkpoint's actions."""

    kind: ClassVar[Kind] = "test"

    options: Questions
    version: int | None = None
    """The version of the table that is judged; None when that is not known."""

    @property
    def checkpoint(self) -> str:
        """The checkpoint for the entity's table."""
        return of_table(self.entity.name)

    def suite_of(self, landing: Suite, table: Suite) -> Suite:
        """Which of the contract's suites is judged: that of the real table."""
        return table

    def announce(self) -> None:
        """The first lines of every test's log."""
        log.info("Testing table: %s", self.entity.target)
        log.info("Validating contract: %s", self.contract.name)
        log.info("Contract version: %s", self.contract.version)

    @property
    def compiled(self) -> Compiled:
        """The measure of what must have been evaluated."""
        return Compiled(suite=self.suite, files_in_reach=False)

    def part_of(self, rows: DataFrame) -> DataFrame:
        """The rows of the table that are looked at.

        Raises:
            ConditionError: what was asked for is no condition on them.
        """
        if self.options.where is None:
            return rows
        try:
            condition = prepared(self.options.where, rows.columns)
        except SqlError as error:
            raise ConditionError(f"--where: {error}.") from error
        others = "" if self.options.where_for_all else "; keys and numbers of rows are those of the whole table"
        hides = any(name.lower() in condition.lower() for name in self.contract.sensitive)
        told = "that --where chose (not shown: it is about values that the contract hides)"
        self.notices.append(f"Only rows {told if hides else f'where {condition}'} were looked at{others}.")
        return rows.where(condition)

    def decide(self, judgement: Judgement) -> None:
        """Keep the judgement: nothing is written."""
        self.judged(judgement)

    def sources(self) -> list[Evidence]:
        """The table that was read."""
        return [{"path": self.entity.target, "version": self.version}]
