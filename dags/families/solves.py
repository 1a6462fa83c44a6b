"""Solves with dense triangular matrices."""

from collections.abc import Iterator

import numpy as np

from dags.arrays import lock
from dags.cdag.border import require_at_least
from dags.cdag.value import CDAG
from dags.families.common.family import Block, Family, Nest, Points, Sizes
from dags.families.common.published import CONSTANT, DERIVED, SQUARE_ROOT, Law, Params, both
from dags.families.common.row_writer import NONE, RowWriter, fused_work

LOOPS = (
    "for (i = 0; i < n; i++) for (c = 0; c < k; c++) {"
    " for (j = 0; j < i; j++) B[i][c] -= L[i][j] * B[j][c]; B[i][c] /= L[i][i]; }"
)


def triangular_solve(n: int, k: int = 1) -> CDAG:
    """Return forward substitution: X with LX = B, for a lower triangular n x n matrix L.

    All of X, n*k values, is output.

    Parameters
    ----------
    n
        Rows of L.
    k
        Right-hand sides, the columns of B.

    Notes
    -----
    Numbering: l(i,j) is i(i+1)/2 + j, b(i,c) is n(n+1)/2 + i*k + c; then X row by row and in a
    row column by column, i + 1 vertices each: the updates b(i,c) - l(i,0) x(0,c) - ... in order,
    and the division by l(i,i). With s = n(n+1)/2 + n*k inputs, update j of x(i,c) is
    s + k i(i+1)/2 + c (i+1) + j, and the division is j = i. An update is two operations, a
    division one.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.6.

    Examples
    --------
    >>> triangular_solve(4)
    <triangular_solve(n=4, k=1): 24 vertices, 26 edges>
    """
    params, size = triangular_solve_sizes(n, k)
    rows = RowWriter(size.inputs, size.vertices, size.edges)
    b = np.arange(size.inputs - n * k, size.inputs, dtype=np.int32).reshape(n, k)
    x = np.full((k, n), NONE, np.int32)
    for i in range(n):
        new = rows.upcoming(k, i + 1)
        low = np.arange(i * (i + 1) // 2, (i + 1) * (i + 2) // 2, dtype=np.int32)
        middle, high = x[:, : i + 1].copy(), new - 1
        middle[:, 0], high[:, 0] = b[i], x[:, 0]  # a chain begins with b, which is before x
        rows.add(low, middle, high)
        x[:, i] = new[:, i]
    work = fused_work(size.inputs, size.vertices)
    work[x] = 1
    indptr, indices = rows.finish()
    return CDAG(
        indptr,
        indices,
        work=lock(work),
        outputs=x.reshape(-1),
        family="triangular_solve",
        params=params,
    )


def triangular_solve_sizes(n: int, k: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n, k=k)
    triangle = n * (n + 1) // 2
    inputs, edges = triangle + n * k, k * n * (3 * n + 1) // 2
    sizes = Sizes(inputs + k * triangle, edges, inputs, n * k, k * n * n, min(3, 1 + n))
    return {"n": n, "k": k}, sizes


def triangular_solve_points(n: int, k: int) -> Points:
    """A member as a program."""
    return Points(
        LOOPS,
        (("L", 2), ("B", 2)),
        (("i", "c", "j"), ("i", "c")),
        _solve_blocks(n, k),
    )


def _solve_blocks(n: int, k: int) -> Iterator[Block]:
    """Yield the blocks of a triangular solve, a row of X each."""
    yield (-1, *np.tril_indices(n))
    yield (-2, *np.indices((n, k), np.int32, sparse=True))
    for i in range(n):
        c, j = np.indices((k, i + 1), np.int32, sparse=True)
        yield (j == i, i, c, np.where(j < i, j, 0))


def _law(params: Params) -> Law | None:
    """Return that of a product with many right-hand sides; None for a few, of which none is."""
    if params["k"] == 1:
        return CONSTANT
    return SQUARE_ROOT if params["k"] >= params["n"] else None


def _words(p: Params, memory: int) -> float:
    return float(p["n"] ** 2 * max((1 + 1 / memory) / 2, p["k"] / memory**0.5))


FAMILIES = {
    "triangular_solve": Family(
        triangular_solve,
        "n=16,k=4",
        "n=2,k=2",
        triangular_solve_sizes,
        {"n": lambda facts, arguments: (facts.depth // 2 + 1,)},
        triangular_solve_points,
        nest=Nest.of_loops("triangular_solve", LOOPS, {"L": "nn", "B": "nk"}),
        law=_law,
        trends=both("n^2 max((1 + 1/M)/2, k / sqrt(M))", _words, DERIVED),
    )
}
