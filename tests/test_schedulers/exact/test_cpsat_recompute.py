"""CP-SAT where values may be computed again, against exhaustive search and published optima."""

import json
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dags import CDAG, fft, from_edges, grid, pyramid, random_layered
from pebble import RULES, judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, accesses, schedule
from schedulers.exact import cp_sat, exact, improve_window
from schedulers.exact.cpsat.recompute import model, search, sweeps
from schedulers.exact.cpsat.recompute.clauses import Clause, explain, images, symmetries
from schedulers.exact.cpsat.recompute.free import UndecidedError, free_way
from schedulers.exact.cpsat.recompute.part import Part, bits, set_of, whole
from schedulers.exact.cpsat.recompute.windows import window
from schedulers.exact.first_play import first_play, one_at_a_time
from tests.oracles import optimum
from tests.strategies import dags, legal_schedules, memories

OPTIMA = Path(__file__).resolve().parents[4] / "shared" / "golden" / "exact_optima.json"
AGAIN = [RULES["recompute"], RULES["recompute-sliding"]]
again = pytest.mark.parametrize("rules", AGAIN, ids=lambda rules: rules.name)


@st.composite
def parts(draw):
    """Draw a part, and what is to be red and computed at its end."""
    n = draw(st.integers(2, 8))
    operands = {}
    for v in range(1, n):
        row = draw(st.sets(st.integers(0, v - 1), max_size=3))
        operands |= {v: tuple(sorted(row))} if row else {}
    words = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    red = draw(st.integers(0, 2**n - 1))
    memory, sliding = draw(st.integers(1, 8)), draw(st.booleans())
    part = Part(operands, words, memory, sliding, red, blue=0, target=0, stored=0)
    target = draw(st.integers(0, 2**n - 1)) & draw(st.integers(0, 2**n - 1))
    computed = draw(st.integers(0, 2**n - 1)) & set_of(operands) & ~red
    return part, target, computed


def steps(part, red, todo):
    """Every step without I/O: (what is computed or None, what is red then, what is left to do)."""
    for u in bits(red):
        yield None, red & ~(1 << u), todo
    for v, row in part.operands.items():
        if red >> v & 1 or not all(red >> u & 1 for u in row):
            continue
        room = part.memory - part.words_of(red) - part.words[v]
        if room >= 0:
            yield v, red | 1 << v, todo & ~(1 << v)
        elif part.sliding and room + part.words[v] >= 0:
            for u in row:
                if room + part.words[u] >= 0:
                    yield v, (red | 1 << v) & ~(1 << u), todo & ~(1 << v)


def is_possible(part, red, target, todo):
    seen, queue = {(red, todo)}, deque([(red, todo)])
    while queue:
        red, todo = queue.popleft()
        if not todo and not target & ~red:
            return True
        for _, *after in steps(part, red, todo):
            if tuple(after) not in seen:
                seen.add(tuple(after))
                queue.append(tuple(after))
    return False


@given(parts())
@settings(max_examples=300)
def test_ways_without_input_and_output(drawn):
    part, target, computed = drawn
    way = free_way(part, part.red, target, computed)
    assert (way is not None) == is_possible(part, part.red, target, computed)
    if way is None:
        return
    made = {v for v, _ in way if v is not None}
    assert not computed & ~set_of(made)
    assert not target & ~(way[-1][1] if way else part.red)


@given(parts())
@settings(max_examples=200)
def test_what_is_impossible_is_so_in_general(drawn):
    part, target, computed = drawn
    assume(not is_possible(part, part.red, target, computed))
    found = explain(part, Clause(part.red, target, computed))
    assert not is_possible(part, found.red, found.target, found.fresh)
    assert not part.red & ~found.red
    assert not found.target & ~target
    assert not found.fresh & ~computed


def test_what_is_impossible_is_so_by_other_names():
    dag, rules = fft(4), RULES["recompute"]
    part = whole(dag, 4, rules)
    turns = symmetries(dag, 4, rules)
    assert len(turns) > 1
    clause = Clause(set_of([4, 5, 6, 7]), 0, set_of([8, 9, 10, 11]))
    for image in images(clause, turns):
        assert free_way(part, image.red, image.target, image.fresh) is None
    assert len(symmetries(random_layered(200, seed=1), 9, rules)) == 1


