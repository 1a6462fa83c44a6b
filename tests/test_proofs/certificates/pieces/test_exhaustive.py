"""Exhaustive search of pieces against the oracle, and the checker of what it proves."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, pyramid
from pebble import ONE_SHOT, RULES, min_memory
from proofs.certificates import CertificateError
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.exhaustive import least_excess, proven
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.search import game
from proofs.certificates.search._kernels import greatest_flow
from proofs.certificates.search.fronts import fronts
from proofs.certificates.search.game import members
from proofs.certificates.search.swaps import Relations, swaps
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import dags, memories

ONCE = [rules for rules in RULES.values() if not rules.recompute]


def butterfly(levels):
    """Part of a larger butterfly: `levels` above their sources, which come from nothing."""
    whole = fft(2 << levels)
    vertices = np.arange(whole.n).reshape(-1, whole.params["n"])[1:, ::2]
    return Cutter(whole).cut(vertices.ravel())


@given(st.data())
@settings(max_examples=300)
def test_the_search_finds_the_optimum(data):
    dag = data.draw(dags(max_vertices=9))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    found = least_excess(Cutter(dag).whole(), memory, rules)
    assert found.complete
    assert compulsory_words(dag) + found.excess == optimum(dag, memory, rules)


@given(st.data())
@settings(max_examples=200)
def test_pieces_add_up_to_no_more_than_the_optimum(data):
    dag = data.draw(dags(max_vertices=9))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(st.integers(min_memory(dag, rules=rules), min_memory(dag, rules=rules) + 2))
    where = np.array(data.draw(st.lists(st.integers(0, 2), min_size=dag.n, max_size=dag.n)))
    cutter = Cutter(dag)
    pieces = [cutter.cut(np.flatnonzero(where == part)) for part in range(3)]
    total = sum(least_excess(piece, memory, rules).excess for piece in pieces)
    assert compulsory_words(dag) + total <= optimum(dag, memory, rules)


@pytest.mark.parametrize(("memory", "excess"), [(3, 24), (4, 15), (8, 4)])
def test_a_butterfly_of_eight_points_with_free_sources(memory, excess):
    piece = butterfly(3)
    found = least_excess(piece, memory, ONE_SHOT)
    assert (found.excess, found.complete) == (excess, True)
    assert proven(piece, memory, ONE_SHOT, {"excess": excess}) == excess
    with pytest.raises(CertificateError, match=f"excess: is {excess + 1}, but a play has {excess}"):
        proven(piece, memory, ONE_SHOT, {"excess": excess + 1})


def test_less_than_the_least_excess_is_proved_as_well():
    piece = butterfly(3)
    assert [proven(piece, 4, ONE_SHOT, {"excess": claim}) for claim in (0, 7, 14)] == [0, 7, 14]


@pytest.mark.parametrize("data", [{}, {"excess": -1}, {"excess": 1.0}, {"excess": 0, "more": 1}])
def test_malformed_certificates_are_rejected(data):
    with pytest.raises(CertificateError):
        proven(butterfly(2), 4, ONE_SHOT, data)


def test_large_pieces_and_small_memories_are_refused():
    with pytest.raises(CertificateError, match="more than 64"):
        proven(Cutter(fft(32)).whole(), 4, ONE_SHOT, {"excess": 1})
    with pytest.raises(CertificateError, match="2 words is too small"):
        proven(Cutter(pyramid(height=3)).whole(), 2, ONE_SHOT, {"excess": 1})


def test_a_search_with_too_few_states_proves_what_it_has_seen():
    piece = butterfly(3)
    few = least_excess(piece, 4, ONE_SHOT, most=300)
    assert not few.complete
    assert 0 < few.excess < 15
    assert proven(piece, 4, ONE_SHOT, {"excess": few.excess}) == few.excess
    stopped = least_excess(piece, 4, ONE_SHOT, stop=lambda: True)
    assert (stopped.excess, stopped.complete) == (0, False)


@given(st.data())
@settings(max_examples=100)
def test_swaps_are_symmetries(data):
    dag = data.draw(dags(max_vertices=12))
    rules = data.draw(st.sampled_from(ONCE))
    board = game(Cutter(dag).whole(), min_memory(dag, rules=rules), rules)
    for steps, values in zip(*swaps(board), strict=True):
        assert sorted(steps) == list(range(board.steps.size))
        assert (steps[steps] == np.arange(steps.size)).all()
        assert (board.price[values] == board.price).all()
        assert (board.sizes[values] == board.sizes).all()
        assert (board.own[steps] == board.own).all()
        for step, other in enumerate(steps):
            assert turned(board.operands[step], values) == board.operands[other]
            made = board.result[step]
            assert board.result[other] == (values[made] if made >= 0 else -1)


def turned(members, image):
    return sum(1 << int(image[i]) for i in range(64) if int(members) >> i & 1)


def test_a_butterfly_has_its_swaps():
    board = game(butterfly(3), 4, ONE_SHOT)
    steps, _ = swaps(board)
    orbit = {0}
    while any(int(row[v]) not in orbit for row in steps for v in list(orbit)):
        orbit |= {int(row[v]) for row in steps for v in list(orbit)}
    assert orbit == set(range(8))  # all of the first level are alike
    assert Relations(board).is_symmetry(list(range(32)))


@given(st.data())
@settings(max_examples=60)
def test_fronts_never_say_more_than_any_order_shows(data):
    """Whatever is computed when, at each front's moment at least its cut is alive."""
    dag = data.draw(dags(max_vertices=9))
    memory = min_memory(dag)
    board = game(Cutter(dag).whole(), memory, ONE_SHOT)
    order = np.array(data.draw(st.permutations(range(dag.n))))
    done = [int(v) for v in topological(dag, order)]
    marks = fronts(board)
    number = {int(v): i for i, v in enumerate(board.steps)}
    for theta in (1, 2):
        for front, score in zip(marks.steps[theta - 1], marks.scores[theta - 1], strict=True):
            if score > 0:
                at = next(i for i, v in enumerate(done) if int(front) >> number[v] & 1)
                alive = alive_words(dag, done[:at], done[at], theta)
                x = done[at]
                assert score <= alive - theta * (memory - int(dag.sizes[x]))


