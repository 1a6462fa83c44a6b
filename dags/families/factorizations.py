"""Dense factorizations: LU, Cholesky, QR."""

from collections.abc import Iterator
from math import sqrt

import numpy as np

from dags.arrays import lock
from dags.cdag.border import require_at_least
from dags.cdag.value import CDAG
from dags.families.common.family import Block, Family, Nest, Points, Sizes
from dags.families.common.inverse import divisors_of
from dags.families.common.published import DERIVED, SQUARE_ROOT, SYMMETRIC, Params, Trend, both
from dags.families.common.row_writer import NONE, RowWriter, fused_work

LU_LOOPS = (
    "for (k = 0; k < n; k++) for (i = k + 1; i < n; i++) { A[i][k] /= A[k][k];"
    " for (j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j]; }"
)
CHOLESKY_LOOPS = (
    "for (k = 0; k < n; k++) { A[k][k] = sqrt(A[k][k]);"
    " for (i = k + 1; i < n; i++) { A[i][k] /= A[k][k];"
    " for (j = k + 1; j <= i; j++) A[i][j] -= A[i][k] * A[j][k]; } }"
)
ROTATION = 6  # r = sqrt(x*x + y*y), c = x/r, s = y/r
ROTATED = 3  # c*x + s*y


def lu(n: int) -> CDAG:
    """Gaussian elimination without pivoting, A = LU, with step k outermost.

    Step k divides, l(i,k) = a(i,k) / u(k,k), and updates, a(i,j) -= l(i,k) u(k,j), for all i and j
    above k; the rest of row k is then a row of U. The first row of U is that of A. All of L below
    its unit diagonal and all of U that is computed, n (n - 1) values, are outputs.

    Notes
    -----
    Numbering: a(i,j) is i*n + j; then step after step, row after row, the division and then the
    updates along the row. With N = n - k, step k begins at s = n^2 + (n^3 - n - N^3 + N)/3, and
    l(i,k) is s + (i-k-1) N, the update of a(i,j) is j - k further. A division is one operation,
    an update two.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.2;
    G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition 2013, section 3.2.

    Examples
    --------
    >>> lu(3)
    <lu(n=3): 17 vertices, 21 edges>
    """
    params, size = lu_sizes(n)
    rows = RowWriter(size.inputs, size.vertices, size.edges)
    block = np.arange(size.inputs, dtype=np.int32).reshape(n, n)  # what is left of the matrix
    factors, quotients = [], []
    for left in range(n - 1, 0, -1):
        new = rows.upcoming(left, left + 1)
        multiplier = np.repeat(new[:, :1], left + 1, axis=1)
        multiplier[:, 0] = NONE
        rows.add(block[0], block[1:], multiplier)
        block = new[:, 1:]
        quotients.append(new[:, 0])
        factors.append(block[0])
    work = fused_work(size.inputs, size.vertices)
    divisions = np.concatenate(quotients)
    work[divisions] = 1
    indptr, indices = rows.finish()
    return CDAG(
        indptr,
        indices,
        work=lock(work),
        outputs=np.concatenate((divisions, *factors)),
        family="lu",
        params=params,
    )


def lu_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(2, n=n)
    divisions, updates = n * (n - 1) // 2, n * (n - 1) * (2 * n - 1) // 6
    edges = n * (n - 1) * (2 * n + 1) // 2
    vertices = n * n + divisions + updates
    return {"n": n}, Sizes(vertices, edges, n * n, n * n - n, divisions + 2 * updates, 3)


def lu_points(n: int) -> Points:
    """A member as a program."""
    return Points(
        LU_LOOPS,
        (("A", 2),),
        (("k", "i"), ("k", "i", "j")),
        _lu_blocks(n),
    )


def _lu_blocks(n: int) -> Iterator[Block]:
    """Yield the blocks of an elimination, a step each: divisions, and updates to their right."""
    yield (-1, *np.indices((n, n), sparse=True))
    for k in range(n - 1):
        i, j = np.arange(k + 1, n)[:, None], np.arange(k, n)
        yield (j > k, k, i, np.where(j > k, j, 0))


