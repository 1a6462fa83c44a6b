"""Stencils by several processors: slabs, pencils and cubes, which exchange their faces."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG, InvalidSpecError
from dags.arrays import Int64Array
from pebble import Links
from schedulers.parallel.local_plays import Assignment, numbered
from schedulers.parallel.products import grids_of
from schedulers.parallel.stages import Placement

GRIDS = ("stencil", "sweep")
CANDIDATES = 4


def placement_on(dag: CDAG, links: Links) -> Placement:
    """A placement of a DAG, level after level.

    Points of a stencil are spread like the lattice, so that neighbours exchange faces. Values of
    any other DAG are dealt out in equal parts of each level, in the order of their numbers, and
    inputs to the first processor that reads them.

    Parameters
    ----------
    dag
        The computation.
    links
        The lattice.

    Raises
    ------
    InvalidSpecError
        If a stencil has other dimensions than the lattice, or fewer points along one.
    """
    level = dag.level.astype(np.int64)
    if dag.family not in GRIDS:
        return Placement(_dealt_out(dag, level, links.processors), level)
    shape = shape_of(dag)
    fits = len(shape) == len(links.shape) and all(
        side >= parts for side, parts in zip(shape, links.shape, strict=True)
    )
    if not fits:
        sides = "x".join(map(str, shape))
        raise InvalidSpecError(f"a grid of {sides} points does not spread over {links.name}")
    owner = block_owners(shape, links.shape)
    return Placement(np.tile(owner, dag.n // owner.size), level)


def _dealt_out(dag: CDAG, level: Int64Array, processors: int) -> Int64Array:
    """(n,) the owner of each value, in equal parts of each level."""
    owner = np.zeros(dag.n, np.int64)
    order = np.argsort(level, kind="stable")
    sizes = np.bincount(level)
    begins = np.cumsum(sizes) - sizes
    place = np.empty(dag.n, np.int64)
    place[order] = np.arange(dag.n) - begins[level[order]]
    owner = place * processors // sizes[level]
    reader = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr))
    first = np.full(dag.n, dag.n, np.int64)
    np.minimum.at(first, dag.pred_indices, reader)
    inputs = dag.used_inputs
    owner[inputs] = owner[first[inputs]]
    return owner


def grid_blocks(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield assignments of a stencil's points to grids of processors, smallest faces first.

    A processor computes its points in every step, so that it exchanges their faces with its
    neighbours. Cutting one axis makes slabs, two pencils, and three cubes.

    Parameters
    ----------
    dag
        A stencil, or a sweep of one.
    processors
        Number of them.
    memory
        Not used: the points of a step are computed in their order.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3; J. E.
    Moreira, Conditions for scalability of mesh-connected massively parallel processors.
    """
    del memory
    shape = shape_of(dag)
    grids = [
        grid
        for grid in grids_of(processors, len(shape))
        if all(parts <= side for parts, side in zip(grid, shape, strict=True))
    ]
    grids.sort(key=lambda grid: (surface(shape, grid), grid))
    for grid in grids[:CANDIDATES]:
        yield on_point_grid(dag, grid)


def shape_of(dag: CDAG) -> tuple[int, ...]:
    """The sides of a stencil's grid of points."""
    shape = dag.params["shape"]
    return (shape,) if isinstance(shape, int) else tuple(shape)


def surface(shape: tuple[int, ...], grid: tuple[int, ...]) -> float:
    """The faces of an inner block for each of its points, by the axes that are cut."""
    return sum(parts / side for side, parts in zip(shape, grid, strict=True) if parts > 1)


def on_point_grid(dag: CDAG, grid: tuple[int, ...]) -> Assignment:
    """The assignment of a stencil's points to blocks, step after step."""
    owner = block_owners(shape_of(dag), grid)
    kind = ("slabs", "pencils", "cubes", "blocks")[max(sum(parts > 1 for parts in grid) - 1, 0)]
    copies = dag.n // owner.size
    return numbered(
        f"{kind} {'x'.join(map(str, grid))}", np.tile(owner, copies), np.arange(owner.size, dag.n)
    )


def block_owners(shape: tuple[int, ...], grid: tuple[int, ...]) -> Int64Array:
    """The processor of each point of a grid, row-major, of blocks as even as can be."""
    owner = np.zeros((1,) * len(shape), np.int64)
    for axis, (side, parts) in enumerate(zip(shape, grid, strict=True)):
        place = np.arange(side) * parts // side
        owner = owner * parts + place.reshape([-1 if a == axis else 1 for a in range(len(shape))])
    return np.broadcast_to(owner, shape).reshape(-1).copy()
