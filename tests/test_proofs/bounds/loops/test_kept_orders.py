"""Items that nests keep with room for few: all sequences, optima, plays, forged certificates."""

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest

from dags import CDAG, cholesky, lu, matmul, qr_givens, triangular_solve
from pebble import ONE_SHOT, RULES, Budget, Game, min_memory, play
from proofs import Bound, Certificate, CertificateError, check, compulsory
from proofs.bounds.loops.kept_values import best_orders
from proofs.bounds.loops.pair_prices import best_prices, choices, nests_of
from proofs.certificates import proven_io
from proofs.lemmas.loops.kept_orders import (
    PAIRS,
    PRODUCTS,
    Prices,
    excess,
    finishing_steps,
    kinds_of,
    most_kept,
)
from proofs.lemmas.loops.kept_pairs import nest
from schedulers import structured
from tests.oracles import optimum
from tests.registries import QUICK_SCHEDULERS
from tests.test_proofs.bounds.loops.test_pair_prices import changed, places, plays_least

TINY = [cholesky(3), lu(3), triangular_solve(3, 1), triangular_solve(2, 3), qr_givens(2, 3)]
LARGE = [cholesky(7), lu(6), triangular_solve(6, 4), qr_givens(5)]


def items(kinds, point):
    i, j, k = point
    rows = {("ij", i, j), ("ik", i, k), ("jk", j, k)}
    return rows if kinds == PRODUCTS else {("ij", i, j), ("rk", i, k), ("rk", j, k)}


def worth(sequence, kinds, room, prices):
    """The most that a sequence of points keeps, by all sets of what could be kept."""
    touched = [items(kinds, point) for point in sequence]
    gaps = []
    for item in set().union(*touched):
        position = [step for step, chosen in enumerate(touched) if item in chosen]
        price = prices.entry if item[0] == "ij" else prices.operand
        gaps += [(begin, end, price) for begin, end in pairwise(position)]
    best = 0
    for size in range(len(gaps) + 1):
        for gap in combinations(gaps, size):
            waiting = [sum(a < y < b for a, b, _ in gap) for y in range(len(sequence))]
            if max(waiting) <= room:
                best = max(best, sum(price for *_, price in gap))
    return best


def all_points(kinds, rows, layers):
    pairs = product(range(rows), repeat=2) if kinds == PRODUCTS else combinations(range(rows), 2)
    return [(*pair, k) for pair in pairs for k in range(layers)]


@pytest.mark.parametrize(("kinds", "rows"), [(PRODUCTS, 2), (PAIRS, 3)])
@pytest.mark.parametrize("room", [0, 1, 2])
def test_all_short_sequences(kinds, rows, room):
    prices = Prices(2, 3)
    points = all_points(kinds, rows, 3)
    for steps in (1, 2, 3):
        result = max(worth(point, kinds, room, prices) for point in permutations(points, steps))
        assert result == most_kept(kinds, room, prices, steps, 0)
    fours = ((points[0], *point) for point in permutations(points[1:], 3))
    result = max(worth(four, kinds, room, prices) for four in fours)
    assert result <= most_kept(kinds, room, prices, 4, 0) <= result + prices.entry


@pytest.mark.parametrize("kinds", [PRODUCTS, PAIRS])
def test_longer_sequences_keep_no_more(kinds):
    points, rng = all_points(kinds, 3 + (kinds == PAIRS), 3), np.random.default_rng(3)
    for _ in range(60):
        sequence = [points[place] for place in rng.permutation(len(points))[:6]]
        for room, prices in product((1, 2), (Prices(1, 1), Prices(1, 2), Prices(3, 1))):
            kept = worth(sequence, kinds, room, prices)
            assert kept <= most_kept(kinds, room, prices, len(sequence), 0)


def nests_of_family(dag):
    """The nests of a family for which the argument holds, with their finishing steps."""
    for source, shape in nests_of(Game.of(dag, 5, ONE_SHOT), Budget()):
        for base, operands in choices(shape):
            if (verified := nest_with_steps(dag, source, base, operands)) is not None:
                yield verified


def nest_with_steps(dag, source, base, operands):
    """A nest and its finishing steps; None where the checker refuses them."""
    try:
        pairs = nest(dag, source, base, operands)
        return pairs, finishing_steps(dag, pairs, source, base, operands)
    except CertificateError:
        return None


