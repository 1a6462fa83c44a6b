"""Random games against an oracle in plain Python: all bounds, schedulers, solvers and rules.

A case draws a DAG of a few vertices, some with sizes and with outputs that are read, and a memory.
Every bound must pass its checker and be no more than the optimum; every schedule must pass the
referee and the engine and move no less; every solver must find the optimum, or say that it did
not, and prove no more.
"""

import random

import numpy as np

from dags import CDAG, InvalidSpecError
from pebble import MOST_WORDS, RULES, MemoryTooSmallError, Rules, judge, min_memory, play
from proofs import BOUNDS, Bound, NotApplicableError, check
from redblue.racing.solvers import SOLVERS
from schedulers import SCHEDULERS, OrderAndEviction
from tests.campaigns.extremes import BEYOND, some_memory, sometimes_huge
from tests.campaigns.outcomes import Failure, Outcomes
from tests.oracles import optimum

VERTICES = 4, 8
SECONDS = 0.05  # of a bound
ALONE = ("structured", "tiled")  # besides pairs of an order and an eviction
SEARCHED = 0.05  # of the games are given to the solvers besides the exact one


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` random games came to."""
    outcomes = Outcomes()
    for case in range(cases):
        rng = random.Random(f"{seed} {case}")
        dag = drawn(rng)
        rules = RULES[rng.choice(list(RULES))]
        lowest = min_memory(dag, rules=rules)
        memory = some_memory(rng, dag, lowest, [0, 0, 1, 2, 4], limit=max(BEYOND))
        minimum = optimum(dag, memory, rules)
        assert minimum is not None
        for kind, look in LOOKS.items():
            try:
                message = look(rng, dag, memory, rules, minimum)
            except Exception as error:
                message = f"{type(error).__name__}: {error}"
            outcomes.counts[kind, "failed" if message else "sound"] += 1
            if message:
                about = f"{message}; {dag!r}, {memory} words, {rules.name}, optimum {minimum}"
                outcomes.failures.append(Failure(case, kind, about))
    return outcomes


def drawn(rng: random.Random) -> CDAG:
    """A DAG of a few vertices."""
    n = rng.randint(*VERTICES)
    limit = rng.choice([1, 2, 2, 3])
    rows = [sorted(rng.sample(range(v), min(v, rng.randint(0, limit)))) for v in range(n)]
    rows[-1] = rows[-1] or [rng.randrange(n - 1)]
    computed = [v for v in range(n) if rows[v]]
    sized = rng.random()
    words = [rng.choice([1, 1, 2, 3, 7] if sized < 0.9 else [1, 2**31]) for _ in range(n)]
    dag = CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=words if sized > 0.5 else None,
        outputs=rng.sample(computed, rng.randint(0, min(2, len(computed)))),
    )
    return sometimes_huge(rng, dag)


def bounded(rng: random.Random, dag: CDAG, memory: int, rules: Rules, minimum: int) -> str:
    """What is wrong with what a few bounds prove; nothing, if all is well."""
    for name in rng.sample(list(BOUNDS), 4):
        try:
            bound: Bound = BOUNDS[name](dag, memory, rules=rules, seed=1, time_limit=SECONDS)
        except NotApplicableError:
            continue
        if bound.io > minimum:
            return f"{name} proves {bound.io}"
        check(dag, memory, bound)
    return ""


def quick() -> list[str]:
    """The schedulers that answer at once."""
    return [
        name
        for name, player in SCHEDULERS.items()
        if isinstance(player, OrderAndEviction) or name in ALONE
    ]


def scheduled(rng: random.Random, dag: CDAG, memory: int, rules: Rules, minimum: int) -> str:
    """What is wrong with a few schedulers' plays; nothing, if all is well."""
    for name in rng.sample(quick(), 6):
        try:
            moves = SCHEDULERS[name](dag, memory, rules=rules)
        except MemoryTooSmallError:
            if memory >= min_memory(dag):
                return f"{name} does not play with {memory} words"
            continue
        except InvalidSpecError:
            if memory <= MOST_WORDS:
                return f"{name} refuses {memory} words"
            continue
        count = judge(dag, moves, memory, rules=rules)
        if count != play(dag, moves, memory, rules=rules):
            return f"engine and referee count the play of {name} differently"
        if count.io < minimum:
            return f"{name} moves {count.io}"
    return ""


def solved(rng: random.Random, dag: CDAG, memory: int, rules: Rules, minimum: int) -> str:
    """What is wrong with what a solver finds; nothing, if all is well."""
    remaining = ["search"] if rules.recompute else ["cp-sat", "search"]
    names = ["exact", *(remaining if rng.random() < SEARCHED else [])]
    for name in names:
        limit = {"max_memory": 1 << 28, "time_limit": 60.0 if name == "exact" else 0.5}
        try:
            result = SOLVERS[name](dag, memory, rules=rules, seed=1, **limit)
        except InvalidSpecError:
            if memory <= MOST_WORDS:
                return f"{name} refuses {memory} words"
            continue
        if result.schedule is None or result.io is None:
            return f"{name} finds nothing"
        count = judge(dag, result.schedule, memory, rules=rules)
        if count.io != result.io or not result.lower_bound <= minimum <= result.io:
            return f"{name} says {result.lower_bound}..{result.io}, and moves {count.io}"
        if name == "exact" and result.status == "optimal" and result.io != minimum:
            return f"{name} finds {result.io}"
    return ""


LOOKS = {"bounds": bounded, "schedulers": scheduled, "solvers": solved}
