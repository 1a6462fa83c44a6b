"""Occupancy and traffic over time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pebble import RULES, IllegalMoveError, Move, Schedule, judge, trace
from tests.strategies import dags, legal_schedules, memories


@given(st.data(), st.sampled_from(sorted(RULES)))
def test_a_trace_is_the_play_move_by_move(data, name):
    rules = RULES[name]
    dag = data.draw(dags())
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    shown = trace(dag, schedule, memory, rules=rules)
    red, loads, stores = set(), 0, 0
    words = dag.sizes.tolist()
    for step, (move, v) in enumerate(schedule):
        if move is Move.DELETE:
            red.remove(v)
        elif move is not Move.STORE:
            red.add(v)
        loads += words[v] * (move is Move.LOAD)
        stores += words[v] * (move is Move.STORE)
        assert shown.occupancy[step] == sum(words[u] for u in red)
        assert (shown.loads[step], shown.stores[step]) == (loads, stores)
        assert shown.io[step] == loads + stores
    assert loads + stores == judge(dag, schedule, memory, rules=rules).io


def test_an_illegal_play_has_no_trace():
    from dags import chain

    with pytest.raises(IllegalMoveError):
        trace(chain(2), Schedule.from_moves([(Move.COMPUTE, 1)]), 2)
