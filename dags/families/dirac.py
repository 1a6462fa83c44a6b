"""Lattice quantum chromodynamics: the Dirac operator on one node of a parallel machine."""

from collections.abc import Iterator
from itertools import product
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.dirac_numbers import (
    ABSENT,
    ADD,
    DIRECTIONS,
    FACES,
    HALO,
    LINK,
    PRODUCT,
    SCALE,
    SPINOR,
    DiracNumbers,
    HopOrder,
    hop_order,
)
from dags.families.common.family import Arguments, Facts, Family, Sizes
from dags.families.common.inverse import inverted, one_of
from dags.families.common.published import DERIVED, Params, Trend
from dags.families.common.row_writer import NONE, RowWriter

Sweep = Literal["x1", "x2", "x3", "x4"]

LOCAL, NEIGHBOUR = 0, 1  # channels


def dirac(
    k: int,
    n4: int,
    wrap: bool = True,
    sweep: Sweep = "x4",
    slab: int | None = None,
    strip: int | None = None,
    seam: bool = False,
    panel: int | None = None,
    copies: bool = False,
) -> CDAG:
    """The Dirac operator Phi(x) = K Psi(x) + sum of U(x, y) Psi(y) over the 8 neighbours y.

    One node's k x k x k x n4 sites of a lattice that is spread over a three-dimensional torus of
    nodes; n = k^3 n4. Every value is a matrix: Psi and Phi have 24 words and the link U has 18.
    Phi(x) grows along a chain: K Psi(x), then a vertex for each hop, which reads the version
    before it, U and Psi(y). A node owns the links that leave its sites forward, so that Psi, U
    and Phi are 120 n words. On each of the 6 faces 24 words go each way for every site of it:
    288 n/k words on channel 1, all others travel on channel 0. Across a forward face Psi(y)
    comes in and the product of the link and Psi(x) is returned; across a backward face Psi(x)
    is sent and the product comes in. With `copies` a node also stores the links that enter its
    sites from other nodes, 54 n/k words more: then Psi comes in and is sent across both.

    Site x = ((x4 k + x3) k + x2) k + x1, axis a = 0..3 for x1..x4; f = k^2 n4 sites on a face,
    numbered like sites without the coordinate of their axis. Vertices: Psi(x) is x; the link
    forward from x is (1 + a) n + x; then for each of x1, x2, x3 the f spinors that come in
    forward, for each the f products that come in backward, for each the f that are sent
    backward, for each the f products that are returned forward, and last, for each j = 0..8, the
    j-th version of all Phi. Without `wrap` k^3 links and the ninth version of the 2 k^3 outer sites
    are not there. Copies of links, 3 f, are numbered after all other links.

    Parameters
    ----------
    k
        Sites along x1, x2 and x3.
    n4
        Sites along x4.
    wrap
        Whether x4 is periodic. Otherwise the outer sites have 7 neighbours, none on other nodes.
    sweep
        The axis along which sites are visited slice after slice. It matters for the order of
        each chain: a hop between two sites is done when the later one is visited.
    slab, strip
        Thickness along x3 and x4 of the tiles that are swept one after another; None for whole.
        Hops between tiles, as those between nodes, are done when their own site is visited,
        before all others.
    seam
        Whether hops around a periodic x4 are done so too where one tile holds both ends.
    panel
        Thickness of the tiles along x2; None for whole, and then no parameter of the DAG.
    copies
        Whether a node stores all links of its sites, and not only those that leave them forward.

    Source
    ------
    G. Bilardi, A. Pietracaprina, G. Pucci, F. Schifano, R. Tripiccione, The potential of on-chip
    multiprocessing for QCD machines, HiPC 2005, definition 1 and section 3.2: 2328 flop a site,
    120 words a site, 288 n/k words to and from neighbours.

    Examples
    --------
    >>> dirac(2, 4)
    <dirac(k=2, n4=4, wrap=True, sweep=x4, slab=2, strip=4, seam=False): 640 vertices, 896 edges>
    """
    params, size = dirac_sizes(k, n4, wrap, sweep, slab, strip, seam, panel, copies)
    require_room(size.vertices, size.edges)
    numbers = DiracNumbers(k, n4, wrap, copies)
    hops = hop_order(
        k, n4, wrap, *(sweep_axis(sweep), params["slab"], params["strip"], seam, panel)
    )
    indptr, indices = _rows(numbers, hops)
    return CDAG(
        indptr,
        indices,
        words=_words(numbers),
        work=_work(numbers, hops),
        channel=_channel(numbers),
        family="dirac",
        params=params,
    )


