"""Pairs of values that nests keep: sets by enumeration, plays, optima, forged certificates."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import (
    CDAG,
    attention,
    cholesky,
    convolution,
    fft,
    load,
    lu,
    matmul,
    matvec,
    qr_givens,
    syrk,
    triangular_solve,
)
from pebble import ONE_SHOT, RULES, Budget, Game, min_memory, play
from proofs import Bound, Certificate, CertificateError, check, compulsory
from proofs.bounds.loops.pair_prices import best_prices, choices, nests_of
from proofs.certificates import proven_io
from proofs.lemmas.loops.hbl import Measure, Shape
from proofs.lemmas.loops.kept_pairs import nest
from proofs.lemmas.loops.layered_sets import FAR, layers_of
from schedulers import structured
from tests.oracles import optimum
from tests.registries import QUICK_SCHEDULERS

FEW = range(1, 5)
TINY = [
    dag
    for dag in [
        *(matmul(m, n, k) for m, n, k in product(FEW, FEW, FEW)),
        *(matvec(m, n) for m, n in product(FEW, FEW)),
        *(syrk(n, k) for n, k in product(FEW, FEW)),
        *(triangular_solve(n, k) for n, k in product(FEW, FEW)),
        attention(1, 2),
        matmul(2, form="tree"),
        cholesky(3),
        lu(2),
        qr_givens(2),
        qr_givens(2, 3),
    ]
    if dag.n <= 10
]
LARGE = [
    attention(5, 3),
    cholesky(8),
    lu(7),
    matmul(3, 5, 4),
    matmul(6),
    matvec(9, 5),
    qr_givens(6),
    syrk(7, 4),
    triangular_solve(7, 4),
]
PRODUCT = (Measure("a", ("ik",)), Measure("b", ("kj",)), Measure("c", ("ij",)))


def test_tables_by_all_sets_of_products():
    """Every set of points of a box touches at least as many items as the table says."""
    shape = Shape({"i": 2, "j": 3, "k": 2, "s": 1}, PRODUCT)
    layers = layers_of(shape, "c", ("a", "b"))
    points = list(product(range(2), range(3), range(2)))
    minimum = np.full((13, 13), FAR)
    for chosen in range(1 << 12):
        sample = [point for place, point in enumerate(points) if chosen >> place & 1]
        c = len({(i, j) for i, j, _ in sample})
        operands = len({(i, k) for i, _, k in sample}) + len({(k, j) for _, j, k in sample})
        minimum[c, len(sample)] = min(minimum[c, len(sample)], operands)
    table = layers.operands(12)[:13, :13]
    assert (table <= minimum).all()
    assert (table[range(1, 7), range(2, 13, 2)] == [4, 6, 8, 8, 10, 10]).all()


def test_tables_by_all_sets_of_pairs():
    shape = Shape(
        {"i": 4, "j": 4, "k": 2}, (Measure("r", ("ik", "jk")), Measure("e", ("ij",))), "ij"
    )
    layers = layers_of(shape, "e", ("r",))
    points = [(i, j, k) for i in range(4) for j in range(i) for k in range(2)]
    table = layers.operands(12)
    for chosen in range(1, 1 << 12):
        sample = [point for place, point in enumerate(points) if chosen >> place & 1]
        rows = {(i, k) for i, _, k in sample} | {(j, k) for _, j, k in sample}
        assert table[len({(i, j) for i, j, _ in sample}), len(sample)] <= len(rows)
    assert [table[6, 2 * size] for size in (1, 3, 6)] == [3, 4, 8]


def test_tables_by_all_sets_of_two_products():
    """An index that all arrays have: sets in both products touch as much as in one of them."""
    named = (Measure("a", ("sik",)), Measure("b", ("skj",)), Measure("c", ("sij",)))
    layers = layers_of(Shape({"s": 2, "i": 2, "j": 2, "k": 2}, named), "c", ("a", "b"))
    points, table = list(product(range(2), repeat=4)), layers.operands(16)
    for chosen in np.random.default_rng(0).integers(1, 1 << 16, 3000).tolist():
        sample = [point for place, point in enumerate(points) if chosen >> place & 1]
        operands = {(s, i, k) for s, i, _, k in sample} | {(s, "b", j, k) for s, _, j, k in sample}
        assert table[len({(s, i, j) for s, i, j, _ in sample}), len(sample)] <= len(operands)


def test_copies_share_their_items():
    shape = Shape({"i": 3, "j": 3, "k": 3, "s": 2}, PRODUCT)
    table = layers_of(shape, "b", ("a", "c")).operands(20)
    assert [table[1, size] for size in (1, 2, 3, 6)] == [2, 2, 4, 6]
    assert table[1, 7] == FAR
    assert table[4, 8] == 4


@pytest.mark.parametrize("base", ["a", "b", "c"])
def test_any_array_makes_layers(base):
    shape = Shape({"i": 3, "j": 4, "k": 5}, PRODUCT)
    remaining = tuple(sorted({"a", "b", "c"} - {base}))
    assert (base, remaining) in choices(shape)
    assert layers_of(shape, base, (base, base)) is None
    assert layers_of(shape, base, (remaining[0], remaining[0])) is None


def windows(sizes, limit):
    """Sizes with prices of operands, base items and links, these no dearer than base items."""
    prices = st.tuples(*[st.integers(0, limit)] * 3).map(lambda three: (*three[:2], min(three[1:])))
    return st.builds(lambda size, three: (size, *three), sizes, prices)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_never_above_the_optimum(rules):
    proved = 0
    for dag in TINY:
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1):
            prices = best_prices(Game.of(dag, memory, rules), Budget())
            if prices is None:
                continue
            io = proven_io(dag, memory, rules, Certificate("kept-pairs", prices.data))
            assert io == compulsory(dag, memory).io + prices.excess
            assert io <= optimum(dag, memory, rules), (dag, memory)
            proved += 1
    assert proved or rules.partial


def sources_of(dag):
    """The sources of updates of a DAG, with the ways to choose base items and operands."""
    return [
        (source, *way)
        for source, shape in nests_of(Game.of(dag, min_memory(dag), ONE_SHOT), Budget())
        for way in choices(shape)
    ]


@given(st.sampled_from([dag for dag in TINY if sources_of(dag)]), st.data())
@settings(max_examples=60)
def test_any_prices_prove_no_more_than_optima(dag, data):
    """Also where windows are as long as a play, and all room is at its ends."""
    rules = RULES[data.draw(st.sampled_from(["one-shot", "one-shot-sliding"]))]
    memory = min_memory(dag, rules=rules) + data.draw(st.integers(0, 3))
    for source, base, operands in sources_of(dag)[:1]:
        pairs = nest(dag, source, base, operands)
        size = st.integers(1, max(1, pairs.updates))
        prices = data.draw(st.lists(windows(size, 4), min_size=1, max_size=2))
        excess = pairs.excess(memory, rules, data.draw(st.integers(1, 12)), 1, prices)
        assert compulsory(dag, memory).io + excess <= optimum(dag, memory, rules)


def plays_least(dag, memory):
    return min(play(dag, plan(dag, memory), memory).io for plan in QUICK_SCHEDULERS.values())


@pytest.mark.parametrize("dag", LARGE, ids=repr)
def test_no_play_is_better(dag):
    for memory in (min_memory(dag), 2 * min_memory(dag)):
        prices = best_prices(Game.of(dag, memory, ONE_SHOT), Budget())
        if prices is not None:
            certificate = Certificate("kept-pairs", prices.data)
            io = compulsory(dag, memory).io + prices.excess
            check(dag, memory, Bound("x", memory, io, ONE_SHOT, certificate))
            assert io <= plays_least(dag, memory)
    assert best_prices(Game.of(dag, min_memory(dag), ONE_SHOT), Budget()).excess > 0


@given(st.sampled_from(LARGE), st.data())
@settings(max_examples=60)
def test_any_prices_prove_no_more_than_plays_move(dag, data):
    """The theorem holds for all prices, not only for the best."""
    memory = min_memory(dag) + data.draw(st.integers(0, 9))
    source, base, operands = data.draw(st.sampled_from(sources_of(dag)))
    pairs = nest(dag, source, base, operands)
    window = windows(st.integers(1, min(30, pairs.updates)), 60)
    prices = data.draw(st.lists(window, min_size=1, max_size=3))
    excess = pairs.excess(memory, ONE_SHOT, 100, data.draw(st.integers(0, 60)), prices)
    assert compulsory(dag, memory).io + excess <= plays_least(dag, memory)


@pytest.mark.parametrize(
    ("text", "family", "memory"),
    [
        ("polybench/lu:N=10", lu(10), 8),
        ("polybench/cholesky:N=10", cholesky(10), 4),
    ],
)
def test_divisions_of_a_text_are_updates_too(text, family, memory):
    """Steps that end the items of an array count, as of the family: LU alone proved 101 for 122."""
    bounds = [best_prices(Game.of(dag, memory), Budget()) for dag in (load(text), family)]
    assert bounds[0].excess == bounds[1].excess > 0
    statements = bounds[0].data["source"]["space"]["statements"]
    assert len(statements) in (2, 3)  # updates of one text, or of two halves, and divisions
    io = compulsory(family, memory).io + bounds[0].excess
    for place in range(len(statements[1]["loops"])):  # divisions at other points
        moved = changed(bounds[0].data, ("source", "space", "statements", 1, "loops", place), -1)
        claimed = Bound("x", memory, io, ONE_SHOT, Certificate("kept-pairs", moved))
        try:
            check(load(text), memory, claimed)
        except CertificateError:
            continue
        assert io <= plays_least(family, memory)


def with_outputs(dag, outputs):
    return CDAG(
        dag.pred_indptr, dag.pred_indices, outputs=outputs, family=dag.family, params=dag.params
    )


def test_outputs_on_the_way_are_stored_anyway():
    """A partial sum that comes back costs two words, one where it is an output."""
    dag = matmul(5)
    everything = with_outputs(dag, dag.computed)
    names = {"family": dag.family, "params": dict(dag.params)}, "c", ("a", "b")
    kinds = [
        {tuple(row) for row in nest(dag, *names).of_base.tolist()} for dag in (dag, everything)
    ]
    assert kinds == [{(1, 2)}, {(1, 1)}]
    prices = best_prices(Game.of(everything, 5, ONE_SHOT), Budget())
    assert compulsory(everything, 5).io + prices.excess <= plays_least(everything, 5)


@given(st.data())
@settings(max_examples=60)
def test_a_dag_with_one_edge_changed(data):
    """What still passes proves no more than plays of the changed DAG move."""
    dag = data.draw(st.sampled_from([lu(4), cholesky(5), matmul(3), syrk(4, 2), qr_givens(3)]))
    indices = dag.pred_indices.copy()
    edge = data.draw(st.integers(0, dag.m - 1))
    reader = int(np.searchsorted(dag.pred_indptr, edge, side="right")) - 1
    row = slice(dag.pred_indptr[reader], dag.pred_indptr[reader + 1])
    remaining = sorted(set(range(reader)) - set(indices[row].tolist()))
    indices[edge] = data.draw(st.sampled_from(remaining))
    indices[row].sort()
    changed = CDAG(dag.pred_indptr, indices, family=dag.family, params=dag.params)
    memory = min_memory(changed)
    prices = best_prices(Game.of(changed, memory, ONE_SHOT), Budget())
    if prices is not None:
        plans = [plan for plan in QUICK_SCHEDULERS.values() if plan is not structured]
        best = min(play(changed, plan(changed, memory), memory).io for plan in plans)
        assert compulsory(changed, memory).io + prices.excess <= best


def changed(data, path, value):
    """A copy of the data with one place changed."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = changed(data[path[0]], path[1:], value)
    return copy