@pytest.mark.parametrize("dag", TINY, ids=repr)
def test_no_prices_prove_more_than_the_optimum(dag):
    rng, tried = np.random.default_rng(dag.n), 0
    for rules in (ONE_SHOT, RULES["one-shot-sliding"]):
        for room, (result, finishing) in product((0, 1, 2), nests_of_family(dag)):
            if room > 1 and kinds_of(result) == PRODUCTS:  # takes long
                continue
            memory = room + 3 + (not rules.sliding)
            if memory < min_memory(dag, rules=rules):
                continue
            minimum = optimum(dag, memory, rules)
            for _ in range(12):
                prices = Prices(*rng.integers(0, 9, 2).tolist(), int(rng.integers(-5, 6)))
                kept = most_kept(kinds_of(result), room, prices, result.updates, finishing)
                extra = excess(result, int(rng.integers(1, 8)), prices, kept)
                assert compulsory(dag, memory).io + extra <= minimum
                tried += 1
    assert tried


@pytest.mark.parametrize("dag", LARGE, ids=repr)
def test_no_play_is_better(dag):
    for memory in (4, 5, 6) if dag.family == "cholesky" else (4, 5):
        result = best_orders(Game.of(dag, memory, ONE_SHOT), Budget())
        io = compulsory(dag, memory).io + result.excess
        certificate = Certificate("kept-orders", result.data)
        check(dag, memory, Bound("x", memory, io, ONE_SHOT, certificate))
        assert io <= plays_least(dag, memory)
        with pytest.raises(CertificateError, match="proves"):
            check(dag, memory, Bound("x", memory, io + 1, ONE_SHOT, certificate))


def test_more_than_by_room_in_all():
    dag = cholesky(12)
    assert (
        best_orders(Game.of(dag, 5, ONE_SHOT), Budget()).excess
        > 1.1 * best_prices(Game.of(dag, 5, ONE_SHOT), Budget()).excess
    )


def test_where_it_is_not_known():
    """Where room is for many, or a sum begins with an update that reads two values."""
    assert best_orders(Game.of(lu(6), 7, ONE_SHOT), Budget()) is None
    assert best_orders(Game.of(lu(6), 5, RULES["recompute"]), Budget()) is None
    assert best_orders(Game.of(matmul(4), 5, ONE_SHOT), Budget()) is None


def test_finishing_steps_are_verified():
    """Of a DAG with one edge changed: what still passes proves no more than plays move."""
    dag, lower, refused = cholesky(5), 0, 0
    known = best_orders(Game.of(dag, 5, ONE_SHOT), Budget()).excess
    claims = [
        (source, *way)
        for source, shape in nests_of(Game.of(dag, 5, ONE_SHOT), Budget())
        for way in choices(shape)
    ]
    verified = [nest_with_steps(dag, *claim) for claim in claims]
    counts = [None if pair is None else pair[1] for pair in verified]
    assert {*counts} == {None, 0, 10}
    claim = claims[counts.index(10)]
    for edge in np.random.default_rng(1).integers(0, dag.m, 15).tolist():
        indices = dag.pred_indices.copy()
        reader = int(np.searchsorted(dag.pred_indptr, edge, side="right")) - 1
        row = slice(dag.pred_indptr[reader], dag.pred_indptr[reader + 1])
        indices[edge] = next(v for v in range(reader - 1, -1, -1) if v not in indices[row])
        indices[row].sort()
        second = CDAG(dag.pred_indptr, indices, family=dag.family, params=dag.params)
        refused += nest_with_steps(second, *claim) is None
        result = best_orders(Game.of(second, 5, ONE_SHOT), Budget())
        lower += result is None or result.excess < known
        if result is not None:
            plans = [plan for plan in QUICK_SCHEDULERS.values() if plan is not structured]
            best = min(play(second, plan(second, 5), 5).io for plan in plans)
            assert compulsory(second, 5).io + result.excess <= best
    assert 3 < lower < 15
    assert 3 < refused < 15


def test_forged_certificates():
    dag, memory = cholesky(6), 5
    result, limit, rejected = (
        best_orders(Game.of(dag, memory, ONE_SHOT), Budget()),
        plays_least(dag, 5),
        0,
    )
    for path in places(result.data):
        for value in ({}, None, "x", "rows", 1, 0, -1, 7, 2.0, 2**31, ["entries"]):
            data = changed(result.data, path, value)
            try:
                assert proven_io(dag, memory, ONE_SHOT, Certificate("kept-orders", data)) <= limit
            except CertificateError:
                rejected += 1
    assert rejected > 60
    for second, words, rules in (
        (lu(6), 5, "one-shot"),
        (dag, 5, "recompute"),
        (dag, 9, "one-shot"),
    ):
        with pytest.raises(CertificateError):
            proven_io(second, words, RULES[rules], Certificate("kept-orders", result.data))
