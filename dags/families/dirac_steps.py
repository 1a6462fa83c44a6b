"""Applications of the Dirac operator to one lattice, one after another."""

from math import prod

import numpy as np

from dags.arrays import Int64Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.families.common.dirac_numbers import ADD, LINK, PRODUCT, SCALE, SPINOR
from dags.families.common.family import Family, Sizes
from dags.families.common.inverse import fact, shapes
from dags.families.common.neighbourhoods import require_neighbourhood
from dags.families.common.published import Params, by_dimension

BEYOND = np.iinfo(np.int64).max


def dirac_steps(shape: tuple[int, ...], steps: int, periodic: bool = False) -> CDAG:
    """`steps` applications of the Dirac operator to a lattice, one after another.

    Psi(x) after a step is K Psi(x) + sum of U(x, y) Psi(y) over the neighbours y, of the values
    before it: a star stencil whose points are spinors of 24 words, and which reads the same links
    of 18 words at every step. Solvers of the Dirac equation repeat it (CG, Chebyshev), without
    their scalars; `dirac` is a single application on one node of many, its sums hop by hop.

    With P sites, row-major: first the links along each axis in turn, forward from each site that
    has such a neighbour, L in all; then L + t P + x is Psi of site x after t steps. A site's sum is
    one vertex, of 24 + 288 flop a neighbour: 2328.

    Parameters
    ----------
    shape
        Sides of the lattice in sites, 1 to 4 of them.
    steps
        Number of applications.
    periodic
        Whether the lattice closes along every axis; each side must then be at least 3.

    Source
    ------
    G. Bilardi, A. Pietracaprina, G. Pucci, F. Schifano, R. Tripiccione, The potential of on-chip
    multiprocessing for QCD machines, HiPC 2005, definition 1: the operator, its words and flop.

    Examples
    --------
    >>> dirac_steps((4, 4), 2)
    <dirac_steps(shape=(4, 4), steps=2, periodic=False): 72 vertices, 224 edges>
    """
    params, size = dirac_steps_sizes(shape, steps, periodic)
    require_room(size.vertices, size.edges)
    points, links = size.outputs, size.inputs - size.outputs
    row = _row(shape, periodic)
    degrees = np.count_nonzero(row != BEYOND, axis=1)
    flat = row[row != BEYOND]
    indptr = np.zeros(size.vertices + 1, np.int64)
    np.cumsum(np.tile(degrees, steps), out=indptr[size.inputs + 1 :])
    shift = np.where(flat >= links, points, 0)
    indices = flat + np.arange(steps)[:, None] * shift
    words = np.full(indptr.size - 1, SPINOR, np.int64)
    words[:links] = LINK
    work = np.zeros(indptr.size - 1, np.int64)
    work[links + points :] = np.tile(SCALE + (PRODUCT + ADD) * ((degrees - 1) // 2), steps)
    return CDAG(
        lock(indptr),
        lock(indices.ravel().astype(np.int32)),
        words=lock(words),
        work=lock(work),
        family="dirac_steps",
        params=params,
    )


def dirac_steps_sizes(shape: tuple[int, ...], steps: int, periodic: bool) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_neighbourhood(shape, "star", periodic)
    require_at_least(1, steps=steps)
    points, links = prod(shape), links_of(shape, periodic)
    degree = sum(2 if periodic else min(2, side - 1) for side in shape)
    sizes = Sizes(
        links + (steps + 1) * points,
        (points + 4 * links) * steps,
        links + points,
        points,
        (SCALE * points + 2 * (PRODUCT + ADD) * links) * steps,
        SPINOR + (SPINOR + LINK) * degree,
        SPINOR,
        2 * SPINOR * points + LINK * links,
    )
    return {"shape": shape, "steps": steps, "periodic": periodic}, sizes


def links_of(shape: tuple[int, ...], periodic: bool) -> int:
    """The number of links of a lattice."""
    points = prod(shape)
    return sum(points if periodic else points - points // side for side in shape)


def _row(shape: tuple[int, ...], periodic: bool) -> Int64Array:
    """(P, 4d+1) the operands of each site's first Psi, rising; BEYOND ones last."""
    points, dimensions = prod(shape), len(shape)
    links = links_of(shape, periodic)
    site = np.arange(points).reshape(shape)
    row = np.full((points, 4 * dimensions + 1), BEYOND)
    row[:, 0] = links + site.ravel()
    number = 0
    for axis, side in enumerate(shape):
        ends = np.arange(side if periodic else side - 1)
        sites = np.take(site, ends, axis).ravel()
        neighbours = np.take(site, (ends + 1) % side, axis).ravel()
        link = number + np.arange(sites.size)
        row[sites, 4 * axis + 1], row[sites, 4 * axis + 2] = link, links + neighbours
        row[neighbours, 4 * axis + 3], row[neighbours, 4 * axis + 4] = link, links + sites
        number += sites.size
    row.sort(axis=1)
    return row


FAMILIES = {
    "dirac_steps": Family(
        dirac_steps,
        "shape=4x4,steps=4",
        "shape=3,steps=2",
        dirac_steps_sizes,
        {
            "steps": fact("depth"),
            "shape": shapes(
                lambda facts: facts.sinks if facts.computed == facts.sinks * facts.depth else 0
            ),
        },
        law=by_dimension(lambda params: len(params["shape"])),
    )
}
