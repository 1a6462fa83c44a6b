"""Dense products."""

from typing import Literal

import numpy as np

from dags.arrays import Int32Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.family import Family, Nest, Points, Sizes
from dags.families.common.inverse import divisors, exactly, fact
from dags.families.common.published import (
    CONSTANT,
    DERIVED,
    SQUARE_ROOT,
    SYMMETRIC,
    Params,
    Trend,
    both,
)
from dags.families.common.row_writer import FMA, NONE, RowWriter, fma_chains, repeated_pointers

SYRK_LOOPS = (
    "for (i = 0; i < n; i++) for (j = 0; j <= i; j++) { C[i][j] = 0;"
    " for (l = 0; l < k; l++) C[i][j] += A[i][l] * A[j][l]; }"
)


def matmul(
    n: int,
    m: int | None = None,
    k: int | None = None,
    form: Literal["fma", "multiply-add", "tree"] = "fma",
) -> CDAG:
    """The product C = AB of an m x k by a k x n matrix.

    Parameters
    ----------
    n
        Columns of B and C.
    m, k
        Rows of A and C; columns of A and rows of B. Both are n where not given.
    form
        "fma": c(i,j,l) = c(i,j,l-1) + a(i,l) b(l,j) is one vertex of two operations.
        "multiply-add": the same sum along k in order, but products are vertices of their own.
        "tree": products again, added up by a binary tree of least height. In the last two every
        vertex is one operation.

    Notes
    -----
    Numbering: a(i,l) is i*k + l, b(l,j) is m*k + l*n + j, and then C entry after entry, row by
    row. In "fma" form an entry is k vertices. In the other forms it is 2k - 1 vertices:
    "multiply-add" in the order product 0, product 1, sum 1, product 2, sum 2, ...; "tree" the k
    products and then the sums, where sum t adds vertices 2t and 2t + 1 of the entry, products and
    sums counted through. Of an odd number of values at one height, the last is thus added to the
    first of the next.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 6.

    Examples
    --------
    >>> matmul(2)
    <matmul(n=2, m=2, k=2, form=fma): 16 vertices, 20 edges>
    >>> int(matmul(1, k=5, form="tree").level.max())
    4
    """
    params, size = matmul_sizes(n, m, k, form)
    require_room(size.vertices, size.edges)
    m, k, inputs = int(params["m"]), int(params["k"]), size.inputs
    a = np.arange(m * k, dtype=np.int32).reshape(m, 1, k)
    b = (m * k + np.arange(k * n, dtype=np.int32)).reshape(k, n).T.reshape(1, n, k)
    if form == "fma":
        indptr, indices = fma_chains(inputs, a, b)
    else:
        indices = _accumulated(inputs, a, b) if form == "multiply-add" else _trees(inputs, a, b)
        indptr = repeated_pointers(inputs, np.full(2 * k - 1, 2, np.int64), m * n)
    return CDAG(indptr, indices, work=FMA if form == "fma" else 1, family="matmul", params=params)


def matmul_sizes(n: int, m: int | None, k: int | None, form: str) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    m, k = n if m is None else m, n if k is None else k
    require_at_least(1, n=n, m=m, k=k)
    if form not in ("fma", "multiply-add", "tree"):
        raise InvalidSpecError(f"form must be 'fma', 'multiply-add' or 'tree', not {form!r}")
    inputs, entries = m * k + k * n, m * n
    vertices, edges, operands = (k, 3 * k - 1, 3) if form == "fma" else (2 * k - 1, 4 * k - 2, 2)
    work = entries * vertices * (2 if form == "fma" else 1)
    sizes = Sizes(
        inputs + entries * vertices, entries * edges, inputs, entries, work, min(operands, 1 + k)
    )
    return {"n": n, "m": m, "k": k, "form": form}, sizes


def matmul_points(n: int, m: int, k: int, form: str) -> Points | None:
    """A member as a program; None where its sums are no loop of fused operations."""
    if form != "fma":
        return None
    a, b, c = (np.indices(sides, np.int32, sparse=True) for sides in ((m, k), (k, n), (m, n, k)))
    return Points(
        "for (i = 0; i < m; i++) for (j = 0; j < n; j++) { C[i][j] = 0;"
        " for (l = 0; l < k; l++) C[i][j] += A[i][l] * B[l][j]; }",
        (("A", 2), ("B", 2)),
        (("i", "j", "l"),),
        ((-1, *a), (-2, *b), (0, *c)),
    )


