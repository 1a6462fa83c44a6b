"""Grids and stencils, and lattices of subsets and of paths."""

from collections.abc import Collection, Iterator
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np

from dags import _kernels
from dags.arrays import MAX_VERTICES, lock
from dags.cdag.border import require_at_least, require_below, require_room
from dags.cdag.value import CDAG
from dags.families.common.family import Arguments, Family, Sizes, Texts
from dags.families.common.inverse import exactly, fact, shapes
from dags.families.common.neighbourhoods import (
    Neighbourhood,
    all_neighbours,
    neighbours,
    radius_one,
    require_shape,
)
from dags.families.common.published import (
    CONSTANT,
    DERIVED,
    TILES,
    Params,
    Trend,
    by_dimension,
    tiles,
)
from dags.families.common.row_writer import NONE, RowWriter


def stencil(
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: Neighbourhood = "star",
    periodic: bool = False,
) -> CDAG:
    """`steps` sweeps of a radius-1 stencil over a grid: Jacobi iteration, explicit PDEs.

    Vertex t*P + x is grid point x (row-major) after step t, with P points; step 0 holds the
    inputs. A point is computed from itself and its neighbours one step before.

    Parameters
    ----------
    shape
        Side lengths, 1 to 4 of them.
    steps
        Number of sweeps.
    neighbourhood
        "star": the 2d neighbours along the axes; "box": all 3^d - 1 around.
    periodic
        Wrap around at the borders; every side must then be at least 3.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3.

    Examples
    --------
    >>> stencil((4, 4), 2)
    <stencil(shape=(4, 4), steps=2, neighbourhood=star, periodic=False): 48 vertices, 128 edges>
    """
    return _sweeps("stencil", stencil_sizes(shape, steps, neighbourhood, periodic))


def stencil_sizes(
    shape: tuple[int, ...], steps: int, neighbourhood: str, periodic: bool
) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    read, points = all_neighbours(shape, neighbourhood, periodic), prod(shape)
    require_at_least(1, steps=steps)
    widest = prod(min(3, side) for side in shape)
    if neighbourhood == "star":
        widest = 1 + sum(min(2, side - 1) for side in shape)
    params = {"steps": steps, "neighbourhood": neighbourhood, "periodic": periodic}
    sizes = Sizes((steps + 1) * points, read * steps, points, points, steps * points, widest)
    return {"shape": shape, **params}, sizes


def sweep(
    shape: tuple[int, ...], neighbourhood: Neighbourhood = "star", periodic: bool = False
) -> CDAG:
    """Return one Jacobi sweep over a grid: the `stencil` of one step, a family of its own.

    A value serves only the points around it, so that all reuse is between neighbours: the savings
    of a memory end with a few cross-sections of the grid, where the stencil of many steps goes on
    saving.

    Vertex x is grid point x (row-major) before the sweep and P + x after it, with P points.
    Each point is computed from itself and its neighbours.

    Parameters
    ----------
    shape, neighbourhood, periodic
        As in `stencil`.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3: one
    of its iterations.

    Examples
    --------
    >>> sweep((4, 4))
    <sweep(shape=(4, 4), neighbourhood=star, periodic=False): 32 vertices, 64 edges>
    """
    return _sweeps("sweep", sweep_sizes(shape, neighbourhood, periodic))


