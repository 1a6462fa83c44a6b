"""Members of families against exact optima, and larger ones against schedules.

A case draws a member of a generator's family and a memory. What bounds prove is what their
certificates do, and no more than the optimum, which the exact search finds under any rules; the
family's schedule moves no less, and what its closed form promises is what it moves. Of members that
are too large for exact search, bounds prove no more than schedules move.
"""

import random
from functools import cache

import dags
from dags import CDAG, RedBlueError
from pebble import RULES, MemoryTooSmallError, judge, min_memory
from proofs import BOUNDS, NotApplicableError, check
from schedulers import SCHEDULERS
from schedulers.exact import TooLargeError, exact
from tests.campaigns.extremes import some_memory
from tests.campaigns.outcomes import Failure, Outcomes

SECONDS = 0.05  # of a bound
SEARCH = 2.0  # seconds of an exact search
LARGEST = 26  # values that are computed
LARGER = 0.25  # share of the cases that are larger, with up to so many times the parameters
TIMES = {"attention": 3, "hypercube": 2, "random_layered": 8, "tree": 3}
OTHERS = 4

# The parameters that are drawn for each generator, and from where.
DRAWN = {
    "adjoint": {"steps": (1, 6)},
    "attention": {"tokens": (1, 3), "width": (1, 2)},
    "binomial": {"n": (1, 6)},
    "bitonic_sort": {"n": (2, 4)},
    "chain": {"n": (2, 12)},
    "cholesky": {"n": (1, 4)},
    "diamond": {"n": (2, 4)},
    "fft": {"n": (2, 8)},
    "hypercube": {"d": (1, 4)},
    "lu": {"n": (2, 3)},
    "matmul": {"m": (1, 2), "n": (1, 3), "k": (1, 3)},
    "matvec": {"n": (1, 3)},
    "odd_even_merge_sort": {"n": (2, 4)},
    "odd_even_transposition_sort": {"n": (2, 5)},
    "prefix_scan": {"n": (2, 8)},
    "pyramid": {"height": (1, 5)},
    "qr_givens": {"n": (2, 3)},
    "random_layered": {"n": (6, 24), "seed": (0, 10**6)},
    "random_tree": {"n": (4, 20), "seed": (0, 10**6)},
    "syrk": {"n": (1, 3), "k": (1, 2)},
    "tree": {"height": (1, 3)},
    "triangular_solve": {"n": (1, 3), "k": (1, 2)},
}
SHAPES = {
    "grid": ["2x2", "3x3", "2x5", "4x4", "2x2x2", "5"],
    "stencil": ["3,steps=2", "5,steps=2", "4,steps=3", "3x2,steps=1", "4,steps=2,periodic=true"],
    "sweep": ["3x3", "4x2", "2x2x2", "4x4,periodic=true", "5"],
    "spmv": ["2", "3", "2x2"],
}


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` members of families came to."""
    outcomes = Outcomes()
    for case in range(cases):
        rng = random.Random(f"{seed} {case}")
        spec = drawn(rng)
        try:
            dag = dags.load(spec)
        except RedBlueError:  # no power of two, or nothing to compute
            outcomes.counts[spec.partition(":")[0], "refused"] += 1
            continue
        try:
            outcome = verdict(rng, dag)
        except Exception as error:
            outcome = f"failed: {type(error).__name__}: {error}"
        outcomes.counts[spec.partition(":")[0], outcome.partition(":")[0]] += 1
        if outcome.startswith("failed"):
            outcomes.failures.append(Failure(case, spec, outcome))
    return outcomes


def drawn(rng: random.Random) -> str:
    """The specification of a member."""
    name, larger = rng.choice([*DRAWN, *SHAPES]), rng.random() < LARGER
    if name in SHAPES:
        return f"{name}:shape={_box(rng, name) if larger else rng.choice(SHAPES[name])}"
    times = TIMES.get(name, OTHERS) if larger else 1
    values = (f"{key}={rng.randint(low, times * high)}" for key, (low, high) in DRAWN[name].items())
    return f"{name}:{','.join(values)}"


def _box(rng: random.Random, name: str) -> str:
    """The sides of a box of some hundred points, and steps if there are any."""
    axes = rng.randint(1, 3)
    box = "x".join(str(rng.randint(2, (300, 24, 8)[axes - 1])) for _ in range(axes))
    return f"{box},steps={rng.randint(1, 9)}" if name == "stencil" else box


def verdict(rng: random.Random, dag: CDAG) -> str:
    """Return "optimum", "schedules", which is what bounds were compared with, or "failed: ..."."""
    rules = RULES[rng.choice(list(RULES))]
    extra = [0, 0, 1, 2, 4, 8, 16, 64]
    memory = some_memory(rng, dag, min_memory(dag, rules=rules), extra)
    optimum = least_io(dag, memory, rules.name)
    moved = {}
    for name in ("structured", "depth-first+belady-cost"):
        try:
            moves = SCHEDULERS[name](dag, memory, rules=rules)
        except MemoryTooSmallError:
            continue
        moved[name] = judge(dag, moves, memory, rules=rules).io
    minimum = min(moved.values()) if optimum is None else optimum
    for name, method in BOUNDS.items():
        try:
            bound = method(dag, memory, rules=rules, time_limit=SECONDS)
        except NotApplicableError:
            continue
        check(dag, memory, bound)
        if bound.io > minimum:
            return f"failed: {name} proves {bound.io} of {minimum}, {memory} words, {rules.name}"
    for name, io in moved.items():
        if io < minimum:
            return f"failed: {name} moves {io} of {minimum}, {memory} words, {rules.name}"
    return "schedules" if optimum is None else "optimum"


@cache
def least_io(dag: CDAG, memory: int, rules: str) -> int | None:
    """The optimum; None where the search for it would take long."""
    if dag.computed.size > LARGEST:
        return None
    try:
        solution = exact(dag, memory, rules=RULES[rules], time_limit=SEARCH)
    except TooLargeError:
        return None
    return solution.io if solution.status == "optimal" else None