def matvec(n: int, m: int | None = None) -> CDAG:
    """The product y = Ax of an n x m matrix and a vector, summed along the rows of A.

    Parameters
    ----------
    n
        Rows of A.
    m
        Columns of A; n where not given.

    Notes
    -----
    Numbering: a(i,j) is i*m + j, x(j) is n*m + j, and then y entry after entry: y(i,j) =
    y(i,j-1) + a(i,j) x(j), of two operations, is n*m + m + i*m + j.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.6.

    Examples
    --------
    >>> matvec(4)
    <matvec(n=4, m=4): 36 vertices, 44 edges>
    """
    params, size = matvec_sizes(n, m)
    require_room(size.vertices, size.edges)
    m = int(params["m"])
    a = np.arange(n * m, dtype=np.int32).reshape(n, m)
    x = n * m + np.arange(m, dtype=np.int32)
    indptr, indices = fma_chains(size.inputs, a, x)
    return CDAG(indptr, indices, work=FMA, family="matvec", params=params)


def matvec_sizes(n: int, m: int | None) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    m = n if m is None else m
    require_at_least(1, n=n, m=m)
    inputs = n * m + m
    widest = min(3, 1 + m)
    return {"n": n, "m": m}, Sizes(inputs + n * m, n * (3 * m - 1), inputs, n, 2 * n * m, widest)


def syrk(n: int, k: int) -> CDAG:
    """The lower half of AA^T, a symmetric rank-k update, for an n x k matrix A.

    Parameters
    ----------
    n
        Rows of A.
    k
        Columns of A.

    Notes
    -----
    Numbering: a(i,l) is i*k + l; then entries (i,j), j <= i, row by row, k vertices each:
    c(i,j,l) = c(i,j,l-1) + a(i,l) a(j,l), of two operations, is n*k + (i(i+1)/2 + j) k + l. For
    i = j it has one operand fewer.

    Source
    ------
    O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, I/O-optimal algorithms for symmetric
    linear algebra kernels, SPAA 2022, abstract: n^2 k / (sqrt(2) sqrt(M)) words in the leading
    term, a factor of sqrt(2) below half of a general product.

    Examples
    --------
    >>> syrk(3, 2)
    <syrk(n=3, k=2): 18 vertices, 24 edges>
    """
    params, size = syrk_sizes(n, k)
    rows = RowWriter(size.inputs, size.vertices, size.edges)
    a = np.arange(size.inputs, dtype=np.int32).reshape(n, k)
    for i in range(n):
        partial = rows.upcoming(i + 1, k) - 1
        partial[:, 0] = NONE
        operands = a[: i + 1].copy()
        operands[i] = NONE
        rows.add(operands, a[i], partial)
    indptr, indices = rows.finish()
    return CDAG(indptr, indices, work=FMA, family="syrk", params=params)


def syrk_sizes(n: int, k: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n, k=k)
    half = n * (n + 1) // 2
    edges = n * (n - 1) // 2 * (3 * k - 1) + n * (2 * k - 1)
    operands = min(2, n) + (k > 1)
    return {"n": n, "k": k}, Sizes(n * k + half * k, edges, n * k, half, 2 * half * k, operands)


def syrk_points(n: int, k: int) -> Points:
    """A member as a program."""
    i, j = (side[:, None] for side in np.tril_indices(n))
    return Points(
        SYRK_LOOPS,
        (("A", 2),),
        (("i", "j", "l"),),
        ((-1, *np.indices((n, k), np.int32, sparse=True)), (0, i, j, np.arange(k))),
    )