def sweep_sizes(shape: tuple[int, ...], neighbourhood: str, periodic: bool) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member, the stencil of one step."""
    params, sizes = stencil_sizes(shape, 1, neighbourhood, periodic)
    return {name: value for name, value in params.items() if name != "steps"}, sizes


def stencil_text(params: Params) -> str:
    """The text of a stencil at its sizes, or of a sweep, in C.

    Parameters
    ----------
    params
        All parameters, as `CDAG.params` has them.
    """
    shape, steps = params["shape"], params.get("steps", 1)
    axes = [f"x{axis}" for axis in range(len(shape))]
    sides, points = ("".join(f"[{index}]" for index in indices) for indices in (shape, axes))
    around = " ".join(
        f"for (int {axis} = 0; {axis} < {side}; {axis}++)"
        for axis, side in zip(axes, shape, strict=True)
    )
    terms = []
    for offset in radius_one(shape, params["neighbourhood"], params["periodic"]):
        inside, place = [], ""
        for axis, side, step in zip(axes, shape, offset, strict=True):
            edge, far = (f"{axis} > 0", side - 1) if step < 0 else (f"{axis} < {side - 1}", 0)
            neighbour = f"{axis} + {step}" if step else axis
            if step and params["periodic"]:
                neighbour = f"({edge} ? {neighbour} : {far})"
            elif step:
                inside.append(edge)
            place += f"[{neighbour}]"
        term = f"v[t - 1]{place}"
        for condition in inside:
            term = f"({condition} ? {term} : 0)"
        terms.append(term)
    return (
        f"void stencil(double x{sides}, double y{sides}) {{ double v[{steps + 1}]{sides};"
        f" {around} v[0]{points} = x{points};"
        f" for (int t = 1; t <= {steps}; t++) {around} v[t]{points} = {' + '.join(terms)};"
        f" {around} y{points} = v[{steps}]{points}; }}"
    )


MOST_AXES = 2  # of stencils whose texts are compared: reading one of three takes ten seconds


def _sweeps_sought(counts: Sizes, sides: Collection[int]) -> Iterator[Arguments]:
    """Yield parameters of stencils with these counts and sides; of `sweep` without the steps."""
    falling = sorted(sides, reverse=True)
    for steps in exactly(counts.computed, counts.inputs):
        for axes in range(1, MOST_AXES + 1):
            for shape in combinations_with_replacement(falling, axes):
                if prod(shape) != counts.inputs:
                    continue
                for neighbourhood, periodic in product((None, "box"), (None, True)):
                    kind = {"neighbourhood": neighbourhood, "periodic": periodic}
                    yield {"shape": shape, "steps": steps, **kind}


def _sweep_sought(counts: Sizes, sides: Collection[int]) -> Iterator[Arguments]:
    """Yield parameters of sweeps."""
    for arguments in _sweeps_sought(counts, sides):
        if arguments.pop("steps") == 1:
            yield arguments


def grid(shape: tuple[int, ...]) -> CDAG:
    """The grid in which a point is computed from the point before it along each axis.

    Points are numbered row-major; point 0 is the only input, the last one the only sink.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 5
    (the snake-like array); also called the diamond DAG.

    Examples
    --------
    >>> grid((4, 4))
    <grid(shape=(4, 4)): 16 vertices, 24 edges>
    """
    params, size = grid_sizes(shape)
    require_room(size.vertices, size.edges)
    back = [tuple(-int(a == axis) for a in range(len(shape))) for axis in range(len(shape))]
    degrees, row = neighbours(shape, back, periodic=False)
    indptr = np.zeros(size.vertices + 1, np.int64)
    np.cumsum(degrees, out=indptr[1:])
    return CDAG(lock(indptr), lock(row.astype(np.int32)), work=1, family="grid", params=params)


def grid_sizes(shape: tuple[int, ...]) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_shape(shape)
    points = prod(shape)
    edges = sum(points - points // side for side in shape)
    wide = sum(side > 1 for side in shape)
    return {"shape": shape}, Sizes(points, edges, 1, 1, points - 1, wide)


def _sweeps(family: str, known: tuple[Params, Sizes]) -> CDAG:
    params, size = known
    require_room(size.vertices, size.edges)
    shape, points, steps = params["shape"], size.inputs, size.computed // size.inputs
    offsets = radius_one(shape, params["neighbourhood"], params["periodic"])
    degrees, row = neighbours(shape, offsets, params["periodic"])
    indptr = np.zeros(size.vertices + 1, np.int64)
    ends = indptr[points + 1 :].reshape(steps, points)
    np.add(row.size * np.arange(steps)[:, None], np.cumsum(degrees), out=ends)
    indices = np.empty(steps * row.size, np.int32)
    before = points * np.arange(steps, dtype=np.int32)[:, None]
    np.add(before, row.astype(np.int32), out=indices.reshape(steps, row.size))
    return CDAG(lock(indptr), lock(indices), work=1, family=family, params=params)


def hypercube(d: int) -> CDAG:
    """The lattice of the 2^d subsets of d things, each computed from those one smaller.

    This is dynamic programming over subsets, as Bellman, Held and Karp solve the travelling
    salesman problem. Vertex S is the subset whose members are the bits that are 1 in S; its
    operands are S without bit j for each member j. A subset without a member is a smaller
    number, so that counting is a topological order. The empty set, 0, is the only input, the full
    one the only sink. The work of S is |S|: a candidate for each member.

    Source
    ------
    R. Bellman, Dynamic programming treatment of the travelling salesman problem, JACM 1962;
    M. Held and R. M. Karp, A dynamic programming approach to sequencing problems, 1962.

    Examples
    --------
    >>> hypercube(3)
    <hypercube(d=3): 8 vertices, 12 edges>
    """
    params, size = hypercube_sizes(d)
    require_room(size.vertices, size.edges)
    members = np.bitwise_count(np.arange(size.vertices, dtype=np.int32)).astype(np.int64)
    indptr = np.zeros(size.vertices + 1, np.int64)
    np.cumsum(members, out=indptr[1:])
    indices = np.empty(size.edges, np.int32)
    _kernels.subset_rows(d, indices)
    return CDAG(lock(indptr), lock(indices), work=lock(members), family="hypercube", params=params)


def hypercube_sizes(d: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, d=d)
    require_below(MAX_VERTICES.bit_length(), d=d)  # before 2**d takes for ever
    edges = d * 2 ** (d - 1)
    return {"d": d}, Sizes(2**d, edges, 1, 1, edges, d)


def diamond(n: int) -> CDAG:
    """The diamond of n rows and n columns: `grid` of shape (n, n) by its other name.

    Vertex i n + j is computed from those above and to its left.

    Source
    ------
    G. Bilardi and F. P. Preparata, Processor-time tradeoffs under bounded-speed message
    propagation, 1997, for the name.

    Examples
    --------
    >>> diamond(4)
    <grid(shape=(4, 4)): 16 vertices, 24 edges>
    """
    return grid((n, n))


def binomial(n: int) -> CDAG:
    """Pascal's triangle down to row n: C(i, j) from C(i-1, j-1) and C(i-1, j).

    Vertex i(i + 1)/2 + j is entry j of row i, 0 <= j <= i <= n. The entries at both ends of a
    row have one operand; entry (0, 0) is the only input, row n the outputs. It is the `pyramid` of
    height n with all edges turned round: the pyramid rolls the values of a recombining binomial
    tree back to today, this one rolls prices forward.

    Source
    ------
    D. Ranjan, J. Savage and M. Zubair, Strong I/O lower bounds for binomial and FFT computation
    graphs, COCOON 2011, where it is rolled back.

    Examples
    --------
    >>> binomial(4)
    <binomial(n=4): 15 vertices, 20 edges>
    """
    params, size = binomial_sizes(n)
    writer = RowWriter(1, size.vertices, size.edges)
    row = np.repeat(np.arange(1, n + 1, dtype=np.int32), np.arange(2, n + 2))
    vertex = writer.upcoming(row.size)
    last = row * (row + 3) // 2  # the entry at the right end of its row
    left = np.where(vertex > last - row, vertex - row - 1, NONE)
    writer.add(left, np.where(vertex < last, vertex - row, NONE))
    indptr, indices = writer.finish()
    return CDAG(indptr, indices, work=1, family="binomial", params=params)


def binomial_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n)
    vertices = (n + 1) * (n + 2) // 2
    return {"n": n}, Sizes(vertices, n * (n + 1), 1, n + 1, vertices - 1, min(n, 2))


def _stencil_words(p: Params, memory: int) -> float:
    """Tiles of a cone of height 1 over a cross-polytope or a cube."""
    d = len(p["shape"])
    base = 2**d / factorial(d) if p["neighbourhood"] == "star" else 2**d
    volume = 2 * base * (2 ** (d + 1) - 1) / (d + 1)
    return float(prod(p["shape"]) * p["steps"] * tiles(memory, volume, d))


def _played_words(p: Params, memory: int) -> float:
    d = len(p["shape"])
    return float(4 * d * prod(p["shape"]) * p["steps"] / memory ** (1 / d))


def _grid_words(p: Params, memory: int) -> float:
    """Tiles of a simplex."""
    d = len(p["shape"])
    if d == 1:
        return 2.0
    return float(prod(p["shape"]) * tiles(memory, comb(2 * d, d) / factorial(d), d - 1))


SWEEP_FROM = {"shape": shapes(lambda facts: facts.inputs if facts.depth == 1 else 0)}
FAMILIES = {
    "binomial": Family(binomial, "n=8", "n=4", binomial_sizes, {"n": fact("depth")}),
    "grid": Family(
        grid,
        "shape=5x5",
        "shape=3x4",
        grid_sizes,
        {"shape": shapes(lambda facts: facts.vertices if facts.inputs == facts.sinks == 1 else 0)},
        law=by_dimension(lambda params: len(params["shape"]) - 1),
        trends=(Trend("lower", "(d - 1) N (C(2d,d) / (2 d! M))^(1/(d-1))", _grid_words, TILES),),
    ),
    "diamond": Family(diamond, "n=6", "n=3"),
    "hypercube": Family(hypercube, "d=6", "d=3", hypercube_sizes, {"d": fact("depth")}),
    "sweep": Family(
        sweep,
        "shape=16x16",
        "shape=3x3",
        sweep_sizes,
        SWEEP_FROM,
        texts=Texts(stencil_text, _sweep_sought),
        law=CONSTANT,
    ),
    "stencil": Family(
        stencil,
        "shape=16x16,steps=8",
        "shape=4,steps=2",
        stencil_sizes,
        {
            "steps": fact("depth"),
            "shape": shapes(
                lambda facts: facts.inputs if facts.computed == facts.inputs * facts.depth else 0
            ),
        },
        texts=Texts(stencil_text, _sweeps_sought),
        law=by_dimension(lambda params: len(params["shape"])),
        trends=(
            Trend("lower", "d N T (V / (2 M))^(1/d)", _stencil_words, TILES),
            Trend("upper", "4 d N T / M^(1/d)", _played_words, DERIVED),
        ),
    ),
}
