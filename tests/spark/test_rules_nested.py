"""Objects, lists and maps: JSON text of a landing file, its parts judged one by one, and what the table holds of it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judging import contract, judged, text
from pyspark.sql import SparkSession

from sluis import lexical
from sluis.contract.logical import (
    Array,
    Boolean,
    Date,
    DecimalType,
    Double,
    Field,
    Float,
    Integer,
    Json,
    LogicalType,
    Long,
    Map,
    Object,
    String,
    Time,
    Timestamp,
)
from sluis.contract.model import Column
from sluis.contract.rules import (
    Enum,
    Format,
    Maximum,
    MaxLength,
    Minimum,
    NotMissing,
    Pattern,
    Required,
    Rule,
    Size,
    Threshold,
    TypeOf,
    Unique,
    UniqueItems,
)

pytestmark = pytest.mark.alike

ODD = "o'd \"d`.$x[0]"
LINE = Object(
    fields=(
        Field(name="qty", type=DecimalType(precision=5, scale=2), required=True),
        Field(name="tags", type=Array(items=String())),
    )
)
ORDER = Object(
    fields=(
        Field(name="id", type=Long(), required=True),
        Field(name=ODD, type=String()),
        Field(name="day", type=Date(format="dd-MM-yyyy")),
        Field(name="lines", type=Array(items=LINE)),
        Field(name="prices", type=Map(keys=String(), values=Double())),
        Field(name="to", type=Object(fields=(Field(name="zip", type=String()),))),
        Field(name="any", type=Json()),
    )
)  # fmt: skip

TYPED: list[tuple[LogicalType, list[str | None], dict[str, str]]] = [
    (
        ORDER,
        ['{"id":1}', '{"id":1,"lines":[]}', '{"id":1.0,"to":null}', ' {"id" : 1 , "any" : [1,{"b":null}] } ', "", "null", None,
         json.dumps({"id": 1, ODD: "x", "day": "05-01-2025", "lines": [{"qty": 1.5}], "prices": {"": 1e3}, "to": {}})],
        {
            "{}": "id is missing",
            '{"id":null}': "id is missing",
            '{"id":"1"}': "id is not a long",
            '{"id":1.5}': "id is not a long",
            '{"id":9223372036854775808}': "id is not a long",
            '{"id":1,"ID":1}': "ID is not a field of the contract",
            '{"id":1,"lines":{}}': "lines is not an array",
            '{"id":1,"lines":[{"qty":1.005}]}': "lines[].qty is not a decimal",
            '{"id":1,"lines":[{"qty":1e1}]}': "lines[].qty is not a decimal",
            '{"id":1,"lines":[{"qty":1,"x":1}]}': "lines[].x is not a field of the contract",
            '{"id":1,"lines":[{"qty":1,"tags":[1]}]}': "lines[].tags[] is not a string",
            '{"id":1,"day":"2025-01-05"}': "day is not a date",
            '{"id":1,"day":""}': "day is not a date",
            '{"id":1,"prices":{"a":"1"}}': "prices{} is not a double",
            '{"id":1,"prices":{"a":1e400}}': "prices{} is not a double",
            '{"id":1,"prices":{"a":1e-400}}': "prices{} is not a double",
            '{"id":1,"to":"x"}': "to is not an object",
            "[1]": "it is not an object",
            '"x"': "it is not an object",
            '{"id":1,"id":1}': "it is not JSON, or says a key twice",
            '{"id":1} x': "it is not JSON, or says a key twice",
            '{"id":1}{"id":2}': "it is not JSON, or says a key twice",
            '1,{"id":1}': "it is not JSON, or says a key twice",
            "{'id':1}": "it is not JSON, or says a key twice",
            "[" * 2000 + "]" * 2000: "it is not JSON, or says a key twice",
        },
    ),
    (Map(keys=Integer(), values=Boolean()), ['{"1":true,"2":null}', "{}"], {'{"a":true}': "a key is not an integer", '{"1":true,"01":true}': "two keys are one value", "[]": "it is not a map"}),
    (Array(items=Array(items=Timestamp())), ['[["2025-01-05T10:00"],[],null]'], {'[["2025"]]': "[][] is not a timestamp", "[1]": "[] is not an array"}),
    (Array(items=Json()), ['[1,"a",{}]'], {"{}": "it is not an array"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "good", "bad"), TYPED, ids=[kind.name for kind, *_ in TYPED])
def test_the_first_fault_of_a_value_is_told(
    spark: SparkSession, kind: LogicalType, good: list[str | None], bad: dict[str, str]
) -> None:
    several = list(bad.items())
    for start in range(0, len(several), 20):  # as many as are shown
        some = dict(several[start : start + 20])
        result = judged(
            text(spark, {"x": [*good, *some]}), contract({"x": kind}, TypeOf(id="r", path="$", column="x"))
        )["r"]
        assert sorted(one["value"][:200] for one in result["examples"]) == sorted(
            f"{why}: {value}"[:200] for value, why in some.items()
        ) or sorted(one["value"].split(": ")[0] for one in result["examples"]) == sorted(some.values())
        assert result["unexpected"] == len(some)


def inner(kind: type[Rule], *path: str, **more: Any) -> Any:
    return kind(id="r", path="$", column="x", inner=path, **more)  # type: ignore[call-arg]


FEW = Threshold(operator="<=", values=(Decimal(1),))

PARTS: list[tuple[Any, dict[str, str | None]]] = [
    # the rule → text of a row: the first value in it that breaks the rule; None where the row keeps it
    (inner(Minimum, "lines", "[]", "qty", limit=1), {'{"lines":[{"qty":1},{"qty":0.5},{"qty":0}]}': "0.5", '{"lines":[]}': None, "{}": None, '{"lines":null}': None, "null": None}),
    (inner(Maximum, "lines", "[]", "qty", limit=1, exclusive=True), {'{"lines":[{"qty":1.00}]}': "1", '{"lines":[{"qty":0.99}]}': None}),
    (inner(Required, "to", "zip"), {'{"to":{}}': None, '{"to":{"zip":null}}': None, '{"to":{"zip":" "}}': " ", '{"to":{"zip":"a"}}': None, "{}": None}),
    (inner(Required, "lines", "[]"), {'{"lines":[null]}': None, '{"lines":[{"qty":1}]}': None}),
    (inner(Pattern, "lines", "[]", "tags", "[]", pattern="^a$"), {'{"lines":[{"tags":["a"]},{"tags":["a","b"]},{}]}': "b", '{"lines":[{"tags":["a\\n"]}]}': "a\n", '{"lines":[{}]}': None}),
    (inner(MaxLength, ODD, limit=1), {json.dumps({ODD: "😀"}): None, json.dumps({ODD: "😀😀"}): "😀😀"}),
    (inner(Enum, "prices", "{}", values=(1, Decimal("2.5"))), {'{"prices":{"a":1.0,"b":2.50}}': None, '{"prices":{"a":3}}': "3"}),
    (inner(Format, "prices", "{k}", format="uuid"), {'{"prices":{"a":1}}': "a", '{"prices":{}}': None}),
    (inner(Size, "lines", min=1, max=2), {'{"lines":[]}': "[]", '{"lines":[{},{},{}]}': "[{},{},{}]", '{"lines":[{}]}': None, "{}": None}),
    (inner(Size, "to", min=1), {'{"to":{}}': "{}", '{"to":{"zip":"a"}}': None}),
    (inner(Size, "lines", "[]", "tags", max=0), {'{"lines":[{"tags":["a"]}]}': '["a"]', '{"lines":[{"tags":[]}]}': None}),
    (inner(UniqueItems, "lines", "[]", "tags"), {'{"lines":[{"tags":["a","b"]},{"tags":["a","a"]}]}': '["a","a"]', '{"lines":[{"tags":[]}]}': None}),
    (inner(UniqueItems, "lines"), {'{"lines":[{"qty":1},{"qty":1.0}]}': '[{"qty":1},{"qty":1}]', '{"lines":[{"qty":1},{"qty":2}]}': None}),
    (inner(NotMissing, "to", "zip", texts=("?",)), {'{"to":{"zip":"?"}}': "?", '{"to":{"zip":"a"}}': None}),
]  # fmt: skip


def test_rules_about_parts(spark: SparkSession) -> None:
    demands = [
        type(rule)(**{**vars(rule), "id": f"r{index}", "column": f"x{index}"}) for index, (rule, _) in enumerate(PARTS)
    ]
    frame = text(spark, {f"x{index}": list(rows) for index, (_, rows) in enumerate(PARTS)})
    results = judged(frame, contract({f"x{index}": ORDER for index in range(len(PARTS))}, *demands))
    found = {
        index: sorted(str(one["value"]) for one in results[f"r{index}"]["examples"]) for index in range(len(PARTS))
    }
    # Of a required part that is not there, the value that is shown is NULL.
    broken = {index: [value for value in rows.values() if value is not None] for index, (_, rows) in enumerate(PARTS)}
    broken[2] += [None, None]
    broken[3] += [None]
    counts = {index: results[f"r{index}"]["unexpected"] for index in range(len(PARTS))}
    assert counts == {index: len(values) for index, values in broken.items()}
    assert found == {index: sorted(set(map(str, values))) for index, values in broken.items()}


def test_the_same_rules_on_a_typed_table(spark: SparkSession) -> None:
    rows = [
        '{"id":1,"lines":[{"qty":1,"tags":["a"]}],"prices":{"k":1},"to":{"zip":"z"}}',
        '{"id":2,"lines":[{"qty":0.5,"tags":["b","b"]}],"prices":{"k":7},"to":{}}',
        None,
    ]
    frame = text(spark, {"x": rows}).selectExpr(f"{lexical.typed(Column(name='x', type=ORDER))} AS x")
    demands = [
        TypeOf(id="type", path="$", column="x"),
        Minimum(id="minimum", path="$", column="x", inner=("lines", "[]", "qty"), limit=1),
        Required(id="zip", path="$", column="x", inner=("to", "zip")),
        Enum(id="enum", path="$", column="x", inner=("prices", "{}"), values=(1,)),
        Size(id="size", path="$", column="x", inner=("to",), min=1),
        UniqueItems(id="items", path="$", column="x", inner=("lines", "[]", "tags")),
        Pattern(id="pattern", path="$", column="x", inner=("prices", "{k}"), pattern="k"),
        Required(id="required", path="$", column="x"),
        Unique(id="unique", path="$", columns=("x",)),
    ]
    results = judged(frame, contract({"x": ORDER}, *demands))
    assert {rule: result["unexpected"] for rule, result in results.items()} == {
        "columns": 0, "type": 0, "minimum": 1, "zip": 1, "enum": 1, "size": 1, "items": 1, "pattern": 0, "required": 1, "unique": 0,
    }  # fmt: skip


def test_items_of_any_kind_are_compared_as_json(spark: SparkSession) -> None:
    rows = ['["a","b","A"]', '[1,"1",true,"true","",null]', '[{"a":1},{"a":2}]', '["a","a"]', "[1,2,1]", "[]", None]
    made = contract({"x": Array(items=Json())}, UniqueItems(id="items", path="$", column="x"))
    assert judged(text(spark, {"x": rows}), made)["items"]["unexpected"] == 2
    held = text(spark, {"x": rows}).selectExpr(f"{lexical.typed(made.columns[0])} AS x")
    assert judged(held, made)["items"]["unexpected"] == 2


HELD: list[tuple[LogicalType, dict[str, bool]]] = [
    # the type → SQL of a value of its Spark type: whether it is one of its values
    (Double(), {"1D": True, "NULL": True, "double('NaN')": False, "double('-Infinity')": False}),
    (Float(), {"1F": True, "float('Infinity')": False}),
    (Array(items=Double()), {"array(1D, NULL)": True, "array()": True, "array(1D, double('NaN'))": False}),
    (Array(items=Array(items=Time())), {"array(array('09:30:00'))": True, "array(array('9:30'))": False}),
    (Map(keys=String(), values=Json()), {"map('k', '{}')": True, "map('k', '{')": False, "map('k', NULL)": True}),
    (
        Object(fields=(Field(name="a b", type=Long(), required=True), Field(name="f", type=Float()))),
        {
            "named_struct('a b', 1L, 'f', 1F)": True,
            "named_struct('a b', NULL, 'f', 1F)": False,
            "named_struct('a b', 1L, 'f', float('NaN'))": False,
        },
    ),
]


@pytest.mark.parametrize(("kind", "values"), HELD)
def test_what_only_sparks_type_holds_is_no_value(
    spark: SparkSession, kind: LogicalType, values: dict[str, bool]
) -> None:
    held = f"array<{lexical.spark_type(kind)}>"
    frame = spark.sql(f"SELECT explode(CAST(array({', '.join(values)}) AS {held})) AS x")
    result = judged(frame, contract({"x": kind}, TypeOf(id="r", path="$", column="x")))["r"]
    assert (result["evaluated"], result["unexpected"]) == (len(values), list(values.values()).count(False))


def test_objects_are_equal_whatever_the_order_of_their_keys(spark: SparkSession) -> None:
    kind = Object(fields=(Field(name="a", type=Long()), Field(name="b", type=Long())))
    frame = text(spark, {"x": ['{"a":1,"b":2}', '{ "b":2.0, "a":1 }', '{"a":1}', "null", "null", None]})
    result = judged(frame, contract({"x": kind}, Unique(id="r", path="$", columns=("x",))))["r"]
    assert (result["unexpected"], result["examples"]) == (2, [{"value": '{"a":1,"b":2}', "count": 2}])


def test_parts_of_sensitive_columns_are_not_shown(spark: SparkSession) -> None:
    column = Column(name="x", type=ORDER, sensitive=True)
    demands = [TypeOf(id="type", path="$", column="x"), inner(MaxLength, ODD, limit=1)]
    results = judged(text(spark, {"x": [json.dumps({ODD: "secret"})]}), contract({"x": column}, *demands))
    assert [(results[rule]["unexpected"], results[rule]["examples"]) for rule in ("type", "r")] == [(1, []), (1, [])]


SMALL = Object(
    fields=(
        Field(name="a", type=Integer(), required=True),
        Field(name="b", type=Array(items=DecimalType(precision=4, scale=1))),
        Field(name="c", type=Map(keys=String(), values=String())),
    )
)

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2**33), st.sampled_from([0.5, 1.25, 1e20]), st.text(max_size=2)
)
GOOD = st.fixed_dictionaries(
    {"a": st.integers(-(2**31), 2**31 - 1)},
    optional={
        "b": st.one_of(st.none(), st.lists(st.integers(-9999, 9999).map(lambda tenths: tenths / 10), max_size=3)),
        "c": st.one_of(
            st.none(), st.dictionaries(st.text(max_size=2), st.one_of(st.none(), st.text(max_size=2)), max_size=2)
        ),
    },
)
WILD = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d", "A"]),
    st.one_of(LEAVES, st.lists(LEAVES, max_size=2), st.dictionaries(st.text(max_size=1), LEAVES, max_size=2)),
    max_size=3,
)


def fits(value: dict[str, Any]) -> bool:
    """The oracle: what `SMALL` is, in plain Python."""

    def tenths(item: Any) -> bool:
        return item is None or (type(item) in (int, float) and abs(item) < 1000 and item * 10 == int(item * 10))

    number, items, words = value.get("a"), value.get("b"), value.get("c")
    return (
        set(value) <= {"a", "b", "c"}
        and type(number) is int
        and -(2**31) <= number < 2**31
        and (items is None or (isinstance(items, list) and all(map(tenths, items))))
        and (
            words is None or (isinstance(words, dict) and all(isinstance(word, str | None) for word in words.values()))
        )
    )


def test_what_is_accepted_is_written_as_it_is(spark: SparkSession) -> None:
    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.one_of(GOOD, WILD), min_size=50, max_size=200))
    def check(values: list[dict[str, Any]]) -> None:
        texts = [json.dumps(value) for value in values]
        fine = [one for one in zip(texts, values, strict=True) if "\\ud" not in one[0]]
        frame = spark.createDataFrame([(one,) for one, _ in fine], "x string").selectExpr(
            "x", f"{lexical.value(SMALL, 'x')} AS v"
        )
        accepted = lexical.accepted(SMALL, "x", "v")
        written = lexical.typed(Column(name="x", type=SMALL))
        for row, (one, value) in zip(
            frame.selectExpr(
                f"{accepted} AS ok",
                f"IF({accepted}, {written}, NULL) AS w",
                f"{lexical.tried(SMALL, 'x', 'v')} AS tried",
            ).collect(),
            fine,
            strict=True,
        ):
            assert row.ok == fits(value), one
            assert row.w == row.tried
            if row.ok:
                held = {"a": row.w.a, "b": row.w.b and [one and float(one) for one in row.w.b], "c": row.w.c}
                assert held == {"a": value["a"], "b": value.get("b"), "c": value.get("c")}

    check()
