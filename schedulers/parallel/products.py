"""Products, factorizations, butterflies by several processors: blocks, dealt out or exchanged."""

from collections.abc import Iterator
from math import ceil, isqrt

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families import FAMILIES
from schedulers.families.matmul import block_shapes, predicted_io
from schedulers.orders import ORDERS
from schedulers.parallel.local_plays import Assignment, numbered

Grid = tuple[int, int, int]
CANDIDATES = 4


def butterfly_parts(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield the assignments of a butterfly: by exchange, and with a transposition.

    *Exchange*: a processor has n/p values that follow each other, all through. The last log p
    levels mix them with those of other processors. *Transposition*: after half of the levels it
    has every p-th value instead. If p <= sqrt(n), no level mixes then, and all but n/p^2 of its
    values come from others, once.

    Parameters
    ----------
    dag
        A butterfly.
    processors
        Number of them; the parts are even where it is a power of the radix.
    memory
        Words of fast memory of each.

    Source
    ------
    A. Gupta and V. Kumar, The scalability of FFT on parallel computers, IEEE Trans. Parallel
    Distrib. Syst. 1993.
    """
    n, radix = dag.params["n"], dag.params["radix"]
    level, i = np.divmod(np.arange(dag.n), n)
    block = i * processors // n
    depth = dag.n // n - 1
    owners = {"exchange": block}
    if processors > 1:
        local = next(d for d in range(depth + 1) if radix**d * processors >= n)
        half = min(max(depth - depth // 2, 1), max(local, 1))
        owners["transposition"] = np.where(level <= half, block, i % processors)
    for name, owner in owners.items():
        yield numbered(name, owner, family_order(dag, memory))


def family_order(dag: CDAG, memory: int) -> Int32Array:
    """The first order that is known for the family of a DAG."""
    return next(FAMILIES[dag.family or ""](dag, memory))


def product_blocks(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield assignments of a product to grids of processors, the most promising first.

    On a grid of a x b x c processors, each computes the terms of m/a rows and n/b columns of C
    along k/c of the k: one layer of blocks of C (c = 1, two-dimensional), or c layers, which pass
    partial sums on (2.5-dimensional, and three-dimensional where all three sides are alike).

    Parameters
    ----------
    dag
        A product.
    processors
        Number of them.
    memory
        Words of fast memory of each.

    Source
    ------
    E. Solomonik and J. Demmel, Communication-optimal parallel 2.5D matrix multiplication and LU
    factorization algorithms, Euro-Par 2011; R. C. Agarwal et al., A three-dimensional approach to
    parallel matrix multiplication, IBM J. Res. Dev. 1995.
    """
    n, m, k = (dag.params[key] for key in ("n", "m", "k"))
    grids = [(a, b, c) for a, b, c in grids_of(processors, 3) if a <= m and b <= n and c <= k]
    grids.sort(key=lambda grid: (grid_words(m, n, k, grid, memory), grid))
    # sums in one layer never wait for those of another, so that the best of these comes first
    flat = next((grid for grid in grids if grid[2] == 1), None)
    first = [] if flat is None else [flat]
    for grid in [*first, *(grid for grid in grids if grid != flat)][:CANDIDATES]:
        yield on_grid(dag, grid, memory)


def grids_of(processors: int, dimensions: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number of processors as a product of a given number of sides."""
    if dimensions == 1:
        yield (processors,)
        return
    for side in range(1, processors + 1):
        if processors % side == 0:
            for sides in grids_of(processors // side, dimensions - 1):
                yield (side, *sides)


def grid_words(m: int, n: int, k: int, grid: Grid, memory: int) -> int:
    """The words that a processor of a grid moves, of the largest part there is.

    Parameters
    ----------
    m, n, k
        The product of an m x k by a k x n matrix.
    grid
        Processors along the three.
    memory
        Words of fast memory of each.
    """
    rows, columns, terms = ceil(m / grid[0]), ceil(n / grid[1]), ceil(k / grid[2])
    a, b = block_shapes(rows, columns, terms, memory - 2)[0]
    passed_on = rows * columns if grid[2] > 1 else 0  # partial sums that come from another layer
    return predicted_io(rows, columns, terms, a, b) + passed_on


def on_grid(dag: CDAG, grid: Grid, memory: int) -> Assignment:
    """The assignment of a product to a grid of processors.

    Each plays its part by blocks of entries that stay while columns of A and rows of B stream by.

    Parameters
    ----------
    dag
        A product.
    grid
        Processors along the rows and columns of C, and along k.
    memory
        Words of fast memory of each.
    """
    n, m, k, form = (dag.params[key] for key in ("n", "m", "k", "form"))
    term, complete = terms_of(k, form)
    entry = np.arange(m * n)
    row, column = (entry // n)[:, None], (entry % n)[:, None]
    place = [
        index * side // size
        for index, side, size in (
            (row, grid[0], m),
            (column, grid[1], n),
            (term[None, :], grid[2], k),
        )
    ]
    owner = (place[0] * grid[1] + place[1]) * grid[2] + place[2]
    rows, columns, terms = (ceil(x / y) for x, y in zip((m, n, k), grid, strict=True))
    a, b = block_shapes(rows, columns, terms, memory - (2 if form == "fma" else 3))[0]
    first = (place[0] * m + grid[0] - 1) // grid[0], (place[1] * n + grid[1] - 1) // grid[1]
    keys = ((row - first[0]) // a, (column - first[1]) // b, np.broadcast_to(complete, owner.shape))
    order = np.lexsort(
        [
            np.broadcast_to(key, owner.shape).reshape(-1)
            for key in (np.arange(term.size), row, column, keys[2], keys[1], keys[0])
        ]
    )
    inputs = m * k + k * n
    owners = np.full(dag.n, -1)
    owners[inputs:] = owner.reshape(-1)
    return numbered(f"blocks {'x'.join(map(str, grid))}", owners, inputs + order)


def terms_of(k: int, form: str) -> tuple[Int64Array, Int64Array]:
    """The first and the last term along k in each vertex of an entry."""
    if form == "fma":
        return np.arange(k), np.arange(k)
    if form == "multiply-add":
        step = (np.arange(2 * k - 1) + 1) // 2
        return step, step
    first, last = np.zeros((2, 2 * k - 1), np.int64)
    first[:k] = last[:k] = np.arange(k)
    for t in range(k - 1):
        first[k + t] = min(first[2 * t], first[2 * t + 1])
        last[k + t] = max(last[2 * t], last[2 * t + 1])
    return first, last


def cyclic_blocks(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield assignments of a factorization's entries, block-cyclic in two dimensions.

    Entry (i, j) belongs to processor (i/b mod r, j/b mod s) of r x s: the more blocks, the more
    even is the rest of the work, and the more operands are read by several.

    Parameters
    ----------
    dag
        An LU or a Cholesky factorization.
    processors
        Number of them.
    memory
        Words of fast memory of each.

    Source
    ------
    J. Choi et al., ScaLAPACK: a portable linear algebra library for distributed memory computers,
    Comput. Phys. Commun. 1996, section 2: block-cyclic distribution.
    """
    n = dag.params["n"]
    row, column = entries_of(dag)
    rows = min((grid for grid in grids_of(processors, 2) if grid[0] <= grid[1]), key=_squareness)
    orders = (ORDERS["natural"](dag), family_order(dag, memory))
    for blocks in (1, 2, 4):
        side = max(ceil(n / (blocks * max(rows))), 1)
        owner = row // side % rows[0] * rows[1] + column // side % rows[1]
        name = f"block-cyclic {rows[0]}x{rows[1]} of {side}"
        for order in orders:
            yield numbered(name, owner, order)
        if side <= isqrt(max(memory, 1)) // 2:
            break


def _squareness(grid: tuple[int, ...]) -> int:
    return grid[1] - grid[0]


def entries_of(dag: CDAG) -> tuple[Int64Array, Int64Array]:
    """(n,) the row and the column of the entry that each vertex is a value of."""
    n, lower = dag.params["n"], dag.family == "cholesky"
    rows, columns = [], []
    first = np.tril_indices(n) if lower else np.divmod(np.arange(n * n), n)
    rows.append(first[0])
    columns.append(first[1])
    for k in range(n if lower else n - 1):
        left = n - k
        if lower:
            i, j = np.tril_indices(left)
        else:
            i, j = np.divmod(np.arange((left - 1) * left), left)
            i = i + 1
        rows.append(k + i)
        columns.append(k + j)
    return np.concatenate(rows), np.concatenate(columns)
