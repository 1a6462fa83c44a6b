"""Counted plays of the Dirac operator: the plans of `dirac_plans`, for lattices of any size."""

from dataclasses import replace
from itertools import product
from typing import get_args

from dags.lattice_qcd import SPINOR, Sweep
from schedulers.counted.sides import sides
from schedulers.counted.tiles import Moved, Params
from schedulers.families.dirac_plans import DiracPlan


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
    k, n4, wrap = p["k"], p["n4"], p["wrap"]
    plans = (
        replace(DiracPlan(k, n4, wrap, sweep, slab, strip), seam=seam)
        for sweep, slab, strip in product(get_args(Sweep), sides(k, k), sides(n4, n4))
        for seam in ([False, True] if wrap and strip == n4 else [False])
    )
    fitting = [plan for plan in plans if plan.peak + SPINOR <= memory]
    return min(fitting, key=lambda plan: (plan.local_io, plan.peak), default=None)
