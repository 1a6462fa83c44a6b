"""Pairs of steps, and the search with and without what it leaves out for them."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, bitonic_sort, fft
from pebble import ONE_SHOT, Rules, min_memory
from pebble.small import MOST_LEVELS, search_of, small_game, whole_dag
from pebble.small.game import WholeDAG
from pebble.small.one_shot import _search_on, one_shot_board, pairs
from pebble.small.symmetry import as_bits
from tests.oracles import optimum


def game_of(rows, memory=9, words=None, rules=ONE_SHOT):
    return small_game(whole_dag(dag_of(rows, words)), memory, rules)


def dag_of(rows, words=None, outputs=()):
    return CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=words,
        outputs=list(outputs),
    )


BUTTERFLY = [[], [], [0, 1], [0, 1]]


def test_what_a_pair_is():
    assert pairs(game_of(BUTTERFLY)).tolist() == [1, 0]
    assert pairs(game_of([*BUTTERFLY, [2, 3]])).tolist() == [1, 0, -1]
    assert pairs(game_of([*BUTTERFLY, [1]])).tolist() == [-1] * 3  # another reader
    assert pairs(game_of([*BUTTERFLY, [0, 1]])).tolist() == [-1] * 3
    assert pairs(game_of([[], [0], [0]])).tolist() == [-1] * 2  # one operand
    assert pairs(game_of(BUTTERFLY, words=[1, 1, 2, 1])).tolist() == [-1] * 2
    assert pairs(game_of(BUTTERFLY, rules=Rules(sliding=True))).tolist() == [-1] * 2
    steps = pairs(game := small_game(whole_dag(fft(8)), 5, ONE_SHOT))
    assert (steps[steps] == np.arange(24)).all()
    assert (game.operands[steps] == game.operands).all()


def test_steps_with_operands_outside_of_a_part_are_no_pair():
    part = whole_dag(dag_of([*BUTTERFLY, [2, 3], [2, 3]]))
    beside = _Part(*[getattr(part, name) for name in WholeDAG.__dataclass_fields__])
    assert pairs(small_game(beside, 9, ONE_SHOT)).tolist() == [1, 0, -1, -1]


class _Part(WholeDAG):
    """A part in which the last step reads a word from outside."""

    @property
    def outside(self):
        return np.array([0] * (self.words.size - 1) + [1])


@st.composite
def paired_dags(draw, most):
    """Draw a DAG of at most `most` vertices, most of them in pairs."""
    random = Random(draw(st.integers(0, 2**32 - 1)))
    rows = [[] for _ in range(random.randint(3, 6))]
    unread = list(range(len(rows)))
    shared = []  # values that steps without a partner read
    share = random.choice([0.5, 0.7, 0.9])
    while len(rows) + 2 <= most and len(unread) > 1:
        operands = random.sample(unread, random.choice([2, 2, 2, min(3, len(unread))]))
        pair = random.random() < share
        if not pair:
            operands = random.sample(unread + shared, random.randint(1, 2))
            shared += [u for u in operands if u in unread]
        unread = [u for u in unread if u not in operands]
        for _ in range(1 + pair):
            unread.append(len(rows))
            rows.append(sorted(operands))
    return dag_of(rows, outputs=[v for v in range(len(rows)) if rows[v] and random.random() < 0.1])


@given(paired_dags(most=10), st.integers(0, 1))
@settings(max_examples=30)
def test_against_exhaustive_search(dag, more):
    memory = min_memory(dag) + more
    compulsory = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    search_result = search_of(small_game(whole_dag(dag), memory, ONE_SHOT)).below(MOST_LEVELS)
    assert search_result.excess + compulsory == optimum(dag, memory, ONE_SHOT)


@given(paired_dags(most=22), st.integers(0, 1), st.booleans(), st.booleans())
@settings(max_examples=200)
def test_against_the_search_that_leaves_nothing_out(dag, more, symmetric, free_sources):
    nothing = np.zeros(dag.n, np.bool_)
    ends = (dag.sizes, nothing, nothing)
    part = WholeDAG(dag.pred_indptr, dag.pred_indices, *ends) if free_sources else whole_dag(dag)
    result, expected = with_and_without(part, min_memory(dag) + more, symmetric=symmetric)
    assert (result.excess, result.found) == (expected.excess, expected.found)


def with_and_without(part, memory, *, symmetric=True):
    """What a search finds, and what it finds without a word on pairs."""
    game = small_game(part, memory, ONE_SHOT)
    board = one_shot_board(game)
    if not symmetric:
        nothing = (np.empty((0, entry.size), np.int64) for entry in (game.steps, game.values))
        board = board._replace(swaps=as_bits(*nothing))
    plain = board._replace(paired=np.uint64(0))
    return [_search_on(entry, game).below(MOST_LEVELS) for entry in (board, plain)]


@pytest.mark.parametrize("dag", [fft(8), bitonic_sort(8)])
@pytest.mark.parametrize("memory", [3, 4])
def test_most_states_of_butterflies_are_left_out(dag, memory):
    result, expected = with_and_without(whole_dag(dag), memory)
    assert result.excess == expected.excess
    assert 4 * result.states < expected.states