@given(st.data(), st.sampled_from(AGAIN))
@settings(max_examples=60)
def test_the_optimum_of_small_games(data, rules):
    dag = data.draw(dags(max_vertices=7))
    memory = data.draw(memories(dag, rules))
    found = cp_sat(dag, memory, rules=rules)
    assert (found.status, found.io) == ("optimal", optimum(dag, memory, rules))
    assert found.lower_bound == judge(dag, found.schedule, memory, rules=rules).io


def test_values_that_could_be_computed_again_may_stay():
    # Two values, each of an input that is wanted later: neither waits for the other for ever.
    rows = [[], [0], [], [2], [0, 1, 2, 3], [2, 3, 4]]
    indices = [u for row in rows for u in row]
    dag = CDAG(np.cumsum([0, *map(len, rows)]), indices, words=[4, 2, 2, 3, 1, 2])
    found = cp_sat(dag, 13, rules=RULES["recompute"], upper=one_at_a_time(dag))
    assert (found.io, found.status) == (8, "optimal")
    assert optimum(dag, 13, RULES["recompute"]) == 8


@pytest.mark.skipif(not OPTIMA.exists(), reason="the published optima are not here")
def test_published_optima():
    known = json.loads(OPTIMA.read_text())
    rows = [row for row in known["optima"] if row["rules"] == "recompute"]
    small = [row for row in rows if known["graphs"][row["graph"]]["n"] <= 10]
    for row in [*small, {"graph": "grid4x4", "memory": 4, "io": 4}]:
        graph = known["graphs"][row["graph"]]
        operands = [[] for _ in range(graph["n"])]
        for u, v in graph["edges"]:
            operands[v].append(u)
        together = [u for members in operands for u in sorted(members)]
        dag = CDAG(np.cumsum([0, *map(len, operands)]), together)
        found = cp_sat(dag, row["memory"], rules=RULES["recompute"])
        assert (found.io, found.status) == (row["io"], "optimal"), row
        judge(dag, found.schedule, row["memory"], rules=RULES["recompute"])


@again
@pytest.mark.parametrize("dag", [fft(4), grid((3, 4)), random_layered(14, max_words=4, seed=5)])
def test_two_methods_agree(dag, rules):
    least = min_memory(dag, rules=rules)
    for memory in (least + 1, least + 3):
        found = cp_sat(dag, memory, rules=rules)
        other = exact(dag, memory, rules=rules)
        assert (found.io, found.status) == (other.io, other.status) == (other.io, "optimal")


def test_computing_again_is_found_and_proved_to_be_best():
    once = cp_sat(grid((3, 3)), 3)
    found = cp_sat(grid((3, 3)), 3, rules=RULES["recompute"], upper=once.schedule)
    assert (once.io, found.io, found.status) == (6, 5, "optimal")
    assert judge(grid((3, 3)), found.schedule, 3, rules=RULES["recompute"]).recomputes > 0


@again
def test_nothing_is_lost_by_the_normal_form(rules, monkeypatch):
    monkeypatch.setattr(model, "add_normal_form", lambda *_: None)
    for dag in (grid((3, 3)), pyramid(2)):
        memory = min_memory(dag, rules=rules)
        assert cp_sat(dag, memory, rules=rules).io == optimum(dag, memory, rules)


def test_nothing_is_proved_where_ways_are_in_doubt(monkeypatch):
    def in_doubt(part, red, target, fresh):
        if target & ~red or fresh:
            raise UndecidedError
        return []

    monkeypatch.setattr(search, "free_way", in_doubt)
    rules, dag = RULES["recompute"], grid((3, 3))
    found = cp_sat(dag, 3, rules=rules)
    assert found.status == "feasible"
    assert found.lower_bound <= optimum(dag, 3, rules) <= found.io


@given(st.data(), st.sampled_from(AGAIN))
@settings(max_examples=40)
def test_a_window_is_played_better_or_not_at_all(data, rules):
    dag = data.draw(dags(max_vertices=10))
    memory = data.draw(memories(dag, rules))
    old = data.draw(legal_schedules(dag, memory, rules))
    count = judge(dag, old, memory, rules=rules).computes
    first = data.draw(st.integers(0, count))
    last = data.draw(st.integers(first, min(first + 4, count)))
    new = improve_window(dag, old, memory, rules=rules, first=first, last=last)
    if new is not None:
        assert judge(dag, new, memory, rules=rules).io < judge(dag, old, memory, rules=rules).io


