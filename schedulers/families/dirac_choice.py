"""The Dirac operator of a node, with the hops of its chains in the order that suits a memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG, dirac
from dags.arrays import lock
from dags.families.common.dirac_numbers import SPINOR, DiracNumbers
from pebble import Move, Rules, Schedule, require_memory
from schedulers.families.dirac import dirac_schedule, orders, plays
from schedulers.families.dirac_plans import AT_VISIT, DiracPlan, dirac_plans
from schedulers.families.plays import Play, Shelf, plays_in_orders

SLIDING = Rules(sliding=True)
FITTING, OVERFULL = 2, 4  # how many plans are played whose tiles are whole along x2
CUT_FITTING = 1  # the same of tiles that are cut there
LATTICES: Shelf[CDAG] = Shelf(20)


def resident_dirac_schedule(dag: CDAG) -> tuple[Schedule, Schedule, Schedule]:
    """Return a play of a `dags.dirac` in three parts: fields settle, are worked on, and leave.

    The first part loads Psi and U, the last one stores Phi, 120 n words together on channel 0.
    The second one moves nothing on channel 0. A game begins and ends with all fields in slow
    memory; on a machine that applies the operator again and again, the Phi of one application
    serves the next one, U stays, and only the second part is played: the large-memory regime,
    I_lc = 0. One after another the parts are a legal play under sliding rules, for which
    `resident_peak` words suffice.

    Raises
    ------
    InvalidDAGError
        If `dag` was not made by `dags.dirac`.

    Source
    ------
    G. Bilardi et al., HiPC 2005, theorem 1: 120 n words. As Phi takes the room of Psi behind the
    sweep, 96 n and a front are enough.
    """
    moves = dirac_schedule(dag)
    numbers = DiracNumbers(*(dag.params.get(key, False) for key in ("k", "n4", "wrap", "copies")))
    op, vertex = moves.op, moves.vertex
    fields = vertex < numbers.halo
    leaving = dag.outputs[dag.outputs >= numbers.chains]
    dropped = np.flatnonzero((op == Move.DELETE) & (vertex < numbers.sites))
    last = np.empty(numbers.sites, np.int64)
    last[vertex[dropped]] = dropped  # of several assignments the last one stands
    kept = ~fields & (np.isin(vertex, leaving, invert=True) | (op == Move.COMPUTE))
    kept[last] = True
    return (
        _each(Move.LOAD, np.arange(numbers.halo)),
        Schedule(lock(op[kept]), lock(vertex[kept])),
        _each(Move.STORE, leaving),
    )


def resident_peak(plan: DiracPlan) -> int:
    """Words of fast memory that suffice for `resident_dirac_schedule`, without a seam.

    Psi and U of all sites, 96 n (18 k^3 less if x4 does not wrap); Phi too of the sites whose Psi
    still waits, half of those that wait in `DiracPlan.peak`; and at the site that is visited 72
    more. Just enough for one tile of two slices or more, and of four if x4 wraps.
    """
    waiting = (plan.peak - AT_VISIT) // 2
    return 96 * plan.sites + plan.copied - plan.absent + waiting + 3 * SPINOR


def _each(move: Move, vertices: npt.NDArray[np.signedinteger[Any]]) -> Schedule:
    """The schedule that makes one move with each vertex."""
    return Schedule(np.full(vertices.size, move, np.uint8), vertices)


@dataclass(frozen=True)
class DiracPlay:
    """A play of the Dirac operator.

    Parameters
    ----------
    plan
        In which order sites are visited and hops are done.
    dag
        The Dirac operator with chains in that order.
    play
        The play, legal under sliding rules.
    """

    plan: DiracPlan
    dag: CDAG
    play: Play


def best_dirac_play(k: int, n4: int, memory: int, *, wrap: bool = True) -> DiracPlay:
    """The play that moves least with `memory` words, sliding, over several plans.

    The closed forms of `DiracPlan` rise in steps: a plan fits or not. Between the steps it is
    better to follow a plan for up to twice the memory and to let the values leave that are not
    needed for longest. That goes down to the 66 words that one hop takes.

    Parameters
    ----------
    k, n4
        Sites of a node along x1, x2 and x3, and along x4.
    memory
        Words of fast memory.
    wrap
        Along x4 the lattice of the node is periodic.

    Raises
    ------
    MemoryTooSmallError
        If not even one hop fits.
    """
    candidates = [
        DiracPlay(plan, dag, play)
        for plan in _promising(k, n4, memory, wrap)
        for dag in (_lattice(plan),)
        for play in _plays(dag, memory)
    ]
    return min(candidates, key=lambda candidate: candidate.play.io)


def _lattice(plan: DiracPlan) -> CDAG:
    """The DAG of a plan, one of the last ones if it can: other memory sizes try the same."""
    known = LATTICES.find(plan)
    if known is not None:
        return known
    dag = dirac(**plan.params)
    LATTICES.keep(plan, dag, dag.m + dag.n)
    return dag


def _promising(k: int, n4: int, memory: int, wrap: bool) -> list[DiracPlan]:
    """The best plans that fit, and the best that take up to twice the memory."""
    plans = dirac_plans(k, n4, wrap=wrap)
    full_width = [plan for plan in plans if plan.width == k]
    cut = [plan for plan in plans if plan.width < k]
    chosen = _near(full_width, memory, FITTING, OVERFULL) + _near(
        cut, memory, CUT_FITTING, OVERFULL
    )
    return chosen or sorted(full_width, key=lambda plan: plan.peak)[:OVERFULL]


def _near(
    plans: list[DiracPlan], memory: int, most_fitting: int, most_overfull: int
) -> list[DiracPlan]:
    """The first of the plans that fit, and of those that take up to twice the memory."""
    fitting = [plan for plan in plans if plan.peak <= memory]
    overfull = [plan for plan in plans if memory < plan.peak <= 2 * memory]
    return fitting[:most_fitting] + overfull[:most_overfull]


def _plays(dag: CDAG, memory: int) -> Iterator[Play]:
    require_memory(dag, memory, rules=SLIDING)
    yield from plays(dag, memory, SLIDING)
    yield from plays_in_orders(dag, orders(dag, memory), memory, SLIDING)
