"""Counted plays of the Dirac operator: the plans of `dirac_plans`, for lattices of any size."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import get_args

from dags.families.dirac_numbers import DIRECTIONS, FACES, DiracNumbers
from dags.families.lattice_qcd import LINK, SPINOR, Sweep
from schedulers.counted.sides import boxes, evened, numbers
from schedulers.counted.tiles import Moved, Params
from schedulers.families.dirac_plans import AT_VISIT, SITE, DiracPlan

FEW = 48  # thicknesses of tiles that are all tried
SMALL = 16  # sites along x2 up to which all thicknesses there are tried, with each along x3


def dirac(p: Params, memory: int) -> Moved:
    """Return what the best plan moves that fits, nodes mirrored; where none does, hop by hop.

    Sites are visited by tiles, and hops done, in the order that is best for the memory: where that
    is another one than the parameters say, it is the same operator with its sums in another order.
    Plans slide; a new version of Phi beside the old one takes 24 words more.
    """
    plan = best_plan(p, memory)
    if plan is None:
        return hop_by_hop(p)
    stores = SPINOR * plan.sites + plan.neighbour_io // 2
    return Moved(plan.local_io + plan.neighbour_io - stores, stores)


def hop_by_hop(p: Params) -> Moved:
    """Return what moves where each hop loads its link and Psi for itself, in the least memory.

    A site loads its Psi once more to begin Phi, and stores Phi; what comes in from other nodes is
    loaded by the one hop that reads it; what is sent is made of what is loaded for it.

    Parameters
    ----------
    p
        All parameters of the family.
    """
    numbers = DiracNumbers(p["k"], p["n4"], p["wrap"], p.get("copies", False))
    n, faces = numbers.sites, FACES * numbers.face  # sites at forward faces, and as many backward
    inner = DIRECTIONS * n - 2 * numbers.outer - 2 * faces
    loads = SPINOR * n + (SPINOR + LINK) * inner
    loads += (SPINOR + LINK) * faces + (SPINOR + numbers.copies * LINK) * faces  # over faces
    loads += SPINOR * faces + (SPINOR + (not numbers.copies) * LINK) * faces  # to send
    return Moved(loads, SPINOR * n + 2 * SPINOR * faces)


def best_plan(p: Params, memory: int) -> DiracPlan | None:
    """Return the plan that moves least of those that fit where results are placed.

    Parameters
    ----------
    p
        All parameters of the family; tiles and sweep are chosen anew.
    memory
        Words of fast memory.
    """
    return _best(p["k"], p["n4"], p["wrap"], p.get("copies", False), memory - SPINOR)


@lru_cache(maxsize=256)
def _best(k: int, n4: int, wrap: bool, copies: bool, room: int) -> DiracPlan | None:
    """Return the plan with the least local I/O of those for `room` words, sliding."""
    front = (room - AT_VISIT) // SITE  # sites of a slice
    made = (replace(plan, copies=copies) for plan in _plans(k, n4, wrap, front))
    plans = (plan for plan in made if plan.peak <= room)
    return min(plans, key=lambda plan: (plan.local_io, plan.peak), default=None)


def _plans(k: int, n4: int, wrap: bool, front: int) -> Iterator[DiracPlan]:
    """Yield plans whose slices have up to `front` sites, not all of which fit where x4 closes."""
    if front < 1:
        return
    for sweep in get_args(Sweep):
        for slab in numbers(k, FEW):
            for panel in numbers(k) if sweep == "x1" and k <= SMALL else (k,):
                sides = {"x1": k, "x2": panel, "x3": slab} | {sweep: 1}
                strip = min(
                    n4, n4 if sweep == "x4" else front // (sides["x1"] * panel * sides["x3"])
                )
                if strip:
                    strip = evened(n4, strip)
                    yield DiracPlan(k, n4, wrap, sweep, slab, strip, panel=panel)
                    if wrap and strip == n4:
                        yield DiracPlan(k, n4, wrap, sweep, slab, strip, seam=True, panel=panel)
    for panel, slab, strip in boxes((k, k, n4), lambda box: box[0] * box[1] * box[2] <= front):
        even = evened(k, slab), evened(n4, strip)
        yield DiracPlan(k, n4, wrap, "x1", *even, panel=evened(k, panel))
