"""Counts of eigenvalues: against exact elimination, known spectra, and LAPACK."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from proofs.certificates.spectra.cliques import laplacian
from proofs.certificates.spectra.elimination import Inertia
from proofs.certificates.spectra.elimination.dense_blocks import plan


def exact_negatives(matrix, shift):
    """Negative pivots of matrix - shift in exact arithmetic; None if a pivot is 0."""
    a = [[Fraction(int(entry)) for entry in row] for row in matrix]
    n, negative = len(a), 0
    for j in range(n):
        a[j][j] -= shift
    for j in range(n):
        if a[j][j] == 0:
            return None
        negative += a[j][j] < 0
        for i in range(j + 1, n):
            factor = a[i][j] / a[j][j]
            for k in range(j, n):
                a[i][k] -= factor * a[j][k]
    return negative


@st.composite
def symmetric(draw, most=9, largest=6):
    n = draw(st.integers(1, most))
    entries = draw(st.lists(st.integers(-largest, largest), min_size=n * n, max_size=n * n))
    keep = draw(st.sampled_from([0.2, 0.5, 1.0]))
    lower = np.tril(np.array(entries, np.int64).reshape(n, n))
    mask = np.random.default_rng(draw(st.integers(0, 99))).random((n, n)) < keep
    lower = np.where(mask | np.eye(n, dtype=bool), lower, 0)
    return lower + np.tril(lower, -1).T


@given(symmetric(), st.integers(-12, 12))
def test_small_matrices_against_exact_elimination(matrix, shift):
    exact = exact_negatives(matrix, shift)
    count = Inertia(csr_array(matrix)).count(shift)
    eigenvalues = np.linalg.eigvalsh(matrix.astype(float))
    if exact is not None and count.error < np.abs(eigenvalues - shift).min() / 2:
        assert count.below == exact
    if np.isfinite(count.error):
        assert (eigenvalues < shift - count.error - 1e-9).sum() <= count.below


@pytest.mark.parametrize("seed", range(6))
def test_large_matrices_against_lapack(seed):
    rng = np.random.default_rng(seed)
    n, unit = 700, 2**20
    rows, columns = rng.integers(0, n, (2, (1 + seed) * n))
    different = rows != columns
    rows, columns = rows[different], columns[different]
    matrix = laplacian(rows, columns, rng.integers(1, unit, rows.size), n)
    matrix = csr_array(matrix + csr_array((rng.integers(-unit, unit, n), 2 * (range(n),))))
    assert plan(matrix).above.size > 3
    eigenvalues = np.linalg.eigvalsh(matrix.toarray().astype(float))
    inertia = Inertia(matrix)
    for place in (0, 1, n // 20, n // 3, n - 1):
        middle = int(eigenvalues[place : place + 2].mean())
        count = inertia.count(middle)
        assert count.error < 1
        assert count.below == (eigenvalues < middle).sum()


def test_repeated_eigenvalues_are_counted():
    """The Laplacian of the d-cube has the eigenvalue 2 i comb(d, i) times."""
    d, unit = 9, 2**20
    corners = np.arange(2**d)
    rows = np.concatenate([corners[corners >> j & 1 == 0] for j in range(d)])
    columns = np.concatenate([corners[corners >> j & 1 == 0] | 1 << j for j in range(d)])
    inertia = Inertia(laplacian(rows, columns, np.full(rows.size, unit), 2**d))
    for i in range(d):
        count = inertia.count((2 * i + 1) * unit + 12345)  # off the diagonal's own entries
        assert count.error < unit / 2
        assert count.below == sum(comb(d, j) for j in range(i + 1))


def test_a_grid_has_a_known_spectrum():
    side, unit = 40, 2**20
    numbers = np.arange(side * side).reshape(side, side)
    rows = np.concatenate([numbers[:-1].ravel(), numbers[:, :-1].ravel()])
    columns = np.concatenate([numbers[1:].ravel(), numbers[:, 1:].ravel()])
    matrix = laplacian(rows, columns, np.full(rows.size, unit), side * side)
    path = 2 - 2 * np.cos(np.pi * np.arange(side) / side)
    eigenvalues = np.sort(np.add.outer(path, path).ravel()) * unit
    inertia = Inertia(matrix)
    for shift in np.random.default_rng(1).integers(1, 8 * unit, 12).tolist():
        count = inertia.count(shift)
        assert (eigenvalues < shift - count.error - 1).sum() <= count.below
        assert count.below <= (eigenvalues < shift + count.error + 1).sum()
        assert count.error < unit / 1000


def test_elimination_that_breaks_down_says_so():
    swap = csr_array(np.array([[0, 1], [1, 0]]))
    assert Inertia(swap).count(0).error == np.inf


def filled(pattern):
    """Where elimination in the given order leaves entries below the diagonal."""
    pattern = pattern.copy()
    for j in range(pattern.shape[0]):
        below = np.flatnonzero(pattern[j + 1 :, j]) + j + 1
        pattern[np.ix_(below, below)] = True
    return np.argwhere(np.tril(pattern, -1))


@pytest.mark.parametrize("seed", range(8))
def test_fronts_hold_all_that_elimination_fills(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 400))
    edges = rng.integers(0, n, (2, n + seed * n // 4))
    pattern = np.eye(n, dtype=bool)
    pattern[edges[0], edges[1]] = pattern[edges[1], edges[0]] = True
    fronts = plan(csr_array(pattern.astype(np.int64)))
    assert sorted(fronts.order.tolist()) == list(range(n))
    assert (fronts.starts[0], fronts.starts[-1]) == (0, n)
    front_of = np.repeat(np.arange(fronts.above.size), np.diff(fronts.starts))
    border = [set(rows.tolist()) for rows in np.split(fronts.rows, fronts.ptr[1:-1])]
    for row, column in filled(pattern[np.ix_(fronts.order, fronts.order)]).tolist():
        front = front_of[column]
        assert front_of[row] == front or row in border[front]
    for front, above in enumerate(fronts.above.tolist()):
        later = {row for row in border[front] if front_of[row] != above}
        assert later <= border[above] if border[front] else above == -1
        assert above == -1 or above > front
