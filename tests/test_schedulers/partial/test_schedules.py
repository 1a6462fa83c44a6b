"""Schedulers under the rules of partial computation."""

import numpy as np
import pytest

from dags import fft, load, pyramid
from pebble import PARTIAL, UNLIMITED, InvalidRulesError, MemoryTooSmallError, judge, play
from schedulers import EVICTIONS, ORDERS, PATIENT, SCHEDULERS, scheduler_named, structured
from schedulers.exact import cp_sat, exact, optimal_eviction
from schedulers.partial import EDGE_ORDERS, edge_play
from schedulers.partial.edge_plays import edges_in
from schedulers.partial.schedules import better_order, order_of_edges
from schedulers.search.portfolio import best
from tests.partial_games import random_schedule, seeded, tight_memory, tiny_dag


@pytest.mark.parametrize("name", sorted(SCHEDULERS))
def test_every_scheduler_plays_in_two_words(name):
    dag = pyramid(4)
    limit = {"time_limit": 0.05} if name == "search" else {}
    schedule = SCHEDULERS[name](dag, 2, rules=PARTIAL, **limit)
    count = judge(dag, schedule, 2, rules=PARTIAL)
    assert count == play(dag, schedule, 2, rules=PARTIAL)
    assert count.io >= exact(dag, 2, rules=PARTIAL).io


@pytest.mark.parametrize("name", sorted(EDGE_ORDERS))
@pytest.mark.parametrize("policy", sorted(EVICTIONS))
def test_counts_of_edge_orders_are_those_of_their_moves(name, policy):
    for case in range(6):
        rng = seeded(7, case)
        dag = tiny_dag(rng, most_vertices=12, most_edges=25)
        memory = tight_memory(rng, dag)
        edges = edges_in(dag, ORDERS["natural"](dag), name)
        result = edge_play(dag, edges, memory, policy=EVICTIONS[policy])
        moves = result.moves()
        count = judge(dag, moves, memory, rules=PARTIAL)
        assert (count.loads, count.stores, len(moves)) == (
            result.loads,
            result.stores,
            result.length,
        )


@pytest.mark.parametrize("name", sorted(EDGE_ORDERS))
def test_edges_out_of_a_value_follow_those_into_it(name):
    dag = fft(16)
    operand, result = edges_in(dag, dag.computed, name)
    completed = np.zeros(dag.n, np.int64)
    completed[result] = np.arange(dag.m)  # the last one counts
    inner = dag.is_computed[operand]
    assert (completed[operand[inner]] < np.flatnonzero(inner)).all()


def test_the_order_of_a_play_is_read_and_bettered():
    rng = seeded(8, 2)
    dag = tiny_dag(rng, most_edges=15)
    memory = tight_memory(rng, dag)
    schedule = random_schedule(rng, dag, memory)
    operand, _ = order_of_edges(dag, schedule)
    assert operand.size == dag.m
    options = {"budget": UNLIMITED, "iterations": 100, "goal": 0}
    better, tried = better_order(dag, schedule, memory, **options)
    io = judge(dag, better, memory, rules=PARTIAL).io
    assert io <= judge(dag, schedule, memory, rules=PARTIAL).io
    assert tried == 100


def test_best_is_no_worse_than_the_placed_play():
    dag = load("matmul:m=3,n=3,k=3")
    best_play = best(dag, 6, rules=PARTIAL, time_limit=None, iterations=50)
    assert best_play.io <= best(dag, 6, time_limit=None, iterations=50).io
    assert judge(dag, best_play.schedule, 6, rules=PARTIAL).io == best_play.io
    assert best(dag, 1, rules=PARTIAL).status == "infeasible"


def test_patient_schedulers_take_their_orders():
    for name in ("natural+optimal-eviction", "cp-sat"):
        schedule = PATIENT[name](fft(8), 2, rules=PARTIAL, time_limit=0.1)
        assert judge(fft(8), schedule, 2, rules=PARTIAL).peak == 2


def test_what_is_not_known_is_refused():
    with pytest.raises(InvalidRulesError, match="no model of partial computation"):
        cp_sat(fft(4), 3, rules=PARTIAL)
    with pytest.raises(InvalidRulesError, match="placed and sliding plays alone"):
        optimal_eviction(fft(4), fft(4).computed, 3, rules=PARTIAL)
    with pytest.raises(MemoryTooSmallError, match="takes 3"):
        structured.plan(fft(4), 2, rules=PARTIAL)
    for name in ("natural+lru", "structured"):
        with pytest.raises(MemoryTooSmallError, match="takes 2"):
            scheduler_named(name)(fft(4), 1, rules=PARTIAL)