def dirac_sizes(
    k: int,
    n4: int,
    wrap: bool,
    sweep: str,
    slab: int | None,
    strip: int | None,
    seam: bool,
    panel: int | None,
    copies: bool,
) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member.

    `panel` is a parameter only where less than k, `copies` if true: certificates name the usual
    operator as they always have.

    Parameters
    ----------
    k, n4, wrap, sweep, slab, strip, seam, panel, copies
        As in `dirac`.

    Raises
    ------
    InvalidSpecError
        If there is no such lattice, sweep or tile.
    """
    require_at_least(1, k=k)
    require_at_least(3 if wrap else 2, n4=n4)  # less, and two sites would have two links
    slab, strip = k if slab is None else slab, n4 if strip is None else strip
    panel = k if panel is None else panel
    require_at_least(1, slab=slab, strip=strip, panel=panel)
    if sweep not in get_args(Sweep):
        raise InvalidSpecError(f"sweep must be x1, x2, x3 or x4, not {sweep!r}")
    if slab > k or strip > n4:
        raise InvalidSpecError(f"a tile of {slab} x {strip} does not fit into {k} x {n4}")
    if panel > k:
        raise InvalidSpecError(f"a tile of {panel} sites along x2 does not fit into {k}")
    parameters = {"k": k, "n4": n4, "wrap": wrap, "sweep": sweep, "slab": slab, "strip": strip}
    cut = {"panel": panel} if panel < k else {}
    params = {**parameters, "seam": seam} | cut | ({"copies": True} if copies else {})
    return params, _sizes(DiracNumbers(k, n4, wrap, copies))


def _sizes(numbers: DiracNumbers) -> Sizes:
    """The sizes of a member, whatever the order of hops."""
    n, face = numbers.sites, numbers.face
    hops = 8 * n - 2 * numbers.outer - FACES * face  # the others only add what comes in
    work = SCALE * n + (PRODUCT + ADD) * (hops + FACES * face)
    return Sizes(
        numbers.vertices,
        numbers.edges,
        numbers.inputs,
        n + 2 * FACES * face,
        work,
        2 * SPINOR + LINK,
        SPINOR,
        2 * SPINOR * n + LINK * (numbers.halo - n) + 4 * FACES * SPINOR * face,
    )


def dirac_of(facts: Facts) -> Iterator[Arguments]:
    """Yield the lattices of a Dirac operator, and the orders in which hops may be added."""
    if DIRECTIONS <= facts.depth <= DIRECTIONS + 1:  # K Psi(x) and the hops of one site
        k = range(1, round((facts.vertices / 10) ** (1 / 3)) + 1)
        for lattice in inverted(_lattice, _lattice, {"k": one_of(*k)}, facts):
            yield from _orders(lattice)


def _lattice(k: int, n4: int, wrap: bool = True, copies: bool = False) -> tuple[Params, Sizes]:
    """The sizes of all members on a lattice."""
    require_at_least(3 if wrap else 2, n4=n4)
    return {"k": k, "n4": n4, "wrap": wrap, "copies": copies}, _sizes(
        DiracNumbers(k, n4, wrap, copies)
    )


def _orders(lattice: Arguments) -> Iterator[Arguments]:
    """Yield orders of hops on a lattice, the usual one first.

    Tiles that are cut along x2 are those of `schedulers.families.dirac_plans` alone.
    """
    k, n4 = lattice["k"], lattice["n4"]
    seams = (False, True) if "wrap" not in lattice else (False,)
    sweeps = ("x4", "x1", "x2", "x3")
    for seam, slab, strip, sweep in product(seams, range(k, 0, -1), range(n4, 0, -1), sweeps):
        options = {"sweep": sweep, "slab": slab, "strip": strip, "seam": seam}
        usual = {"sweep": "x4", "slab": k, "strip": n4, "seam": False}
        yield lattice | {name: value for name, value in options.items() if value != usual[name]}
    for seam, slab, strip in product(seams, range(k, 0, -1), range(n4, 0, -1)):
        options = {"sweep": "x1", "slab": slab, "strip": strip, "seam": seam}
        usual = {"slab": k, "strip": n4, "seam": False}
        order = lattice | {name: v for name, v in options.items() if v != usual.get(name)}
        yield from (order | {"panel": panel} for panel in range(min(slab, k - 1), 0, -1))


def sweep_axis(sweep: Sweep) -> int:
    """The axis, 0..3, that is called `sweep`."""
    return get_args(Sweep).index(sweep)


def _rows(numbers: DiracNumbers, hops: HopOrder) -> tuple[Int64Array, npt.NDArray[np.int32]]:
    """The predecessor CSR."""
    rows = RowWriter(numbers.inputs, numbers.vertices, numbers.edges)
    site = np.arange(numbers.sites)
    for axis in range(FACES):
        rows.add(_narrow(site[hops.kind[:, 2 * axis] == HALO]))
    for axis in range(FACES):
        last = site[hops.kind[:, 2 * axis + 1] == HALO]
        links = [] if numbers.copies else [_narrow(numbers.link(last, axis))]
        rows.add(_narrow(last), *links)
    rows.add(_narrow(site))
    for version in range(1, DIRECTIONS + 1):
        _add_version(rows, numbers, hops, version)
    return rows.finish()


def _add_version(rows: RowWriter, numbers: DiracNumbers, hops: HopOrder, version: int) -> None:
    """Write the rows of one version of every Phi that has it."""
    directions = hops.direction[:, version - 1]
    kinds = np.take_along_axis(hops.kind, directions[:, None], 1)[:, 0]
    site = np.flatnonzero(kinds != ABSENT)
    direction, halo = directions[site], kinds[site] == HALO
    psi, link, message = np.full((3, site.size), NONE)
    for d in range(DIRECTIONS):
        axis, forward = divmod(d, 2)
        sites, across = site[direction == d], halo[direction == d]
        neighbours = hops.neighbour[sites, d]
        psi[direction == d] = np.where(across, NONE, neighbours)
        if forward:
            link[direction == d] = numbers.link(sites, axis)
            coming = numbers.spinor_in(sites, axis)
        else:
            link[direction == d] = np.where(
                across,
                numbers.copy(sites, axis) if numbers.copies else NONE,
                numbers.link(neighbours, axis),
            )
            coming = numbers.product_in(sites, axis)
        message[direction == d] = np.where(across, coming, NONE)
    before = numbers.phi(site, np.full(site.size, version - 1))
    rows.add(_narrow(psi), _narrow(link), _narrow(message), _narrow(before))


def _narrow(vertices: Int64Array) -> npt.NDArray[np.int32]:
    return vertices.astype(np.int32)


def _words(numbers: DiracNumbers) -> Int64Array:
    words = np.full(numbers.vertices, SPINOR, np.int64)
    words[numbers.sites : numbers.halo] = LINK
    return lock(words)


def _channel(numbers: DiracNumbers) -> npt.NDArray[np.uint8]:
    channel = np.full(numbers.vertices, LOCAL, np.uint8)
    channel[numbers.halo : numbers.chains] = NEIGHBOUR
    return channel


def _work(numbers: DiracNumbers, hops: HopOrder) -> Int64Array:
    """(n,) flop: a Psi that is sent is only copied, a product that comes in only added."""
    work = np.zeros(numbers.vertices, np.int64)
    if not numbers.copies:
        work[numbers.inputs + FACES * numbers.face : numbers.chains] = PRODUCT
    work[numbers.chains :] = PRODUCT + ADD
    work[numbers.chains : numbers.chains + numbers.sites] = SCALE
    for axis in range(0 if numbers.copies else FACES):
        first = np.flatnonzero(hops.kind[:, 2 * axis] == HALO)
        work[numbers.phi(first, hops.place[first, 2 * axis] + 1)] = ADD
    return lock(work)


DIRAC = (
    Trend(
        "lower",
        "(120 + 36 (6 / M)^(1/3) + 288 / k) n",
        lambda p, memory: (
            p["k"] ** 3 * p["n4"] * (120 + 36 * (6 / memory) ** (1 / 3) + 288 / p["k"])
        ),
        DERIVED + ", for n >> M",
        recompute=True,
    ),
)
FAMILIES = {
    "dirac": Family(dirac, "k=2,n4=4", "k=1,n4=2,wrap=false", dirac_sizes, dirac_of, trends=DIRAC)
}