@again
def test_every_play_of_a_window_is_legal_also_one_that_moves_too_much(rules):
    """A search that runs out of time hands out a play of some level, not of the best one."""
    edges = [(1, 2), (0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (3, 4), (2, 6), (4, 6), (5, 6)]
    dag = from_edges(7, edges, words=[2, 1, 3, 3, 3, 2, 3])
    piece = window(dag, one_at_a_time(dag), 13, rules, 1, 4, 3)
    for most in range(piece.cost - 1, piece.part.forced, -5):
        moves = search.Levels(piece.part, 0, None).ask(most).moves
        if moves is not None:
            judge(dag, piece.filled(moves), 13, rules=rules)
            assert piece.part.cost_of(moves) <= most


@again
def test_the_window_of_everything_finds_the_optimum(rules):
    dag = grid((3, 3))
    memory = min_memory(dag, rules=rules)
    old = first_play(dag, memory)
    new = improve_window(dag, old, memory, rules=rules, first=0, last=dag.computed.size)
    assert play(dag, new, memory, rules=rules).io == exact(dag, memory, rules=rules).io


def test_windows_improve_a_poor_play():
    dag, memory, rules = grid((6, 6)), 4, RULES["recompute"]
    poor = schedule(accesses(dag, ORDERS["natural"](dag)), memory, EVICTIONS["lru"])
    costs = [play(dag, poor, memory, rules=rules).io]
    for first in range(0, 24, 6):
        poor = improve_window(dag, poor, memory, rules=rules, first=first, last=first + 8) or poor
        costs.append(play(dag, poor, memory, rules=rules).io)
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


def test_sweeps_end_at_what_cannot_be_beaten(monkeypatch):
    monkeypatch.setattr(sweeps, "SECONDS", 600.0)
    dag, rules = grid((3, 3)), RULES["recompute"]
    old = first_play(dag, 3)
    assert judge(dag, old, 3, rules=rules).io > 5
    found = sweeps.swept(dag, old, 3, rules=rules, least=5, seed=0, time_limit=600.0)
    assert judge(dag, found, 3, rules=rules).io == 5


def test_a_way_is_short():
    rows = {v: (v - 2, v - 1) for v in range(2, 40)}
    part = Part(rows, [1] * 40, 4, sliding=False, red=0b11, blue=0, target=0, stored=0)
    way = free_way(part, part.red, 1 << 39, 0)
    assert sum(v is not None for v, _ in way) == len(rows)


def test_no_time_and_no_room():
    rules = RULES["recompute"]
    found = cp_sat(fft(16), 4, rules=rules, time_limit=0)
    assert (found.status, found.lower_bound) == ("feasible", 32)
    judge(fft(16), found.schedule, 4, rules=rules)
    assert cp_sat(fft(16), 2, rules=rules).status == "infeasible"


def test_a_play_of_large_and_small_values_is_not_cut_into_too_many_segments():
    rules, large = RULES["recompute-sliding"], 1 << 31
    words = [large, large, 1, large, 1, large, 1, 1]
    edges = [(1, 3), (2, 3), (2, 4), (3, 4), (1, 5), (2, 5), (2, 7)]
    dag = from_edges(8, edges, words=words, outputs=[4, 5, 7])
    memory = large + 3
    found = cp_sat(dag, memory, rules=rules, time_limit=0.5)  # with a word a segment, minutes
    assert found.seconds < 10
    assert found.lower_bound <= optimum(dag, memory, rules) <= found.io
    judge(dag, found.schedule, memory, rules=rules)


def test_a_model_of_too_few_segments_proves_nothing(monkeypatch):
    monkeypatch.setattr(search, "segments_within", lambda *_: 1)
    rules, dag = RULES["recompute"], grid((3, 3))
    found = cp_sat(dag, 3, rules=rules)
    assert found.status == "feasible"
    assert found.lower_bound <= optimum(dag, 3, rules) <= found.io
