"""Rules about files, headers and the number of rows."""

from __future__ import annotations

from sluis.contract.model import Contract
from sluis.contract.rules import Columns, Encoding, Header, RowCount, RowCountIs, RowShape
from sluis.suite.compile.registry import Words, compiles
from sluis.suite.compile.wording import allowed_words, count, listed
from sluis.suite.spelling import threshold, told


@compiles(Header)
def _header(rule: Header, contract: Contract) -> Words:
    return Words(
        demand="The header of every file can be read without guessing",
        violated="The header cannot be read without guessing",
    )


@compiles(RowShape)
def _row_shape(rule: RowShape, contract: Contract) -> Words:
    return Words(
        demand="Every row has as many fields as the header, with balanced quotes",
        violated="Rows do not fit the header (too few or too many fields, or unbalanced quotes)",
    )


@compiles(Encoding)
def _encoding(rule: Encoding, contract: Contract) -> Words:
    return Words(
        demand="Every byte of the files is valid in the declared encoding",
        violated="Bytes are not valid in the declared encoding",
    )


@compiles(Columns)
def _columns(rule: Columns, contract: Contract) -> Words:
    more = "; others may be there too" if rule.allow_additional else " and no others"
    return Words(
        demand=f"The columns are {listed(rule.names)}{more}",
        violated="The columns are not those of the contract",
        kwargs={
            "allow_additional": rule.allow_additional,
            "columns": [{"name": column.name, **told(column.type)} for column in contract.columns],
            **({"typed": True} if rule.typed else {}),
        },
    )


@compiles(RowCount)
def _row_count(rule: RowCount, contract: Contract) -> Words:
    low, high = rule.min or 0, rule.max
    bounds = f"at least {count(low, 'row')}" if high is None else f"{low} to {count(high, 'row')}"
    return Words(
        demand=f"There are {bounds}",
        violated=f"The number of rows is not {bounds}",
        kwargs={"min_rows": low, "max_rows": high},
    )


@compiles(RowCountIs)
def _row_count_is(rule: RowCountIs, contract: Contract) -> Words:
    assert rule.allowed is not None
    wanted = allowed_words(rule.allowed)
    return Words(
        demand=f"The number of rows is {wanted}",
        violated=f"The number of rows is not {wanted}",
        kwargs={"allowed": threshold(rule.allowed)},
    )
