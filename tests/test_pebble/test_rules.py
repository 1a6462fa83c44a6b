"""Rules, and the smallest memory."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import CDAG, UnknownNameError, fft, from_edges, tree
from pebble import (
    PARTIAL,
    RULES,
    IllegalMoveError,
    MemoryTooSmallError,
    Move,
    Rules,
    judge,
    memory_needs,
    min_memory,
    require_memory,
    rules_named,
)
from tests.strategies import dags, legal_schedules


def test_names_and_rules_correspond():
    assert set(RULES) == {"one-shot", "recompute", "one-shot-sliding", "recompute-sliding"}
    assert all(rules_named(name).name == name for name in RULES)
    with pytest.raises(UnknownNameError, match="one-shot"):
        rules_named("two-shot")


@pytest.mark.parametrize(("sliding", "least"), [(False, 3), (True, 2)])
def test_fft_takes_three_words_placed_and_two_slid(sliding, least):
    assert min_memory(fft(8), rules=Rules(sliding=sliding)) == least


def test_sizes_count():
    dag = CDAG([0, 0, 0, 2], [0, 1], words=[3, 4, 5])
    assert min_memory(dag) == 12
    assert min_memory(dag, rules=Rules(sliding=True)) == 8  # 3 + 5, for 5 takes the place of 4
    assert memory_needs(dag).tolist() == [0, 0, 12]


def test_small_results_do_not_save_room_for_their_operands():
    dag = CDAG([0, 0, 1], [0], words=[9, 1])
    assert min_memory(dag, rules=Rules(sliding=True)) == 9


def test_nothing_to_compute_takes_nothing():
    assert min_memory(CDAG([0, 0], [])) == 0
    assert min_memory(CDAG([0, 0], [], words=[7])) == 0


def test_too_small_a_memory_names_the_vertex_and_what_it_takes():
    dag = from_edges(3, [(0, 2), (1, 2)], labels=["x", "y", "z"])
    with pytest.raises(MemoryTooSmallError, match=r"2 words .* vertex 2 \('z'\) takes 3") as caught:
        require_memory(dag, 2)
    assert pickle.loads(pickle.dumps(caught.value)).minimum == 3
    require_memory(tree(3), 3)


@given(st.data(), st.sampled_from(sorted(RULES)))
def test_the_smallest_memory_works_and_nothing_below(data, name):
    rules = RULES[name]
    dag = data.draw(dags())
    smallest = min_memory(dag, rules=rules)
    if smallest == 0:
        return
    schedule = data.draw(legal_schedules(dag, smallest, rules))
    judge(dag, schedule, smallest, rules=rules)
    with pytest.raises(IllegalMoveError):
        judge(dag, schedule, smallest - 1, rules=rules)


@given(st.data(), st.sampled_from(sorted(RULES)))
def test_nothing_more_is_there_before_a_computation(data, name):
    dag, rules = data.draw(dags()), RULES[name]
    memory = max(min_memory(dag, rules=rules), 1) + data.draw(st.integers(0, 2))
    words, held = dag.sizes.tolist(), set()
    for move, v in data.draw(legal_schedules(dag, memory, rules)):
        if move is Move.COMPUTE:
            assert sum(words[u] for u in held) <= rules.room_before(memory, words[v])
        if move in (Move.LOAD, Move.COMPUTE):
            held.add(v)
        elif move is Move.DELETE:
            held.remove(v)


def test_room_before_a_computation():
    assert [rules.room_before(9, 2) for rules in (*RULES.values(), PARTIAL)] == [7, 7, 9, 9, 9]
    assert Rules().room_before(9) == 8
    assert Rules().room_before(1, 3) == 0
