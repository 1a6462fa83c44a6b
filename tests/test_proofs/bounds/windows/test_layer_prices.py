"""Prices of the layers of grids: against all sets, optima and plays; forgeries fail."""

from itertools import combinations

import numpy as np
import pytest

from dags import CDAG, grid
from dags.arrays import lock
from pebble import ONE_SHOT, RULES, Budget, min_memory, play
from proofs import Bound, Certificate, CertificateError, check, segments
from proofs.bounds.windows.segments import layer_proof
from proofs.certificates import proven_io
from proofs.lemmas.isoperimetry.layers import (
    layer_sizes,
    least_read,
    most_kept,
)
from proofs.lemmas.prices.layers import costs
from schedulers import scheduler_named
from schedulers.exact import exact
from tests.test_proofs.lemmas.isoperimetry.all_sets import readers_in, sets_of


def layer_of(shape):
    return np.indices(shape).sum(axis=0).reshape(-1)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (2, 3, 3), (3, 3, 3), (2, 2, 3, 2), (3, 1, 4)])
def test_what_points_of_a_layer_read(shape):
    dag, layers = grid(shape), layer_of(shape)
    sizes = layer_sizes(shape)
    read, kept = least_read(shape, dag.n), most_kept(shape, dag.n)
    for t in range(1, sizes.size):
        rows = [set(row) for row in rows_of(dag, np.flatnonzero(layers == t))]
        for x in range(sizes[t] + 1):
            exact_least = min(len(set().union(*chosen)) for chosen in combinations(rows, x))
            assert read[t, x] == exact_least
        before = [rows_of_readers(dag, u) for u in np.flatnonzero(layers == t - 1)]
        for y in range(int(sizes[t]) + 1):
            able = (
                len(chosen)
                for x in range(len(before) + 1)
                for chosen in combinations(before, x)
                if len(set().union(*chosen)) <= y
            )
            assert kept[t, y] == max(able)


def rows_of(dag, vertices):
    return [
        dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist() for v in vertices
    ]


def rows_of_readers(dag, u):
    indptr, indices = dag.successors
    return indices[indptr[u] : indptr[u + 1]].tolist()


@pytest.mark.parametrize("shape", [(4, 4), (2, 7), (2, 2, 4), (2, 2, 2, 2)])
def test_no_set_costs_less(shape):
    """All sets of vertices of small grids, at drawn prices."""
    dag, random = grid(shape), np.random.default_rng(5)
    members = list(range(1, dag.n))
    sizes, reads, needed = sets_of(readers_in(dag), members)
    masks = np.arange(2 ** len(members))
    for _ in range(3):
        prices = random.integers(0, 150, layer_sizes(shape).size)
        paid = sum((masks >> i & 1) * prices[layer_of(shape)[v]] for i, v in enumerate(members))
        worth = 100 * (reads + needed) - paid
        minimum = costs(shape, dag.n - 1, lock(prices), 100)[-1].min(axis=1)
        exact_least = np.full(dag.n, 10**9)
        np.minimum.at(exact_least, sizes, worth)
        assert (minimum <= exact_least).all()
        assert minimum[1] == exact_least[1]


@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (2, 6), (2, 3, 3), (3, 3, 3)])
@pytest.mark.parametrize("rules", ["one-shot", "one-shot-sliding"])
def test_never_above_the_optimum(shape, rules):
    dag = grid(shape)
    smallest = min_memory(dag, rules=RULES[rules])
    for memory in range(smallest, smallest + 3):
        saved = 2 * (memory - (not RULES[rules].sliding))
        moves, data = layer_proof(shape, saved, -1000, Budget())
        words = moves + 2
        certificate = Certificate("priced-layers", data)
        assert proven_io(dag, memory, RULES[rules], certificate) == max(words, 2)
        best = exact(dag, memory, rules=RULES[rules], time_limit=1.0)
        assert words <= play(dag, best.schedule, memory, rules=RULES[rules]).io


def test_small_grids_against_large_memories():
    """No border is waived: where all are, no more than the compulsory 2 words are proved."""
    for shape, memory, words in (((4, 4, 4), 6, 25), ((5, 5, 5), 8, 40)):
        dag = grid(shape)
        bound = segments(dag, memory)
        check(dag, memory, bound)
        assert bound.certificate.kind == "priced-layers"
        played = play(dag, scheduler_named("structured")(dag, memory), memory).io
        assert words <= bound.io <= played


def test_values_of_two_words():
    plain = grid((4, 4, 4))
    rows = plain.pred_indptr, plain.pred_indices
    dag = CDAG(*rows, words=[2] * plain.n, family=plain.family, params=plain.params)
    bound = segments(dag, 12)
    check(dag, 12, bound)
    assert bound.certificate.kind == "priced-layers"
    assert bound.io >= 2 * 20


def test_forged_certificates():
    """A change is refused, or proves no more than a play moves."""
    dag, memory = grid((4, 4, 4)), 6
    data = segments(dag, memory).certificate.data
    moved = play(dag, scheduler_named("structured")(dag, memory), memory).io
    prices = data["prices"]
    dear = [
        [price + 10**4 * (t == position) for t, price in enumerate(prices)]
        for position in range(10)
    ]
    for wrong in (
        *({"prices": entry} for entry in (dear[0], dear[3], dear[9], [9 * p for p in prices])),
        {"denominator": 1},
        {"sizes": [63], "times": [1]},
        {"sizes": [9], "times": [7]},
        {"sizes": [1], "times": [63]},
    ):
        assert proven_io(dag, memory, ONE_SHOT, Certificate("priced-layers", data | wrong)) <= moved
    for wrong in (
        {"shape": [4, 4]},
        {"shape": [64]},
        {"shape": "4x4x4"},
        {"prices": prices[1:]},
        {"prices": [-1, *prices[1:]]},
        {"prices": [2**20, *prices[1:]]},
        {"denominator": 0},
        {"sizes": [31], "times": [2]},
        {"sizes": [], "times": []},
        {"sizes": [63], "times": [1, 1]},
        {"sizes": [64, -1], "times": [1, 1]},
        {"more": 1},
    ):
        with pytest.raises(CertificateError):
            proven_io(dag, memory, ONE_SHOT, Certificate("priced-layers", data | wrong))
    line = data | {"shape": [5], "prices": [0] * 5, "sizes": [4], "times": [1]}
    with pytest.raises(CertificateError, match="line"):
        proven_io(grid((5,)), memory, ONE_SHOT, Certificate("priced-layers", line))
    repeated = Bound("segments", memory, 25, RULES["recompute"], Certificate("priced-layers", data))
    with pytest.raises(CertificateError, match="only if none is computed again"):
        check(dag, memory, repeated)
    wide = {"shape": [70] * 3, "prices": [0] * 208, "denominator": 1}
    wide |= {"sizes": [70**3 - 1], "times": [1]}
    with pytest.raises(CertificateError, match="take a table"):
        proven_io(grid((70, 70, 70)), 6, ONE_SHOT, Certificate("priced-layers", wide))
