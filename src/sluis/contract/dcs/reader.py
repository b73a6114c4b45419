"""The Data Contract Specification (DCS, 0.9 to 1.2), which its authors deprecated in favour of ODCS → Contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sluis.contract import document, names, quality, servers
from sluis.contract.dcs import columns as dcs_columns
from sluis.contract.dcs import keys as dcs_keys
from sluis.contract.dcs import levels as dcs_levels
from sluis.contract.dcs import quality as dcs_quality
from sluis.contract.dcs import shape as dcs_shape
from sluis.contract.dcs import types as dcs_types
from sluis.contract.dcs.fields import Field, Resolver
from sluis.contract.demands import Spot
from sluis.contract.document import Document, Parts
from sluis.contract.local_files import Place
from sluis.contract.logical import LogicalType
from sluis.contract.model import Column, Contract
from sluis.contract.notes import Notes
from sluis.contract.quality.scope import Item, Scope
from sluis.contract.quality.sql import dialects
from sluis.contract.rules import Columns, Encoding, Header, RowCount, RowShape, Rule
from sluis.contract.source import Source

NOTICE = (
    "The Data Contract Specification is deprecated in favour of ODCS; `sluis convert` writes this contract as ODCS."
)


class Opened:
    """A document that its version's schema accepts, with all of its models to read."""

    def __init__(self, source: Source, place: Place) -> None:
        """Hold a document against the standard.

        Args:
            source: The document.
            place: Where it is, from which files that it refers to are looked for.

        Raises:
            ContractError: with every problem that does not belong to one model.
        """
        self._notes = Notes(source)
        self._place = place
        self._raw = dcs_shape.check(self._notes)
        self.names = list(self._raw.get("models", ()))
        """The names of its models."""
        if not self.names:
            self._notes.problem((), *_without_models(self._raw))
        self._notes.finish()

    def read(self, name: str) -> Contract:
        """Read one model.

        Raises:
            ContractError: with every problem of the model, and of what the document says for all.
        """
        return _Reader(self._raw, self._notes.copy(), self._place, name).contract()


def _without_models(raw: Document) -> tuple[str, str, str]:
    """What to say of a document that has none: message, what is allowed, hint."""
    schema = raw.get("schema")
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    hint = f"Sluis does not read a `schema` of type `{kind}`; describe the data in `models`." if kind else ""
    return "there are no `models`, so there is nothing to hold data against", "", hint


