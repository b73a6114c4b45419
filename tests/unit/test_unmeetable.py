"""Demands that nothing can meet are faults of the contract, with their place."""

from pathlib import Path

import pytest

from sluis.contract import reading
from sluis.contract.document import json_path, parts_of
from sluis.errors import ContractError

ODCS = """
apiVersion: v3.1.0
kind: DataContract
id: c
version: 1.0.0
status: active
schema:
- name: t
  properties:
  - name: c
    {demands}
"""

DCS = """
dataContractSpecification: 1.2.1
id: c
info: {{title: c, version: 1.0.0}}
models:
  t:
    fields:
      c: {{{demands}}}
"""


def problems(folder: Path, template: str, demands: str) -> list[tuple[str, str]]:
    file = folder / "c.yaml"
    file.write_text(template.format(demands=demands))
    with pytest.raises(ContractError) as caught:
        reading.read(file, "c.yaml")
    return [(problem.path.rpartition("properties[0].")[2], problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("demands", "path", "message"),
    [
        (
            "logicalType: string\n    logicalTypeOptions: {minLength: 9, maxLength: 3}",
            "logicalTypeOptions.maxLength",
            "no value is at least 9 characters long and at most 3 characters long.",
        ),
        (
            "logicalType: string\n    physicalType: varchar(3)\n    logicalTypeOptions: {minLength: 9}",
            "physicalType",
            "no value is at least 9 characters long and at most 3 characters long.",
        ),
        (
            "logicalType: integer\n    logicalTypeOptions: {exclusiveMinimum: 3, maximum: 3}",
            "logicalTypeOptions.maximum",
            "no value is above 3 and at most 3.",
        ),
        (
            "logicalType: date\n    logicalTypeOptions: {minimum: '2024-01-01', maximum: '2023-01-01'}",
            "logicalTypeOptions.maximum",
            'no value is at least "2024-01-01" and at most "2023-01-01".',
        ),
        (
            "logicalType: array\n    items: {logicalType: string}\n    logicalTypeOptions: {minItems: 2, maxItems: 1}",
            "logicalTypeOptions.maxItems",
            "nothing has at least 2 and at most 1 members.",
        ),
        (
            "logicalType: string\n    quality: [{type: library, metric: nullValues, mustBeLessThan: 0}]",
            "quality[0]",
            "no number of rows is < 0.",
        ),
        (
            "logicalType: string\n"
            "    quality: [{type: library, metric: nullValues, unit: percent, mustBeGreaterThan: 100}]",
            "quality[0]",
            "no number of rows is > 100 %.",
        ),
        (
            "logicalType: string\n    quality: [{type: library, metric: nullValues, mustBeBetween: [5, 3]}]",
            "quality[0].mustBeBetween",
            "the smaller number comes first.",
        ),
    ],
)
def test_what_nothing_can_meet_is_refused_at_its_place(tmp_path: Path, demands: str, path: str, message: str) -> None:
    assert problems(tmp_path, ODCS, demands) == [(path, message)]


def test_dcs_is_held_to_the_same(tmp_path: Path) -> None:
    found = problems(tmp_path, DCS, "type: decimal, precision: 4, scale: 2, minimum: 1.5, exclusiveMaximum: 1.5")
    assert found == [("$.models.t.fields.c.exclusiveMaximum", "no value is at least 1.5 and below 1.5.")]


@pytest.mark.parametrize(
    "demands",
    [
        "logicalType: integer\n    logicalTypeOptions: {minimum: 3, maximum: 3}",
        "logicalType: number\n    logicalTypeOptions: {exclusiveMinimum: 3, exclusiveMaximum: 3.5}",
        "logicalType: string\n    logicalTypeOptions: {minLength: 3, maxLength: 3}",
        "logicalType: string\n    quality: [{type: library, metric: nullValues, mustBeLessThan: 1}]",
        "logicalType: string\n    quality: [{type: library, metric: nullValues, unit: percent, mustNotBe: 100}]",
    ],
)
def test_what_one_value_meets_is_read(tmp_path: Path, demands: str) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(ODCS.format(demands=demands))
    assert reading.read(file, "c.yaml").columns


@pytest.mark.parametrize("parts", [(), ("a", 0, "b-c"), ("a b", 'q"\\[1]', "", "é"), (10, "x.y", 2)])
def test_a_path_gives_its_parts_back(parts: tuple[str | int, ...]) -> None:
    assert parts_of(json_path(parts)) == parts
