"""Search: every play is legal, none is worse than the portfolio, small optima are found."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import chain, fft, from_edges, load, matmul, random_layered, stencil
from pebble import RULES, Budget, MemoryTooSmallError, Move, Schedule, judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, structured
from schedulers.search import annealing, local_search, rematerialize
from schedulers.search._kernels import annealing as _kernels
from schedulers.search.annealing import Turns
from schedulers.search.portfolio import best, portfolio
from tests.oracles import optimum
from tests.strategies import dags, legal_schedules, memories

NAMES = sorted(RULES)
PLACED = RULES["one-shot"]
RECOMPUTE = RULES["recompute"]


@given(st.data(), st.sampled_from(NAMES), st.integers(0, 9))
def test_what_is_found_is_legal_and_not_worse_than_the_portfolio(data, name, seed):
    rules = RULES[name]
    dag = data.draw(dags(max_vertices=14))
    memory = data.draw(memories(dag, rules))
    best_play = best(dag, memory, rules=rules, seed=seed, time_limit=None, iterations=300)
    assert judge(dag, best_play.schedule, memory, rules=rules).io == best_play.io
    assert best_play.io <= portfolio(dag, memory, rules=rules)[0].io
    assert best_play.lower_bound <= best_play.io
    assert (best_play.status == "optimal") == (best_play.io == best_play.lower_bound)


@given(st.data(), st.sampled_from(NAMES))
@settings(max_examples=30)
def test_nothing_is_below_the_optimum(data, name):
    rules = RULES[name]
    dag = data.draw(dags(max_vertices=7))
    memory = data.draw(memories(dag, rules))
    best_play = best(dag, memory, rules=rules, time_limit=None, iterations=200)
    assert best_play.lower_bound <= optimum(dag, memory, rules) <= best_play.io


@pytest.mark.parametrize("name", ["one-shot", "one-shot-sliding"])
@pytest.mark.parametrize("max_words", [1, 4])
def test_most_small_optima_are_found(name, max_words):
    met = total = 0
    for seed in range(12):
        dag = random_layered(9, layers=4, max_words=max_words, seed=seed)
        smallest = min_memory(dag, rules=RULES[name])
        for memory in (smallest, smallest + max_words):
            best_play = best(dag, memory, rules=RULES[name], time_limit=None, iterations=4000)
            met += best_play.io == optimum(dag, memory, RULES[name])
            total += 1
    assert met >= 0.9 * total


@given(st.data(), st.sampled_from(NAMES))
def test_members_of_the_portfolio_move_what_they_say(data, name):
    rules = RULES[name]
    dag = data.draw(dags())
    memory = data.draw(memories(dag, rules))
    members = portfolio(dag, memory, rules=rules)
    assert [member.io for member in members] == sorted(member.io for member in members)
    pairs = {
        f"{order}+{policy}" for order in (*ORDERS, "bisection", "dask") for policy in EVICTIONS
    }
    assert {member.name for member in members} <= pairs
    for member in members:
        built = member.moves()
        assert judge(dag, built, memory, rules=rules).io == member.io
        computed = built.vertex[built.op == Move.COMPUTE]
        assert computed.tolist() == member.order.tolist()


@pytest.mark.parametrize("spec", ["fft:n=16", "matmul:n=4", "stencil:shape=12,steps=5"])
def test_families_are_in_the_portfolio(spec):
    dag = load(spec)
    for memory in (min_memory(dag), min_memory(dag) + 4):
        members = portfolio(dag, memory)
        known = next(member for member in members if member.name == "structured")
        assert known.io == structured.plan(dag, memory).io
        assert play(dag, known.moves(), memory).io == known.io
        assert sorted(known.order.tolist()) == dag.computed.tolist()


@pytest.mark.parametrize("dag", [fft(16), random_layered(300, max_words=4, seed=3)], ids=str)
def test_the_same_seed_and_iterations_give_the_same_schedule(dag):
    memory = min_memory(dag) + 2
    runs = [best(dag, memory, seed=7, time_limit=None, iterations=3000) for _ in range(2)]
    assert runs[0].schedule == runs[1].schedule
    assert runs[0].states == runs[1].states == 3000


def test_a_search_that_ends_before_its_time_repeats():
    dag = random_layered(14, seed=5)
    runs = [best(dag, 4, seed=1, time_limit=60.0) for _ in range(2)]
    assert runs[0].schedule == runs[1].schedule
    assert runs[0].seconds < 60


def test_it_ends_in_time():
    dag = random_layered(5_000, seed=1)
    best(fft(8), 4, time_limit=None, iterations=20)  # so that everything is compiled
    begun = time.perf_counter()
    best_play = best(dag, 30, time_limit=1.0)
    assert best_play.states > 0
    assert time.perf_counter() - begun < 100  # generous: machines are shared


def test_it_betters_the_portfolio_on_dags_of_no_family():
    for dag, memory in ((random_layered(400, seed=1), 8), (random_layered(200, max_words=5), 25)):
        best_play = best(dag, memory, time_limit=None, iterations=20_000)
        assert best_play.io < 0.9 * portfolio(dag, memory)[0].io


def test_a_bound_that_is_met_proves_and_ends_the_search():
    dag = fft(8)
    free = best(dag, 32, time_limit=None)
    assert (free.status, free.io, free.states) == ("optimal", 16, 0)
    known = best(dag, 4, time_limit=None, lower_bound=32)
    assert known.lower_bound == 32
    assert (known.status == "optimal") == (known.io == 32)


def test_too_small_a_memory_is_infeasible():
    best_play = best(fft(8), 2)
    assert (best_play.status, best_play.schedule, best_play.io) == ("infeasible", None, None)
    assert best(fft(8), 2, rules=RULES["one-shot-sliding"], iterations=100).status == "feasible"


@pytest.mark.parametrize("name", NAMES)
def test_a_search_of_orders_refuses_too_small_a_memory(name):
    dag, rules = random_layered(30, max_words=3, seed=2), RULES[name]
    for memory in (min_memory(dag, rules=rules) - 1, 1, 0):
        with pytest.raises(MemoryTooSmallError):
            local_search(dag, memory, [dag.computed], rules=rules, iterations=10)


def test_a_dag_without_edges_costs_nothing():
    best_play = best(from_edges(3, []), 1)
    assert (best_play.status, best_play.io, len(best_play.schedule)) == ("optimal", 0, 0)


def test_local_search_starts_from_what_it_is_given():
    dag = stencil((12,), 6)
    start = ORDERS["natural"](dag)
    result = local_search(dag, 5, [start], iterations=0)
    assert result.order.tolist() == start.tolist()
    assert result.moves == 0
    assert play(dag, result.schedule, 5).io == result.io
    longer = local_search(dag, 5, [start], iterations=5000)
    assert longer.io < result.io
    assert local_search(dag, 5, [start], iterations=5000, goal=result.io).io <= result.io


@pytest.mark.parametrize("limit", [{"iterations": 0}, {"seconds": 0.02}, {"iterations": 3000}])
def test_several_temperatures_end_with_the_budget(limit, monkeypatch):
    monkeypatch.setattr(annealing, "TRIAL_MOVES", 0)
    monkeypatch.setattr(annealing, "likely_moves", lambda *budget: 1 << 40)
    monkeypatch.setattr(annealing, "TRIALS", (0.2, 0.4))  # more than there is
    dag = stencil((12,), 6)
    budget, maximum = Budget(limit.get("seconds")), limit.get("iterations")
    result = local_search(dag, 5, [dag.computed], budget=budget, iterations=maximum)
    assert judge(dag, result.schedule, 5).io == result.io
    assert result.moves <= limit.get("iterations", 1 << 40)


@pytest.mark.parametrize(
    ("seconds", "iterations", "done", "least"),
    [
        (None, 10, 5, 0.5),
        (None, 0, 0, 1.0),
        (0.0, 10, 0, 1.0),
        (1e9, 4, 1, 0.25),
        (1e-10, 9, 0, 1.0),  # less than a nanosecond
    ],
)
def test_the_clock_runs_by_what_is_farther(seconds, iterations, done, least):
    assert Turns(Budget(seconds), iterations, done).progress() == pytest.approx(least, abs=1e-6)


@given(st.data(), st.sampled_from(["recompute", "recompute-sliding"]))
@settings(max_examples=150)
def test_computing_again_is_legal_and_never_costs(data, name):
    rules = RULES[name]
    dag = data.draw(dags())
    memory = data.draw(memories(dag, rules))
    built = data.draw(legal_schedules(dag, memory, rules))
    repeated = rematerialize(dag, built, memory)
    before, after = (judge(dag, moves, memory, rules=rules).io for moves in (built, repeated))
    assert after <= before
    assert (after < before) == (repeated != built)


def test_a_value_is_computed_again_where_its_operand_is_at_hand():
    edges = [(0, 1), (0, 2), (3, 4), (2, 5), (4, 5), (0, 6), (1, 6), (5, 6)]
    dag = from_edges(7, edges)
    order = np.array([1, 2, 4, 5, 6], np.int32)
    moves = [
        *[(Move.LOAD, 0), (Move.COMPUTE, 1), (Move.STORE, 1), (Move.DELETE, 1)],
        *[(Move.COMPUTE, 2), (Move.LOAD, 3), (Move.COMPUTE, 4), (Move.DELETE, 3)],
        *[(Move.COMPUTE, 5), (Move.DELETE, 2), (Move.DELETE, 4), (Move.LOAD, 1)],
        *[(Move.COMPUTE, 6), (Move.STORE, 6)],
    ]
    built = Schedule.from_moves(moves)
    assert judge(dag, built, 4).io == 5
    assert built.vertex[built.op == Move.COMPUTE].tolist() == order.tolist()
    repeated = rematerialize(dag, built, 4)
    count = judge(dag, repeated, 4, rules=RECOMPUTE)
    assert (count.io, count.recomputes) == (3, 1)


def test_a_chain_needs_no_search():
    best_play = best(chain(40), 2, time_limit=None)
    assert (best_play.status, best_play.io) == ("optimal", 2)
    assert best_play.io == optimum(chain(5), 2, PLACED)


def test_matmul_meets_its_published_optimum():
    assert best(matmul(2), 4, time_limit=None).io == 17  # THEORY.md, section 5


@pytest.mark.parametrize("calls", [0, 3])
def test_interrupted_it_returns_what_it_has(monkeypatch, calls):
    dag = random_layered(80, seed=3)
    anneal, left = _kernels.anneal, itertools.count(calls, -1)

    def interrupted(*arguments):
        if next(left) == 0:
            raise KeyboardInterrupt
        return anneal(*arguments)

    monkeypatch.setattr(_kernels, "anneal", interrupted)
    best_play = best(dag, 5, time_limit=None)
    assert judge(dag, best_play.schedule, 5).io == best_play.io <= portfolio(dag, 5)[0].io
    assert next(left) == -1


def test_interrupted_early_it_returns_the_portfolio(monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(annealing, "local_search", interrupted)
    dag = random_layered(80, seed=3)
    assert best(dag, 5).io == portfolio(dag, 5)[0].io
