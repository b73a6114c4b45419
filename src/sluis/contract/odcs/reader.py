"""The Open Data Contract Standard (ODCS, 2.2 to 3.2) → Contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sluis.contract import names, quality, servers
from sluis.contract.confidential import is_sensitive
from sluis.contract.demands import Spot
from sluis.contract.document import Document, json_path
from sluis.contract.local_files import Place
from sluis.contract.logical import LogicalType
from sluis.contract.model import Column, Contract
from sluis.contract.notes import Notes
from sluis.contract.odcs import columns as odcs_columns
from sluis.contract.odcs import custom, relations
from sluis.contract.odcs import head as odcs_head
from sluis.contract.odcs import keys as odcs_keys
from sluis.contract.odcs import levels as odcs_levels
from sluis.contract.odcs import types as odcs_types
from sluis.contract.odcs.element import V2_COLUMN, V2_TABLE, Element, element
from sluis.contract.odcs.faults import note_twins
from sluis.contract.odcs.relations import Home
from sluis.contract.odcs.shape import conform, is_v2
from sluis.contract.quality.scope import Scope
from sluis.contract.quality.sql.dialects import dialect
from sluis.contract.rules import Columns, Encoding, Header, RowCount, RowShape, Rule
from sluis.contract.source import Source

_V2 = (
    "ODCS 2 was superseded in 2024; it is read as far as its meaning is clear. A column is required only where it says "
    "`isNullable: false`."
)


OTHER_COLUMNS = "sluis.allowAdditionalColumns"
"""The custom property of an object by which `sluis convert` says that rows have its columns and no others."""


def objects(raw: Document) -> list[str]:
    """The names of a document's objects (tables)."""
    lists, key = (raw.get("dataset"), "table") if is_v2(raw) else (raw.get("schema"), "name")
    members = lists if isinstance(lists, list) else []
    return [str(member[key]) for member in members if isinstance(member, Mapping) and key in member]


class Opened:
    """A document that its version's schema accepts, with all of its objects to read."""

    def __init__(self, source: Source, place: Place) -> None:
        """Hold a document against the standard.

        Args:
            source: The document.
            place: Where it is, from which files that it refers to are looked for.

        Raises:
            ContractError: with every problem that does not belong to one object.
        """
        self._notes = Notes(source)
        self._place = place
        self._raw = conform(self._notes)
        note_twins(self._raw, self._notes)
        self.names = objects(self._raw)
        """The names of its objects."""
        if not self.names:
            key = "dataset" if is_v2(self._raw) else "schema"
            self._notes.problem((), f"there is no `{key}`, so there is nothing to hold data against")
        self._notes.finish()

    def read(self, name: str) -> Contract:
        """Read one object.

        Raises:
            ContractError: with every problem of the object, and of what the document says for all.
        """
        return _Reader(self._raw, self._notes.copy(), self._place, name).contract()


