"""Counted plays of the Dirac operator: the plans of `dirac_plans`, for lattices of any size."""

from bisect import bisect_right
from functools import lru_cache
from itertools import product
from typing import get_args

from dags.lattice_qcd import SPINOR, Sweep
from schedulers.counted.sides import numbers
from schedulers.counted.tiles import Moved, Params
from schedulers.families.dirac_plans import DiracPlan

FEW = 48  # thicknesses of tiles that are all tried


def dirac(p: Params, memory: int) -> Moved | None:
    """Return what the best plan moves that fits, nodes mirrored; None where none does.

    Sites are visited by tiles, and hops done, in the order that is best for the memory: where that
    is another one than the parameters say, it is the same operator with its sums in another order.
    Plans slide; a new version of Phi beside the old one takes 24 words more.
    """
    plan = best_plan(p, memory)
    if plan is None:
        return None
    stores = SPINOR * plan.sites + plan.neighbour_io // 2
    return Moved(plan.local_io + plan.neighbour_io - stores, stores)


def best_plan(p: Params, memory: int) -> DiracPlan | None:
    """Return the plan that moves least of those that fit where results are placed.

    Parameters
    ----------
    p
        All parameters of the family; tiles and sweep are chosen anew.
    memory
        Words of fast memory.
    """
    plans = _better_and_better(p["k"], p["n4"], p["wrap"], p.get("copies", False))
    place = bisect_right(plans, memory - SPINOR, key=lambda plan: plan.peak)
    return plans[place - 1] if place else None


@lru_cache(maxsize=64)
def _better_and_better(k: int, n4: int, wrap: bool, copies: bool) -> list[DiracPlan]:
    """Return plans by rising memory, each of which moves less than those before."""
    plans = [
        DiracPlan(k, n4, wrap, sweep, slab, strip, seam, copies=copies)
        for sweep, slab, strip in product(get_args(Sweep), numbers(k, FEW), numbers(n4, FEW))
        for seam in ([False, True] if wrap and strip == n4 else [False])
    ]
    plans.sort(key=lambda plan: (plan.peak, plan.local_io))
    best: list[DiracPlan] = []
    for plan in plans:
        if not best or plan.local_io < best[-1].local_io:
            best.append(plan)
    return best
