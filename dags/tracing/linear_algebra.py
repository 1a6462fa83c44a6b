"""Linear algebra by algorithms on elements: elimination without row exchanges, reflections."""

from typing import Any

import numpy as np

from dags.tracing.arrays import as_traced
from dags.tracing.creation import constants
from dags.tracing.elementwise import multiply_add
from dags.tracing.errors import TraceError
from dags.tracing.store import Store


def _matrix(store: Store, a: Any, name: str, *, square: bool = True) -> Any:
    """A copy of one matrix, of floating-point numbers."""
    x = as_traced(store, a)
    if x.ndim != 2 or (square and x.shape[0] != x.shape[1]):
        raise TraceError(
            f"numpy.linalg.{name} is traced for one{' square' if square else ''} matrix, "
            f"not for shape {x.shape}"
        )
    return x.astype(np.result_type(x.dtype, np.float32 if x.dtype.kind in "fc" else float))


def cholesky(store: Store, a: Any, /, *, upper: bool = False) -> Any:
    """Return numpy.linalg.cholesky, right-looking: each column updates the triangle behind it."""
    x = _matrix(store, a, "cholesky")
    n = len(x)
    result: Any = constants(store, np.zeros((n, n), x.dtype))
    for k in range(n):
        result[k, k] = np.sqrt(x[k, k])
        result[k + 1 :, k] = x[k + 1 :, k] / result[k, k]
        rows, columns = (indices + k + 1 for indices in np.tril_indices(n - k - 1))
        right = np.conjugate(result[columns, k])
        x[rows, columns] = multiply_add(store, x[rows, columns], result[rows, k], right, minus=True)
    return np.conjugate(result.T) if upper else result


def _eliminated(store: Store, a: Any, name: str) -> Any:
    """L, without its unit diagonal, and U in one matrix: no row exchanges."""
    x = _matrix(store, a, name)
    for k in range(len(x) - 1):
        x[k + 1 :, k] = x[k + 1 :, k] / x[k, k]
        x[k + 1 :, k + 1 :] = multiply_add(
            store, x[k + 1 :, k + 1 :], x[k + 1 :, k : k + 1], x[k, k + 1 :], minus=True
        )
    return x


def solve(store: Store, a: Any, b: Any) -> Any:
    """Return numpy.linalg.solve: elimination, then both triangles column by column."""
    factors = _eliminated(store, a, "solve")
    right = as_traced(store, b)
    if right.ndim not in (1, 2) or len(right) != len(factors):
        raise TraceError("numpy.linalg.solve is traced for one matrix and fitting right sides")
    x = right.astype(np.result_type(right.dtype, factors.dtype))
    for k in range(len(factors)):
        _reduce_by(store, x, factors, k, slice(k + 1, None))
    return _back(store, factors, x)


def _reduce_by(store: Store, x: Any, factors: Any, k: int, rows: slice) -> None:
    """Subtract from some rows of x their factors in column k times row k."""
    column = factors[rows, k]
    column = column[:, np.newaxis] if x.ndim > 1 else column
    x[rows] = multiply_add(store, x[rows], column, x[k], minus=True)


def _back(store: Store, factors: Any, x: Any) -> Any:
    """Solve with the upper triangle in place."""
    for k in reversed(range(len(factors))):
        x[k] = x[k] / factors[k, k]
        _reduce_by(store, x, factors, k, slice(0, k))
    return x


def inverse(store: Store, a: Any) -> Any:
    """Return numpy.linalg.inv: `solve` with the unit matrix, where zeros of L^-1 are known."""
    factors = _eliminated(store, a, "inv")
    n = len(factors)
    x: Any = constants(store, np.eye(n, dtype=factors.dtype))
    for k in range(n - 1):
        x[k + 1 :, : k + 1] = multiply_add(
            store, x[k + 1 :, : k + 1], factors[k + 1 :, k : k + 1], x[k, : k + 1], minus=True
        )
    return _back(store, factors, x)