def cholesky(n: int) -> CDAG:
    """The Cholesky factorization A = LL^T of the lower half, with step k outermost.

    Step k takes l(k,k) = sqrt(a(k,k)), divides, l(i,k) = a(i,k) / l(k,k), and updates,
    a(i,j) -= l(i,k) l(j,k), for k < j <= i; for i = j that has one operand fewer. All of L,
    n (n + 1)/2 values, is output.

    Notes
    -----
    Numbering: a(i,j), j <= i, is i(i+1)/2 + j; then step after step the triangle of rows and
    columns k..n-1 in the same way, l in its first column and updates in the others. With N = n - k,
    step k begins at s = n(n+1)/2 + (n(n+1)(n+2) - N(N+1)(N+2))/6, and its value at (i,j) is s +
    (i-k)(i-k+1)/2 + j - k. A square root and a division are one operation, an update two.

    Source
    ------
    O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, I/O-optimal algorithms for symmetric
    linear algebra kernels, SPAA 2022, abstract: n^3 / (3 sqrt(2) sqrt(M)) words in the leading
    term; G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition 2013, section 4.2.

    Examples
    --------
    >>> cholesky(3)
    <cholesky(n=3): 16 vertices, 18 edges>
    """
    params, size = cholesky_sizes(n)
    rows = RowWriter(size.inputs, size.vertices, size.edges)
    left = np.arange(size.inputs, dtype=np.int32)  # the triangle that is left, row by row
    columns = []
    for side in range(n, 0, -1):
        i, j = np.tril_indices(side)
        new = rows.upcoming(left.size)
        first = new[j == 0]
        rows.add(left, np.where(i > 0, first[j], NONE), np.where((j > 0) & (j < i), first[i], NONE))
        columns.append(first)
        left = new[j > 0]
    work = fused_work(size.inputs, size.vertices)
    factor = np.concatenate(columns)
    work[factor] = 1
    indptr, indices = rows.finish()
    return CDAG(indptr, indices, work=lock(work), outputs=factor, family="cholesky", params=params)


def cholesky_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n)
    half, updates = n * (n + 1) // 2, n * (n - 1) * (n + 1) // 6
    sizes = Sizes(2 * half + updates, n * half, half, half, half + 2 * updates, min(n, 3))
    return {"n": n}, sizes


def cholesky_points(n: int) -> Points:
    """A member as a program."""
    return Points(
        CHOLESKY_LOOPS,
        (("A", 2),),
        (("k",), ("k", "i"), ("k", "i", "j")),
        _cholesky_blocks(n),
    )


def _cholesky_blocks(n: int) -> Iterator[Block]:
    """Yield the blocks of a Cholesky factorization, a step each: the triangle from k on."""
    yield (-1, *np.tril_indices(n))
    for k in range(n):
        i, j = (side + k for side in np.tril_indices(n - k))
        operations = np.where(j > k, 2, i > k)
        yield (operations, k, np.where(operations > 0, i, 0), np.where(operations > 1, j, 0))