class _Reader:
    """One model on its way to a contract."""

    def __init__(self, raw: Document, notes: Notes, place: Place, name: str) -> None:
        self._notes = notes
        self._place = place
        self._name = name
        self._raw = raw
        self._at: Parts = ("models", name)
        self._model: Document = self._raw["models"][name]
        self._resolver = Resolver(raw, notes, place)

    def contract(self) -> Contract:
        notes, raw = self._notes, self._raw
        fields = self._fields()
        self._claim()
        kinds = {name: dcs_types.logical(field, notes) for name, field in fields.items()}
        key = dcs_keys.primary_key(self._model, self._at, fields, notes)
        rules = tuple(self._rules(fields, kinds, key))
        levels = tuple(dcs_levels.levels(raw.get("servicelevels", {}), self._name, kinds, notes))
        notes.unmeetable(rules, kinds)
        notes.finish()
        notes.notice(NOTICE)
        return Contract(
            name=raw["info"]["title"],
            version=raw["info"]["version"],
            format="dcs",
            path=notes.source.shown,
            object=self._name,
            id=raw["id"],
            fingerprint=document.fingerprint(notes.source.document),
            description=self._model.get("description", raw["info"].get("description")),
            owner=raw["info"].get("owner"),
            allow_additional_columns=self._model.get("additionalFields", False),
            columns=tuple(self._column(name, field, kinds[name], key) for name, field in fields.items()),
            primary_key=key,
            rules=rules,
            service_levels=levels,
            tags=tuple(
                str(tag) for of in (raw, self._model) if isinstance(tags := of.get("tags"), list) for tag in tags
            ),
            notices=tuple(notes.notices),
            ledger=tuple(notes.entries(rules)),
        )

    def _fields(self) -> dict[str, Field]:
        fields = self._resolver.fields(self._model.get("fields", {}), (*self._at, "fields"))
        if not fields:
            self._notes.problem(self._at, "the model has no fields, so there is nothing to hold data against")
        columns = list(fields)
        for index, reason in names.faults(columns):
            self._notes.problem((*self._at, "fields", columns[index]), reason)
        self._notes.finish()
        return fields

    def _rules(
        self, fields: Mapping[str, Field], kinds: Mapping[str, LogicalType], key: tuple[str, ...]
    ) -> Iterator[Rule]:
        notes, name = self._notes, self._name
        scope = self._scope(kinds)
        about_rows = list(self._quality(scope))
        yield Header(id=notes.rule_id(name, "header"), path="$")
        yield RowShape(id=notes.rule_id(name, "row_shape"), path="$")
        yield Encoding(id=notes.rule_id(name, "encoding"), path="$")
        yield Columns(
            id=notes.rule_id(name, "columns"),
            path=document.json_path((*self._at, "fields")),
            names=tuple(fields),
            allow_additional=self._model.get("additionalFields", False),
        )
        yield RowCount(id=notes.rule_id(name, "row_count"), path="$", min=0 if quality.allows_none(about_rows) else 1)
        for column, field in fields.items():
            on = replace(scope, id=(name, column), column=column, type=kinds[column])
            key_at = dcs_keys.stated_at(self._model, self._at, field) if column in key else None
            yield from dcs_columns.rules(Spot(field=field, kind=kinds[column], scope=on, notes=notes), field, key_at)
        yield from dcs_keys.rules(self._raw, self._at, fields, key, notes)
        yield from about_rows

    def _quality(self, scope: Scope) -> Iterator[Rule]:
        """What is stated about the model as a whole."""
        if "quality" in self._model:
            yield from quality.rules(self._model["quality"], (*self._at, "quality"), scope, self._notes)
        if "quality" in self._raw:
            item = Item(raw={}, at=dcs_quality.AT, scope=scope, severity="error", notes=self._notes)
            yield from dcs_quality.rules(self._raw["quality"], item, self._place, list(self._raw["models"]))

    def _scope(self, kinds: Mapping[str, LogicalType]) -> Scope:
        columns = {name: name for name in kinds}
        return Scope(id=(self._name,), object=self._name, columns=columns, types=kinds, dialect=_dialect(self._raw))

    def _column(self, name: str, field: Field, kind: LogicalType, key: tuple[str, ...]) -> Column:
        values = field.values
        return Column(
            name=name,
            type=kind,
            required=values.get("required", False) or name in key,
            description=values.get("description"),
            sensitive=dcs_columns.sensitive(field),
            classification=values.get("classification") or ("pii" if values.get("pii") else None),
            tags=tuple(values.get("tags", ())),
        )

    def _claim(self) -> None:
        """Claim what stands around the model's fields."""
        notes, at = self._notes, self._at
        notes.informs((), self._raw, _ROOT_INFORMS)
        if "servers" in self._raw:
            servers.claim(("servers",), self._raw["servers"], notes)
        notes.parts(("info",))
        for key in self._raw["info"]:
            notes.documentation(("info", key))
        if "schema" in self._raw:
            notes.unsupported(("schema",), "data is described in `models`")
        for container in (("models",), at, (*at, "fields"), ("definitions",)):
            notes.parts(container)
        for other in self._raw["models"]:
            if other != self._name:
                notes.documentation(("models", other), f"another model; `#{other}` names it")
        notes.informs(at, self._model, _MODEL_INFORMS)
        if "additionalFields" in self._model:
            notes.enforced((*at, "additionalFields"), f"rule {names.safe(self._name, 'columns')}")
        for name, definition in self._raw.get("definitions", {}).items():
            place = ("definitions", name)
            notes.documentation(place, f"no field of `{self._name}` refers to it")
            if place in self._resolver.used:
                notes.parts(place)
                notes.informs(place, definition, ("name", "domain"))
                if "$ref" in definition:
                    notes.enforced((*place, "$ref"), "what that definition demands is demanded too")
                for known in dcs_columns.KNOWN:
                    if known in definition:
                        notes.documentation((*place, known), "the fields that refer to it say it themselves")


_ROOT_INFORMS = ("dataContractSpecification", "id", "terms", "examples", "tags", "links")
_MODEL_INFORMS = ("config", "description", "examples", "tags", "title", "type")

_FILES = ("azure", "gcs", "local", "s3", "sftp")


def _dialect(raw: Document) -> str:
    """The SQL that queries are written in: the servers'; for files DuckDB's, as the standard's own tool has it."""
    return dialects.dialect("duckdb" if kind in _FILES else kind for kind in servers.kinds(raw.get("servers")))
