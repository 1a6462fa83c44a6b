"""Plays of the Dirac operator on a node in all regimes, beside what theorem 1 promises."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from dags import dirac
from pebble import Rules, play
from redblue.papers.experiments.played_nodes import dirac_lattice, played_lattice
from schedulers import DiracPlan, dirac_plan, dirac_schedule
from schedulers.families.dirac_plans import Regime, theorem_io
from schedulers.families.dirac_pull import PullPlan, dirac_pull_schedule

SLIDING = Rules(sliding=True)
SLABS: tuple[Regime, ...] = ("A-lockstep", "A-reflected")


@dataclass(frozen=True)
class NodePlay:
    """The words of a play of one application of the operator, as the engine counts them."""

    regime: str  # "all nodes" for a play of all nodes of a torus at once
    s: int  # thickness of slabs along x3, or width of strips along x4
    links: str  # a node stores its "own", that leave its sites forward, or "all"
    local: int  # words of a node to and from its own slow memory
    neighbour: int  # words to and from its neighbours
    peak: int  # words of fast memory
    promised: float | None  # words of theorem 1 with as much memory; None below its least

    def facts(self, sites: int) -> dict[str, Any]:
        """Return the fields, and words for each site."""
        return asdict(self) | {"local_per_site": self.local / sites}


def node_plays(k: int, n4: int, *, wrap: bool = True, copies: bool = False) -> list[NodePlay]:
    """Return plays of a node of k x k x k x n4 sites in each regime and thickness, sliding."""
    links = "all" if copies else "own"
    found = []
    for regime, s, plan in _plans(k, n4, wrap, copies):
        dag = dirac(**plan.params)
        if isinstance(plan, PullPlan):
            moves = dirac_pull_schedule(dag)
        else:
            moves = dirac_schedule(dag, lockstep=plan.lockstep)
        count = play(dag, moves, plan.peak, rules=SLIDING)
        local, neighbour = count.channels[0].io, count.channels[1].io
        promised = _promised(k, n4, plan.peak)
        found.append(NodePlay(regime, s, links, local, neighbour, count.peak, promised))
    return found


def lattice_plays(
    k: int, n4: int, nodes: tuple[int, int, int], *, wrap: bool = True, copies: bool = False
) -> list[NodePlay]:
    """Return the words of the nodes of a torus that play the whole lattice, each case once.

    Every other node is mirrored, and each value is loaded once: the medium regime. Results are
    placed, not slid: 24 words more, and 42 for the product that is made for a neighbour.
    """
    count = played_lattice(dirac_lattice(k, n4, nodes, wrap=wrap, copies=copies), nodes)
    links = "all" if copies else "own"
    cases = sorted({(one.io, one.received + one.sent, one.peak) for one in count.each})
    return [NodePlay("all nodes", k, links, *case, _promised(k, n4, case[2])) for case in cases]


def _plans(
    k: int, n4: int, wrap: bool, copies: bool
) -> Iterator[tuple[str, int, DiracPlan | PullPlan]]:
    """Yield regimes, thicknesses, and the plans of them."""
    yield "medium", k, dirac_plan(k, n4, wrap=wrap, copies=copies)
    for regime in SLABS:
        for s in range(1, k):
            yield regime, s, dirac_plan(k, n4, regime=regime, s=s, wrap=wrap, copies=copies)
    for s in range(1, n4):
        plan = dirac_plan(k, n4, regime="B-reflected", s=s, wrap=wrap, copies=copies)
        yield "B-reflected", s, plan
    for s in range(1, k + 1):
        yield "pull", s, PullPlan(k, n4, s, wrap, copies)


def _promised(k: int, n4: int, memory: int) -> float | None:
    """Return theorem 1's words to and from slow memory."""
    words = theorem_io(k, n4, memory)
    return None if words is None else float(words)
