"""First contracts from real files: what each column is taken for, and that the file passes its own contract."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import Project
from pyspark.sql import SparkSession
from test_landing_corpus import CASES, Case

from sluis import landing
from sluis.contract import reading
from sluis.contract.model import Contract
from sluis.errors import RejectedError
from sluis.settings import settled
from sluis.tools.infer import _require_sound, draft_of
from sluis.tools.infer.draft import Draft
from sluis.tools.infer.write import as_native, as_odcs
from sluis.tools.replay import replay


def drafted(spark: SparkSession, file: Path, **options: object) -> Draft:
    with settled(spark):
        landed = landing.read(spark, str(file), columns=(), options=options)
        _require_sound(landed)
        return draft_of(landed)[0]


def read_back(made: Draft, folder: Path) -> list[Contract]:
    """The contract as each format has it."""
    found = []
    for name, write in (("c.odcs.yaml", as_odcs), ("c.json", as_native)):
        (folder / name).write_text(write(made, ["heading"])[0], "utf-8")
        found.append(reading.read(folder / name, name))
    return found


COLUMNS = {
    # name: (values, repeated; the ODCS type, words of the remark on it)
    "order_id": ([str(n) for n in range(1000, 1040)], "integer", ""),
    "big": (["3000000000", "-1"], "long", ""),
    "huge": (["12345678901234567890", "1"], "string", "more digits than a BIGINT"),
    "article no": ([str(9638507400000 + n) for n in range(40)], "string", "always 13 digits"),
    "zeros": (["007", "123"], "string", "leading zeros"),
    "phone": (["612345678", "201234567"], "string", "a phone number, by its name"),
    "dialed": (["+31612345678", "+3120"], "string", "the plus in front"),
    "zip_code": (["12345", "99501"], "string", "a code, by its name"),
    "price": (["12.50", " 3 ", "1234.5"], "decimal", "4 digits before and 2 behind"),
    "ratio": (["0.12345678901", "1e-3"], "double", ""),
    "comma": (["1,5", "2,5"], "string", ""),
    "paid": (["true", "False"], "boolean", ""),
    "yn": (["y", "n"], "string", "a boolean"),
    "bit": (["0", "1"], "integer", ""),
    "day": (["2024-02-29", "2024-1-5"], "date", ""),
    "due": (["31/12/2024", "01/02/2024"], "date", ""),
    "us": (["12/31/2024", "1/2/2024"], "date", ""),
    "unclear": (["01/02/2024", "03/04/2024"], "string", "cannot be told"),
    "no day": (["2023-02-30", "2024-01-01"], "string", ""),
    "birth_date": (["20240229", "20231231"], "date", "eight digits"),
    "at": (["2024-01-01T10:00:00Z", "2024-01-01T10:00:00+02:00"], "timestamp", ""),
    "local": (["2024-01-01 10:00", "2024-01-01T10:00:00.5"], "timestamp", "count as UTC"),
    "seen": (["31.12.2024 10:00:00", "01.01.2024 23:59:59"], "timestamp", "count as UTC"),
    "clock": (["10:30", "23:59:59"], "time", ""),
    "status": (["open", "shut"], "string", "all the values of this file"),
    "iso": (["NLD", "DEU"], "string", "all the values of this file"),
    "note": (["", "  ", "a long text, with commas"], "string", ""),
    "empty": ([""], "string", "no row has a value"),
}


@pytest.fixture
def sample(classic: Project) -> Path:
    rows = [[values[n % len(values)] for values, _, _ in COLUMNS.values()] for n in range(40)]
    lines = [
        ",".join(f'"{cell}"' if "," in cell or cell == "  " else cell for cell in row) for row in [list(COLUMNS), *rows]
    ]
    return classic.land(*lines)


def test_what_columns_are_taken_for(classic: Project, sample: Path) -> None:
    made = drafted(classic.spark, sample)
    found = {column.name: column.type.name for column in made.contract.columns}
    assert found == {name: kind for name, (_, kind, _) in COLUMNS.items()}
    for name, (_, _, words) in COLUMNS.items():
        assert words in "; ".join(made.remarks[name]), name
    formats = {column.name: getattr(column.type, "format", None) for column in made.contract.columns}
    assert [formats[name] for name in ("due", "us", "birth_date", "seen", "day")] == [
        *("dd/MM/yyyy", "M/d/yyyy", "yyyyMMdd", "dd.MM.yyyy HH:mm:ss", None),
    ]  # fmt: skip
    assert made.contract.primary_key == ("order_id",)
    assert "no two rows share it here: say `unique` if that is always so" in made.remarks["article no"]
    assert [column.name for column in made.contract.columns if not column.required] == ["note", "empty"]
    values = {rule.column: rule.values for rule in made.contract.rules if rule.kind == "enum"}
    assert values["status"] == ("open", "shut")
    assert "phone" not in values


def test_the_sample_passes_in_both_formats(classic: Project, sample: Path) -> None:
    made = drafted(classic.spark, sample)
    passes(classic.spark, sample, made, classic.root)


def passes(spark: SparkSession, file: Path, made: Draft, folder: Path, **options: object) -> None:
    odcs, native = read_back(made, folder)
    with settled(spark):
        found = replay(spark, str(file), odcs, native, options)
    assert (found.passed_before, found.passes_now, found.failures) == (True, True, ()), file


def test_a_key_of_several_columns(classic: Project) -> None:
    file = classic.land("shop,day,total", *(f"s{n % 4},2024-01-{1 + n // 4:02},9" for n in range(12)))
    made = drafted(classic.spark, file)
    assert made.contract.primary_key == ("shop", "day")
    assert "shop and day together are different in every row here: are they the key?" in made.remarks["shop"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a,b", "1"], "row"),
        (["a,a", "1,2"], "Duplicate column in the header"),
        (["a;b", "1;2"], "--option 'sep=;'"),
        (["a,b"], "row"),
        ([" a,b", "1,2"], "starts or ends with a space"),
    ],
)
def test_what_is_no_csv_is_refused(classic: Project, lines: list[str], message: str) -> None:
    with pytest.raises(RejectedError) as caught:
        drafted(classic.spark, classic.land(*lines))
    assert message in str(caught.value)


SOME = {
    "duckdb__titanic.csv",
    "duckdb__leading_zeros2.csv",
    "frictionless__table-infer-iso-8859-7.csv",
    "csvkit__test_utf16_big.csv",
}


def on_its_own_file(classic: Project, case: Case) -> bool:
    """Whether a contract could be made; it then passes."""
    try:
        made = drafted(classic.spark, case.path, **case.options)
    except RejectedError:
        return False
    passes(classic.spark, case.path, made, classic.root, **case.options)
    return True


def test_some_published_files(classic: Project) -> None:
    assert all(on_its_own_file(classic, case) for case in CASES if case.name in SOME)


@pytest.mark.slow
def test_all_published_files(classic: Project) -> None:
    made = [case.name for case in CASES if case.options["header"] and on_its_own_file(classic, case)]
    assert len(made) > 40