def determinant(store: Store, a: Any) -> Any:
    """Return numpy.linalg.det: the product of the pivots of the elimination."""
    return np.prod(np.diagonal(_eliminated(store, a, "det")))


def qr(store: Store, a: Any, mode: Any = "reduced") -> Any:
    """Return numpy.linalg.qr by Householder reflections, with the signs of LAPACK.

    Column k: norm s of its rest x, beta = -copysign(s, x_0), v = (1, x_1, ...) / (x_0 - beta),
    tau = (beta - x_0) / beta; the columns behind become y - v (tau (v . y)). Q is the product of
    the reflections, last first, applied to the unit matrix.
    """
    x = _matrix(store, a, "qr", square=False)
    if mode not in ("reduced", "complete", "r") or x.dtype.kind == "c":
        raise TraceError("numpy.linalg.qr is traced for real matrices, reduced, complete or r")
    m, n = x.shape
    reflections = []
    for k in range(min(m - 1, n)):
        beta = np.negative(np.copysign(_norm(x[k:, k]), x[k, k]))
        tau = (beta - x[k, k]) / beta
        v = x[k + 1 :, k] / (x[k, k] - beta)
        x[k, k], x[k + 1 :, k] = beta, 0
        _reflect(store, x[k:, k + 1 :], v, tau)
        reflections.append((v, tau))
    columns = m if mode == "complete" else min(m, n)
    upper = np.triu(x[:columns])
    if mode == "r":
        return upper
    q: Any = constants(store, np.eye(m, columns, dtype=x.dtype))
    for k, (v, tau) in reversed([*enumerate(reflections)]):
        _reflect(store, q[k:, k:], v, tau)
    return type(np.linalg.qr(np.eye(1)))(q, upper)


def _norm(x: Any) -> Any:
    return np.sqrt(np.dot(x, x))


def _reflect(store: Store, y: Any, v: Any, tau: Any) -> None:
    """Replace y (r, c) by its reflection, in place; v (r - 1,) without its leading 1."""
    if not y.shape[1]:
        return
    scale = tau * (y[0] + v @ y[1:])
    y[0] = y[0] - scale
    y[1:] = multiply_add(store, y[1:], v[:, np.newaxis], scale, minus=True)


def norm(store: Store, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Return numpy.linalg.norm: of vectors for 1, 2 and infinity; of matrices that of Frobenius."""
    a = as_traced(store, x)
    axes = axis if axis is not None else None if ord is None else tuple(range(a.ndim))
    single = isinstance(axes, int) or (axes is not None and len(axes) == 1)
    if ord in (None, "fro") or (ord == 2 and single):
        squares = np.square(np.abs(a) if a.dtype.kind == "c" else a)
        return np.sqrt(np.sum(squares, axis=axes, keepdims=keepdims))
    if single and ord == 1:
        return np.sum(np.abs(a), axis=axes, keepdims=keepdims)
    if single and ord in (np.inf, -np.inf):
        extreme = np.max if ord > 0 else np.min
        return extreme(np.abs(a), axis=axes, keepdims=keepdims)
    raise TraceError(f"numpy.linalg.norm is not traced for ord={ord!r} of shape {a.shape}")


def matrix_power(store: Store, a: Any, n: int) -> Any:
    """Return numpy.linalg.matrix_power by repeated squaring, lowest bit first."""
    x: Any = _matrix(store, a, "matrix_power")
    if n < 0:
        x, n = inverse(store, x), -n
    if n == 0:
        return constants(store, np.eye(len(x), dtype=x.dtype))
    product = None
    while n:
        if n & 1:
            product = x if product is None else product @ x
        n >>= 1
        x = x @ x if n else x
    return product


def multi_dot(store: Store, arrays: Any, *, out: Any = None) -> Any:
    """Return numpy.linalg.multi_dot, the products left to right."""
    if out is not None:
        raise TraceError("numpy.linalg.multi_dot is traced without out=")
    result: Any = arrays[0]
    for array in arrays[1:]:
        result = np.dot(result, array)
    return result
