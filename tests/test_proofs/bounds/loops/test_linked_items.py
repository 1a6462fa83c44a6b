"""Values that go from base items to operands: sets, tables by a plain twin, optima, plays."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from dags import load, lu, matmul, qr_givens, triangular_solve
from dags.families.recognition.recogniser import spec_of
from pebble import ONE_SHOT, Budget, Game
from proofs import Certificate, CertificateError, compulsory
from proofs.bounds.loops.pair_prices import best_prices, nests_of
from proofs.certificates import proven_io
from proofs.lemmas.loops.kept_pairs import nest
from proofs.lemmas.loops.linked_items import MOST_LINKED, Crossing, least_linked
from tests.oracles import optimum
from tests.test_proofs.bounds.loops.test_pair_prices import changed, plays_least

LU, ROTATIONS = ("bc", ("ab", "ac")), ("row", ("pivot", "rotation"))
SIZES = {"lu": "n=6", "triangular_solve": "n=6,k=3"}  # large enough to tell what is read
PRICES = [(1, 1, 1), (2, 2, 1), (4, 2, 1), (2, 4, 3), (1, 3, 3), (3, 5, 0)]


def of_family(dag, base, operands):
    return nest(dag, {"family": dag.family, "params": dict(dag.params)}, base, operands)


def of_program(dag, base, operands):
    """The pairs of updates and divisions of the program that a family is.

    Parameters
    ----------
    dag
        The DAG.
    base, operands
        What the arrays keep, of the indices of its space.
    """
    sources = nests_of(Game.of(load(f"{dag.family}:{SIZES[dag.family]}"), 4, ONE_SHOT), Budget())
    source, shape = next(known for known in sources if len(known[0]["space"]["statements"]) == 2)
    source = {**source, "member": spec_of(dag.family, dag.params)}
    names = {measure.projections[0]: measure.name for measure in shape.measures}
    return nest(dag, source, names[base], tuple(names[kept] for kept in operands))


def twin(remaining, linked, size, prices):
    """The least cost of so many updates, layer after layer, each of any number, in plain Python."""
    operand, entry, link = prices

    @cache
    def below(room, left):
        best = np.inf
        for count in range(1, min(room, left) + 1):
            for s in range(1, min(linked, count) + 1):
                r = -(-count // s)
                links = range(s + 1) if count < left else ()
                behind = ((entry - link) * m + below(room + m, left - count) for m in links)
                if r <= remaining:
                    best = min(best, operand * (r + s) + min(behind, default=0))
        return best

    return min(entry * room + below(room, size) for room in range(1, size + 1))


@pytest.mark.parametrize("prices", PRICES)
def test_tables_as_by_a_plain_twin(prices):
    for sides in (Crossing(2, 3), Crossing(6, 6)):
        table = least_linked(sides, 11, *prices)
        twins = [twin(sides.others, sides.linked, size, prices) for size in range(1, 12)]
        assert [*table[1:]] == twins


def points_of_lu(n):
    """The points of the updates and divisions."""
    return [(i, j, k) for k in range(n) for i in range(k + 1, n) for j in range(k, n)]


def cost_in_lu(chosen, prices):
    """What a set of points costs: its operands, entries, and rows of U made and read in it."""
    operand, entry, link = prices
    entries = {(i, j) for i, j, _ in chosen}
    rows = {(k, j) for _, j, k in chosen}
    pair = {(k, j) for k, j in rows if (k, j, k - 1) in chosen}
    lower = {(i, k) for i, _, k in chosen}
    return operand * (len(rows) + len(lower)) + entry * len(entries) - link * len(pair)


def test_tables_by_all_sets_of_a_small_factorization():
    points, sides = points_of_lu(3), of_program(lu(3), *LU).sides
    for prices, chosen in product(PRICES, range(1, 1 << len(points))):
        sample = {point for place, point in enumerate(points) if chosen >> place & 1}
        assert least_linked(sides, len(sample), *prices)[-1] <= cost_in_lu(sample, prices)


def test_tables_by_sets_that_grow_to_cost_least():
    """Sets of up to 24 points, each with one more of those that add least."""
    points, sides = points_of_lu(6), of_program(lu(6), *LU).sides
    rng = np.random.default_rng(5)
    for prices in PRICES[:5]:
        table, chosen = least_linked(sides, 24, *prices), {points[rng.integers(len(points))]}
        while len(chosen) < 24:
            left = [point for point in points if point not in chosen]
            tried = [left[place] for place in rng.permutation(len(left))[:20]]
            chosen.add(min(tried, key=lambda point: cost_in_lu(chosen | {point}, prices)))
            assert table[len(chosen)] <= cost_in_lu(chosen, prices)


def test_links_are_the_rows_that_updates_make():
    n = 6
    result = of_program(lu(n), *LU)
    readers = [n - 1 - k for k in range(1, n - 1) for _ in range(k, n)]
    assert sorted(result.of_links[:, 0]) == sorted(reader - 1 for reader in readers)
    assert (result.of_links[:, 1] == result.of_links[:, 0] + 1).all()  # outputs are stored anyway
    turned = of_family(qr_givens(n), *ROTATIONS)
    assert turned.of_links.size
    assert (turned.of_links[:, 1] == turned.of_links[:, 0] + 2)[:-1].any()
    for second in (of_program(lu(n), "ab", ("bc", "ac")), product_of(matmul(4))):
        assert not second.of_links.size


def product_of(dag):
    return of_family(dag, "c", ("a", "b"))


def test_divisions_make_no_links():
    built = of_program(triangular_solve(6, 3), "ab", ("ac", "bc"))
    assert not built.of_links.size


@pytest.mark.parametrize("memory", [4, 5, 6])
def test_no_prices_prove_more_than_the_optimum(memory):
    dag, pairs = lu(3), of_program(lu(3), *LU)
    minimum, rng = optimum(dag, memory, ONE_SHOT), np.random.default_rng(memory)
    for _ in range(400):
        size, denominator = (int(rng.integers(2, top)) for top in (9, 13))
        operand, entry = rng.integers(0, 6, 2).tolist()
        window = (size, operand, entry, int(rng.integers(entry + 1)))
        excess = pairs.excess(memory, ONE_SHOT, denominator, int(rng.integers(4)), [window])
        assert compulsory(dag, memory).io + excess <= minimum


@pytest.mark.parametrize(("dag", "memory"), [(lu(12), 16), (qr_givens(12), 16)], ids=repr)
def test_links_prove_more_and_forged_ones_do_not_hold(dag, memory):
    result, limit = best_prices(Game.of(dag, memory, ONE_SHOT), Budget()), plays_least(dag, memory)
    (window,) = result.data["windows"]
    without = changed(result.data, ("windows", 0, "link"), 0)
    io = compulsory(dag, memory).io + result.excess
    assert proven_io(dag, memory, ONE_SHOT, Certificate("kept-pairs", without)) < io <= limit
    for link in (1, 5, 7, 8):
        data = changed(result.data, ("windows", 0, "link"), link)
        assert proven_io(dag, memory, ONE_SHOT, Certificate("kept-pairs", data)) <= limit
    for key, value in (
        ("link", -1),
        ("link", "1"),
        ("link", 9),
        ("size", MOST_LINKED + 1),
        ("links", 1),
    ):
        data = changed(result.data, ("windows", 0), {**window, key: value})
        with pytest.raises(CertificateError):
            proven_io(dag, memory, ONE_SHOT, Certificate("kept-pairs", data))
