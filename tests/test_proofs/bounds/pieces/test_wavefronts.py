"""Wavefronts: the kernels against networkx, the checker by hand, the bound on known DAGs."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, from_edges, grid, tree
from pebble import ONE_SHOT, RULES, Budget, Rules, min_memory
from proofs import Bound, Certificate, CertificateError, NotApplicableError, check, wavefront
from proofs.bounds.pieces.cuts import Wavefronts, first_of_each_class, widest_scores
from proofs.bounds.pieces.cuts.classes import colours
from proofs.certificates import proven_io
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.pieces.wavefronts import WAVEFRONT, capacities, extra_words, relatives
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import dags

SLIDING = Rules(sliding=True)


def network_of(piece, x, price):
    """The network whose minimum cut is the least wavefront, for networkx."""
    graph = nx.DiGraph()
    graph.add_nodes_from(["source", "sink"])
    above, below = relatives(piece, x)
    for v, capacity in enumerate(capacities(piece, price).tolist()):
        graph.add_edge((v, "in"), (v, "out"), capacity=capacity)
        for u in piece.pred_indices[piece.pred_indptr[v] : piece.pred_indptr[v + 1]].tolist():
            graph.add_edge((u, "out"), (v, "in"))
            graph.add_edge((v, "in"), (u, "in"))
        if above[v]:
            graph.add_edge("source", (v, "in"))
        if below[v]:
            graph.add_edge((v, "in"), "sink")
    return graph


@given(dags(max_vertices=10), st.sampled_from([1, 2]))
def test_scores_are_minimum_cuts(dag, price):
    piece = Cutter(dag).whole()
    network = Wavefronts(piece, ONE_SHOT)
    for x in dag.computed.tolist():
        cut = nx.maximum_flow_value(network_of(piece, x, price), "source", "sink")
        vertex, score = network.widest(price, np.array([x], np.int32), -1)
        operands = rows(dag)[x]
        idle = sum(int(price * piece.words[u] - capacities(piece, price)[u]) for u in operands)
        assert (vertex, score) == (x, cut + price * piece.words[x] + idle)
        data = network.certificate(x, price)
        assert WAVEFRONT.proven(piece, 0, ONE_SHOT, data) == score


@given(dags(max_vertices=10))
def test_flows_by_rounds_score_as_those_in_one_go(dag):
    piece = Cutter(dag).whole()
    network = Wavefronts(piece, ONE_SHOT)
    for x in dag.computed.tolist():
        vertex, score = network.widest(2, np.array([x], np.int32), 0)
        result = network.wider(2, x, 0, late=bool)
        assert (result is not None) == (vertex == x)
        if result is not None:
            assert result[0] == score == WAVEFRONT.proven(piece, 0, ONE_SHOT, result[1])
            assert network.wider(2, x, score, late=bool) is None


def test_large_networks_prove_what_small_ones_do(monkeypatch):
    dag = fft(16)
    piece = Cutter(dag).whole()
    known = widest_scores(piece, ONE_SHOT, Budget())
    monkeypatch.setattr(Wavefronts, "is_large", True)
    result = widest_scores(piece, ONE_SHOT, Budget())
    assert [entry[:2] for entry in result] == [entry[:2] for entry in known]
    assert widest_scores(piece, ONE_SHOT, Budget(0.0)) == []


@given(dags(max_vertices=10))
def test_relatives_are_ancestors_and_descendants(dag):
    piece = Cutter(dag).whole()
    heads = np.repeat(np.arange(dag.n), dag.indegree).tolist()
    graph = nx.DiGraph(list(zip(dag.pred_indices.tolist(), heads, strict=True)))
    graph.add_nodes_from(range(dag.n))
    for x in range(dag.n):
        above, below = relatives(piece, x)
        assert set(np.flatnonzero(above).tolist()) == nx.ancestors(graph, x)
        assert set(np.flatnonzero(below).tolist()) == nx.descendants(graph, x) | {x}


def test_words_that_are_not_left():
    dag = from_edges(4, [(0, 2), (1, 2), (2, 3)], words=[2, 3, 7, 4])
    piece = Cutter(dag).whole()
    assert extra_words(piece, ONE_SHOT).tolist() == [2, 3, 7, 4]
    assert extra_words(piece, SLIDING)[2:].tolist() == [4, 0]


@pytest.mark.parametrize("dag", [fft(16), tree(4), grid((4, 4))], ids=lambda dag: dag.family)
def test_vertices_that_look_alike_share_a_colour(dag):
    """As many colours as orbits of the symmetries: one a level here, pairs (i, j), (j, i) there."""
    piece = Cutter(dag).whole()
    assert np.unique(colours(piece)).size == {"fft": 5, "tree": 5, "grid": 10}[dag.family]
    order = first_of_each_class(piece)
    assert sorted(order.tolist()) == dag.computed.tolist()


def hashed(number):
    """The hash of SplitMix64, by integers of any size."""
    z = (number + 1) * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


@given(dags(), st.integers(0, 3))
@settings(max_examples=20)
def test_colours_are_hashes_of_those_around(dag, rounds):
    piece = Cutter(dag).whole()
    flags = (piece.words * 4 + piece.is_input * 2 + piece.is_output).tolist()
    colour, before = flags, rows(dag)
    for _ in range(rounds):
        old, colour = list(map(hashed, colour)), []
        for v in range(dag.n):
            above = sum(old[u] for u in before[v])
            below = sum(old[w] for w in range(dag.n) if v in before[w])
            colour.append((old[v] + 3 * hashed(above) + 5 * hashed(below)) % 2**64)
    assert colours(piece, rounds).tolist() == colour


def two_passes(k, words=None):
    """One input, k values from it, a chain that adds them up, and each divided by the sum."""
    edges = [(0, 1 + i) for i in range(k)]
    sums = [1, *range(k + 1, 2 * k)]
    for i in range(1, k):
        edges += [(sums[i - 1], sums[i]), (1 + i, sums[i])]
    edges += [edge for i in range(k) for edge in ((1 + i, 2 * k + i), (sums[-1], 2 * k + i))]
    return from_edges(3 * k, edges, words=words)


@pytest.mark.parametrize("k", [3, 6, 40])
def test_what_waits_for_a_sum(k):
    """While the last sum is computed, k values and the sum before it are in use: k + 2 words."""
    dag = two_passes(k)
    for memory in (3, k + 1, k + 2):
        assert wavefront(dag, memory).io == 1 + k + max(0, 2 * (k + 2 - memory))
    assert wavefront(dag, 3, rules=SLIDING).io == 1 + k + 2 * (k + 1 - 3)


def test_it_stays_below_published_optima():
    for shape, optima in {(4, 4): {3: 14, 4: 6, 5: 2}, (5, 5): {3: 25, 4: 10, 5: 6}}.items():
        for memory, best in optima.items():
            assert 2 <= wavefront(grid(shape), memory).io <= best
    assert wavefront(grid((5, 5)), 4).io == 6


def test_one_search_serves_all_memories():
    dag = grid((12, 12))
    bounds = [wavefront(dag, memory).io for memory in range(3, 14)]
    assert bounds == sorted(bounds, reverse=True)
    differences = np.diff(bounds)
    assert set(differences.tolist()) <= {0, -1, -2}


def test_recomputation_is_refused():
    with pytest.raises(NotApplicableError, match="only where each value is computed once"):
        wavefront(fft(8), 4, rules=RULES["recompute"])


@pytest.mark.parametrize(("k", "words"), [(3, None), (3, [2, 1, 3, 1, 2, 1, 1, 3, 1])])
@pytest.mark.parametrize("rules", [ONE_SHOT, SLIDING])
def test_whatever_a_changed_certificate_proves_is_true(k, words, rules):
    dag = two_passes(k, words)
    memory = min_memory(dag, rules=rules)
    bound = wavefront(dag, memory, rules=rules)
    best = optimum(dag, memory, rules)
    rejected = 0
    for field, entry in bound.certificate.data["parts"][0]["data"].items():
        for value in changed(entry):
            forged = with_field(bound, field, value)
            try:
                assert proven_io(dag, memory, rules, forged.certificate) <= best
                check(dag, memory, forged)
            except CertificateError:
                rejected += 1
    assert rejected > 10


def changed(entry):
    """Other values for a field: one more, one less, another entry."""
    if isinstance(entry, int):
        return [entry + 1, entry - 1]
    lists = [entry[:-1], np.append(entry, 0)]
    return lists + [entry + step * (np.arange(entry.size) == i) for i in range(entry.size)
                    for step in (1, -1)]  # fmt: skip


def with_field(bound, field, value):
    (part,) = bound.certificate.data["parts"]
    parts = [{**part, "data": {**part["data"], field: value}}]
    return replace(bound, certificate=Certificate("parts", {"parts": parts}))


def flow_by_hand(**changes):
    """Two operands wait in a DAG of two inputs, two values and one reader of both."""
    dag = from_edges(5, [(0, 2), (1, 3), (2, 4), (3, 4)])
    data = {
        "vertex": 4,
        "price": 2,
        "edges": [2, 3],
        "amounts": [2, 2],
        "closures": [],
        "returns": [],
    }
    parts = [{"vertices": "all", "proof": "wavefront", "data": {**data, **changes}}]
    return dag, parts


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"vertex": 0}, "vertex"),
        ({"vertex": 5}, "vertex"),
        ({"vertex": 2}, "amounts"),
        ({"price": 3}, "price"),
        ({"price": 1}, "amounts"),
        ({"amounts": [3, 2]}, "amounts"),
        ({"amounts": [0, 2]}, "amounts"),
        ({"amounts": [2]}, "amounts"),
        ({"amounts": [2**63, 2]}, "amounts"),
        ({"edges": [3, 2]}, "edges"),
        ({"edges": [2, 4]}, "edges"),
        # Each difference of neighbours is positive modulo 2^64: edge 2 would count twice.
        ({"edges": [2, 2**62 + 2, 1 - 2**62, 1, 2], "amounts": [1] * 5}, "edges"),
        ({"closures": [0], "returns": [2**62]}, "returns"),
    ],
)
def test_flows_that_are_none(changes, field):
    dag, parts = flow_by_hand(**changes)
    bound = Bound("wavefront", 2, 5, ONE_SHOT, Certificate("parts", {"parts": parts}))
    with pytest.raises(CertificateError) as caught:
        check(dag, 2, bound)
    assert caught.value.field == f"parts 0, {field}"


def test_a_flow_by_hand():
    dag, parts = flow_by_hand()
    certificate = Certificate("parts", {"parts": parts})
    check(dag, 2, Bound("wavefront", 2, 5, ONE_SHOT, certificate))
    check(dag, 2, Bound("wavefront", 2, 3, SLIDING, certificate))