def qr_givens(n: int, m: int | None = None) -> CDAG:
    """The QR factorization of an m x n matrix, m >= n, by Givens rotations.

    Column after column, row j is rotated with each row i below it so that a(i,j) vanishes: the
    rotation is computed from a(j,j) and a(i,j), and applied to the two rows it makes a new
    a(j,l) and a new a(i,l) for every l >= j, each from both old ones and the rotation, but for
    a(i,j), which is zero and no value. A rotation is one value of one word, as it can be stored
    in the place of the entry that it annihilates (Stewart). All rotations and all of R, m*n
    values together, are outputs.

    Parameters
    ----------
    n
        Columns of the matrix.
    m
        Its rows, at least n and 2; n where not given.

    Notes
    -----
    Numbering: a(i,j) is i*n + j; then rotation after rotation, 2 (n - j) vertices each: the
    rotation, the new a(j,j), and for l = j+1..n-1 the new a(j,l) and the new a(i,l). Column j
    begins m*n + sum over c < j of 2 (m-1-c) (n-c), rotation i is 2 (n-j) (i-j-1) further. A
    rotation is 6 operations, a value rotated 3.

    Source
    ------
    W. M. Gentleman and H. T. Kung, Matrix triangularization by systolic arrays, 1981; G. H.
    Golub and C. F. Van Loan, Matrix Computations, 4th edition 2013, section 5.2: 3 n^2 (m - n/3)
    operations in the leading term; G. W. Stewart, The economical storage of plane rotations,
    Numer. Math. 25, 1976.

    Examples
    --------
    >>> qr_givens(2)
    <qr_givens(n=2, m=2): 8 vertices, 11 edges>
    """
    params, size = qr_givens_sizes(n, m)
    m, inputs = int(params["m"]), size.inputs
    rows = RowWriter(inputs, size.vertices, size.edges)
    block = np.arange(inputs, dtype=np.int32).reshape(m, n)  # rows and columns from j on
    angles, factors = [], []
    for below, width in zip(range(m - 1, 0, -1), range(n, 0, -1), strict=False):
        new = rows.upcoming(below, width, 2)
        upper = new[:, :, 0].copy()  # row j after each rotation
        upper[:, 0] = new[:, 0, 1]
        before = np.concatenate((block[:1], upper[:-1]))
        rotation = np.repeat(new[:, 0, 0], 2 * width).reshape(below, width, 2)
        rotation[:, 0, 0] = NONE
        rows.add(
            np.minimum(before, block[1:])[:, :, None],
            np.maximum(before, block[1:])[:, :, None],
            rotation,
        )
        angles.append(new[:, 0, 0])
        factors.append(upper[-1])
        block = new[:, 1:, 1]
    factors.append(block[0])  # a row that no rotation is left for, if the matrix is square
    work = fused_work(inputs, size.vertices)
    work[inputs:] = ROTATED
    rotations = np.concatenate(angles)
    work[rotations] = ROTATION
    indptr, indices = rows.finish()
    return CDAG(
        indptr,
        indices,
        work=lock(work),
        outputs=np.concatenate((rotations, *factors)),
        family="qr_givens",
        params=params,
    )


def qr_givens_sizes(n: int, m: int | None) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n)
    m = n if m is None else m
    require_at_least(max(n, 2), m=m)
    rotations, computed = n * m - n * (n + 1) // 2, n * (n + 1) * (3 * m - n - 2) // 3
    edges = 3 * computed - n * (2 * m - n - 1) // 2
    work = ROTATION * rotations + ROTATED * (computed - rotations)
    return {"n": n, "m": m}, Sizes(m * n + computed, edges, m * n, m * n, work, 3)


LU = both(
    "2 n^3 / (3 sqrt(M))",
    lambda p, memory: 2 * p["n"] ** 3 / (3 * sqrt(memory)),
    DERIVED + "; G. Kwasniewski et al., 2021",
)
QR_GIVENS = (
    Trend(
        "lower",
        "n^2 (m - n/3) / sqrt(M)",
        lambda p, memory: p["n"] ** 2 * (p["m"] - p["n"] / 3) / sqrt(memory),
        DERIVED,
    ),
)
QR_GIVENS_FROM = {"n": divisors_of("inputs")}
FAMILIES = {
    "lu": Family(
        lu,
        "n=16",
        "n=3",
        lu_sizes,
        {},
        lu_points,
        nest=Nest.of_loops("lu", LU_LOOPS, {"A": "nn"}),
        law=SQUARE_ROOT,
        trends=LU,
    ),
    "cholesky": Family(
        cholesky,
        "n=16",
        "n=3",
        cholesky_sizes,
        {},
        cholesky_points,
        nest=Nest.of_loops("cholesky", CHOLESKY_LOOPS, {"A": "nn"}),
        law=SQUARE_ROOT,
        trends=both(
            "n^3 / (3 sqrt(2 M))", lambda p, memory: p["n"] ** 3 / (3 * sqrt(2 * memory)), SYMMETRIC
        ),
    ),
    "qr_givens": Family(
        qr_givens, "n=12", "n=2", qr_givens_sizes, QR_GIVENS_FROM, law=SQUARE_ROOT, trends=QR_GIVENS
    ),
}
