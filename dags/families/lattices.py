"""Lattices of subsets and of paths."""

import numpy as np

from dags import _kernels
from dags.arrays import MAX_VERTICES, lock
from dags.cdag.border import require_at_least, require_below, require_room
from dags.cdag.value import CDAG
from dags.families.family import Params, Sizes
from dags.families.row_writer import NONE, RowWriter
from dags.families.stencils import grid


def hypercube(d: int) -> CDAG:
    """Return the lattice of the 2^d subsets of d things, each computed from those one smaller.

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
    """Return the parameters and sizes of a member."""
    require_at_least(1, d=d)
    require_below(MAX_VERTICES.bit_length(), d=d)  # before 2**d takes for ever
    edges = d * 2 ** (d - 1)
    return {"d": d}, Sizes(2**d, edges, 1, 1, edges, d)


def diamond(n: int) -> CDAG:
    """Return the diamond of n rows and n columns: `grid` of shape (n, n) by its other name.

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
    """Return Pascal's triangle down to row n: C(i, j) from C(i-1, j-1) and C(i-1, j).

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
    """Return the parameters and sizes of a member."""
    require_at_least(1, n=n)
    vertices = (n + 1) * (n + 2) // 2
    return {"n": n}, Sizes(vertices, n * (n + 1), 1, n + 1, vertices - 1, min(n, 2))
