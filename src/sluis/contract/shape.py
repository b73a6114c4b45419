"""Documents held against a JSON Schema, with messages for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from sluis.contract.document import Document, Parts, did_you_mean, in_words, json_path, listed
from sluis.contract.shape_words import PLAIN, TYPES, as_list, other
from sluis.errors import Problem


class Fault(NamedTuple):
    """A problem, before it is known of which file."""

    at: Parts
    """Where."""

    message: str
    """What is wrong, without a full stop."""

    allowed: str = ""
    """What would have been accepted."""

    hint: str = ""
    """What to do about it."""

    kind: str = ""
    """Which keyword of JSON Schema it breaks (`type`, `required`, `enum` …), or `unknown` or `misplaced` for a key
    that the schema does not have at all, or not there; empty for faults that no schema told."""

    key: str = ""
    """The key that is missing, unknown or misplaced."""

    def problem(self, shown: str) -> Problem:
        """The same about a file."""
        path = json_path(self.at)
        return Problem(file=shown, path=path, message=f"{self.message}.", allowed=self.allowed, hint=self.hint)


def check(document: Document, schema: Document, shown: str) -> tuple[list[Problem], Document]:
    """Hold a document of ours against its schema.

    Returns:
        Everything in which it departs from the schema, in the order of the document; and what is left of the
        document without that (None stands in for members of lists), for checks that a schema cannot express.
    """
    found = faults(document, schema)
    faulty = {fault.at for fault in found if fault.kind not in ("required", "unknown")}
    return [fault.problem(shown) for fault in found], _without(document, faulty)


def faults(document: Any, schema: Document) -> list[Fault]:
    """Everything in which a document departs from a schema, in the order of the document."""
    return Shape(schema).faults(document)


class Shape:
    """A JSON Schema, ready to hold documents against.

    The dialect is the one that its `$schema` names, draft 2020-12 where it names none.
    """

    def __init__(self, schema: Document) -> None:
        import jsonschema

        dialect = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        types = dialect.TYPE_CHECKER.redefine("integer", _is_whole)
        self._validator = jsonschema.validators.extend(dialect, type_checker=types)(schema)
        self._explain = _Explainer(self._validator, schema)

    def faults(self, document: Any) -> list[Fault]:
        """Everything in which a document departs from it, in the order of the document."""
        errors = self._validator.iter_errors(document)
        found = dict.fromkeys(fault for error in errors for fault in self._explain(error))
        told = [fault.at for fault in found if fault.kind != "misplaced"]
        # A key counts as misplaced also because another part of its object is at fault: then that is the one to tell.
        kept = [fault for fault in found if fault.kind != "misplaced" or not _any_below(fault.at[:-1], told)]
        return sorted(kept, key=lambda fault: _place(document, fault.at))


def _is_whole(_: Any, value: Any) -> bool:
    """Whether a value is an `integer` of JSON Schema, for which `1.0` is one too."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool) and value == int(value)


def _any_below(at: Parts, others: Iterable[Parts]) -> bool:
    return any(other[: len(at)] == at for other in others)


def _place(document: Any, path: Parts) -> list[int]:
    """A path as positions, which sort as the document is read."""
    places = []
    for part in path:
        places.append(part if isinstance(part, int) else list(document).index(part))
        document = document[part]
    return places


def _without(document: Any, faulty: set[Parts]) -> Any:
    """A copy without the values at these paths; what holds none of them is not copied."""
    on_the_way = {path[:length] for path in faulty for length in range(len(path))}

    def kept(value: Any, at: Parts) -> Any:
        if at not in on_the_way:
            return value
        if isinstance(value, dict):
            return {key: kept(inner, (*at, key)) for key, inner in value.items() if (*at, key) not in faulty}
        return [None if (*at, index) in faulty else kept(inner, (*at, index)) for index, inner in enumerate(value)]

    return kept(document, ())


