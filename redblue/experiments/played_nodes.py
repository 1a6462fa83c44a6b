"""The Dirac operator on a torus of nodes, played: what neighbours send each other."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.lattice_qcd import LINK, SPINOR
from pebble.parallel import Links, Machine, ParallelCount, play_parallel
from schedulers.parallel import Placement, staged

AXES = 4
HOPS = 2 * AXES
ROOM = 2**40  # words: what is held is measured, not limited
Sites = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """A periodic lattice over a three-dimensional torus of nodes, of k x k x k x n4 sites each.

    Parameters
    ----------
    dag
        Psi and U of each site, products with U that cross to another node, and versions of Phi.
    node
        (v,) the node of each vertex.
    sites
        Sites of a node.
    """

    dag: CDAG
    node: Sites
    sites: int


def dirac_lattice(k: int, n4: int, nodes: tuple[int, int, int], *, copies: bool = False) -> Lattice:
    """Return the Dirac operator on all nodes at once.

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
    copies
        Whether nodes also keep copies of the links that enter them from others: then Psi(y) is sent
        both ways across a face, and no products.

    Source
    ------
    G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005,
    section 3.2.
    """
    shape = (*(k * side for side in nodes), n4)
    sites = int(np.prod(shape))
    place = np.stack(np.unravel_index(np.arange(sites), shape))
    node = np.ravel_multi_index(tuple(place[:3] // k), nodes)
    rows: list[list[int]] = [[] for _ in range(sites * (1 + AXES))]
    owner, words = [*node.tolist()] * (1 + AXES), [SPINOR] * sites + [LINK] * (AXES * sites)
    behind = [_shifted(place, shape, axis, -1) for axis in range(AXES)]
    ahead = [_shifted(place, shape, axis, 1) for axis in range(AXES)]
    made: dict[tuple[int, int], int] = {}
    for axis, x in product(range(AXES), range(sites)):
        y = int(behind[axis][x])
        if node[y] != node[x]:
            made[axis, x] = len(rows)
            rows.append([] if copies else [y, _link(sites, axis, y)])
            owner.append(int(node[x] if copies else node[y]))
    words += [LINK if copies else SPINOR] * len(made)
    for x in range(sites):
        rows.append([x])
        for axis in range(AXES):
            rows.append([int(ahead[axis][x]), _link(sites, axis, x), len(rows) - 1])
            y = int(behind[axis][x])
            link = made.get((axis, x), _link(sites, axis, y))
            crosses = (axis, x) in made and not copies
            rows.append([*([] if crosses else [y]), link, len(rows) - 1])
        owner += [int(node[x])] * (1 + HOPS)
        words += [SPINOR] * (1 + HOPS)
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([u for row in rows for u in row], np.int32)
    return Lattice(
        CDAG(indptr, indices, words=words), np.array(owner), sites // int(np.prod(nodes))
    )


def played_lattice(lattice: Lattice, nodes: tuple[int, int, int]) -> ParallelCount:
    """Return the count of a play in which all is resident: each value is loaded once.

    Parameters
    ----------
    lattice
        The computation.
    nodes
        Nodes along x1, x2 and x3.
    """
    links = Links(nodes, wrapped=True)
    machine = Machine(links.processors, ROOM, links, "own")
    placement = Placement(lattice.node, lattice.dag.level.astype(np.int64))
    return play_parallel(lattice.dag, staged(lattice.dag, placement, machine), machine)


def _shifted(place: Sites, shape: tuple[int, ...], axis: int, by: int) -> Sites:
    """Return the neighbour of each site along an axis."""
    moved = place.copy()
    moved[axis] = (moved[axis] + by) % shape[axis]
    number: Sites = np.ravel_multi_index(tuple(moved), shape).astype(np.int64)
    return number


def _link(sites: int, axis: int, site: int) -> int:
    """Return the link that leaves a site forward."""
    return (1 + axis) * sites + site
