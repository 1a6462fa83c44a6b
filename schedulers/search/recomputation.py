"""Local search among plays that compute values again."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Budget, Move, Rules, Schedule, compulsory_words, play, rank_of
from schedulers.search.annealing import local_search
from schedulers.search.pruning import dropped, pruned
from schedulers.search.rematerialization import rematerialize
from schedulers.search.sequences import annealed, first_computes, takes

LARGEST = 1 << 14  # vertices
MOST_SPLIT = 5  # loads that become computations at a time
NOISE = 2.0  # words of operands by which the choice of loads may err
CHANGES = 20  # a vertex, of the order with the new copies


@dataclass(frozen=True)
class Copies:
    """The computations of a play, each a vertex, in the order of the play.

    Parameters
    ----------
    dag
        Inputs, and a copy of a value for each time that it is computed; none that nobody needs.
    vertex
        (n,) the vertex of the computation that each copies.
    """

    dag: CDAG
    vertex: Int32Array


def copies_of(dag: CDAG, schedule: Schedule) -> Copies:
    """The computations of a play: whoever reads a value reads its last copy that was red.

    An output is the copy that is stored. Any play of the copies that computes each of them once is
    a play of `dag` that moves as much or less, by `merged`.

    Parameters
    ----------
    dag
        The computation, with an output.
    schedule
        A play of it, legal under the default rules or with recomputation.
    """
    rows = [dag.pred_indices[a:b].tolist() for a, b in pairwise(dag.pred_indptr.tolist())]
    vertex = dag.inputs.tolist()
    latest = {v: copy for copy, v in enumerate(vertex)}  # the copy of a value that is or was red
    stored = dict(latest)
    read: list[list[int]] = [[] for _ in vertex]
    for move, v in schedule:
        if move is Move.COMPUTE:
            read.append(sorted(latest[u] for u in rows[v]))
            latest[v] = len(vertex)
            vertex.append(v)
        elif move is Move.STORE:
            stored.setdefault(v, latest[v])
        elif move is Move.LOAD:
            latest[v] = stored[v]
    outputs = [stored[v] for v in dag.outputs.tolist()]
    return _needed(dag, vertex, read, outputs)


def _needed(dag: CDAG, vertex: list[int], read: list[list[int]], outputs: list[int]) -> Copies:
    """The copies that outputs need, numbered anew."""
    needed = np.zeros(len(vertex), np.bool_)
    needed[outputs] = True
    for copy in range(len(vertex) - 1, -1, -1):
        if needed[copy]:
            needed[read[copy]] = True
    number = np.cumsum(needed) - 1
    kept = [read[copy] for copy in np.flatnonzero(needed)]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in kept], dtype=np.int64)))
    readings = np.array([u for row in kept for u in row], np.int64)
    of = np.array(vertex, np.int32)[needed]
    words = None if dag.words is None else dag.words[of]
    indices = number[readings].astype(np.int32)
    in_place = None if dag.in_place is None else dag.in_place[of]
    made = CDAG(indptr, indices, words=words, outputs=number[outputs], in_place=in_place)
    return Copies(made, lock(of))


def merged(dag: CDAG, copies: Copies, schedule: Schedule) -> Schedule:
    """The play of `dag` that a play of copies is: values already red or blue stay so.

    It holds a value while any copy of it is red, so it takes no more room.

    Parameters
    ----------
    dag
        The computation.
    copies
        Its computations in a play.
    schedule
        A play of `copies.dag` that computes each copy once.
    """
    red, blue = np.zeros(dag.n, np.int64).tolist(), set(dag.inputs.tolist())
    vertex = copies.vertex.tolist()
    moves: list[tuple[Move, int]] = []
    for move, copy in schedule:
        v = vertex[copy]
        if move is Move.STORE:
            new = v not in blue
            blue.add(v)
        elif move is Move.DELETE:
            red[v] -= 1
            new = red[v] == 0
        else:
            new = red[v] == 0
            red[v] += 1
        if new:
            moves.append((move, v))
    return Schedule.from_moves(moves)


def recomputing(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules,
    budget: Budget,
    goal: int = 0,
    price_of_work: float = 0.0,
) -> Schedule:
    """The best play that is found by computing values again where the play loads them.

    The sequence of computations is annealed (`sequences`). Under sliding rules, and in a larger
    DAG, there are rounds instead: a round makes some loads computations, even where that moves
    more words, anneals the order of all computations, each of which is a vertex of its own now,
    and makes computations of loads wherever that pays at once. It is kept if it moves as little.

    Parameters
    ----------
    dag, memory, rules
        The game, with recomputation.
    schedule
        A legal play.
    budget
        Of all of it.
    goal
        Words at which the search ends.
    price_of_work
        Words that an operation counts as which is done again.
    """

    def rank(play_: Schedule) -> tuple[float, int, int]:
        return rank_of(dag, play(dag, play_, memory, rules=rules), price_of_work)

    known = rank(schedule)
    priced: dict[str, Any] = {"price_of_work": price_of_work, "budget": budget}
    if known[0] > goal and takes(dag, rules):
        best = annealed(dag, schedule, memory, goal=goal, **priced)
        best = rematerialize(dag, best, memory, **priced)
        schedule = best if rank(best) <= known else schedule
        return pruned(dag, schedule, memory, rules=rules, **priced)
    rng = budget.rng()
    while known[0] > goal and dag.n <= LARGEST and not budget.over:
        changed = split(dag, schedule, rng)
        if changed is None:
            break
        copies = copies_of(dag, changed)
        improved = local_search(
            copies.dag,
            memory,
            [copies.dag.computed],
            rules=rules,
            budget=replace(budget.share(1.0), seed=int(rng.integers(1 << 31))),
            iterations=CHANGES * copies.dag.n,
        )
        best = rematerialize(dag, merged(dag, copies, improved.schedule), memory, **priced)
        if (cost := rank(best)) <= known:
            known, schedule = cost, best
    return schedule


def computing_again(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules,
    price_of_work: float = 0.0,
    budget: Budget,
) -> Schedule:
    """The best play that is found at once by computing values again.

    Parameters
    ----------
    dag, memory, rules, schedule, price_of_work, budget
        As for `recomputing`.
    """
    priced: dict[str, Any] = {"price_of_work": price_of_work, "budget": budget}
    orders = first_computes(dag, schedule), dag.computed
    schedules = [schedule, rematerialize(dag, schedule, memory, **priced)]
    if play(dag, schedule, memory, rules=rules).io > compulsory_words(dag):
        schedules += filter(None, [dropped(dag, orders, memory, rules=rules, **priced)])
    ranks = [
        rank_of(dag, play(dag, schedule, memory, rules=rules), price_of_work)
        for schedule in schedules
    ]
    return pruned(dag, schedules[ranks.index(min(ranks))], memory, rules=rules, **priced)


def split(dag: CDAG, schedule: Schedule, rng: np.random.Generator) -> Schedule | None:
    """A play with some loads made computations; None where no load can be.

    Their operands are loaded for the moment, where they are not red. It may take more room than
    there is, but no longer than a step takes, so that its order can be played.

    Parameters
    ----------
    dag
        The computation.
    schedule
        A play of it.
    rng
        Draws how many loads, and which: mostly those that take few loads of operands.
    """
    replacements = dict(_replaceable(dag, schedule))
    if not replacements:
        return None
    errors = NOISE * rng.random(len(replacements))
    costs = np.array([len(missing) for missing in replacements.values()]) + errors
    chosen = np.argsort(costs)[: rng.integers(1, MOST_SPLIT + 1)]
    places = [list(replacements)[x] for x in chosen]
    moves: list[tuple[Move, int]] = []
    for place, (move, v) in enumerate(schedule):
        if place in places:
            moves += [(Move.LOAD, u) for u in replacements[place]]
            moves.append((Move.COMPUTE, v))
            moves += [(Move.DELETE, u) for u in replacements[place]]
        else:
            moves.append((move, v))
    return Schedule.from_moves(moves)


def _replaceable(dag: CDAG, schedule: Schedule) -> Iterator[tuple[int, list[int]]]:
    """Yield the loads of values whose operands are all in some memory, with those not red."""
    red, blue = set[int](), set(dag.inputs.tolist())
    bounds, operands = dag.pred_indptr.tolist(), dag.pred_indices.tolist()
    for place, (move, v) in enumerate(schedule):
        if move is Move.STORE:
            blue.add(v)
        elif move is Move.DELETE:
            red.remove(v)
        else:
            row = operands[bounds[v] : bounds[v + 1]]
            if move is Move.LOAD and row:
                missing = [u for u in row if u not in red]
                if blue.issuperset(missing):
                    yield place, missing
            red.add(v)
