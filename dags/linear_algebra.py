"""Dense linear algebra."""

from typing import Literal

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag import CDAG
from dags.errors import InvalidSpecError
from dags.limits import require_at_least, require_room


def matmul(
    n: int,
    m: int | None = None,
    k: int | None = None,
    form: Literal["fma", "multiply-add"] = "fma",
) -> CDAG:
    """Return the product C = AB of an m x k by a k x n matrix, summed along k in order.

    Parameters
    ----------
    n
        Columns of B and C.
    m, k
        Rows of A and C; columns of A and rows of B. Both are n where not given.
    form
        "fma": c(i,j,l) = c(i,j,l-1) + a(i,l) b(l,j) is one vertex of two operations.
        "multiply-add": products are vertices of their own, and every vertex is one operation.

    Notes
    -----
    Numbering: a(i,l) is i*k + l, b(l,j) is m*k + l*n + j, and then C entry after entry, row by
    row. In "fma" form an entry is k vertices, m*n*k in all with m*n*(3k - 1) edges. In
    "multiply-add" form an entry is 2k - 1 vertices, in the order product 0, product 1, sum 1,
    product 2, sum 2, ..., with m*n*(4k - 2) edges.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 6.

    Examples
    --------
    >>> matmul(2)
    <matmul(n=2, m=2, k=2, form=fma): 16 vertices, 20 edges>
    """
    m = n if m is None else m
    k = n if k is None else k
    require_at_least(1, n=n, m=m, k=k)
    if form == "fma":
        indptr, indices = _fused(m, n, k)
    elif form == "multiply-add":
        indptr, indices = _separate(m, n, k)
    else:
        raise InvalidSpecError(f"form must be 'fma' or 'multiply-add', not {form!r}")
    return CDAG(
        indptr,
        indices,
        work=2 if form == "fma" else 1,
        family="matmul",
        params={"n": n, "m": m, "k": k, "form": form},
    )


def _fused(m: int, n: int, k: int) -> tuple[Int64Array, Int32Array]:
    inputs = m * k + k * n
    require_room(inputs + m * n * k, m * n * (3 * k - 1))
    a, b = _operands(m, n, k)
    entry = (inputs + k * np.arange(m * n, dtype=np.int32)).reshape(m, n, 1)
    indices = np.empty(m * n * (3 * k - 1), np.int32)
    rows = indices.reshape(m, n, 3 * k - 1)
    rows[:, :, 0] = a[:, :, 0]
    rows[:, :, 1] = b[:, :, 0]
    rows[:, :, 2::3] = a[:, :, 1:]
    rows[:, :, 3::3] = b[:, :, 1:]
    rows[:, :, 4::3] = entry + np.arange(k - 1, dtype=np.int32)
    degrees = np.full(k, 3, np.int64)
    degrees[0] = 2
    return _row_pointers(inputs, degrees, m * n), lock(indices)


def _separate(m: int, n: int, k: int) -> tuple[Int64Array, Int32Array]:
    inputs = m * k + k * n
    require_room(inputs + m * n * (2 * k - 1), m * n * (4 * k - 2))
    a, b = _operands(m, n, k)
    entry = (inputs + (2 * k - 1) * np.arange(m * n, dtype=np.int32)).reshape(m, n, 1)
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
    return _row_pointers(inputs, np.full(2 * k - 1, 2, np.int64), m * n), lock(indices)


def _operands(m: int, n: int, k: int) -> tuple[Int32Array, Int32Array]:
    """Return the numbers of a(i,l) as (m, 1, k) and of b(l,j) as (1, n, k)."""
    a = np.arange(m * k, dtype=np.int32).reshape(m, 1, k)
    b = (m * k + np.arange(k * n, dtype=np.int32)).reshape(k, n).T.reshape(1, n, k)
    return a, b


def _row_pointers(inputs: int, degrees: Int64Array, repeats: int) -> Int64Array:
    """Return row pointers of `inputs` empty rows and then `degrees`, `repeats` times over."""
    per_entry = np.concatenate(([0], np.cumsum(degrees)[:-1]))
    starts = per_entry + degrees.sum() * np.arange(repeats, dtype=np.int64)[:, None]
    indptr = np.zeros(inputs + starts.size + 1, np.int64)
    indptr[inputs:-1] = starts.reshape(-1)
    indptr[-1] = degrees.sum() * repeats
    return lock(indptr)
