"""Bounds from windows of a play whose loads are computed, for small DAGs of any kind."""

from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, compulsory_words
from proofs.base import NotApplicableError
from proofs.bounds.room_for_all import room_for_all
from proofs.bounds.windows.placements import Effort
from proofs.bounds.windows.plans import Counting, Plan
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.windows.placements import MOST_VERTICES

# The vertices and edges of all cases together that may be looked at, without a time limit; fewer
# in one-shot games, where other methods prove more.
WORK, LITTLE = 400_000, 80_000
# The numbers of windows that are tried.
COUNTS = (2, 3, 4, 6, 8, 11, 16, 24, 36)
# More windows are not tried after so many numbers in a row that proved less.
DECLINES = 2
# The shares of the effort after which first looks end, and the moving of cuts.
LOOKS, MOVES = 0.45, 0.8
# The cases that each window gets at a first look, in each later turn, and in all.
LOOK, MORE, MOST_CASES = 25, 50, 3000
# A cut is moved by this part of all counted vertices at first.
PARTS = 10
# Results that are kept: each is some hundred numbers, of a small DAG.
KEPT = 256


def computed_windows(
    dag: CDAG, memory: int, rules: Rules, time_limit: float | None
) -> tuple[int, Certificate]:
    """Return the words that windows prove, and the certificate.

    Plays are cut into 2, 3, ... windows with equal numbers of first computations, of all vertices
    or of those that have more than one operand. Of what proves most at a first look the cuts are
    moved, and then the windows looked at more closely. Without a time limit, the same comes out
    every time.

    Raises
    ------
    NotApplicableError
        If the DAG has more than `MOST_VERTICES` vertices, or too many words to be added.
    """
    if dag.n > MOST_VERTICES:
        raise NotApplicableError(f"{dag!r} has more than {MOST_VERTICES} vertices")
    search = searched if time_limit is None else _search
    try:
        words, data = search(dag, memory, rules, time_limit)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is too large: {error}") from None
    if data is None:
        return words, Certificate("compulsory", {})
    own = {**data, "windows": deepcopy(data["windows"])}
    return words, Certificate("computed-windows", own)


def _search(
    dag: CDAG, memory: int, rules: Rules, time_limit: float | None
) -> tuple[int, dict[str, Any] | None]:
    """Return the words that are proved, and the data of the proof; None for the compulsory ones."""
    floor = compulsory_words(dag)
    if memory >= room_for_all(dag):
        return floor, None
    work = WORK if rules.recompute else LITTLE
    best = _best(dag, memory, rules, Effort(work // (dag.n + dag.m), time_limit))
    if best is None or best.words <= floor:
        return floor, None
    return best.words, best.data()


# For games that come again, as in curves of one DAG; what is found without a time limit.
searched = lru_cache(KEPT)(_search)


def _best(dag: CDAG, memory: int, rules: Rules, effort: Effort) -> Plan | None:
    """Return the plan that proves most; None if none can prove anything."""
    ways = [Counting(dag, memory, rules, each, effort) for each in _counted_sets(dag)]
    plans = _plans(ways, effort)
    if not plans:
        return None
    plans.append(_with_better_cuts(max(plans, key=_worth), effort))
    return _grown(plans)


def _counted_sets(dag: CDAG) -> list[Int64Array]:
    """Return the sets by which windows are cut: all computed vertices, and those that join some."""
    computed = dag.computed.astype(np.int64)
    joining = computed[dag.indegree[computed] > 1]
    return [computed, joining] if joining.size < computed.size else [computed]


def _plans(ways: Sequence[Counting], effort: Effort) -> list[Plan]:
    """Return plans that can prove something, after a first look."""
    plans: list[Plan] = []
    best = compulsory_words(ways[0].dag)
    declines = dict.fromkeys(ways, 0)  # how often more windows have proved less, in a row
    for windows, counting in product(COUNTS, ways):
        total = counting.counted.size
        late = plans and effort.is_spent(LOOKS)
        if late or windows > total or declines[counting] == DECLINES:
            continue
        plan = Plan(counting, tuple(total * i // windows for i in range(windows + 1)))
        if plan.most > best:
            plan.look(LOOK, LOOKS)
            plans.append(plan)
            declines[counting] = 0 if plan.words >= best else declines[counting] + 1
            best = max(best, plan.words)
    return plans


def _with_better_cuts(plan: Plan, effort: Effort) -> Plan:
    """Return a plan with cuts nearby that prove more, as far as they are found."""
    step = max(1, plan.cuts[-1] // PARTS)
    while step:
        for other in plan.moved(step):
            if effort.is_spent(MOVES):
                return plan
            other.look(LOOK, MOVES)
            if other.worth > plan.worth:
                plan = other
                break
        else:
            step //= 2
    return plan


def _grown(plans: list[Plan]) -> Plan:
    """Return the plan that proves most, after a closer look at those that may."""
    plans.sort(key=_worth, reverse=True)
    for plan in plans:
        if plan.most > plans[0].words:
            plan.grow(MORE, MOST_CASES)
    return max(plans, key=_worth)


def _worth(plan: Plan) -> Fraction:
    return plan.worth
