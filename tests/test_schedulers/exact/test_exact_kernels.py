"""What the exact searches compute fast, against plain Python and networkx; symmetries."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dags import grid, matmul, pyramid, tree
from pebble import RULES, Rules
from schedulers.exact import _kernels as shared
from schedulers.exact.names import bits
from schedulers.exact.one_shot import _kernels as one_shot
from schedulers.exact.one_shot import search as one_shot_search
from schedulers.exact.one_shot.steps import State, Step, Steps
from schedulers.exact.problem import problem
from schedulers.exact.recompute import search as recompute_search
from schedulers.exact.recompute.flow import new_flow
from schedulers.exact.recompute.flow._kernels import least_fetched
from schedulers.exact.symmetry import symmetry
from tests.strategies import dags, memories


@st.composite
def states(draw, game, turns):
    """Draw a state that a few steps lead to."""
    steps, state = Steps(game, turns), State(0, 0, game.fresh)
    for _ in range(draw(st.integers(0, 6))):
        ready = list(steps.ready(state.done))
        if not ready:
            break
        v = draw(st.sampled_from(ready))
        others = state.red & ~steps.operands[v]
        out = draw(st.sets(st.sampled_from(list(bits(others))))) if others else set()
        state = steps.after(state, Step(v, sorted(out)))
    return state


@given(st.data(), st.booleans())
def test_forced_steps(data, free_sources):
    dag = data.draw(dags())
    rules = Rules(sliding=data.draw(st.booleans()))
    game = problem(dag, data.draw(memories(dag, rules)), rules=rules, free_sources=free_sources)
    turns = symmetry(game)
    state = data.draw(states(game, turns))
    expected, _ = Steps(game, turns).settled(state)
    found = one_shot.settled(one_shot_search.tables(game, turns), *map(np.uint64, state))
    assert tuple(map(int, found)) == expected


@given(st.data())
def test_what_must_be_fetched_is_a_minimum_cut(data):
    dag = data.draw(dags())
    assume(dag.m)
    rules = RULES["recompute"]
    game = problem(dag, data.draw(memories(dag, rules)), rules=rules)
    tables = recompute_search.tables(game, symmetry(game))
    everything = (1 << game.read.size) - 1
    red = data.draw(st.integers(0, everything))
    blue = data.draw(st.integers(0, everything))
    left = data.draw(st.sets(st.sampled_from(list(bits(game.outputs)))))
    found = least_fetched(
        tables,
        new_flow(),
        *map(np.uint64, (red, blue, sum(1 << c for c in left))),
    )
    assert found == _minimum_cut(game, red, blue, left)


def _minimum_cut(game, red, blue, left):
    graph = nx.DiGraph()
    graph.add_nodes_from(["start", "end"])
    for r in range(game.read.size):
        if red >> r & 1:
            continue
        free = (blue | game.inputs) >> r & 1
        graph.add_edge(("in", r), ("out", r), **({"capacity": int(game.sizes[r])} if free else {}))
        if game.inputs >> r & 1:
            graph.add_edge("start", ("in", r))
    for c, operands in enumerate(game.operands.tolist()):
        for r in bits(operands & ~red):
            if c in left:
                graph.add_edge(("out", r), "end")
            elif game.value[c] >= 0 and not red >> int(game.value[c]) & 1:
                graph.add_edge(("out", r), ("in", int(game.value[c])))
    return nx.minimum_cut_value(graph, "start", "end")


@pytest.mark.parametrize(
    ("dag", "count"),
    [
        (pyramid(4), 2),  # the mirror
        (grid((4, 4)), 2),  # the diagonal
        (tree(3), 8),  # 2^7 with twin leaves, which are 2^4 of them
        (matmul(2, k=1), 8),  # rows, columns, and the transpose
        (matmul(3, k=1), 72),
    ],
    ids=str,
)
def test_known_numbers_of_automorphisms(dag, count):
    turns = symmetry(problem(dag, 100))
    assert len({*map(tuple, turns.of_read.tolist())}) == count


@given(st.data())
def test_symmetries_keep_the_game(data):
    dag = data.draw(dags())
    rules = data.draw(st.sampled_from(list(RULES.values())))
    game = problem(dag, data.draw(memories(dag, rules)), rules=rules)
    turns = symmetry(game)
    assert turns.of_computed[0].tolist() == list(range(game.computed.size))
    assert turns.of_read[0].tolist() == list(range(game.read.size))
    for of_computed, of_read in zip(turns.of_computed, turns.of_read, strict=True):
        for c, image in enumerate(of_computed.tolist()):
            operands = sum(1 << int(of_read[r]) for r in bits(int(game.operands[c])))
            assert operands == game.operands[image]
            assert game.words[c] == game.words[image]
            assert game.outputs >> c & 1 == game.outputs >> image & 1
            if game.value[c] >= 0:
                assert of_read[game.value[c]] == game.value[image]
        assert (game.sizes == game.sizes[of_read]).all()


@given(st.data())
def test_twins_are_put_in_order(data):
    dag = data.draw(dags())
    game = problem(dag, data.draw(memories(dag)))
    turns = symmetry(game)
    tables = one_shot_search.tables(game, turns)
    everything = (1 << game.read.size) - 1
    first, second = data.draw(st.integers(0, everything)), data.draw(st.integers(0, everything))
    found = shared.in_order(tables, np.uint64(first), np.uint64(second))
    code = [(first >> r & 1, second >> r & 1) for r in range(game.read.size)]
    kinds = [_kind(game, r) for r in range(game.read.size)]
    for _, members in itertools.groupby(range(game.read.size), kinds.__getitem__):
        places = list(members)
        for place, one in zip(places, sorted((code[r] for r in places), reverse=True), strict=True):
            code[place] = one
    assert len({kind for kind, _ in itertools.groupby(kinds)}) == len(set(kinds))
    for values, one in zip(found, (0, 1), strict=True):
        assert int(values) == sum(code[r][one] << r for r in range(game.read.size))


def _kind(game, r):
    made = [c for c, value in enumerate(game.value.tolist()) if value == r]
    operands = int(game.operands[made[0]]) if made else None
    output = bool(made) and game.outputs >> made[0] & 1
    return operands, int(game.readers[r]), int(game.sizes[r]), output
