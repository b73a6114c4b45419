"""What became of all contracts of a project since a revision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sluis import config
from sluis.contract import reading
from sluis.contract.diff import differ
from sluis.contract.model import Contract
from sluis.errors import ContractError, Problem
from sluis.report.junit import Case, junit
from sluis.report.markdown import escaped
from sluis.report.words import counted
from sluis.tools import versions
from sluis.tools.comparison import Comparison
from sluis.tools.revisions import project_at

Documents = Mapping[str, list[Contract]]
"""Document → its contracts, one per object."""

_COMMENT = 60_000
"""Characters of Markdown; GitHub takes 65,536 in a comment."""


@dataclass(frozen=True, kw_only=True)
class Since:
    """What `sluis diff --since` found."""

    revision: str
    """The branch, tag or commit, as the user named it."""

    comparisons: tuple[Comparison, ...]
    """One for each contract that is there or was."""

    @property
    def exit_code(self) -> int:
        """1 where a consumer may break and no version announces it."""
        return max((compared.exit_code for compared in self.comparisons), default=0)

    @property
    def changed(self) -> list[Comparison]:
        """The contracts that differ."""
        return [compared for compared in self.comparisons if compared.changes]

    def as_text(self) -> str:
        """For people: the contracts that differ."""
        return "\n\n".join([*(compared.as_text() for compared in self.changed), self._summary()])

    def as_json(self) -> str:
        """For machines: one object, with all contracts."""
        record = {
            "diff_version": 1,
            "since": self.revision,
            "contracts": [compared.record for compared in self.comparisons],
            "exit_code": self.exit_code,
        }
        return json.dumps(record, ensure_ascii=False)

    def as_junit(self) -> str:
        """For CI: a case per change, and one for each contract that does not differ."""
        return junit(
            f"sluis diff --since {self.revision}", [case for each in self.comparisons for case in _cases(each)]
        )

    def as_markdown(self) -> str:
        """For a comment on a pull request: the contracts that differ, as far as a comment holds them."""
        sections = [f"## Contracts\n\n{escaped(self._summary())}"]
        for position, compared in enumerate(self.changed):
            section = compared.as_markdown()
            if len(section) + sum(map(len, sections)) > _COMMENT:
                sections.append(f"… and {counted(len(self.changed) - position, 'more contract')}.")
                break
            sections.append(section)
        return "\n\n".join(sections)

    def _summary(self) -> str:
        changed, breaking = len(self.changed), sum(compared.exit_code for compared in self.comparisons)
        differ = f"{changed} of {counted(len(self.comparisons), 'contract')} changed since {self.revision}"
        return f"{differ}; {breaking} breaking without a new major version." if breaking else f"{differ}."


def since(revision: str, project: Path) -> Since:
    """Compare every contract that an entity names, or named then, with what it was.

    A contract that moved to another file (a converted one, say) is known by its id or name.

    Args:
        revision: A branch, tag or commit; what counts is where the present branch left it.
        project: The folder with `contracts/`.

    Raises:
        ContractError: there is no such revision, or a document cannot be read on either side; carries every problem.
    """
    now = _named(project)
    with project_at(revision, project) as past, _of(revision):
        # What no entity names any more may still be there, and still be agreed.
        documents = dict.fromkeys([*now, *_named(past)])
        old = _read(past, [name for name in documents if (past / name).is_file()])
    new = _read(project, [name for name in documents if name in now or (project / name).is_file()])
    moved = dict(_moved(old, new))
    pairs = {moved.get(document, document): document for document in new}
    gone = {document: document for document in old if document not in pairs}
    return Since(
        revision=revision,
        comparisons=tuple(
            _compared(f"{revision}:{before}", after, old.get(before, []), new.get(after, []))
            for before, after in {**pairs, **gone}.items()
        ),
    )


def _named(project: Path) -> list[str]:
    """The documents that a project's entities name."""
    if not (project / config.ENTITIES).is_file():
        return []
    raw = config.read(project).raw
    return list(dict.fromkeys(reading.split(entity["contract"])[0] for entity in raw.values()))


def _read(project: Path, documents: Iterable[str]) -> dict[str, list[Contract]]:
    found: dict[str, list[Contract]] = {}
    problems: list[Problem] = []
    for document in documents:
        try:
            found[document] = versions.contracts(document, project)
        except ContractError as error:
            problems += error.problems
    if problems:
        raise ContractError(problems)
    return found


@contextmanager
def _of(revision: str) -> Iterator[None]:
    """Have problems of documents say of which revision they are."""
    try:
        yield
    except ContractError as error:
        raise ContractError(replace(each, file=f"{revision}:{each.file}") for each in error.problems) from None


def _moved(old: Documents, new: Documents) -> Iterator[tuple[str, str]]:
    """New document → the old one in whose place it came."""
    gone = [document for document in old if document not in new]
    for document in new:
        if document in old:
            continue
        for before in gone:
            if _names(old[before]) & _names(new[document]):
                gone.remove(before)
                yield document, before
                break


def _names(contracts: list[Contract]) -> set[str]:
    return {name for contract in contracts for name in (contract.id, contract.name) if name}


def _compared(before: str, after: str, old: list[Contract], new: list[Contract]) -> Comparison:
    return Comparison(
        old=before,
        new=after,
        old_version=old[0].version if old else None,
        new_version=new[0].version if new else None,
        changes=tuple(differ(old, new)),
    )


def _cases(compared: Comparison) -> list[Case]:
    cases = compared.cases or [Case(group="same", name="nothing differs")]
    return [replace(case, group=f"{compared.new}: {case.group}") for case in cases]
