"""Every family against what the literature's schedules move, and against generic ones."""

import pytest

from benchmarks.families import SPECS, between, measured, page
from benchmarks.published import PUBLISHED
from dags import GENERATORS, fft, load, matmul, odd_even_transposition_sort, sweep, tree


@pytest.mark.parametrize("family", SPECS)
def test_structured_is_near_finite_forms_and_never_behind_generic(family):
    rows = measured(f"{family}:{SPECS[family][0]}")
    assert rows
    for row in rows:
        assert not row.is_above, row
        assert row.structured <= 1.01 * row.generic


def test_every_family_has_three_sizes():
    assert set(SPECS) == set(GENERATORS) >= set(PUBLISHED)
    assert all(len(set(sizes)) == 3 for sizes in SPECS.values())


@pytest.mark.parametrize("family", PUBLISHED)
def test_every_form_says_what_it_is_and_where_it_is_from(family):
    known = PUBLISHED[family]
    assert known.formula
    assert known.source
    assert "\n" not in known.formula + known.source
    dag = load(f"{family}:{SPECS[family][0]}")
    assert known.words(dag, 10**6) > 0


def test_forms_by_hand():
    assert PUBLISHED["matmul"].words(matmul(4), 8) == 16 + 4 * (4 * 2 + 4 * 2)  # blocks of 2 x 2
    assert PUBLISHED["fft"].words(fft(64), 6) == 2 * 64 * 3
    assert PUBLISHED["odd_even_transposition_sort"].words(odd_even_transposition_sort(6), 5) == 30
    assert PUBLISHED["sweep"].words(sweep((6, 6)), 4) is None  # no column fits
    assert PUBLISHED["tree"].words(tree(5), 6) is None
    assert PUBLISHED["tree"].words(tree(5), 7) == 33


def test_memories_are_between_the_smallest_and_the_one_that_is_enough():
    assert between(3, 48) == [3, 6, 12, 24, 48]
    assert between(3, 4) == [3, 4]


def test_the_page_shows_rows_and_what_is_above_the_limits():
    rows = measured("fft:n=16", [4, 6])
    text = page(rows)
    assert text.count("| fft:n=16 |") == 2
    assert "Rows beyond these limits: 0." in text
    worse = [type(row)(**{**vars(row), "generic": row.structured // 2}) for row in rows]
    assert page(worse).count("| fft:n=16 |") == 4
