"""Relationships of an ODCS object (foreign keys) → rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sluis.contract import source
from sluis.contract.document import Document, Parts, did_you_mean, json_path, listed
from sluis.contract.local_files import NotLocal, Place
from sluis.contract.notes import Notes
from sluis.contract.quality.scope import Unsupported
from sluis.contract.rules import Relationship, Rule
from sluis.errors import ContractError


@dataclass(frozen=True, kw_only=True)
class Home:
    """The object whose relationships are read."""

    name: str
    """The object's name."""

    document: Document
    """Its document."""

    place: Place
    """Where that is."""

    notes: Notes
    """Takes claims and problems."""


class _Dangling(ValueError):
    """What is referred to is not there; the message, what is there, and a hint."""

    def __init__(self, message: str, known: str = "", hint: str = "") -> None:
        super().__init__(message, known, hint)


def rules(items: Any, at: Parts, home: Home, own: str | None = None) -> Iterator[Rule]:
    """The rules of a `relationships` list.

    Args:
        items: The list.
        at: Where it stands.
        home: The object.
        own: The property that it stands at, which then is what refers; None at the object.
    """
    home.notes.parts(at)
    for index, raw in enumerate(items if isinstance(items, list) else ()):
        if isinstance(raw, Mapping):
            yield from _rule(raw, (*at, index), home, own)


def _rule(raw: Mapping[str, Any], at: Parts, home: Home, own: str | None) -> Iterator[Rule]:
    notes = home.notes
    notes.informs(at, raw, ("customProperties", "id"))
    # Where a problem is noted, nothing else is.
    notes.documentation(at, "it cannot be read")
    ends = {"from": [f"{home.name}.{own}"]} if own is not None else {}
    ends |= {key: _texts(raw[key]) for key in ("from", "to") if key in raw and (own is None or key == "to")}
    counts = {key: len(ends.get(key, ())) for key in ("from", "to")}
    if not counts["from"] or counts["from"] != counts["to"]:
        notes.problem((*at, "to"), f"`from` has {counts['from']} columns and `to` has {counts['to']}")
        return
    try:
        here = [column for _, column in _resolved(ends["from"], (*at, "from"), home)]
        there = list(_resolved(ends["to"], (*at, "to"), home))
    except Unsupported as error:
        notes.unsupported(at, str(error))
        return
    if len(here) != len(ends["from"]) or len(there) != len(ends["to"]):
        return
    if len({name for name, _ in there}) > 1:
        notes.problem((*at, "to"), "its columns are of several objects", hint="a key is of one object.")
        return
    rule_id = notes.rule_id(home.name, *here, "relationship")
    notes.enforced(at, f"rule {rule_id}")
    yield Relationship(
        id=rule_id,
        path=json_path(at),
        columns=tuple(here),
        to=there[0][0],
        to_columns=tuple(column for _, column in there),
    )


def _resolved(texts: list[str], at: Parts, home: Home) -> Iterator[tuple[str, str]]:
    """Object and column of each reference; a problem for those that lead nowhere."""
    for index, text in enumerate(texts):
        try:
            name, column = _look_up(text, home)
        except _Dangling as error:
            message, known, hint = error.args
            home.notes.problem((*at, index) if len(texts) > 1 else at, message, known, hint)
            continue
        if at[-1] == "from" and name != home.name:
            home.notes.problem(
                at, f"`{text}` is not a column of `{home.name}`", hint="`from` names columns of this object."
            )
            continue
        yield name, column


def _look_up(text: str, home: Home) -> tuple[str, str]:
    file, hash_, inside = text.rpartition("#")
    if not hash_ or not file:
        return _in_document(inside, home.document, home.name)
    try:
        place = home.place.find(file)
        if place.file == home.place.file.resolve():
            return _in_document(inside, home.document, home.name)
        other = source.read(place.file, place.shown).document
    except NotLocal as error:
        raise Unsupported(f"`{file}` {error}") from None
    except ContractError as error:
        raise Unsupported(f"`{file}` {error.problems[0].message.rstrip('.')}") from None
    name, column = _in_document(inside, other)
    return f"{place.shown}#{name}", column


def _in_document(text: str, document: Document, own: str | None = None) -> tuple[str, str]:
    """`table.column`, or `schema/<id>/properties/<id>`; names do for ids.

    Args:
        text: The reference.
        document: Where it is looked up.
        own: The object whose relationships are read, where this is its document. The standard does not ask an object
            to describe all of its columns, so a table may have more than another object says; of its own, data is
            read by what it says.
    """
    names = _steps(text)
    found = _named(names[0], document.get("schema"), f"`{text}`: there is no object")
    part, depth = found, 0
    for name in names[1:]:
        try:
            part, depth = _named(name, part.get("properties"), f"`{text}`: there is no property"), depth + 1
        except _Dangling:
            if found["name"] == own:
                raise
            raise Unsupported(f"`{found['name']}` does not describe its column `{name}`") from None
    if depth != 1:
        raise Unsupported(f"`{text}` is {'a part of a column' if depth else 'no column'}")
    return str(found["name"]), str(part.get("physicalName") or part["name"])


def _steps(text: str) -> list[str]:
    """The names on the way to a column: `table.column`, `schema.table.column` or `schema/table/properties/column`."""
    steps = text.strip("/").split("/")
    if len(steps) > 1 and steps[0] == "schema":
        return steps[1::2]
    names = text.split(".")
    return names[1:] if len(names) > 2 and names[0] == "schema" else names


def _named(name: str, members: Any, missing: str) -> Mapping[str, Any]:
    """The object or property of that name or id."""
    stated = members if isinstance(members, list) else ()
    parts = [part for part in stated if isinstance(part, Mapping) and "name" in part]
    for key in ("name", "id", "physicalName"):
        for part in parts:
            if part.get(key) == name:
                return part
    known = [str(part["name"]) for part in parts]
    raise _Dangling(f"{missing} `{name}`", listed(known), did_you_mean(name, known))


def _texts(stated: Any) -> list[str]:
    return [str(text) for text in (stated if isinstance(stated, list) else [stated])]
