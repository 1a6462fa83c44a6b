"""Shares of moments and pieces: the search against networkx, the checker by hand, the bound."""

import math
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, from_edges, grid, hypercube, random_layered, tree
from dags.cdag.construct import post_order
from pebble import ONE_SHOT, RULES, Budget, Rules, compulsory_words, min_memory
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    decomposition,
    wavefront,
)
from proofs.bounds.pieces import staged
from proofs.bounds.pieces.cuts import wavefront_excess
from proofs.bounds.pieces.packing import (
    Inequality,
    Moments,
    Packed,
    Packing,
    PieceBound,
    ShareProgram,
    exact_shares,
    pack,
    piece_inequalities,
    reach_of,
)
from proofs.bounds.pieces.vertex_blocks import bands, clusters, divisions, runs
from proofs.certificates import proven_io
from proofs.certificates.pieces.piece import Cutter
from tests.oracles import optimum
from tests.strategies import dags
from tests.test_proofs.bounds.pieces.test_wavefronts import network_of, two_passes


def operands_of(piece, x):
    """The operands of a vertex in a piece."""
    return piece.pred_indices[piece.pred_indptr[x] : piece.pred_indptr[x + 1]].tolist()


def most_earned(piece, x, theta, prices):
    """What a flow around x earns at most, by the network simplex method; prices in tenths.

    Nothing flows through the operands of x: they are in fast memory.
    """
    graph = network_of(piece, x, theta)
    nx.set_edge_attributes(graph, 0, "weight")
    for _, _, arc in graph.edges(data=True):
        arc.setdefault("capacity", 10**6)
    for v, price in enumerate(prices.tolist()):
        graph[v, "in"][v, "out"]["weight"] = price
    for u in operands_of(piece, x):
        graph[u, "in"][u, "out"]["capacity"] = 0
    graph.add_edge("sink", "source", weight=-10, capacity=10**6)
    return -nx.min_cost_flow_cost(graph) / 10


@given(dags(max_vertices=9), st.lists(st.integers(0, 9), min_size=9, max_size=9))
def test_the_flow_that_is_worth_most(dag, tenths):
    prices = np.array(tenths[: dag.n])
    piece = Cutter(dag).whole()
    moments = Moments(piece, -1000, ONE_SHOT, reach=dag.n)  # so little room: all are worth more
    assert len(list(moments.widest(Budget()))) % max(1, dag.computed.size) == 0
    for entry in moments.worth_more(prices / 10, Budget()):
        vertices, kind, data = entry.part()
        x, theta = int(vertices[data["vertex"]]), data["price"]
        assert kind == "moment"
        earned = entry.least - (entry.words @ prices[entry.vertices]) / 10
        assert not set(entry.vertices.tolist()) & set(operands_of(piece, x))
        operands = int(piece.words[operands_of(piece, x)].sum())
        room = theta * (-1000 - int(piece.words[x]) - operands)
        assert earned + room == pytest.approx(most_earned(piece, x, theta, prices))


@given(st.data())
@settings(max_examples=200)
def test_it_never_exceeds_the_optimum_and_its_certificate_stands(data):
    dag = data.draw(dags(max_vertices=9))
    rules = data.draw(st.sampled_from([ONE_SHOT, Rules(sliding=True)]))
    memory = max(1, min_memory(dag, rules=rules))
    bound = decomposition(dag, memory, rules=rules, time_limit=0.2)
    check(dag, memory, bound)
    assert compulsory_words(dag) <= bound.io <= optimum(dag, memory, rules)


@pytest.fixture
def apart(monkeypatch):
    """Moments of one order, which take seconds more and prove no less, are not tried."""
    monkeypatch.setattr(staged, "least_seconds", lambda full: math.inf)
    monkeypatch.setattr(staged, "seconds_of", lambda full, seconds: 0.0)


@pytest.mark.usefixtures("apart")
def test_it_contains_the_widest_wavefront():
    for dag in (two_passes(12), grid((9, 9)), tree(5), random_layered(n=80, seed=3)):
        memory = min_memory(dag)
        bound = decomposition(dag, memory)
        check(dag, memory, bound)
        assert bound.io >= wavefront(dag, memory).io


@pytest.mark.usefixtures("apart")
def test_many_moments_prove_more_than_one():
    dag = grid((10, 10))
    assert decomposition(dag, 4).io - 2 > 1.5 * (wavefront(dag, 4).io - 2)


def test_a_search_goes_on_where_it_was():
    piece = Cutter(grid((10, 10))).whole()
    packing = Packing(Moments(piece, 4, ONE_SHOT, reach_of(4)))
    for seconds in (0.0, 0.1, 1.0):
        shares = exact_shares(packing.packed(Budget(seconds)), piece.price * piece.words)
    at_once = pack(piece, 4, ONE_SHOT, budget=Budget(1.0)).words
    assert shares.words / shares.denominator > 0.9 * at_once


def test_blocks_of_large_dags(monkeypatch):
    monkeypatch.setattr("proofs.bounds.pieces.decomposition.WHOLE", 100)
    monkeypatch.setattr("proofs.bounds.pieces.decomposition.BLOCK_SIZES", (64, 150))
    decomposition(grid((4, 26)), 4, time_limit=0.5)  # compiles, which its seconds are not for
    dag = grid((24, 24))
    bound = decomposition(dag, 4, time_limit=1)
    check(dag, 4, bound)
    assert bound.io > wavefront(dag, 4).io


