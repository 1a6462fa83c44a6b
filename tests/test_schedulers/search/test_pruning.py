"""Plays without what is computed again for nothing."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dags import chain
from pebble import RULES, UNLIMITED, Move, Schedule, judge, play, rank_of
from schedulers.search import pruned
from schedulers.search.portfolio import portfolio
from schedulers.search.recomputation import split
from tests.strategies import dags, memories

ALL = [rules for rules in RULES.values() if rules.recompute]


@given(st.data(), st.sampled_from(ALL), st.integers(0, 99))
def test_it_is_legal_and_costs_no_more(data, rules, seed):
    dag = data.draw(dags(max_vertices=14).filter(lambda dag: dag.computed.size))
    memory = data.draw(memories(dag, rules))
    first = portfolio(dag, memory, rules=rules)[0].moves()
    rng = np.random.default_rng(seed)
    changed = split(dag, first, rng)
    if changed is not None and play(dag, changed, 10**6, rules=rules).peak <= memory:
        first = changed
    before = judge(dag, first, memory, rules=rules)
    after = judge(
        dag, pruned(dag, first, memory, rules=rules, budget=UNLIMITED), memory, rules=rules
    )
    assert rank_of(dag, after) <= rank_of(dag, before)


@given(st.data(), st.sampled_from(ALL), st.integers(0, 99))
def test_with_room_for_everything_nothing_is_computed_again(data, rules, seed):
    dag = data.draw(dags(max_vertices=14).filter(lambda dag: dag.computed.size))
    memory = int(dag.sizes.sum())
    rng = np.random.default_rng(seed)
    sequence = np.concatenate((dag.computed, rng.choice(dag.computed, 6))).astype(np.int32)
    moves: list[tuple[Move, int]] = [(Move.LOAD, int(v)) for v in dag.used_inputs]
    red = set(dag.used_inputs.tolist())
    outputs = set(dag.outputs.tolist())
    for v in sequence.tolist():
        if v in red:
            moves.append((Move.DELETE, v))
        moves.append((Move.COMPUTE, v))
        red.add(v)
        if v in outputs:
            moves.append((Move.STORE, v))
            outputs.discard(v)
    schedule = Schedule.from_moves(moves)
    before = judge(dag, schedule, memory, rules=rules)
    assert before.recomputes == 6
    after = judge(
        dag, pruned(dag, schedule, memory, rules=rules, budget=UNLIMITED), memory, rules=rules
    )
    assert (after.recomputes, after.io) == (0, before.io)


def test_computations_that_only_each_other_need_go_together():
    dag = chain(6)
    steps = [int(v) for v in dag.computed]
    moves = [(Move.LOAD, 0)]
    for v in steps:
        moves += [(Move.COMPUTE, v), (Move.DELETE, v - 1)]
    moves += [(Move.STORE, steps[-1]), (Move.DELETE, steps[-1]), (Move.LOAD, 0)]
    for v in steps:
        moves += [(Move.COMPUTE, v), (Move.DELETE, v - 1)]
    for rules in ALL:
        built = pruned(dag, Schedule.from_moves(moves), 2, rules=rules, budget=UNLIMITED)
        count = judge(dag, built, 2, rules=rules)
        assert (count.io, count.recomputes) == (2, 0)
