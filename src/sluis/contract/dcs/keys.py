"""Keys of a DCS model: primary key, unique fields, references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sluis.contract.dcs.fields import Field
from sluis.contract.document import Document, Parts, did_you_mean, json_path, listed
from sluis.contract.notes import Notes
from sluis.contract.rules import PrimaryKey, Relationship, Rule, Unique

_MARKS = ("primaryKey", "primary")
"""How a field says that it is part of the primary key; before 1.1 the second."""


def primary_key(model: Document, at: Parts, fields: Mapping[str, Field], notes: Notes) -> tuple[str, ...]:
    """The columns of the primary key, in the order that the model states; else in that of its fields."""
    marked = tuple(name for name, field in fields.items() if any(field.values.get(mark) is True for mark in _MARKS))
    stated = tuple(model.get("primaryKey", ()))
    for index, name in enumerate(stated):
        place = (*at, "primaryKey", index)
        if name in stated[:index]:
            notes.problem(place, f"`{name}` stands twice in it")
        elif name not in fields:
            notes.problem(place, f"`{name}` is not a field", listed(fields), did_you_mean(name, fields))
    if not stated:
        return marked
    for name in marked:
        if name not in stated:
            place = next(place for mark, place in fields[name].places.items() if mark in _MARKS)
            notes.problem(place, f"the model's `primaryKey` is {listed(stated)}, without this field")
    return stated


def stated_at(model: Document, at: Parts, field: Field) -> Parts:
    """Where the primary key is stated that a field is part of."""
    marks = [field.places[mark] for mark in _MARKS if field.values.get(mark) is True]
    return marks[0] if marks else (*at, "primaryKey")


def rules(raw: Document, at: Parts, fields: Mapping[str, Field], key: tuple[str, ...], notes: Notes) -> Iterator[Rule]:
    """The rules about keys, and claims for what states them.

    Args:
        raw: The document.
        at: Where the model stands.
        fields: Its fields.
        key: The columns of its primary key.
        notes: Takes claims and problems.
    """
    name = str(at[-1])
    model = raw["models"][name]
    if key:
        stated = [(*at, "primaryKey")] if model.get("primaryKey") else []
        marks = [field.places[mark] for field in fields.values() for mark in _MARKS if field.values.get(mark) is True]
        rule = PrimaryKey(id=notes.rule_id(name, "primary_key"), path=json_path([*stated, *marks][0]), columns=key)
        for place in (*stated, *marks):
            notes.enforced(place, f"rule {rule.id}")
        yield rule
    elif "primaryKey" in model:
        notes.documentation((*at, "primaryKey"), "it is empty")
    for column, field in fields.items():
        yield from _column(raw, name, column, field, key, notes)


def inner(field: Field, notes: Notes) -> None:
    """Claim the keys that only a column can have, for a part of one."""
    for key in (*_MARKS, "unique", "references"):
        if field.values.get(key):
            notes.unsupported(field.places[key], "keys are columns, not parts of one")
        elif key in field.values:
            notes.documentation(field.places[key])


def _column(raw: Document, model: str, column: str, field: Field, key: tuple[str, ...], notes: Notes) -> Iterator[Rule]:
    for mark in (*_MARKS, "unique"):
        if field.values.get(mark) is False:
            notes.documentation(field.places[mark])
    if field.values.get("unique") is True and key == (column,):
        notes.enforced(field.places["unique"], "the same as the primary key")
    elif field.values.get("unique") is True:
        path = json_path(field.places["unique"])
        yield Unique(id=notes.rule_id(model, column, "unique"), path=path, columns=(column,))
    if "references" in field.values:
        yield from _reference(raw, model, column, field, notes)


def _reference(raw: Document, model: str, column: str, field: Field, notes: Notes) -> Iterator[Rule]:
    place, stated = field.places["references"], str(field.values["references"])
    to, _, to_column = stated.partition(".")
    if not to or not to_column or "." in to_column:
        notes.unsupported(place, "only fields of a model (`orders.order_id`) are looked up")
        return
    known = raw["models"].get(to)
    if known is not None and to_column not in known.get("fields", {}):
        names = known.get("fields", {})
        notes.problem(place, f"`{to}` has no field `{to_column}`", listed(names), did_you_mean(to_column, names))
    yield Relationship(
        id=notes.rule_id(model, column, "relationship"),
        path=json_path(place),
        columns=(column,),
        to=to,
        to_columns=(to_column,),
    )
