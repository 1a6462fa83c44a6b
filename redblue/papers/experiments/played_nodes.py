"""The Dirac operator on a torus of nodes, played: words between neighbours, and theorem 1."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags import CDAG, InvalidSpecError, dirac
from dags.cdag.border import require_at_least
from dags.families.common.dirac_numbers import (
    ABSENT,
    AXES,
    DIRECTIONS,
    LATER,
    LINK,
    SPINOR,
    hop_order,
)
from pebble import Links, Machine, MachineCount, Rules, play, play_on
from schedulers import DiracPlan, dirac_plan, dirac_schedule
from schedulers.families.dirac_plans import Regime, theorem_io
from schedulers.families.dirac_pull import PullPlan, dirac_pull_schedule
from schedulers.parallel import Placement, staged

HOPS = DIRECTIONS
PHASES = HOPS + 2  # of a visit
MOST_SITES = 1 << 18
ROOM = 2**40  # words: what is held is measured, not limited
Sites = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """A periodic lattice over a three-dimensional torus of nodes, of k x k x k x n4 sites each."""

    dag: CDAG  # Psi and U of sites, products with U that cross to another node, versions of Phi
    node: Sites  # (v,) the node of each vertex
    stage: Sites  # (v,) when each is computed, in a sweep along x4 on all nodes at once
    sites: int  # of a node


def dirac_lattice(
    k: int, n4: int, nodes: tuple[int, int, int], *, wrap: bool = True, copies: bool = False
) -> Lattice:
    """The Dirac operator on all nodes at once.

    A node owns the links that leave its sites forward. Phi(x) grows along a chain: K Psi(x), then
    a vertex for each of the 8 hops, which reads the version before it and, where the other site is
    on the node or forward of it, U and Psi(y); a hop from a node backward reads the product
    of U and Psi that this node has made.

    Parameters
    ----------
    k, n4
        Sites of a node along x1, x2, x3, and along x4.
    nodes
        Nodes along x1, x2 and x3.
    wrap
        Whether x4 is periodic.
    copies
        Whether nodes also keep copies of the links that enter them from others: then Psi(y) is sent
        both ways across a face, and no products.

    Raises
    ------
    InvalidSpecError
        For a lattice of too many sites, or of too few along x4.

    Source
    ------
    G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005,
    section 3.2.
    """
    require_at_least(1, k=k, nodes=min(nodes))
    require_at_least(3 if wrap else 2, n4=n4)
    shape = (*(k * side for side in nodes), n4)
    sites = prod(shape)
    if sites > MOST_SITES:
        raise InvalidSpecError(f"{sites:,} sites are more than the {MOST_SITES:,} that are played")
    place = np.stack(np.unravel_index(np.arange(sites), shape))
    node = np.ravel_multi_index(tuple(place[:3] // k), nodes)
    near = [_shifted(place, shape, d // 2, d % 2 * 2 - 1) for d in range(HOPS)]
    sweep = _sweep(k, n4, wrap, place)
    rows: list[list[int]] = [[] for _ in range(sites * (1 + AXES))]
    owner, words = [*node.tolist()] * (1 + AXES), [SPINOR] * sites + [LINK] * (AXES * sites)
    stage = [0] * len(rows)
    vertices: dict[tuple[int, int], int] = {}
    for axis, x in product(range(AXES), range(sites)):
        y = int(near[2 * axis][x])
        if node[y] != node[x]:
            vertices[axis, x] = len(rows)
            rows.append([] if copies else [y, _link(sites, axis, y)])
            owner.append(int(node[x] if copies else node[y]))
            stage.append(int(sweep.when[x, 2 * axis]) - 1)
    words += [LINK if copies else SPINOR] * len(vertices)
    for x in range(sites):
        rows.append([x])
        hops = sweep.order[x, : sweep.hops[x]].tolist()
        for d in hops:
            axis, y = d // 2, int(near[d][x])
            link = _link(sites, axis, x if d % 2 else y)
            crosses = d % 2 == 0 and (axis, x) in vertices
            link = vertices[axis, x] if crosses else link
            rows.append([*([] if crosses and not copies else [y]), link, len(rows) - 1])
        owner += [int(node[x])] * (1 + len(hops))
        stage += [int(sweep.begun[x]), *sweep.when[x, hops].tolist()]
        words += [SPINOR] * (1 + len(hops))
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([u for row in rows for u in row], np.int32)
    dag = CDAG(indptr, indices, words=words)
    return Lattice(dag, np.array(owner), np.array(stage), sites // int(np.prod(nodes)))


class _Sweep(NamedTuple):
    """The times of a sweep: (s, 8) directions of hops in their order, and when each is done.

    `hops` (s,) tells how many there are, `begun` (s,) when K Psi is computed.
    """

    order: Sites
    when: Sites
    hops: Sites
    begun: Sites


def _sweep(k: int, n4: int, wrap: bool, place: Sites) -> _Sweep:
    """The sweep along x4; every other node is mirrored: facing sites are visited at once."""
    hops = hop_order(k, n4, wrap, AXES - 1, k, n4, False)
    mirrored = np.append(place[:3] // k % 2, np.zeros((1, place.shape[1]), np.int64), 0)
    inside = np.append(place[:3] % k, place[3:], 0)
    inside[:3] = np.where(mirrored[:3] == 1, k - 1 - inside[:3], inside[:3])
    local = np.ravel_multi_index(tuple(inside[::-1]), (n4, k, k, k))
    later = np.take_along_axis(hops.rank, hops.neighbour.ravel(), 0).reshape(hops.place.shape)
    opposite = hops.place[hops.neighbour, np.arange(HOPS) ^ 1]
    joined = hops.kind == LATER
    visit = np.where(joined, later, hops.rank[:, None])
    times = visit * PHASES + 2 + np.where(joined, opposite, hops.place)
    flips = mirrored.T  # a direction of a mirrored node is the other one of the lattice
    order = hops.direction[local]
    order = order ^ np.take_along_axis(flips, order // 2, 1)
    ahead = np.arange(HOPS)[None, :] ^ flips[:, np.arange(HOPS) // 2]
    times = np.take_along_axis(times[local], ahead, 1)
    present = np.count_nonzero(hops.kind != ABSENT, axis=1)[local]
    return _Sweep(order.astype(np.int64), times, present, hops.rank[local] * PHASES + 1)


def played_lattice(lattice: Lattice, nodes: tuple[int, int, int]) -> MachineCount:
    """The count of a play in which each value is loaded once and dropped after its last use.

    Raises
    ------
    MemoryTooSmallError
        If a node's fast memory cannot hold the front of its sweep.
    """
    links = Links(nodes, wrapped=True)
    machine = Machine.parallel(links.processors, ROOM, links, "own")
    placement = Placement(lattice.node, lattice.stage)
    return play_on(lattice.dag, staged(lattice.dag, placement, machine), machine)


def _shifted(place: Sites, shape: tuple[int, ...], axis: int, step: int) -> Sites:
    """The neighbour of each site along an axis."""
    moved = place.copy()
    moved[axis] = (moved[axis] + step) % shape[axis]
    number: Sites = np.ravel_multi_index(tuple(moved), shape).astype(np.int64)
    return number


def _link(sites: int, axis: int, site: int) -> int:
    """The link that leaves a site forward."""
    return (1 + axis) * sites + site


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
        """The fields, and words for each site."""
        return asdict(self) | {"local_per_site": self.local / sites}


def node_plays(k: int, n4: int, *, wrap: bool = True, copies: bool = False) -> list[NodePlay]:
    """Plays of a node of k x k x k x n4 sites in each regime and thickness, sliding."""
    links = "all" if copies else "own"
    plays = []
    for regime, s, plan in _plans(k, n4, wrap, copies):
        dag = dirac(**plan.params)
        if isinstance(plan, PullPlan):
            moves = dirac_pull_schedule(dag)
        else:
            moves = dirac_schedule(dag, lockstep=plan.lockstep)
        count = play(dag, moves, plan.peak, rules=SLIDING)
        local, neighbour = count.channels[0].io, count.channels[1].io
        promised = _promised(k, n4, plan.peak)
        plays.append(NodePlay(regime, s, links, local, neighbour, count.peak, promised))
    return plays


def lattice_plays(
    k: int, n4: int, nodes: tuple[int, int, int], *, wrap: bool = True, copies: bool = False
) -> list[NodePlay]:
    """The words of the nodes of a torus that play the whole lattice, each case once.

    Every other node is mirrored, and each value is loaded once: the medium regime. Results are
    placed, not slid: 24 words more, and 42 for the product that is made for a neighbour.
    """
    count = played_lattice(dirac_lattice(k, n4, nodes, wrap=wrap, copies=copies), nodes)
    links = "all" if copies else "own"
    cases = sorted(
        {
            (processor.io, processor.received + processor.sent, processor.peak)
            for processor in count.each
        }
    )
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
    """Theorem 1's words to and from slow memory."""
    words = theorem_io(k, n4, memory)
    return None if words is None else float(words)
