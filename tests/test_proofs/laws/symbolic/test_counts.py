"""Numbers of points of sets for all sizes, held against counting at some sizes."""

from itertools import product

import pytest

isl = pytest.importorskip("islpy", reason="the extra 'affine' is not installed")

from dags.programs.integer_sets import sizes_from  # noqa: E402
from proofs.laws.polynomials import Polynomial  # noqa: E402
from proofs.laws.symbolic.counts import NotCountedError, points_of, polynomial_of  # noqa: E402


def counted(text, minimum=3):
    terms = polynomial_of(
        points_of(isl.UnionSet(f"[n0, n1] -> {{ {text} }}")), sizes_from([minimum] * 2)
    )
    return Polynomial(("N", "M"), terms)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("S[i, j, k] : 0 <= k < j < i < n0", lambda i, j, k, n, m: k < j < i < n),
        ("S[i, j, k] : 0 <= k < j < i < n0; S[i, j, k] : i = j and 0 <= i < n0 and 0 <= k < n1",
         lambda i, j, k, n, m: k < j < i < n or (i == j < n and k < m)),
        ("S[i, j, k] : 0 <= i < n0 and 0 <= j < n1 and k = 0; S[i, j, k] : 0 <= i < n0 + 1 and "
         "0 <= j < n1 - 1 and 0 <= k < 2",
         lambda i, j, k, n, m: (i < n and j < m and k == 0) or (i <= n and j < m - 1 and k < 2)),
        ("S[i, j, k] : 0 <= i < n0 and 0 <= j < n0 - i and k = n1 - 1",
         lambda i, j, k, n, m: i < n and j < n - i and k == m - 1),
    ],
)  # fmt: skip
def test_it_is_the_number_at_each_size(text, holds):
    result = counted(text)
    for n, m in product(range(3, 6), repeat=2):
        places = product(range(7), repeat=3)
        assert result({"N": n, "M": m}) == sum(holds(*place, n, m) for place in places), (n, m)


def test_different_tuples_are_added_and_factors_counted():
    pair = isl.UnionSet("[n0, n1] -> { S[i] : 0 <= i < n0; A[i, j] : 0 <= i, j < n1 }")
    pieces = points_of(pair) + points_of(isl.UnionSet("[n0, n1] -> { T[i] : 0 < i < n0 }"), -2)
    assert polynomial_of(pieces, sizes_from([2, 1])) == {(1, 0): -1, (0, 2): 1, (0, 0): 2}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("S[i] : i mod 2 = 0 and 0 <= i < n0", "gaps"),
        ("S[i] : 0 <= i < n0 and i < n1", "changes its form"),
        ("S[i] : 0 <= i and 2 i < n0", "rounded"),
        ("S[i] : 0 <= i < n0 - 4", "changes its form"),
        ("S[i] : 0 <= i", "no end"),
    ],
)
def test_what_is_no_polynomial_is_not_counted(text, reason):
    with pytest.raises(NotCountedError, match=reason):
        counted(text)
