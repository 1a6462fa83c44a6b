"""The Dirac operator of a node, with the hops of its chains in the order that suits a memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from dags import CDAG, dirac
from pebble import Rules, require_memory
from schedulers.families.dirac import orders, plays
from schedulers.families.dirac_plans import DiracPlan, dirac_plans
from schedulers.families.plays import Play, plays_in_orders
from schedulers.families.recent_layouts import Shelf

SLIDING = Rules(sliding=True)
FITTING, OVERFULL = 2, 4  # how many plans are played whose tiles are whole along x2
CUT_FITTING = 1  # the same of tiles that are cut there
LATTICES: Shelf[CDAG] = Shelf(20)


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
    """Return the play that moves least with `memory` words, sliding, over several plans.

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
    found = [
        DiracPlay(plan, dag, play)
        for plan in _promising(k, n4, memory, wrap)
        for dag in (_lattice(plan),)
        for play in _plays(dag, memory)
    ]
    return min(found, key=lambda one: one.play.io)


def _lattice(plan: DiracPlan) -> CDAG:
    """Return the DAG of a plan, one of the last ones if it can: other memory sizes try the same."""
    known = LATTICES.find(plan)
    if known is not None:
        return known
    dag = dirac(**plan.params)
    LATTICES.keep(plan, dag, dag.m + dag.n)
    return dag


def _promising(k: int, n4: int, memory: int, wrap: bool) -> list[DiracPlan]:
    """Return the best plans that fit, and the best that take up to twice the memory."""
    plans = dirac_plans(k, n4, wrap=wrap)
    whole = [plan for plan in plans if plan.width == k]
    cut = [plan for plan in plans if plan.width < k]
    chosen = _near(whole, memory, FITTING, OVERFULL) + _near(cut, memory, CUT_FITTING, OVERFULL)
    return chosen or sorted(whole, key=lambda plan: plan.peak)[:OVERFULL]


def _near(
    plans: list[DiracPlan], memory: int, most_fitting: int, most_overfull: int
) -> list[DiracPlan]:
    """Return the first of the plans that fit, and of those that take up to twice the memory."""
    fitting = [plan for plan in plans if plan.peak <= memory]
    overfull = [plan for plan in plans if memory < plan.peak <= 2 * memory]
    return fitting[:most_fitting] + overfull[:most_overfull]


def _plays(dag: CDAG, memory: int) -> Iterator[Play]:
    require_memory(dag, memory, rules=SLIDING)
    yield from plays(dag, memory, SLIDING)
    yield from plays_in_orders(dag, orders(dag, memory), memory, SLIDING)