def test_recomputation_is_refused():
    with pytest.raises(NotApplicableError, match="only where each value is computed once"):
        decomposition(fft(8), 4, rules=RULES["recompute"])


@pytest.mark.parametrize("size", [7, 40])
@pytest.mark.parametrize("dag", [fft(16), grid((9, 9)), tree(5), hypercube(5), from_edges(9, [])])
def test_partitions_hold_every_vertex_once(dag, size):
    for blocks in divisions(dag, size):
        assert sorted(np.concatenate(blocks).tolist()) == list(range(dag.n))
        assert all(0 < block.size <= size and (np.diff(block) > 0).all() for block in blocks)


def test_partitions_of_known_dags():
    assert [block.tolist() for block in runs(np.array([3, 1, 0, 2, 4]), 3)] == [
        [0, 1, 3],
        [2, 4],
    ]
    assert {block.size for block in bands(fft(64), 32)} == {32, 24}  # 8 points, 4 levels or 3
    heads = np.repeat(np.arange(7), tree(2).indegree)
    place = np.argsort(post_order(tree(2)))
    assert (place[tree(2).pred_indices] < place[heads]).all()
    connected = nx.Graph(list(zip(heads.tolist(), tree(2).pred_indices.tolist(), strict=True)))
    (full,) = clusters(tree(2), 7)
    assert nx.is_connected(connected.subgraph(full.tolist()))


def test_the_program_and_its_rounding():
    """Three pairs of three values: half of each is best, and a word is worth half of one."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    units = np.ones(2, np.int64)
    program = ShareProgram(np.ones(3, np.int64))
    results = [Inequality(np.array(pair), units, 1, lambda: None) for pair in pairs]
    assert program.add(results)
    assert not program.add(results)
    assert program.worth.tolist() == pytest.approx([0.5, 0.5, 0.5])
    shares = exact_shares(program.packed, np.ones(3, np.int64))
    assert (shares.denominator, shares.words, shares.numerators) == (2, 3, (1, 1, 1))
    too_much = replace(program.packed, words=9.0, shares=np.full(3, 0.75))
    assert exact_shares(too_much, np.ones(3, np.int64)).words <= 3


def test_bounds_on_pieces_are_among_the_inequalities():
    dag = two_passes(9)
    cutter = Cutter(dag)
    bounds = (PieceBound(wavefront_excess, sizes=(18,)),)
    result = list(piece_inequalities(bounds, cutter, cutter.whole(), 3, ONE_SHOT, Budget()))
    assert result[0].least == wavefront(dag, 3).io - compulsory_words(dag)
    parts = [
        {"vertices": vertices, "share": 1, "proof": kind, "data": data}
        for vertices, kind, data in (entry.part() for entry in result[:1])
    ]
    certificate = Certificate("shares", {"denominator": 1, "parts": parts})
    assert proven_io(dag, 3, ONE_SHOT, certificate) == wavefront(dag, 3).io
    twice = Certificate("shares", {"denominator": 1, "parts": 2 * parts})
    with pytest.raises(CertificateError, match="is used more than once"):
        proven_io(dag, 3, ONE_SHOT, twice)
    half = [{**part, "share": 1} for part in 2 * parts]
    halves = Certificate("shares", {"denominator": 2, "parts": half})
    assert proven_io(dag, 3, ONE_SHOT, halves) == wavefront(dag, 3).io


def test_nothing_is_rounded_to_nothing():
    empty = Packed(0.0, (), np.zeros(0))
    assert exact_shares(empty, np.ones(3, np.int64)).words == 0


@pytest.mark.parametrize("kind", ["shares", "staged"])
def test_whatever_a_changed_certificate_proves_is_true(kind, monkeypatch):
    if kind == "shares":
        monkeypatch.setattr("proofs.bounds.pieces.decomposition.WHOLE", 1)
    dag = two_passes(4)
    bound = decomposition(dag, 3)
    assert bound.certificate.kind == kind
    best = optimum(dag, 3, ONE_SHOT)
    rejected = 0
    for data in changed(plain(bound.certificate.data)):
        try:
            assert proven_io(dag, 3, ONE_SHOT, Certificate(kind, data)) <= best
            check(dag, 3, Bound("decomposition", 3, bound.io, ONE_SHOT, Certificate(kind, data)))
        except CertificateError:
            rejected += 1
    assert rejected > 20


def plain(value):
    """The same with arrays as lists."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return [plain(entry) for entry in value] if isinstance(value, list | np.ndarray) else value


def changed(value):
    """Yield copies of a JSON value with one number or length changed."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from ({**value, key: second} for second in changed(entry))
            yield {second: value[second] for second in value if second != key}
    elif isinstance(value, list):
        yield value[:-1]
        for i, entry in enumerate(value):
            yield from ([*value[:i], second, *value[i + 1 :]] for second in changed(entry))
    elif isinstance(value, str):
        yield value + "x"
    else:
        yield from (int(value) + 1, int(value) - 1)
