"""The engine is the referee, move for move."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import CDAG, chain, fft, from_edges
from pebble import (
    ONE_SHOT,
    RULES,
    IllegalMoveError,
    Move,
    Rules,
    Schedule,
    Violation,
    judge,
    min_memory,
    play,
)
from tests.strategies import broken_schedules, dags, legal_schedules, memories

LOAD, STORE, COMPUTE, DELETE, _ = Move


def verdict(player, dag, schedule, memory, rules):
    try:
        return player(dag, schedule, memory, rules=rules)
    except IllegalMoveError as error:
        return error.step, error.move, error.vertex, error.rule, str(error)


@given(st.data(), st.sampled_from(sorted(RULES)))
def test_legal_plays_cost_the_same(data, name):
    rules = RULES[name]
    dag = data.draw(dags())
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    count = judge(dag, schedule, memory, rules=rules)
    assert play(dag, schedule, memory, rules=rules) == count
    assert count.io >= dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    assert count.peak <= memory


@given(st.data(), st.sampled_from(sorted(RULES)))
def test_broken_plays_break_at_the_same_move(data, name):
    rules = RULES[name]
    dag = data.draw(dags(max_vertices=8))
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(broken_schedules(dag, memory, rules))
    smaller = data.draw(st.integers(max(memory - 2, 1), memory))
    second = RULES[data.draw(st.sampled_from(sorted(RULES)))]
    for case in ((memory, rules), (smaller, second)):
        assert verdict(play, dag, schedule, *case) == verdict(judge, dag, schedule, *case)


@given(st.data())
def test_blocks_play_like_the_whole(data):
    dag = data.draw(dags())
    memory = data.draw(memories(dag))
    schedule = data.draw(broken_schedules(dag, memory) | legal_schedules(dag, memory))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(schedule)), max_size=3)))
    bounds = [0, *cuts, len(schedule)]
    blocks = [Schedule(schedule.op[a:b], schedule.vertex[a:b]) for a, b in pairwise(bounds)]
    full = verdict(play, dag, schedule, memory, ONE_SHOT)
    assert verdict(play, dag, iter(blocks), memory, ONE_SHOT) == full


# 0, 1 -> 2 -> 3, in 3 words
DIAMOND = from_edges(4, [(0, 2), (1, 2), (2, 3)])
BEGIN = [(LOAD, 0), (LOAD, 1)]


@pytest.mark.parametrize(
    ("moves", "step", "vertex", "rule"),
    [
        ([(LOAD, 4)], 0, 4, Violation.NO_SUCH_VERTEX),
        ([(LOAD, -1)], 0, -1, Violation.NO_SUCH_VERTEX),
        ([(LOAD, 0), (LOAD, 0)], 1, 0, Violation.ALREADY_RED),
        ([(LOAD, 2)], 0, 2, Violation.NOT_BLUE),
        ([(STORE, 0)], 0, 0, Violation.NOT_RED),
        ([(LOAD, 0), (STORE, 0)], 1, 0, Violation.ALREADY_BLUE),
        ([(COMPUTE, 0)], 0, 0, Violation.IS_INPUT),
        ([(LOAD, 0), (COMPUTE, 2)], 1, 2, Violation.MISSING_PREDECESSOR),
        ([*BEGIN, (COMPUTE, 2), (COMPUTE, 2)], 3, 2, Violation.ALREADY_RED),
        ([*BEGIN, (COMPUTE, 2), (DELETE, 2), (COMPUTE, 2)], 4, 2, Violation.ALREADY_COMPUTED),
        ([*BEGIN, (COMPUTE, 2), (COMPUTE, 3)], 3, 3, Violation.MEMORY_FULL),
        ([(DELETE, 1)], 0, 1, Violation.NOT_RED),
        ([], 0, 3, Violation.OUTPUT_NOT_STORED),
    ],
)
@pytest.mark.parametrize("player", [judge, play])
def test_each_rule(player, moves, step, vertex, rule):
    with pytest.raises(IllegalMoveError) as caught:
        player(DIAMOND, Schedule.from_moves(moves), 3)
    error = caught.value
    assert (error.step, error.vertex, error.rule) == (step, vertex, rule)
    assert str(vertex) in str(error)
    assert pickle.loads(pickle.dumps(error)).args == error.args


@pytest.mark.parametrize("player", [judge, play])
def test_messages_name_what_is_missing_and_how_full_it_is(player):
    with pytest.raises(IllegalMoveError, match="vertex 1"):
        player(DIAMOND, Schedule.from_moves([(LOAD, 0), (COMPUTE, 2)]), 3)
    with pytest.raises(IllegalMoveError, match=r"1 \+ 1 words do not fit into 1"):
        player(DIAMOND, Schedule.from_moves(BEGIN), 1)


@pytest.mark.parametrize("player", [judge, play])
def test_sliding_takes_one_word_less(player):
    dag = chain(3)
    slide = [(LOAD, 0), (COMPUTE, 1), (DELETE, 0), (COMPUTE, 2), (DELETE, 1), (STORE, 2)]
    count = player(dag, Schedule.from_moves(slide), 1, rules=Rules(sliding=True))
    assert (count.io, count.peak) == (2, 1)
    with pytest.raises(IllegalMoveError, match="full"):
        player(dag, Schedule.from_moves(slide), 1)
    late = [(LOAD, 0), (COMPUTE, 1), (STORE, 1), (DELETE, 0)]
    with pytest.raises(IllegalMoveError, match="full"):
        player(dag, Schedule.from_moves(late), 1, rules=Rules(sliding=True))


@pytest.mark.parametrize("player", [judge, play])
def test_recomputing_is_counted(player):
    moves = [*BEGIN, (COMPUTE, 2), (DELETE, 2), (COMPUTE, 2), (DELETE, 0), (COMPUTE, 3), (STORE, 3)]
    count = player(DIAMOND, Schedule.from_moves(moves), 3, rules=Rules(recompute=True))
    assert (count.computes, count.recomputes) == (3, 1)


@pytest.mark.parametrize("player", [judge, play])
def test_words_work_and_channels_are_counted(player):
    dag = CDAG(
        [0, 0, 0, 2], [0, 1], words=[3, 4, 5], work=[0, 0, 7], channel=[0, 2, 2], outputs=[2]
    )
    moves = Schedule.from_moves([(LOAD, 0), (LOAD, 1), (COMPUTE, 2), (STORE, 2)])
    count = player(dag, moves, 12)
    assert (count.loads, count.stores, count.io) == (7, 5, 12)
    assert (count.load_moves, count.store_moves, count.work, count.peak) == (2, 1, 7, 12)
    assert {tag: (part.loads, part.stores, part.io) for tag, part in count.channels.items()} == {
        0: (3, 0, 3),
        2: (4, 5, 9),
    }
    with pytest.raises(IllegalMoveError):
        player(dag, moves, 11)


def test_named_outputs_must_end_in_slow_memory():
    dag = from_edges(3, [(0, 1), (1, 2)], outputs=[1])
    moves = [(LOAD, 0), (COMPUTE, 1), (COMPUTE, 2), (STORE, 2)]
    with pytest.raises(IllegalMoveError) as caught:
        play(dag, Schedule.from_moves(moves), 3)
    assert (caught.value.vertex, caught.value.move, caught.value.step) == (1, "END", 4)


def test_a_play_in_blocks_of_a_large_dag():
    dag = fft(1024)
    order = dag.computed
    op, vertex = [], []
    for v in order[: dag.n // 2].tolist():
        row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        op += [LOAD, LOAD, COMPUTE, STORE, DELETE, DELETE, DELETE]
        vertex += [*row, v, v, v, *row]
    schedule = Schedule(np.array(op), np.array(vertex))
    with pytest.raises(IllegalMoveError) as caught:
        play(dag, schedule, min_memory(dag))
    assert caught.value.rule is Violation.OUTPUT_NOT_STORED