def places(data, path=()):
    """Every place of the data."""
    yield path
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))


@pytest.mark.parametrize(("dag", "memory"), [(matmul(5), 6), (cholesky(7), 4), (lu(6), 5)], ids=str)
def test_forged_certificates(dag, memory):
    """A change is rejected, or proves no more than what some play moves: then it is a proof."""
    prices = best_prices(Game.of(dag, memory, ONE_SHOT), Budget())
    rejected, limit = 0, plays_least(dag, memory)
    for path in places(prices.data):
        for value in ({}, [], None, "x", "a", 1, 0, -1, 7, 2.0, True, 2**31, 600, ["a", "b"]):
            data = changed(prices.data, path, value)
            try:
                assert proven_io(dag, memory, ONE_SHOT, Certificate("kept-pairs", data)) <= limit
            except CertificateError:
                rejected += 1
    assert rejected > 100
    certificate = Certificate("kept-pairs", prices.data)
    io = compulsory(dag, memory).io + prices.excess
    with pytest.raises(CertificateError, match="proves"):
        check(dag, memory, Bound("x", memory, io + 1, ONE_SHOT, certificate))
    with pytest.raises(CertificateError):
        proven_io(fft(16), memory, ONE_SHOT, certificate)
    with pytest.raises(CertificateError, match="too small"):
        proven_io(dag, 3, ONE_SHOT, certificate)


def test_where_it_does_not_hold():
    repeated = RULES["recompute"]
    assert best_prices(Game.of(lu(5), 5, repeated), Budget()) is None
    assert best_prices(Game.of(matmul(5), 5, repeated), Budget()).excess > 0
    assert best_prices(Game.of(convolution(6, 6, kernel=2), 6, ONE_SHOT), Budget()) is None
    prices = best_prices(Game.of(lu(5), 5, ONE_SHOT), Budget())
    with pytest.raises(CertificateError, match="recompute"):
        proven_io(lu(5), 5, repeated, Certificate("kept-pairs", prices.data))
