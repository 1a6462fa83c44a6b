"""What looks for spectral proofs: cliques, places to count, estimated spectra."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import hypercube, load
from pebble import ONE_SHOT
from proofs.bounds.spectra import spectral_excess
from proofs.bounds.spectra.ascent import Ascent, best_parts
from proofs.bounds.spectra.rounding import rounded
from proofs.bounds.spectra.shifts import best_starts
from proofs.bounds.spectra.spectrum import Exact, Sampled
from proofs.bounds.spectra.spread import MOST, farthest, merged, widest
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.spectra.cliques import read_cliques
from proofs.certificates.spectra.spectral import proven
from tests.strategies import dags


def score(points, clique):
    pairs = itertools.combinations(clique, 2)
    total = sum(float(((points[a] - points[b]) ** 2).sum()) for a, b in pairs)
    return total / (len(clique) ** 2 // 4)


def greedy(points, candidates):
    """The best score of all cliques that grow greedily from one candidate."""
    best = 0.0
    for start in candidates:
        clique, left = [start], [v for v in candidates if v != start]
        while left:
            gains = [sum(((points[v] - points[u]) ** 2).sum() for u in clique) for v in left]
            clique.append(left.pop(int(np.argmax(gains))))
            best = max(best, score(points, clique))
    return best


@given(dags(max_vertices=12), st.integers(0, 99))
def test_farthest_cliques_against_a_twin(dag, seed):
    piece = Cutter(dag).whole()
    points = np.random.default_rng(seed).normal(size=(dag.n, 3))
    indptr, indices = piece.successors
    if not indices.size:
        return
    spread = farthest(piece, points)
    assert spread.owners.tolist() == np.flatnonzero(np.diff(indptr)).tolist()
    ends = np.cumsum(spread.sizes)
    for owner, clique in zip(spread.owners.tolist(), np.split(spread.members, ends), strict=False):
        candidates = [owner, *indices[indptr[owner] : indptr[owner + 1]].tolist()]
        assert set(clique.tolist()) <= set(candidates)
        assert score(points, clique.tolist()) == pytest.approx(greedy(points, candidates))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=9), st.integers(1, 5))
def test_best_starts_lose_the_least(values, most):
    eigenvalues = np.sort(np.array(values, float))

    def loss(starts):
        group = np.searchsorted(starts, np.arange(eigenvalues.size), "right") - 1
        return (eigenvalues - eigenvalues[np.array(starts)[group]]).sum()

    found = best_starts(eigenvalues, most)
    assert found[0] == 0
    assert found.size <= most
    others = itertools.chain.from_iterable(
        itertools.combinations(range(1, eigenvalues.size), r)
        for r in range(min(most, eigenvalues.size))
    )
    assert loss(found.tolist()) == pytest.approx(min(loss([0, *rest]) for rest in others))


def test_sampled_spectra_are_near_the_exact_ones():
    piece = Cutter(load("stencil:shape=10x10,steps=8")).whole()
    matrix = widest(piece).laplacian(piece.words * piece.price / 2)
    exact = Exact(matrix.toarray(), piece.size)
    sampled = Sampled(matrix, piece.size, np.random.default_rng(0))
    assert np.abs(exact.eigenvalues - sampled.eigenvalues).max() < 0.2
    inside, about = exact.points(0.6, 0.06), sampled.points(0.6, 0.06)
    mean = (inside**2).sum() / piece.size
    assert (about**2).sum() / piece.size == pytest.approx(mean, rel=0.1)
    assert np.corrcoef((inside**2).sum(axis=1), (about**2).sum(axis=1))[0, 1] > 0.9


def test_best_parts_by_hand():
    """Two parts of 3 and 2 vertices: 3 * 0 + 2 * 4, less one cut and the trace."""
    assert best_parts(np.array([0.0, 4.0]), 5, 1.0, 2.5).tolist() == [-1.0, 4.5]


def test_a_sum_of_spreads_has_each_clique_once():
    piece = Cutter(load("grid:shape=4x4")).whole()
    wide = widest(piece)
    both = merged([wide, wide, wide], np.array([0.2, 0.3, 0.5]), 0.01)
    assert sorted(both.owners.tolist()) == wide.owners.tolist()
    assert both.shares == pytest.approx(np.ones(wide.owners.size))
    capacity = np.ones(piece.size)
    difference = both.laplacian(capacity) - wide.laplacian(capacity)
    assert abs(difference).max() < 1e-12


def test_a_laplacian_is_the_same_as_an_array():
    piece = Cutter(load("grid:shape=4x4")).whole()
    capacity = piece.words * piece.price / 2
    wide = widest(piece)
    assert wide.dense_laplacian(capacity) == pytest.approx(wide.laplacian(capacity).toarray())


def test_climbing_helps_and_rounding_keeps_the_capacities():
    piece = Cutter(hypercube(7)).whole()
    capacity = piece.words * piece.price / 2
    start = Ascent(piece, capacity, 14.0).climb(1, np.inf)
    weights = Ascent(piece, capacity, 14.0).climb(12, np.inf)
    assert weights.value > start.value
    cliques = read_cliques(piece, rounded(piece, weights, 2))
    matrix = cliques.matrix.toarray() / cliques.denominator
    eigenvalues = np.linalg.eigvalsh(matrix)
    trace = cliques.diagonal.sum() / cliques.denominator
    value = best_parts(eigenvalues, cliques.vertices.size, trace, 14.0).max()
    assert value == pytest.approx(weights.value, abs=0.5)


def test_words_of_any_size_can_be_rounded():
    cube = hypercube(5)
    for words in (1, 10**6, 2**45):
        dag = type(cube)(cube.pred_indptr, cube.pred_indices, words=[words] * cube.n)
        piece = Cutter(dag).whole()
        found = spectral_excess(piece, 6 * words, ONE_SHOT)
        if found is not None:
            assert proven(piece, 6 * words, ONE_SHOT, found[2]) == found[0]


def test_values_with_many_readers():
    piece = Cutter(load("matvec:n=40")).whole()
    assert widest(piece).sizes.max() == MOST
    assert farthest(piece, np.eye(piece.size)).sizes.max() <= MOST


def test_a_time_limit_is_kept():
    piece = Cutter(load("stencil:shape=40x40,steps=8")).whole()
    started = time.monotonic()
    assert spectral_excess(piece, 8, ONE_SHOT, time_limit=0.0) is None
    assert time.monotonic() - started < 10
