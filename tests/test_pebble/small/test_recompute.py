"""The search of the game in which values may be computed again, and its steps."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pebble import RULES
from pebble.small import MOST_LEVELS, play_of, search_of, small_game, whole_dag
from pebble.small._kernels.recompute_board import settled
from pebble.small.plays import State
from pebble.small.recompute import RecomputeSteps, recompute_board
from tests.oracles import optimum
from tests.strategies import dags, memories

AGAIN = [rules for rules in RULES.values() if rules.recompute]


@st.composite
def states(draw, game):
    """Draw a state that a few steps lead to."""
    steps, state = RecomputeSteps(game), State(0, 0, 0, 0)
    for _ in range(draw(st.integers(0, 5))):
        spent = draw(st.integers(state.spent, state.spent + 8))
        following = [after for after, _ in steps.following(state, spent)]
        if not following:
            break
        state = draw(st.sampled_from(following))
    return state


@given(st.data())
def test_steps_that_take_values_away(data):
    dag = data.draw(dags(max_vertices=10))
    rules = data.draw(st.sampled_from(AGAIN))
    game = small_game(whole_dag(dag), data.draw(memories(dag, rules)), rules)
    steps, state = RecomputeSteps(game), data.draw(states(game))
    out = data.draw(st.integers(0, 2**dag.n - 1))
    for v in range(game.steps.size):
        out &= steps.to_come(state.done | 1 << v)
    everything = list(steps.following(state, state.spent + 6))
    expected = [(after, step) for after, step in everything if not after.red & out]
    assert sorted(steps.following(state, state.spent + 6, out), key=repr) == sorted(
        expected, key=repr
    )


@given(st.data())
def test_steps_that_come_at_once(data):
    dag = data.draw(dags(max_vertices=10))
    rules = data.draw(st.sampled_from(AGAIN))
    game = small_game(whole_dag(dag), data.draw(memories(dag, rules)), rules)
    state = data.draw(states(game))
    result = settled(recompute_board(game), *map(np.uint64, state[:3]), state.spent)
    assert tuple(map(int, result)) == RecomputeSteps(game).settled(state)[0]


@given(st.data())
@settings(max_examples=150)
def test_the_search_finds_the_optimum_with_a_play(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(AGAIN))
    memory = data.draw(memories(dag, rules))
    game = small_game(whole_dag(dag), memory, rules)
    search = search_of(game)
    outcome = search.below(MOST_LEVELS)
    minimum = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs) + outcome.excess
    assert outcome.found
    assert minimum == optimum(dag, memory, rules)
    assert play_of(dag, game, outcome.store) is not None
    checked = search.below(outcome.excess)
    assert (checked.excess, checked.exhausted) == (outcome.excess, True)