class _Reader:
    """One object on its way to a contract."""

    def __init__(self, raw: Document, notes: Notes, place: Place, name: str) -> None:
        self._raw = raw
        self._notes = notes
        self._place = place
        self._names = V2_COLUMN if is_v2(raw) else {}
        self._key = "dataset" if is_v2(raw) else "schema"
        stated = enumerate(raw.get(self._key) or ())
        self._objects = [
            element(member, (self._key, index), notes, V2_TABLE if is_v2(raw) else {}) for index, member in stated
        ]
        self._of = next(of for of in self._objects if of.text("name") == name)
        self._name = name

    def contract(self) -> Contract:
        notes, raw = self._notes, self._raw
        self._claim()
        columns = self._columns()
        kinds = {odcs_types.column_name(of): odcs_types.logical(of, notes) for of in columns}
        rules = tuple(self._rules(columns, kinds))
        levels = tuple(odcs_levels.levels(raw, self._name, self._objects, kinds, notes))
        notes.unmeetable(rules, kinds)
        notes.finish()
        return Contract(
            name=odcs_head.text(raw, "name", "id", "uuid") or self._name,
            version=raw["version"],
            format="odcs",
            path=notes.source.shown,
            object=self._name,
            id=odcs_head.text(raw, "id", "uuid"),
            fingerprint=notes.source.fingerprint,
            description=self._of.text("description") or odcs_head.purpose(raw),
            owner=odcs_head.owner(raw),
            allow_additional_columns=self._allows_others(),
            columns=tuple(_column(of, kinds[odcs_types.column_name(of)]) for of in columns),
            primary_key=odcs_keys.in_order(columns, "primaryKey", "primaryKeyPosition"),
            rules=rules,
            service_levels=levels,
            partition_columns=odcs_keys.layout(columns, kinds, "partitioned", "partitionKeyPosition", notes),
            cluster_columns=odcs_keys.layout(columns, kinds, "clustered", "clusterKeyPosition", notes),
            tags=tuple(str(tag) for tag in (*_tags(raw), *self._of.list("tags"))),
            notices=tuple(notes.notices),
            ledger=tuple(notes.entries(rules)),
        )

    def _claim(self) -> None:
        """Claim what is no column's."""
        notes, raw = self._notes, self._raw
        notes.informs((), notes.source.document, odcs_head.INFORMS)
        if isinstance(said := notes.source.document.get("description"), Mapping):
            notes.parts(("description",))
            notes.informs(("description",), said, said)
        if is_v2(raw):
            notes.informs((), notes.source.document, odcs_head.V2_INFORMS)
            notes.notice(f"{notes.source.shown}: {_V2}")
        if "servers" in raw:
            servers.claim(("servers",), raw["servers"], notes)
        notes.parts((self._key,))
        for index, other in enumerate(self._objects):
            if other is not self._of:
                notes.documentation((self._key, index), f"the object `{other.text('name')}`, a contract of its own")
        notes.parts(self._of.at)
        for key in odcs_head.OBJECT_INFORMS:
            if key in self._of.values:
                notes.documentation(self._of.places[key])
        if "name" in self._of.values:
            notes.documentation(self._of.places["name"], "rules are named after it")

    def _allows_others(self) -> bool:
        """Whether rows may have other columns: the standard does not speak of them; a property of ours forbids them."""
        for index, stated in enumerate(self._of.list("customProperties")):
            if isinstance(stated, Mapping) and stated.get("property") == OTHER_COLUMNS and stated.get("value") is False:
                place = (*self._of.places["customProperties"], index)
                self._notes.enforced(place, f"rule {self._name}.columns")
                return False
        return True

    def _columns(self) -> list[Element]:
        notes, at = self._notes, self._of.places.get("properties", self._of.at)
        if "properties" in self._of.values:
            notes.parts(at)
        stated = [
            element(raw, (*at, index), notes, self._names) for index, raw in enumerate(self._of.list("properties"))
        ]
        columns = [of for of in stated if not odcs_keys.is_measure(of, notes)]
        if not columns:
            notes.problem(at, f"`{self._name}` has no columns, so there is nothing to hold data against")
        for index, reason in names.faults([odcs_types.column_name(of) for of in columns]):
            of = columns[index]
            notes.problem(of.places.get("physicalName", of.places.get("name", of.at)), reason)
        notes.finish()
        return columns

    def _rules(self, columns: list[Element], kinds: Mapping[str, LogicalType]) -> Iterator[Rule]:
        notes, name, stated = self._notes, self._name, self._of.places
        scope = self._scope(columns, kinds)
        about_rows: list[Rule] = []
        if "quality" in stated:
            about_rows += quality.rules(self._of.values["quality"], stated["quality"], scope, notes)
        yield Header(id=notes.rule_id(name, "header"), path="$")
        yield RowShape(id=notes.rule_id(name, "row_shape"), path="$")
        yield Encoding(id=notes.rule_id(name, "encoding"), path="$")
        path = json_path(stated.get("properties", self._of.at))
        yield Columns(
            id=notes.rule_id(name, "columns"), path=path, names=tuple(kinds), allow_additional=self._allows_others()
        )
        yield RowCount(id=notes.rule_id(name, "row_count"), path="$", min=0 if quality.allows_none(about_rows) else 1)
        for of in columns:
            column = odcs_types.column_name(of)
            on = replace(scope, id=(name, str(of.text("name"))), column=column, type=kinds[column])
            yield from odcs_columns.rules(Spot(field=of, kind=kinds[column], scope=on, notes=notes), of)
        home = Home(name=name, document=self._raw, place=self._place, notes=notes)
        yield from odcs_keys.rules(columns, home)
        if "relationships" in stated:
            yield from relations.rules(self._of.values["relationships"], stated["relationships"], home)
        yield from about_rows

    def _scope(self, columns: list[Element], kinds: Mapping[str, LogicalType]) -> Scope:
        return Scope(
            id=(self._name,),
            object=self._name,
            also_called=tuple(filter(None, [self._of.text("physicalName")])),
            columns={str(of.text("name")): odcs_types.column_name(of) for of in columns},
            types=kinds,
            dialect=dialect(servers.kinds(self._raw.get("servers"))),
        )


def _tags(raw: Document) -> list[Any]:
    stated = raw.get("tags")
    return stated if isinstance(stated, list) else []


def _hides(stated: Mapping[str, Any]) -> bool:
    """Whether the values of a property, or of anything in it, are never shown."""
    tags = stated.get("tags")
    if is_sensitive(stated.get("classification"), tags if isinstance(tags, list) else ()):
        return True
    if stated.get("encryptedName") or custom.hides(stated.get("customProperties")):
        return True
    members, entry = stated.get("properties"), stated.get("map")
    parts = [*(members if isinstance(members, list) else ()), stated.get("items")]
    parts += entry.values() if isinstance(entry, Mapping) else ()
    return any(_hides(part) for part in parts if isinstance(part, Mapping))


def _column(of: Element, kind: LogicalType) -> Column:
    name, stated = odcs_types.column_name(of), str(of.text("name"))
    tags = tuple(str(tag) for tag in of.list("tags"))
    classification = of.text("classification")
    return Column(
        name=name,
        type=kind,
        required=of.is_true("required") or of.is_true("primaryKey"),
        description=of.text("description"),
        sensitive=_hides(of.values),
        logical_name=stated if stated != name else None,
        classification=classification,
        tags=tags,
    )
