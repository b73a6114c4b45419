"""What is compiled is what GX loads: every type registered, every expectation kept, the same bytes back."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import great_expectations as gx
import pytest
from great_expectations.core import ExpectationSuite
from great_expectations.expectations.registry import get_expectation_impl

import sluis.gate  # noqa: F401  registers the actions
from sluis.contract import logical, model, native, promises, rules
from sluis.contract.durations import Duration
from sluis.contract.model import Contract
from sluis.suite import engine, expectations
from sluis.suite.compile import COMPILERS, SEVERITY, suites, text

REPO = Path(__file__).parents[2]


NESTED = logical.Object(
    fields=(
        logical.Field(name="$PARAMETER", type=logical.Date(format="dd-MM-yyyy"), required=True),
        logical.Field(name="l", type=logical.Array(items=logical.DecimalType(precision=5, scale=2))),
        logical.Field(name="m", type=logical.Map(keys=logical.String(), values=logical.Time())),
    )
)


FEW = rules.Threshold(operator="<=", values=(Decimal("0.5"),), percent=True)


def every_key() -> Contract:
    """A contract with every kind of rule, every type and names that need care."""
    columns = (
        model.Column(name="a 'b' \"c\" `d` ${e}.f", type=logical.String(), sensitive=True),
        model.Column(name="n", type=logical.Double()),
        model.Column(name="d", type=logical.Date(format="dd-MM-yyyy")),
        model.Column(name="名", type=logical.Timestamp(zone="Asia/Tokyo")),
        model.Column(name="x", type=logical.DecimalType(precision=38, scale=18)),
        model.Column(name="j", type=NESTED),
    )
    odd = columns[0].name
    at: Any = [{"id": f"c.{index}", "path": "$"} for index in range(40)]
    demands = (
        rules.Header(**at[0]),
        rules.RowShape(**at[1]),
        rules.Encoding(**at[2]),
        rules.Columns(**at[3], names=(odd, "n", "d", "名"), allow_additional=True),
        rules.RowCount(**at[4], min=0),
        rules.RowCount(**at[5], min=1, max=7, severity="warning"),
        rules.Required(**at[6], column=odd, severity="info"),
        rules.TypeOf(**at[7], column="d"),
        rules.Pattern(**at[8], column=odd, pattern=r"^[^\s$]+\p{L}$"),
        rules.MinLength(**at[9], column=odd, limit=0),
        rules.MaxLength(**at[10], column=odd, limit=9),
        rules.Minimum(**at[11], column="n", limit=0),
        rules.Maximum(**at[12], column="名", limit="2030-01-01T00:00:00Z"),
        rules.Enum(**at[13], column=odd, values=("", "é", "{x}", "$PARAMETER")),
        rules.Enum(**at[14], column="n", values=(0, 1)),
        rules.Unique(**at[15], columns=(odd, "d")),
        rules.PrimaryKey(**at[16], columns=("名",)),
        rules.TypeOf(**at[17], column="j"),
        rules.Minimum(**at[18], column="x", limit=Decimal("0.1"), exclusive=True, inner=()),
        rules.Maximum(**at[19], column="j", inner=("l", "[]"), limit=Decimal("0.5")),
        rules.Pattern(**at[20], column="j", inner=("m", "{k}"), pattern="a"),
        rules.MultipleOf(**at[21], column="n", divisor=Decimal("0.01")),
        rules.Format(**at[22], column=odd, format="uuid"),
        rules.Size(**at[23], column="j", inner=("l",), min=1),
        rules.Size(**at[24], column="j", max=3),
        rules.UniqueItems(**at[25], column="j", inner=("l",)),
        rules.Filled(**at[26], column="x", allowed=FEW),
        rules.NotMissing(**at[27], column=odd, texts=("", "$PARAMETER"), allowed=FEW),
        rules.Valid(**at[28], column="n", demands=(rules.Minimum(**at[29], column="n", limit=1),), allowed=FEW),
        rules.RowCountIs(**at[30], allowed=FEW),
        rules.Sql(**at[31], query="SELECT count(*) FROM {object} WHERE a = '$x'", expected=FEW),
        rules.Gx(
            **at[32], type="expect_column_values_to_be_in_set", kwargs=(("column", "n"), ("value_set", [1, 2.5, None]))
        ),
        rules.Relationship(**at[33], columns=(odd, "n"), to="others", to_columns=("a", "b")),
        rules.Unique(**at[34], columns=("x",), allowed=FEW, title="Unicity"),
    )
    return Contract(
        name="c",
        version="1",
        format="native",
        object="c",
        path="c.json",
        fingerprint="sha256:0",
        columns=columns,
        rules=demands,
        service_levels=tuple(
            model.ServiceLevel(kind=rule.kind, path="$", rule=rule)
            for rule in (
                promises.Freshness(**at[35], within=WITHIN, column="d"),
                promises.Latency(**at[36], within=WITHIN, source="d", column="名"),
                promises.Retention(**at[37], within=WITHIN, column="名"),
                promises.Written(**at[38], within=WITHIN),
            )
        ),
    )


WITHIN = Duration(value=Decimal("1.5"), unit="second")


def contracts() -> list[tuple[str, Contract]]:
    paths = ["contracts/customers.json", "contracts/transactions.json"]
    return [("every_key", every_key()), *((Path(path).stem, native.read(REPO / path, path)) for path in paths)]


COMPILED = [suite for name, contract in contracts() for suite in suites(contract, name)]


def test_the_contract_above_has_every_kind_of_rule() -> None:
    made = every_key()
    assert {type(rule) for rule in (*made.rules, *(level.rule for level in made.service_levels))} == set(COMPILERS)


@pytest.mark.parametrize("kind", [kind.kind for kind in COMPILERS])
def test_every_type_is_registered(kind: str) -> None:
    found = get_expectation_impl(f"expect_contract_{kind}")
    assert found.__module__ == expectations.__name__
    assert found.kind() == kind


@pytest.mark.parametrize("suite", COMPILED, ids=lambda suite: suite["name"])
def test_gx_loads_every_expectation_and_gives_the_same_bytes_back(suite: dict[str, Any]) -> None:
    loaded = ExpectationSuite(**json.loads(text(suite)))
    assert [type(one).__module__ for one in loaded.expectations] == [expectations.__name__] * len(suite["expectations"])
    assert [one.id for one in loaded.expectations] == [one["id"] for one in suite["expectations"]]
    assert [one.severity for one in loaded.expectations] == [one["severity"] for one in suite["expectations"]]
    again = json.loads(json.dumps(loaded.to_json_dict()))
    assert text({**again, "meta": {**again["meta"], **suite["meta"]}}) == text(suite)


@pytest.mark.parametrize("suite", COMPILED, ids=lambda suite: suite["name"])
def test_the_arguments_that_reach_the_judge_are_those_that_were_compiled(suite: dict[str, Any]) -> None:
    for one, compiled in zip(ExpectationSuite(**suite).expectations, suite["expectations"], strict=True):
        asked = one.get_validation_dependencies(None, {"result_format": "BASIC"}).metric_configurations
        spec = dict(asked[engine.METRIC].metric_value_kwargs["spec"])
        assert (spec.pop("kind"), spec.pop("sensitive")) == (compiled["meta"]["kind"], compiled["meta"]["sensitive"])
        assert spec == compiled["kwargs"]


def test_severities_are_gxs_own() -> None:
    assert {get_expectation_impl("expect_contract_header")(rule="x", severity=word).severity for word in SEVERITY.values()} == set(SEVERITY.values())  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "kwargs"),
    [
        ("required", {}),
        ("required", {"column": "a", "logical_type": "string", "rule": "r", "mostly": 0.5}),
        ("minimum", {"column": "a", "logical_type": "long", "rule": "r"}),
        ("row_count", {"min_rows": 1, "rule": "r"}),
        ("unique", {"rule": "r"}),
    ],
)
def test_an_expectation_with_other_arguments_is_refused(kind: str, kwargs: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        get_expectation_impl(f"expect_contract_{kind}")(**kwargs)


def test_the_project_loads_into_gx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUIS_STATE", str(tmp_path / "state"))
    shutil.copytree(REPO / "gx", tmp_path / "gx")
    before = {file: file.read_bytes() for file in (tmp_path / "gx").rglob("*") if file.is_file()}
    context = gx.get_context(mode="file", context_root_dir=str(tmp_path / "gx"))
    for suite in COMPILED[2:]:
        assert len(context.suites.get(suite["name"]).expectations) == len(suite["expectations"])
    for name in ("customers", "customers_update", "transactions"):
        checkpoint = context.checkpoints.get(name)
        assert [definition.name for definition in checkpoint.validation_definitions] == [name]
        assert [action.type for action in checkpoint.actions] == ["sluis_delta_write", "sluis_publish_docs"]
    after = {
        file: file.read_bytes() for file in (tmp_path / "gx").rglob("*") if file.is_file() and file.name != ".gitignore"
    }
    assert {file: written for file, written in after.items() if "uncommitted" not in file.parts} == before