def _accumulated(inputs: int, a: Int32Array, b: Int32Array) -> Int32Array:
    """The operand pairs of matmul in multiply-add form; a (m, 1, k), b (1, n, k)."""
    m, n, k = np.broadcast_shapes(a.shape, b.shape)
    entry = _entries(inputs, m, n, k)
    indices = np.empty(m * n * (4 * k - 2), np.int32)
    rows = indices.reshape(m, n, 4 * k - 2)
    rows[:, :, 0] = a[:, :, 0]
    rows[:, :, 1] = b[:, :, 0]
    rows[:, :, 2::4] = a[:, :, 1:]
    rows[:, :, 3::4] = b[:, :, 1:]
    product = 2 * np.arange(k - 1, dtype=np.int32) + 1  # product l is vertex 2l - 1 of its entry
    partial = product - 1  # its addend is the sum before it, or product 0
    rows[:, :, 4::4] = entry + partial
    rows[:, :, 5::4] = entry + product
    return lock(indices)


def _trees(inputs: int, a: Int32Array, b: Int32Array) -> Int32Array:
    """The operand pairs of matmul in tree form; a (m, 1, k), b (1, n, k)."""
    m, n, k = np.broadcast_shapes(a.shape, b.shape)
    indices = np.empty(m * n * (4 * k - 2), np.int32)
    rows = indices.reshape(m, n, 4 * k - 2)
    rows[:, :, 0 : 2 * k : 2] = a
    rows[:, :, 1 : 2 * k : 2] = b
    rows[:, :, 2 * k :] = _entries(inputs, m, n, k) + np.arange(2 * k - 2, dtype=np.int32)
    return lock(indices)


def _entries(inputs: int, m: int, n: int, k: int) -> Int32Array:
    """The number of the first vertex of every entry of C, (m, n, 1), 2k - 1 apart."""
    first: Int32Array = inputs + (2 * k - 1) * np.arange(m * n, dtype=np.int32)
    return first.reshape(m, n, 1)


def _product_words(p: Params, memory: int) -> float:
    return float(2 * p["m"] * p["n"] * p["k"] / memory**0.5)


def _played_words(p: Params, memory: int) -> float:
    return float(2 * p["m"] * p["n"] * p["k"] / ((memory + 1) ** 0.5 - 1) + p["m"] * p["n"])


MATMUL = (
    Trend(
        "lower",
        "2 m n k / sqrt(M)",
        _product_words,
        "T. M. Smith, B. Lowery, J. Langou and R. A. van de Geijn, 2017",
        recompute=True,
    ),
    Trend(
        "upper", "2 m n k / (sqrt(M + 1) - 1) + m n", _played_words, "G. Kwasniewski et al., 2019"
    ),
)
MATMUL_FROM = {
    "k": lambda facts, arguments: [
        terms
        for quotient in exactly(facts.computed, facts.sinks)
        for terms in (quotient, quotient // 2 + 1)
    ],
    "m": lambda facts, arguments: [m for m in divisors(facts.sinks) if m * m <= facts.sinks],
    "n": lambda facts, arguments: (facts.sinks // arguments["m"],),
}
MATVEC = both("n m (1 + 1/M)", lambda p, memory: p["n"] * p["m"] * (1 + 1 / memory), DERIVED, True)
FAMILIES = {
    "matvec": Family(
        matvec,
        "n=16",
        "n=2",
        matvec_sizes,
        {"n": fact("sinks"), "m": fact("depth")},
        nest=Nest("ij,j->i", {"i": "n", "j": "m"}),
        law=CONSTANT,
        trends=MATVEC,
    ),
    "matmul": Family(
        matmul,
        "m=8,n=16,k=4",
        "m=2,n=2,k=2",
        matmul_sizes,
        MATMUL_FROM,
        matmul_points,
        nest=Nest("il,lj->ij", {"i": "m", "l": "k", "j": "n"}),
        law=SQUARE_ROOT,
        trends=MATMUL,
    ),
    "syrk": Family(
        syrk,
        "n=16,k=8",
        "n=3,k=2",
        syrk_sizes,
        {"k": fact("depth")},
        syrk_points,
        nest=Nest.of_loops("syrk", SYRK_LOOPS, {"A": "nk", "C": "nn"}),
        law=SQUARE_ROOT,
        trends=both(
            "n^2 k / sqrt(2 M)",
            lambda p, memory: p["n"] ** 2 * p["k"] / (2 * memory) ** 0.5,
            SYMMETRIC,
            True,
        ),
    ),
}
