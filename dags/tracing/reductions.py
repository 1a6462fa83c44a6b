"""Reductions and running results: left to right, or by trees where the trace says so."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from dags.tracing._kernels import CONSTANT
from dags.tracing.arrays import AnyArray, as_traced, into, result_array
from dags.tracing.elementwise import call_ufunc
from dags.tracing.errors import TraceError
from dags.tracing.store import Store

Axis = int | Sequence[int] | None
ASSOCIATIVE: Final = (
    np.add,
    np.multiply,
    np.maximum,
    np.minimum,
    np.fmax,
    np.fmin,
    np.logical_and,
    np.logical_or,
    np.logical_xor,
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
)


def reduce(
    store: Store,
    ufunc: np.ufunc,
    array: Any,
    axis: Axis = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Return ufunc.reduce: k - 1 vertices for k cells, and one more for an initial value.

    Parameters
    ----------
    store, ufunc
        The DAG; the operation of two operands.
    array, axis, dtype, out, keepdims, initial, where
        As NumPy takes them; `where` is not traced.
    """
    if where is not True:
        raise TraceError(f"numpy.{ufunc.__name__}.reduce with where= is not traced")
    a = as_traced(store, array)
    axes = normal_axes(axis, a.ndim)
    kept = tuple(length for i, length in enumerate(a.shape) if i not in axes)
    lined, lined_values = (_lined(array, axes, kept) for array in (a.cells, a.values))
    kind = ufunc.reduce(np.ones((1,), a.dtype), dtype=dtype).dtype
    if initial is not None:
        start = as_traced(store, initial)
        lined = np.concatenate([_column(start.cells, lined), lined], axis=1)
        lined_values = np.concatenate([_column(start.values, lined), lined_values], axis=1)
    cells = _appended(store, ufunc, kept, lined)
    carries = store.carries
    result = result_array(
        store, cells, kind, lambda: _values(ufunc, lined_values, kind, carries, store.tree)
    )
    if keepdims:
        shape = tuple(1 if i in axes else length for i, length in enumerate(a.shape))
        result = result.reshape(shape)
    return into(out, result)


def normal_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Axes as numbers from 0 on; None is all of them."""
    if axis is None:
        return tuple(range(ndim))
    numbers = (axis,) if isinstance(axis, int | np.integer) else tuple(axis)
    return np.lib.array_utils.normalize_axis_tuple(numbers, ndim)


def _lined(array: AnyArray, axes: tuple[int, ...], kept: tuple[int, ...]) -> AnyArray:
    """(s, k): the cells that are reduced to each result in a row."""
    ahead = [i for i in range(array.ndim) if i not in axes]
    width = math.prod(array.shape[i] for i in axes)
    return np.ascontiguousarray(array.transpose(*ahead, *axes).reshape(math.prod(kept), width))


def _column(value: AnyArray, rows: AnyArray) -> AnyArray:
    return np.broadcast_to(value, (len(rows), 1))


def _appended(store: Store, ufunc: np.ufunc, kept: tuple[int, ...], lined: AnyArray) -> AnyArray:
    if not lined.shape[1]:
        return np.full(kept, CONSTANT, np.int32)
    name = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}.get(
        ufunc.__name__, ufunc.__name__
    )
    if store.tree and ufunc in ASSOCIATIVE:
        return store.trees(name, kept, lined)
    return store.reductions(name, kept, lined)


def _values(ufunc: np.ufunc, lined: AnyArray, kind: Any, carries: bool, tree: bool) -> AnyArray:
    """The results, each by the operations of its vertices where the trace carries them."""
    if not carries or not lined.shape[1]:
        return np.asarray(ufunc.reduce(lined, axis=1))
    if not (tree and ufunc in ASSOCIATIVE):
        typed = lined if kind.kind == "b" else lined.astype(kind)
        return np.asarray(ufunc.accumulate(typed, axis=1)[:, -1])
    queue = list(lined.T)
    for t in range(len(queue) - 1):
        queue.append(
            ufunc(queue[2 * t], queue[2 * t + 1], dtype=None if kind.kind == "b" else kind)
        )
    return np.asarray(queue[-1])


def accumulate(
    store: Store, ufunc: np.ufunc, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None
) -> Any:
    """Return ufunc.accumulate: k - 1 vertices for k cells, each reads the one before."""
    a = as_traced(store, array)
    if axis is None:
        a, axis = a.ravel(), 0
    (place,) = normal_axes(axis, a.ndim)
    kept = tuple(length for i, length in enumerate(a.shape) if i != place)
    lined, values = (_lined(array, (place,), kept) for array in (a.cells, a.values))
    kind = ufunc.accumulate(np.ones((1,), a.dtype), dtype=dtype).dtype
    width = lined.shape[1]
    name = {"add": "cumsum", "multiply": "cumprod"}.get(ufunc.__name__, ufunc.__name__)
    cells = store.chains(name, kept, lined) if width > 1 else lined.copy()
    typed = values if kind.kind == "b" else values.astype(kind)
    line = result_array(
        store, cells.reshape(-1, width), kind, lambda: ufunc.accumulate(typed, axis=1)
    )
    return into(out, np.moveaxis(line.reshape(*kept, width), -1, place))


def outer(store: Store, ufunc: np.ufunc, first: Any, second: Any, **kwargs: Any) -> Any:
    """Return ufunc.outer: one vertex a pair of cells."""
    a, b = as_traced(store, first), as_traced(store, second)
    return call_ufunc(store, ufunc, (a.reshape(a.shape + (1,) * b.ndim), b), kwargs)


def by_ufunc(ufunc: np.ufunc) -> Callable[..., Any]:
    """The handler of the function that reduces by `ufunc` over all axes."""

    def handle(
        store: Store,
        a: Any,
        axis: Axis = None,
        dtype: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        return reduce(store, ufunc, a, axis, dtype, out, **kwargs)

    return handle


def by_extremum(ufunc: np.ufunc) -> Callable[..., Any]:
    """The handler of max, min, all or any, which take no data type."""
    general = by_ufunc(ufunc)

    def handle(store: Store, a: Any, axis: Axis = None, out: Any = None, **kwargs: Any) -> Any:
        return general(store, a, axis, None, out, **kwargs)

    return handle


def running(ufunc: np.ufunc) -> Callable[..., Any]:
    """The handler of cumsum or cumprod."""

    def handle(
        store: Store, a: Any, axis: int | None = None, dtype: Any = None, out: Any = None
    ) -> Any:
        return accumulate(store, ufunc, a, axis, dtype, out)

    return handle
