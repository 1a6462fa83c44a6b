"""Sequences of computations: their plays, and the search among them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import random_layered
from pebble import RULES, Budget, Move, judge
from schedulers.exact import exact
from schedulers.search.portfolio import portfolio
from schedulers.search.sequences import Sequences, annealed, computations
from tests.strategies import dags, memories

AGAIN = RULES["recompute"]


@settings(max_examples=40)
@given(st.data(), st.integers(0, 99))
def test_a_sequence_with_repetitions_moves_what_it_counts(data, seed):
    dag = data.draw(dags(max_vertices=14).filter(lambda dag: dag.computed.size))
    memory = data.draw(memories(dag, AGAIN))
    rng = np.random.default_rng(seed)
    sequence = np.concatenate((dag.computed, rng.choice(dag.computed, 6))).astype(np.int32)
    known = Sequences(dag, memory)
    cost = known.cost(sequence)
    assert (
        judge(dag, known.schedule(sequence), memory, rules=AGAIN).io
        == known.factor * cost // known.scale
    )
    once = known.schedule(dag.computed)
    assert once.vertex[once.op == Move.COMPUTE].tolist() == dag.computed.tolist()


@settings(max_examples=10)
@given(st.data(), st.integers(0, 99))
def test_changes_keep_plays_legal(data, seed):
    dag = data.draw(dags(max_vertices=14).filter(lambda dag: dag.computed.size))
    memory = data.draw(memories(dag, AGAIN))
    first = portfolio(dag, memory, rules=AGAIN)[0].moves()
    result = annealed(dag, first, memory, budget=Budget(0.005, seed=seed))
    known = Sequences(dag, memory)
    begun = known.factor * known.cost(computations(first)) // known.scale
    assert judge(dag, result, memory, rules=AGAIN).io <= begun


def test_it_finds_optima_below_those_of_one_computation_each():
    dag = random_layered(20, seed=4)
    best = exact(dag, 5, rules=AGAIN)
    first = portfolio(dag, 5, rules=AGAIN)[0].moves()
    result = annealed(dag, first, 5, budget=Budget(30.0), goal=best.io)
    assert judge(dag, result, 5, rules=AGAIN).io == best.io
