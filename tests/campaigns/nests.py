"""Bounds of programs against the exact search: random nests of two and three loops.

A case draws a nest with at most `MOST` vertices, sizes of its values, a memory and rules. Each
bound must pass its checker. The optimum is searched where a bound is above the compulsory words:
what is not above them holds by counting. The counts tell how many cases were drawn, and how many
had such a bound.
"""

import random
import time

import numpy as np

from dags import CDAG
from pebble import RULES, Rules, compulsory_words, min_memory, play
from proofs import BOUNDS, Bound, NotApplicableError, check
from schedulers import scheduler_named
from schedulers.exact import exact
from tests.campaigns.extremes import some_memory
from tests.campaigns.outcomes import Failure, Outcomes
from tests.test_proofs.small_nests import small_nest

MOST = 16
METHODS = ("affine", "uniform", "slices")
WEIGHED = 0.3  # of the cases have values of one to three words
FREE = 0.05  # of the cases may compute values again
SEARCHES = {"one-shot": 60.0, "recompute": 2.0}  # seconds of the exact search


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` random nests came to; nests that are too large are drawn again."""
    outcomes = Outcomes()
    drawn = 0
    for case in range(cases):
        dag = None
        while dag is None:
            level = "statement" if drawn % 4 else "operation"
            dag = small_nest(f"{seed} {drawn}", MOST, 2 * MOST, level)
            drawn += 1
        began = time.process_time()
        rng = random.Random(f"{seed} {case}")
        if rng.random() < WEIGHED:
            words = np.array([rng.randint(1, 3) for _ in range(dag.n)])
            parts = dag.pred_indptr, dag.pred_indices
            dag = CDAG(*parts, words=words, outputs=dag.outputs, origin=dag.origin)
        rules = RULES["recompute" if rng.random() < FREE else "one-shot"]
        memory = some_memory(rng, dag, min_memory(dag, rules=rules), [0, 0, 0, 1, 2])
        try:
            message, verdict = judged(dag, memory, rules)
        except Exception as error:
            message, verdict = f"{type(error).__name__}: {error}", "failed"
        outcomes.counts[rules.name, verdict] += 1
        if message:
            about = f"{message}; {dag!r}, {memory} words, nest {seed} {drawn - 1}"
            outcomes.failures.append(Failure(case, rules.name, about))
        outcomes.slowest = max(outcomes.slowest, time.process_time() - began)
    return outcomes


def judged(dag: CDAG, memory: int, rules: Rules) -> tuple[str, str]:
    """What is wrong with the bounds, if anything, and how the case came out.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    floor = compulsory_words(dag)
    results = [bound for name in METHODS if (bound := bound_of(name, dag, memory, rules))]
    limit = max((bound.io for bound in results), default=floor)
    if limit <= floor:
        return "", "compulsory words alone"
    named = next(bound.method for bound in results if bound.io == limit)
    moves = scheduler_named("natural+belady")(dag, memory, rules=rules)
    if play(dag, moves, memory, rules=rules).io < limit:
        return f"{named} proves {limit}, more than a schedule moves", "failed"
    searched = exact(dag, memory, rules=rules, time_limit=SEARCHES[rules.name])
    if searched.io is not None and searched.io < limit:
        return f"{named} proves {limit}, the optimum is {searched.io}", "failed"
    if searched.status != "optimal":
        return "", "not searched to the end"
    return "", "optimum proved" if searched.io == limit else "below the optimum"


def bound_of(name: str, dag: CDAG, memory: int, rules: Rules) -> Bound | None:
    """A bound that its checker accepts, None where the method does not apply."""
    try:
        bound: Bound = BOUNDS[name](dag, memory, rules=rules)
    except NotApplicableError:
        return None
    check(dag, memory, bound)
    return bound
