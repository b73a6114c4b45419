"""What the `physicalType` of an ODCS property says, with the digits that may stand apart from it."""

from __future__ import annotations

from sluis.contract import physical, servers
from sluis.contract.document import Parts
from sluis.contract.logical import Array, Double, Float, Json, LogicalType, Map, Object, String
from sluis.contract.notes import Notes
from sluis.contract.odcs import custom
from sluis.contract.odcs.element import DIGITS, Element, options
from sluis.contract.physical import Physical
from sluis.contract.quality.sql.dialects import DIALECTS
from sluis.contract.stated import decimal

_SPARKS = frozenset({"databricks", "hive"})
"""SQL whose types are those of Spark."""


def found(of: Element, notes: Notes) -> Physical | None:
    """What a property's physical type holds in the databases that the contract names; None where it is unknown.

    A bare `decimal` has no digits after its point in Spark, and many elsewhere; a `float` has 32 bits, or 64.
    """
    written = of.text("physicalType")
    if with_digits := _with_digits(of, notes):
        return with_digits
    if not written:
        return None
    known = servers.kinds(notes.source.document.get("servers"))
    spoken = {DIALECTS[kind] for kind in known if kind in DIALECTS}
    if is_bare_decimal(written) and not (spoken and spoken <= _SPARKS):
        return None
    read = physical.parse(written)
    if read and isinstance(read.kind, Float) and not spoken <= _SPARKS:
        return Physical(kind=Double(), is_spark=False)
    return read


def is_bare_decimal(name: str | None) -> bool:
    """Whether it is the name of a type with digits after the point that does not say how many."""
    return (name or "").strip().lower() in physical.DECIMALS


def _with_digits(of: Element, notes: Notes) -> Physical | None:
    """The type of a number whose digits stand apart from it: in its options, or in its custom properties.

    So datacontract-cli keeps what DCS calls `precision` and `scale`, as the standard has no place for them.
    """
    written = of.text("physicalType") or ("decimal" if of.text("logicalType") == "number" else "")
    stated = _digits(of, notes)
    if not is_bare_decimal(written) or "precision" not in stated:
        return None
    digits = [decimal(stated[key][1]) for key in ("precision", "scale") if key in stated]
    read = physical.parse(f"{written}({','.join(map(str, digits))})")
    for at, _ in stated.values() if read else ():
        notes.enforced(at, "by the column's type")
    return read


def _digits(of: Element, notes: Notes) -> dict[str, tuple[Parts, object]]:
    """`precision` and `scale` → where each stands, and what."""
    stated = custom.stated(of)
    chosen = options(of, notes)
    stated |= {key: (chosen.places[key], value) for key, value in chosen.values.items()}
    return {key: stated[key] for key in DIGITS if key in stated}


def claim(of: Element, kind: LogicalType, read: Physical | None, notes: Notes) -> None:
    """Claim both types of a property.

    Args:
        of: The property.
        kind: What it holds.
        read: What its physical type holds.
        notes: Takes the claims.
    """
    if "logicalType" in of.values:
        text = "any text is a string" if isinstance(kind, String) else "by the column's type"
        notes.enforced(of.places["logicalType"], text)
    if "physicalType" not in of.values:
        return
    at = of.places["physicalType"]
    if read is None and is_bare_decimal(of.text("physicalType")):
        notes.documentation(at, f"databases differ in the digits that it has; read as {kind.name}")
    elif read is None or not (read.is_spark or _holds(read.kind, kind)):
        notes.documentation(at, "a type of another system")
    elif _holds(read.kind, kind):
        notes.enforced(at, "by the column's type")
    elif isinstance(read.kind, String):
        notes.unsupported(at, f"the table would hold text, and `logicalType` reads it as {kind.name}")
    else:
        notes.unsupported(at, f"`logicalType`, or what stands of its parts, reads it as {kind.name}")


def _holds(read: LogicalType, kind: LogicalType) -> bool:
    """Whether what is read has the type, whatever form and zone its text has besides."""
    if isinstance(read, Array) and isinstance(kind, Array):
        return _holds(read.items, kind.items)
    if isinstance(read, Map) and isinstance(kind, Map):
        return _holds(read.keys, kind.keys) and _holds(read.values, kind.values)
    if isinstance(read, Object) and isinstance(kind, Object):
        held = {field.name: field.type for field in kind.fields}
        fields = {field.name: field.type for field in read.fields}
        return held.keys() == fields.keys() and all(_holds(fields[name], held[name]) for name in held)
    return type(read) is type(kind) or isinstance(read, Json)
