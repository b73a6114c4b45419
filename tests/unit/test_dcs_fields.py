"""DCS fields and the definitions they inherit from: in the document, in other files, in circles, on the web."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sluis.contract.dcs.fields import MOST, Field, Resolver
from sluis.contract.local_files import NotLocal, Place
from sluis.contract.notes import Notes
from sluis.contract.source import Source

AT = ("models", "m", "fields")


def resolve(
    fields: dict[str, Any], definitions: dict[str, Any], folder: Path = Path("p")
) -> tuple[dict[str, Field], Notes]:
    document = {"models": {"m": {"fields": fields}}, "definitions": definitions}
    notes = Notes(Source(document=document, shown="contracts/c.yaml"))
    place = Place(file=folder / "contracts" / "c.yaml", shown="contracts/c.yaml")
    return Resolver(document, notes, place).fields(fields, AT), notes


def reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/definitions/{name}"}


def test_a_field_inherits_what_it_does_not_say(tmp_path: Path) -> None:
    definitions = {
        "a": {"type": "text", "name": "A", "domain": "d", "pii": True, **reference("b")},
        "b": {"type": "long", "format": "uuid"},
    }
    fields, notes = resolve({"x": {"pii": False, **reference("a")}}, definitions)
    assert not notes.problems
    assert fields["x"].values == {"pii": False, "$ref": "#/definitions/a", "type": "text", "format": "uuid"}
    assert fields["x"].places["pii"] == (*AT, "x", "pii")
    assert fields["x"].places["type"] == ("definitions", "a", "type")
    assert fields["x"].places["format"] == ("definitions", "b", "format")


def test_inner_fields_refer_too() -> None:
    definitions = {
        "sku": {"type": "text"},
        "shop/line": {"type": "object", "fields": {"sku": reference("sku")}},
        "list": {"type": "array", "items": reference("shop/line")},
    }
    fields, notes = resolve({"lines": reference("list")}, definitions)
    assert not notes.problems
    line = fields["lines"].parts["items"]
    assert line.at == ("definitions", "list", "items")
    assert line.fields["sku"].values["type"] == "text"
    assert line.fields["sku"].places["$ref"] == ("definitions", "shop/line", "fields", "sku", "$ref")


def test_definitions_in_files_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "sku.yaml").write_text("type: text\npattern: ^[0-9]+$\n")
    (tmp_path / "all.json").write_text(
        '{"definitions": {"id": {"type": "long", "fields": {"y": {"$ref": "contracts/sku.yaml"}}}}}'
    )
    fields, notes = resolve({"a": {"$ref": "sku.yaml"}, "b": {"$ref": "../all.json#/definitions/id"}}, {}, tmp_path)
    assert not notes.problems
    assert fields["a"].values["pattern"] == "^[0-9]+$"
    # Rules of another file stand where the contract refers to it.
    assert fields["a"].places["pattern"] == (*AT, "a", "$ref")
    assert fields["b"].fields["y"].values["type"] == "text"
    assert fields["b"].fields["y"].at == (*AT, "b", "$ref")


@pytest.mark.parametrize(
    ("definitions", "ref", "message"),
    [
        ({"ab": {}}, "#/definitions/a", "`#/definitions/a` is not defined."),
        ({"a": reference("b"), "b": reference("a")}, "#/definitions/a", "`#/definitions/a` leads back to itself."),
        ({"a": {"fields": {"y": reference("a")}}}, "#/definitions/a", "`#/definitions/a` leads back to itself."),
        (
            {},
            "https://example.com/d.yaml",
            "`https://example.com/d.yaml` leads out of the project, and Sluis downloads nothing; "
            "keep a copy beside the contract.",
        ),
        ({}, "../../d.yaml", "`../../d.yaml` leads out of the project."),
        ({}, "/etc/passwd", "`/etc/passwd` leads out of the project."),
        ({}, "d.yaml#/x", "`d.yaml#/x` is not there (`contracts/d.yaml` in the project)."),
        ({}, "d\0.yaml", "`d\0.yaml` is no path of a file."),
        ({"a": {"fields": {"y": 1}}}, "#/definitions/a", "what it refers to is no field: fields.y: found a number 1."),
    ],
)
def test_what_cannot_be_followed(tmp_path: Path, definitions: dict[str, Any], ref: str, message: str) -> None:
    _, notes = resolve({"x": {"$ref": ref}}, definitions, tmp_path)
    assert [problem.message for problem in notes.problems] == [message]


def test_a_wrong_name_comes_with_the_right_ones() -> None:
    _, notes = resolve({"x": reference("skus")}, {"sku": {}, "id": {}})
    [problem] = notes.problems
    assert (problem.allowed, problem.hint) == ("`#/definitions/sku`, `#/definitions/id`", "did you mean `sku`?")


def test_definitions_that_multiply_are_refused() -> None:
    layers: dict[str, Any] = {
        f"d{i}": {"fields": {"a": reference(f"d{i + 1}"), "b": reference(f"d{i + 1}")}} for i in range(40)
    }
    _, notes = resolve({"x": reference("d0")}, {**layers, "d40": {"type": "text"}})
    assert {problem.message for problem in notes.problems} == {
        f"with all definitions filled in there are more than {MOST:,} fields, or 50 in one another."
    }


def test_a_link_that_leads_out_is_seen(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "secret.yaml").write_text("type: text")
    (tmp_path / "project" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    with pytest.raises(NotLocal, match="leads out of the project"):
        Place(file=tmp_path / "project" / "c.yaml", shown="c.yaml").find("link.yaml")