@given(st.data())
@settings(max_examples=100)
def test_the_greatest_flow_is_that_of_networkx(data):
    dag = data.draw(dags(max_vertices=12))
    board = game(Cutter(dag).whole(), min_memory(dag), ONE_SHOT)
    capacity = board.sizes * data.draw(st.integers(0, 2))
    maker = np.array([[*board.result, r].index(r) for r in range(board.values.size)], np.int64)
    maker[maker == board.steps.size] = -1
    front = data.draw(st.integers(0, (1 << board.steps.size) - 1))
    made = 0
    for v in range(board.steps.size):  # what follows a step of the front is in it, too
        front |= (int(board.before[v]) & front != 0) << v
        made |= (front >> v & 1 and board.result[v] >= 0) and 1 << int(board.result[v])
    forced = data.draw(st.integers(0, (1 << board.values.size) - 1)) & ~made
    found = greatest_flow(
        board.operands, board.readers, board.result, maker, capacity,
        np.uint64(front), np.uint64(forced),
    )  # fmt: skip
    graph = nx.DiGraph()
    graph.add_nodes_from(["start", "end"])
    for r in range(board.values.size):
        graph.add_edge(("in", r), ("out", r), capacity=int(capacity[r]))
        if forced >> r & 1:
            graph.add_edge("start", ("in", r))
        for v in members(int(board.readers[r])):
            made = ("in", int(board.result[v]))
            if front >> v & 1:
                graph.add_edge(("out", r), "end")
            elif board.result[v] >= 0:
                graph.add_edge(("out", r), made)
                graph.add_edge(made, ("in", r))
    assert found == nx.maximum_flow_value(graph, "start", "end")


def topological(dag, order):
    """The computed vertices in the order of their ranks, operands first."""
    preds, done = rows(dag), []
    waiting = [int(v) for v in order if dag.indegree[v]]
    while waiting:
        v = next(v for v in waiting if not set(preds[v]) & set(waiting))
        waiting.remove(v)
        done.append(v)
    return done


def alive_words(dag, done, x, theta):
    """What the values that have come and have readers to come count while x is computed."""
    preds = rows(dag)
    come = set(done) | {u for v in [*done, x] for u in preds[v]}
    waiting = [v for v in range(dag.n) if preds[v] and v not in done]
    alive = {u for v in waiting for u in preds[v]} & come
    outputs = set(dag.outputs.tolist())
    return sum(int(dag.sizes[u]) * (1 if not preds[u] or u in outputs else theta) for u in alive)


def test_fronts_of_a_butterfly():
    marks = fronts(game(butterfly(3), 4, ONE_SHOT))
    assert marks.scores[1][0] == 2 * (8 + 1 - 4)
