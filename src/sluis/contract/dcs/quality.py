"""The quality of DCS documents before 1.1: one specification for all models, written for another tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sluis.contract import document, yaml_text
from sluis.contract.document import Parts, did_you_mean, in_words, listed
from sluis.contract.local_files import NotLocal, Place
from sluis.contract.quality import custom as quality_custom
from sluis.contract.quality import soda
from sluis.contract.quality.scope import Item, Unsupported
from sluis.contract.rules import Rule
from sluis.errors import ContractError

AT: Parts = ("quality",)


def rules(raw: Mapping[str, Any], item: Item, place: Place, models: list[str]) -> Iterator[Rule]:
    """The rules of a model that the document's `quality` states.

    Args:
        raw: The document's `quality`.
        item: The model's scope, where claims go.
        place: The document, from which files are looked for.
        models: The names of all models.
    """
    notes = item.notes
    notes.parts(AT)
    kind, at = raw.get("type"), (*AT, "specification")
    if kind not in _READERS:
        notes.unsupported(AT, f"Sluis does not run checks of the type `{kind}`")
        return
    notes.documentation((*AT, "type"), "how the specification is written")
    stated = _stated(raw.get("specification"), at, item, place)
    if stated is not None:
        yield from _READERS[kind](stated, replace(item, at=at), place, models)


def _stated(specification: Any, at: Parts, item: Item, place: Place) -> Any:
    """The specification, from the file that it refers to if it does; None, and a problem, when that is not there."""
    reference = specification
    if isinstance(specification, str) and specification.strip().startswith("$ref:"):
        reference = {"$ref": specification.strip().removeprefix("$ref:").strip().strip("\"'")}
    if not (isinstance(reference, Mapping) and set(reference) == {"$ref"}):
        return specification
    try:
        found = place.find(str(reference["$ref"]))
        return document.text_of(found.file, found.shown)
    except NotLocal as error:
        item.notes.problem(at, f"`{reference['$ref']}` {error}")
    except ContractError as error:
        item.notes.problems += error.problems
    return None


def _soda(stated: Any, item: Item, _: Place, models: list[str]) -> Iterator[Rule]:
    yield from soda.rules(stated, item, models)


def _great_expectations(stated: Any, item: Item, place: Place, models: list[str]) -> Iterator[Rule]:
    if not isinstance(stated, Mapping):
        item.notes.unsupported(item.at, f"found {in_words(stated)} where expectations stand under their model")
        return
    item.notes.parts(item.at)
    for model, expectations in stated.items():
        at = (*item.at, model)
        if model not in models:
            item.notes.problem(at, f"there is no model `{model}`", listed(models), did_you_mean(model, models))
        elif model != item.scope.object:
            item.notes.documentation(at, f"it is about `{model}`")
        else:
            read = _stated(expectations, at, item, place)
            yield from _expectations(read, at, item) if read is not None else ()


def _expectations(stated: Any, at: Parts, item: Item) -> Iterator[Rule]:
    """The rules of a model's expectations: a list of them, or its text."""
    notes, refused = item.notes, []
    notes.parts(at)
    try:
        listed_here = yaml_text.parse(stated, notes.source.shown)[0] if isinstance(stated, str) else stated
    except ContractError as error:
        notes.problem(at, f"the text {error.problems[0].message.rstrip('.')}")
        return
    for index, one in enumerate(listed_here if isinstance(listed_here, list) else [listed_here]):
        place = (*at, index) if isinstance(listed_here, list) else at
        inside = replace(item, at=place, raw={"engine": "great-expectations", "implementation": one})
        try:
            yield from quality_custom.rules(inside)
        except Unsupported as error:
            refused.append(str(error))
            notes.unsupported(place, str(error))
    if isinstance(stated, str):
        # The ledger shows a text as one key.
        claim = notes.unsupported if refused else notes.enforced
        claim(at, "; ".join(refused) or "by its expectations")


_READERS = {"SodaCL": _soda, "great-expectations": _great_expectations}
