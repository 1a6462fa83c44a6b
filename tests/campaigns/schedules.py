"""Mutated schedules: referee and engine agree on every one, and the command line with both.

A case takes a legal play of a small DAG, changes some of its moves, and asks who may play it, with
as much memory or less or far more, under any rules; values may be as large as a DAG takes them.
Another verdict, another step at which the play becomes illegal, another rule that is broken there
or another count is a failure; so is a legal play that moves less than the optimum of a tiny DAG.
The engine may refuse a play of more words than it counts.
"""

import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import dags
from dags import CDAG
from pebble import (
    RULES,
    IllegalMoveError,
    InvalidScheduleError,
    Rules,
    Schedule,
    judge,
    min_memory,
    play,
)
from schedulers import SCHEDULERS
from tests.campaigns.certificates import SEARCHED, random_dag, small_dags
from tests.campaigns.extremes import huge_sizes, is_uncountable, some_memory
from tests.campaigns.games import quick
from tests.campaigns.outcomes import Failure, Outcomes
from tests.command_line import run_redblue
from tests.oracles import optimum

ASKED = 500  # of so many cases one goes through files and the command line
PLAYERS = [name for name in quick() if name != "tiled"]
EXTREMES = [-1, 0, 1, 2**31 - 1, -(2**31)]


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` mutated schedules came to."""
    outcomes = Outcomes()
    rng = random.Random(seed)
    drawn = [*small_dags(), *map(random_dag, range(12, 60))]
    games = [(dag, {}) for dag in (*drawn, *(huge_sizes(rng, dag) for dag in drawn[::4]))]
    with tempfile.TemporaryDirectory() as name:
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            dag, plays = rng.choice(games)
            kind, schedule, memory, rules = mutated(rng, dag, plays)
            outcome = verdict(dag, schedule, memory, rules)
            if not outcome.startswith("failed") and case % ASKED == 0:
                outcome = on_the_command_line(Path(name), dag, schedule, memory, rules, outcome)
            outcomes.counts[kind, outcome.partition(":")[0]] += 1
            if outcome.startswith("failed"):
                outcomes.failures.append(Failure(case, kind, f"{outcome}; {dag!r}"))
    return outcomes


def mutated(
    rng: random.Random, dag: CDAG, plays: dict[Any, Schedule]
) -> tuple[str, Schedule, int, Rules]:
    """The kind of mutation, the schedule, and the game."""
    rules = RULES[rng.choice(list(RULES))]
    memory = some_memory(rng, dag, min_memory(dag), [0, 0, 1, 2, 5])
    key = rng.choice(PLAYERS), memory
    if key not in plays:
        plays[key] = SCHEDULERS[key[0]](dag, memory)
    full = plays[key]
    op, vertex = np.array(full.op), np.array(full.vertex)
    kind = rng.choice([*MUTATIONS, "none"])
    for _ in range(rng.choice([1, 1, 2, 5]) if kind in MUTATIONS and op.size else 0):
        op, vertex = MUTATIONS[kind](rng, op, vertex, dag)
        if not op.size:
            break
    smallest = min_memory(dag, rules=rules)
    return kind, Schedule(op, vertex), rng.choice([memory, memory, smallest, memory - 1]), rules


def dropped(rng, op, vertex, dag):
    """Leave a move out."""
    place = rng.randrange(op.size)
    return np.delete(op, place), np.delete(vertex, place)


def repeated(rng, op, vertex, dag):
    """Have a move again, there or elsewhere."""
    place, to = rng.randrange(op.size), rng.randrange(op.size + 1)
    return np.insert(op, to, op[place]), np.insert(vertex, to, vertex[place])


def swapped(rng, op, vertex, dag):
    """Exchange two moves, most often neighbours."""
    a = rng.randrange(op.size)
    b = min(a + 1, op.size - 1) if rng.random() < 0.7 else rng.randrange(op.size)
    order = np.arange(op.size)
    order[[a, b]] = order[[b, a]]
    return op[order], vertex[order]


def other_move(rng, op, vertex, dag):
    """Do something else with the vertex."""
    op[rng.randrange(op.size)] = rng.randrange(4)
    return op, vertex


def other_vertex(rng, op, vertex, dag):
    """Do it with another vertex, or with none that there is."""
    vertex[rng.randrange(op.size)] = rng.choice([*range(dag.n), dag.n, *EXTREMES])
    return op, vertex


def recomputed(rng, op, vertex, dag):
    """Compute a value instead of loading it."""
    loads = np.flatnonzero(op == 0)
    if loads.size:
        op[rng.choice(loads.tolist())] = 2
    return op, vertex


def churned(rng, op, vertex, dag):
    """Delete what has been loaded and load it again, and again: hundreds of moves."""
    loads = np.flatnonzero(op == 0)
    if not loads.size:
        return op, vertex
    place, times = rng.choice(loads.tolist()) + 1, rng.choice([1, 5, 31, 63, 127, 500])
    moves = np.tile(np.array([3, 0], op.dtype), times)
    return np.insert(op, place, moves), np.insert(vertex, place, [vertex[place - 1]] * 2 * times)


def cut(rng, op, vertex, dag):
    """End early, or begin late."""
    place = rng.randrange(op.size)
    return (op[:place], vertex[:place]) if rng.random() < 0.5 else (op[place:], vertex[place:])


MUTATIONS = {
    "dropped": dropped,
    "repeated": repeated,
    "swapped": swapped,
    "other move": other_move,
    "other vertex": other_vertex,
    "recomputed": recomputed,
    "churned": churned,
    "cut": cut,
}


def verdict(dag: CDAG, schedule: Schedule, memory: int, rules: Rules) -> str:
    """Return "legal", "illegal", or "failed: ..." and why."""
    first, second = (_said(judged, dag, schedule, memory, rules) for judged in (judge, play))
    if is_uncountable(first, second):
        return "refused"
    if first != second:
        return f"failed: the referee says {first}, the engine {second}"
    if isinstance(first, tuple):
        return "illegal"
    if dag.n <= SEARCHED:
        minimum = optimum(dag, memory, rules)
        if minimum is None or first.io < minimum:
            return f"failed: {first.io} words are legal, but {minimum} are the optimum"
    return "legal"


def _said(judged, dag, schedule, memory, rules):
    try:
        return judged(dag, schedule, memory, rules=rules)
    except IllegalMoveError as error:
        return error.step, error.move, error.vertex, error.rule, str(error)
    except InvalidScheduleError as error:
        return str(error)


def on_the_command_line(
    folder: Path, dag: CDAG, schedule: Schedule, memory: int, rules: Rules, outcome: str
) -> str:
    """`outcome` if `redblue check` says the same of a file, "failed: ..." otherwise."""
    if memory < 1:
        return outcome
    spec = folder / "dag.npz"
    dags.save(dag, spec)
    for suffix in (".npz", ".jsonl"):
        moves = folder / f"moves{suffix}"
        schedule.save(moves)
        output = run_redblue("check", spec, moves, "--memory", memory, "--rules", rules.name)
        if output.code != {"legal": 0, "illegal": 4, "refused": 2}[outcome]:
            return f"failed: verify ends with {output.code}: {output.out}{output.err}"
    return outcome
