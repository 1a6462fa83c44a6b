"""NumPy functions that are traced, statistics among them, and the function that answers each."""

import math
from collections.abc import Sequence
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
    """Return how many cells are reduced to one."""
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


PRODUCTS: Final[dict[Any, Handler]] = {
    np.dot: products.dot,
    np.einsum: products.einsum,
    np.inner: products.inner,
    np.kron: products.kron,
    np.linalg.matmul: products.matmul,
    np.linalg.multi_dot: linear.multi_dot,
    np.linalg.outer: products.outer_product,
    np.linalg.tensordot: products.tensordot,
    np.outer: products.outer_product,
    np.tensordot: products.tensordot,
    np.vdot: products.conjugate_product,
}

REDUCTIONS: Final[dict[Any, Handler]] = {
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
}

ELEMENTWISE: Final[dict[Any, Handler]] = {
    np.angle: cells.unary("angle", np.angle),
    np.clip: cells.clip,
    np.cross: shapes.cross,
    np.diff: shapes.difference,
    np.imag: cells.part("imag", np.imag),
    np.nan_to_num: cells.unary("nan_to_num", np.nan_to_num),
    np.real: cells.part("real", np.real),
    np.round: cells.unary("round", np.round),
    np.around: cells.unary("round", np.round),
    np.sinc: cells.unary("sinc", np.sinc),
    np.where: cells.select,
}

MOVEMENTS: Final[dict[Any, Handler]] = {
    np.append: shapes.append,
    np.array_split: shapes.view(np.array_split),
    np.atleast_1d: shapes.together(np.atleast_1d),
    np.atleast_2d: shapes.together(np.atleast_2d),
    np.atleast_3d: shapes.together(np.atleast_3d),
    np.block: shapes.joining(np.block),
    np.broadcast_arrays: shapes.broadcast_arrays,
    np.broadcast_to: shapes.view(np.broadcast_to),
    np.column_stack: shapes.joining(np.column_stack),
    np.concatenate: shapes.joining(np.concatenate),
    np.copy: shapes.copy,
    np.copyto: shapes.copy_to,
    np.delete: shapes.view(np.delete),
    np.diag: shapes.filling(np.diag),
    np.diagflat: shapes.filling(np.diagflat),
    np.diagonal: shapes.view(np.diagonal),
    np.dsplit: shapes.view(np.dsplit),
    np.dstack: shapes.joining(np.dstack),
    np.expand_dims: shapes.view(np.expand_dims),
    np.fft.fftshift: shapes.view(np.fft.fftshift),
    np.fft.ifftshift: shapes.view(np.fft.ifftshift),
    np.fill_diagonal: shapes.fill_diagonal,
    np.flip: shapes.view(np.flip),
    np.fliplr: shapes.view(np.fliplr),
    np.flipud: shapes.view(np.flipud),
    np.hsplit: shapes.view(np.hsplit),
    np.hstack: shapes.joining(np.hstack),
    np.linalg.diagonal: shapes.view(np.linalg.diagonal),
    np.linalg.matrix_transpose: shapes.view(np.linalg.matrix_transpose),
    np.matrix_transpose: shapes.view(np.matrix_transpose),
    np.meshgrid: shapes.together(np.meshgrid),
    np.moveaxis: shapes.view(np.moveaxis),
    np.pad: shapes.pad,
    np.ravel: shapes.view(np.ravel),
    np.repeat: shapes.view(np.repeat),
    np.reshape: shapes.reshape,
    np.resize: shapes.view(np.resize),
    np.roll: shapes.view(np.roll),
    np.rollaxis: shapes.view(np.rollaxis),
    np.rot90: shapes.view(np.rot90),
    np.split: shapes.view(np.split),
    np.squeeze: shapes.view(np.squeeze),
    np.stack: shapes.joining(np.stack),
    np.swapaxes: shapes.view(np.swapaxes),
    np.take: shapes.view(np.take),
    np.take_along_axis: shapes.view(np.take_along_axis),
    np.tile: shapes.view(np.tile),
    np.transpose: shapes.view(np.transpose),
    np.tril: shapes.filling(np.tril),
    np.triu: shapes.filling(np.triu),
    np.vsplit: shapes.view(np.vsplit),
    np.vstack: shapes.joining(np.vstack),
}

CREATION: Final[dict[Any, Handler]] = {
    np.arange: creation.made_like(np.arange),
    np.array: creation.array_like,
    np.asarray: creation.array_like,
    np.empty: creation.made_like(np.zeros),
    np.empty_like: creation.like(0),
    np.eye: creation.made_like(np.eye),
    np.full: creation.full_with,
    np.full_like: creation.full_like,
    np.identity: creation.made_like(np.identity),
    np.ones: creation.made_like(np.ones),
    np.ones_like: creation.like(1),
    np.zeros: creation.made_like(np.zeros),
    np.zeros_like: creation.like(0),
}

TRANSFORMS: Final[dict[Any, Handler]] = {
    np.fft.fft: transforms.along(-1, "one"),
    np.fft.fft2: transforms.alongnormal_axes(-1, "two"),
    np.fft.fftn: transforms.alongnormal_axes(-1, "all"),
    np.fft.ifft: transforms.along(1, "one"),
    np.fft.ifft2: transforms.alongnormal_axes(1, "two"),
    np.fft.ifftn: transforms.alongnormal_axes(1, "all"),
    np.fft.rfft: transforms.real_transform,
}

LINEAR_ALGEBRA: Final[dict[Any, Handler]] = {
    np.linalg.cholesky: linear.cholesky,
    np.linalg.det: linear.determinant,
    np.linalg.inv: linear.inverse,
    np.linalg.matrix_power: linear.matrix_power,
    np.linalg.norm: linear.norm,
    np.linalg.qr: linear.qr,
    np.linalg.solve: linear.solve,
}

SHAPES: Final[dict[Any, Handler]] = {  # what asks an array no value
    np.iscomplexobj: lambda store, x: x.dtype.kind == "c",
    np.isrealobj: lambda store, x: x.dtype.kind != "c",
    np.ndim: lambda store, a: a.ndim,
    np.result_type: lambda store, *args: np.result_type(*(getattr(x, "dtype", x) for x in args)),
    np.shape: lambda store, a: a.shape,
    np.size: lambda store, a, axis=None: a.size if axis is None else a.shape[axis],
}

TRACED: Final[dict[Any, Handler]] = {
    **PRODUCTS,
    **REDUCTIONS,
    **ELEMENTWISE,
    **MOVEMENTS,
    **CREATION,
    **TRANSFORMS,
    **LINEAR_ALGEBRA,
    **SHAPES,
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
    """Return the error of a function that is not traced."""
    name = name_of(function)
    if function.__name__ in DECIDED_BY_VALUES:
        return TraceError(f"{name} is not traced: {BY_VALUE}")
    place = name.rpartition(".")[0]
    names = sorted({name_of(each) for each in TRACED if name_of(each).rpartition(".")[0] == place})
    traced = ", ".join(each.rpartition(".")[2] for each in names)
    return TraceError(f"{name} is not traced; traced are: {traced}")


FUNCTIONS: Final[dict[Any, Any]] = {**TRACED, None: refusal}


def apply_ufunc(
    store: Store, ufunc: np.ufunc, method: str, inputs: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """Return the result of a ufunc, or of a method of it, on traced arrays."""
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
        whole = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
        raise TraceError(f"{whole} is not traced; of ufuncs, calls, accumulate, outer, reduce are")
    return handler(store, ufunc, *inputs, **kwargs)
