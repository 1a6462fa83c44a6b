"""The search of the game in which each value is computed once, and its steps."""

import itertools
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft
from pebble import ONE_SHOT, Rules, min_memory
from pebble.small import MOST_LEVELS, search_of, small_game, whole_dag
from pebble.small._kernels import one_shot as k
from pebble.small.game import WholeDAG
from pebble.small.one_shot import OneShotSteps, one_shot_board
from pebble.small.plays import State
from tests.oracles import optimum
from tests.strategies import dags, memories


def without_inputs(dag):
    """A DAG as a part whose sources come from nothing, and of which nothing must be stored."""
    nothing = np.zeros(dag.n, np.bool_)
    return WholeDAG(dag.pred_indptr, dag.pred_indices, dag.sizes, nothing, nothing)


def bound_without_inputs(dag, memory, rules):
    return search_of(small_game(without_inputs(dag), memory, rules)).below(MOST_LEVELS).excess


@given(st.data(), st.booleans())
def test_steps_that_come_at_once(data, free_sources):
    dag = data.draw(dags())
    rules = Rules(sliding=data.draw(st.booleans()))
    part = without_inputs(dag) if free_sources else whole_dag(dag)
    game = small_game(part, data.draw(memories(dag, rules)), rules)
    state = data.draw(states(game))
    board = one_shot_board(game)
    live = np.uint64(k.live_values(board, np.uint64(state.done)))
    result = k.settled(board, *map(np.uint64, state[:3]), live)
    expected, _ = OneShotSteps(game).settled(state)
    assert tuple(map(int, result[:3])) == expected[:3]
    assert int(result[3]) == int(k.live_values(board, np.uint64(result[0])))


@st.composite
def states(draw, game):
    """Draw a state that a few steps lead to."""
    steps, state = OneShotSteps(game), State(0, 0, 0, 0)
    for _ in range(draw(st.integers(0, 6))):
        spent = draw(st.integers(state.spent, state.spent + 6))
        following = [after for after, _ in steps.following(state, spent)]
        if not following:
            break
        state = draw(st.sampled_from(following))
    return state


@given(st.data())
@settings(max_examples=100)
def test_bounds_of_parts_add_up_to_a_bound(data):
    dag = data.draw(dags(max_vertices=10))
    memory = data.draw(memories(dag))
    cut = data.draw(st.lists(st.booleans(), min_size=dag.n, max_size=dag.n))
    sides = [[v for v in range(dag.n) if cut[v] == side] for side in (False, True)]
    spilled = sum(_spilled(dag, side, memory) for side in sides)
    compulsory = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    # Inputs and outputs are left out of the parts: a part would pay for a store of theirs, too,
    # which inputs do not need and which is among the compulsory words for outputs.
    assert spilled + compulsory <= optimum(dag, memory, ONE_SHOT)


def _spilled(dag, vertices, memory):
    """The bound for some computed vertices that are no outputs, and the edges between them."""
    kept = [v for v in vertices if dag.indegree[v] and v not in dag.outputs]
    if not kept:
        return 0
    place = {v: i for i, v in enumerate(kept)}
    starts, operands = dag.pred_indptr, dag.pred_indices.tolist()
    rows = [[place[u] for u in operands[starts[v] : starts[v + 1]] if u in place] for v in kept]
    part = CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=dag.sizes[kept],
    )
    return bound_without_inputs(part, memory, ONE_SHOT)


def test_parts_of_a_large_butterfly_cost_what_is_known():
    assert bound_without_inputs(fft(8), 4, ONE_SHOT) == 15
    assert bound_without_inputs(fft(8), 8, ONE_SHOT) == 4


@given(st.data())
@settings(max_examples=150)
def test_free_sources_against_exhaustive_search(data):
    dag = data.draw(dags(max_vertices=7))
    rules = Rules(sliding=data.draw(st.booleans()))
    memory = data.draw(memories(dag, rules))
    assert bound_without_inputs(dag, memory, rules) == _least_spilled(dag, memory, rules)


@given(st.data())
@settings(max_examples=150)
def test_operands_outside_a_part_take_room(data):
    dag = data.draw(dags(max_vertices=7))
    rules = Rules(sliding=data.draw(st.booleans()))
    limit = 0 if dag.computed.size == 0 else 2
    beside = data.draw(st.lists(st.integers(0, limit), min_size=dag.n, max_size=dag.n))
    part = _Part(**vars(without_inputs(dag)), beside=np.array(beside) * (dag.indegree > 0))
    game = small_game(part, data.draw(memories(dag, rules)), rules)
    if game.playable:
        minimum = _least_spilled(dag, game.memory, rules, part.beside.tolist())
        assert search_of(game).below(MOST_LEVELS).excess == minimum


@dataclass(frozen=True)
class _Part(WholeDAG):
    """A part whose steps read values outside of it; each vertex one of so many words."""

    beside: np.ndarray

    @property
    def outside(self):
        return self.beside

    @property
    def replaceable(self):
        return self.beside


def _least_spilled(dag, memory, rules, beside=(0,) * 99):
    """Dijkstra's algorithm over (red, blue, made), where sources are made of nothing, once."""
    ends = dag.pred_indptr.tolist()
    rows = [set(dag.pred_indices[a:b].tolist()) for a, b in itertools.pairwise(ends)]
    words = dag.sizes.tolist()
    everything = frozenset(dag.computed.tolist())

    def weight(values):
        return sum(words[v] for v in values)

    best = {(frozenset(), frozenset(), frozenset()): 0}
    queue = [(0, 0, next(iter(best)))]
    for number in itertools.count(1):
        cost, _, state = heappop(queue)
        red, blue, built = state
        if everything <= built:
            return cost
        following = [(0, (red - {v}, blue, built)) for v in red]
        following += [(words[v], (red, blue | {v}, built)) for v in red - blue]
        following += [(words[v], (red | {v}, blue, built)) for v in blue - red]
        for v in set(range(dag.n)) - built:
            if rows[v] <= red and weight(red) + beside[v] <= memory:
                after = red | {v}
                room = 0 if rules.sliding else beside[v]
                if weight(after) + room <= memory:
                    following.append((0, (after, blue, built | {v})))
                slides = rows[v] if rules.sliding else []
                following += [
                    (0, (after - {u}, blue, built | {v}))
                    for u in slides
                    if weight(after - {u}) + beside[v] <= memory
                ]
        for price, state in following:
            fits = sum(words[v] for v in state[0]) <= memory
            if fits and cost + price < best.get(state, cost + price + 1):
                best[state] = cost + price
                heappush(queue, (cost + price, len(best) + number, state))
    return None


@pytest.mark.parametrize("memory", [3, 4, 5])
def test_a_limit_below_the_least_excess_is_proved(memory):
    search = search_of(small_game(whole_dag(fft(8)), memory, ONE_SHOT))
    minimum = search.below(MOST_LEVELS)
    assert minimum.found
    for limit in (0, 1, minimum.excess):
        outcome = search.below(limit)
        assert (outcome.excess, outcome.found, outcome.exhausted) == (limit, False, True)
        assert outcome.states <= minimum.states
    assert search.below(minimum.excess + 1).found


def test_too_little_memory_is_seen():
    smallest = min_memory(fft(8))
    playable = [
        small_game(whole_dag(fft(8)), m, ONE_SHOT).playable for m in (smallest - 1, smallest)
    ]
    assert playable == [False, True]
