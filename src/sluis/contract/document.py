"""Files → documents: JSON read strictly, and checked against a JSON Schema with messages for people."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from sluis.errors import ContractError, Problem

Document = dict[str, Any]
"""A JSON object; numbers with a fraction are `Decimal`, so that nothing is rounded on the way."""


def read(file: Path, shown: str) -> Document:
    """Read a JSON object.

    Args:
        file: The file.
        shown: How messages name it.

    Raises:
        ContractError: it is missing, not UTF-8, not JSON, says a key twice or is not an object.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
        document = json.loads(text, parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_distinct)
    except OSError as error:
        raise _broken(shown, f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise _broken(shown, f"is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise _broken(shown, f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise _broken(shown, "is nested too deeply") from None
    except ValueError as error:
        raise _broken(shown, str(error)) from None
    if not isinstance(document, dict):
        raise _broken(shown, f"holds {_found(document)} where an object was expected")
    return document


def fingerprint(document: Any) -> str:
    """`sha256:…` of what a document says; layout and the order of keys do not count."""
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def problems(document: Document, schema: Document, shown: str) -> list[Problem]:
    """Everything in which a document departs from a JSON Schema, in the order of the document."""
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema)
    found = [problem for error in validator.iter_errors(document) for problem in _explain(error, shown)]
    return sorted(found, key=lambda problem: problem.path)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word; empty when none is close."""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f"did you mean `{lowered[close[0]]}`?" if close else ""


def json_path(parts: Iterable[str | int]) -> str:
    """`$.columns[2].type` from its parts."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)


def listed(names: Iterable[object]) -> str:
    """Names as a person lists them."""
    return ", ".join(f"`{name}`" for name in names)


def _explain(error: Any, shown: str) -> Iterator[Problem]:
    path = json_path(error.absolute_path)
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        for key in [key for key in error.instance if key not in known]:
            yield Problem(
                file=shown,
                path=f"{path}.{key}",
                message=f"unknown key `{key}`.",
                allowed=listed(known),
                hint=did_you_mean(key, known),
            )
    elif error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        if f"'{missing}'" not in error.message:
            missing = error.message.split("'")[1]
        yield Problem(file=shown, path=path, message=f"`{missing}` is missing.")
    elif error.validator == "enum":
        yield Problem(
            file=shown,
            path=path,
            message=f"found {_found(error.instance)}.",
            allowed=listed(error.validator_value),
            hint=did_you_mean(str(error.instance), map(str, error.validator_value)),
        )
    elif error.validator == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        hint = "put it in quotes." if wanted == ["string"] and not isinstance(error.instance, dict | list) else ""
        yield Problem(
            file=shown, path=path, message=f"found {_found(error.instance)}.", allowed=", ".join(wanted), hint=hint
        )
    else:
        yield Problem(file=shown, path=path, message=f"{error.message}.")


def _found(value: object) -> str:
    kinds = {dict: "an object", list: "a list", bool: "a boolean", str: "text", type(None): "null"}
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    return f"{kinds.get(type(value), 'a number')} {text if len(text) <= 60 else text[:57] + '…'}"


def _broken(shown: str, message: str) -> ContractError:
    return ContractError([Problem(file=shown, path="$", message=f"{message}.")])


def _refuse(constant: str) -> object:
    raise ValueError(f"says {constant}, which is not JSON")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ValueError(f"says {listed(twice)} twice in one object")
    return dict(pairs)
