"""Tables and series of rows of any kind."""

from typing import NamedTuple

import pytest

from redblue.show.model import Column
from redblue.show.rows import grouped, listed, numeric, series, share, table


class Play(NamedTuple):
    spec: str
    io: int


ROWS = [{"spec": "a", "io": 3}, {"spec": "b", "io": 1}, {"spec": "a", "io": 2}]


@pytest.mark.parametrize("rows", [ROWS, [Play(**row) for row in ROWS]])
def test_columns_name_what_they_show(rows):
    result = table("t", "T.", rows, "DAG <- spec", "I/O [words] <- io", ("twice", lambda _: 2))
    assert result.columns == (Column("DAG"), Column("I/O", "words"), Column("twice"))
    assert result.rows == (("a", 3, 2), ("b", 1, 2), ("a", 2, 2))


def test_columns_without_keys_are_those_of_tuples_in_their_order():
    result = table("t", "T.", [("a", 3)], "T of q = 2", "I/O [words]", folded=True)
    assert result.columns == (Column("T of q = 2"), Column("I/O", "words"))
    assert result.rows == (("a", 3),)
    assert result.folded


def test_a_column_that_rows_do_not_have_is_refused():
    with pytest.raises(KeyError):
        table("t", "T.", ROWS, "loads <- loads")
    with pytest.raises(IndexError):
        table("t", "T.", [("a",)], "DAG", "I/O")


def test_points_and_notes_are_made_of_rows():
    result = series(
        "io", iter(ROWS), "io", lambda row: row["io"] ** 2, "upper", lambda r: r["spec"]
    )
    assert (result.x, result.y) == ((3.0, 1.0, 2.0), (9.0, 1.0, 4.0))
    assert (result.role, result.notes) == ("upper", ("a", "b", "a"))
    assert series("io", [], "x", "y").notes == ()


def test_groups_keep_the_order_of_appearance():
    assert grouped(ROWS, "spec") == {"a": [ROWS[0], ROWS[2]], "b": [ROWS[1]]}
    assert grouped(ROWS, lambda row: row["io"] > 1) == {True: [ROWS[0], ROWS[2]], False: [ROWS[1]]}


def test_shares_and_lists_are_texts():
    assert share(lambda row: row["io"] < 3, ROWS) == (False, "2 of 3")
    assert share(bool, []) == (True, "0 of 0")
    assert listed([0.5, 2.25], ".1f", "; ") == "0.5; 2.2"


def test_columns_of_numbers_and_what_is_like_them_are_right_aligned():
    rows = [("a", 1, "-", "", "1.5%"), ("b", None, 2.5, "x", "impossible"), ("c", 3, 4, "", "3%")]
    assert numeric(table("t", "T.", rows, "A", "B", "C", "D", "E")) == (
        False,
        *[True] * 2,
        False,
        True,
    )


def test_keys_reach_into_what_rows_hold():
    rows = [{"ends": ({"io": 3}, {"io": 4}), "a.b": 5}]
    assert table("t", "T.", rows, "io <- ends.1.io", "both <- a.b").rows == ((4, 5),)
