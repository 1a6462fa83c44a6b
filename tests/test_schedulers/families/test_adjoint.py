"""Adjoint chains: the closed form, complete search, and the plays that attain it."""

import heapq
from functools import cache

import pytest

import redblue as rb
from dags import InvalidSpecError, load
from dags.families.adjoint import adjoint, forward_steps
from pebble import RULES, Schedule, judge, play
from schedulers import SCHEDULERS
from schedulers.families.adjoint import reversal

RECOMPUTE = RULES["recompute"]


@cache
def least_by_recursion(steps, snapshots):
    if steps == 1:
        return 1
    if snapshots == 1:
        return steps * (steps + 1) // 2
    return min(
        k + least_by_recursion(steps - k, snapshots - 1) + least_by_recursion(k, snapshots)
        for k in range(1, steps)
    )


def test_the_closed_form_is_the_recursion():
    for snapshots in range(1, 13):
        for steps in range(1, 121):
            assert forward_steps(steps, snapshots) == least_by_recursion(steps, snapshots)


@pytest.mark.parametrize(
    ("steps", "snapshots", "published"), [(10, 3, 25), (100, 5, 416), (100, 10, 322)]
)
def test_numbers_of_other_implementations(steps, snapshots, published):
    """As checkpoint_schedules 1.0.4 counts them, which agrees up to 100 steps, 10 snapshots."""
    assert forward_steps(steps, snapshots) == published


def least_by_game(steps, memory):
    """Least forward steps of any play with compulsory I/O, by Dijkstra over contents of memory.

    A state is the step whose adjoint comes next and the states and tapes in memory; the latest
    adjoint takes a word (the last one is loaded when it is first needed).
    """
    start = (steps - 1, frozenset([("x", 0)]))
    queue, best = [(0, 0, start)], {start: 0}
    ticket = 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        step, held = state
        if step < 0:
            return cost
        used = len(held) + (step < steps - 1)
        following = []
        if used < memory:
            for kind, j in held:
                if kind == "x":
                    built = [("t", j), *([("x", j + 1)] if j + 1 <= step else [])]
                    following += [(cost + 1, (step, held | {v})) for v in built if v not in held]
        following += [(cost, (step, held - {value})) for value in held]
        if ("t", step) in held and len(held) + 2 <= memory:
            kept = frozenset(value for value in held if value[1] < step)
            following.append((cost, (step - 1, kept)))
        for price, after in following:
            if price < best.get(after, price + 1):
                best[after] = price
                ticket += 1
                heapq.heappush(queue, (price, ticket, after))
    return None


@pytest.mark.parametrize(("snapshots", "most"), [(1, 10), (2, 8), (3, 7)])
def test_complete_search_of_the_game_finds_as_many(snapshots, most):
    for steps in range(1, most + 1):
        assert least_by_game(steps, snapshots + 3) == forward_steps(steps, snapshots)


def least_by_sets(steps, snapshots):
    """Least forward steps over all sets of states that are kept from adjoint to adjoint."""
    costs = {frozenset([0]): 0}
    for step in range(steps - 1, -1, -1):
        reached = {}
        for kept, cost in costs.items():
            nearest = max(j for j in kept if j <= step)
            passed = range(nearest + 1, step)
            price = cost + step - nearest + 1
            for after in subsets([j for j in kept if j < step], list(passed), snapshots):
                if step == 0 or 0 in after:
                    reached[after] = min(price, reached.get(after, price))
        costs = reached
    return min(costs.values())


def subsets(kept, passed, limit):
    """All sets of at most so many of both lists."""
    sets = {frozenset()}
    for j in [*kept, *passed]:
        sets |= {old | {j} for old in sets if len(old) < limit}
    return sets


@pytest.mark.parametrize(("snapshots", "most"), [(1, 20), (2, 20), (3, 20), (4, 16)])
def test_search_over_all_sets_of_snapshots_finds_as_many(snapshots, most):
    for steps in range(1, most + 1):
        assert least_by_sets(steps, snapshots) == forward_steps(steps, snapshots)


def schedule_of(steps, snapshots):
    moves = list(reversal(steps, snapshots))
    return Schedule([move for move, _ in moves], [v for _, v in moves])


@pytest.mark.parametrize("snapshots", range(1, 11))
def test_every_play_makes_the_least_forward_steps(snapshots):
    for steps in range(1, 101):
        schedule = schedule_of(steps, snapshots)
        count = play(adjoint(steps), schedule, snapshots + 3, rules=RECOMPUTE)
        assert count.io == 3
        assert count.computes == forward_steps(steps, snapshots) + steps
        if steps % 20 == 7:
            assert judge(adjoint(steps), schedule, snapshots + 3, rules=RECOMPUTE) == count


def test_the_scheduler_keeps_as_many_snapshots_as_there_is_room_for():
    structured = SCHEDULERS["structured"]
    for memory in range(4, 12):
        dag = load("adjoint:steps=23")
        schedule = structured(dag, memory, rules=RECOMPUTE)
        count = judge(dag, schedule, memory, rules=RECOMPUTE)
        assert count.computes == forward_steps(23, memory - 3) + 23
        sample = load("adjoint:steps=23,snapshots=2")
        count = judge(sample, structured(sample, memory, rules=RECOMPUTE), memory, rules=RECOMPUTE)
        assert count.computes == forward_steps(23, min(2, memory - 3)) + 23
        assert judge(dag, structured(dag, memory), memory).recomputes == 0
    assert judge(dag, structured(dag, 3, rules=RECOMPUTE), 3, rules=RECOMPUTE).io > 3


def test_solve_finds_the_least_work():
    solution = rb.solve("adjoint:steps=20", 6, rules="recompute", time_limit=4)
    assert solution.status == "optimal"
    assert solution.count.computes == forward_steps(20, 3) + 20


@pytest.mark.parametrize(("steps", "snapshots"), [(0, 1), (3, 0), (3, -1)])
def test_no_chain_without_steps_or_snapshots(steps, snapshots):
    with pytest.raises(InvalidSpecError):
        forward_steps(steps, snapshots)