class _Explainer:
    """Errors of a validator → faults in words."""

    def __init__(self, validator: Any, root: Document) -> None:
        self._validator = validator
        self._root = root

    def __call__(self, error: Any) -> Iterator[Fault]:
        """Everything that one error tells."""
        at: Parts = tuple(error.absolute_path)
        keyword = error.validator
        if keyword in ("additionalProperties", "unevaluatedProperties"):
            yield from self._unknown(error, at)
        elif keyword in ("anyOf", "oneOf"):
            yield from self._branches(error, at)
        elif keyword == "required":
            # The error names its key only in its text: 'version' is a required property.
            key = error.message.split("'")[1]
            yield Fault(at, f"`{key}` is missing", kind="required", key=key)
        elif keyword == "not":
            # What is no object has all keys and none, to a schema; its type is told apart.
            there = error.instance if isinstance(error.instance, Mapping) else {}
            for key in [key for key in error.validator_value.get("required", ()) if key in there]:
                yield Fault((*at, key), f"`{key}` has no place here", kind="not", key=key)
        else:
            message, allowed, hint = PLAIN.get(keyword, other)(error)
            yield Fault(at, message, allowed, hint, kind=keyword)

    def _unknown(self, error: Any, at: Parts) -> Iterator[Fault]:
        here = self._keys(error.schema, error.instance)
        anywhere = self._keys(error.schema, None)
        for key in error.instance:
            if key not in anywhere:
                hint = did_you_mean(key, here)
                yield Fault((*at, key), f"unknown key `{key}`", listed(here), hint, kind="unknown", key=key)
            elif key not in here:
                yield Fault((*at, key), f"`{key}` has no place here", listed(here), kind="misplaced", key=key)

    def _keys(self, schema: Any, instance: Any, depth: int = 0) -> dict[str, None]:
        """The keys that a schema has for this object, with its conditions met as they are; None: met or not."""
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return {}
        found: dict[str, None] = dict.fromkeys(schema.get("properties", ()))
        inner = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
        if "$ref" in schema:
            inner.append(self._referred(schema["$ref"]))
        if "if" in schema:
            inner += [schema.get(branch) for branch in ("then", "else") if self._taken(branch, schema["if"], instance)]
        for part in inner:
            found |= self._keys(part, instance, depth + 1)
        return found

    def _taken(self, branch: str, condition: Any, instance: Any) -> bool:
        if instance is None:
            return True
        return bool(self._validator.evolve(schema=condition).is_valid(instance)) == (branch == "then")

    def _referred(self, reference: str) -> Any:
        """What a reference inside of the schema stands for."""
        part: Any = self._root
        for step in reference.removeprefix("#/").split("/"):
            part = part.get(step)
        return part

    def _branches(self, error: Any, at: Parts) -> Iterator[Fault]:
        """What is wrong in the one branch that was meant, or what all of them ask for."""
        if told := error.schema.get("description"):
            yield Fault(at, f"found {in_words(error.instance)}", told, kind=error.validator)
            return
        branches: dict[int, list[Any]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = [found for found in branches.values() if not any(map(_is_of_another_branch, found))]
        if len(meant) == 1:
            for inner in meant[0]:
                yield from self(inner)
            return
        missing = [inner for found in branches.values() for inner in found if inner.validator == "required"]
        if branches and len(missing) >= len(branches):
            keys = [inner.message.split("'")[1] for inner in missing]
            yield Fault(at, "a key is missing", f"one of {listed(keys)}", kind="required", key=keys[0])
        elif not branches:
            # All of several branches accept it.
            there = error.instance if isinstance(error.instance, Mapping) else {}
            known = [key for part in error.validator_value for key in part.get("required", ()) if key in there]
            message = f"{listed(known)} exclude one another" if known else f"found {in_words(error.instance)}"
            yield Fault(at, message, kind=error.validator)
        else:
            yield Fault(at, f"found {in_words(error.instance)}", self._asked(error), kind=error.validator)

    def _asked(self, error: Any) -> str:
        parts = [self._referred(part["$ref"]) if "$ref" in part else part for part in error.validator_value]
        shapes = [part["pattern"] for part in parts if "pattern" in part and isinstance(error.instance, str)]
        if shapes:
            return f"text that matches {' or '.join(f'`{shape}`' for shape in shapes)}"
        names = [name for part in parts for name in as_list(part.get("type", []))]
        return " or ".join(dict.fromkeys(TYPES[name] for name in names))


_DEEPEST = 20
"""Schemas in one another; those of recursive shapes have no end."""


def _is_of_another_branch(error: Any) -> bool:
    """Whether an error says that the value is not of this kind at all."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        return not error.path and all(inner.validator == "type" and not inner.path for inner in error.context)
    return not error.path and error.validator in ("type", "required", "const", "enum") and not error.relative_path
