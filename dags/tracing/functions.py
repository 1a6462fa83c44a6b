"""NumPy functions that are traced, statistics among them, and the function that answers each."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from dags.tracing import creation, products, reductions, shapes, transforms
from dags.tracing import elementwise as cells
from dags.tracing import linear_algebra as linear
from dags.tracing.arrays import TracedArray, as_traced, into
from dags.tracing.errors import BY_VALUE, TraceError, name_of
from dags.tracing.reductions import Axis, normal_axes, reduce
from dags.tracing.store import Handler, Store


def count_of(a: TracedArray, axis: Axis) -> int:
    """How many cells are reduced to one."""
    return math.prod(a.shape[i] for i in normal_axes(axis, a.ndim))


def mean(
    store: Store,
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> Any:
    """Return numpy.mean: the sum of k cells, and a division by k."""
    x = as_traced(store, a)
    if dtype is None and x.dtype.kind in "biu":
        dtype = np.dtype(float)
    total = reduce(store, np.add, x, axis=axis, dtype=dtype, keepdims=keepdims)
    return into(out, total / count_of(x, axis))


def var(
    store: Store,
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Any:
    """Return numpy.var: deviations from the mean, their squares, the sum, a division."""
    x = as_traced(store, a)
    deviation = x - mean(store, x, axis, dtype, keepdims=True)
    if x.dtype.kind == "c":
        deviation = np.abs(deviation)
    total = reduce(store, np.add, np.square(deviation), axis=axis, keepdims=keepdims)
    return into(out, total / (count_of(x, axis) - ddof))


def std(store: Store, a: Any, axis: Axis = None, **kwargs: Any) -> Any:
    """Return numpy.std: the square root of `var`."""
    out = kwargs.pop("out", None)
    return into(out, np.sqrt(var(store, a, axis, **kwargs)))


def average(
    store: Store, a: Any, axis: Axis = None, weights: Any = None, *, keepdims: bool = False
) -> Any:
    """Return numpy.average: products with the weights, their sum over that of the weights."""
    if weights is None:
        return mean(store, a, axis, keepdims=keepdims)
    x, w = as_traced(store, a), as_traced(store, weights)
    if w.ndim == 1 and x.ndim > 1 and isinstance(axis, int):
        w = w.reshape(tuple(-1 if i == axis % x.ndim else 1 for i in range(x.ndim)))
    scale = reduce(store, np.add, weights if w.ndim == 1 or w is weights else w, axis=None)
    if w.ndim == x.ndim and w.shape == x.shape:
        scale = reduce(store, np.add, w, axis=axis, keepdims=keepdims)
    total = reduce(store, np.add, x * w, axis=axis, keepdims=keepdims)
    return total / scale


def peak_to_peak(store: Store, a: Any, axis: Axis = None, out: Any = None) -> Any:
    """Return numpy.ptp: the largest less the smallest."""
    return into(out, np.max(a, axis=axis) - np.min(a, axis=axis))


FFT, LINALG = np.fft, np.linalg
# Functions whose handlers are made of the functions themselves.
_MADE: Final[dict[Callable[[Any], Handler], tuple[Any, ...]]] = {
    cells.part: (np.imag, np.real),
    cells.unary: (np.angle, np.nan_to_num, np.round, np.sinc),
    creation.made_like: (np.arange, np.eye, np.identity, np.ones, np.zeros),
    shapes.filling: (np.diag, np.diagflat, np.tril, np.triu),
    shapes.joining: (
        *(np.block, np.column_stack, np.concatenate, np.dstack, np.hstack, np.stack, np.vstack),
    ),
    shapes.together: (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.meshgrid),
    shapes.view: (
        *(np.array_split, np.broadcast_to, np.delete, np.diagonal, np.dsplit, np.expand_dims),
        *(FFT.fftshift, FFT.ifftshift, np.flip, np.fliplr, np.flipud, np.hsplit, LINALG.diagonal),
        *(LINALG.matrix_transpose, np.matrix_transpose, np.moveaxis, np.ravel, np.repeat),
        *(np.resize, np.roll, np.rollaxis, np.rot90, np.split, np.squeeze, np.swapaxes, np.take),
        *(np.take_along_axis, np.tile, np.transpose, np.vsplit),
    ),
}

TRACED: Final[dict[Any, Handler]] = {
    **{
        function: handler(function)
        for handler, functions in _MADE.items()
        for function in functions
    },
    # products
    np.dot: products.dot,
    np.einsum: products.einsum,
    np.inner: products.inner,
    np.kron: products.kron,
    LINALG.matmul: products.matmul,
    LINALG.multi_dot: linear.multi_dot,
    LINALG.outer: products.outer_product,
    LINALG.tensordot: products.tensordot,
    np.outer: products.outer_product,
    np.tensordot: products.tensordot,
    np.vdot: products.conjugate_product,
    # reductions
    np.all: reductions.by_extremum(np.logical_and),
    np.any: reductions.by_extremum(np.logical_or),
    np.average: average,
    np.cumprod: reductions.running(np.multiply),
    np.cumsum: reductions.running(np.add),
    np.max: reductions.by_extremum(np.maximum),
    np.mean: mean,
    np.min: reductions.by_extremum(np.minimum),
    np.prod: reductions.by_ufunc(np.multiply),
    np.ptp: peak_to_peak,
    np.std: std,
    np.sum: reductions.by_ufunc(np.add),
    np.trace: shapes.diagonal_sum,
    np.var: var,
    # cell by cell
    np.around: cells.unary(np.round),
    np.clip: cells.clip,
    np.cross: shapes.cross,
    np.diff: shapes.difference,
    np.where: cells.select,
    # movements
    np.append: shapes.append,
    np.broadcast_arrays: shapes.broadcast_arrays,
    np.copy: shapes.copy,
    np.copyto: shapes.copy_to,
    np.fill_diagonal: shapes.fill_diagonal,
    np.pad: shapes.pad,
    np.reshape: shapes.reshape,
    # new arrays
    np.array: creation.array_like,
    np.asarray: creation.array_like,
    np.empty: creation.made_like(np.zeros),
    np.empty_like: creation.like(0),
    np.full: creation.full_with,
    np.full_like: creation.full_like,
    np.ones_like: creation.like(1),
    np.zeros_like: creation.like(0),
    # transforms
    FFT.fft: transforms.along(-1, "one"),
    FFT.fft2: transforms.along_axes(-1, "two"),
    FFT.fftn: transforms.along_axes(-1, "all"),
    FFT.ifft: transforms.along(1, "one"),
    FFT.ifft2: transforms.along_axes(1, "two"),
    FFT.ifftn: transforms.along_axes(1, "all"),
    FFT.rfft: transforms.real_transform,
    # linear algebra
    LINALG.cholesky: linear.cholesky,
    LINALG.det: linear.determinant,
    LINALG.inv: linear.inverse,
    LINALG.matrix_power: linear.matrix_power,
    LINALG.norm: linear.norm,
    LINALG.qr: linear.qr,
    LINALG.solve: linear.solve,
    # what asks an array no value
    np.iscomplexobj: lambda store, x: x.dtype.kind == "c",
    np.isrealobj: lambda store, x: x.dtype.kind != "c",
    np.ndim: lambda store, a: a.ndim,
    np.result_type: lambda store, *args: np.result_type(*(getattr(x, "dtype", x) for x in args)),
    np.shape: lambda store, a: a.shape,
    np.size: lambda store, a, axis=None: a.size if axis is None else a.shape[axis],
}

DECIDED_BY_VALUES: Final = frozenset(
    (
        *("allclose", "argmax", "argmin", "argpartition", "argsort", "argwhere", "array_equal"),
        *("bincount", "choose", "count_nonzero", "digitize", "extract", "flatnonzero"),
        *("histogram", "histogram2d", "isin", "lexsort", "median", "nanargmax", "nanargmin"),
        *("nonzero", "partition", "percentile", "place", "put", "putmask", "quantile"),
        *("searchsorted", "select", "sort", "sort_complex", "unique"),
    )
)


def _matvec(store: Store, a: Any, x: Any, **kwargs: Any) -> Any:
    return products.einsum(store, "...ij,...j->...i", a, x, **kwargs)


def _vecmat(store: Store, x: Any, a: Any, **kwargs: Any) -> Any:
    return products.einsum(store, "...i,...ij->...j", np.conjugate(x), a, **kwargs)


UFUNC_PRODUCTS: Final[dict[str, Handler]] = {
    "matmul": products.matmul,
    "matvec": _matvec,
    "vecdot": products.vector_product,
    "vecmat": _vecmat,
}


def refusal(function: Any) -> TraceError:
    """The error of a function that is not traced."""
    name = name_of(function)
    if function.__name__ in DECIDED_BY_VALUES:
        return TraceError(f"{name} is not traced: {BY_VALUE}")
    place = name.rpartition(".")[0]
    names = sorted(
        {name_of(function) for function in TRACED if name_of(function).rpartition(".")[0] == place}
    )
    traced = ", ".join(name.rpartition(".")[2] for name in names)
    return TraceError(f"{name} is not traced; traced are: {traced}")


FUNCTIONS: Final[dict[Any, Any]] = {**TRACED, None: refusal}


def apply_ufunc(
    store: Store, ufunc: np.ufunc, method: str, inputs: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """The result of a ufunc, or of a method of it, on traced arrays."""
    product = UFUNC_PRODUCTS.get(ufunc.__name__)
    if method == "__call__" and product is not None:
        return product(store, *inputs, **kwargs)
    if method == "__call__" and ufunc.signature is None:
        return cells.call_ufunc(store, ufunc, inputs, kwargs)
    methods: dict[str, Handler] = {
        "accumulate": reductions.accumulate,
        "outer": reductions.outer,
        "reduce": reductions.reduce,
    }
    handler = methods.get(method)
    if handler is None or ufunc.signature is not None:
        full_name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
        raise TraceError(
            f"{full_name} is not traced; of ufuncs, calls, accumulate, outer, reduce are"
        )
    return handler(store, ufunc, *inputs, **kwargs)
