"""One run as the report shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Example:
    """One failing value."""

    value: str | None
    """The value as it stands in the file; None where it is NULL."""

    count: int
    """How many rows hold it."""

    row: str | None = None
    """The key of such a row (`customer_id=1002`), where it may be shown."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What became of one rule."""

    id: str
    """The rule's stable id."""

    kind: str
    """The kind of rule, such as `required`."""

    column: str | None
    """The column it is about; None for a rule about the whole file."""

    severity: str
    """`error`, `warning` or `info`."""

    outcome: str
    """`held`, `violated`, `not_evaluated` or `error`."""

    unexpected: int | None
    """How many rows break it."""

    evaluated: int | None
    """How many rows were looked at."""

    examples: tuple[Example, ...]
    """Failing values; of a sensitive column, only the keys of such rows."""

    message: str
    """What is wrong when the rule does not hold."""

    description: str
    """The rule as a sentence."""

    note: str | None
    """What else a reader should know about the outcome."""

    sensitive: bool
    """Whether values of this column may not be shown."""

    place: str | None = None
    """Where the contract's document demands it (`$.columns[1].nullable`)."""

    columns: tuple[str, ...] = ()
    """The columns it is about, also where there are several."""

    @property
    def about(self) -> str:
        """The columns as one text; empty for a rule about the whole file."""
        return ", ".join(self.columns) or self.column or ""

    @property
    def failed(self) -> bool:
        """Whether the rule was broken, if only in rows that were kept out, or could not be run."""
        return self.outcome in ("violated", "quarantined", "error")


@dataclass(frozen=True, kw_only=True)
class Source:
    """One landing file, or the table that was tested."""

    path: str
    """Where it was read."""

    size: int | None
    """Bytes."""

    modified: str | None
    """When it was last changed (ISO 8601, UTC)."""

    version: int | None = None
    """The version of a table."""


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What the write did."""

    table: str
    """The table's full name."""

    location: str | None
    """Where a local table lives."""

    mode: str
    """overwrite, append or merge."""

    version_before: int | None
    """The Delta version that was there; None when the table is new."""

    version_after: int | None
    """The Delta version that holds these rows."""

    rows_written: int | None
    """Rows that the commit wrote."""

    rows_inserted: int | None
    """Rows that are new."""

    rows_updated: int | None
    """Rows that replaced an older one."""

    already_written: bool
    """Whether an earlier run had written the same files."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run."""

    run_id: str
    """The run's id."""

    entity: str
    """The line of work."""

    contract: str
    """The contract's name."""

    title: str | None
    """The contract's title, if it has one."""

    version: str
    """The contract's version; empty when unknown."""

    verdict: str
    """PASSED, PASSED_WITH_WARNINGS, PASSED_WITH_QUARANTINE, REJECTED, ERROR, or empty when nobody judged the run."""

    rules: tuple[Rule, ...]
    """Every rule, those that failed first."""

    kind: str = "run"
    """`run` (files into a table) or `test` (the table itself against its contract)."""

    edition: str = ""
    """Which edition of which contract it was judged by, as `editions` keeps it; empty when unknown."""

    owner: str | None = None
    """Who answers for the contract."""

    description: str | None = None
    """What the contract is about."""

    started: str | None = None
    """When the run began (ISO 8601, UTC)."""

    finished: str | None = None
    """When the run ended (ISO 8601, UTC)."""

    source: str | None = None
    """The source as the entity names it."""

    sources: tuple[Source, ...] = ()
    """The files that were read."""

    rows: int | None = None
    """How many rows were read."""

    target: str | None = None
    """The table that the rows are for."""

    mode: str | None = None
    """How they would be written."""

    environment: str | None = None
    """The environment's name."""

    dry_run: bool = False
    """Whether writing was left out on purpose."""

    reasons: tuple[str, ...] = ()
    """Why the run was refused or failed."""

    refusal: str | None = None
    """Why the table itself did not take rows that held their contract; no value is in it."""

    notices: tuple[str, ...] = ()
    """What a reader should know besides."""

    receipt: Receipt | None = None
    """What was written; None when nothing was."""

    kept_out: int = 0
    """How many rows were kept out of the table because they break rules."""

    quarantine: str | None = None
    """The table that holds them."""

    fingerprints: tuple[tuple[str, str], ...] = ()
    """What identifies contract and suite, with its label."""

    @property
    def failed(self) -> tuple[Rule, ...]:
        """Rules that were broken or could not be run."""
        return tuple(rule for rule in self.rules if rule.failed)

    @property
    def unjudged(self) -> tuple[Rule, ...]:
        """Rules that nobody could look at."""
        return tuple(rule for rule in self.rules if rule.outcome != "held" and not rule.failed)

    @property
    def held(self) -> tuple[Rule, ...]:
        """Rules that hold."""
        return tuple(rule for rule in self.rules if rule.outcome == "held")
