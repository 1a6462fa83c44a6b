"""Placements of a DAG on a lattice of processors that pass values on to neighbours."""

import numpy as np

from dags import CDAG, InvalidSpecError
from dags.arrays import Int64Array
from pebble import Links
from schedulers.parallel.grids import block_owners, shape_of
from schedulers.parallel.stages import Placement

GRIDS = ("stencil", "sweep")


def placement_on(dag: CDAG, links: Links) -> Placement:
    """Return a placement of a DAG, level after level.

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
    """Return (n,) the owner of each value, in equal parts of each level."""
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
